from __future__ import annotations

import pytest

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports.text import render


def finding(**changes):
    values = {"rule": "KIX107", "name": "out-of-range", "severity": Severity.ERROR, "message": "x", "file": "a.yaml"}
    return Finding(**(values | changes))


def test_golden(report, golden):
    golden("report.txt", render(report))


def test_golden_with_source_lines(report, golden, source):
    golden("report-source.txt", render(report, source=source))


def test_golden_in_colour(report, golden, source):
    golden("report-color.txt", render(report, color=True, source=source))


def test_quiet_leaves_the_findings_as_they_are(report):
    whole, quiet = render(report), render(report, summary=False)
    assert whole.startswith(quiet)
    assert "documents" not in quiet


def test_nothing_at_fault():
    assert render(Report(files=2, documents=2, manifests=6)) == "2 documents, 6 manifests: no findings\n"
    assert render(Report(files=2, documents=2, manifests=6), summary=False) == ""


def test_no_control_character_of_the_input_is_left(report, source):
    everything = "".join(map(chr, [*range(0x20), 0x7F, 0x80, 0x9B, 0x2028, 0x202E, 0xFEFF, 0xD800]))
    extreme = Report(
        findings=(
            finding(message=everything, file=f"a{everything}", hint=everything, path=everything),
            finding(message="m", line=1, column=1, end_line=1, end_column=2),
        )
    )
    for told in (render(report, source=source), render(extreme, source=lambda file, line: everything)):
        assert told.replace("\n", "").isprintable()
        assert told.encode("utf-8")


def test_path_is_told_where_there_is_no_line():
    assert "\n  at spec.x\n" in render(Report(findings=(finding(path="spec.x"),)))
    assert " at " not in render(Report(findings=(finding(path="spec.x", message="spec.x is -1"),)))
    assert " at " not in render(Report(findings=(finding(path="spec.x", line=1, column=1),)))


@pytest.mark.parametrize(
    ("text", "column", "end", "caret"),
    [
        ("median: 410", 9, 12, "        ^^^"),
        ("\tx", 2, 3, " ^"),
        ("表: 1", 4, 5, "    ^"),
        ("e\u0301: 1", 5, 6, "   ^"),
        ("a", 2, 2, " ^"),
        ("\x1b1", 2, 3, "    ^"),
    ],
)
def test_caret_stands_under_the_value(text, column, end, caret):
    place = {"line": 7, "column": column, "end_line": 7, "end_column": end}
    _, shown, marks, *_ = render(Report(findings=(finding(**place),)), source=lambda file, line: text).splitlines()
    assert shown.startswith("    7 | ")
    assert marks == "      | " + caret


def test_a_long_line_is_cut_around_the_place():
    text = "x" * 5000 + "HERE" + "y" * 5000
    place = {"line": 1, "column": 5001, "end_line": 1, "end_column": 5005}
    _, shown, marks, *_ = render(Report(findings=(finding(**place),)), source=lambda file, line: text).splitlines()
    assert len(shown) < 140
    assert shown[marks.index("^") : marks.rindex("^") + 1] == "HERE"


def test_a_source_that_has_changed_meanwhile_is_not_shown():
    place = {"line": 1, "column": 50, "end_line": 1, "end_column": 55}
    assert "|" not in render(Report(findings=(finding(**place),)), source=lambda file, line: "short")
    assert "|" not in render(Report(findings=(finding(**place),)), source=lambda file, line: None)
