"""The schemas in real editors: the YAML language server over its protocol, and VS Code's JSON service.

The two are npm packages; ``npm ci`` in this folder brings them, which the tests do themselves where npm is there.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import importlib.util
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kernelindex_schema.structure.published import DOCUMENT_SCHEMAS, json_schema, schema_file_name
from kernelindex_schema.structure.schema import build_schema
from kernelindex_schema.v1alpha1 import KINDS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCUMENT = ROOT / "schemas" / "v1alpha1" / "document.schema.json"
EXAMPLES = sorted((ROOT / "examples" / "valid").glob("*.yaml"))

_spec = importlib.util.spec_from_file_location("language_server", HERE / "language_server.py")
assert _spec is not None
assert _spec.loader is not None
language_server = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(language_server)


def lacking(what: str, command: str) -> None:
    """Skip, or fail where everything has to run."""
    message = f"{what} is not installed; run: {command}"
    if os.environ.get("KIX_TEST_EVERYTHING"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="module")
def packages() -> Path:
    """The folder of the installed npm packages."""
    if shutil.which("node") is None:
        lacking("Node.js", "apt-get install nodejs npm")
    installed = HERE / "node_modules"
    if not (installed / ".package-lock.json").is_file():
        if shutil.which("npm") is None:
            lacking("npm", "apt-get install npm")
        done = subprocess.run(
            ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=HERE,
            capture_output=True,
            encoding="utf-8",
        )
        if done.returncode:
            lacking(f"yaml-language-server ({done.stderr.strip()[:200]})", "npm ci --prefix tests/editors")
    return installed


@pytest.fixture
def serve(packages: Path, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Starts a server with settings of the YAML extension."""
    servers = []

    def start(**settings: Any) -> Any:
        yaml = {"validate": True, "hover": True, "completion": True, "schemas": {}, "yamlVersion": "1.2"}
        yaml |= {"schemaStore": {"enable": False, "url": ""}, **settings}
        program = packages / "yaml-language-server" / "bin" / "yaml-language-server"
        server = language_server.LanguageServer(["node", str(program), "--stdio"], {"yaml": yaml}, tmp_path)
        servers.append(server)
        return server.__enter__()

    yield start
    for server in servers:
        server.__exit__(None, None, None)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *args: Any) -> None:
        """Stay quiet."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def modeline(path: Path = DOCUMENT) -> str:
    return f"# yaml-language-server: $schema={path.as_uri()}\n"


BROKEN = """\
apiVersion: kernelindex.dev/v1alpha1
kind: BenchmarkRun
metadata:
  name: My Run
spec:
  implementationDigest: sha256:c160e1f9cbdb2b715ff80968d639c30ef7ce48da84b5abab4bd3f5e1b9290a77
  workloadDigest: sha256:ff03f533ff8f9de5dbdbedb45ff72e82bc61df71e8e3e81a8d050d3278b64020
  protocolDigest: aa26d3a07356930863bcb8931a752b60cbd9a4966182c6fbfc61762ccf275998
  status: pased
  timing:
    primaryStatistic: median
    sample: 200
    latencyNs:
      median: 3 hours
      confidence95: [1, 2, 3]
  observedAt: yesterday
"""


def test_a_broken_run(serve: Callable[..., Any]) -> None:
    server = serve()
    address = server.open("broken.yaml", modeline() + BROKEN)
    told = {(line - 1, message.partition(".")[0]) for line, message in server.diagnostics(address)}
    assert told == {
        (4, "Expected lowercase letters, digits, '"),
        (5, 'Missing property "environmentDigest"'),
        (8, "Expected sha256: and 64 lowercase hexadecimal digits"),
        (9, "Value is not accepted"),
        (12, "Property sample is not allowed"),
        (14, "Expected integer nanoseconds, or a text such as '410"),
        (15, "Array has too many items"),
        (16, "Expected an instant in UTC written as 2026-01-31T12:00:00Z"),
    }


def test_hover(serve: Callable[..., Any]) -> None:
    server = serve()
    address = server.open("broken.yaml", modeline() + BROKEN)
    assert "One measured event: an implementation on a workload" in server.hover(address, 3, 9)
    status = server.hover(address, 10, 4)
    assert "#### BenchmarkRun spec" in status
    assert "only a `passed` run's figures count" in status
    median = server.hover(address, 15, 8)
    assert "Median over the samples, in ns. Absent: not recorded." in median
    assert "410.24 us" in median


def test_an_empty_file_offers_every_kind(serve: Callable[..., Any]) -> None:
    server = serve()
    address = server.open("empty.yaml", modeline())
    offered = server.completions(address, 2, 1)
    assert {*KINDS, "Record", "Bench record"} <= set(offered)
    body = offered["BenchmarkProtocol"]["insertText"]
    assert body.startswith(
        "apiVersion: kernelindex.dev/v1alpha1\nkind: BenchmarkProtocol\nmetadata:\n  name: ${1}\nspec:\n"
    )
    assert "primaryStatistic: ${4:median}" in body


def test_values_are_offered(serve: Callable[..., Any]) -> None:
    server = serve()
    address = server.open("half.yaml", modeline() + "kind: BenchmarkRun\nspec:\n  status: \n")
    assert "passed" in server.completions(address, 4, 11)


def test_valid_documents_have_no_complaint(serve: Callable[..., Any]) -> None:
    server = serve(schemas={DOCUMENT.as_uri(): "*.yaml"})
    found = {path.name: server.open(path.name, path.read_text(encoding="utf-8")) for path in EXAMPLES}
    assert len(found) >= 15
    assert {name: told for name, address in found.items() if (told := server.diagnostics(address))} == {}


def test_a_modeline_covers_its_own_document(serve: Callable[..., Any]) -> None:
    """The how-to says so: in a stream the others go unchecked, unless settings name the file."""
    server = serve()
    stream = modeline() + BROKEN + "---\n" + BROKEN
    second = (modeline() + BROKEN).count("\n") + 1
    told = [line for line, _ in server.diagnostics(server.open("stream.yaml", stream))]
    assert told
    assert max(told) < second
    server = serve(schemas={DOCUMENT.as_uri(): "*.yaml"})
    told = [line for line, _ in server.diagnostics(server.open("stream.yaml", stream.removeprefix(modeline())))]
    assert any(line >= second for line in told)


def test_a_catalog_finds_the_schema(serve: Callable[..., Any], tmp_path: Path) -> None:
    """As SchemaStore's: by the names of files. The schemas are those of this checkout, the catalog is served here."""
    catalog = json.loads((ROOT / "schemas" / "catalog.json").read_text(encoding="utf-8"))
    for entry in catalog["schemas"]:
        entry["url"] = (DOCUMENT.parent / entry["url"].rpartition("/")[2]).as_uri()
    (tmp_path / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    with served(tmp_path) as address:
        server = serve(schemaStore={"enable": True, "url": f"{address}/catalog.json"})
        assert len(server.diagnostics(server.open("mine.kix.yaml", BROKEN))) == 8
        assert server.diagnostics(server.open("other.yaml", BROKEN)) == []


def json_service(packages: Path, text: str, schema: Path = DOCUMENT) -> dict[str, Any]:
    done = subprocess.run(
        ["node", str(HERE / "json_service.mjs"), str(schema)],
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_json_in_vs_code(packages: Path) -> None:
    run = {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "SoftwareProject",
        "metadata": {"name": "my-kernels"},
        "spec": {"name": "My Kernels", "kind": "libary", "homepag": "https://example.com"},
    }
    found = json_service(packages, json.dumps(run, indent=1))
    told = [(each["line"] + 1, each["message"].partition(".")[0]) for each in found["diagnostics"]]
    assert told == [(9, "Value is not accepted"), (10, "Property homepag is not allowed")]
    assert "What sort of project it is. Absent: not told." in found["hovers"]["8"].replace("\\", "")
    del run["spec"]["kind"], run["spec"]["homepag"]
    assert json_service(packages, json.dumps(run))["diagnostics"] == []


def test_the_catalog_names_every_schema() -> None:
    catalog = json.loads((ROOT / "schemas" / "catalog.json").read_text(encoding="utf-8"))
    listed = {entry["url"].rpartition("/")[2] for entry in catalog["schemas"]}
    assert listed == {schema_file_name(name) for name in (*KINDS, *DOCUMENT_SCHEMAS)}
    assert all(entry["name"] and entry["description"] for entry in catalog["schemas"])
    assert [entry["name"] for entry in catalog["schemas"] if "fileMatch" in entry] == ["KernelIndex document"]


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, list):
        for each in schema:
            yield from subschemas(each)
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            if key not in ("examples", "defaultSnippets", "enum", "const"):
                yield from subschemas(value)


def test_examples_hold() -> None:
    """What an editor offers as an example is accepted at that place."""
    from jsonschema import Draft202012Validator

    count = 0
    for name in KINDS:
        for schema in subschemas(json_schema(name)):
            for example in schema.get("examples", ()):
                count += 1
                assert Draft202012Validator({key: schema[key] for key in schema if key != "$ref"}).is_valid(example), (
                    example
                )
    assert count >= 100


def test_snippets_have_what_must_be_there() -> None:
    """A skeleton with its places filled in has no fault but that of a text left empty."""
    from kernelindex_schema.structure.faults import schema_faults

    def filled(body: Any) -> Any:
        if isinstance(body, dict):
            return {key: filled(value) for key, value in body.items()}
        if isinstance(body, list):
            return [filled(value) for value in body]
        text = str(body)
        chosen = text.strip("^")
        if chosen.startswith("${"):
            chosen = (
                chosen.rstrip("}").partition("|")[2].partition(",")[0]
                if "|" in chosen
                else chosen[2:-1].partition(":")[2]
            )
        return json.loads(chosen) if text.startswith("^") else chosen

    for name in KINDS:
        (snippet,) = build_schema(name)["defaultSnippets"]
        faults = list(schema_faults(name, filled(snippet["body"])))
        assert {fault.rule for fault in faults} <= {"KIX106"}, (name, faults)
        assert all("''" in fault.message for fault in faults), (name, faults)
