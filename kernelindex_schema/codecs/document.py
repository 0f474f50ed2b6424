"""What every codec gives: pieces of a file, values with positions, and the faults met on the way.

A codec knows nothing of kinds. It has two speeds. ``decode`` is the fast one: it returns the value of a piece that is
beyond doubt (right syntax, no doubled key, finite numbers, real text) and otherwise raises :class:`Refused` without
saying more. It may leave nesting and the size of integers to the caller, since the kinds bound both more tightly.
``examine`` is the careful one: it returns every reading fault and where each value stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Protocol

import msgspec

from kernelindex_schema.findings import Path, Position

__all__ = [
    "MAX_ALIASES",
    "MAX_DEPTH",
    "MAX_MANIFEST_BYTES",
    "MAX_NODES",
    "MAX_SUBMISSION_BYTES",
    "Codec",
    "Examined",
    "Fault",
    "Piece",
    "Refused",
]

MAX_MANIFEST_BYTES = 1_048_576
"""Bound of a manifest, a record or one line of a stream (contract, Intake)."""

MAX_SUBMISSION_BYTES = 64 * 1024 * 1024
"""Bound of a submission; the registry's own form takes 262,144 bytes."""

MAX_DEPTH = 64
"""Bound of nesting, the root being level 1 (edge cases, Depth)."""

MAX_ALIASES = 99
"""Bound of YAML aliases in a document, each counted with the aliases inside what it refers to."""

MAX_NODES = 100_000
"""Bound of YAML nodes of a document after its aliases are expanded."""


class Refused(Exception):
    """The fast path has a doubt about a piece; ``examine`` says what it is."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong with a document, before it has become a finding.

    Where ``position`` is absent it is looked up from ``path``.
    """

    rule: str
    """The id, such as ``KIX005``."""
    message: str
    """One sentence without a final stop; it names the value found and what would be accepted."""
    path: Path = ()
    at_key: bool = False
    """Marks the key at the end of ``path`` instead of the value."""
    position: Position | None = None
    hint: str | None = None
    related: tuple[tuple[Path, Position | None, str], ...] = ()
    """Other places: path, position and what is there."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes of one document of a file."""

    index: int
    """Which document of the file: counts from 0; in JSON Lines the physical line number minus one."""
    data: bytes
    first_line: int = 1
    """The physical line of the file on which ``data`` begins."""
    faults: tuple[Fault, ...] = ()
    """Faults of the cutting itself. With any of rule KIX003, KIX004 or KIX012 the piece is not looked into."""


def _nowhere(path: Path, at_key: bool) -> Position | None:
    return None


class Examined(msgspec.Struct, kw_only=True):
    """A piece read with care."""

    value: Any = None
    """Plain values: dict, list, str, int, float, bool, None. Meaningless when ``readable`` is false."""
    readable: bool = True
    """Whether ``value`` stands for the document, so that it is worth looking into although there are faults."""
    faults: list[Fault] = []
    locate: Callable[[Path, bool], Position | None] = _nowhere
    """``locate(path, at_key)``: where a value, or the key that leads to it, stands; None if it is not known."""


class Codec(Protocol):
    """One format. Instances are listed in :mod:`kernelindex_schema.codecs.formats`."""

    def split(self, stream: BinaryIO) -> Iterator[Piece]:
        """The documents of a file, one by one, in bounded memory."""

    def decode(self, piece: Piece) -> Any:
        """The value of a piece that is beyond doubt.

        Raises:
            Refused: there is a doubt, or a fault.
        """

    def examine(self, piece: Piece) -> Examined:
        """Every reading fault of a piece, its value and its positions; never raises for bad data."""

    def encode(self, values: Sequence[Any], *, title: str | None = None) -> bytes:
        """The values as text or bytes of this format; the same values always give the same bytes.

        Raises:
            UnencodableValue: the format cannot hold these values, or this number of documents.
        """
