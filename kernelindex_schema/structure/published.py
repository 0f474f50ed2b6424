"""The published JSON Schemas, as shipped: what ``json_schema()`` returns and what the slow path enforces."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import msgspec

from kernelindex_schema.v1alpha1 import API_VERSION, KINDS

__all__ = ["DOCUMENT_SCHEMAS", "SCHEMA_URL_BASE", "json_schema", "schema_file_name", "schema_path"]

SCHEMA_URL_BASE = "https://kernelindex.dev/schema/"
"""Base of every ``$id``, and of the addresses in findings."""

DOCUMENT_SCHEMAS = ("document", "manifest", "record", "submission", "bench-record")
"""Schemas that are not of one kind: any document at all, any manifest, and the documents that people exchange."""

_VERSION = API_VERSION.rpartition("/")[2]


def schema_file_name(name: str) -> str:
    """The file of a kind (``BenchmarkRun`` is ``benchmark-run.schema.json``) or of a document."""
    words = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")
    return f"{words}.schema.json"


def schema_path(name: str) -> str:
    """Where the schema file lies: inside an installed package, or beside the package in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    installed = os.path.join(package, "schemas", _VERSION, schema_file_name(name))
    if os.path.exists(installed):
        return installed
    return os.path.join(os.path.dirname(package), "schemas", _VERSION, schema_file_name(name))


@cache
def _text(name: str) -> bytes:
    if name not in KINDS and name not in DOCUMENT_SCHEMAS:
        known = ", ".join([*KINDS, *DOCUMENT_SCHEMAS])
        raise KeyError(f"no schema {name!r}; there are {known}")
    with open(schema_path(name), "rb") as file:
        return file.read()


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a kind, or of ``document`` (whatever a file may hold), ``manifest``, ``record``,
    ``submission`` or ``bench-record``.

    Raises:
        KeyError: there is no such schema.
    """
    schema: dict[str, Any] = msgspec.json.decode(_text(name))
    return schema
