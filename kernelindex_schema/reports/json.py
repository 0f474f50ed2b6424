"""The report as one JSON object; in ASCII alone, so that it is the same value under every encoding."""

from __future__ import annotations

from typing import Any

import msgspec

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports import SourceLine
from kernelindex_schema.reports.escape import decoded_name, json_ascii

__all__ = ["SCHEMA_VERSION", "compact", "finding_object", "pretty", "render"]

SCHEMA_VERSION = 1
"""Raised when a reader of the report would have to change."""


def render(report: Report, *, summary: bool = True, color: bool = False, source: SourceLine | None = None) -> str:
    """The report as one object: ``schemaVersion``, ``summary`` and ``findings``."""
    return pretty(
        {
            "schemaVersion": SCHEMA_VERSION,
            "summary": {
                "files": report.files,
                "documents": report.documents,
                "manifests": report.manifests,
                "errors": report.count(Severity.ERROR),
                "warnings": report.count(Severity.WARNING),
                "notes": report.count(Severity.NOTE),
            },
            "findings": [finding_object(finding) for finding in report.findings],
        }
    )


def finding_object(finding: Finding) -> dict[str, Any]:
    """A finding with its camelCase names in their order; what does not apply is null, file names are text."""
    value: dict[str, Any] = msgspec.to_builtins(finding)
    _name_files(value)
    for other in value["related"]:
        _name_files(other)
    return value


def pretty(value: object) -> str:
    """Indented JSON in ASCII, ending in a newline."""
    try:
        return json_ascii(msgspec.json.format(msgspec.json.encode(value), indent=2).decode()) + "\n"
    except UnicodeEncodeError:
        return _with_surrogates(value, indent=2)


def compact(value: object) -> str:
    """JSON on one line in ASCII, ending in a newline."""
    try:
        return json_ascii(msgspec.json.encode(value).decode()) + "\n"
    except UnicodeEncodeError:
        return _with_surrogates(value, indent=None)


def _with_surrogates(value: object, indent: int | None) -> str:
    # A pointer must name the key that is at fault, and that may hold half of a surrogate pair: it stands as an escape,
    # which the grammar of JSON allows (RFC 8259, section 8.2).
    import json

    separators = (",", ":") if indent is None else None
    return json.dumps(msgspec.to_builtins(value), indent=indent, separators=separators) + "\n"


def _name_files(value: dict[str, Any]) -> None:
    if value["file"] is not None:
        value["file"] = decoded_name(value["file"])
