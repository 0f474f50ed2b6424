"""Entries that are too many for memory, parted by a hash, so that equal ones are found together part by part.

A part is small enough to be looked at as a whole: a hundredth of all entries. This is how databases join and group what
does not fit (a hash join after Grace); it costs less than half of what SQLite takes for the same.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterable, Iterator

__all__ = ["PARTS", "Entry", "Parted", "SpillFile"]

PARTS = 128
_LAST = PARTS - 1
_CHUNK = 3 * 64

Entry = tuple[int, int, int]
"""A key, which tells the part, and two numbers."""


class SpillFile:
    """A file without a name that goes with the process. What was appended is found again by its offset.

    Every method may raise OSError, such as for a full disk.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="kix-schema-", buffering=16_384)  # noqa: SIM115 - closed below
        self._size = 0
        self._at_end = True

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()

    def append(self, data: bytes) -> int:
        """Add bytes; returns their offset."""
        if not self._at_end:
            self._file.seek(self._size)
            self._at_end = True
        self._file.write(data)
        offset = self._size
        self._size += len(data)
        return offset

    def read(self, offset: int, size: int) -> bytes:
        """The bytes at an offset."""
        self._at_end = False
        self._file.seek(offset)
        data: bytes = self._file.read(size)
        return data


class Parted:
    """Entries by the hash in their key, in the order in which they came."""

    def __init__(self, file: SpillFile) -> None:
        self._file = file
        self._held: list[list[int]] = [[] for _ in range(PARTS)]
        # Where the chunk before lies, plus one, for each part; every chunk begins with that of the one before it.
        self._before = [0] * PARTS

    def take(self, entries: Iterable[Entry]) -> None:
        """Add entries."""
        held = self._held
        for entry in entries:
            part = held[entry[0] & _LAST]
            part += entry
            if len(part) == _CHUNK:
                self._write(entry[0] & _LAST)

    def _write(self, part: int) -> None:
        held = self._held[part]
        chunk = array("q", [self._before[part], *held])
        self._before[part] = self._file.append(chunk.tobytes()) + 1
        held.clear()

    def part(self, part: int) -> list[int]:
        """The numbers of all entries of one part, three for each."""
        chunks = [self._held[part]]
        before = self._before[part]
        while before:
            chunk = array("q", self._file.read(before - 1, _CHUNK * 8 + 8))
            before = chunk[0]
            chunks.append(chunk.tolist()[1:])
        return [number for chunk in reversed(chunks) for number in chunk]

    def entries(self) -> Iterator[Entry]:
        """Every entry, part by part."""
        for part in range(PARTS):
            yield from triples(self.part(part))

    def repeated_parts(self) -> Iterator[list[int]]:
        """The parts in which some key comes twice."""
        for number in range(PARTS):
            part = self.part(number)
            keys = part[::3]
            if len(set(keys)) < len(keys):
                yield part


def triples(numbers: list[int]) -> Iterator[Entry]:
    """The numbers of a part as entries."""
    each = iter(numbers)
    return zip(each, each, each, strict=True)
