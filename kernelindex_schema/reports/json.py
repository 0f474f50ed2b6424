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
    text = msgspec.json.format(_encoded(value), indent=2).decode()
    return json_ascii(text) + "\n"


def compact(value: object) -> str:
    """JSON on one line in ASCII, ending in a newline."""
    return json_ascii(_encoded(value).decode()) + "\n"


def _encoded(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        # A lone surrogate of the input is no interchangeable text (RFC 8259, section 8.2): it is shown as an escape.
        return msgspec.json.encode(_without_surrogates(value))


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {key: _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value


def _name_files(value: dict[str, Any]) -> None:
    if value["file"] is not None:
        value["file"] = decoded_name(value["file"])
