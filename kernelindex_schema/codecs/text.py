"""Bytes as text: UTF-8 and nothing else, one byte order mark aside."""

from __future__ import annotations

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Position

__all__ = ["BOTH_HALVES", "BYTE_ORDER_MARK", "byte_order_mark", "shortened", "shown", "text_of"]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

BOTH_HALVES = "write both halves, or the character itself"
"""The hint for a surrogate that stands alone."""

_OTHER_ENCODINGS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (b"\xff\xfe\x00\x00", "UTF-32 (little-endian)"),
    (b"\x00\x00\xfe\xff", "UTF-32 (big-endian)"),
    (b"\xff\xfe", "UTF-16 (little-endian)"),
    (b"\xfe\xff", "UTF-16 (big-endian)"),
)
_BY_ZEROS = {
    (True, True, True, False): "UTF-32 (big-endian)",
    (False, True, True, True): "UTF-32 (little-endian)",
    (True, False): "UTF-16 (big-endian)",
    (False, True): "UTF-16 (little-endian)",
}


def byte_order_mark(first_line: int) -> Fault:
    """The warning for a mark that was passed over; it stands before the first character and takes no column."""
    return Fault(
        rule="KIX014",
        message="the text begins with a byte order mark, which is passed over here",
        position=Position(first_line, 1, first_line, 1),
        hint="save the file as UTF-8 without a byte order mark: other readers refuse it (RFC 8259, section 8.1)",
    )


def text_of(data: bytes, first_line: int, first_column: int = 1) -> str | Fault:
    """The text of these bytes, which must be UTF-8 without its mark; otherwise what is wrong with them, and where."""
    encoding = _other_encoding(data)
    if encoding is not None:
        return Fault(
            rule="KIX008",
            message=f"the text is {encoding}, UTF-8 is wanted",
            position=Position(first_line, first_column, first_line, first_column + 1),
            hint="save the file as UTF-8; in PowerShell: Out-File -Encoding utf8",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, error.start, first_line, first_column)


def _not_utf8(data: bytes, start: int, first_line: int, first_column: int) -> Fault:
    line_start = data.rfind(b"\n", 0, start) + 1
    line = first_line + data.count(b"\n", 0, start)
    column = len(data[line_start:start].decode("utf-8")) + (1 if line_start else first_column)
    if data[start] == 0xED and data[start + 1 : start + 2] >= b"\xa0":
        # RFC 3629, section 3: no bytes of UTF-8 stand for U+D800 to U+DFFF.
        message = f"the bytes {_hex(data[start : start + 3])} would be half of a surrogate pair, which is no UTF-8"
    else:
        message = f"the byte {_hex(data[start : start + 1])} is not UTF-8 here"
    position = Position(line, column, line, column + 1)
    return Fault(rule="KIX008", message=message, position=position, hint="save the file as UTF-8")


def _other_encoding(data: bytes) -> str | None:
    for mark, name in _OTHER_ENCODINGS:
        if data.startswith(mark):
            return name
    # No text that is wanted here begins with U+0000; where zeros stand tells the encoding (RFC 4627, section 3).
    zeros = tuple(not byte for byte in data[:4])
    return _BY_ZEROS.get(zeros) or _BY_ZEROS.get(zeros[:2])


def _hex(data: bytes) -> str:
    return " ".join(f"0x{byte:02X}" for byte in data)


_SHOWN = 40
"""The most characters of a document that a message repeats."""


def shown(text: str) -> str:
    """Text of a document inside a message: in quotes, and cut where it is long."""
    return f"'{shortened(text)}'"


def shortened(text: str) -> str:
    """Text of a document, cut where it is long."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
