"""What many documents say together: repeats, names, and references that lead nowhere.

Of every manifest only a small row is kept, so memory grows with the number of manifests and not with their size. Rows
of parts merge in the order of the parts, so that work split over processes gives the same findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Path, dotted_path
from kernelindex_schema.rules.reference import run_identity, run_provenance
from kernelindex_schema.v1alpha1 import (
    KINDS,
    BenchmarkRun,
    Manifest,
    OperationSpec,
    ServingConfiguration,
    ServingRun,
    WorkloadCase,
    WorkloadSuite,
)

__all__ = ["Collection", "Sighting", "unresolved"]


class Sighting(msgspec.Struct, frozen=True, array_like=True):
    """A manifest that was met: what it is, and where."""

    kind: str
    name: str
    digest: str
    file: str
    document: int
    path: Path
    inside_record: bool
    """Whether it is the protocol or environment of a record, which every record repeats."""


class _Run(msgspec.Struct, frozen=True, array_like=True):
    """What makes a run distinct besides its own digest: see KIX507."""

    sighting: Sighting
    four: tuple[str, str, str, str]
    provenance: tuple[str, str, str] | None
    """Its source, benchmark and case, as far as it tells them."""


class _Reference(msgspec.Struct, frozen=True, array_like=True):
    sighting: Sighting
    path: Path
    digest: str
    kinds: tuple[str, ...]


class Collection(msgspec.Struct):
    """The rows of the documents that were checked together."""

    sightings: list[Sighting] = []
    runs: list[_Run] = []
    references: list[_Reference] = []
    operations: dict[str, OperationSpec] = {}
    configurations: dict[str, ServingConfiguration] = {}
    waiting: list[tuple[Sighting, Manifest]] = []
    """Workloads and serving runs whose counterpart may still come."""

    def add(self, manifest: Manifest, sighting: Sighting, *, wants_references: bool) -> None:
        """Take note of a manifest."""
        self.sightings.append(sighting)
        if isinstance(manifest, BenchmarkRun):
            self.runs.append(_Run(sighting, run_identity(manifest), run_provenance(manifest)))
        elif isinstance(manifest, OperationSpec):
            self.operations.setdefault(sighting.digest, manifest)
        elif isinstance(manifest, ServingConfiguration):
            self.configurations.setdefault(sighting.digest, manifest)
        if isinstance(manifest, WorkloadCase | WorkloadSuite | ServingRun):
            self.waiting.append((sighting, manifest))
        if wants_references:
            for reference in KINDS[manifest.kind].references:
                digest = reference.digest_of(manifest)
                path = (*sighting.path, *reference.path)
                self.references.append(_Reference(sighting, path, digest, reference.kinds))

    def merge(self, other: Collection) -> None:
        """Take over the rows of the part that follows."""
        self.sightings += other.sightings
        self.runs += other.runs
        self.references += other.references
        for digest, operation in other.operations.items():
            self.operations.setdefault(digest, operation)
        for digest, configuration in other.configurations.items():
            self.configurations.setdefault(digest, configuration)
        self.waiting += other.waiting

    def faults(self, registry: Collection | None = None) -> Iterator[tuple[Sighting, Fault]]:
        """What is wrong with the documents together; ``registry`` is where the rest lies (``--registry``)."""
        yield from _repeated(self.sightings)
        yield from _one_name_two_identities(self.sightings)
        yield from _indistinct(self.runs)
        if registry is not None:
            yield from self._unresolved(registry)

    def pairs(self, registry: Collection | None = None) -> Iterator[tuple[Sighting, str, Any]]:
        """Manifests that are both at hand and speak of each other: place of the first, subject of rules, the pair."""
        around = registry or Collection()
        for sighting, manifest in self.waiting:
            if isinstance(manifest, WorkloadCase | WorkloadSuite):
                wanted = manifest.spec.operation_spec_digest
                operation = self.operations.get(wanted) or around.operations.get(wanted)
                if operation is not None:
                    yield sighting, "workload with operation", (manifest, operation)
            elif isinstance(manifest, ServingRun):
                wanted = manifest.spec.configuration_digest
                configuration = self.configurations.get(wanted) or around.configurations.get(wanted)
                if configuration is not None:
                    yield sighting, "serving run with configuration", (manifest, configuration)

    def _unresolved(self, registry: Collection) -> Iterator[tuple[Sighting, Fault]]:
        known = {sighting.digest for rows in (self, registry) for sighting in rows.sightings}
        for row in self.references:
            if row.digest not in known:
                where = "here or in the registry folder"
                yield row.sighting, unresolved(row.path, row.digest, row.kinds, where)


def unresolved(path: Path, digest: str, kinds: tuple[str, ...], where: str) -> Fault:
    """KIX503: a digest that no manifest at hand has."""
    message = f"{dotted_path(path)} is {digest}, which no {' or '.join(kinds)} {where} has"
    return Fault(rule="KIX503", message=message, path=path)


def _groups(rows: Iterable[Any], key: Callable[[Any], Any]) -> Iterator[list[Any]]:
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


def _where(sighting: Sighting) -> str:
    return f"{sighting.file}, document {sighting.document}" + (
        f", {dotted_path(sighting.path)}" if sighting.path else ""
    )


def _repeated(sightings: list[Sighting]) -> Iterator[tuple[Sighting, Fault]]:
    for first, *others in _groups((each for each in sightings if not each.inside_record), lambda row: row.digest):
        for again in others:
            message = f"this {again.kind} is the same as {first.name} in {_where(first)}: both have {again.digest}"
            yield again, Fault(rule="KIX505", message=message, path=again.path)


def _one_name_two_identities(sightings: list[Sighting]) -> Iterator[tuple[Sighting, Fault]]:
    for group in _groups(sightings, lambda row: (row.kind, row.name)):
        seen = {group[0].digest}
        for again in group[1:]:
            if again.digest not in seen:
                seen.add(again.digest)
                message = (
                    f"the {again.kind} {again.name} has another identity in {_where(group[0])}: "
                    f"{again.digest} here, {group[0].digest} there"
                )
                yield again, Fault(rule="KIX506", message=message, path=(*again.path, "metadata", "name"))


def _indistinct(runs: list[_Run]) -> Iterator[tuple[Sighting, Fault]]:
    for first, *others in _groups(runs, lambda row: row.four):
        for again in others:
            told = None not in (again.provenance, first.provenance)
            if told and again.provenance != first.provenance:
                message = (
                    f"all four digests of this run are those of {first.sighting.name} in {_where(first.sighting)}, "
                    "yet their sources differ"
                )
                yield again.sighting, Fault(rule="KIX507", message=message, path=(*again.sighting.path, "spec"))
