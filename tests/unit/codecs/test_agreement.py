"""The fast and the careful way through a piece say the same, whatever the bytes; what is written reads back."""

from __future__ import annotations

import io
import json
import math
import tomllib
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernelindex_schema.codecs.document import Examined, Piece, Refused
from kernelindex_schema.codecs.formats import FORMATS
from kernelindex_schema.codecs.json import no_key_doubled
from kernelindex_schema.codecs.json_scanner import scan
from kernelindex_schema.codecs.messagepack_scanner import scan as scan_messagepack
from kernelindex_schema.findings import Path, Position

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        ":",
        '"',
        "\\",
        '\\"',
        '":',
        "{}",
        "[",
        "2024-09-03T15:40:08Z",
        "1e5",
        "null",
        "true",
        "no",
        "~",
        "'''",
        "\r\n",
        "\x7f",
    ]
)
NUMBERS = (
    st.integers(-(2**53), 2**53)
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0, -0.0, 1e16, 1e-7, 5e-324, 1.7976931348623157e308, 2**53 + 1])
)
SCALARS = st.booleans() | NUMBERS | TEXT


def nested(scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    values = st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
    )
    return st.dictionaries(TEXT, values, max_size=5)


WITH_NULL = nested(SCALARS | st.none())
WITHOUT_NULL = nested(SCALARS)


def outcome(form: str, data: bytes) -> Examined:
    """What the careful way says, after the fast way was held against it."""
    codec = FORMATS[form].codec()
    piece = Piece(index=0, data=data)
    careful = codec.examine(piece)
    try:
        value = codec.decode(piece)
    except Refused:
        return careful
    assert careful.readable
    assert not careful.faults
    assert repr(value) == repr(careful.value)
    return careful


def every_path(value: Any, path: Path = ()) -> list[Path]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [each for key, child in children for each in every_path(child, (*path, key))]


def at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value


def slice_of(text: str, position: Position) -> str:
    lines = text.split("\n")
    part = lines[position.line - 1 : position.end_line]
    part[-1] = part[-1][: position.end_column - 1]
    part[0] = part[0][position.column - 1 :]
    return "\n".join(part)


def sorted_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    return [sorted_keys(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("form", FORMATS)
@given(data=st.data())
def test_what_is_written_reads_back(form: str, data: st.DataObject) -> None:
    value = data.draw(WITHOUT_NULL if form == "toml" else WITH_NULL)
    codec = FORMATS[form].codec()
    written = codec.encode([value], title="A title")
    assert written == codec.encode([value], title="A title")
    pieces = list(codec.split(io.BytesIO(written)))
    assert [piece.faults for piece in pieces] == [()]
    careful = codec.examine(pieces[0])
    assert careful.faults == []
    if form == "toml":
        # Subtables come after the other keys; a table without keys is no document.
        assert repr(sorted_keys(careful.value or {})) == repr(sorted_keys(value))
    else:
        assert repr(careful.value) == repr(value)
        assert repr(codec.decode(pieces[0])) == repr(value)


@given(values=st.lists(WITH_NULL, max_size=5), ending=st.sampled_from(["\n", "\r\n", "\n\n", " \n"]))
def test_lines_of_json_keep_their_number(values: list[Any], ending: str) -> None:
    codec = FORMATS["jsonl"].codec()
    data = codec.encode(values).replace(b"\n", ending.encode())
    step = ending.count("\n")
    pieces = list(codec.split(io.BytesIO(data)))
    if not values:
        assert pieces == [Piece(index=0, data=b"")]
        return
    assert [piece.index for piece in pieces] == [each * step for each in range(len(values))]
    assert repr([codec.decode(piece) for piece in pieces]) == repr(values)


OF_TEXT = b"""
" \\ : , { } [ ] 0 - . e 1e999 NaN nan inf \\ud800 \\u003a \\u0022 "a":1 "a":1,"a":2
# ' \'\'\' = a.b a=1 2024-09-03 /* - &a *a !!int --- |
""".split()
OF_BYTES = [b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x00", b"\x85", b"\x81\xa1a", b"\xc4\x01a", b"\xd4\x05a"]
LARGE = [b"\xcb\x7f\xf8" + bytes(6), b"\xdd\xff\xff\xff\xff", b"\x91" * 70, b"[" * 70, b"9" * 400, b'"""']
ODD = st.sampled_from([*OF_TEXT, *OF_BYTES, *LARGE, b"\n", b"\r", b"\t", b" ", b"[a]\n", b"[[a]]\n", b"---\n"])


@st.composite
def mutated(draw: st.DrawFn, form: str) -> bytes:
    """Bytes that are nearly of this format."""
    codec = FORMATS[form].codec()
    data = codec.encode([draw(WITHOUT_NULL if form == "toml" else WITH_NULL)], title="T")
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 6)))
        middle = draw(ODD | st.binary(max_size=3) | st.just(data[start : end + 3]))
        data = data[:start] + middle + data[end:]
    return data


@pytest.mark.parametrize("form", FORMATS)
@given(data=st.data())
def test_the_fast_way_passes_over_no_fault(form: str, data: st.DataObject) -> None:
    careful = outcome(form, data.draw(mutated(form)))
    if careful.readable:
        for path in every_path(careful.value):
            careful.locate(path, False)
            careful.locate(path, True)
    else:
        assert careful.faults


def strictly(data: bytes) -> Any:
    """RFC 8259 text without doubled keys, numbers out of range and lone surrogates, by the standard library."""

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in members}) != len(members):
            raise ValueError("doubled")
        return dict(members)

    def refuse(text: str) -> Any:
        raise ValueError(text)

    def finite(text: str) -> float:
        if math.isinf(float(text)):
            raise ValueError(text)
        return float(text)

    def integer(text: str) -> int:
        finite(text)
        return int(text)

    text = data.decode("utf-8")
    if text.startswith("\ufeff"):
        raise ValueError("mark")
    value = json.loads(text, object_pairs_hook=pairs, parse_constant=refuse, parse_float=finite, parse_int=integer)
    repr(value).encode("utf-8")
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


@given(data=mutated("json"))
@example(data=b'{"a":":","b":"\\u003a","b":1}')
@example(data=b'{"a\\\\":":","a\\\\":1}')
@example(data=b'["' + b"]" * 200 + b'"]')
def test_json_is_what_the_standard_library_reads_strictly(data: bytes) -> None:
    careful = outcome("json", data)
    by_scanner = scan(data) if _is_utf8(data) else None
    try:
        value = strictly(data)
    except (ValueError, RecursionError):
        assert careful.faults or careful.value is None
        return
    assert [fault.rule for fault in careful.faults] in ([], ["KIX006"])
    if not careful.faults:
        assert repr(careful.value) == repr(value)
        assert by_scanner is not None
        assert repr(by_scanner.value) == repr(value)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@given(value=WITH_NULL, indent=st.sampled_from([None, 0, 1]), first_line=st.integers(1, 9), escaped=st.booleans())
def test_places_of_json_hold_the_value(value: Any, indent: int | None, first_line: int, escaped: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    data = text.encode()
    careful = FORMATS["json"].codec().examine(Piece(index=0, data=data, first_line=first_line))
    for locate in (careful.locate, scan(data, first_line).locate):
        for path in every_path(value):
            place = locate(path, False)
            assert place is not None
            shifted = Position(
                place.line - first_line + 1, place.column, place.end_line - first_line + 1, place.end_column
            )
            assert repr(json.loads(slice_of(text, shifted))) == repr(at(value, path))
            if path and isinstance(path[-1], str):
                key = locate(path, True)
                assert key is not None
                shifted = Position(key.line - first_line + 1, key.column, key.line - first_line + 1, key.end_column)
                assert json.loads(slice_of(text, shifted)) == path[-1]


@given(value=WITHOUT_NULL)
def test_places_of_toml_hold_the_value(value: Any) -> None:
    data = FORMATS["toml"].codec().encode([value])
    text = data.decode()
    careful = FORMATS["toml"].codec().examine(Piece(index=0, data=data))
    for path in every_path(careful.value or {}):
        place = careful.locate(path, False)
        assert place is not None, path
        held = slice_of(text, place)
        expected = at(careful.value, path) if path else None
        if not isinstance(expected, dict | list) and path:
            assert repr(tomllib.loads(f"x = {held}")["x"]) == repr(expected)


@given(value=WITH_NULL)
def test_the_scanner_of_messagepack_reads_what_msgspec_writes(value: Any) -> None:
    careful = scan_messagepack(msgspec.msgpack.encode(value))
    assert careful.faults == []
    assert repr(careful.value) == repr(value)


@given(value=WITH_NULL, name=TEXT, spaces=st.booleans(), ascii_only=st.booleans())
def test_a_doubled_key_is_always_seen(value: dict[str, Any], name: str, spaces: bool, ascii_only: bool) -> None:
    separators = (", ", ": ") if spaces else (",", ":")
    text = json.dumps({"outer": [value]}, ensure_ascii=ascii_only, separators=separators).encode()
    plain = msgspec.json.decode(text)
    assert no_key_doubled(text, plain)
    for key in [*value, name]:
        member = json.dumps(key, ensure_ascii=not ascii_only).encode() + b":[]"
        twice = text.replace(b"[{", b"[{" + member + (b"," if value else b""), 1)
        doubled = key in value
        assert no_key_doubled(twice, msgspec.json.decode(twice)) is not doubled
