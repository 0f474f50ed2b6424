"""The schemas that first ask what a value is: a manifest of any kind, and whatever a file may hold.

They choose by ``if`` and ``then``, so that a fault is told by the one schema concerned and not as "no branch matches".
"""

from __future__ import annotations

from typing import Any

from kernelindex_schema.structure.editor import offer, ordered, plain
from kernelindex_schema.v1alpha1 import API_VERSION, KINDS, Submission

__all__ = ["any_document", "any_manifest"]


def any_manifest(parts: dict[str, Any]) -> dict[str, Any]:
    """A manifest of any kind. The kind chooses a branch, so that a fault is told by the one schema concerned."""
    schema = {
        "title": "Manifest",
        "description": "A manifest of any kind of kernelindex.dev/v1alpha1; what its spec holds follows from its kind.",
        "type": "object",
        "required": ["apiVersion", "kind", "metadata", "spec"],
        "properties": {
            "apiVersion": {"const": API_VERSION, "description": "Version of the format."},
            "kind": {
                "type": "string",
                "enum": list(KINDS),
                "enumDescriptions": [plain(kind.summary) for kind in KINDS.values()],
                "description": "Which of the thirteen kinds the manifest is.",
            },
        },
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
                "then": {"$ref": f"#/$defs/{name}"},
            }
            for name in KINDS
        ],
    }
    for name in KINDS:
        offer(schema, parts[name], parts)
    return ordered(schema)


def any_document(parts: dict[str, Any]) -> dict[str, Any]:
    """Whatever a file may hold, in the order in which the contract asks (Which shape a document has)."""
    sections = [{"required": [section]} for section in Submission.__struct_encode_fields__]
    flat = {"required": ["run", "workload", "implementation"], "not": {"required": ["runs"]}}
    otherwise: dict[str, Any] = {
        "required": ["apiVersion", "kind"],
        "errorMessage": "Expected a manifest, a record, a submission or a bench record.",
    }
    for test, name in (
        ({"anyOf": sections}, "Submission"),
        ({"required": ["run"]}, "Record"),
        (flat, "BenchRecord"),
        ({"anyOf": [{"required": ["apiVersion"]}, {"required": ["kind"]}]}, "Manifest"),
    ):
        otherwise = {"if": test, "then": {"$ref": f"#/$defs/{name}"}, "else": otherwise}
    schema = {
        "description": "Whatever a file of kernelindex.dev/v1alpha1 may hold: a manifest of any kind, a record, "
        "a submission or a bench record.",
        "type": "object",
        **otherwise,
    }
    for name in (*KINDS, "Record", "BenchRecord"):
        offer(schema, parts[name], parts)
    return ordered(schema)
