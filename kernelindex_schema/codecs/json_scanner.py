"""The careful way through JSON text: every reading fault, each at its place, without recursion."""

from __future__ import annotations

import math
import re
from typing import Any

from kernelindex_schema.codecs.document import MAX_DEPTH, Examined, Fault, Piece, Refused
from kernelindex_schema.codecs.json import decode_json, is_light
from kernelindex_schema.codecs.json_positions import STRING, JsonPlaces, key_of
from kernelindex_schema.codecs.text import BOTH_HALVES, BYTE_ORDER_MARK, byte_order_mark, shortened, shown, text_of
from kernelindex_schema.findings import Path

__all__ = ["examine_json", "examine_json_text", "scan"]

_SPACE = rb"[ \t\n\r]*+"
_VALUE = re.compile(
    _SPACE + rb"(?:(" + STRING.pattern + rb")"
    rb"|(-?(?:0|[1-9][0-9]*+))(?![0-9A-Za-z_.+-])"
    rb"|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?![0-9A-Za-z_.+-])"
    rb"|([{\[])"
    rb"|(true|false|null)(?![0-9A-Za-z_])"
    rb"|([+-]?(?i:nan|inf|infinity))(?![0-9A-Za-z_]))"
)
_TEXT, _INTEGER, _DECIMAL, _OPENING, _LITERAL, _NON_FINITE = range(1, 7)
_KEY = re.compile(_SPACE + rb"(" + STRING.pattern + rb")" + _SPACE + rb":")
_NEXT = re.compile(_SPACE + rb"([,}\]])")
_REST = re.compile(_SPACE + rb"\Z")
_LITERALS = {b"true": True, b"false": False, b"null": None}
_SURROGATE = re.compile("[\ud800-\udfff]")

_SAFE_DIGITS = 308
"""No integer of so many digits lies outside the range of a double."""

_MOST_VALUES = 1_000_000
"""How many values are looked at, which takes some seconds."""

_MOST_FAULTS = 1_000
"""With so many faults reading ends; a report shows a tenth of them."""


def examine_json(piece: Piece) -> Examined:
    """Every reading fault of a piece that is JSON text, its value and its positions."""
    data, mark = piece.data, []
    if piece.first_line == 1 and data.startswith(BYTE_ORDER_MARK):
        data = data[len(BYTE_ORDER_MARK) :]
        mark = [byte_order_mark(1)]
    examined = examine_json_text(data, piece.first_line)
    examined.faults[:0] = mark
    return examined


def examine_json_text(data: bytes, first_line: int = 1, first_column: int = 1) -> Examined:
    """As :func:`examine_json`, for text without a byte order mark that begins at this line and column.

    Text that holds nothing but white space has the value None and no fault.
    """
    try:
        return Examined(value=decode_json(data), faults=[], locate=JsonPlaces(data, first_line, first_column).locate)
    except Refused:
        pass
    if not is_light(data):
        message = f"the document of {len(data):,} bytes holds too many values to be read at once"
        return Examined(readable=False, faults=[Fault(rule="KIX003", message=message, hint="use JSON Lines")])
    text = text_of(data, first_line, first_column)
    if isinstance(text, Fault):
        return Examined(readable=False, faults=[text])
    del text
    return scan(data, first_line, first_column)


def scan(data: bytes, first_line: int = 1, first_column: int = 1) -> Examined:
    """Reads text that is known to be UTF-8, whether or not it is beyond doubt."""
    scanner = _Scanner(data, JsonPlaces(data, first_line, first_column))
    try:
        value = scanner.run()
    except _Stopped as stopped:
        faults = [stopped.fault] if stopped.fault else scanner.faults
        return Examined(readable=False, faults=faults)
    places = JsonPlaces(data, first_line, first_column, doubled=True) if scanner.doubled else scanner.places
    return Examined(value=value, faults=scanner.faults, locate=places.locate)


class _Stopped(Exception):
    """Nothing after this fault can be read; without one, there are enough."""

    def __init__(self, fault: Fault | None) -> None:
        super().__init__()
        self.fault = fault


class _Frame:
    """An object or a list that is not closed yet."""

    __slots__ = ("key", "keys", "members", "start")

    def __init__(self, members: Any, start: int) -> None:
        self.members = members
        self.start = start
        self.key = ""
        self.keys: dict[str, tuple[int, int]] = {}


class _Scanner:
    def __init__(self, data: bytes, places: JsonPlaces) -> None:
        self.data = data
        self.places = places
        self.stack: list[_Frame] = []
        self.faults: list[Fault] = []
        self.doubled = False

    def run(self) -> Any:
        data, stack = self.data, self.stack
        if _REST.match(data):
            return None
        at = 0
        for _ in range(_MOST_VALUES):
            found = _VALUE.match(data, at)
            if found is None:
                raise self._mistake(at, "value")
            kind = found.lastindex
            at = found.end()
            value: Any
            if kind == _TEXT:
                raw = found[_TEXT]
                value = self._escaped(raw, found) if b"\\" in raw else raw[1:-1].decode("utf-8")
            elif kind == _INTEGER:
                digits = found[_INTEGER]
                value = int(digits) if len(digits) <= _SAFE_DIGITS else self._long_integer(digits, found)
            elif kind == _OPENING:
                frame = self._open(found[_OPENING], at)
                value = frame.members
                closing = _NEXT.match(data, at)
                if closing is None or closing[1] != (b"}" if isinstance(value, dict) else b"]"):
                    stack.append(frame)
                    if isinstance(value, dict):
                        at = self._key(at)
                    continue
                at = closing.end()
            elif kind == _DECIMAL:
                value = self._decimal(found)
            elif kind == _LITERAL:
                value = _LITERALS[found[_LITERAL]]
            else:
                value = None
                self._not_finite(f"a finite number is wanted, not {found[_NON_FINITE].decode()}", found)

            # The value is whole; it goes where it belongs, and what ends after it is closed.
            while stack:
                frame = stack[-1]
                members = frame.members
                is_object = isinstance(members, dict)
                if is_object:
                    members[frame.key] = value
                else:
                    members.append(value)
                after = _NEXT.match(data, at)
                sign = after[1] if after else b""
                if not after or sign == (b"]" if is_object else b"}"):
                    raise self._mistake(at, "next")
                at = after.end()
                if sign == b",":
                    if is_object:
                        at = self._key(at)
                    break
                value = members
                stack.pop()
            else:
                if not _REST.match(data, at):
                    raise self._mistake(at, "end")
                return value
        message = f"the document has a reading fault, but not among its first {_MOST_VALUES:,} values"
        raise _Stopped(Fault(rule="KIX003", message=message))

    def _open(self, bracket: bytes, at: int) -> _Frame:
        if len(self.stack) >= MAX_DEPTH:
            raise _Stopped(
                Fault(
                    rule="KIX006",
                    message=f"objects and lists are nested deeper than {MAX_DEPTH} levels",
                    path=self._path(),
                    position=self.places.position(at - 1, at),
                )
            )
        return _Frame({} if bracket == b"{" else [], at - 1)

    def _key(self, at: int) -> int:
        """Reads a key and its colon; gives the place after them."""
        found = _KEY.match(self.data, at)
        if found is None:
            raise self._mistake(at, "key")
        key = key_of(found[1])
        start, end = found.span(1)
        frame = self.stack[-1]
        if not key.isascii() and _SURROGATE.search(key):
            self._add("KIX008", f"the key holds {_surrogate_in(key)}", start, end, name=key)
        first = frame.keys.setdefault(key, (start, end))
        if first[0] != start:
            self.doubled = True
            path = (*self._path()[:-1], key)
            again = f"the key {shown(key)} is given twice in one object"
            self._add("KIX005", again, start, end, name=key, first=(path, first))
        frame.key = key
        return found.end()

    def _escaped(self, raw: bytes, found: re.Match[bytes]) -> Any:
        text = key_of(raw)
        if not text.isascii() and _SURROGATE.search(text):
            self._add("KIX008", f"the text holds {_surrogate_in(text)}", *found.span(_TEXT))
            return None
        return text

    def _long_integer(self, digits: bytes, found: re.Match[bytes]) -> int | None:
        if not math.isinf(float(digits)):
            return int(digits)
        count = len(digits.lstrip(b"-"))
        self._not_finite(f"an integer of {count:,} digits is out of the range of a double", found)
        return None

    def _decimal(self, found: re.Match[bytes]) -> float | None:
        text = found[_DECIMAL]
        number = float(text)
        if math.isinf(number):
            self._not_finite(f"the number {shortened(text.decode())} is out of the range of a double", found)
            return None
        return number

    def _not_finite(self, message: str, found: re.Match[bytes]) -> None:
        start, end = found.span(found.lastindex or 0)
        self._add("KIX009", message, start, end)

    def _path(self) -> Path:
        return tuple(frame.key if isinstance(frame.members, dict) else len(frame.members) for frame in self.stack)

    def _add(
        self,
        rule: str,
        message: str,
        start: int,
        end: int,
        *,
        name: str | None = None,
        first: tuple[Path, tuple[int, int]] | None = None,
    ) -> None:
        if len(self.faults) >= _MOST_FAULTS:
            raise _Stopped(None)
        path = self._path()
        if name is not None:
            path = (*path[:-1], name)
        related = ((first[0], self.places.position(*first[1]), "first given here"),) if first else ()
        self.faults.append(
            Fault(
                rule=rule,
                message=message,
                path=path,
                at_key=name is not None,
                position=self.places.position(start, end),
                hint=BOTH_HALVES if rule == "KIX008" else None,
                related=related,
            )
        )

    def _mistake(self, at: int, wanted: str) -> _Stopped:
        from kernelindex_schema.codecs.json_mistakes import mistake

        opened = [(frame.start, isinstance(frame.members, dict)) for frame in self.stack]
        told = mistake(self.data, at, wanted, opened, self.places)
        return _Stopped(told)


def _surrogate_in(text: str) -> str:
    found = _SURROGATE.search(text)
    code = f"\\u{ord(found[0]):04x}" if found else "a surrogate"
    return f"{code}, one half of a surrogate pair alone, which stands for no character"
