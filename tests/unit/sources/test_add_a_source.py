"""The how-to's own code, over its own rows."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from kernelindex_schema.sources.imported import import_stream
from kernelindex_schema.sources.source import SOURCES, Mapped, Skip, mapped_from

PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "add-a-source.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture
def source():
    code, listing = blocks("python")
    rooms: dict[str, object] = {}
    exec(compile(code, str(PAGE), "exec"), rooms)
    assert len(code.splitlines()) < 150
    listed: dict[str, dict[str, str]] = {}
    exec(listing, listed)
    assert SOURCES.items() <= listed["SOURCES"].items()
    return rooms["TidewaterSource"]


def test_rows_of_the_page(source):
    (rows,) = blocks("json")
    assert source.recognise(rows.encode())
    imported = import_stream(source(), io.BytesIO(rows.encode() + b"{not json\n"), "results.jsonl")
    assert imported.counts["rows"] == 4
    assert [(each.line, each.reason) for each in imported.skipped] == [
        (2, "no-figure"),
        (3, "unknown-kernel"),
        (4, "damaged"),
    ]
    assert [(each.rule, each.line) for each in imported.findings] == [("KIX105", 2), ("KIX004", 4)]
    (record,) = imported.runs
    assert record.run.spec.timing.latency_ns.mean == 12_500
    assert record.environment.spec.hardware.form_factor == "PCIe"
    assert [each.metadata.name for each in imported.operations] == ["liger-rms-norm"]


def test_a_row_that_the_source_did_not_foresee_is_told(source):
    rows = b'{"kernel": "rms_norm", "us": 1}\n[]\n'
    imported = import_stream(source(), io.BytesIO(rows), "results.jsonl")
    assert [(each.line, each.reason) for each in imported.skipped] == [(1, "crashed"), (2, "crashed")]
    assert [each.rule for each in imported.findings] == ["KIX002", "KIX002"]
    assert "KeyError: 'gpu'" in imported.findings[0].message


def test_a_bench_record_that_does_not_assemble_skips_the_row():
    with pytest.raises(Skip, match=r"project\.name is missing") as caught:
        mapped_from({}, provider="p", subject="s")
    assert (caught.value.reason, caught.value.rule) == ("invalid", "KIX104")
    assert Mapped.__struct_fields__[0] == "record"
