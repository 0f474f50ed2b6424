"""Counts in words: what was looked at, and how many findings of which rule there are."""

from __future__ import annotations

from kernelindex_schema.findings import Report, Severity

__all__ = ["by_rule", "counted", "totals"]


def counted(number: int, noun: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def totals(report: Report) -> str:
    """One line: ``2 documents, 6 manifests: 1 error, 2 warnings``."""
    counts = [(severity, report.count(severity)) for severity in Severity]
    found = ", ".join(counted(number, severity.value) for severity, number in counts if number) or "no findings"
    line = f"{counted(report.documents, 'document')}, {counted(report.manifests, 'manifest')}: {found}"
    if not report.files and not report.findings:
        line = "no files checked"
    if report.passed_over:
        line += f" ({counted(report.passed_over, 'file')} without manifests passed over)"
    return line


def by_rule(report: Report) -> list[tuple[str, str, Severity, int]]:
    """Rule, name, severity and count, ordered by rule; a rule that gave two severities has two rows."""
    counts: dict[tuple[str, str, Severity], int] = {}
    for finding in report.findings:
        key = (finding.rule, finding.name, finding.severity)
        counts[key] = counts.get(key, 0) + 1
    return [(*key, counts[key]) for key in sorted(counts)]
