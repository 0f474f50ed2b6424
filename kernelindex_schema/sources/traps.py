"""What the identities of imported rows hide: runs that nothing but their source tells apart, and names of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from kernelindex_schema.findings import Related
from kernelindex_schema.sources.source import Mapped, Trouble

__all__ = ["IndistinctRuns", "SharedName", "Traced", "find_traps"]


class Traced(msgspec.Struct, frozen=True, kw_only=True):
    """An imported row with the line and the identities that it led to."""

    mapped: Mapped
    line: int
    identities: tuple[tuple[str, str, str], ...]
    """Kind, metadata.name and digest of each of its manifests."""


class IndistinctRuns(msgspec.Struct, frozen=True, kw_only=True):
    """Runs with the same workload, implementation, protocol and environment digests."""

    lines: tuple[int, ...]
    names: tuple[str, ...]
    """What was measured and whose it is, as ``subject/provider``, one for each line."""
    differ: Literal["provider", "subject"] | None
    """What the digests do not tell; None where the rows repeat one measurement."""

    def trouble(self) -> Trouble:
        """The group as a finding at its second row."""
        told = " and ".join(dict.fromkeys(self.names))
        return Trouble(
            rule="KIX507",
            line=self.lines[1],
            message=f"the runs of {told} have the same four digests: only sourceNative tells them apart",
            related=tuple(
                Related(line=line, message=f"run of {name}") for line, name in zip(self.lines, self.names, strict=True)
            ),
        )


class SharedName(msgspec.Struct, frozen=True, kw_only=True):
    """One kind and name that stands for several identities."""

    kind: str
    name: str
    lines: tuple[int, ...]
    """The row that brought each identity in."""

    def trouble(self) -> Trouble:
        """The name as a finding at its second row."""
        return Trouble(
            rule="KIX506",
            line=self.lines[1],
            message=f"{len(self.lines)} {self.kind} manifests of different digest are named {self.name}",
            related=tuple(Related(line=line, message=f"named {self.name}") for line in self.lines),
        )


def find_traps(rows: Sequence[Traced]) -> tuple[tuple[IndistinctRuns, ...], tuple[SharedName, ...]]:
    """Both kinds of trap, in order of first appearance."""
    groups: dict[tuple[str, str, str, str], list[Traced]] = {}
    named: dict[tuple[str, str], dict[str, int]] = {}
    for row in rows:
        spec = row.mapped.record.run.spec
        digests = (spec.workload_digest, spec.implementation_digest, spec.protocol_digest, spec.environment_digest)
        groups.setdefault(digests, []).append(row)
        for kind, name, identity in row.identities:
            named.setdefault((kind, name), {}).setdefault(identity, row.line)
    indistinct = tuple(_indistinct(group) for group in groups.values() if len(group) > 1)
    shared = tuple(
        SharedName(kind=kind, name=name, lines=tuple(identities.values()))
        for (kind, name), identities in named.items()
        if len(identities) > 1
    )
    return indistinct, shared


def _indistinct(group: Sequence[Traced]) -> IndistinctRuns:
    differ: Literal["provider", "subject"] | None = None
    if len({row.mapped.provider for row in group}) > 1:
        differ = "provider"
    elif len({row.mapped.subject for row in group}) > 1:
        differ = "subject"
    return IndistinctRuns(
        lines=tuple(row.line for row in group),
        names=tuple(f"{row.mapped.subject}/{row.mapped.provider}" for row in group),
        differ=differ,
    )
