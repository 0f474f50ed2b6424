"""What a source of foreign benchmark results is: recognise a file, read its rows, map each to manifests.

A source is one module with one class. Everything that does not depend on the foreign format is done once, in

:mod:`kernelindex_schema.sources.imported`: counting, repeats, findings, and what the rows' identities hide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, BinaryIO, ClassVar, Protocol

import msgspec

from kernelindex_schema.assembly import examine
from kernelindex_schema.errors import UnreadableDocument
from kernelindex_schema.findings import Position, Related, Severity
from kernelindex_schema.v1alpha1 import (
    ImplementationRevision,
    OperationSpec,
    Record,
    SoftwareProject,
    WorkloadCase,
)

__all__ = [
    "SOURCES",
    "Mapped",
    "Row",
    "Skip",
    "Source",
    "Trouble",
    "brief",
    "mapped_from",
    "recognised",
    "source_class",
]

SOURCES: Mapping[str, str] = {
    "liger": "kernelindex_schema.sources.liger:LigerSource",
}
"""Every source by its name on the command line, as ``module:class``; a module is imported when it is asked for."""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong with a file or one of its rows; it becomes a finding."""

    rule: str
    message: str
    """One sentence without a final stop, naming the column or field."""
    line: int
    column: str | None = None
    """Name of the column or field at fault."""
    position: Position | None = None
    hint: str | None = None
    severity: Severity | None = None
    """Takes the place of the rule's own severity."""
    is_row: bool = False
    """Whether a row of results is lost by it."""
    related: tuple[Related, ...] = ()


def _nowhere(column: str) -> Position | None:
    return None


class Row(msgspec.Struct, kw_only=True):
    """One result of a foreign file, and where it stands."""

    line: int
    """The physical line on which it begins."""
    values: Mapping[str, Any]
    position: Callable[[str], Position | None] = _nowhere
    """Where the value of a column stands, as far as it is known."""


class Skip(Exception):
    """Raised by :meth:`Source.map`: nothing of this row is imported.

    ``reason`` is a short constant that rows are counted by. With a ``rule`` the row is at fault and becomes a
    finding; without one it is merely nothing that the source covers.
    """

    def __init__(self, reason: str, message: str, *, column: str | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.column = column
        self.rule = rule


class Mapped(msgspec.Struct, frozen=True, kw_only=True):
    """A row as manifests. The four digests of the record's run must be those of the manifests beside it."""

    record: Record
    workload: WorkloadCase
    implementation: ImplementationRevision
    project: SoftwareProject
    """Its ``metadata.name`` is the slug that the implementation is submitted under."""
    operation: OperationSpec | None = None
    """Absent where the source only knows an operation's digest."""
    provider: str
    """Whose result it is, in the source's words."""
    subject: str
    """What was measured, in the source's words: a kernel, a problem, a test."""
    remarks: tuple[tuple[str, str, str], ...] = ()
    """What was left out of the row on purpose: rule id, column name and message of each."""


def mapped_from(
    bench_record: Mapping[str, Any], *, provider: str, subject: str, operation: OperationSpec | None = None
) -> Mapped:
    """A row that a source has put into the words of a flat bench record, as manifests.

    This spares a source the digests and the envelopes. Names are made as for any bench record.

    Raises:
        Skip: the bench record does not assemble; the first fault says why.
    """
    assembled = examine(bench_record)
    if assembled.submission is None:
        first = next(each for each in assembled.faults if each.rule != "KIX203")
        raise Skip("invalid", first.message, rule=first.rule)
    made: Any = assembled.submission  # with one entry in every section but the operations
    return Mapped(
        record=made.runs[0],
        workload=made.workloads[0],
        implementation=made.implementations[0].manifest,
        project=made.projects[0],
        operation=operation,
        provider=provider,
        subject=subject,
    )


class Source(Protocol):
    """A foreign format. One instance reads one file and may remember what it made for earlier rows."""

    name: ClassVar[str]
    """The name on the command line."""
    title: ClassVar[str]
    """The format in a few words."""

    @staticmethod
    def recognise(head: bytes) -> bool:
        """Whether a file that begins with these bytes (up to 64 KiB) is of this format."""

    def rows(self, stream: BinaryIO) -> Iterator[Row | Trouble]:
        """The rows of a file with their places, in order; what cannot be read is a :class:`Trouble`."""

    def map(self, row: Row) -> Mapped:
        """The manifests of a row. What the source does not state stays absent.

        Raises:
            Skip: nothing of the row is to be imported.
        """


def brief(text: str) -> str:
    """A text of a foreign file as a message quotes it: on one line and not too long."""
    quoted = repr(text)
    return quoted if len(quoted) <= 80 else quoted[:79] + "…"


def source_class(name: str) -> type[Source]:
    """The class of a source.

    Raises:
        KeyError: there is no source of this name.
    """
    module, _, attribute = SOURCES[name].partition(":")
    found: type[Source] = getattr(import_module(module), attribute)
    return found


def recognised(head: bytes) -> type[Source]:
    """The source whose format a file has, told from its first bytes.

    Raises:
        UnreadableDocument: none recognises it, or more than one does.
    """
    found = [each for each in map(source_class, SOURCES) if each.recognise(head)]
    if len(found) == 1:
        return found[0]
    told = " and ".join(each.name for each in found) if found else "none"
    raise UnreadableDocument(f"cannot tell the source of this file ({told} of {', '.join(SOURCES)}): name it")
