"""The record page: a title line, an empty line, then a record as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES, Examined, Fault, Piece, Refused
from kernelindex_schema.codecs.json import decode_json, encode_json, read_whole
from kernelindex_schema.codecs.text import BYTE_ORDER_MARK, byte_order_mark, text_of
from kernelindex_schema.errors import UnencodableValue
from kernelindex_schema.findings import Position

__all__ = ["PageCodec", "title_of"]

_TITLE = re.compile(rb"([ \t]*+[^\r\n]++)\r?\n[ \t]*+\r?\n")
"""The title line and the empty line. Possessive: a long line must not keep a way back for each character."""

_FORM = "a record page is a title line, an empty line, then the record as JSON"


class PageCodec:
    """One record as a page for reading; its title is no part of the value."""

    def split(self, stream: BinaryIO) -> Iterator[Piece]:
        """The whole file is the document; an empty file is a piece without bytes."""
        yield read_whole(stream, MAX_MANIFEST_BYTES)

    def decode(self, piece: Piece) -> Any:
        """The value of a page that is beyond doubt.

        Raises:
            Refused: there is a doubt, or a fault.
        """
        head = _head(piece.data)
        if piece.faults or head is None or head[1].startswith(BYTE_ORDER_MARK):
            raise Refused
        try:
            head[1].decode("utf-8")
        except UnicodeDecodeError:
            raise Refused from None
        return decode_json(piece.data[head.end() :], bounded=False)

    def examine(self, piece: Piece) -> Examined:
        """Every reading fault of a page, its value and its positions, which count from the top of the file."""
        from kernelindex_schema.codecs.json_positions import JsonPlaces
        from kernelindex_schema.codecs.json_scanner import examine_json_text

        data, faults = piece.data, []
        if piece.first_line == 1 and data.startswith(BYTE_ORDER_MARK):
            data = data[len(BYTE_ORDER_MARK) :]
            faults.append(byte_order_mark(1))
        text = text_of(data, piece.first_line)
        if isinstance(text, Fault):
            return Examined(readable=False, faults=[*faults, text])
        if not text.strip():
            return Examined(faults=faults, locate=JsonPlaces(data, piece.first_line).locate)
        head = _head(data)
        if head is None:
            return Examined(readable=False, faults=[*faults, _no_head(text, piece.first_line)])
        line = piece.first_line + data.count(b"\n", 0, head.end())
        body = data[head.end() :]
        if not body.strip():
            message = "the text ends after the title, a record as JSON is wanted"
            missing = Fault(rule="KIX004", message=message, position=Position(line, 1, line, 1), hint=_FORM)
            return Examined(readable=False, faults=[*faults, missing])
        examined = examine_json_text(body, line)
        examined.faults[:0] = faults
        return examined

    def encode(self, values: Sequence[Any], *, title: str | None = None) -> bytes:
        """One page; the JSON is indented by two spaces, with its keys in the order given."""
        if len(values) != 1:
            raise UnencodableValue(f"a record page holds one document, not {len(values)}")
        if title is None or not title.strip() or title.lstrip().startswith("{") or re.search(r"[\r\n]", title):
            raise UnencodableValue("a record page needs a title of one line")
        try:
            head = title.encode("utf-8")
        except UnicodeEncodeError:
            raise UnencodableValue("the title holds half of a surrogate pair") from None
        return head + b"\n\n" + encode_json(values[0], indent=2) + b"\n"


def title_of(piece: Piece) -> str | None:
    """The title line of a page as it stands there; None where it has none."""
    head = _head(piece.data.removeprefix(BYTE_ORDER_MARK))
    if head is None:
        return None
    text = text_of(head[1], piece.first_line)
    return text if isinstance(text, str) else None


def _head(data: bytes) -> re.Match[bytes] | None:
    head = _TITLE.match(data)
    # What begins with a brace is taken for JSON.
    return None if head is None or head[1].lstrip().startswith(b"{") else head


def _no_head(text: str, first_line: int) -> Fault:
    lines = text.split("\n", 2)
    title = lines[0].rstrip("\r")
    if not title.strip():
        message, line, end = "the first line is empty, a title is wanted", first_line, 1
    elif title.lstrip().startswith(("{", "[")):
        message, line, end = "the title line is missing", first_line, len(title) + 1
    elif len(lines) == 1:
        message, line, end = (
            "the text ends after the title, an empty line and a record are wanted",
            first_line,
            len(title) + 1,
        )
    else:
        message, line, end = "an empty line is wanted after the title", first_line + 1, len(lines[1].rstrip("\r")) + 1
    return Fault(rule="KIX004", message=message, position=Position(line, 1, line, end), hint=_FORM)
