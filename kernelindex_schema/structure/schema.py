"""Structs to JSON Schema 2020-12: used by the generator, never at run time.

The schemas describe the authoring form: a duration is an integer or a text. Every file is self-contained. Field
descriptions are the strings under the fields in the source of the structs.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from kernelindex_schema.structure.choice import any_document, any_manifest
from kernelindex_schema.structure.editor import (
    annotate,
    explain_patterns,
    heading,
    offer,
    ordered,
    plain,
    readable,
    repeated,
)
from kernelindex_schema.structure.published import DOCUMENT_SCHEMAS, SCHEMA_URL_BASE, schema_file_name
from kernelindex_schema.v1alpha1 import API_VERSION, KINDS, BenchRecord, Record, Submission
from kernelindex_schema.v1alpha1.scalars import DURATION

__all__ = ["build_schema", "field_docs", "literal_values", "struct_classes"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_DOCUMENTS: dict[str, type[msgspec.Struct]] = {"record": Record, "submission": Submission, "bench-record": BenchRecord}

# What msgspec's type language cannot say about fields that depend on each other.
_DEPENDENT: dict[str, dict[str, Any]] = {
    "Axis": {
        "allOf": [
            {
                "if": {"properties": {"role": {"const": "constant"}}, "required": ["role"]},
                "then": {"required": ["value"]},
            },
            {
                "if": {"properties": {"role": {"const": "derived"}}, "required": ["role"]},
                "then": {"required": ["expression"]},
            },
        ]
    },
    "Argument": {"oneOf": [{"required": ["tensor"]}, {"required": ["scalar"]}]},
    "Latency": {"anyOf": [{"required": ["median"]}, {"required": ["mean"]}]},
}


@cache
def field_docs(cls: type[msgspec.Struct]) -> dict[str, str]:
    """Attribute name to documentation, from the string under each field, inherited fields included."""
    docs: dict[str, str] = {}
    for parent in reversed(cls.__mro__):
        if not issubclass(parent, msgspec.Struct) or parent is msgspec.Struct:
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(parent))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, doc in zip(body.body, body.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(doc, ast.Expr)
                and isinstance(doc.value, ast.Constant)
                and isinstance(doc.value.value, str)
            ):
                docs[field.target.id] = inspect.cleandoc(doc.value.value)
    return docs


def literal_values(hint: Any) -> list[Any]:
    """The values of the Literal in a type, in the order in which they are written there; msgspec would sort them."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [value for inner in get_args(hint) for value in literal_values(inner)]


@cache
def struct_classes() -> dict[str, type[msgspec.Struct]]:
    """Every struct of the contract by class name."""
    found: dict[str, type[msgspec.Struct]] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("kernelindex_schema.v1alpha1."):
            for value in vars(module).values():
                if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == name:
                    found[value.__name__] = value
    return found


def _tidy(schema: Any) -> Any:
    """Simplify what msgspec writes, so that a fault gets one plain message and a reader one plain line."""
    if isinstance(schema, list):
        return [_tidy(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {key: _tidy(value) for key, value in schema.items()}
    if tidy.pop("x-authoring", None) == "duration":
        tidy |= {"type": ["integer", "string"], "pattern": DURATION.pattern}
    if "anyOf" in tidy and all(set(each) - {"type"} != set(each) for each in tidy["anyOf"]):
        tidy |= _merged(tidy.pop("anyOf"))
    if "enum" in tidy:
        if len(tidy["enum"]) == 1:
            tidy["const"] = tidy.pop("enum")[0]
        tidy.setdefault("type", "string")
    if tidy.get("type") == "object" and "$ref" not in tidy and "additionalProperties" not in tidy:
        tidy["additionalProperties"] = True
    if tidy.get("required") == []:
        del tidy["required"]
    if "prefixItems" in tidy:
        tidy.pop("items", None)  # maxItems says it, and says it once
    return ordered(tidy)


def _merged(choices: list[dict[str, Any]]) -> dict[str, Any]:
    """Alternatives that differ in type as one schema: each keyword of theirs speaks of one type only."""
    kinds = [choice["type"] for choice in choices]
    merged: dict[str, Any] = {}
    if "number" in kinds and "integer" in kinds:
        choices = [choice for choice in choices if choice["type"] != "integer"]
        kinds.remove("integer")
    for choice in choices:
        merged |= choice
    merged["type"] = kinds[0] if len(kinds) == 1 else kinds
    return merged


def _described(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    cls = struct_classes()[name]
    docs = field_docs(cls)
    properties = schema.get("properties", {})
    for attribute, wire in zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True):
        properties[wire]["description"] = plain(docs[attribute])
        properties[wire].pop("default", None)
    if "kind" in properties and issubclass(cls, msgspec.Struct) and cls.__struct_config__.tag_field == "kind":
        properties["kind"] |= {"description": f"The kind of the manifest, always '{name}'."}
        required = ["apiVersion", *(each for each in schema["required"] if each != "apiVersion")]
        schema["required"] = required
        order = ["apiVersion", "kind", *(key for key in properties if key not in ("apiVersion", "kind"))]
        schema["properties"] = {key: properties[key] for key in order}
    schema["description"] = plain(inspect.cleandoc(cls.__doc__ or ""))
    schema |= _DEPENDENT.get(name, {})
    return schema


def _for_editors(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    cls = struct_classes()[name]
    docs, hints = field_docs(cls), get_type_hints(cls, include_extras=True)
    for attribute, wire in zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True):
        if "enum" in (field := schema["properties"][wire]):
            field["enum"] = literal_values(hints[attribute])
        annotate(field, docs[attribute])
    schema["title"] = heading(name)
    if "``" in (text := inspect.cleandoc(cls.__doc__ or "")):
        schema["markdownDescription"] = readable(text)
    explain_patterns(schema)
    return ordered(schema)


def _components(cls: type[msgspec.Struct]) -> dict[str, Any]:
    _, raw = msgspec.json.schema_components([cls], ref_template="#/$defs/{name}")
    parts = {name: _for_editors(name, _tidy(_described(name, part))) for name, part in sorted(raw.items())}
    for name in {*repeated(list(parts.values())), *KINDS} & set(parts):
        offer(parts[name], parts[name], parts)
    return parts


def _head(name: str, title: str) -> dict[str, Any]:
    version = API_VERSION.rpartition("/")[2]
    return {"$schema": _DIALECT, "$id": f"{SCHEMA_URL_BASE}{version}/{schema_file_name(name)}", "title": title}


def _all_parts(*classes: type[msgspec.Struct]) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for cls in (*(kind.manifest for kind in KINDS.values()), *classes):
        parts |= _components(cls)
    return dict(sorted(parts.items()))


def build_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a kind or a document, built from the structs.

    Raises:
        KeyError: there is no such kind or document.
    """
    title = " ".join(name.split("-")).capitalize() if name in DOCUMENT_SCHEMAS else name
    head = _head(name, title)
    if name == "manifest":
        parts = _all_parts()
        return ordered({**any_manifest(parts), **head, "$defs": parts})
    if name == "document":
        parts = _all_parts(*_DOCUMENTS.values())
        parts["Submission"]["minProperties"] = 1
        parts["Manifest"] = any_manifest(parts)
        return ordered({**any_document(parts), **head, "$defs": dict(sorted(parts.items()))})
    cls = _DOCUMENTS[name] if name in DOCUMENT_SCHEMAS else KINDS[name].manifest
    parts = _components(cls)
    root = parts.pop(cls.__name__)
    if "defaultSnippets" not in root:
        offer(root, root, parts)
    if name == "submission":
        root["minProperties"] = 1
    return ordered({**root, **head, "$defs": parts})
