"""What a file of foreign results turned into, what was left out and why, and what the identities of its rows hide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.identity import digest
from kernelindex_schema.sources.source import Trouble
from kernelindex_schema.sources.traps import IndistinctRuns, SharedName
from kernelindex_schema.v1alpha1 import (
    ImplementationRevision,
    Manifest,
    OperationSpec,
    Record,
    SoftwareProject,
    Submission,
    SubmittedImplementation,
    WorkloadCase,
)

__all__ = ["Imported", "Skipped", "finding_of_trouble"]


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A row of which nothing was imported."""

    reason: str
    """A short constant, by which rows are counted."""
    line: int
    column: str | None
    message: str


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What a file of foreign results turned into. Every list is in the order of first appearance."""

    source: str
    file: str
    rows: int
    """Rows of results in the file, imported or not."""
    projects: tuple[SoftwareProject, ...]
    operations: tuple[OperationSpec, ...]
    workloads: tuple[WorkloadCase, ...]
    implementations: tuple[SubmittedImplementation, ...]
    runs: tuple[Record, ...]
    skipped: tuple[Skipped, ...]
    findings: tuple[Finding, ...]
    """What is wrong with the file or its rows; traps are apart."""
    indistinct: tuple[IndistinctRuns, ...]
    shared_names: tuple[SharedName, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of what, in the order in which to tell it."""
        return {
            "rows": self.rows,
            "runs": len(self.runs),
            "operations": len(self.operations),
            "workloads": len(self.workloads),
            "implementations": len(self.implementations),
            "projects": len(self.projects),
            "protocols": len({record.run.spec.protocol_digest for record in self.runs}),
            "environments": len({record.run.spec.environment_digest for record in self.runs}),
        }

    @property
    def skipped_by_reason(self) -> dict[str, int]:
        """How many rows were skipped for each reason, the most frequent first."""
        counts: dict[str, int] = {}
        for each in self.skipped:
            counts[each.reason] = counts.get(each.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def trap_findings(self) -> tuple[Finding, ...]:
        """One finding (KIX507, KIX506) for each group of runs that mixes sources, and for each name of several."""
        told = [each.trouble() for each in self.indistinct if each.differ]
        told += [each.trouble() for each in self.shared_names]
        return tuple(finding_of_trouble(trouble, self.file) for trouble in told)

    @property
    def report(self) -> Report:
        """Every finding, with one for each trap."""
        return self._report(self.trap_findings)

    @property
    def brief_report(self) -> Report:
        """Every finding, with one that counts the traps of each sort."""
        return self._report(tuple(finding_of_trouble(trouble, self.file) for trouble in self._trap_troubles()))

    def trap_summary(self) -> list[str]:
        """The traps in a sentence each; empty where there are none."""
        return [trouble.message for trouble in self._trap_troubles()]

    def _report(self, traps: tuple[Finding, ...]) -> Report:
        findings = sorted(self.findings + traps, key=Finding.sort_key)
        return Report(findings=tuple(findings), files=1, documents=1, manifests=sum(1 for _ in self.manifests()))

    def _trap_troubles(self) -> Iterator[Trouble]:
        if self.indistinct:
            mixed = [each for each in self.indistinct if each.differ]
            differ = [each.differ for each in mixed]
            message = (
                f"groups of runs with all four digests equal: {len(self.indistinct)}; {len(mixed)} of them mix "
                f"providers ({differ.count('provider')}) or what was measured ({differ.count('subject')}), "
                "and only sourceNative tells those apart"
            )
            yield Trouble(
                rule="KIX507",
                line=(mixed or self.indistinct)[0].lines[1],
                message=message,
                severity=None if mixed else Severity.NOTE,
            )
        if self.shared_names:
            manifests = sum(len(each.lines) for each in self.shared_names)
            message = (
                f"names shared by manifests of different digest: {len(self.shared_names)}, on {manifests} manifests"
            )
            yield Trouble(rule="KIX506", line=self.shared_names[0].lines[1], message=message)

    def submission(self) -> Submission:
        """Everything as one submission; a section without entries is left out."""
        sections: dict[str, Any] = {
            "projects": self.projects,
            "operations": self.operations,
            "workloads": self.workloads,
            "implementations": self.implementations,
            "runs": self.runs,
        }
        return Submission(**{name: entries for name, entries in sections.items() if entries})

    def documents(self) -> Iterator[Manifest | Record]:
        """Everything as a stream: manifests, each before what refers to it, then the records.

        An implementation stands alone in it, without the project that it is submitted under.
        """
        yield from self.projects
        yield from self.operations
        yield from self.workloads
        for each in self.implementations:
            yield each.manifest
        yield from self.runs

    def files(self, suffix: str = ".json") -> Iterator[tuple[str, Manifest | Record]]:
        """Everything as a folder: a relative path with ``/`` for each document of :meth:`documents`.

        Runs carry the first 12 digits of their digest, since their names repeat; others only where their name is
        taken.
        """
        folders: dict[type, str] = {
            SoftwareProject: "projects",
            OperationSpec: "operations",
            WorkloadCase: "workloads",
            ImplementationRevision: "implementations",
            Record: "runs",
        }
        taken: set[str] = set()
        for document in self.documents():
            manifest = document.run if isinstance(document, Record) else document
            path = f"{folders[type(document)]}/{manifest.metadata.name}"
            if isinstance(document, Record) or path in taken:
                path += "-" + digest(manifest).removeprefix("sha256:")[:12]
            taken.add(path)
            yield path + suffix, document

    def manifests(self) -> Iterator[Manifest]:
        """Every manifest once, the protocols and environments inside records among them."""
        seen: set[str] = set()
        for document in self.documents():
            if not isinstance(document, Record):
                yield document
                continue
            yield document.run
            spec = document.run.spec
            for identity, manifest in (
                (spec.protocol_digest, document.protocol),
                (spec.environment_digest, document.environment),
            ):
                if identity not in seen:
                    seen.add(identity)
                    yield manifest


def finding_of_trouble(trouble: Trouble, file: str) -> Finding:
    """A trouble as a finding of its rule."""
    from kernelindex_schema.rules import RULES

    rule = RULES[trouble.rule]
    position = trouble.position
    return Finding(
        rule=rule.id,
        name=rule.name,
        severity=trouble.severity or rule.severity,
        message=trouble.message,
        file=file,
        line=position.line if position else trouble.line,
        column=position.column if position else None,
        end_line=position.end_line if position else None,
        end_column=position.end_column if position else None,
        hint=trouble.hint,
        related=tuple(msgspec.structs.replace(each, file=file) for each in trouble.related),
        url=rule.url,
    )
