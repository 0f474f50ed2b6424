from __future__ import annotations

import json

import msgspec
import pytest

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports import REPORTS
from kernelindex_schema.reports.escape import json_ascii

KEYS = [
    *("rule", "name", "severity", "message", "file", "document", "kind", "manifest", "pointer", "path"),
    *("line", "column", "endLine", "endColumn", "hint", "related", "url"),
]


def render(report, form="json"):
    return REPORTS[form].load()(report)


def test_golden(report, golden):
    golden("report.json", render(report))
    golden("report.jsonl", render(report, "jsonl"))


def test_every_key_is_there_and_what_does_not_apply_is_null(report):
    value = json.loads(render(report))
    assert list(value) == ["schemaVersion", "summary", "findings"]
    assert value["summary"] == {
        "files": 5, "documents": 5, "manifests": 12, "errors": 4, "warnings": 1, "notes": 1
    }  # fmt: skip
    assert all(list(finding) == KEYS for finding in value["findings"])
    bare = next(finding for finding in value["findings"] if finding["rule"] == "KIX001")
    assert bare["line"] is None
    assert bare["related"] == []
    assert list(next(f for f in value["findings"] if f["related"])["related"][0]) == [
        "file", "pointer", "line", "column", "message"
    ]  # fmt: skip


def test_lines_hold_what_the_object_holds(report):
    lines = render(report, "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render(report))["findings"]
    assert render(Report(), "jsonl") == ""


@pytest.mark.parametrize("form", ["json", "jsonl", "sarif"])
def test_ascii_alone(report, form):
    assert render(report, form).replace("\n", "").isascii()
    assert render(report, form).replace("\n", "").isprintable()


def test_text_of_the_input_keeps_its_value(report):
    value = json.loads(render(report))
    assert "un\nit\x1b[2J\u202e" in next(f["message"] for f in value["findings"] if f["rule"] == "KIX005")
    assert {finding["file"] for finding in value["findings"]} >= {"записи/表.json", "caf\\xe9é\n.yaml"}


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_a_lone_surrogate_keeps_its_value_as_an_escape(form):
    pointer = "/metadata/labels/\ud800"
    finding = Finding(rule="KIX008", name="n", severity=Severity.ERROR, message="µ", file="\ud83d", pointer=pointer)
    told = render(Report(findings=(finding,)), form)
    value = json.loads(told)["findings"][0] if form == "json" else json.loads(told)
    assert told.isascii()
    assert value["pointer"] == pointer
    plain = render(Report(findings=(msgspec.structs.replace(finding, pointer="/a", file="a"),)), form)
    assert told.replace("\\ud83d", "a").replace("metadata/labels/\\ud800", "a") == plain, "the layout is the same"


@pytest.mark.parametrize("text", ["", "a\x7f", "é", "\u2028", "\U0001f600", "\U0010ffff", "\uffff"])
def test_json_ascii_is_the_same_value(text):
    told = json_ascii(json.dumps(text, ensure_ascii=False))
    assert told.isascii()
    assert "\x7f" not in told
    assert json.loads(told) == text
