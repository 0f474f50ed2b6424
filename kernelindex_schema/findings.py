"""What a check has to say: findings, their places, and the report that holds them.

Lines and columns count from 1, columns in code points, the end is exclusive.
"""

from __future__ import annotations

import enum
import re

import msgspec

__all__ = ["Finding", "Path", "Position", "Related", "Report", "Severity", "dotted_path", "json_pointer"]

Path = tuple[str | int, ...]
"""Keys and list indexes from the root of a document to a value."""

_PLAIN_KEY = re.compile(r"[^\s.\[\]\"'\x00-\x1f]+")


class Severity(enum.StrEnum):
    """How much a finding weighs: an error breaks the promise, a warning is likely a slip, a note is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """2 for an error, 1 for a warning, 0 for a note."""
        return {"error": 2, "warning": 1, "note": 0}[self.value]


class Position(msgspec.Struct, frozen=True, order=True):
    """A stretch of text; lines and columns count from 1, columns in code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Related(msgspec.Struct, frozen=True, kw_only=True):
    """Another place that a finding speaks of, such as the first of two equal keys."""

    file: str | None = None
    pointer: str | None = None
    line: int | None = None
    column: int | None = None
    message: str


class Finding(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One fault, at one place.

    ``pointer`` (RFC 6901) and ``path`` (dotted, lists as ``[1]``) start at the root of the document; what does
    not apply is ``None``.
    """

    rule: str
    name: str
    severity: Severity
    message: str
    file: str | None = None
    document: int | None = None
    kind: str | None = None
    manifest: str | None = None
    pointer: str | None = None
    path: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()
    url: str | None = None

    def sort_key(self) -> tuple[str, int, int, int, str, str, str]:
        """The total order of findings: file, document, line, column, rule, then pointer and message."""
        return (
            self.file or "",
            -1 if self.document is None else self.document,
            self.line or 0,
            self.column or 0,
            self.rule,
            self.pointer or "",
            self.message,
        )


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a check: the findings in their total order, and what was looked at.

    Reports merge, so that work can be split over threads, processes or machines.
    """

    findings: tuple[Finding, ...] = ()
    files: int = 0
    documents: int = 0
    manifests: int = 0
    passed_over: int = 0
    """Files below a folder that hold no manifest and were not checked."""

    def merge(self, other: Report) -> Report:
        """Both reports as one; the order of merging does not change the result."""
        return Report(
            findings=tuple(sorted(self.findings + other.findings, key=Finding.sort_key)),
            files=self.files + other.files,
            documents=self.documents + other.documents,
            manifests=self.manifests + other.manifests,
            passed_over=self.passed_over + other.passed_over,
        )

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def at_least(self, severity: Severity) -> bool:
        """Whether any finding is as severe as this, or more."""
        return any(finding.severity.rank >= severity.rank for finding in self.findings)

    @property
    def ok(self) -> bool:
        """Whether there is no error (warnings and notes may be there)."""
        return not self.at_least(Severity.ERROR)


def json_pointer(path: Path) -> str:
    """RFC 6901: ``("a", 1)`` is ``/a/1`` and the root is the empty text."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def dotted_path(path: Path) -> str:
    """``("run", "list", 1)`` is ``run.list[1]``; a key that would not read well is quoted, as ``["a b"]``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            text += f".{part}" if text else part
        else:
            quoted = part.replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{quoted}"]'
    return text
