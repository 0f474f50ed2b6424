"""TOML 1.0, read by tomllib and written by tomli-w; a date-time stands for the text of an instant."""

from __future__ import annotations

import datetime
import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from kernelindex_schema.codecs.document import MAX_DEPTH, MAX_MANIFEST_BYTES, Examined, Fault, Piece, Refused
from kernelindex_schema.codecs.json import read_whole
from kernelindex_schema.codecs.text import BOTH_HALVES, BYTE_ORDER_MARK, byte_order_mark, shown, text_of
from kernelindex_schema.codecs.toml_positions import COMMENT, KEY_PART, LONG_STRING, SHORT_STRING, TomlPlaces
from kernelindex_schema.errors import UnencodableValue
from kernelindex_schema.findings import Path, Position

__all__ = ["TomlCodec"]

_MOST_FAULTS = 1_000

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
_DATE_LIKE = re.compile(rf"{_DATE}|[0-9]{{2}}:[0-9]{{2}}")
_LONG = rf"{LONG_STRING}|(?:\"\"\"|''')[\s\S]*+"
_SHORT_UNCLOSED = r"[\"'][^\n]*+"
"""As the end of `_LONG`: what opens a string that does not end, or each further quote would be looked at to the end."""
_TOKEN = re.compile(
    rf"{_LONG}|{SHORT_STRING}|{_SHORT_UNCLOSED}|{COMMENT}"
    rf"|((?:{_DATE}(?:[Tt ]{_TIME}(?:[Zz]|[+-][0-9]{{2}}:[0-9]{{2}})?)?|{_TIME})(?![A-Za-z0-9_:+-]))"
    r"|[A-Za-z0-9_:+-]++"
)
"""A string, a comment, a date or time (group 1), or another run of the characters of keys and numbers."""

_KEY_TOKEN = re.compile(rf"{_LONG}|{COMMENT}|({KEY_PART}(?:[ \t]*+\.[ \t]*+{KEY_PART})*+)|{_SHORT_UNCLOSED}")
"""A string of several lines, a comment, or a key of one part or more (group 1)."""
_PART = re.compile(KEY_PART)

_LONG_INTEGER = re.compile(r"(?<![A-Za-z0-9_.])[+-]?[1-9](?:_?[0-9]){309,}+(?![0-9A-Za-z_.])")
_PLACE = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")
_DOUBLED = ("Cannot declare", "Cannot overwrite", "Duplicate inline table key", "Cannot redefine")

_QUADRATIC_BYTES = 16_384
"""From here on keys of very many parts make tomllib slow out of all proportion, so they are looked for before."""
_LONG_KEY = 12
_MANY_LINES = 20_000


class TomlCodec:
    """One document as TOML."""

    def split(self, stream: BinaryIO) -> Iterator[Piece]:
        """The whole file is the document; an empty file is a piece without bytes."""
        yield read_whole(stream, MAX_MANIFEST_BYTES)

    def decode(self, piece: Piece) -> Any:
        """The value of a piece that is beyond doubt.

        Raises:
            Refused: there is a fault.
        """
        if piece.faults or not piece.data.strip():
            raise Refused
        examined = self.examine(piece)
        if examined.faults:
            raise Refused
        return examined.value

    def examine(self, piece: Piece) -> Examined:
        """Every reading fault of a piece, its value, and positions found by a scan of its keys.

        A piece without bytes, or with nothing but comments, has the value None and no fault. Syntax errors and doubled
        keys end the reading of TOML, so that only the first is told.
        """
        data, mark = piece.data, []
        if piece.first_line == 1 and data.startswith(BYTE_ORDER_MARK):
            data = data[len(BYTE_ORDER_MARK) :]
            mark = [byte_order_mark(1)]
        text = text_of(data, piece.first_line)
        examined = (
            Examined(readable=False, faults=[text]) if isinstance(text, Fault) else _examine(text, piece.first_line)
        )
        examined.faults[:0] = mark
        return examined

    def encode(self, values: Sequence[Any], *, title: str | None = None) -> bytes:
        """One document; the keys of a table keep their order, but its subtables come after its other keys."""
        import tomli_w

        if len(values) != 1:
            raise UnencodableValue(f"TOML holds one document, not {len(values)}; JSON Lines or YAML hold several")
        if not isinstance(values[0], dict):
            raise UnencodableValue("a TOML document is a table")
        try:
            return tomli_w.dumps(values[0]).encode("utf-8")
        except (TypeError, ValueError, AttributeError, RecursionError) as error:
            raise UnencodableValue(f"TOML cannot hold this value: {error}") from None


class _NotFinite(float):
    """A number out of the range of a double, with its text."""

    text: str


def _float(text: str) -> float:
    number = float(text.replace("_", ""))
    if math.isfinite(number):
        return number
    odd = _NotFinite(number)
    odd.text = text
    return odd


def _examine(text: str, first_line: int) -> Examined:
    places = TomlPlaces(text, first_line)
    if len(text) > _QUADRATIC_BYTES:
        parts, start = _longest_key(text)
        if parts > MAX_DEPTH:
            return _unreadable(_too_deep(places.position(start, start + 1)))
        if parts > _LONG_KEY and text.count("\n") > _MANY_LINES:
            message = (
                f"the document has more than {_MANY_LINES:,} lines and tables nested deeper than {_LONG_KEY} levels"
            )
            return _unreadable(Fault(rule="KIX003", message=message, position=places.position(start, start + 1)))
    try:
        value = _load(text)
    except tomllib.TOMLDecodeError as error:
        return _unreadable(_mistake(text, str(error), places))
    except RecursionError:
        return _unreadable(_too_deep(None))
    except ValueError as error:
        return _unreadable(Fault(rule="KIX004", message=f"this is no TOML: {error}"))
    if not value:
        return Examined(faults=[], locate=places.locate)
    faults: list[Fault] = []
    if (deep := _settle(value, faults)) is not None:
        return Examined(readable=False, faults=[_too_deep(None, deep)], locate=places.locate)
    return Examined(value=value, faults=faults, locate=places.locate)


def _longest_key(text: str) -> tuple[int, int]:
    """How many parts the longest key has, and where it begins."""
    longest, start = 0, 0
    for found in _KEY_TOKEN.finditer(text):
        key = found[1]
        # The dots are counted first: they are an upper bound, and cheap.
        if key and key.count(".") >= longest and (parts := len(_PART.findall(key))) > longest:
            longest, start = parts, found.start()
    return longest, start


def _load(text: str) -> dict[str, Any]:
    """The tables of a text, with dates and times as the text that stands there."""
    try:
        value = tomllib.loads(text, parse_float=_float)
    except tomllib.TOMLDecodeError as error:
        if not str(error).startswith("Invalid date"):
            raise
        # Such as second 60 or a year 0000: that is judged where the field is known.
        return tomllib.loads(_quote_dates(text), parse_float=_float)
    except ValueError:
        # Python converts no decimal integer of more than some thousand digits. None of these is in range.
        shorter = _LONG_INTEGER.sub(lambda found: f"1e{len(found[0])}", text)
        if shorter == text:
            raise
        return _load(shorter)
    # Dates become values that have lost their spelling; in quotes they keep it.
    return tomllib.loads(_quote_dates(text), parse_float=_float) if _holds_dates(text, value) else value


def _holds_dates(text: str, value: Any) -> bool:
    if not _DATE_LIKE.search(text):
        return False
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
        elif isinstance(each, datetime.date | datetime.time):
            return True
    return False


def _quote_dates(text: str) -> str:
    """The same text with every date and time in quotes. In a key that looks like a date they change nothing."""
    return _TOKEN.sub(lambda found: f'"{found[1]}"' if found[1] else found[0], text)


def _settle(root: dict[str, Any], faults: list[Fault]) -> Path | None:
    """Lists the numbers that no document may hold and puts None in their place; gives a place that is too deep."""
    waiting: list[tuple[Any, Path]] = [(root, ())]
    while waiting:
        value, path = waiting.pop()
        if len(path) >= MAX_DEPTH:
            return path
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(each, dict | list):
                waiting.append((each, (*path, key)))
            elif isinstance(each, float | int) and (message := _out_of_range(each)):
                value[key] = None
                if len(faults) < _MOST_FAULTS:
                    faults.append(Fault(rule="KIX009", message=message, path=(*path, key)))
    return None


def _out_of_range(number: float) -> str | None:
    if isinstance(number, _NotFinite):
        if number.text.lstrip("+-") in ("inf", "nan"):
            return f"a finite number is wanted, not {number.text}"
        return f"the number {shown(number.text)} is out of the range of a double"
    try:
        float(number)
    except OverflowError:
        return "the integer is out of the range of a double"
    return None


def _unreadable(fault: Fault) -> Examined:
    return Examined(readable=False, faults=[fault])


def _too_deep(position: Position | None, path: Path = ()) -> Fault:
    message = f"tables and arrays are nested deeper than {MAX_DEPTH} levels"
    return Fault(rule="KIX006", message=message, position=position, path=path)


def _mistake(text: str, told: str, places: TomlPlaces) -> Fault:
    """What tomllib found, at its place."""
    found = _PLACE.search(told)
    message = told[: found.start()] if found else told
    offset = len(text)
    if found and found[1]:
        # tomllib counts lines by LF and columns from 1, as we do.
        offset = places.offset(int(found[1]), int(found[2]))
    if message.startswith(_DOUBLED):
        return _doubled(message, offset, places)
    if "scalar value" in message:
        # The place is that after the escape.
        return Fault(
            rule="KIX008",
            message="the text holds one half of a surrogate pair alone, which stands for no character",
            position=places.position(max(0, text.rfind("\\", 0, offset)), offset),
            hint=BOTH_HALVES,
        )
    if message.startswith("Unescaped"):
        offset = max(0, text.rfind("\\", 0, offset))
    from kernelindex_schema.codecs.formats import other_format

    hint = other_format(text.encode("utf-8"), "toml")
    if hint is None and offset == len(text):
        hint = "the file may be cut short"
    sentence = message[:1].lower() + message[1:]
    return Fault(
        rule="KIX004", message=f"this is no TOML: {sentence}", position=places.position(offset, offset), hint=hint
    )


def _doubled(message: str, offset: int, places: TomlPlaces) -> Fault:
    double = places.first_double(offset)
    if double is None:
        position = places.position(offset, offset)
        return Fault(rule="KIX005", message=f"a key is given twice: {message}", position=position)
    path, first, second = double
    return Fault(
        rule="KIX005",
        message=f"the key {shown(str(path[-1]))} is given twice in one table",
        path=path,
        at_key=True,
        position=places.position(*second),
        related=((path, places.position(*first), "first given here"),),
    )
