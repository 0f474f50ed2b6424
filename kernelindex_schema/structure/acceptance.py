"""The fast path of structure: does a value make a valid struct? It says yes or no, never why.

msgspec checks types, bounds, fields and enums while it converts. What it would check slowly or cannot check is done
here by a plan made once a struct class: text grammars (remembered texts instead of a regular expression each time),
URLs, lengths in UTF-16 units, and the fields that depend on each other.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET

from kernelindex_schema.structure.url import is_https_url
from kernelindex_schema.v1alpha1 import KINDS, Manifest
from kernelindex_schema.v1alpha1.operation import Argument, Axis
from kernelindex_schema.v1alpha1.run import Latency
from kernelindex_schema.v1alpha1.scalars import Grammar, Url

__all__ = ["accept", "doubt", "utf16_length"]

Test = Callable[[Any], bool]

# How many texts that matched are remembered of a grammar. Records of one catalog repeat their tokens and digests; a set
# that has grown past this is begun anew, so that memory stays flat over any length of input.
_REMEMBERED = 20_000


def utf16_length(text: str) -> int:
    """The length that the contract's bounds count: UTF-16 code units (edge cases, Text)."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _remembering(matches: Callable[[str], object]) -> Test:
    seen: set[str] = set()

    def test(text: str) -> bool:
        if text in seen:
            return True
        if not matches(text):
            return False
        if len(seen) >= _REMEMBERED:
            seen.clear()
        seen.add(text)
        return True

    return test


_GRAMMARS: dict[Grammar, Test] = {}


def _grammar_test(grammar: Grammar) -> Test:
    test = _GRAMMARS.get(grammar)
    if test is None:
        test = _GRAMMARS[grammar] = _remembering(re.compile(grammar.pattern).search)
    return test


_url_test = _remembering(is_https_url)


def _length_test(bound: int) -> Test:
    def test(text: str) -> bool:
        return text.isascii() or utf16_length(text) <= bound

    return test


def _finite(value: float) -> bool:
    return math.isfinite(value)


def _axis_complete(axis: Axis) -> bool:
    return (axis.role != "constant" or axis.value is not UNSET) and (
        axis.role != "derived" or axis.expression is not UNSET
    )


def _argument_complete(argument: Argument) -> bool:
    return (argument.tensor is UNSET) is not (argument.scalar is UNSET)


def _latency_complete(latency: Latency) -> bool:
    return latency.median is not UNSET or latency.mean is not UNSET


_DEPENDENT: dict[type, Test] = {Axis: _axis_complete, Argument: _argument_complete, Latency: _latency_complete}


def _all(*tests: Test | None) -> Test | None:
    wanted = [test for test in tests if test is not None]
    if len(wanted) < 2:
        return wanted[0] if wanted else None
    return lambda value: all(test(value) for test in wanted)


def _plan(hint: Any) -> Test | None:
    """The test of a type, or None where conversion has said all there is to say."""
    origin = get_origin(hint)
    if origin is Annotated:
        inner, *marks = get_args(hint)
        tests = [_plan(inner)]
        for mark in marks:
            if isinstance(mark, Grammar):
                tests.append(_grammar_test(mark))
            elif isinstance(mark, Url):
                tests.append(_url_test)
            elif isinstance(mark, msgspec.Meta) and mark.max_length is not None and inner is str:
                tests.append(_length_test(mark.max_length))
        return _all(*tests)
    if origin is Literal:
        return None
    if origin in (Union, types.UnionType):
        return _union_plan(get_args(hint))
    if origin is tuple:
        item = _plan(get_args(hint)[0])
        return None if item is None else lambda values: all(map(item, values))
    if origin is dict:
        return _map_plan(*map(_plan, get_args(hint)))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _struct_plan(hint)
    return _finite if hint is float else None


def _union_plan(members: tuple[Any, ...]) -> Test | None:
    members = tuple(member for member in members if member is not msgspec.UnsetType)
    plans = {}
    for member in members:
        inner = get_args(member)[0] if get_origin(member) is Annotated else member
        if (test := _plan(member)) is not None:
            plans[get_origin(inner) or inner] = test
    if not plans:
        return None
    if len(members) == 1:
        return next(iter(plans.values()))
    if any(isinstance(cls, type) and issubclass(cls, msgspec.Struct) for cls in plans):
        return lambda value: plans[type(value)](value)
    return lambda value: type(value) not in plans or plans[type(value)](value)


def _map_plan(key: Test | None, item: Test | None) -> Test | None:
    if key is None and item is None:
        return None

    def test(values: dict[str, Any]) -> bool:
        return (key is None or all(map(key, values))) and (item is None or all(map(item, values.values())))

    return test


_STRUCTS: dict[type, Test] = {}


def _struct_plan(cls: type[msgspec.Struct]) -> Test:
    known = _STRUCTS.get(cls)
    if known is not None:
        return known
    hints = get_type_hints(cls, include_extras=True)
    fields = [(attrgetter(name), test) for name in cls.__struct_fields__ if (test := _plan(hints[name])) is not None]
    dependent = _DEPENDENT.get(cls)

    def test(value: Any) -> bool:
        for get, check in fields:
            item = get(value)
            if item is not UNSET and not check(item):
                return False
        return dependent is None or dependent(value)

    _STRUCTS[cls] = test
    return test


def accept(kind: str, value: Any) -> Manifest | None:
    """The normalised struct of a plain value that is valid as it stands, else None.

    None means "ask the slow path": the value may still be valid, written with a duration text or as ``3.0`` where an
    integer is due.
    """
    entry = KINDS[kind]
    if "apiVersion" not in value or "kind" not in value:
        return None  # msgspec would fill in the version, and takes a lone tagged struct without its tag
    try:
        manifest: Manifest = msgspec.convert(value, entry.manifest)
    except (msgspec.ValidationError, OverflowError, RecursionError):
        return None
    return manifest if _struct_plan(entry.manifest)(manifest) else None


def doubt(value: msgspec.Struct) -> str | None:
    """Why a struct that was built in Python is not valid, in words; None where it is.

    Construction does not validate in msgspec, so the value takes a round trip through a strict decoder.
    """
    cls = type(value)
    try:
        again = msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=cls)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        return str(error)
    if not _struct_plan(cls)(again):
        return "a text, a number or a combination of fields breaks the contract; check_value says which"
    return None
