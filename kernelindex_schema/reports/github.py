"""The report as annotations of a GitHub workflow (workflow commands ``::error``, ``::warning``, ``::notice``)."""

from __future__ import annotations

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports import SourceLine
from kernelindex_schema.reports.escape import file_name, printable
from kernelindex_schema.reports.summary import totals

__all__ = ["render"]

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, *, summary: bool = True, color: bool = False, source: SourceLine | None = None) -> str:
    """One workflow command a finding, then the totals as a plain line of the log."""
    lines = [_command(finding) for finding in report.findings]
    if summary:
        lines.append(totals(report))
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding) -> str:
    properties: dict[str, str | int] = {}
    if finding.file is not None:
        properties["file"] = file_name(finding.file)
    if finding.line is not None:
        properties["line"] = finding.line
        if finding.end_line is not None:
            properties["endLine"] = finding.end_line
        # The service takes columns only where the annotation stays on one line.
        if finding.end_line == finding.line and finding.column is not None and finding.end_column is not None:
            properties["col"] = finding.column
            properties["endColumn"] = finding.end_column
    properties["title"] = f"{finding.rule} {finding.name}"
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = printable(finding.message)
    if finding.hint:
        text += f"\nhint: {printable(finding.hint)}"
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(text)}"


def _data(text: str) -> str:
    # The percent sign first: it begins the escapes themselves.
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
