"""The documents that people exchange: which one a value is, and where its manifests stand (contract, Documents)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Path
from kernelindex_schema.structure.faults import likely_misspelt, missing_field, unknown_field, wrong_type
from kernelindex_schema.v1alpha1 import Manifest, Record, Submission, SubmittedImplementation

__all__ = [
    "CATALOG_DIGESTS",
    "RECORD_MEMBERS",
    "SECTIONS",
    "CatalogRow",
    "Shape",
    "Site",
    "manifests_in",
    "recognise",
    "whole_document",
]

_MOST_FAULTS = 1_000
"""With so many faults looking for manifests ends; a report shows a tenth of them."""

RECORD_MEMBERS = {
    "run": ("BenchmarkRun",),
    "protocol": ("BenchmarkProtocol",),
    "environment": ("ExecutionEnvironment",),
}

_RECORD_SITES = tuple(((member,), kinds) for member, kinds in RECORD_MEMBERS.items())

SECTIONS: dict[str, tuple[str, ...]] = {
    "projects": ("SoftwareProject",),
    "operations": ("OperationSpec",),
    "workloads": ("WorkloadCase", "WorkloadSuite"),
    "implementations": ("ImplementationRevision",),
    "runs": ("BenchmarkRun",),
}
"""Sections of a submission and the kinds that belong there."""

CATALOG_DIGESTS = {
    "operations": "semanticDigest",
    "workloads": "workloadDigest",
    "implementations": "implementationDigest",
    "benchmark_runs": "runDigest",
    "serving_runs": "runDigest",
    "serving_configurations": "configurationDigest",
    "serving_stack_revisions": "stackDigest",
    "serving_workloads": "workloadDigest",
    "model_revisions": "modelDigest",
}
"""Tables of a catalog export and the column that carries the digest of a row's manifest."""


class CatalogRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a catalog export: a row of a table, with the manifest or record that it may carry."""

    table: str
    row: dict[str, Any]
    """The row's columns; ``manifest`` among them holds the struct."""


class Site(msgspec.Struct, frozen=True):
    """A place of a document where a manifest belongs."""

    path: Path
    value: Any
    kinds: tuple[str, ...] = ()
    """The kinds that may stand there; empty for any."""


class Shape(msgspec.Struct):
    """What a document is, where its manifests stand, and what is wrong around them."""

    name: str
    """``manifest``, ``record``, ``submission``, ``bench record`` or ``catalog row``."""
    sites: list[Site]
    faults: list[Fault]


def recognise(value: dict[str, Any]) -> Shape | None:
    """The shape of a document, asked for in the order that the contract states; None for none of the known ones."""
    if value.keys() == RECORD_MEMBERS.keys():
        return Shape("record", [Site(path, value[path[0]], kinds) for path, kinds in _RECORD_SITES], [])
    if "apiVersion" in value or "kind" in value:
        return Shape("manifest", [Site((), value)], [])
    if "table" in value and "row" in value:
        return _catalog_row(value)
    if "run" in value and "workload" in value and "implementation" in value and "runs" not in value:
        return Shape("bench record", [], [])
    if "run" in value:
        shape = Shape("record", [], [])
        _record(value, (), shape)
        return shape
    if any(section in value for section in SECTIONS):
        return _submission(value)
    return None


def _members(value: dict[str, Any], path: Path, known: list[str], shape: Shape) -> None:
    for key in value:
        if key not in known and len(shape.faults) < _MOST_FAULTS:
            shape.faults.append(unknown_field((*path, key), [each for each in known if each not in value] or known))


def _record(value: Any, path: Path, shape: Shape) -> None:
    if not isinstance(value, dict):
        shape.faults.append(wrong_type(path, value, "a mapping of run, protocol and environment"))
        return
    _members(value, path, list(RECORD_MEMBERS), shape)
    for member, kinds in RECORD_MEMBERS.items():
        if member in value:
            shape.sites.append(Site((*path, member), value[member], kinds))
        elif not likely_misspelt(member, value, list(RECORD_MEMBERS)):
            shape.faults.append(missing_field(path, member))


def _submission(value: dict[str, Any]) -> Shape:
    shape = Shape("submission", [], [])
    _members(value, (), list(SECTIONS), shape)
    for section, kinds in SECTIONS.items():
        if section not in value:
            continue
        entries = value[section]
        if not isinstance(entries, list):
            shape.faults.append(wrong_type((section,), entries, "a list"))
            continue
        for index, entry in enumerate(entries):
            path: Path = (section, index)
            if len(shape.faults) >= _MOST_FAULTS:
                return shape
            if section == "runs":
                _record(entry, path, shape)
            elif section == "implementations":
                _implementation(entry, path, kinds, shape)
            else:
                shape.sites.append(Site(path, entry, kinds))
    if not shape.sites and not shape.faults:
        shape.faults.append(Fault(rule="KIX011", message="the submission holds no manifest, expected at least one"))
    return shape


def _implementation(entry: Any, path: Path, kinds: tuple[str, ...], shape: Shape) -> None:
    if not isinstance(entry, dict):
        shape.faults.append(wrong_type(path, entry, "a mapping of projectSlug and manifest"))
        return
    known = ["projectSlug", "manifest"]
    _members(entry, path, known, shape)
    if "projectSlug" not in entry:
        if not likely_misspelt("projectSlug", entry, known):
            shape.faults.append(missing_field(path, "projectSlug"))
    elif not isinstance(entry["projectSlug"], str):
        shape.faults.append(wrong_type((*path, "projectSlug"), entry["projectSlug"], "text"))
    if "manifest" in entry:
        shape.sites.append(Site((*path, "manifest"), entry["manifest"], kinds))
    elif not likely_misspelt("manifest", entry, known):
        shape.faults.append(missing_field(path, "manifest"))


def _catalog_row(value: dict[str, Any]) -> Shape:
    shape = Shape("catalog row", [], [])
    _members(value, (), ["table", "row"], shape)
    if not isinstance(value["table"], str):
        shape.faults.append(wrong_type(("table",), value["table"], "text"))
    row = value["row"]
    if not isinstance(row, dict):
        shape.faults.append(wrong_type(("row",), row, "a mapping"))
    elif isinstance(manifest := row.get("manifest"), dict):
        if "apiVersion" in manifest or "kind" in manifest or "run" not in manifest:
            shape.sites.append(Site(("row", "manifest"), manifest))
        else:
            _record(manifest, ("row", "manifest"), shape)
    elif manifest is not None:
        shape.faults.append(wrong_type(("row", "manifest"), manifest, "a manifest or a record"))
    return shape


def whole_document(shape: str, value: dict[str, Any], manifests: Sequence[tuple[Path, Manifest]]) -> Any:
    """The struct of a document from the structs of its manifests, all of which are valid."""
    if shape == "manifest":
        return manifests[0][1]
    at: dict[Path, Any] = dict(manifests)
    if shape == "record":
        return record_at(at, ())
    if shape == "catalog row":
        row = dict(value["row"])
        if manifests:
            root = ("row", "manifest")
            row["manifest"] = at[root] if root in at else record_at(at, root)
        return CatalogRow(table=value["table"], row=row)
    sections: dict[str, Any] = {}
    for section, entries in value.items():
        if section == "runs":
            sections[section] = tuple(record_at(at, (section, index)) for index in range(len(entries)))
        elif section == "implementations":
            sections[section] = tuple(
                SubmittedImplementation(project_slug=entry["projectSlug"], manifest=at[section, index, "manifest"])
                for index, entry in enumerate(entries)
            )
        else:
            sections[section] = tuple(at[section, index] for index in range(len(entries)))
    return Submission(**sections)


def record_at(at: dict[Path, Any], root: Path) -> Record:
    return Record(run=at[(*root, "run")], protocol=at[(*root, "protocol")], environment=at[(*root, "environment")])


def manifests_in(document: Any) -> Iterator[tuple[Path, Manifest]]:
    """Every manifest of a document's struct with its place, in the order of the document."""
    if isinstance(document, Manifest):
        yield (), document
    elif isinstance(document, Record):
        yield from (
            (("run",), document.run),
            (("protocol",), document.protocol),
            (("environment",), document.environment),
        )
    elif isinstance(document, Submission):
        for section in SECTIONS:
            entries = getattr(document, section)
            for index, entry in enumerate(() if entries is UNSET else entries):
                inner = entry.manifest if section == "implementations" else entry
                middle: Path = ("manifest",) if section == "implementations" else ()
                for path, manifest in manifests_in(inner):
                    yield (section, index, *middle, *path), manifest
    elif isinstance(document, CatalogRow):
        for path, manifest in manifests_in(document.row.get("manifest")):
            yield ("row", "manifest", *path), manifest
