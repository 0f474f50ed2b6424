"""What was built in Python as the plain value that a codec would have read, and what no codec would let in.

Constructing a struct does not validate, so anything may stand in its fields: a number that is not finite, half a
surrogate pair, an object, a list that holds itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.codecs.document import MAX_DEPTH, Fault
from kernelindex_schema.codecs.text import BOTH_HALVES
from kernelindex_schema.findings import Path, dotted_path

__all__ = ["plain_value"]


def plain_value(value: Any) -> tuple[Any, list[Fault]]:
    """The value as dicts, lists, texts, numbers, booleans and None, and the faults of what could not become one."""
    faults: list[Fault] = []
    return _plain(value, (), faults), faults


def _plain(value: Any, path: Path, faults: list[Fault]) -> Any:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return _text(value, path, faults)
    if isinstance(value, int | float):
        return _number(value, path, faults)
    if len(path) >= MAX_DEPTH:
        message = f"values are nested deeper than {MAX_DEPTH} levels"
        faults.append(Fault(rule="KIX006", message=message, path=path))
        return None
    if isinstance(value, msgspec.Struct):
        return {key: _plain(each, (*path, key), faults) for key, each in _members(value)}
    if isinstance(value, dict):
        return {key: _plain(each, (*path, key), faults) for key, each in _texted(value, path, faults)}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, (*path, index), faults) for index, each in enumerate(value)]
    return _other(value, path, faults)


def _members(struct: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """The members that are there, by their names on the wire."""
    config = struct.__struct_config__
    if config.tag_field is not None:
        yield config.tag_field, config.tag
    for name, wire in zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True):
        value = getattr(struct, name, UNSET)
        if value is not UNSET:
            yield wire, value


def _texted(members: dict[Any, Any], path: Path, faults: list[Fault]) -> Iterator[tuple[str, Any]]:
    """The members of a dict that are there and whose keys are text."""
    for key, value in members.items():
        if value is UNSET:
            continue
        if not isinstance(key, str):
            message = f"the key {key!r:.40} is a Python {type(key).__name__}, a key must be text"
            faults.append(Fault(rule="KIX105", message=message, path=path))
        elif (text := _text(key, path, faults)) is not None:
            yield text, value


def _text(value: str, path: Path, faults: list[Fault]) -> str | None:
    try:
        value.encode()
    except UnicodeEncodeError:
        message = f"{_at(path)} holds one half of a surrogate pair alone, which stands for no character"
        faults.append(Fault(rule="KIX008", message=message, path=path, hint=BOTH_HALVES))
        return None
    return str.__str__(value)


def _number(value: float, path: Path, faults: list[Fault]) -> float | None:
    if -sys.float_info.max <= value <= sys.float_info.max:
        return int(value) if isinstance(value, int) else float(value)
    found = "an integer out of the range of a double" if isinstance(value, int) else str(float(value))
    message = f"{_at(path)} is {found}, expected a finite number"
    faults.append(Fault(rule="KIX009", message=message, path=path))
    return None


def _other(value: Any, path: Path, faults: list[Fault]) -> Any:
    """What msgspec would write as something else, such as a date as text; a fault where it would not."""
    if not isinstance(value, bytes | bytearray | memoryview | type):
        try:
            return _plain(msgspec.to_builtins(value), path, faults)
        except (TypeError, ValueError, RecursionError):
            pass
    message = f"{_at(path)} is a Python {type(value).__name__}, which stands for nothing in a document"
    faults.append(Fault(rule="KIX105", message=message, path=path))
    return None


def _at(path: Path) -> str:
    return dotted_path(path) or "the document"
