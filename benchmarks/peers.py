"""The same work by others: decode, validate, and RFC 8785 with SHA-256 of every manifest of a record."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import rfc8785

import kernelindex_schema as kix
from kernelindex_schema.v1alpha1 import BenchmarkProtocol, BenchmarkRun, ExecutionEnvironment
from kernelindex_schema.v1alpha1.scalars import Grammar

Check = Callable[[bytes], object]

_sorted = msgspec.json.Encoder(order="sorted").encode


def _body(manifest: dict[str, Any]) -> dict[str, Any]:
    return {key: manifest[key] for key in ("apiVersion", "kind", "spec")}


def _rfc8785_digests(record: dict[str, Any]) -> list[str]:
    return [hashlib.sha256(rfc8785.dumps(_body(manifest))).hexdigest() for manifest in record.values()]


def limit(line: bytes) -> object:
    """What any checker pays: untyped decode, sorted encode and SHA-256 of each manifest; nothing is checked."""
    record = msgspec.json.decode(line)
    return [hashlib.sha256(_sorted(_body(manifest))).hexdigest() for manifest in record.values()]


_BOUNDS = ("ge", "gt", "le", "lt", "min_length", "max_length")


def _with_pattern(hint: Any) -> Any:
    """A type of the contract with its grammars as msgspec patterns."""
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        bounds: dict[str, Any] = {}
        for mark in marks:
            if isinstance(mark, Grammar):
                bounds["pattern"] = mark.pattern
            elif isinstance(mark, msgspec.Meta):
                bounds |= {name: getattr(mark, name) for name in _BOUNDS if getattr(mark, name) is not None}
        inner = _with_pattern(inner)
        return Annotated[inner, msgspec.Meta(**bounds)] if bounds else inner
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _patterned(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None or origin is Literal:
        return hint
    inner_types = tuple(each if each is Ellipsis else _with_pattern(each) for each in arguments)
    if origin in (Union, type(int | str)):
        return Union[inner_types]  # noqa: UP007 - made from a list
    return origin[inner_types]


_made: dict[type, type] = {}


def _patterned(cls: type[msgspec.Struct]) -> type[msgspec.Struct]:
    if cls not in _made:
        hints = get_type_hints(cls, include_extras=True)
        config = cls.__struct_config__
        names = zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True)
        fields: list[Any] = []
        for name, wire in names:
            optional = msgspec.UnsetType in get_args(hints[name])
            kind = _with_pattern(hints[name])
            default = {"default": msgspec.UNSET} if optional else {}
            fields.append((name, kind, msgspec.field(name=wire, **default)))
        _made[cls] = msgspec.defstruct(
            cls.__name__,
            fields,
            frozen=True,
            kw_only=True,
            forbid_unknown_fields=True,
            tag=config.tag,
            tag_field=config.tag_field,
        )
    return _made[cls]


def typed_msgspec() -> Check:
    """msgspec with a pattern a field, then rfc8785: the plain way to do it."""
    record = msgspec.defstruct(
        "PlainRecord",
        [
            ("run", _patterned(BenchmarkRun)),
            ("protocol", _patterned(BenchmarkProtocol)),
            ("environment", _patterned(ExecutionEnvironment)),
        ],
    )
    decode = msgspec.json.Decoder(record).decode

    def check(line: bytes) -> object:
        return _rfc8785_digests(msgspec.to_builtins(decode(line)))

    return check


def _schemas() -> dict[str, Any]:
    return {
        "run": kix.json_schema("BenchmarkRun"),
        "protocol": kix.json_schema("BenchmarkProtocol"),
        "environment": kix.json_schema("ExecutionEnvironment"),
    }


def plain_jsonschema() -> Check:
    """jsonschema with the published schemas, then rfc8785."""
    from jsonschema import Draft202012Validator

    validators = {name: Draft202012Validator(schema) for name, schema in _schemas().items()}

    def check(line: bytes) -> object:
        record = msgspec.json.decode(line)
        for name, validator in validators.items():
            assert validator.is_valid(record[name])
        return _rfc8785_digests(record)

    return check


def rust_jsonschema() -> Check:
    """jsonschema-rs with the published schemas, then rfc8785."""
    import jsonschema_rs

    validators = {name: jsonschema_rs.validator_for(schema) for name, schema in _schemas().items()}

    def check(line: bytes) -> object:
        record = msgspec.json.decode(line)
        for name, validator in validators.items():
            assert validator.is_valid(record[name])
        return _rfc8785_digests(record)

    return check


def compiled_jsonschema() -> Check:
    """fastjsonschema with the published schemas as draft 7, which it knows, then rfc8785."""
    import fastjsonschema

    validators = {}
    for name, schema in _schemas().items():
        seventh = msgspec.json.decode(msgspec.json.encode(schema).replace(b"$defs", b"definitions"))
        seventh["$schema"] = "http://json-schema.org/draft-07/schema#"
        seventh.pop("$id", None)
        validators[name] = fastjsonschema.compile(seventh)

    def check(line: bytes) -> object:
        record = msgspec.json.decode(line)
        for name, validate in validators.items():
            validate(record[name])
        return _rfc8785_digests(record)

    return check


def pydantic_models() -> Check:
    """pydantic v2 with strict models of the same fields, then rfc8785."""
    from benchmarks.pydantic_models import Record

    def check(line: bytes) -> object:
        record = Record.model_validate_json(line, strict=True)
        return _rfc8785_digests(record.model_dump(mode="json", by_alias=True, exclude_unset=True))

    return check


PEERS: dict[str, tuple[str, Callable[[], Check]]] = {
    "msgspec + rfc8785": ("msgspec", typed_msgspec),
    "pydantic v2": ("pydantic", pydantic_models),
    "jsonschema": ("jsonschema", plain_jsonschema),
    "fastjsonschema": ("fastjsonschema", compiled_jsonschema),
    "jsonschema-rs": ("jsonschema_rs", rust_jsonschema),
}
"""Name, the module that must be there, and how to make it."""


def present() -> Iterator[tuple[str, Check]]:
    """The peers that are installed."""
    for name, (module, make) in PEERS.items():
        if importlib.util.find_spec(module) is not None:
            yield name, make()


def ours() -> tuple[Check, Check]:
    """This package: structure with every digest, and the whole of the check of a line."""
    from kernelindex_schema.codecs.document import Piece
    from kernelindex_schema.codecs.formats import FORMATS
    from kernelindex_schema.intake import load
    from kernelindex_schema.meaning import Bench

    codec, bench = FORMATS["jsonl"].codec(), Bench()

    def structure(line: bytes) -> object:
        loaded = load(codec, Piece(index=0, data=line))
        assert loaded.complete
        return [bench.digest(manifest) for _, manifest in loaded.manifests]

    def whole(lines: bytes) -> object:
        report = kix.check_data(lines, "jsonl")
        assert report.ok
        return report

    return structure, whole
