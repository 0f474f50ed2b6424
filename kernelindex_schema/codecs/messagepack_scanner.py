"""The careful way through MessagePack: every reading fault with its path, without recursion.

Byte values as in the MessagePack specification, section Formats.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from kernelindex_schema.codecs.document import MAX_DEPTH, Examined, Fault
from kernelindex_schema.codecs.text import shown
from kernelindex_schema.findings import Path

__all__ = ["scan"]

_MOST_VALUES = 2_200_000
"""How many values are looked at: more than the largest submission of ordinary records holds."""

_MOST_CONTAINERS = 1_000_000
_MOST_FAULTS = 1_000
"""With so many faults reading ends; a report shows a tenth of them."""

_NUMBERS = {
    0xCA: struct.Struct(">f"),
    0xCB: struct.Struct(">d"),
    0xCC: struct.Struct(">B"),
    0xCD: struct.Struct(">H"),
    0xCE: struct.Struct(">I"),
    0xCF: struct.Struct(">Q"),
    0xD0: struct.Struct(">b"),
    0xD1: struct.Struct(">h"),
    0xD2: struct.Struct(">i"),
    0xD3: struct.Struct(">q"),
}
_LITERALS = {0xC0: None, 0xC2: False, 0xC3: True}
_BIN_LENGTH = {0xC4: 1, 0xC5: 2, 0xC6: 4}
_EXTENSION_LENGTH = {0xC7: 1, 0xC8: 2, 0xC9: 4}
_FIXED_EXTENSION = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_TEXT_LENGTH = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_LIST_LENGTH = {0xDC: 2, 0xDD: 4}
_MAP_LENGTH = {0xDE: 2, 0xDF: 4}
_TIMESTAMP = -1
_NAMES = {dict: "{…}", list: "[…]", type(None): "null"}


def scan(data: bytes) -> Examined:
    """The value of one MessagePack object and every fault of it."""
    scanner = _Scanner(data)
    try:
        value = scanner.run() if data else None
    except _Stopped as stopped:
        return Examined(readable=False, faults=[stopped.fault] if stopped.fault else scanner.faults)
    return Examined(value=value, faults=scanner.faults)


class _Stopped(Exception):
    """Nothing after this fault can be read; without one, there are enough."""

    def __init__(self, fault: Fault | None) -> None:
        super().__init__()
        self.fault = fault


def _stop(rule: str, message: str, path: Path = (), hint: str | None = None) -> _Stopped:
    return _Stopped(Fault(rule=rule, message=message, path=path, hint=hint))


class _Unusable:
    """What stands for a value that no document may hold, until it is known whether it is a key."""

    __slots__ = ("as_key", "message", "rule")

    def __init__(self, rule: str, message: str, as_key: str) -> None:
        self.rule = rule
        self.message = message
        self.as_key = as_key


class _Frame:
    """A map or a list that is not whole yet."""

    __slots__ = ("at_key", "key", "left", "members", "named")

    def __init__(self, members: Any, left: int) -> None:
        self.members = members
        self.left = left
        """How many keys and values, or items, are still to come."""
        self.at_key = isinstance(members, dict)
        self.key = ""
        self.named: set[str] | None = None
        """The names that stand for keys which are no text."""


class _Scanner:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.stack: list[_Frame] = []
        self.faults: list[Fault] = []

    def run(self) -> Any:
        data, stack = self.data, self.stack
        containers = 0
        for _ in range(_MOST_VALUES):
            value = self._next()
            if isinstance(value, _Frame):
                containers += 1
                if containers > _MOST_CONTAINERS:
                    break
                if value.left:
                    stack.append(value)
                    continue
                value = value.members
            while stack:
                frame = stack[-1]
                frame.left -= 1
                if frame.at_key:
                    frame.at_key = False
                    frame.key = self._key(frame, value)
                    break
                if isinstance(value, _Unusable):
                    self._add(value.rule, value.message, self._path())
                    value = None
                if isinstance(frame.members, dict):
                    frame.members[frame.key] = value
                    frame.at_key = True
                else:
                    frame.members.append(value)
                if frame.left:
                    break
                value = frame.members
                stack.pop()
            else:
                if self.at != len(data):
                    more = len(data) - self.at
                    message = f"{more:,} byte{'s follow' if more > 1 else ' follows'} the end of the document"
                    raise _stop("KIX004", message, hint="a MessagePack file holds one document")
                if isinstance(value, _Unusable):
                    self._add(value.rule, value.message, ())
                    value = None
                return value
        message = f"the document of {len(data):,} bytes holds too many values to be read at once"
        raise _stop("KIX003", message, hint="use JSON Lines")

    def _next(self) -> Any:
        """One value, or the frame of a map or list of which only the header was read."""
        byte = self._take(1)[0]
        if byte <= 0x7F:
            return byte
        if byte >= 0xE0:
            return byte - 256
        if byte <= 0x8F:
            return self._frame({}, byte & 0x0F)
        if byte <= 0x9F:
            return self._frame([], byte & 0x0F)
        if byte <= 0xBF:
            return self._text(byte & 0x1F)
        if byte in _LITERALS:
            return _LITERALS[byte]
        if byte in _NUMBERS:
            form = _NUMBERS[byte]
            number = form.unpack(self._take(form.size))[0]
            if isinstance(number, float) and not math.isfinite(number):
                name = "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
                return _Unusable("KIX009", f"a finite number is wanted, not {name}", name)
            return number
        if byte in _TEXT_LENGTH:
            return self._text(self._length(_TEXT_LENGTH[byte]))
        if byte in _MAP_LENGTH:
            return self._frame({}, self._length(_MAP_LENGTH[byte]))
        if byte in _LIST_LENGTH:
            return self._frame([], self._length(_LIST_LENGTH[byte]))
        if byte in _BIN_LENGTH:
            raw = self._take(self._length(_BIN_LENGTH[byte]))
            message = f"binary data ({len(raw):,} byte{'s' if len(raw) != 1 else ''}) stands here, text is wanted"
            return _Unusable("KIX105", message, raw[:200].decode("utf-8", "replace"))
        if byte in _FIXED_EXTENSION:
            return self._extension(_FIXED_EXTENSION[byte])
        if byte in _EXTENSION_LENGTH:
            return self._extension(self._length(_EXTENSION_LENGTH[byte]))
        raise _stop("KIX004", f"the byte 0x{byte:02X} at offset {self.at - 1:,} begins no value", self._path())

    def _take(self, size: int) -> bytes:
        at = self.at
        end = at + size
        if end > len(self.data):
            raise self._cut()
        self.at = end
        return self.data[at:end]

    def _cut(self) -> _Stopped:
        return _stop(
            "KIX004", "the data is truncated: it ends inside a value", self._path(), "the file may be cut short"
        )

    def _length(self, size: int) -> int:
        return int.from_bytes(self._take(size), "big")

    def _frame(self, members: dict[str, Any] | list[Any], count: int) -> _Frame:
        if len(self.stack) >= MAX_DEPTH:
            raise _stop("KIX006", f"maps and lists are nested deeper than {MAX_DEPTH} levels", self._path())
        left = 2 * count if isinstance(members, dict) else count
        if left > len(self.data) - self.at:
            # Each of them takes a byte at least; a header is not believed, and nothing is reserved for it.
            what = "map" if isinstance(members, dict) else "list"
            told = f"a {what} of {count:,} entries is announced, {len(self.data) - self.at:,} bytes follow"
            raise _stop("KIX004", f"the data is truncated: {told}", self._path(), "the file may be cut short")
        return _Frame(members, left)

    def _text(self, size: int) -> Any:
        raw = self._take(size)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            name = raw[:200].decode("utf-8", "replace")
            return _Unusable("KIX008", f"the text {shown(name)} is not UTF-8: byte 0x{raw[error.start]:02X}", name)

    def _extension(self, size: int) -> _Unusable:
        code = int.from_bytes(self._take(1), "big", signed=True)
        self._take(size)
        what = "a timestamp" if code == _TIMESTAMP else f"a value of extension type {code}"
        return _Unusable("KIX105", f"{what} stands here, text is wanted", what)

    def _key(self, frame: _Frame, value: Any) -> str:
        """The text of a key; the faults of the key itself are told here."""
        if isinstance(value, str):
            if value in frame.members and (frame.named is None or value not in frame.named):
                message = f"the key {shown(value)} is given twice in one map"
                self._add("KIX005", message, (*self._path()[:-1], value), at_key=True)
            return value
        if isinstance(value, _Unusable):
            name = value.as_key
            rule, message = ("KIX008", value.message) if value.rule == "KIX008" else ("KIX105", "")
        else:
            name = _NAMES.get(type(value)) or str(value).lower()
            rule, message = "KIX105", ""
        message = message or f"the key {shown(name)} is no text, text is wanted"
        self._add(rule, message, (*self._path()[:-1], name), at_key=True)
        frame.named = {*(frame.named or ()), name}
        return name

    def _path(self) -> Path:
        """Where the value that is being read belongs; a value inside a key belongs to the map."""
        path: list[str | int] = []
        for frame in self.stack:
            if frame.at_key:
                break
            path.append(frame.key if isinstance(frame.members, dict) else len(frame.members))
        return tuple(path)

    def _add(self, rule: str, message: str, path: Path, *, at_key: bool = False) -> None:
        if len(self.faults) >= _MOST_FAULTS:
            raise _Stopped(None)
        self.faults.append(Fault(rule=rule, message=message, path=path, at_key=at_key))
