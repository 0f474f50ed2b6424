"""Running a source over a file: counting, repeats, findings, and the traps among what came in."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET

from kernelindex_schema.errors import UnencodableValue, UnreadableDocument
from kernelindex_schema.findings import Finding
from kernelindex_schema.identity import digest
from kernelindex_schema.sources.outcome import Imported, Skipped, finding_of_trouble
from kernelindex_schema.sources.source import Mapped, Row, Skip, Source, Trouble, recognised, source_class
from kernelindex_schema.sources.traps import Traced, find_traps
from kernelindex_schema.v1alpha1 import (
    ImplementationRevision,
    Manifest,
    OperationSpec,
    SoftwareProject,
    SubmittedImplementation,
    WorkloadCase,
)

__all__ = ["Imported", "import_file", "import_stream"]

HEAD_BYTES = 65_536
PROGRESS_ROWS = 200


class _Collection:
    """Manifests by name and identity: the first of each is kept."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str, str], Any] = {}
        self.external_ids: dict[tuple[str, str], int] = {}
        self.traced: list[Traced] = []

    def add(self, mapped: Mapped, row: Row) -> None:
        run = mapped.record.run
        native = run.spec.source_native
        external = UNSET if native is UNSET else native.external_id
        if native is not UNSET and external is not UNSET:
            first = self.external_ids.setdefault((native.source, external), row.line)
            if first != row.line:
                raise Skip("duplicate", f"line {first} has the same externalId {external}")
        manifests: list[Manifest] = [mapped.project, mapped.workload, mapped.implementation, run]
        if mapped.operation is not None:
            manifests.append(mapped.operation)
        identities = [(each.kind, each.metadata.name, digest(each)) for each in manifests]
        for identity, manifest in zip(identities, manifests, strict=True):
            if isinstance(manifest, ImplementationRevision):
                entry: Any = SubmittedImplementation(project_slug=mapped.project.metadata.name, manifest=manifest)
            else:
                entry = mapped.record if manifest is run else manifest
            self.entries.setdefault(identity, entry)
        self.traced.append(Traced(mapped=mapped, line=row.line, identities=tuple(identities)))

    def of(self, kind: type[Manifest]) -> tuple[Any, ...]:
        return tuple(entry for (name, _, _), entry in self.entries.items() if name == kind.__name__)


def import_file(
    path: str | os.PathLike[str], source: str | None = None, *, progress: Callable[[int], None] | None = None
) -> Imported:
    """Import a file of foreign results.

    Args:
        path: the file.
        source: a name in :data:`~kernelindex_schema.sources.source.SOURCES`; by default the one that recognises the
            file.
        progress: called now and then with the number of rows read so far.

    Raises:
        UnreadableDocument: the file cannot be opened, or no source recognises it.
        KeyError: there is no source of this name.
    """
    try:
        with open(path, "rb") as stream:
            if source is None:
                found = recognised(stream.read(HEAD_BYTES))
                stream.seek(0)
            else:
                found = source_class(source)
            return import_stream(found(), stream, os.fspath(path), progress=progress)
    except OSError as error:
        raise UnreadableDocument(f"{os.fspath(path)}: {error.strerror or error}") from error


def import_stream(
    source: Source, stream: BinaryIO, file: str, *, progress: Callable[[int], None] | None = None
) -> Imported:
    """Import an open file with a fresh instance of a source; ``file`` names it in findings."""
    collection = _Collection()
    skipped: list[Skipped] = []
    findings: list[Finding] = []
    rows = 0
    for row in source.rows(stream):
        if isinstance(row, Trouble):
            findings.append(finding_of_trouble(row, file))
            if row.is_row:
                rows += 1
                skipped.append(Skipped(reason="damaged", line=row.line, column=row.column, message=row.message))
            continue
        rows += 1
        if progress is not None and rows % PROGRESS_ROWS == 0:
            progress(rows)
        try:
            mapped = source.map(row)
            collection.add(mapped, row)
        except Skip as skip:
            skipped.append(Skipped(reason=skip.reason, line=row.line, column=skip.column, message=skip.message))
            if skip.rule is not None:
                findings.append(finding_of_trouble(_row_trouble(row, skip.rule, skip.column, skip.message), file))
        except (msgspec.ValidationError, UnencodableValue) as error:
            # The row itself is sound by the source's rules, yet no valid manifest: a text too long, say.
            skipped.append(Skipped(reason="invalid", line=row.line, column=None, message=str(error)))
            findings.append(
                finding_of_trouble(_row_trouble(row, "KIX105", None, f"no valid manifest comes of it: {error}"), file)
            )
        except Exception as error:  # a source that did not foresee a row must not hide the other rows
            message = f"the source {source.name} crashed on this row: {type(error).__name__}: {error}"
            skipped.append(Skipped(reason="crashed", line=row.line, column=None, message=message))
            findings.append(finding_of_trouble(_row_trouble(row, "KIX002", None, message), file))
        else:
            for rule, column, message in mapped.remarks:
                findings.append(finding_of_trouble(_row_trouble(row, rule, column, message), file))
    indistinct, shared_names = find_traps(collection.traced)
    return Imported(
        source=source.name,
        file=file,
        rows=rows,
        projects=collection.of(SoftwareProject),
        operations=collection.of(OperationSpec),
        workloads=collection.of(WorkloadCase),
        implementations=collection.of(ImplementationRevision),
        runs=tuple(each.mapped.record for each in collection.traced),
        skipped=tuple(skipped),
        findings=tuple(sorted(findings, key=Finding.sort_key)),
        indistinct=indistinct,
        shared_names=shared_names,
    )


def _row_trouble(row: Row, rule: str, column: str | None, message: str) -> Trouble:
    position = row.position(column) if column is not None else None
    return Trouble(rule=rule, line=row.line, column=column, position=position, message=message)
