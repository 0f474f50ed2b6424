"""pydantic v2 models of a record, made from the structs, so that both check the same fields."""

from __future__ import annotations

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from pydantic import BaseModel, ConfigDict, Field, create_model

from kernelindex_schema.v1alpha1 import Record as RecordStruct
from kernelindex_schema.v1alpha1.scalars import Grammar

_made: dict[type, type[BaseModel]] = {}
_CONFIG = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


def _constraints(marks: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for mark in marks:
        if isinstance(mark, Grammar):
            # Rust regular expressions know no lookahead, and their $ matches at the very end alone.
            found["pattern"] = mark.pattern.replace(r"$(?!\n)", "$").replace(r"^(?!__proto__$)", "")
        elif isinstance(mark, msgspec.Meta):
            for name in ("ge", "gt", "le", "lt", "max_length", "min_length"):
                if (value := getattr(mark, name)) is not None:
                    found[name] = value
    return found


def _type(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        found = _constraints(marks)
        return Annotated[_type(inner), Field(**found)] if found else _type(inner)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _model(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None or origin is Literal:
        return hint
    inner = tuple(each if each is Ellipsis else _type(each) for each in arguments if each is not msgspec.UnsetType)
    if origin in (Union, types.UnionType):
        return Union[inner]  # noqa: UP007 - made from a list
    return origin[inner]


def _model(cls: type[msgspec.Struct]) -> type[BaseModel]:
    if cls not in _made:
        hints = get_type_hints(cls, include_extras=True)
        fields: dict[str, Any] = {}
        if cls.__struct_config__.tag_field:
            fields["kind"] = (Literal[cls.__name__], ...)
        for name, wire in zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True):
            default = None if msgspec.UnsetType in get_args(hints[name]) else ...
            fields[name] = (_type(hints[name]), Field(default, alias=wire))
        _made[cls] = create_model(cls.__name__, __config__=_CONFIG, **fields)
    return _made[cls]


Record: Any = _model(RecordStruct)
