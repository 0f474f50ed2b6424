"""The findings of a report as plain entries, short enough to be read by eye, and the files that expect them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from kernelindex_schema.findings import Finding, Report

UPDATES = bool(os.environ.get("KIX_UPDATE_GOLDEN"))
"""Whether expectations are written anew instead of compared."""

_COLUMNS = ("document", "pointer", "line", "column", "endLine", "endColumn", "message", "hint")


def entry(finding: Finding) -> dict[str, Any]:
    """Rule, place and words of a finding. What follows from the rule, or does not apply, is left out."""
    shown: dict[str, Any] = {"rule": finding.rule}
    fields = dict(zip(finding.__struct_encode_fields__, finding.__struct_fields__, strict=True))
    for column in _COLUMNS:
        value = getattr(finding, fields[column])
        if value is not None and (column, value) != ("document", 0):
            shown[column] = value
    if finding.related:
        shown["related"] = [
            {key: value for key in related.__struct_fields__ if (value := getattr(related, key)) is not None}
            for related in finding.related
        ]
    return shown


def entries(report: Report) -> list[dict[str, Any]]:
    return [entry(finding) for finding in report.findings]


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def store(path: Path, expected: dict[str, Any]) -> None:
    text = json.dumps(dict(sorted(expected.items())), ensure_ascii=False, indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Half a surrogate pair is written as the escape that JSON has for it.
    path.write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")
