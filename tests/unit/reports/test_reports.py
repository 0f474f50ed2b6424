from __future__ import annotations

import pytest

from kernelindex_schema.findings import Report
from kernelindex_schema.reports import REPORTS


def test_the_formats_of_the_command():
    assert list(REPORTS) == ["text", "json", "jsonl", "sarif", "github"]


@pytest.mark.parametrize("form", REPORTS)
def test_two_runs_give_the_same_bytes(report, form):
    render = REPORTS[form].load()
    halves = Report(findings=report.findings[::2]), Report(findings=report.findings[1::2])
    merged = halves[1].merge(halves[0])
    assert render(report) == render(report)
    assert render(merged, summary=False).count("KIX") == render(report, summary=False).count("KIX")


@pytest.mark.parametrize("form", REPORTS)
def test_ends_in_a_newline_or_is_empty(report, form):
    for told in (REPORTS[form].load()(report), REPORTS[form].load()(Report(), summary=False)):
        assert not told or told.endswith("\n")
