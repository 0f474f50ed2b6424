"""Where the keys and values of TOML text stand, by a scan that trusts tomllib to have read it."""

from __future__ import annotations

import re
import tomllib

from kernelindex_schema.codecs.document import MAX_DEPTH
from kernelindex_schema.findings import Path, Position

__all__ = ["COMMENT", "KEY_PART", "LONG_STRING", "SHORT_STRING", "TomlPlaces"]

LONG_STRING = (
    r'"""(?:[^\\"]++|\\[\s\S]|"{1,2}+(?!"))*+"""(?:"{0,2}+)'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'''(?:'{0,2}+)"
)
SHORT_STRING = r'"(?:[^"\\\n]++|\\.)*+"' + r"|'[^'\n]*+'"
COMMENT = r"#[^\n]*+"
KEY_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')"""

_BLANK = re.compile(rf"(?:[ \t\r\n]++|{COMMENT})*+")
_SPACE = re.compile(r"[ \t]*+")
_KEY = re.compile(KEY_PART)
_DOT = re.compile(r"[ \t]*+\.[ \t]*+")
_TEXT = re.compile(rf"{LONG_STRING}|{SHORT_STRING}")
_BARE = re.compile(r"[^,\]}\r\n#\[{]++")

_MOST_PLACES = 200_000
"""How many places are remembered; what comes after them is not located."""

_Span = tuple[int, int]
_Place = tuple[_Span, _Span]
"""Where a key and where its value stands."""


class _End(Exception):
    """The text goes on in a way that this scan does not follow."""


class TomlPlaces:
    """The places in one TOML text; nothing is scanned before the first question."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self._text = text
        self._first_line = first_line
        self._places: dict[Path, _Place] = {}
        self._kinds: dict[Path, str] = {}
        self._arrays: dict[Path, int] = {}
        self._scanned = False
        self._double: tuple[Path, _Span, _Span] | None = None
        self._until = len(text)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column of this text, both counted from 1."""
        start = 0
        for _ in range(line - 1):
            start = self._text.find("\n", start) + 1
        return min(start + column - 1, len(self._text))

    def position(self, start: int, end: int) -> Position:
        """The stretch between two offsets."""
        return Position(*self._line_and_column(start), *self._line_and_column(end))

    def locate(self, path: Path, at_key: bool) -> Position | None:
        """Where a value, or the key that leads to it, stands; None where the scan does not know."""
        self._scan()
        if not path:
            return self.position(0, 0)
        place = self._places.get(path)
        if place is None:
            return None
        return self.position(*place[0 if at_key else 1])

    def first_double(self, until: int) -> tuple[Path, _Span, _Span] | None:
        """The first key that is given twice before this offset: its path and both places."""
        self._until = until
        self._scan()
        return self._double

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        text = self._text
        return self._first_line + text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1) + 1

    def _scan(self) -> None:
        if self._scanned:
            return
        self._scanned = True
        text = self._text
        table: Path = ()
        at = self._skip(_BLANK, 0)
        try:
            while at < self._until and self._double is None and len(self._places) < _MOST_PLACES:
                if text.startswith("[", at):
                    table, at = self._header(at)
                else:
                    at = self._pair(at, table, 0)
                at = self._skip(_BLANK, at)
        except _End:
            pass

    def _skip(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self._text, at)
        return found.end() if found else at

    def _expect(self, sign: str, at: int) -> int:
        if not self._text.startswith(sign, at):
            raise _End
        return at + len(sign)

    def _keys(self, at: int) -> tuple[list[tuple[str, _Span]], int]:
        keys: list[tuple[str, _Span]] = []
        while True:
            found = _KEY.match(self._text, at)
            if found is None or len(keys) > MAX_DEPTH:
                raise _End
            keys.append((_name(found[0]), found.span()))
            at = found.end()
            dot = _DOT.match(self._text, at)
            if dot is None:
                return keys, self._skip(_SPACE, at)
            at = dot.end()

    def _header(self, at: int) -> tuple[Path, int]:
        start = at
        many = self._text.startswith("[[", at)
        keys, at = self._keys(self._skip(_SPACE, at + (2 if many else 1)))
        at = self._expect("]]" if many else "]", at)
        path: Path = ()
        for name, span in keys[:-1]:
            path = self._see((*path, name), span, (start, at), "implied")
        name, span = keys[-1]
        path = (*path, name)
        if not many:
            return self._see(path, span, (start, at), "table"), at
        self._see(path, span, (start, at), "list")
        self._arrays[path] = self._arrays.get(path, -1) + 1
        path = (*path, self._arrays[path])
        self._places[path] = span, (start, at)
        return path, at

    def _see(self, path: Path, key: _Span, value: _Span, kind: str) -> Path:
        """Remembers where a key was first given, and that it was given twice; goes into the last table of a list."""
        known = self._kinds.get(path)
        if known is None or (known, kind) == ("implied", "table"):
            self._kinds[path] = kind
            self._places[path] = key, value
        elif known == "value" or (kind != "implied" and (known, kind) not in (("list", "list"), ("dotted", "dotted"))):
            self._double = self._double or (path, self._places[path][0], key)
        return (*path, self._arrays[path]) if path in self._arrays else path

    def _pair(self, at: int, table: Path, depth: int) -> int:
        keys, at = self._keys(at)
        at = self._skip(_SPACE, self._expect("=", at))
        path = table
        for name, span in keys[:-1]:
            path = self._see((*path, name), span, (span[0], keys[-1][1][1]), "dotted")
        name, span = keys[-1]
        path = (*path, name)
        self._see(path, span, (at, at), "value")
        end = self._value(at, path, depth)
        if self._places[path][0] == span:
            self._places[path] = span, (at, end)
        return end

    def _value(self, at: int, path: Path, depth: int) -> int:
        if depth > MAX_DEPTH or len(self._places) >= _MOST_PLACES:
            raise _End
        text = self._text
        if text.startswith("[", at):
            at = self._skip(_BLANK, at + 1)
            index = 0
            while not text.startswith("]", at):
                end = self._value(at, (*path, index), depth + 1)
                self._places[(*path, index)] = (at, end), (at, end)
                index += 1
                at = self._skip(_BLANK, end)
                if not text.startswith("]", at):
                    at = self._skip(_BLANK, self._expect(",", at))
            return at + 1
        if text.startswith("{", at):
            at = self._skip(_BLANK, at + 1)
            while not text.startswith("}", at):
                at = self._skip(_BLANK, self._pair(at, path, depth + 1))
                if not text.startswith("}", at):
                    at = self._skip(_BLANK, self._expect(",", at))
            return at + 1
        found = _TEXT.match(text, at) or _BARE.match(text, at)
        if found is None:
            raise _End
        return at + len(found[0].rstrip(" \t"))


def _name(raw: str) -> str:
    if raw[0] == "'":
        return raw[1:-1]
    if raw[0] != '"':
        return raw
    if "\\" not in raw:
        return raw[1:-1]
    try:
        name: str = tomllib.loads(f"x = {raw}")["x"]
    except tomllib.TOMLDecodeError:
        raise _End from None
    return name
