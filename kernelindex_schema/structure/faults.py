"""The slow path of structure: every fault of one kind, from its published schema; the only user of jsonschema.

What JSON Schema cannot say is added by keywords of the validator, not of the schema: lengths in UTF-16 units (the
schema's own are in code points) and URLs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Path, dotted_path
from kernelindex_schema.nearest import nearest
from kernelindex_schema.structure.published import json_schema
from kernelindex_schema.structure.texts import utf16_length
from kernelindex_schema.structure.url import is_https_url
from kernelindex_schema.v1alpha1 import KINDS
from kernelindex_schema.v1alpha1.scalars import (
    AXIS_EXPRESSION,
    DIGEST,
    DURATION,
    GIT_COMMIT,
    INSTANT,
    MANIFEST_NAME,
    MAX_SAFE_INTEGER,
    OPEN_KEY,
    SLUG,
    TOKEN,
)

__all__ = [
    "ENVELOPE",
    "likely_misspelt",
    "missing_field",
    "schema_faults",
    "shown",
    "unknown_field",
    "with_article",
    "wrong_type",
]

ENVELOPE = "envelope"

_GRAMMARS = {
    grammar.pattern: grammar
    for grammar in (AXIS_EXPRESSION, DIGEST, DURATION, GIT_COMMIT, INSTANT, MANIFEST_NAME, OPEN_KEY, SLUG, TOKEN)
}
_TYPE_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
}
_LONGEST_SHOWN = 80
_LONGEST_PATH = 200
_MOST_COMPARED = 20
"""Unknown fields of an object that are taken for a missing one, so that a hostile document costs little."""


def shown(value: Any) -> str:
    """A value as a message shows it: short, on one line, in JSON's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, int) and abs(value) >= 10**_LONGEST_SHOWN:
        return "an integer of more than 80 digits"
    text = repr(value[:_LONGEST_SHOWN] if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def with_article(kind: str) -> str:
    """A kind inside a sentence: ``a BenchmarkRun``, ``an OperationSpec``."""
    return f"{'an' if kind[0] in 'AEIOU' else 'a'} {kind}"


def _utf16_max_length(validator: Any, bound: int, value: Any, schema: Any) -> Iterator[Any]:
    if isinstance(value, str) and utf16_length(value) > bound:
        from jsonschema import ValidationError

        yield ValidationError("too long")


def _string_type(validator: Any, wanted: Any, value: Any, schema: Any) -> Iterator[Any]:
    from jsonschema import Draft202012Validator, ValidationError

    faults = list(Draft202012Validator.VALIDATORS["type"](validator, wanted, value, schema))
    yield from faults
    if not faults and schema.get("format") == "uri" and isinstance(value, str) and not is_https_url(value):
        yield ValidationError("no https URL", validator="format", validator_value="uri")


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator, validators

    keywords = {"maxLength": _utf16_max_length, "type": _string_type}
    schema = _envelope() if name == ENVELOPE else json_schema(name)
    extend: Any = validators.extend
    return extend(Draft202012Validator, keywords)(schema)


def _envelope() -> dict[str, Any]:
    """What holds for a manifest of any kind, whatever its spec: used where the kind is unknown."""
    schema = json_schema("SoftwareProject")
    schema["properties"] |= {"kind": {"type": "string", "enum": list(KINDS)}, "spec": True}
    return schema


def schema_faults(name: str, value: Any, base: Path = ()) -> Iterator[Fault]:
    """Every fault that the published schema of a kind finds in a value, one by one.

    ``base`` is the place of the value in its document; :data:`ENVELOPE` names the schema of the envelope alone.
    """
    for error in _validator(name).iter_errors(value):
        yield from _translate(error, base)


def _translate(error: Any, base: Path) -> Iterator[Fault]:
    path: Path = (*base, *error.absolute_path)
    if "propertyNames" in error.relative_schema_path:
        yield _key_fault(error, path)
        return
    yield from _TRANSLATIONS[error.validator](error, path)


def _at(path: Path) -> str:
    text = dotted_path(path) or "the document"
    if len(text) <= _LONGEST_PATH:
        return text
    half = _LONGEST_PATH // 2
    return f"{text[:half]}…{text[-half:]}"


def _key_fault(error: Any, path: Path) -> Fault:
    key = error.instance
    place = _at((*path, key))
    if error.validator == "maxLength":
        message = f"the key {place} is longer than {error.validator_value} UTF-16 units"
        return Fault(rule="KIX108", message=message, path=(*path, key), at_key=True)
    grammar = _GRAMMARS[error.validator_value]
    if grammar is OPEN_KEY:
        message = f"{place} is not a usable name: other readers drop it without a word"
        return Fault(rule="KIX103", message=message, path=(*path, key), at_key=True)
    message = f"{place} is no good key: expected {grammar.wanted}"
    return Fault(rule="KIX106", message=message, path=(*path, key), at_key=True, hint=_text_hint(key, grammar))


def _unknown_fields(error: Any, path: Path) -> Iterator[Fault]:
    known = list(error.schema.get("properties", {}))
    for key in error.instance:
        if key not in known:
            yield unknown_field((*path, key), [each for each in known if each not in error.instance] or known)


def unknown_field(path: Path, known: list[str]) -> Fault:
    """The fault of a field that the contract does not have, with the known one that was likely meant."""
    near = nearest(str(path[-1]), known)
    hint = f"did you mean {near}?" if near else None
    if path[-1] == "<<":
        hint = "YAML 1.2 has no merge keys: write the fields out"
    message = f"{_at(path)} is not a known field of {_at(path[:-1])}"
    return Fault(rule="KIX103", message=message, path=path, at_key=True, hint=hint)


def likely_misspelt(field: str, value: dict[str, Any], known: list[str]) -> bool:
    """Whether a field that is missing stands there under a name that :func:`unknown_field` takes for it."""
    absent = [each for each in known if each not in value]
    unknown = itertools.islice((key for key in value if key not in known), _MOST_COMPARED)
    return any(nearest(key, absent) == field for key in unknown)


def missing_field(parent: Path, key: str) -> Fault:
    """The fault of a required field that is absent; it points at the parent."""
    return Fault(rule="KIX104", message=f"{_at((*parent, key))} is missing", path=parent)


def wrong_type(path: Path, value: Any, wanted: str, hint: str | None = None) -> Fault:
    """The fault of a value of another type; ``wanted`` in words."""
    if value is None and hint is None:
        hint = "leave an optional field out instead of writing null" if path else None
    return Fault(rule="KIX105", message=f"{_at(path)} is {shown(value)}, expected {wanted}", path=path, hint=hint)


def _required(error: Any, path: Path) -> Iterator[Fault]:
    # jsonschema yields one error for each missing key; the message is the only place that names it.
    schema_path = list(error.absolute_schema_path)
    if "then" in schema_path:
        role, key = error.instance["role"], error.validator_value[0]
        message = f"{_at(path)} is a {role} axis without {key}"
        yield Fault(rule="KIX111", message=message, path=path, hint=f"a {role} axis needs {key}")
        return
    for key in error.validator_value:
        told = likely_misspelt(key, error.instance, list(error.schema.get("properties", {})))
        if error.message.startswith(f"{key!r} ") and not told:
            yield missing_field(path, key)


def _neither_nor(error: Any, path: Path) -> Iterator[Fault]:
    message = f"{_at(path)} has neither median nor mean, expected at least one"
    yield Fault(rule="KIX113", message=message, path=path)


def _one_of(error: Any, path: Path) -> Iterator[Fault]:
    if not isinstance(error.instance, dict):
        return  # the type keyword beside it tells
    found = "both tensor and scalar" if "tensor" in error.instance else "neither tensor nor scalar"
    yield Fault(rule="KIX112", message=f"{_at(path)} has {found}, expected exactly one", path=path)


def _is_part_of_a_nanosecond(error: Any) -> bool:
    """A fraction where a duration is due is KIX110, which normalisation tells."""
    value = error.instance
    return error.schema.get("pattern") == DURATION.pattern and isinstance(value, float) and not value.is_integer()


def _type(error: Any, path: Path) -> Iterator[Fault]:
    value, wanted = error.instance, error.validator_value
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if isinstance(value, float) and "integer" in kinds:
        if _is_part_of_a_nanosecond(error):
            return
        yield wrong_type(path, value, "a whole number" if "string" not in kinds else "a whole number or text")
        return
    hint = None
    if kinds == ["string"] and isinstance(value, int | float) and not isinstance(value, bool):
        hint = "put the value in quotes: it is text, and a number would lose its spelling"
    elif "string" not in kinds and isinstance(value, str):
        hint = "write it without quotes" if value.strip().replace(".", "", 1).lstrip("-").isdecimal() else None
    yield wrong_type(path, value, " or ".join(_TYPE_WORDS[each] for each in kinds), hint)


_ENVELOPE_RULES = {("properties", "apiVersion"): "KIX101", ("properties", "kind"): "KIX102"}


def _const_or_enum(error: Any, path: Path) -> Iterator[Fault]:
    if not isinstance(error.instance, str):
        return  # the type keyword beside it tells
    known = [error.validator_value] if error.validator == "const" else list(error.validator_value)
    found = shown(error.instance)
    near = nearest(error.instance, known)
    rule = _ENVELOPE_RULES.get(tuple(error.relative_schema_path)[:2], "KIX109")
    wanted = " or ".join(known) if len(known) < 3 else "one of " + ", ".join(known)
    yield Fault(
        rule=rule,
        message=f"{_at(path)} is {found}, expected {wanted}",
        path=path,
        hint=f"did you mean {near}?" if near and len(known) > 1 else None,
    )


def _text_hint(text: str, grammar: Any) -> str | None:
    if text.endswith(("\n", "\r")):
        return "the text ends in a line break; a YAML block scalar keeps one (write |- or quotes)"
    if text != text.strip():
        return "take away the blanks around it"
    if grammar is DURATION:
        return _duration_hint(text)
    if grammar is INSTANT:
        return "write UTC with T and Z, as 2026-01-31T12:00:00Z"
    if grammar in (TOKEN, SLUG, MANIFEST_NAME, DIGEST, GIT_COMMIT) and text != text.lower():
        return "write it in lower case"
    return None


def _duration_hint(text: str) -> str:
    if "μ" in text:
        return "write the micro sign µ (U+00B5) or us; this is the Greek letter mu (U+03BC)"
    if "," in text:
        return "write a point for the decimals and no thousands separators"
    return "write a number, at most one blank and one of ns, us, µs, ms, s"


def _pattern(error: Any, path: Path) -> Iterator[Fault]:
    if not error.instance and error.schema.get("minLength"):
        return  # its length tells
    grammar = _GRAMMARS[error.validator_value]
    yield Fault(
        rule="KIX106",
        message=f"{_at(path)} is {shown(error.instance)}, expected {grammar.wanted}",
        path=path,
        hint=_text_hint(error.instance, grammar),
    )


def _format(error: Any, path: Path) -> Iterator[Fault]:
    text = error.instance
    hint = "write https:// in front" if "://" not in text and "." in text else None
    if text.startswith("http://"):
        hint = "write https instead of http"
    elif text.startswith("git@"):
        hint = "write the https address, such as https://github.com/owner/repository"
    message = f"{_at(path)} is {shown(text)}, expected an absolute https URL"
    yield Fault(rule="KIX106", message=message, path=path, hint=hint)


_BOUND_WORDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
}


def _range(error: Any, path: Path) -> Iterator[Fault]:
    if _is_part_of_a_nanosecond(error):
        return
    bound = error.validator_value
    words = _BOUND_WORDS[error.validator]
    hint = "integers beyond 2^53 - 1 lose digits in other readers" if abs(bound) == MAX_SAFE_INTEGER else None
    message = f"{_at(path)} is {shown(error.instance)}, out of range: expected {words} {bound}"
    yield Fault(rule="KIX107", message=message, path=path, hint=hint)


def _length(error: Any, path: Path) -> Iterator[Fault]:
    bound, value = error.validator_value, error.instance
    many = error.validator in ("maxLength", "maxItems")
    if isinstance(value, str):
        found, unit = utf16_length(value), "UTF-16 units"
    else:
        found, unit = len(value), "entry" if len(value) == 1 else "entries"
    wanted = f"at {'most' if many else 'least'} {bound}"
    yield Fault(rule="KIX108", message=f"{_at(path)} has {found} {unit}, expected {wanted}", path=path)


_TRANSLATIONS = {
    "additionalProperties": _unknown_fields,
    "required": _required,
    "type": _type,
    "const": _const_or_enum,
    "enum": _const_or_enum,
    "pattern": _pattern,
    "format": _format,
    "minimum": _range,
    "maximum": _range,
    "exclusiveMinimum": _range,
    "exclusiveMaximum": _range,
    "minLength": _length,
    "maxLength": _length,
    "minItems": _length,
    "maxItems": _length,
    "oneOf": _one_of,
    "anyOf": _neither_nor,
}
