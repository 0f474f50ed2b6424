"""The smallest valid documents, and checks run directly on what stands in a rule's text."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
import yaml

from kernelindex_schema.checking import check_data
from kernelindex_schema.findings import dotted_path
from kernelindex_schema.identity import digest
from kernelindex_schema.rules import RULES, checks_for, settle
from kernelindex_schema.rules.catalogue import Example, Hit, Rule
from kernelindex_schema.settings import Settings as CheckSettings
from kernelindex_schema.v1alpha1 import KINDS, Manifest, Record, Submission

ONES, TWOS, THREES, FOURS = ("sha256:" + digit * 64 for digit in "1234")

SPECS: dict[str, dict[str, Any]] = {
    "SoftwareProject": {"name": "Liger-Kernel"},
    "OperationSpec": {
        "family": "relu",
        "axes": {},
        "inputs": [{"name": "x", "tensor": {"shape": [128], "dtype": "fp32"}}],
        "outputs": [{"name": "y", "tensor": {"shape": [128], "dtype": "fp32"}}],
        "semantics": {"mutation": "none", "determinism": "unspecified"},
    },
    "WorkloadCase": {
        "operationSpecDigest": ONES,
        "axes": {},
        "tensors": {},
        "correctness": {"comparator": "not_asserted"},
    },
    "WorkloadSuite": {
        "operationSpecDigest": ONES,
        "cases": [{"externalId": "first", "axes": {}}],
        "correctness": {"comparator": "not_asserted"},
        "aggregation": {"metric": "latency", "statistic": "geometric_mean"},
    },
    "ImplementationRevision": {
        "projectRevision": {},
        "operation": {"specDigest": ONES},
        "callable": {"language": "triton"},
        "support": {"hardwareArchitectures": [], "dtypes": []},
        "licensing": {},
    },
    "BenchmarkProtocol": {
        "harness": {"name": "Triton do_bench"},
        "measurement": {"timer": "cuda_events", "primaryStatistic": "median"},
    },
    "ExecutionEnvironment": {
        "hardware": {"vendor": "nvidia", "product": "NVIDIA A100", "architecture": "sm_80"},
        "software": {},
    },
    "BenchmarkRun": {
        "implementationDigest": ONES,
        "workloadDigest": TWOS,
        "protocolDigest": THREES,
        "environmentDigest": FOURS,
        "status": "incomplete_evidence",
        "observedAt": "2026-01-31T12:00:00Z",
    },
    "ModelRevision": {"model": "Llama 3.1 8B"},
    "ServingStackRevision": {"project": {"name": "vLLM"}, "revision": {}},
    "ServingConfiguration": {"stackDigest": ONES},
    "ServingWorkload": {"streaming": True, "loadGeneration": "offline"},
    "ServingRun": {
        "modelDigest": ONES,
        "configurationDigest": TWOS,
        "workloadDigest": THREES,
        "topology": {"acceleratorModel": "NVIDIA H200", "acceleratorsPerNode": 8, "nodeCount": 1},
        "harness": {"name": "mlperf_loadgen", "version": "5.1"},
        "qualityPolicy": "mlperf_accuracy_target",
        "status": "valid",
        "measurements": [
            {"metric": "output_throughput", "unit": "tokens_per_second", "statistic": "mean", "value": 10}
        ],
        "observedAt": "2026-01-31T12:00:00Z",
    },
}
"""The required members of each kind."""

SECTIONS = {"projects": "SoftwareProject", "operations": "OperationSpec", "workloads": "WorkloadCase"}


def plain_manifest(kind: str, over: dict[str, Any]) -> dict[str, Any]:
    """A manifest of which ``over`` names what matters; each member that it names is taken whole."""
    return {
        "apiVersion": over.get("apiVersion", "kernelindex.dev/v1alpha1"),
        "kind": over.get("kind", kind),
        "metadata": {"name": kind.lower()} | over.get("metadata", {}),
        "spec": copy.deepcopy(SPECS[kind]) | over.get("spec", {}),
    }


def manifest(kind: str, **spec: Any) -> Any:
    """The struct of a manifest of which ``spec`` names what matters."""
    return msgspec.convert(plain_manifest(kind, {"spec": spec}), KINDS[kind].manifest)


def plain_record(over: dict[str, Any]) -> dict[str, Any]:
    record = {
        "run": plain_manifest("BenchmarkRun", over.get("run", {})),
        "protocol": plain_manifest("BenchmarkProtocol", over.get("protocol", {})),
        "environment": plain_manifest("ExecutionEnvironment", over.get("environment", {})),
    }
    stated = over.get("run", {}).get("spec", {})
    for part in ("protocol", "environment"):
        if f"{part}Digest" not in stated:
            struct = msgspec.convert(record[part], KINDS[record[part]["kind"]].manifest)
            record["run"]["spec"][f"{part}Digest"] = digest(struct)
    return record


def plain_submission(over: dict[str, Any]) -> dict[str, Any]:
    submission: dict[str, Any] = {}
    for section, items in over.items():
        if section == "runs":
            submission[section] = [plain_record(item) for item in items]
        elif section == "implementations":
            submission[section] = [
                {
                    "projectSlug": item["projectSlug"],
                    "manifest": plain_manifest("ImplementationRevision", item.get("manifest", {})),
                }
                for item in items
            ]
        else:
            submission[section] = [plain_manifest(item.get("kind", SECTIONS[section]), item) for item in items]
    if operations := submission.get("operations"):
        operation = digest(msgspec.convert(operations[0], KINDS["OperationSpec"].manifest))
        for item, stated in zip(submission.get("workloads", ()), over.get("workloads", ()), strict=True):
            if "operationSpecDigest" not in stated.get("spec", {}):
                item["spec"]["operationSpecDigest"] = operation
    return submission


def plain(over: dict[str, Any]) -> dict[str, Any]:
    """The document that stands for ``over``."""
    if "kind" in over:
        return plain_manifest(over["kind"], over)
    if "run" in over:
        return plain_record(over)
    if "table" in over:
        manifest_of_row = over["row"]["manifest"]
        return {**over, "row": {**over["row"], "manifest": plain(manifest_of_row)}}
    return plain_submission(over)


def plain_documents(text: str) -> list[dict[str, Any]]:
    """The documents of a block, chained by digests."""
    documents, configuration = [], None
    for over in yaml.safe_load_all(text):
        document = plain(over)
        if document.get("kind") == "ServingConfiguration":
            configuration = digest(msgspec.convert(document, KINDS["ServingConfiguration"].manifest))
        elif document.get("kind") == "ServingRun" and configuration is not None:
            document["spec"]["configurationDigest"] = configuration
        documents.append(document)
    return documents


def struct_of(document: dict[str, Any]) -> Any:
    if "kind" in document:
        return msgspec.convert(document, KINDS[document["kind"]].manifest)
    return msgspec.convert(document, Record if "run" in document else Submission)


def whole(over: dict[str, Any]) -> Any:
    """The struct of the document that stands for ``over``."""
    return struct_of(plain(over))


class Settings:
    """The context of a check, as the checker gives it."""

    def __init__(self, primary_statistics: frozenset[str] = frozenset({"median"})) -> None:
        self.primary_statistics = primary_statistics

    def digest(self, manifest: Manifest) -> str:
        return digest(manifest)


Found = list[tuple[Rule, Hit]]


def run_checks(documents: list[Any], context: Settings | None = None) -> Found:
    """Every hit on some documents that belong together, settled for each document."""
    context = context or Settings()
    found: Found = []
    for document in documents:
        found += settle(list(_hits(document, context)))
    for subject, pair in _pairs(documents):
        found += [(rule, hit) for rule in checks_for(subject) for hit in rule.check(pair, context)]
    return found


def _hits(document: Any, context: Settings) -> Iterator[tuple[Rule, Hit]]:
    if isinstance(document, Record):
        parts = [(("run",), document.run), (("protocol",), document.protocol), (("environment",), document.environment)]
        yield from _asked("record", document, (), context)
        for prefix, part in parts:
            yield from _asked(part.kind, part, prefix, context)
    elif isinstance(document, Submission):
        yield from _asked("submission", document, (), context)
        for prefix, part in _members(document):
            yield from _asked(part.kind, part, prefix, context)
        for index, record in enumerate(document.runs or ()):
            yield from ((rule, hit.under(("runs", index))) for rule, hit in _hits(record, context))
    else:
        yield from _asked(document.kind, document, (), context)


def _asked(subject: str, value: Any, prefix: tuple[str | int, ...], context: Settings) -> Iterator[tuple[Rule, Hit]]:
    for rule in checks_for(subject):
        assert rule.check is not None
        for hit in rule.check(value, context):
            yield rule, hit.under(prefix)


def _members(submission: Submission) -> Iterator[tuple[tuple[str | int, ...], Manifest]]:
    for section in ("projects", "operations", "workloads"):
        for index, member in enumerate(getattr(submission, section) or ()):
            yield (section, index), member
    for index, implementation in enumerate(submission.implementations or ()):
        yield ("implementations", index, "manifest"), implementation.manifest


def _pairs(documents: list[Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    for document in documents:
        if isinstance(document, Submission) and document.operations:
            yield from (("workload with operation", (w, document.operations[0])) for w in document.workloads or ())
    serving = {document.kind: document for document in documents if isinstance(document, Manifest)}
    if {"ServingRun", "ServingConfiguration"} <= serving.keys():
        yield "serving run with configuration", (serving["ServingRun"], serving["ServingConfiguration"])


def examine(example: Example) -> Found:
    """What the checks say about the documents of a block."""
    documents = [struct_of(document) for document in plain_documents(example.text)]
    return run_checks(documents, Settings(example.primary_statistics))


def check_whole(example: Example) -> list[str]:
    """The rules of all findings that the command would have on a block."""
    settings = CheckSettings(primary_statistics=tuple(sorted(example.primary_statistics)))
    if example.verbatim:
        report = check_data(example.text, example.format, f"example.{example.format}", settings=settings)
    else:
        lines = "\n".join(json.dumps(document) for document in plain_documents(example.text))
        report = check_data(lines, "jsonl", "example.jsonl", settings=settings)
    return [finding.rule for finding in report.findings]


def ids(found: Found) -> list[str]:
    return [rule.id for rule, _ in found]


class Desk:
    """What the tests of rules need, in one fixture: test modules are not importable from each other."""

    Settings = Settings
    manifest = staticmethod(manifest)
    whole = staticmethod(whole)
    examine = staticmethod(examine)
    check_whole = staticmethod(check_whole)
    run_checks = staticmethod(run_checks)
    ids = staticmethod(ids)

    @staticmethod
    def told(value: Any, *, primary_statistics: frozenset[str] = frozenset({"median"})) -> list[tuple[str, str]]:
        """Rule and place of everything that is said about one document."""
        found = run_checks([value], Settings(primary_statistics))
        return sorted((rule.id, dotted_path(hit.path)) for rule, hit in found)

    @staticmethod
    def messages(value: Any) -> list[str]:
        return [rule.sentence(hit, dotted_path(hit.path)) for rule, hit in run_checks([value])]

    @staticmethod
    def only(rule_id: str, value: Any, **settings: Any) -> list[Hit]:
        """The hits of one rule, asked by itself."""
        check = RULES[rule_id].check
        assert check is not None
        return list(check(value, Settings(**settings)))


@pytest.fixture(scope="session")
def desk() -> type[Desk]:
    return Desk


@pytest.fixture(scope="session")
def run() -> Callable[..., Any]:
    """A BenchmarkRun that passed, with a median of 410,240 ns unless something else is said."""

    def build(latency: dict[str, Any] | None = None, measurements: Any = None, metrics: Any = None, **spec: Any) -> Any:
        spec.setdefault("status", "passed")
        timing = {"primaryStatistic": "median", "latencyNs": latency or {"median": 410240}}
        spec.setdefault("timing", timing)
        if measurements is not None:
            spec["measurements"] = [
                {"metric": "latency", "unit": "ns", "statistic": statistic, "value": value}
                if isinstance(value, int | float)
                else value
                for statistic, value in measurements.items()
            ]
        if metrics is not None:
            spec["sourceNative"] = {"source": "liger-kernel-bench", "metrics": metrics}
        return manifest("BenchmarkRun", **{name: value for name, value in spec.items() if value is not None})

    return build
