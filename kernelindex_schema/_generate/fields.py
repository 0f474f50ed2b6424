"""The type of a field in words: what may stand there, how much of it, and in which unit."""

from __future__ import annotations

import re
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from kernelindex_schema._generate.markdown import prose
from kernelindex_schema.structure.schema import field_docs
from kernelindex_schema.v1alpha1.scalars import Duration, Grammar, SetOf, Url

__all__ = ["Field", "fields_of", "parts_of"]

_UNIT_OF_NAME = {"Bytes": "bytes", "Watts": "watts", "Seconds": "seconds", "PerSecond": "per second"}
_UNIT_IN_TEXT = re.compile(r"\bin (ns|bytes|elements|tokens|seconds|watts)\b")
_MAX_SAFE = 2**53 - 1


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field as a reader wants to see it; texts are Markdown."""

    name: str
    required: bool
    accepts: str
    unit: str | None
    meaning: str
    absence: str | None
    parts: tuple[type[msgspec.Struct], ...]
    """Structs that stand in it."""


def fields_of(cls: type[msgspec.Struct]) -> list[Field]:
    """The fields of a struct, in the order of the contract."""
    hints = get_type_hints(cls, include_extras=True)
    docs = field_docs(cls)
    names = dict(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True))
    return [_field(names[each.name], each, hints[each.name], docs[each.name]) for each in msgspec.structs.fields(cls)]


def _field(wire: str, field: Any, hint: Any, doc: str) -> Field:
    meaning, _, absence = " ".join(doc.split()).partition("Absent: ")
    return Field(
        name=wire,
        required=field.default is not msgspec.UNSET,
        accepts=words(hint),
        unit=_unit(wire, hint, doc),
        meaning=prose(meaning),
        absence=prose(absence[:1].upper() + absence[1:]) if absence else None,
        parts=tuple(parts_of(hint)),
    )


def parts_of(hint: Any) -> list[type[msgspec.Struct]]:
    """The structs that a type mentions."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return [hint]
    return [part for inner in get_args(hint) for part in parts_of(inner)]


def _marks(hint: Any, kind: type) -> bool:
    if get_origin(hint) is Annotated and any(isinstance(mark, kind) for mark in get_args(hint)[1:]):
        return True
    return any(_marks(inner, kind) for inner in get_args(hint) if not isinstance(inner, str))


def _unit(wire: str, hint: Any, doc: str) -> str | None:
    if _marks(hint, Duration):
        return "nanoseconds"
    for ending, unit in sorted(_UNIT_OF_NAME.items(), key=lambda pair: -len(pair[0])):
        if wire.endswith(ending):
            return unit
    if re.search(r"\b(int|float)\b", repr(hint)) and (found := _UNIT_IN_TEXT.search(doc)):
        return found[1]
    return None


def words(hint: Any) -> str:
    """A type in words, as Markdown."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments) if len(arguments) == 1 else _choice(arguments)
    if origin in (Union, types.UnionType):
        return _union([each for each in arguments if each is not msgspec.UnsetType])
    if origin is tuple:
        return f"list of {words(arguments[0])}" if arguments[-1] is Ellipsis else f"pair of {words(arguments[0])}"
    if origin is dict:
        return f"map of {words(arguments[0])} to {words(arguments[1])}"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return f"`{hint.__name__}`"
    return {str: "text", int: "integer", float: "number", bool: "`true` or `false`"}[hint]


def _choice(values: tuple[Any, ...]) -> str:
    return "one of " + ", ".join(f"`{value}`" for value in values)


def _annotated(inner: Any, marks: tuple[Any, ...]) -> str:
    meta = next((mark for mark in marks if isinstance(mark, msgspec.Meta)), msgspec.Meta())
    for mark in marks:
        if isinstance(mark, Grammar):
            return _named(mark.name) + _limits(meta, "characters")
        if isinstance(mark, Url):
            return _named("https URL")
        if isinstance(mark, Duration):
            return _named("duration")
        if isinstance(mark, SetOf):
            return f"set of {words(get_args(inner)[0])}"
    unit = {str: "characters", tuple: "entries"}.get(get_origin(inner) or inner, "")
    return words(inner) + _limits(meta, unit)


def _named(name: str) -> str:
    return f"[{name}](../types.md#{name.replace(' ', '-').lower()})"


def _limits(meta: msgspec.Meta, unit: str) -> str:
    found = []
    for low, high, what in ((meta.ge, meta.le, ""), (meta.min_length, meta.max_length, f" {unit}")):
        high = None if high == _MAX_SAFE else high
        low = None if low == -_MAX_SAFE else low
        if low is not None and high is not None:
            found.append(f"{low} to {high}{what}")
        elif low is not None:
            found.append(f"at least {low}{what}")
        elif high is not None:
            found.append(f"at most {high}{what}")
    if meta.gt is not None:
        found.append(f"more than {meta.gt}")
    return ", " + ", ".join(found) if found else ""


def _union(members: list[Any]) -> str:
    bare = {_bare(member): member for member in members}
    if float in bare and int in bare:
        # An integer is a number too: it is a member only so that it is written back as it was read.
        members = [member for member in members if _bare(member) is not int]
    return " or ".join(words(member) for member in members)


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
