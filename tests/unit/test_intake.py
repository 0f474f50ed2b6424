"""All faults of a document at once, each at its place, in every format."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import tomli_w

from kernelindex_schema import InvalidDocument, Report, Settings, check_data, decode
from kernelindex_schema.codecs.formats import FORMATS

Place = tuple[int, int, int, int]

# Ten faults: the rule, where it points, and the text that stands there. (Two are missing fields, which point at the
# value that should hold them.)
FAULTS = [
    ("KIX106", "/metadata/name", "Tiny_Run!"),
    ("KIX106", "/metadata/labels/Bad-Key", "Bad-Key"),
    ("KIX106", "/spec/workloadDigest", "sha256:1234"),
    ("KIX109", "/spec/status", "pased"),
    ("KIX105", "/spec/timing/samples", "hundred"),
    ("KIX110", "/spec/timing/latencyNs/median", "410.2405 us"),
    ("KIX104", "/spec/measurements/1", None),
    ("KIX105", "/spec/sourceNative/metrics/ms_50", "fast"),
    ("KIX103", "/spec/obsrevations", "obsrevations"),
    ("KIX106", "/spec/observedAt", "2026-01-31 12:00"),
]

RUN: dict[str, Any] = {
    "apiVersion": "kernelindex.dev/v1alpha1",
    "kind": "BenchmarkRun",
    "metadata": {"name": "Tiny_Run!", "labels": {"line": "one", "Bad-Key": "two"}},
    "spec": {
        "implementationDigest": "sha256:" + "1" * 64,
        "workloadDigest": "sha256:1234",
        "protocolDigest": "sha256:" + "3" * 64,
        "environmentDigest": "sha256:" + "4" * 64,
        "status": "pased",
        "timing": {"primaryStatistic": "median", "samples": "hundred", "latencyNs": {"median": "410.2405 us"}},
        "measurements": [
            {"metric": "latency", "unit": "ns", "statistic": "p20", "value": 409120},
            {"metric": "bandwidth", "statistic": "median", "value": 2451.5},
        ],
        "sourceNative": {"source": "a-bench", "metrics": {"ms_50": "fast"}},
        "obsrevations": 3,
        "observedAt": "2026-01-31 12:00",
    },
}

YAML = """\
apiVersion: kernelindex.dev/v1alpha1
kind: BenchmarkRun
metadata:
  name: Tiny_Run!
  labels: {line: one, Bad-Key: two}
spec:
  implementationDigest: sha256:1111111111111111111111111111111111111111111111111111111111111111
  workloadDigest: sha256:1234
  protocolDigest: sha256:3333333333333333333333333333333333333333333333333333333333333333
  environmentDigest: sha256:4444444444444444444444444444444444444444444444444444444444444444
  status: pased
  timing: {primaryStatistic: median, samples: hundred, latencyNs: {median: 410.2405 us}}
  measurements:
    - {metric: latency, unit: ns, statistic: p20, value: 409120}
    - {metric: bandwidth, statistic: median, value: 2451.5}
  sourceNative:
    source: a-bench
    metrics:
      ms_50: fast
  obsrevations: 3
  observedAt: 2026-01-31 12:00
"""


def place(text: str, start: int, end: int) -> Place:
    def line_and_column(at: int) -> tuple[int, int]:
        return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1

    return *line_and_column(start), *line_and_column(end)


def stands(text: str, marker: str) -> Place:
    """Where a marker stands, its quotes included."""
    assert text.count(marker) == 1, marker
    start = text.index(marker)
    end = start + len(marker)
    if text[start - 1] in "\"'":
        start, end = start - 1, end + 1
    return place(text, start, end)


def mapping_around(text: str, marker: str) -> Place:
    """The flow mapping or JSON object that holds a marker and no other one."""
    at = text.index(marker)
    return place(text, text.rindex("{", 0, at), text.index("}", at) + 1)


def written(format: str) -> tuple[str, int]:
    """The run in a text format, and which document of it."""
    compact = json.dumps(RUN)
    match format:
        case "json":
            return json.dumps(RUN, indent=2), 0
        case "jsonl":
            return "\n\r\n" + compact + "\n", 2
        case "yaml":
            return YAML, 0
        case "page":
            return "Ein Titel — mit Gedankenstrich\n\n" + json.dumps(RUN, indent=3), 0
        case "toml":
            return tomli_w.dumps(RUN), 0
    raise AssertionError(format)


def found_in(report: Report) -> dict[str, Any]:
    return {finding.pointer or "": finding for finding in report.findings}


@pytest.mark.parametrize("format", ["json", "jsonl", "yaml", "page", "toml"])
def test_ten_faults_give_ten_findings_at_their_places(format: str) -> None:
    text, document = written(format)
    report = check_data(text, format)
    assert [(finding.rule, finding.pointer) for finding in sorted(report.findings, key=lambda each: each.pointer)] == [
        (rule, pointer) for rule, pointer, _ in sorted(FAULTS, key=lambda each: each[1])
    ]
    for rule, pointer, marker in FAULTS:
        finding = found_in(report)[pointer]
        assert finding.document == document
        assert (finding.kind, finding.manifest) == ("BenchmarkRun", "Tiny_Run!")
        assert (finding.rule, finding.severity) == (rule, "error")
        told = (finding.line, finding.column, finding.end_line, finding.end_column)
        wanted = stands(text, marker) if marker else mapping_around(text, "bandwidth")
        assert told == wanted, (pointer, told, wanted)
    assert report.findings == tuple(sorted(report.findings, key=lambda each: each.sort_key()))


def test_ten_faults_in_message_pack_have_their_paths() -> None:
    report = check_data(msgspec.msgpack.encode(RUN), "msgpack")
    assert {(finding.rule, finding.pointer) for finding in report.findings} == {fault[:2] for fault in FAULTS}
    assert {finding.line for finding in report.findings} == {None}
    assert found_in(report)["/metadata/labels/Bad-Key"].path == "metadata.labels.Bad-Key"
    assert found_in(report)["/spec/measurements/1"].path == "spec.measurements[1]"


@pytest.mark.parametrize("prefix", ["run", "runs/0/run"])
def test_ten_faults_inside_a_record_and_a_submission(prefix: str) -> None:
    protocol = {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "BenchmarkProtocol",
        "metadata": {"name": "do-bench"},
        "spec": {"harness": {"name": "x"}, "measurement": {"timer": "cuda_events", "primaryStatistic": "median"}},
    }
    environment = {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "ExecutionEnvironment",
        "metadata": {"name": "one"},
        "spec": {"hardware": {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90"}, "software": {}},
    }
    record = {"run": RUN, "protocol": protocol, "environment": environment}
    report = check_data(json.dumps(record if prefix == "run" else {"runs": [record]}), "json")
    assert {(finding.rule, finding.pointer) for finding in report.findings} == {
        (rule, f"/{prefix}{pointer}") for rule, pointer, _ in FAULTS
    }
    assert report.manifests == 3


def test_a_fault_that_is_reached_through_an_alias_is_told_at_the_alias() -> None:
    text = (
        "apiVersion: kernelindex.dev/v1alpha1\n"
        "kind: BenchmarkRun\n"
        "metadata: {name: tiny, labels: {bad: &bad {digest: short}, line: *bad}}\n"
        "spec: &spec\n"
        "  status: *bad\n"
    )
    report = check_data(text, "yaml")
    wrong = {finding.pointer: finding for finding in report.findings if finding.rule == "KIX105"}
    assert set(wrong) == {"/metadata/labels/bad", "/metadata/labels/line", "/spec/status"}
    at_value, at_alias, at_status = (
        wrong[pointer] for pointer in ("/metadata/labels/bad", "/metadata/labels/line", "/spec/status")
    )
    assert (at_value.line, at_value.column) == (3, text.splitlines()[2].index("{digest") + 1 - len("&bad "))
    assert (at_alias.line, at_alias.column) == (3, text.splitlines()[2].index("*bad") + 1)
    assert (at_status.line, at_status.column) == (5, 11)


def many_unknown(count: int) -> dict[str, Any]:
    fields = {f"extra_{index:03}": index for index in range(count)}
    return {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "SoftwareProject",
        "metadata": {"name": "tiny"},
        "spec": {"name": "Tiny", **fields},
    }


def as_json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def as_toml(value: Any) -> bytes:
    return tomli_w.dumps(value).encode()


WRITERS: dict[str, Callable[[Any], bytes]] = {
    "json": as_json,
    "jsonl": lambda value: json.dumps(value).encode(),
    "yaml": as_json,
    "page": lambda value: b"A title\n\n" + as_json(value),
    "toml": as_toml,
    "msgpack": msgspec.msgpack.encode,
}


@pytest.mark.parametrize("format", FORMATS)
def test_a_hundred_faults_are_shown_and_one_finding_says_that_there_are_more(format: str) -> None:
    hundred = check_data(WRITERS[format](many_unknown(100)), format)
    assert len(hundred.findings) == 100
    assert {finding.message for finding in hundred.findings}.isdisjoint({"more faults of this document are not shown"})

    report = check_data(WRITERS[format](many_unknown(150)), format)
    assert len(report.findings) == 101
    *shown, last = report.findings
    assert [finding.pointer for finding in shown] == [f"/spec/extra_{index:03}" for index in range(100)]
    assert last.message == "more faults of this document are not shown"
    assert last.pointer == "/spec/extra_100"


def test_reading_faults_count_among_the_hundred() -> None:
    head = '{"apiVersion": "kernelindex.dev/v1alpha1", "kind": "SoftwareProject", "metadata": {"name": "a"}, "spec": {'
    report = check_data(head + ",\n".join(['"name": "a"'] * 151) + "}}", "json")
    assert len(report.findings) == 101
    assert [finding.line for finding in report.findings[:100]] == list(range(2, 102))
    assert report.findings[-1].message == "more faults of this document are not shown"
    assert {finding.rule for finding in report.findings} == {"KIX005"}


def test_the_hundred_are_counted_for_each_document() -> None:
    line = json.dumps(many_unknown(150)).encode() + b"\n"
    report = check_data(line * 3, "jsonl")
    assert len(report.findings) == 303
    assert report.documents == 3


def test_where_a_value_cannot_be_read_nothing_else_is_said_of_it() -> None:
    text = '{"apiVersion": "kernelindex.dev/v1alpha1", "kind": "ServingWorkload", "metadata": {"name": "tiny"},\n'
    text += ' "spec": {"streaming": true, "loadGeneration": NaN, "requestRatePerSecond": "\\ud800"}}'
    report = check_data(text, "json")
    assert [(finding.rule, finding.pointer) for finding in report.findings] == [
        ("KIX009", "/spec/loadGeneration"),
        ("KIX008", "/spec/requestRatePerSecond"),
    ]


def test_a_key_that_is_no_text_does_not_crash_what_follows() -> None:
    text = json.dumps(
        {
            "apiVersion": "kernelindex.dev/v1alpha1",
            "kind": "ExecutionEnvironment",
            "metadata": {"name": "tiny"},
            "spec": {
                "hardware": {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90"},
                "software": {},
                "settings": {"environmentVariables": {"\ud83e": ""}},
            },
        }
    )
    assert "\\ud83e" in text
    report = check_data(text, "json")
    assert [finding.rule for finding in report.findings] == ["KIX008"]
    assert report.manifests == 1


@pytest.mark.parametrize("size", [1_048_576, 1_048_577])
@pytest.mark.parametrize("format", ["json", "jsonl", "yaml", "toml", "page"])
def test_the_bound_of_a_manifest_is_exact(format: str, size: int) -> None:
    data = {
        "json": b'{"apiVersion":"kernelindex.dev/v1alpha1","kind":"SoftwareProject","metadata":{"name":"a"},'
        b'"spec":{"name":"a"}}',
        "toml": b"apiVersion='kernelindex.dev/v1alpha1'\nkind='SoftwareProject'\nmetadata.name='a'\nspec.name='a'\n",
    }
    text = data["toml"] if format == "toml" else data["json"]
    text = b"A title\n\n" + text if format == "page" else text
    padded = text + b" " * (size - len(text))
    assert len(padded) == size
    found = [finding.rule for finding in check_data(padded, format).findings]
    assert found == ([] if size == 1_048_576 else ["KIX003"])


@pytest.mark.parametrize("levels", [64, 65])
@pytest.mark.parametrize("format", ["json", "jsonl", "yaml", "toml", "page", "msgpack"])
def test_the_bound_of_nesting_is_exact(format: str, levels: int) -> None:
    value = many_unknown(0)
    inner: Any = []
    for _ in range(levels - 3):
        inner = [inner]
    value["spec"]["name"] = inner
    rules = [finding.rule for finding in check_data(WRITERS[format](value), format).findings]
    assert rules == (["KIX105"] if levels == 64 else ["KIX006"])


@pytest.mark.parametrize("count", [90, 150, 1300])
@pytest.mark.parametrize("wrong", [False, True])
def test_warnings_neither_hide_an_error_nor_make_one(count: int, wrong: bool) -> None:
    run = json.loads(json.dumps(RUN))
    run["metadata"]["name"], run["metadata"]["labels"] = "tiny", {}
    run["spec"] |= {"workloadDigest": "sha256:" + "2" * 64, "status": "passed", "observedAt": "2026-01-31T12:00:00Z"}
    run["spec"]["timing"] = {"primaryStatistic": "median", "latencyNs": {"median": "64.1 ms"}}
    for extra in ("measurements", "sourceNative", "obsrevations"):
        del run["spec"][extra]
    last = json.loads(json.dumps(run))
    if wrong:
        last["spec"]["status"] = "pased"
    environment = {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90"}
    around = {
        "protocol": {
            "apiVersion": RUN["apiVersion"],
            "kind": "BenchmarkProtocol",
            "metadata": {"name": "p"},
            "spec": {"harness": {"name": "x"}, "measurement": {"timer": "cuda_events", "primaryStatistic": "median"}},
        },
        "environment": {
            "apiVersion": RUN["apiVersion"],
            "kind": "ExecutionEnvironment",
            "metadata": {"name": "e"},
            "spec": {"hardware": environment, "software": {}},
        },
    }
    submission = {"runs": [{"run": each, **around} for each in [run] * count + [last]]}
    report = check_data(json.dumps(submission), "json", settings=Settings(select=("KIX0", "KIX1", "KIX203")))
    errors = [finding.rule for finding in report.findings if finding.severity == "error"]
    assert errors == (["KIX109"] if wrong else [])
    assert {finding.rule for finding in report.findings} >= {"KIX203"}
    assert len(report.findings) <= 102
    if wrong:
        with pytest.raises(InvalidDocument):
            decode(json.dumps(submission), format="json")
    else:
        assert len(decode(json.dumps(submission), format="json").runs) == count + 1


def test_what_is_ignored_takes_no_room() -> None:
    value = many_unknown(150)
    value["spec"]["name"] = 5
    text = json.dumps(value)
    report = check_data(text, "json", settings=Settings(ignore=("KIX103",)))
    assert [finding.rule for finding in report.findings] == ["KIX105"]
    assert not report.ok
    report = check_data(text, "json", settings=Settings(select=("KIX103",)))
    assert {finding.rule for finding in report.findings} == {"KIX103"}
    assert len(report.findings) == 101
    # What is not shown is at fault all the same.
    with pytest.raises(InvalidDocument):
        decode(json.dumps(many_unknown(1)), format="json")
    assert check_data(json.dumps(many_unknown(1)), "json", settings=Settings(ignore=("KIX103",))).findings == ()
