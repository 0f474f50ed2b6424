"""The report as SARIF 2.1.0 (OASIS), for code-scanning services.

Columns count code points, which the run declares (section 3.14.17); regions end exclusively, as findings do
(section 3.30.8).
"""

from __future__ import annotations

import os
import re
from typing import Any

from kernelindex_schema import __version__
from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports import SourceLine
from kernelindex_schema.reports.escape import printable
from kernelindex_schema.reports.json import pretty
from kernelindex_schema.rules import RULES
from kernelindex_schema.rules.catalogue import RULE_URL_BASE, Rule

__all__ = ["render"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(report: Report, *, summary: bool = True, color: bool = False, source: SourceLine | None = None) -> str:
    """One run of the tool, with every rule of the catalogue and its full text."""
    index = {rule: position for position, rule in enumerate(RULES)}
    return pretty(
        {
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {
                        "driver": {
                            "name": "kix-schema",
                            "version": __version__,
                            "informationUri": RULE_URL_BASE,
                            "rules": [_rule(rule) for rule in RULES.values()],
                        }
                    },
                    "columnKind": "unicodeCodePoints",
                    "properties": {
                        "files": report.files,
                        "documents": report.documents,
                        "manifests": report.manifests,
                    },
                    "results": [_result(finding, index) for finding in report.findings],
                }
            ],
        }
    )


def _rule(rule: Rule) -> dict[str, Any]:
    sections = [("", rule.summary), ("Why", rule.why), ("Bad", rule.bad), ("Good", rule.good), ("Hint", rule.hint)]
    told = [(title, text) for title, text in sections if text]
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.name.replace("-", " ")},
        "fullDescription": {"text": rule.summary},
        "helpUri": rule.url,
        "help": {
            "text": "\n\n".join(f"{title}: {text}" if title else text for title, text in told),
            "markdown": "\n\n".join(f"**{title}**\n\n{text}" if title else text for title, text in told),
        },
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"source": rule.source},
    }


def _result(finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    text = printable(finding.message)
    if finding.hint:
        text += f"\nhint: {printable(finding.hint)}"
    result: dict[str, Any] = {"ruleId": finding.rule}
    if finding.rule in index:
        result["ruleIndex"] = index[finding.rule]
    result["level"] = _LEVELS[finding.severity]
    result["message"] = {"text": text}
    place = _location(finding.file, _region(finding))
    if finding.path:
        place["logicalLocations"] = [{"fullyQualifiedName": printable(finding.path)}]
    if place:
        result["locations"] = [place]
    if finding.related:
        result["relatedLocations"] = [
            {
                **_location(other.file, _start(other.line, other.column)),
                "message": {"text": printable(other.message)},
            }
            for other in finding.related
        ]
    return result


def _location(file: str | None, region: dict[str, int]) -> dict[str, Any]:
    if file is None:
        return {}
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if region:
        physical["region"] = region
    return {"physicalLocation": physical}


def _region(finding: Finding) -> dict[str, int]:
    region = _start(finding.line, finding.column)
    if region and finding.end_line is not None and finding.end_column is not None:
        region |= {"endLine": finding.end_line, "endColumn": finding.end_column}
    return region


def _start(line: int | None, column: int | None) -> dict[str, int]:
    if line is None:
        return {}
    return {"startLine": line} if column is None else {"startLine": line, "startColumn": column}


def _uri(file: str) -> str:
    """A relative reference for a relative name, a ``file:`` address for an absolute one (RFC 3986)."""
    from urllib.parse import quote_from_bytes

    name = file.replace("\\", "/") if os.sep == "\\" else file
    path = quote_from_bytes(_bytes_of(name), safe="/")
    if re.match(r"[A-Za-z]%3A/", path) and os.sep == "\\":
        return f"file:///{path[0]}:{path[4:]}"
    return f"file://{path}" if path.startswith("/") else path


def _bytes_of(name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # Windows allows lone surrogates in names
        return name.encode("utf-8", "surrogatepass")
