"""The report for people: a block a finding, as compilers do, then counts by rule and the totals."""

from __future__ import annotations

from collections.abc import Callable

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports import SourceLine
from kernelindex_schema.reports.escape import file_name, printable
from kernelindex_schema.reports.summary import by_rule, counted, totals

__all__ = ["render"]

EXCERPT = 120
"""Columns of a source line that are shown around a finding."""

_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_BOLD, _FAINT = "1", "2"

Paint = Callable[[str, str], str]


def render(report: Report, *, summary: bool = True, color: bool = False, source: SourceLine | None = None) -> str:
    """The report as text.

    Args:
        report: what to tell.
        summary: end in counts by rule and the totals.
        color: mark severities with ANSI colours.
        source: gives the line of a file; with it each finding shows its line with a caret.
    """
    paint = _ansi if color else _plain
    lines: list[str] = []
    for finding in report.findings:
        lines += _block(finding, paint, source)
    if summary:
        if lines:
            lines.append("")
        lines += _summary(report, paint)
    return "".join(f"{line}\n" for line in lines)


def _plain(text: str, code: str) -> str:
    return text


def _ansi(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _place(file: str | None, line: int | None, column: int | None) -> str:
    place = file_name(file) if file is not None else ""
    if line is not None:
        place += f":{line}"
        if column is not None:
            place += f":{column}"
    return place


def _block(finding: Finding, paint: Paint, source: SourceLine | None) -> list[str]:
    place = _place(finding.file, finding.line, finding.column)
    head = f"{paint(place, _BOLD)}: " if place else ""
    message = printable(finding.message)
    severity = paint(finding.severity.value, _COLORS[finding.severity])
    lines = [f"{head}{severity} {finding.rule} {finding.name}: {message}"]
    if finding.line is None:
        # Without a line the path is the only way to the place.
        lines += _whereabouts(finding, message)
    elif source is not None and finding.file is not None and finding.column is not None:
        lines += _excerpt(finding, source(finding.file, finding.line), paint)
    if finding.hint:
        lines.append(f"  hint: {printable(finding.hint)}")
    for other in finding.related:
        there = _place(other.file, other.line, other.column) or printable(other.pointer or "")
        lines.append(f"  see {there}: {printable(other.message)}" if there else f"  see: {printable(other.message)}")
    return lines


def _whereabouts(finding: Finding, message: str) -> list[str]:
    path = printable(finding.path or "")
    return [f"  at {path}"] if path and path not in message else []


def _excerpt(finding: Finding, text: str | None, paint: Paint) -> list[str]:
    if text is None or finding.column is None or finding.column > len(text) + 1:
        return []
    start = finding.column - 1
    same_line = finding.end_line == finding.line and finding.end_column is not None
    end = min(finding.end_column - 1, len(text)) if same_line and finding.end_column else len(text)
    first = max(0, start - EXCERPT // 2) if len(text) > EXCERPT else 0
    last = min(len(text), first + EXCERPT)
    before, marked, after = _shown(text[first:start]), _shown(text[start : min(end, last)]), _shown(text[end:last])
    before = ("…" if first else "") + before
    after += "…" if last < len(text) else ""
    gutter = f"{finding.line:>5} | "
    caret = "^" * max(1, _width(marked))
    return [
        paint(gutter, _FAINT) + before + marked + after,
        paint(" " * 5 + " | ", _FAINT) + " " * _width(before) + paint(caret, _COLORS[finding.severity]),
    ]


def _shown(text: str) -> str:
    return printable(text.replace("\t", " "))


def _width(text: str) -> int:
    """Columns that a terminal gives to the text: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _summary(report: Report, paint: Paint) -> list[str]:
    rows = by_rule(report)
    widest = max((len(name) for _, name, _, _ in rows), default=0)
    lines = [
        f"{rule}  {name:<{widest}}  {paint(counted(number, severity.value), _COLORS[severity])}"
        for rule, name, severity, number in rows
    ]
    return [*lines, totals(report)]
