"""The fast path of structure: does a value make a valid struct? It says yes or no, never why.

msgspec checks types, bounds, fields and enums while it converts; the generated :mod:`~.conformity` checks the rest.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kernelindex_schema.structure.conformity import CONFORMS
from kernelindex_schema.v1alpha1 import KINDS, BenchmarkProtocol, ExecutionEnvironment, Manifest

__all__ = ["REPEATED", "REPEATED_KINDS", "accept", "accept_again", "doubt"]


def accept(kind: str, value: dict[str, Any]) -> Manifest | None:
    """The normalised struct of a plain value that is valid as it stands, else None.

    None means "ask the slow path": the value may still be valid, written with a duration text or as ``3.0`` where an
    integer is due. Numbers must be finite, which every codec sees to.
    """
    if "apiVersion" not in value or "kind" not in value:
        return None  # msgspec would fill in the version, and takes a lone tagged struct without its tag
    try:
        manifest = msgspec.convert(value, KINDS[kind].manifest)
    except (msgspec.ValidationError, OverflowError, RecursionError, UnicodeEncodeError):
        return None
    return manifest if CONFORMS[kind](manifest) else None


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
    if not CONFORMS[cls.__name__](again):
        return "a text, a number or a combination of fields breaks the contract; check_value says which"
    return None
