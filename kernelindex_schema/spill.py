"""The rows of a large collection in a temporary SQLite database, so that memory stays flat over any number of them.

SQLite keeps a few MB in memory, the rest in a file that has no name and goes with the process. Of each row the columns
that groups are made by are kept as Python's own 64-bit hashes, valid within one process; the rows themselves lie in
batches and are fetched for findings alone. Two texts of one hash (at a million rows, once in ten million times) would
be told apart there.
"""

from __future__ import annotations

import itertools
import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from kernelindex_schema.sightings import Batch, Definition, Pending, Sighting

__all__ = ["Spill", "SpillFailed"]

SpillFailed = sqlite3.Error
"""Such as a full disk."""

_BATCH = 1024
_CACHE_KB = 4096

_SETTINGS = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA temp_store = FILE;
PRAGMA cache_size = -{_CACHE_KB};
"""

_TABLES = """
CREATE TABLE batch (first INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE seen (digest INTEGER, name INTEGER, inside INTEGER, identity INTEGER, provenance INTEGER);
CREATE TABLE reference (wanted INTEGER, sighting INTEGER, position INTEGER);
CREATE TABLE definition (kind TEXT, digest TEXT, manifest BLOB, PRIMARY KEY (kind, digest)) WITHOUT ROWID;
CREATE TABLE pending (data BLOB);
"""

# Each gives pairs: the row of the first sighting, and the row of a later one that there is something to tell of.
_REPEATED = """
SELECT groups.first, seen.rowid FROM seen JOIN (
    SELECT digest, min(rowid) AS first FROM seen WHERE NOT inside GROUP BY digest HAVING count(*) > 1
) AS groups USING (digest) WHERE NOT seen.inside AND seen.rowid > groups.first
"""
_RENAMED = """
SELECT groups.first, min(seen.rowid) FROM seen JOIN (
    SELECT name, min(rowid) AS first FROM seen GROUP BY name HAVING min(digest) <> max(digest)
) AS groups USING (name) GROUP BY seen.name, seen.digest HAVING min(seen.rowid) > groups.first
"""
_INDISTINCT = """
SELECT groups.first, seen.rowid FROM seen JOIN (
    SELECT identity, min(rowid) AS first FROM seen WHERE identity IS NOT NULL
    GROUP BY identity HAVING min(provenance) <> max(provenance)
) AS groups USING (identity) JOIN seen AS leader ON leader.rowid = groups.first
WHERE seen.provenance <> leader.provenance
"""
_UNRESOLVED = """
SELECT sighting, position FROM reference
WHERE NOT EXISTS (SELECT 1 FROM known WHERE known.digest = reference.wanted) ORDER BY sighting, position
"""

_encode = msgspec.msgpack.Encoder().encode
_decode_sightings = msgspec.msgpack.Decoder(list[Sighting]).decode
_decode_pending = msgspec.msgpack.Decoder(Pending).decode


class Spill:
    """Rows in the order in which they were taken; the same questions are answered as of rows in memory.

    Every method may raise :data:`SpillFailed`.
    """

    def __init__(self) -> None:
        self._rows = 0
        self._base = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._base.executescript(_SETTINGS + _TABLES + "BEGIN;")
        weakref.finalize(self, self._base.close)

    def take(self, batch: Batch) -> None:
        """Add rows after those that are there."""
        for start in range(0, len(batch.sightings), _BATCH):
            self._take_sightings(batch.sightings[start : start + _BATCH])
        definitions = ((each.kind, each.digest, each.manifest) for each in batch.definitions)
        self._base.executemany("INSERT OR IGNORE INTO definition VALUES (?, ?, ?)", definitions)
        self._base.executemany("INSERT INTO pending VALUES (?)", ((_encode(each),) for each in batch.pending))

    def _take_sightings(self, sightings: Sequence[Sighting]) -> None:
        first = self._rows + 1
        self._rows += len(sightings)
        self._base.execute("INSERT INTO batch VALUES (?, ?)", (first, _encode(sightings)))
        self._base.executemany(
            "INSERT INTO seen VALUES (?, ?, ?, ?, ?)",
            [
                (
                    hash(each.digest),
                    hash((each.kind, each.name)),
                    each.inside_record,
                    None if each.identity is None else hash(each.identity),
                    None if each.provenance is None else hash(each.provenance),
                )
                for each in sightings
            ],
        )
        references = [
            (hash(digest), row, position)
            for row, each in enumerate(sightings, first)
            for position, digest in enumerate(each.references)
        ]
        self._base.executemany("INSERT INTO reference VALUES (?, ?, ?)", references)

    def repeated(self) -> Iterator[tuple[Sighting, Sighting]]:
        """Pairs of one digest: the first sighting, and each later one."""
        return self._pairs(_REPEATED)

    def renamed(self) -> Iterator[tuple[Sighting, Sighting]]:
        """Pairs of one kind and name: the first sighting, and the first one of each other digest."""
        return self._pairs(_RENAMED)

    def indistinct(self) -> Iterator[tuple[Sighting, Sighting]]:
        """Pairs of runs of equal digests: the first sighting, and each later one that tells another provenance."""
        return self._pairs(_INDISTINCT)

    def _pairs(self, query: str) -> Iterator[tuple[Sighting, Sighting]]:
        pairs: list[tuple[int, int]] = self._base.execute(query).fetchall()
        rows = self._fetch(itertools.chain.from_iterable(pairs))
        return ((rows[first], rows[again]) for first, again in pairs)

    def unresolved(self, elsewhere: Iterable[str]) -> Iterator[tuple[Sighting, int]]:
        """References to digests that are neither here nor ``elsewhere``: whose, and which of its references."""
        self._base.execute("CREATE TEMP TABLE known (digest INTEGER PRIMARY KEY)")
        self._base.execute("INSERT OR IGNORE INTO known SELECT digest FROM seen ORDER BY digest")
        self._base.executemany("INSERT OR IGNORE INTO known VALUES (?)", ((hash(digest),) for digest in elsewhere))
        lost: list[tuple[int, int]] = self._base.execute(_UNRESOLVED).fetchall()
        self._base.execute("DROP TABLE known")
        rows = self._fetch(row for row, _ in lost)
        return ((rows[row], position) for row, position in lost)

    def _fetch(self, wanted: Iterable[int]) -> dict[int, Sighting]:
        """Rows by their number; what is kept grows with the findings alone."""
        found: dict[int, Sighting] = {}
        first, sightings = 0, list[Sighting]()
        for row in sorted(set(wanted)):
            if not first <= row < first + len(sightings):
                query = "SELECT first, data FROM batch WHERE first <= ? ORDER BY first DESC LIMIT 1"
                first, data = self._base.execute(query, (row,)).fetchone()
                sightings = _decode_sightings(data)
            found[row] = sightings[row - first]
        return found

    def definition(self, kind: str, digest: str) -> bytes | None:
        """The first manifest of a kind and digest that others are compared with."""
        query = "SELECT manifest FROM definition WHERE kind = ? AND digest = ?"
        row: tuple[bytes] | None = self._base.execute(query, (kind, digest)).fetchone()
        return row[0] if row else None

    def sightings(self) -> Iterator[Sighting]:
        """Every row."""
        for (data,) in self._base.execute("SELECT data FROM batch ORDER BY first"):
            yield from _decode_sightings(data)

    def definitions(self) -> Iterator[Definition]:
        """Every manifest that others are compared with."""
        for row in self._base.execute("SELECT kind, digest, manifest FROM definition"):
            yield Definition(*row)

    def pending(self) -> Iterator[Pending]:
        """Every manifest that is to be compared, in order."""
        for (data,) in self._base.execute("SELECT data FROM pending ORDER BY rowid"):
            yield _decode_pending(data)
