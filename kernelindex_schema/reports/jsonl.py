"""The report as JSON Lines: one finding a line, and nothing where there is none."""

from __future__ import annotations

from kernelindex_schema.findings import Report
from kernelindex_schema.reports import SourceLine
from kernelindex_schema.reports.json import compact, finding_object

__all__ = ["render"]


def render(report: Report, *, summary: bool = True, color: bool = False, source: SourceLine | None = None) -> str:
    """One object a line, as in the findings of the JSON report."""
    return "".join(compact(finding_object(finding)) for finding in report.findings)
