from __future__ import annotations

import pytest

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports.github import render


def test_golden(report, golden):
    golden("report.github.txt", render(report))


@pytest.mark.parametrize(
    ("severity", "word"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "notice")]
)
def test_escapes_of_properties_and_data(severity, word):
    finding = Finding(
        rule="KIX001", name="n", severity=severity, message="50%: a,b\r\n::error::x", file="a:b,c%\n.yaml", hint="h"
    )
    told = render(Report(findings=(finding,)), summary=False)
    assert told == (f"::{word} file=a%3Ab%2Cc%25\\n.yaml,title=KIX001 n::50%25: a,b\\r\\n::error::x%0Ahint: h\n")


def test_columns_only_within_one_line(report):
    told = render(report)
    assert "line=14,endLine=14,col=15,endColumn=18," in told
    assert "line=5,endLine=6,title=" in told


def test_totals_unless_quiet(report):
    assert render(report).endswith("4 errors, 1 warning, 1 note (3 files without manifests passed over)\n")
    assert render(Report(), summary=False) == ""
