"""The stages together: what cannot be read, what crashes, values built in Python, and work that is split."""

from __future__ import annotations

import io
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from generated_files import JSON, LINE, OTHER_LINE, THIRD_LINE, YAML
from packing import gz, zst

import kernelindex_schema
from kernelindex_schema import (
    KINDS,
    RULES,
    Report,
    assemble,
    canonical_bytes,
    check,
    check_data,
    check_paths,
    check_value,
    comparison_key,
    digest,
    encode,
    explain,
    iter_documents,
    json_schema,
    read,
    write,
)
from kernelindex_schema.checking import check_stream
from kernelindex_schema.codecs.json import JsonCodec
from kernelindex_schema.rules import catalogue
from kernelindex_schema.v1alpha1 import Record, Submission

FIXTURES = Path(__file__).parents[1] / "fixtures"
EXAMPLES = Path(__file__).parents[2] / "examples" / "valid"


def rules(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


# --- KIX001: nothing was checked -------------------------------------------------------------------------------------


def test_a_missing_file(tmp_path: Path) -> None:
    report = check(tmp_path / "missing.json")
    (finding,) = report.findings
    assert (finding.rule, finding.line, finding.document) == ("KIX001", None, None)
    assert finding.file == str(tmp_path / "missing.json")
    assert "no such file" in finding.message.lower()
    assert report.files == 1


def test_a_folder_that_holds_nothing(tmp_path: Path) -> None:
    assert rules(check(tmp_path)) == ["KIX001"]
    (tmp_path / "notes.json").write_text('{"title": "notes"}')
    (finding,) = check(tmp_path).findings
    assert "1 file with a known suffix passed over" in finding.message


def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "missing.json")
    assert rules(check(tmp_path / "link.json")) == ["KIX001"]
    assert rules(check(tmp_path)) == ["KIX001"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "tiny.json"
    path.write_bytes(JSON)
    path.chmod(0)
    (finding,) = check(path).findings
    assert finding.rule == "KIX001"
    assert "permission denied" in finding.message.lower()


def test_a_file_that_fails_while_it_is_read(tmp_path: Path) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

        read1 = read

    for name in ("tiny.json", "tiny.jsonl", "tiny.yaml", "tiny.json.gz"):
        (finding,) = check_stream(Failing(), name).findings
        assert finding.rule == "KIX001"
        assert "input/output error" in finding.message.lower()


def test_one_bad_file_does_not_keep_the_others_from_being_checked(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(JSON)
    (tmp_path / "c.yaml").write_bytes(YAML.replace(b"name: Tiny", b"nam: Tiny"))
    report = check_paths([tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.yaml"])
    assert rules(report) == ["KIX001", "KIX103"]
    assert (report.files, report.documents, report.manifests) == (3, 2, 2)


# --- KIX002: a fault of ours -----------------------------------------------------------------------------------------


def crash(*args: Any, **kwargs: Any) -> Any:
    raise ZeroDivisionError("division by zero")


def test_a_rule_that_crashes_is_a_finding_and_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = msgspec.structs.replace(RULES["KIX204"], check=crash)
    chosen = kernelindex_schema.checking.Bench.rules

    def with_broken(self: Any, subject: str) -> tuple[catalogue.Rule, ...]:
        return (broken, *chosen(self, subject))

    monkeypatch.setattr("kernelindex_schema.meaning.Bench.rules", with_broken)
    data = (FIXTURES / "valid" / "BenchmarkRun" / "full.json").read_bytes().replace(b'"median": 410240', b'"median": 1')
    report = check_data(data, "json", "run.json")
    assert "KIX002" in rules(report)
    assert "KIX401" in rules(report)
    (finding,) = (each for each in report.findings if each.rule == "KIX002")
    assert "KIX204" in finding.message
    assert "ZeroDivisionError" in finding.message


@pytest.mark.parametrize("method", ["split", "decode", "examine"])
def test_a_codec_that_crashes_is_a_finding(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JsonCodec, method, crash)
    report = check_data(JSON.replace(b'"Tiny"', b"5"), "json", "tiny.json")
    assert rules(report) == ["KIX002"]
    assert "ZeroDivisionError" in report.findings[0].message
    assert report.findings[0].file == "tiny.json"


def test_a_crash_on_one_document_does_not_stop_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    load = kernelindex_schema.checking.load

    def sometimes(codec: Any, piece: Any, *more: Any) -> Any:
        return crash() if piece.index == 1 else load(codec, piece, *more)

    monkeypatch.setattr("kernelindex_schema.checking.load", sometimes)
    report = check_data(OTHER_LINE + LINE + THIRD_LINE.replace(b'"name": "Third"', b""), "jsonl")
    assert [(finding.rule, finding.document) for finding in report.findings] == [("KIX002", 1), ("KIX104", 2)]
    assert report.documents == 3


# --- how a document is named and found -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.json", "A.JSON", "a.b.Json", "dir.yaml/a.json", "a.json.gz", "a.JSON.ZST"])
def test_the_suffix_tells_the_format_in_any_case(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gz(JSON) if name.endswith("gz") else zst(JSON) if name.endswith("ZST") else JSON)
    assert check(path) == Report(files=1, documents=1, manifests=1)


def test_content_tells_the_format_only_where_no_name_does(tmp_path: Path) -> None:
    for data in (JSON, LINE + OTHER_LINE, YAML, gz(YAML), zst(LINE), b"\xef\xbb\xbf" + JSON):
        assert check_stream(io.BytesIO(data), "-").ok
        assert check_data(data).ok
    (tmp_path / "tiny").write_bytes(JSON)
    assert rules(check(tmp_path / "tiny")) == ["KIX010"]
    assert rules(check(tmp_path / "tiny", format="json")) == []
    (tmp_path / "tiny.gz").write_bytes(gz(JSON))
    assert check(tmp_path / "tiny.gz").ok


def test_a_wrong_name_is_not_second_guessed(tmp_path: Path) -> None:
    (tmp_path / "tiny.json").write_bytes(YAML)
    (finding,) = check(tmp_path / "tiny.json").findings
    assert finding.rule == "KIX004"
    assert "YAML" in finding.hint


def test_several_frames_and_members_are_one_file() -> None:
    for pack, suffix in ((gz, "gz"), (zst, "zst")):
        report = check_data(pack(LINE) + pack(OTHER_LINE + THIRD_LINE), name=f"a.jsonl.{suffix}")
        assert (rules(report), report.documents) == ([], 3)


# --- many documents, split over workers ------------------------------------------------------------------------------


def sharded(path: Path) -> list[str]:
    return sorted(str(each) for each in path.iterdir())


def test_an_executor_gives_the_same_report() -> None:
    files = sharded(EXAMPLES) * 2 + [str(each) for each in sorted(FIXTURES.glob("invalid/KIX10*/*.yaml"))]
    alone = check_paths(files)
    assert alone.findings
    with ThreadPoolExecutor(2) as executor:
        assert check_paths(files, executor=executor) == alone


def test_two_runs_give_the_same_report() -> None:
    assert check_paths([EXAMPLES, FIXTURES / "invalid"]) == check_paths([EXAMPLES, FIXTURES / "invalid"])


def test_a_file_that_is_named_twice_is_checked_once() -> None:
    path = EXAMPLES / "record.yaml"
    report = check_paths([path, path, EXAMPLES])
    assert report.files == len(list(EXAMPLES.iterdir()))


# --- values built in Python ------------------------------------------------------------------------------------------


def built(kind: str, name: str = "full.json") -> Any:
    return read(FIXTURES / "valid" / kind / name)


@pytest.mark.parametrize("kind", KINDS)
def test_a_struct_that_was_read_is_valid(kind: str) -> None:
    report = check_value(built(kind))
    assert (report.findings, report.manifests) == ((), 1)


class Thing:
    pass


NO_TEXT = [5, None, True, b"x", [], {}, {1: 2}, Thing(), Thing, float("nan"), 10**400, 2**70, "\ud800", print]


@pytest.mark.parametrize("wrong", NO_TEXT, ids=lambda value: type(value).__name__)
def test_a_struct_with_a_wrong_value_is_told_and_never_raises(wrong: Any) -> None:
    project = built("SoftwareProject")
    changed = msgspec.structs.replace(project, spec=msgspec.structs.replace(project.spec, name=wrong))
    (finding,) = check_value(changed, name="here").findings
    assert finding.rule in ("KIX105", "KIX008", "KIX009")
    assert (finding.pointer, finding.file, finding.line) == ("/spec/name", "here", None)


def test_a_value_that_holds_itself_is_told() -> None:
    loop: list[Any] = []
    loop.append(loop)
    project = msgspec.structs.replace(built("SoftwareProject"), spec=loop)
    assert "KIX006" in rules(check_value(project))


@pytest.mark.parametrize("wrong", [None, 5, "text", [], {}, Thing(), Thing, print, float("inf")])
def test_what_is_no_document_is_told(wrong: Any) -> None:
    (finding,) = check_value(wrong).findings
    assert finding.rule in ("KIX011", "KIX105", "KIX009")


def test_an_authoring_form_has_no_place_in_a_struct() -> None:
    run = built("BenchmarkRun")
    for wrong in ("410.24 us", 410240.0):
        latency = msgspec.structs.replace(run.spec.timing.latency_ns, median=wrong)
        timing = msgspec.structs.replace(run.spec.timing, latency_ns=latency)
        changed = msgspec.structs.replace(run, spec=msgspec.structs.replace(run.spec, timing=timing))
        (finding,) = check_value(changed).findings
        assert finding.rule == "KIX105"


def test_rules_of_meaning_look_at_built_values_too() -> None:
    record = read(EXAMPLES / "record.yaml")
    assert check_value(record).findings == ()
    wrong = "sha256:" + "0" * 64
    run = msgspec.structs.replace(record.run, spec=msgspec.structs.replace(record.run.spec, protocol_digest=wrong))
    report = check_value(Record(run=run, protocol=record.protocol, environment=record.environment))
    assert [(finding.rule, finding.path) for finding in report.findings] == [("KIX501", "run.spec.protocolDigest")]


def test_a_record_with_manifests_in_the_wrong_places() -> None:
    project = built("SoftwareProject")
    report = check_value(Record(run=project, protocol=project, environment=None))
    assert [(finding.rule, finding.path) for finding in report.findings] == [
        ("KIX105", "environment"),
        ("KIX114", "protocol.kind"),
        ("KIX114", "run.kind"),
    ]
    assert rules(check_value(Submission())) == ["KIX011"]
    assert rules(check_value(Submission(projects=None))) == ["KIX105"]


# --- no network ------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("a check opened a socket")

    for name in ("socket", "create_connection", "getaddrinfo", "socketpair"):
        monkeypatch.setattr(socket, name, refuse)


@pytest.mark.usefixtures("no_network")
def test_nothing_needs_the_network(tmp_path: Path) -> None:
    assert check_paths([EXAMPLES], registry=EXAMPLES).manifests >= 60
    assert not check_paths([FIXTURES / "invalid"]).ok
    for path in EXAMPLES.iterdir():
        for _, value in iter_documents(path):
            assert not isinstance(value, Report)
    record = read(EXAMPLES / "record.yaml")
    workload = built("WorkloadCase")
    spec = msgspec.structs.replace(record.run.spec, workload_digest=digest(workload))
    run = msgspec.structs.replace(record.run, spec=spec)
    assert comparison_key(msgspec.structs.replace(record, run=run), workload).startswith("sha256:")
    assert check_value(assemble(read(EXAMPLES / "bench-record.yaml"))).ok
    assert canonical_bytes(record.run)
    write(record, tmp_path / "record.yaml.zst")
    for format in ("json", "jsonl", "yaml", "toml", "msgpack", "page"):
        assert encode(record, format=format, title="A title")
    for kind in KINDS:
        assert json_schema(kind)["$id"].startswith("https://")
    for rule in RULES:
        assert explain(rule)


def test_a_bench_record_that_was_built_is_assembled_to_be_checked() -> None:
    record = read(EXAMPLES / "bench-record.yaml")
    assert check_value(record).findings == ()
    (finding,) = check_value(msgspec.structs.replace(record, project=5)).findings
    assert (finding.rule, finding.path) in (("KIX105", "project"), ("KIX104", "project"))
    run = msgspec.structs.replace(record.run, observed_at="yesterday")
    (finding,) = check_value(msgspec.structs.replace(record, run=run)).findings
    assert (finding.rule, finding.path) == ("KIX106", "run.observedAt")


def test_a_file_that_holds_no_records_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernelindex_schema.checking, "MAX_FAULTY", 50)
    report = check_data(b"1\n" * 1000, "jsonl")
    assert [finding.rule for finding in report.findings].count("KIX011") == 50
    (last,) = [finding for finding in report.findings if finding.rule == "KIX003"]
    assert (last.document, report.documents) == (49, 50)
    assert last.message == "the file was not read further, after 50 faults of reading and structure"


def test_warnings_do_not_end_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernelindex_schema.checking, "MAX_FAULTY", 2)
    line = (
        b'{"apiVersion":"kernelindex.dev/v1alpha1","kind":"ExecutionEnvironment","metadata":{"name":"e%d"},"spec":'
        b'{"hardware":{"vendor":"nvidia","product":"NVIDIA A100","architecture":"sm_90"},"software":{}}}\n'
    )
    report = check_data(b"".join(line % number for number in range(5)), "jsonl")
    assert [finding.rule for finding in report.findings if finding.rule == "KIX703"] == ["KIX703"] * 5
