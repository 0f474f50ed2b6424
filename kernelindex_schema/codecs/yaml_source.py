"""The characters of a YAML document: which ones may stand, and the escapes of surrogates that libyaml refuses."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from kernelindex_schema.codecs.document import Fault, Piece
from kernelindex_schema.codecs.text import BYTE_ORDER_MARK, byte_order_mark, text_of
from kernelindex_schema.findings import Position

__all__ = ["Broken", "Source", "SurrogateEscapes"]


class Broken(Exception):
    """The document cannot be read any further; ``fault`` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


_PLAIN_ASCII: Final = bytes([0x09, 0x0A, *range(0x20, 0x7F)])

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)")

_NAMED: Final = {
    "\x00": "NUL",
    "\x85": "next line",
    "\u2028": "line separator",
    "\u2029": "paragraph separator",
    "\ufeff": "byte order mark",
}


class Source:
    """The text of one document, fit for libyaml."""

    __slots__ = ("escapes", "first_line", "has_mark", "text")

    def __init__(self, piece: Piece) -> None:
        data = piece.data
        self.first_line = piece.first_line
        self.has_mark = piece.first_line == 1 and data.startswith(BYTE_ORDER_MARK)
        """Whether a byte order mark was passed over."""
        if self.has_mark:
            data = data[len(BYTE_ORDER_MARK) :]
        text = text_of(data, piece.first_line)
        if not isinstance(text, str):
            raise Broken(text)
        if data.isascii():
            if data.translate(None, _PLAIN_ASCII):
                self._refuse_forbidden(text)
        elif not text.replace("\n", "").isprintable():
            self._refuse_forbidden(text)
        self.escapes = SurrogateEscapes.within(text) if "\\" in text else None
        """The escapes of surrogates, if there are any."""
        if self.escapes is not None:
            text = self.escapes.text
        # The registry's reader takes the end of the file for the end of its last line, libyaml does not.
        # (A last line of blanks is none, which a block text with "+" shows.)
        self.text = text if text[text.rfind("\n") + 1 :].strip(" \t") == "" else text + "\n"

    def _refuse_forbidden(self, text: str) -> None:
        found = _FORBIDDEN.search(text)
        if found is None:
            return
        character = found.group()
        where = self.position(text, found.start(), found.end())
        if character == "\r":
            message = "a carriage return stands here without a line feed"
            raise Broken(
                Fault(rule="KIX004", message=message, position=where, hint="end each line with LF or with CR LF")
            )
        name = f" ({_NAMED[character]})" if character in _NAMED else ""
        raise Broken(
            Fault(
                rule="KIX004",
                message=f"the character U+{ord(character):04X}{name} may not stand in YAML as it is",
                position=where,
                hint=f'in double quotes it may be written as the escape "\\u{ord(character):04x}"',
            )
        )

    def position(self, text: str, start: int, end: int) -> Position:
        """Where in the file these characters of ``text`` stand, which are all on one line."""
        line = self.first_line + text.count("\n", 0, start)
        column = start - text.rfind("\n", 0, start)
        return Position(line, column, line, column + end - start)

    def mark(self) -> Fault | None:
        """The warning for a byte order mark that was passed over."""
        return byte_order_mark(self.first_line) if self.has_mark else None


_ESCAPE = re.compile(r"\\(?:\\|(u|U0000)([dD][89a-fA-F][0-9a-fA-F]{2}))")
_PAIR_OR_HALF = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")

_SURROGATES: Final = 0xD800
_BLOCK: Final = 0x800
_PRIVATE_BLOCKS: Final = (0xE000, 0xE800, 0xF000)
"""Stretches of the private use area, each as long as the surrogates."""


class SurrogateEscapes:
    """Escapes such as ``\\ud83d``, rewritten in the text as private characters of equal length.

    libyaml refuses such an escape even where it is half of a pair, as JSON writes characters beyond U+FFFF. Rewriting
    moves nothing, and :meth:`restore` undoes it in each scalar.
    """

    __slots__ = ("_block", "_original", "_private", "_starts", "text")

    def __init__(self, original: str, block: int) -> None:
        self._original = original
        self._block = block
        self._private = re.compile(f"[{chr(block)}-{chr(block + _BLOCK - 1)}]")
        self._starts: list[int] = []
        self.text = _ESCAPE.sub(self._rewrite, original)

    @classmethod
    def within(cls, text: str) -> SurrogateEscapes | None:
        """The escapes of surrogates in a text, None if there is none."""
        if not any(found.group(2) for found in _ESCAPE.finditer(text)):
            return None
        for block in _PRIVATE_BLOCKS:
            half = "[0-7]" if block & _BLOCK == 0 else "[89a-f]"
            taken = re.compile(rf"[{chr(block)}-{chr(block + _BLOCK - 1)}]|\\(?:u|U0000){block >> 12:x}{half}", re.I)
            if not taken.search(text):
                return cls(text, block)
        raise Broken(
            Fault(
                rule="KIX008",
                message="the text mixes escapes of surrogates with characters of the whole private use area",
                hint="write each character as itself",
            )
        )

    def _rewrite(self, found: re.Match[str]) -> str:
        if not found.group(2):
            return found.group()
        self._starts.append(found.start())
        private = self._block + int(found.group(2), 16) - _SURROGATES
        return f"\\{found.group(1)}{private:04x}"

    def restore(self, value: str, style: str | None, start: int, end: int) -> tuple[str, str | None]:
        """The value as the document means it, and the first half of a pair that stands alone in it, as ``\\ud83d``.

        ``start`` and ``end`` delimit the scalar in the text. A half is given as U+FFFD.
        """
        if style == '"':
            return self._joined(value)
        return self._as_written(value, start, end), None

    def _as_written(self, value: str, start: int, end: int) -> str:
        # Outside double quotes a backslash means itself: put back what the document says, last occurrence first, since
        # those in a comment after the header of a block scalar come first and are no part of the value.
        parts: list[str] = []
        limit = len(value)
        for at in reversed(self._starts[bisect_left(self._starts, start) : bisect_left(self._starts, end)]):
            size = 6 if self.text[at + 1] == "u" else 10
            found = value.rfind(self.text[at : at + size], 0, limit)
            if found < 0:
                break
            parts += value[found + size : limit], self._original[at : at + size]
            limit = found
        parts.append(value[:limit])
        return "".join(reversed(parts))

    def _joined(self, value: str) -> tuple[str, str | None]:
        if not self._private.search(value):
            return value, None
        alone: str | None = None

        def join(found: re.Match[str]) -> str:
            nonlocal alone
            units = found.group()
            if len(units) == 2:
                return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
            alone = alone or f"\\u{ord(units):04x}"
            return "\ufffd"

        shift = self._block - _SURROGATES
        halves = self._private.sub(lambda found: chr(ord(found.group()) - shift), value)
        return _PAIR_OR_HALF.sub(join, halves), alone
