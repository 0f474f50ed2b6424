"""What many documents say together: repeats, names, and references that lead nowhere.

Of every manifest a small row is kept: in memory up to some thousands, beyond that in a temporary file. Rows of parts
merge in the order of the parts, so that work split over processes gives the same findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Path, dotted_path
from kernelindex_schema.rules.reference import run_identity, run_provenance
from kernelindex_schema.sightings import Batch, Definition, Pending, Sighting, packed_manifest, unpacked_manifest
from kernelindex_schema.v1alpha1 import KINDS, BenchmarkRun, Manifest

if TYPE_CHECKING:
    from kernelindex_schema.spill import Spill

__all__ = ["Collection", "Sighting", "unresolved"]

_HELD = 8192
"""Rows in memory; so many take some 8 MB."""
_HELD_BESIDE_SPILL = 2048
_PASSED_OVER = 4096

_COMPARED = {
    "WorkloadCase": ("OperationSpec", "workload with operation"),
    "WorkloadSuite": ("OperationSpec", "workload with operation"),
    "ServingRun": ("ServingConfiguration", "serving run with configuration"),
}
"""Kinds that are compared with what they refer to: its kind, and the subject of the rules that look at both."""
_COMPARED_WITH = frozenset(kind for kind, _ in _COMPARED.values())

Pair = tuple[Sighting, Sighting]


class Collection:
    """The rows of the documents that were checked together."""

    def __init__(self, held: int = _HELD) -> None:
        self._limit = held
        self._sightings: list[Sighting] = []
        self._definitions: dict[tuple[str, str], bytes] = {}
        self._pending: list[Pending] = []
        self._known_inside: set[tuple[str, str]] = set()
        self._spill: Spill | None = None
        self.failure: str | None = None
        """Why rows could not be kept, such as a full disk; they cannot be asked about then."""

    def add(
        self, manifest: Manifest, digest: str, file: str, document: int, path: Path, *, wants_references: bool = False
    ) -> None:
        """Take note of a manifest; ``wants_references`` keeps what it refers to, for a look into a registry."""
        name = manifest.metadata.name
        if path and path[-1] in ("protocol", "environment"):
            if self._is_new(name, digest):
                self._sightings.append(Sighting(manifest.kind, name, digest, file, document, path, True))
                self._bound()
            return
        kind = manifest.kind
        references: tuple[str, ...] = ()
        if wants_references:
            references = tuple(reference.digest_of(manifest) for reference in KINDS[kind].references)
        if isinstance(manifest, BenchmarkRun):
            one, two, three, four = run_identity(manifest)
            identity = one[7:23] + two[7:23] + three[7:23] + four[7:23]
            provenance = run_provenance(manifest)
            self._sightings.append(
                Sighting(kind, name, digest, file, document, path, False, identity, provenance, references)
            )
            self._bound()
            return
        sighting = Sighting(kind, name, digest, file, document, path, False, None, None, references)
        if kind in _COMPARED:
            other = _COMPARED[kind][0]
            wanted = next(each for each in KINDS[kind].references if other in each.kinds)
            self._pending.append(Pending(sighting, other, wanted.digest_of(manifest), packed_manifest(manifest)))
        elif kind in _COMPARED_WITH:
            self._definitions.setdefault((kind, digest), packed_manifest(manifest))
        self._sightings.append(sighting)
        self._bound()

    def _is_new(self, name: str, digest: str) -> bool:
        """Whether the protocol or environment of a record is noted: every record repeats it, and once says it all."""
        if (name, digest) in self._known_inside:
            return False
        if len(self._known_inside) >= _PASSED_OVER:
            self._known_inside.clear()
        self._known_inside.add((name, digest))
        return True

    def _bound(self) -> None:
        if len(self._sightings) >= self._limit or len(self._pending) >= self._limit:
            self._write()

    def _write(self) -> None:
        """Move the rows out of memory."""
        from kernelindex_schema.spill import Spill

        batch = Batch(
            self._sightings,
            [Definition(kind, digest, manifest) for (kind, digest), manifest in self._definitions.items()],
            self._pending,
        )
        self._sightings, self._definitions, self._pending = [], {}, []
        if self.failure is not None:
            return
        try:
            if self._spill is None:
                self._spill = Spill()
                self._limit = min(self._limit, _HELD_BESIDE_SPILL)
            self._spill.take(batch)
        except OSError as error:
            self.failure = f"the temporary file for a large collection failed: {error.strerror or error}"

    def _settled(self) -> Spill | _Held:
        """All rows in one place, to be asked about them.

        Raises:
            OSError: rows were lost.
        """
        if self.failure is not None:
            raise OSError(self.failure)
        if self._spill is None:
            return _Held(self._sightings)
        self._write()
        return self._spill

    def merge(self, other: Collection) -> None:
        """Take over the rows of the part that follows."""
        for batch in other._batches():
            self._merge_batch(batch)

    def _merge_batch(self, batch: Batch) -> None:
        for each in batch.definitions:
            self._definitions.setdefault((each.kind, each.digest), each.manifest)
        self._pending += batch.pending
        self._sightings += [
            each for each in batch.sightings if not each.inside_record or self._is_new(each.name, each.digest)
        ]
        self._bound()

    def _batches(self, size: int = 1024) -> Iterator[Batch]:
        rows = self._settled()
        definitions: Iterable[Definition] = (
            Definition(kind, digest, manifest) for (kind, digest), manifest in self._definitions.items()
        )
        pending: Iterable[Pending] = self._pending
        if self._spill is not None:
            definitions, pending = self._spill.definitions(), self._spill.pending()
        for some in _in_lists(definitions, size):
            yield Batch(definitions=some)
        for waiting in _in_lists(pending, size):
            yield Batch(pending=waiting)
        for sightings in _in_lists(rows.sightings(), size):
            yield Batch(sightings=sightings)

    def pack(self) -> list[bytes]:
        """The rows as bytes, to travel between processes."""
        return [msgspec.msgpack.encode(batch) for batch in self._batches()]

    def merge_packed(self, packed: Iterable[bytes]) -> None:
        """Take over the rows that another process packed."""
        for data in packed:
            self._merge_batch(msgspec.msgpack.decode(data, type=Batch))

    def faults(self, registry: Collection | None = None) -> Iterator[tuple[Sighting, Fault]]:
        """What is wrong with the documents together; ``registry`` is where the rest lies (``--registry``)."""
        rows = self._settled()
        for first, again in rows.repeated():
            message = f"this {again.kind} is the same as {first.name} in {_where(first)}: both have {again.digest}"
            yield again, Fault(rule="KIX505", message=message, path=again.path)
        for first, again in rows.renamed():
            message = (
                f"the {again.kind} {again.name} has another identity in {_where(first)}: "
                f"{again.digest} here, {first.digest} there"
            )
            yield again, Fault(rule="KIX506", message=message, path=(*again.path, "metadata", "name"))
        for first, again in rows.indistinct():
            message = (
                f"all four digests of this run are those of {first.name} in {_where(first)}, yet their sources differ"
            )
            yield again, Fault(rule="KIX507", message=message, path=(*again.path, "spec"))
        if registry is not None:
            elsewhere = (sighting.digest for sighting in registry._settled().sightings())
            for row, position in rows.unresolved(elsewhere):
                reference = KINDS[row.kind].references[position]
                path = (*row.path, *reference.path)
                where = "here or in the registry folder"
                yield row, unresolved(path, row.references[position], reference.kinds, where)

    def pairs(self, registry: Collection | None = None) -> Iterator[tuple[Sighting, str, Any]]:
        """Manifests that are both at hand and speak of each other: place of the first, subject of rules, the pair."""
        self._settled()
        pending = self._pending if self._spill is None else self._spill.pending()
        known: dict[tuple[str, str], Any] = {}
        for each in pending:
            at = each.kind, each.wanted
            if at not in known:
                if len(known) >= 256:
                    known.clear()
                data = self.definition(*at) or (registry.definition(*at) if registry is not None else None)
                known[at] = None if data is None else unpacked_manifest(each.kind, data)
            counterpart = known[at]
            if counterpart is not None:
                kind = each.sighting.kind
                yield each.sighting, _COMPARED[kind][1], (unpacked_manifest(kind, each.manifest), counterpart)

    def definition(self, kind: str, digest: str) -> bytes | None:
        """The first manifest of a kind and digest that others are compared with, as bytes."""
        found = self._spill.definition(kind, digest) if self._spill is not None else None
        return found or self._definitions.get((kind, digest))


class _Held:
    """Rows in memory, and the questions that a :class:`Spill` answers too."""

    def __init__(self, sightings: list[Sighting]) -> None:
        self._sightings = sightings

    def sightings(self) -> Iterator[Sighting]:
        return iter(self._sightings)

    def repeated(self) -> Iterator[Pair]:
        for first, *others in _groups((each for each in self._sightings if not each.inside_record), _digest):
            for again in others:
                yield first, again

    def renamed(self) -> Iterator[Pair]:
        for first, *others in _groups(self._sightings, lambda each: (each.kind, each.name)):
            told = {first.digest}
            for again in others:
                if again.digest not in told:
                    told.add(again.digest)
                    yield first, again

    def indistinct(self) -> Iterator[Pair]:
        runs = (each for each in self._sightings if each.identity is not None)
        for first, *others in _groups(runs, lambda each: each.identity):
            for again in others:
                if None not in (first.provenance, again.provenance) and again.provenance != first.provenance:
                    yield first, again

    def unresolved(self, elsewhere: Iterable[str]) -> Iterator[tuple[Sighting, int]]:
        known = {each.digest for each in self._sightings}.union(elsewhere)
        for each in self._sightings:
            for position, digest in enumerate(each.references):
                if digest not in known:
                    yield each, position


def _digest(sighting: Sighting) -> str:
    return sighting.digest


def unresolved(path: Path, digest: str, kinds: tuple[str, ...], where: str) -> Fault:
    """KIX503: a digest that no manifest at hand has."""
    message = f"{dotted_path(path)} is {digest}, which no {' or '.join(kinds)} {where} has"
    return Fault(rule="KIX503", message=message, path=path)


def _groups(rows: Iterable[Sighting], key: Callable[[Sighting], Any]) -> Iterator[list[Sighting]]:
    """Rows with equal keys, two or more, in order of first sight."""
    groups: dict[Any, Any] = {}
    for row in rows:
        at = key(row)
        if at not in groups:
            groups[at] = row
        elif isinstance(groups[at], list):
            groups[at].append(row)
        else:
            groups[at] = [groups[at], row]
    return (group for group in groups.values() if isinstance(group, list))


def _in_lists(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    some: list[Any] = []
    for row in rows:
        some.append(row)
        if len(some) >= size:
            yield some
            some = []
    if some:
        yield some


def _where(sighting: Sighting) -> str:
    return f"{sighting.file}, document {sighting.document}" + (
        f", {dotted_path(sighting.path)}" if sighting.path else ""
    )
