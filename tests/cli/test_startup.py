"""What a command does not need it does not load: start-up is most of the time of a hook."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    *("jsonschema", "yaml", "rfc8785", "tomlkit", "tomli_w", "tomllib", "ada_url", "backports", "zstandard"),
    *("concurrent.futures", "logging", "unicodedata", "decimal", "dataclasses", "asyncio", "multiprocessing"),
    *("urllib.parse", "importlib.metadata"),
}

RUNS = """
import sys
from kernelindex_schema.cli.program import run
code = run(sys.argv[1:])
print(sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""


def loaded(kix, *args):
    words = [sys.executable, "-c", RUNS, *args]
    done = subprocess.run(words, cwd=kix.folder, env=kix.env(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(eval(done.stderr)) & HEAVY


@pytest.fixture
def record(kix):
    kix.file("run.yaml")
    assert kix("convert", "run.yaml", "run.json").returncode == 0
    assert kix("convert", "run.yaml", "run.jsonl").returncode == 0
    return kix


# click itself loads some of these; what is held here is what the package adds to it.
BASE = "import sys, click, msgspec; print(*sys.modules)"
BY_CLICK = set(subprocess.run([sys.executable, "-c", BASE], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize(
    "args",
    [
        ("check", "run.json"),
        ("check", "run.jsonl"),
        ("check", "--format", "json", "run.json"),
        ("digest", "run.json"),
        ("canonicalize", "run.json"),
        ("convert", "run.json", "--to", "jsonl"),
        ("schema", "BenchmarkRun"),
        ("rules",),
        ("explain", "KIX401"),
        ("--version",),
        ("--help",),
    ],
)
def test_json_needs_no_heavy_module(record, args):
    assert loaded(record, *args) - BY_CLICK == set()


def test_yaml_needs_yaml_alone(record):
    assert loaded(record, "check", "run.yaml") - BY_CLICK <= {"yaml", "decimal"}
