"""Reports: pure functions from a :class:`~kernelindex_schema.findings.Report` to text, the same bytes every time.

Control characters of the input, and whatever else a terminal would not show, are escaped in every one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from kernelindex_schema.findings import Report

__all__ = ["REPORTS", "Format", "Render", "SourceLine"]

SourceLine = Callable[[str, int], str | None]
"""Gives a line of a file (file as named in the finding, line counted from 1), or ``None`` where there is none."""


class Render(Protocol):
    """What each format offers. Options that a format has no use for are without effect."""

    def __call__(
        self, report: Report, *, summary: bool = True, color: bool = False, source: SourceLine | None = None
    ) -> str:
        """The report as text; it ends in a newline, or is empty."""


class Format(msgspec.Struct, frozen=True):
    """One format of a report."""

    summary: str
    module: str

    def load(self) -> Render:
        """Import the format's module and give its function."""
        from importlib import import_module

        render: Render = import_module(f"kernelindex_schema.reports.{self.module}").render
        return render


REPORTS = {
    "text": Format("for people: a block a finding, as compilers do, then counts by rule", "text"),
    "json": Format("one object: schemaVersion, summary, findings", "json"),
    "jsonl": Format("one finding a line, as JSON", "jsonl"),
    "sarif": Format("SARIF 2.1.0, for code-scanning services", "sarif"),
    "github": Format("annotations of a GitHub workflow", "github"),
}
