"""Where the values of JSON text stand: walked to only when somebody asks, and only as far as needed."""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right

import msgspec

from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES
from kernelindex_schema.findings import Path, Position

__all__ = ["SPACE", "STRING", "STRING_START", "JsonPlaces", "key_of", "skip_value"]

SPACE = re.compile(rb"[ \t\n\r]*+")
STRING_START = re.compile(rb'"[^"\\\x00-\x1f]*+(?:(?:(?:\\["\\/bfnrt])++|\\u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+')
"""As much of a string as is well-formed."""

STRING = re.compile(STRING_START.pattern + rb'"')
"""A string as RFC 8259, section 7, has it. Possessive: a long one must not keep a way back for each character."""

_SCALAR_END = re.compile(rb"[ \t\n\r,\]}]|\Z")
_FLAT = rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+'
_NEXT_BRACKET = re.compile(
    rb"(?:[^\"{}\[\]]++|\"(?:[^\"\\]++|\\.)*+\"|[{\[]" + _FLAT + rb"[}\]])*+([{}\[\]])", re.DOTALL
)
"""The next bracket after text without brackets and after objects and lists that hold no others."""
_LOOSE_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)

_LIST_STRIDE = 256
"""Every so many bytes the place of an item of a list is remembered: the memory for it stays below the text's."""

_BLOCK = 65_536
"""Every so many bytes the line and column are remembered."""

_LONG_VALUE = 65_536
"""The end of a value longer than this is remembered."""

_MOST_KEYS = 10_000
"""How many members of one object are remembered, in a document over the bound of a manifest."""


def key_of(raw: bytes) -> str:
    """The text of a string as it is written, quotes and all; a lone surrogate stays one."""
    if b"\\" not in raw:
        return raw[1:-1].decode("utf-8")
    text: str
    try:
        text = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        text = json.loads(raw)
    return text


def skip_value(data: bytes, start: int) -> int:
    """The end of the value that begins at ``start``; the end of the data if it is cut.

    Brackets are counted and nothing is looked into, so that text which is not well-formed gives some end, too.
    """
    first = data[start : start + 1]
    if first == b'"':
        string = _LOOSE_STRING.match(data, start)
        return string.end() if string else len(data)
    if first not in (b"{", b"["):
        end = _SCALAR_END.search(data, start)
        return end.start() if end else len(data)
    depth = 1
    position = start + 1
    next_bracket = _NEXT_BRACKET.match
    while True:
        bracket = next_bracket(data, position)
        if bracket is None:
            return len(data)
        position = bracket.end()
        if bracket[1] in b"{[":
            depth += 1
        else:
            depth -= 1
            if not depth:
                return position


class _Object(msgspec.Struct):
    places: dict[str, tuple[int, int, int]]
    """Key to the start and end of the key, and the start of its value."""
    following: int | None
    """Where the first member stands that has not been looked at; None after the last."""


class _List(msgspec.Struct):
    """Where some items stand: the first, and each that begins far enough from the last one remembered."""

    indexes: array[int]
    places: array[int]


class _Block(msgspec.Struct):
    line: int
    """How many lines end before this place."""
    column: int
    """How many characters of its line stand before it."""


class JsonPlaces:
    """The places in one well-formed JSON text.

    Args:
        data: the text as UTF-8 without a byte order mark.
        first_line: the physical line of the file on which it begins.
        first_column: the column on which it begins.
        doubled: whether keys are doubled, so that the last of equal ones counts.
    """

    def __init__(self, data: bytes, first_line: int = 1, first_column: int = 1, *, doubled: bool = False) -> None:
        self._data = data
        self._first_line = first_line
        self._first_column = first_column
        self._doubled = doubled
        self._blocks = [_Block(0, 0)]
        self._ascii = data.isascii()
        self._ends: dict[int, int] = {}
        self._objects: dict[int, _Object] = {}
        self._lists: dict[int, _List] = {}
        self._most_keys = None if len(data) <= MAX_MANIFEST_BYTES else _MOST_KEYS

    def position(self, start: int, end: int) -> Position:
        """The stretch between two offsets in bytes."""
        line, column = self._line_and_column(start)
        end_line, end_column = self._line_and_column(end)
        return Position(line, column, end_line, end_column)

    def locate(self, path: Path, at_key: bool) -> Position | None:
        """Where a value, or the key that leads to it, stands; None where the text has no such place."""
        if not path:
            start = _after_space(self._data, 0)
            return self.position(start, max(start, len(self._data.rstrip(b" \t\r\n"))))
        place = self._find(path)
        if place is None:
            return None
        key_start, key_end, value_start = place
        if at_key and key_end:
            return self.position(key_start, key_end)
        return self.position(value_start, self._end(value_start))

    def _find(self, path: Path) -> tuple[int, int, int] | None:
        place = 0, 0, _after_space(self._data, 0)
        for part in path:
            start = place[2]
            first = self._data[start : start + 1]
            if isinstance(part, str) and first == b"{":
                found = self._member(start, part)
            elif isinstance(part, int) and first == b"[":
                found = self._item(start, part)
            else:
                return None
            if found is None:
                return None
            place = found
        return place

    def _member(self, start: int, key: str) -> tuple[int, int, int] | None:
        known = self._objects.get(start)
        if known is None:
            known = self._objects[start] = _Object({}, _after_space(self._data, start + 1))
        if key in known.places and not self._doubled:
            return known.places[key]
        data = self._data
        while known.following is not None:
            raw = STRING.match(data, known.following)
            if raw is None or (self._most_keys is not None and len(known.places) >= self._most_keys):
                known.following = None
                break
            value = _after_space(data, _after_space(data, raw.end()) + 1)
            name = key_of(raw[0])
            known.places[name] = raw.start(), raw.end(), value
            after = _after_space(data, self._end(value))
            known.following = _after_space(data, after + 1) if data[after : after + 1] == b"," else None
            if name == key and not self._doubled:
                break
        return known.places.get(key)

    def _item(self, start: int, index: int) -> tuple[int, int, int] | None:
        data = self._data
        known = self._lists.get(start)
        if known is None:
            first = _after_space(data, start + 1)
            filled = data[first : first + 1] not in (b"]", b"")
            known = self._lists[start] = _List(array("Q", [0] * filled), array("Q", [first] * filled))
        if index < 0 or not known.places:
            return None
        nearest = bisect_right(known.indexes, index) - 1
        at, place = known.indexes[nearest], known.places[nearest]
        while at < index:
            after = _after_space(data, self._end(place))
            if data[after : after + 1] != b",":
                return None
            at, place = at + 1, _after_space(data, after + 1)
            if at > known.indexes[-1] and place - known.places[-1] >= _LIST_STRIDE:
                known.indexes.append(at)
                known.places.append(place)
        return 0, 0, place

    def _end(self, start: int) -> int:
        """The end of a value."""
        end = self._ends.get(start)
        if end is None:
            end = skip_value(self._data, start)
            if end - start > _LONG_VALUE:
                self._ends[start] = end
        return end

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        blocks = self._blocks
        while len(blocks) <= offset // _BLOCK:
            blocks.append(self._advance(blocks[-1], (len(blocks) - 1) * _BLOCK, len(blocks) * _BLOCK))
        number = offset // _BLOCK
        here = self._advance(blocks[number], number * _BLOCK, offset)
        return self._first_line + here.line, here.column + (self._first_column if not here.line else 1)

    def _advance(self, block: _Block, start: int, end: int) -> _Block:
        """Goes on from the line and column at ``start`` to those at ``end``, not further away than a block."""
        part = self._data[start:end]
        newline = part.rfind(b"\n")
        rest = part[newline + 1 :]
        # A byte 10xxxxxx goes on with a character that has begun before it (RFC 3629, section 3).
        column = len(rest) if self._ascii else len(rest.translate(None, _CONTINUATION))
        if newline < 0:
            return _Block(block.line, block.column + column)
        return _Block(block.line + part.count(b"\n"), column)


_CONTINUATION = bytes(range(0x80, 0xC0))


def _after_space(data: bytes, start: int) -> int:
    space = SPACE.match(data, start)
    return space.end() if space else start
