"""``schemas/``: a JSON Schema a kind and a document, and the catalog by which editors find them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kernelindex_schema.structure.published import DOCUMENT_SCHEMAS, schema_file_name
from kernelindex_schema.structure.schema import build_schema
from kernelindex_schema.v1alpha1 import API_VERSION, KINDS

__all__ = ["FILE_NAMES", "VERSION", "catalog_file", "pretty", "schema_files"]

VERSION = API_VERSION.rpartition("/")[2]

FILE_NAMES = tuple(f"*.kix.{suffix}" for suffix in ("yaml", "yml", "json"))
"""Names that mark a file as one of ours for an editor that knows the catalog; the command takes any name."""


def pretty(value: object) -> str:
    """JSON as it is committed."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def schema_files() -> Iterator[tuple[str, str]]:
    """One JSON Schema a kind and a document."""
    for name in (*DOCUMENT_SCHEMAS, *KINDS):
        yield f"schemas/{VERSION}/{schema_file_name(name)}", pretty(build_schema(name))


def catalog_file() -> Iterator[tuple[str, str]]:
    """A catalog in the form of SchemaStore's.

    Only the schema of any document claims file names: two schemas for one file would both have to hold. The others are
    listed for an editor's menu.
    """
    entries = []
    for name in (*DOCUMENT_SCHEMAS, *KINDS):
        schema = build_schema(name)
        title = schema["title"] if name in KINDS else schema["title"].lower()
        entry = {"name": f"KernelIndex {title}", "description": schema["description"]}
        if name == "document":
            entry["fileMatch"] = list(FILE_NAMES)
        entries.append(entry | {"url": schema["$id"]})
    catalog = {"$schema": "https://json.schemastore.org/schema-catalog.json", "version": 1, "schemas": entries}
    yield "schemas/catalog.json", pretty(catalog)
