"""Faults and rule hits become findings: the rule's own words, and the place in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Finding, Path, Position, Related, dotted_path, json_pointer
from kernelindex_schema.rules import RULES

__all__ = ["Place", "finding_of", "named"]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a document besides the path of a fault."""

    file: str | None = None
    document: int | None = None
    locate: Callable[[Path, bool], Position | None] | None = None
    manifests: Sequence[tuple[Path, str | None, str | None]] = ()
    """Path, kind and metadata.name of every manifest in the document."""

    def position(self, path: Path, at_key: bool = False) -> Position | None:
        """Where a value or key stands; where that is not known, its nearest known parent."""
        if self.locate is None:
            return None
        found = self.locate(path, at_key)
        while found is None and path:
            path, at_key = path[:-1], False
            found = self.locate(path, at_key)
        return found

    def concerned(self, path: Path) -> tuple[str | None, str | None]:
        """Kind and name of the manifest that a path leads into."""
        for where, kind, name in self.manifests:
            if path[: len(where)] == where:
                return kind, name
        return None, None


def finding_of(fault: Fault, place: Place) -> Finding:
    """A fault as a finding of its rule, at its place."""
    rule = RULES[fault.rule]
    position = fault.position or place.position(fault.path, fault.at_key)
    kind, name = place.concerned(fault.path)
    return Finding(
        rule=rule.id,
        name=rule.name,
        severity=rule.severity,
        message=fault.message,
        file=place.file,
        document=place.document,
        kind=kind,
        manifest=name,
        pointer=json_pointer(fault.path) if place.document is not None else None,
        path=dotted_path(fault.path) if place.document is not None else None,
        line=position.line if position else None,
        column=position.column if position else None,
        end_line=position.end_line if position else None,
        end_column=position.end_column if position else None,
        hint=fault.hint or rule.hint,
        related=tuple(_related(fault.related, place)),
        url=rule.url,
    )


def _related(places: Iterable[tuple[Path, Position | None, str]], place: Place) -> Iterable[Related]:
    for path, known, message in places:
        position = known or place.position(path)
        yield Related(
            file=place.file,
            pointer=json_pointer(path),
            line=position.line if position else None,
            column=position.column if position else None,
            message=message,
        )


def named(value: Any) -> tuple[str | None, str | None]:
    """Kind and metadata.name of a plain manifest value, as far as they are texts."""
    kind = name = None
    if isinstance(value, dict):
        kind = value.get("kind")
        metadata = value.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
    return kind if isinstance(kind, str) else None, name if isinstance(name, str) else None
