"""Reading and writing: every format, every name, whole or not at all."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from generated_files import JSON, LINE, OTHER_LINE, PAGE, THIRD_LINE, TOML, YAML
from packing import gz, zst

from kernelindex_schema import (
    InvalidDocument,
    Report,
    UnencodableValue,
    UnreadableDocument,
    decode,
    digest,
    encode,
    iter_documents,
    read,
    write,
)
from kernelindex_schema.codecs.formats import FORMATS
from kernelindex_schema.v1alpha1 import BenchRecord, Record, SoftwareProject, Submission

EXAMPLES = Path(__file__).parents[2] / "examples" / "valid"

PROJECT = decode(JSON, format="json")
RECORD = read(EXAMPLES / "record.yaml")
SUFFIXES = [suffix for form in FORMATS.values() for suffix in form.suffixes]


@pytest.mark.parametrize("packing", ["", ".gz", ".zst", ".GZ"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_record_written_to_a_file_reads_back_equal(suffix: str, packing: str, tmp_path: Path) -> None:
    path = tmp_path / f"record{suffix}{packing}"
    write(RECORD, path, title="A title")
    assert read(path) == RECORD
    first = path.read_bytes()
    write(RECORD, path, title="A title")
    assert path.read_bytes() == first
    if packing:
        assert first[:2] in (b"\x1f\x8b", b"\x28\xb5")


def test_the_kinds_of_documents() -> None:
    assert isinstance(PROJECT, SoftwareProject)
    assert isinstance(RECORD, Record)
    assert isinstance(read(EXAMPLES / "submission.yaml"), Submission)
    assert isinstance(read(EXAMPLES / "bench-record.yaml"), BenchRecord)
    row = decode(b'{"table": "projects", "row": {"id": 7, "manifest": ' + JSON + b"}}", format="json")
    assert (row.table, row.row["id"], row.row["manifest"]) == ("projects", 7, PROJECT)
    for value in (read(EXAMPLES / "submission.yaml"), read(EXAMPLES / "bench-record.yaml"), row):
        for format in FORMATS:
            assert decode(encode(value, format=format, title="A title"), format=format) == value


@pytest.mark.parametrize(
    ("data", "format"), [(JSON, "json"), (LINE, "jsonl"), (YAML, "yaml"), (TOML, "toml"), (PAGE, "page")]
)
def test_text_and_bytes_decode_alike(data: bytes, format: str) -> None:
    assert decode(data, format=format) == decode(data.decode(), format=format) == PROJECT
    windows = data.replace(b"\n", b"\r\n")
    assert decode(windows, format=format) == PROJECT


def test_what_is_read_is_normalised() -> None:
    text = (EXAMPLES / "record.yaml").read_text(encoding="utf-8")
    run = RECORD.run
    assert isinstance(run.spec.timing.latency_ns.median, int)
    assert digest(decode(text, format="yaml").run) == digest(run)


def test_the_faults_of_a_document_come_with_the_exception() -> None:
    with pytest.raises(InvalidDocument, match="nam") as caught:
        decode(YAML.replace(b"name: Tiny", b"nam: Tiny\n  kind: lib"), format="yaml", name="tiny.yaml")
    report = caught.value.report
    assert [(finding.rule, finding.line, finding.file) for finding in report.findings] == [
        ("KIX103", 5, "tiny.yaml"),
        ("KIX109", 6, "tiny.yaml"),
    ]
    assert "tiny.yaml" in str(caught.value)


def test_a_warning_does_not_keep_a_document_from_being_read() -> None:
    assert decode(b"\xef\xbb\xbf" + JSON, format="json") == PROJECT


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{}", b"\xff", b"{", b"{" * 100_000])
@pytest.mark.parametrize("format", FORMATS)
def test_what_is_no_document_never_raises_anything_else(format: str, data: bytes) -> None:
    with pytest.raises(InvalidDocument):
        decode(data, format=format)


def test_several_documents_are_refused_where_one_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="iter_documents"):
        decode(LINE + OTHER_LINE, format="jsonl")
    with pytest.raises(UnreadableDocument, match="several"):
        decode(YAML + b"---\n" + YAML, format="yaml")


def test_unknown_formats(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match=r"no format 'xml'") as caught:
        decode(JSON, format="xml")
    assert caught.value.rule == "KIX010"
    (tmp_path / "tiny.dat").write_bytes(JSON)
    with pytest.raises(UnreadableDocument) as caught:
        read(tmp_path / "tiny.dat")
    assert caught.value.rule == "KIX010"
    assert read(tmp_path / "tiny.dat", format="json") == PROJECT
    with pytest.raises(UnreadableDocument) as caught:
        read(tmp_path / "missing.json")
    assert caught.value.rule == "KIX001"
    with pytest.raises(UnreadableDocument):
        read(tmp_path)


# --- streams ---------------------------------------------------------------------------------------------------------


def test_iter_documents_gives_values_and_reports_in_order(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b"\n" + LINE + b'{"kind": 5}\n\r\n' + OTHER_LINE)
    found = list(iter_documents(path))
    assert [place.document for place, _ in found] == [1, 2, 4]
    assert [type(value) for _, value in found] == [SoftwareProject, Report, SoftwareProject]
    report = found[1][1]
    assert {finding.document for finding in report.findings} == {2}
    assert {finding.line for finding in report.findings} == {3}


def test_iter_documents_is_lazy(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(LINE * 50_000)
    documents = iter_documents(path)
    assert next(documents)[1] == PROJECT
    documents.close()
    with pytest.raises(UnreadableDocument):
        next(iter_documents(tmp_path / "missing.jsonl"))


@pytest.mark.parametrize("pack", [gz, zst])
def test_a_damaged_archive_gives_its_good_part(pack: Any, tmp_path: Path) -> None:
    path = tmp_path / f"stream.jsonl.{pack.__name__}"
    path.write_bytes(pack(LINE + OTHER_LINE) + pack(THIRD_LINE)[:-6])
    *good, (_, last) = iter_documents(path)
    assert [value for _, value in good][:2] == [PROJECT, decode(OTHER_LINE, format="jsonl")]
    assert [finding.rule for finding in last.findings] == ["KIX012"]


@pytest.mark.parametrize("format", ["jsonl", "yaml"])
@pytest.mark.parametrize("count", [1, 3])
def test_streams_are_written_into_formats_that_hold_them(format: str, count: int, tmp_path: Path) -> None:
    path = tmp_path / f"stream.{format}"
    documents = [PROJECT, RECORD, PROJECT][:count]
    write(documents, path)
    assert [value for _, value in iter_documents(path)] == documents


@pytest.mark.parametrize("format", ["json", "toml", "msgpack", "page"])
def test_several_documents_are_refused_by_the_other_formats(format: str) -> None:
    with pytest.raises(UnencodableValue, match="hold"):
        encode([PROJECT, RECORD], format=format)


# --- what is not written ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", [None, {}, "x", 5, {"kind": "SoftwareProject"}, PROJECT.metadata, PROJECT.spec, Submission()]
)
@pytest.mark.parametrize("format", FORMATS)
def test_only_a_document_is_written(format: str, wrong: Any) -> None:
    with pytest.raises(UnencodableValue):
        encode(wrong, format=format, title="A title")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("wrong", [float("nan"), 5, None, "x" * 201, "\ud800", object()])
def test_a_struct_with_a_wrong_value_is_not_written(format: str, wrong: Any) -> None:
    changed = msgspec.structs.replace(PROJECT, spec=msgspec.structs.replace(PROJECT.spec, name=wrong))
    with pytest.raises(UnencodableValue, match="SoftwareProject"):
        encode(changed, format=format, title="A title")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text("old")
    with pytest.raises(UnencodableValue):
        write(msgspec.structs.replace(PROJECT, spec=None), path)
    with pytest.raises(UnencodableValue):
        write([PROJECT, PROJECT], path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["record.json"]


def test_a_write_that_the_system_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnreadableDocument):
        write(PROJECT, tmp_path / "missing" / "record.json")
    with pytest.raises(UnreadableDocument):
        write(PROJECT, tmp_path)
    with pytest.raises(UnreadableDocument):
        write(PROJECT, tmp_path / "record.dat")

    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(UnreadableDocument, match=r"[Nn]o space left"):
        write(PROJECT, tmp_path / "record.json")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text("old")
    path.chmod(0o640)
    write(PROJECT, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_key_order_of_what_is_written() -> None:
    text = encode(RECORD, format="json").decode()
    assert text.index('"apiVersion"') < text.index('"kind"') < text.index('"metadata"') < text.index('"spec"')
    assert encode(PROJECT, format="jsonl") == (
        b'{"apiVersion":"kernelindex.dev/v1alpha1","kind":"SoftwareProject",'
        b'"metadata":{"name":"tiny"},"spec":{"name":"Tiny"}}\n'
    )


def test_a_page_has_the_title_of_its_run() -> None:
    page = encode(RECORD, format="page", title="Über den Titel")
    assert page.decode().split("\n")[:3] == ["Über den Titel", "", "{"]
    titled = msgspec.structs.replace(RECORD.run.metadata, title="Its own title")
    record = msgspec.structs.replace(RECORD, run=msgspec.structs.replace(RECORD.run, metadata=titled))
    assert encode(record, format="page").startswith(b"Its own title\n\n{")
    for title in ("", " ", "two\nlines", '{"a": 1}'):
        with pytest.raises(UnencodableValue, match="title"):
            encode(RECORD, format="page", title=title)


def test_a_stream_may_be_read_bit_by_bit() -> None:
    from kernelindex_schema.loading import open_pieces

    class Trickle(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.rest = data

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            size = min(3, len(buffer), len(self.rest))
            buffer[:size], self.rest = self.rest[:size], self.rest[size:]
            return size

    for data, name in (
        (LINE + OTHER_LINE, "a.jsonl"),
        (gz(YAML), "a.yaml.gz"),
        (zst(JSON), "a.json.zst"),
        (TOML, "a.toml"),
    ):
        values = [codec.decode(piece) for codec, piece in open_pieces(io.BufferedReader(Trickle(data)), name)]
        assert [value["kind"] for value in values] == ["SoftwareProject"] * len(values)
        assert values
