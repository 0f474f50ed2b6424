"""The rows of a large collection in a temporary file, so that memory stays flat over any number of them.

What rows are grouped by is kept as Python's own 64-bit hashes, valid within one process, in parts; the rows themselves
lie in batches and are read again for findings alone. (Two texts of one hash may be met once in ten million collections
of a million rows.)
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterable, Iterator

import msgspec

from kernelindex_schema.parted import PARTS, Entry, Parted, SpillFile, triples
from kernelindex_schema.sightings import Batch, Definition, Pending, Sighting

__all__ = ["Spill"]

_BATCH = 1024
_UNTOLD = 0
"""Stands for the provenance that a run does not tell."""

_encode = msgspec.msgpack.Encoder().encode
_decode_sightings = msgspec.msgpack.Decoder(list[Sighting]).decode
_decode_definition = msgspec.msgpack.Decoder(Definition).decode
_decode_pending = msgspec.msgpack.Decoder(Pending).decode

Pair = tuple[Sighting, Sighting]


def _told(provenance: tuple[str, str, str] | None) -> int:
    return _UNTOLD if provenance is None else hash(provenance) or 1


class Spill:
    """Rows in the order in which they were taken; the same questions are answered as of rows in memory.

    Every method may raise OSError, such as for a full disk.
    """

    def __init__(self) -> None:
        self._rows = 0
        self._file = SpillFile()
        # The first row of each batch, and where the batch lies.
        self._firsts: list[int] = []
        self._batches: list[tuple[int, int]] = []
        # By digest, then 0 and the row; by kind and name, then digest and row; by identity, then provenance and row.
        self._digests, self._names, self._identities = (Parted(self._file) for _ in range(3))
        # By the digest referred to, then row and which reference it is. By digest, of what stands in records.
        self._references, self._inside = Parted(self._file), Parted(self._file)
        # By kind and digest, then offset and size.
        self._definitions, self._pending = Parted(self._file), Parted(self._file)
        self._looked_up: dict[int, tuple[int, int]] = {}
        self._looked_up_part = -1

    def take(self, batch: Batch) -> None:
        """Add rows after those that are there."""
        for start in range(0, len(batch.sightings), _BATCH):
            self._take_sightings(batch.sightings[start : start + _BATCH])
        if batch.definitions:
            self._looked_up_part = -1
        self._definitions.take([self._kept(hash((each.kind, each.digest)), each) for each in batch.definitions])
        self._pending.take([self._kept(hash((each.kind, each.wanted)), each) for each in batch.pending])

    def _kept(self, key: int, value: Definition | Pending) -> Entry:
        data = _encode(value)
        return key, self._file.append(data), len(data)

    def _take_sightings(self, sightings: list[Sighting]) -> None:
        data = _encode(sightings)
        self._firsts.append(self._rows)
        self._batches.append((self._file.append(data), len(data)))
        rows = list(enumerate(sightings, self._rows))
        self._rows += len(sightings)
        self._names.take([(hash((each.kind, each.name)), hash(each.digest), row) for row, each in rows])
        self._digests.take([(hash(each.digest), 0, row) for row, each in rows if not each.inside_record])
        self._inside.take([(hash(each.digest), 0, row) for row, each in rows if each.inside_record])
        self._identities.take(
            [(hash(each.identity), _told(each.provenance), row) for row, each in rows if each.identity is not None]
        )
        self._references.take(
            [
                (hash(wanted), row, position)
                for row, each in rows
                if each.references
                for position, wanted in enumerate(each.references)
            ]
        )

    def repeated(self) -> Iterator[Pair]:
        """Pairs of one digest: the first sighting, and each later one."""
        return self._pairs(self._digests, lambda first, again, told: True)

    def renamed(self) -> Iterator[Pair]:
        """Pairs of one kind and name: the first sighting, and the first one of each other digest."""

        def is_new(first: int, again: int, told: set[int]) -> bool:
            if again in told:
                return False
            told.add(again)
            return True

        return self._pairs(self._names, is_new)

    def indistinct(self) -> Iterator[Pair]:
        """Pairs of runs of equal digests: the first sighting, and each later one that tells another provenance."""
        return self._pairs(
            self._identities, lambda first, again, told: first != again and _UNTOLD not in (first, again)
        )

    def _pairs(self, parted: Parted, tells: Callable[[int, int, set[int]], bool]) -> Iterator[Pair]:
        """Pairs of rows with equal keys, of which the second one tells something; it is asked in the order of rows."""
        found: list[tuple[int, int]] = []
        for part in parted.repeated_parts():
            firsts: dict[int, Entry] = {}
            told: dict[int, set[int]] = {}
            for entry in triples(part):
                key, second, row = entry
                first = firsts.setdefault(key, entry)
                if first is not entry and tells(first[1], second, told.setdefault(key, {first[1]})):
                    found.append((first[2], row))
        rows = self._fetch(itertools.chain.from_iterable(found))
        return ((rows[first], rows[again]) for first, again in found)

    def unresolved(self, elsewhere: Iterable[str]) -> Iterator[tuple[Sighting, int]]:
        """References to digests that are neither here nor ``elsewhere``: whose, and which of its references."""
        there = Parted(self._file)
        there.take((hash(digest), 0, 0) for digest in elsewhere)
        lost: list[tuple[int, int]] = []
        for part in range(PARTS):
            known = {key for each in (self._digests, self._inside, there) for key in each.part(part)[::3]}
            lost += (entry[1:] for entry in triples(self._references.part(part)) if entry[0] not in known)
        rows = self._fetch(row for row, _ in lost)
        return ((rows[row], position) for row, position in lost)

    def _fetch(self, wanted: Iterable[int]) -> dict[int, Sighting]:
        """Rows by their number; what is kept grows with the findings alone."""
        found: dict[int, Sighting] = {}
        at, sightings = -1, list[Sighting]()
        for row in sorted(set(wanted)):
            batch = bisect.bisect_right(self._firsts, row) - 1
            if batch != at:
                at, sightings = batch, _decode_sightings(self._file.read(*self._batches[batch]))
            found[row] = sightings[row - self._firsts[batch]]
        return found

    def definition(self, kind: str, digest: str) -> bytes | None:
        """The first manifest of a kind and digest that others are compared with."""
        key = hash((kind, digest))
        if key % PARTS != self._looked_up_part:
            self._looked_up_part = key % PARTS
            self._looked_up = {}
            for at, offset, size in triples(self._definitions.part(self._looked_up_part)):
                self._looked_up.setdefault(at, (offset, size))
        place = self._looked_up.get(key)
        return None if place is None else _decode_definition(self._file.read(*place)).manifest

    def sightings(self) -> Iterator[Sighting]:
        """Every row, in order."""
        for place in self._batches:
            yield from _decode_sightings(self._file.read(*place))

    def definitions(self) -> Iterator[Definition]:
        """Every manifest that others are compared with; those of one digest in order."""
        return (_decode_definition(self._file.read(*place)) for _, *place in self._definitions.entries())

    def pending(self) -> Iterator[Pending]:
        """Every manifest that is to be compared, those of one counterpart together."""
        return (_decode_pending(self._file.read(*place)) for _, *place in self._pending.entries())
