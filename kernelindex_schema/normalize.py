"""Authoring forms to canonical values: durations to integer nanoseconds, ``3.0`` to 3, giant integers to doubles.

Only the slow path needs this: a value that converts as it stands is in canonical form already. Sets are
normalised by the structs themselves.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from kernelindex_schema.findings import Path
from kernelindex_schema.v1alpha1.scalars import DURATION_UNITS, MAX_SAFE_INTEGER, Duration

__all__ = ["AuthoringNote", "normalize", "parse_duration"]


class AuthoringNote(msgspec.Struct, frozen=True):
    """Something to say about an authored value: the rule, the message and where."""

    rule: str
    path: Path
    message: str
    hint: str | None = None


_DURATION = re.compile(r"([0-9]+)(?:\.([0-9]+))? ?(ns|us|µs|ms|s)")
_DECIMALS_OF_A_SECOND = 9
_LONGEST_SHOWN = 80


def parse_duration(text: str) -> int | str:
    """Integer nanoseconds of a duration text, in exact decimal arithmetic.

    Where the text has none, the id of the rule that says so: KIX106 (not a duration), KIX107 (over 2^53 - 1 ns) or
    KIX110 (a fraction of a nanosecond).
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        return "KIX106"
    whole, fraction = match[1].lstrip("0"), (match[2] or "").rstrip("0")
    # Beyond these lengths the answer is known, and Python bounds the digits that int() reads.
    if len(fraction) > _DECIMALS_OF_A_SECOND:
        return "KIX110"
    if len(whole) > len(str(MAX_SAFE_INTEGER)):
        return "KIX107"
    scaled = int((whole + fraction) or "0") * DURATION_UNITS[match[3]]
    nanoseconds, rest = divmod(scaled, 10 ** len(fraction))
    if rest:
        return "KIX110"
    return nanoseconds if nanoseconds <= MAX_SAFE_INTEGER else "KIX107"


def _portable(text: str) -> bool:
    """Whether the registry's arithmetic (a product of doubles) finds a whole number too (edge cases, Durations)."""
    match = _DURATION.fullmatch(text)
    assert match is not None
    number = match[0][: match.start(3)].strip()
    return (float(number) * DURATION_UNITS[match[3]]).is_integer()


Visit = Callable[[Any, Path, list[AuthoringNote]], Any]


def _unchanged(value: Any, path: Path, notes: list[AuthoringNote]) -> Any:
    return value


def _integer(value: Any, path: Path, notes: list[AuthoringNote]) -> Any:
    if type(value) is float and value.is_integer() and abs(value) <= MAX_SAFE_INTEGER:
        return int(value)
    return value


def _number(value: Any, path: Path, notes: list[AuthoringNote]) -> Any:
    if type(value) is int and abs(value) > MAX_SAFE_INTEGER:
        try:
            return float(value)
        except OverflowError:
            return value
    return value


def _duration(value: Any, path: Path, notes: list[AuthoringNote]) -> Any:
    if type(value) is float and not value.is_integer():
        message = f"{value!r}, no whole number of nanoseconds"
        notes.append(AuthoringNote("KIX110", path, message, "write whole nanoseconds"))
        return value
    if type(value) is not str:
        return _integer(value, path, notes)
    outcome = parse_duration(value)
    if outcome == "KIX106":
        return value  # the schema's pattern tells it
    shown = repr(value) if len(value) <= _LONGEST_SHOWN else repr(value[:_LONGEST_SHOWN])[:-1] + "…"
    if outcome == "KIX110":
        notes.append(AuthoringNote(outcome, path, f"{shown}, no whole number of nanoseconds"))
    elif outcome == "KIX107":
        notes.append(AuthoringNote(outcome, path, f"{shown}, over the bound of {MAX_SAFE_INTEGER} ns"))
    elif not _portable(value):
        message = f"{shown}, {outcome} ns exactly, but not in the registry's binary arithmetic, which refuses it"
        notes.append(AuthoringNote("KIX203", path, message, f"write the integer {outcome}"))
    return outcome if isinstance(outcome, int) else value


def _plan(hint: Any) -> Visit:
    origin = get_origin(hint)
    if origin is Annotated:
        inner, *marks = get_args(hint)
        return _duration if any(isinstance(mark, Duration) for mark in marks) else _plan(inner)
    if origin is Literal:
        return _unchanged
    if origin in (Union, types.UnionType):
        return _union_plan([member for member in get_args(hint) if member is not msgspec.UnsetType])
    if origin is tuple:
        return _list_plan(_plan(get_args(hint)[0]))
    if origin is dict:
        return _map_plan(_plan(get_args(hint)[1]))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _object_plan(hint)
    return _integer if hint is int else _number if hint is float else _unchanged


def _union_plan(members: list[Any]) -> Visit:
    inner = [get_args(member)[0] if get_origin(member) is Annotated else member for member in members]
    if float in inner:
        return _number
    if len(members) == 1:
        return _plan(members[0])
    return _integer if int in inner else _unchanged


def _list_plan(item: Visit) -> Visit:
    if item is _unchanged:
        return _unchanged

    def visit(value: Any, path: Path, notes: list[AuthoringNote]) -> Any:
        if not isinstance(value, list):
            return value
        return [item(each, (*path, index), notes) for index, each in enumerate(value)]

    return visit


def _map_plan(item: Visit) -> Visit:
    if item is _unchanged:
        return _unchanged

    def visit(value: Any, path: Path, notes: list[AuthoringNote]) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: item(each, (*path, key), notes) for key, each in value.items()}

    return visit


_OBJECTS: dict[type, Visit] = {}


def _object_plan(cls: type[msgspec.Struct]) -> Visit:
    if cls in _OBJECTS:
        return _OBJECTS[cls]
    hints = get_type_hints(cls, include_extras=True)
    names = zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True)
    fields = {wire: plan for name, wire in names if (plan := _plan(hints[name])) is not _unchanged}

    def visit(value: Any, path: Path, notes: list[AuthoringNote]) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: fields[key](each, (*path, key), notes) if key in fields else each for key, each in value.items()}

    _OBJECTS[cls] = visit if fields else _unchanged
    return _OBJECTS[cls]


def normalize(cls: type[msgspec.Struct], value: Any) -> tuple[Any, list[AuthoringNote]]:
    """A plain value of a struct class with its authoring forms replaced, and what there is to say about them.

    What is wrong in itself is left as it is, for the structure stage to tell.
    """
    notes: list[AuthoringNote] = []
    return _object_plan(cls)(value, (), notes), notes
