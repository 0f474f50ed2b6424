"""The fast path of structure: does a value make a valid struct? It says yes or no, never why.

msgspec checks types, bounds, fields and enums while it converts. What it would check slowly or cannot check is done
here: text grammars (matched texts are remembered, instead of a regular expression each time), URLs, lengths in UTF-16
units, and the fields that depend on each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.structure.compiled import Visit, compile_test
from kernelindex_schema.structure.url import is_https_url
from kernelindex_schema.v1alpha1 import KINDS, BenchmarkProtocol, ExecutionEnvironment, Manifest
from kernelindex_schema.v1alpha1.operation import Argument, Axis
from kernelindex_schema.v1alpha1.run import Latency
from kernelindex_schema.v1alpha1.scalars import Grammar, Url

__all__ = ["REPEATED", "REPEATED_KINDS", "accept", "accept_again", "doubt", "utf16_length"]

_REMEMBERED = 20_000
"""How many matched texts are remembered of a grammar. Records of one catalog repeat their tokens and digests; a set
that has grown past this is begun anew, so that memory stays flat over any length of input."""


def utf16_length(text: str) -> int:
    """The length that the contract's bounds count: UTF-16 code units (edge cases, Text)."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _remembering(matches: Callable[[str], object]) -> tuple[set[str], Callable[[str], bool]]:
    seen: set[str] = set()

    def test(text: str) -> bool:
        if not matches(text):
            return False
        if len(seen) >= _REMEMBERED:
            seen.clear()
        seen.add(text)
        return True

    return seen, test


_texts: dict[Grammar | Url, tuple[set[str], Callable[[str], bool]]] = {}


def _text_test(mark: Grammar | Url) -> tuple[set[str], Callable[[str], bool]]:
    """The texts that are known to match, and the test of one that is not among them."""
    if mark not in _texts:
        _texts[mark] = _remembering(is_https_url if isinstance(mark, Url) else re.compile(mark.pattern).search)
    return _texts[mark]


def _axis_complete(axis: Axis) -> bool:
    return (axis.role != "constant" or axis.value is not UNSET) and (
        axis.role != "derived" or axis.expression is not UNSET
    )


def _argument_complete(argument: Argument) -> bool:
    return (argument.tensor is UNSET) is not (argument.scalar is UNSET)


def _latency_complete(latency: Latency) -> bool:
    return latency.median is not UNSET or latency.mean is not UNSET


_DEPENDENT: dict[type, Callable[[Any], bool]] = {
    Axis: _axis_complete,
    Argument: _argument_complete,
    Latency: _latency_complete,
}


def _visit(visit: Visit, name: str, hint: Any, marks: tuple[Any, ...]) -> None:
    """The lines that test a value of one type; see :func:`compile_test`."""
    for mark in marks:
        if isinstance(mark, Grammar | Url):
            seen, test = _text_test(mark)
            visit.fail_unless(f"{name} in {visit.bind(seen)} or {visit.bind(test)}({name})")
        elif isinstance(mark, msgspec.Meta) and mark.max_length is not None and hint is str:
            length = visit.bind(utf16_length)
            visit.fail_unless(f"{name}.isascii() or {length}({name}) <= {mark.max_length}")
    if hint in _DEPENDENT:
        visit.fail_unless(f"{visit.bind(_DEPENDENT[hint])}({name})")


_tests: dict[type[msgspec.Struct], Callable[[Any], bool]] = {}


def _conforms(cls: type[msgspec.Struct]) -> Callable[[Any], bool]:
    if cls not in _tests:
        _tests[cls] = compile_test(cls, _visit)
    return _tests[cls]


_plans: dict[str, tuple[type[Manifest], Callable[[Any], bool]]] = {}


def accept(kind: str, value: dict[str, Any]) -> Manifest | None:
    """The normalised struct of a plain value that is valid as it stands, else None.

    None means "ask the slow path": the value may still be valid, written with a duration text or as ``3.0`` where an
    integer is due. Numbers must be finite, which every codec sees to.
    """
    plan = _plans.get(kind)
    if plan is None:
        cls = KINDS[kind].manifest
        plan = _plans[kind] = cls, _conforms(cls)
    if "apiVersion" not in value or "kind" not in value:
        return None  # msgspec would fill in the version, and takes a lone tagged struct without its tag
    try:
        manifest = msgspec.convert(value, plan[0])
    except (msgspec.ValidationError, OverflowError, RecursionError, UnicodeEncodeError):
        return None
    return manifest if plan[1](manifest) else None


REPEATED: tuple[type[Manifest], ...] = (BenchmarkProtocol, ExecutionEnvironment)
REPEATED_KINDS = frozenset(cls.__name__ for cls in REPEATED)
"""What record after record repeats word for word."""

_encode = msgspec.json.Encoder().encode
_repeated: dict[bytes, Manifest] = {}
_KEPT = 512


def accept_again(kind: str, value: dict[str, Any]) -> Manifest | None:
    """As :func:`accept`, for kinds that come again and again: the same text gives the same struct.

    Writing the value out and looking it up takes half the time of converting it, and spares its digest and the rules.
    """
    text = _encode(value)
    known = _repeated.get(text)
    if known is None:
        known = accept(kind, value)
        if known is not None:
            if len(_repeated) >= _KEPT:
                _repeated.clear()
            _repeated[text] = known
    return known


def doubt(value: msgspec.Struct) -> str | None:
    """Why a struct that was built in Python is not valid, in words; None where it is.

    Construction does not validate in msgspec, so the value takes a round trip through a strict decoder.
    """
    cls = type(value)
    try:
        data = msgspec.msgpack.encode(value)
        again = msgspec.msgpack.decode(data, type=cls)
        # JSON has no way to write a number that is not finite: msgspec writes null, which no field takes.
        msgspec.json.decode(msgspec.json.encode(value), type=cls)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        return str(error)
    if not _conforms(cls)(again):
        return "a text, a number or a combination of fields breaks the contract; check_value says which"
    return None
