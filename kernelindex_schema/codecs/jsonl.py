"""JSON Lines: one JSON document a line, read as a stream of any length in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import msgspec

from kernelindex_schema.codecs.document import (
    MAX_MANIFEST_BYTES,
    MAX_SUBMISSION_BYTES,
    Examined,
    Fault,
    Piece,
    Refused,
)
from kernelindex_schema.codecs.json import decode_json, encode_json
from kernelindex_schema.findings import Position

__all__ = ["JsonlCodec"]

_CHUNK = 131_072
_WHOLE = "a line holds a whole document (one over several lines is JSON: .json)"


class JsonlCodec:
    """Documents as lines of JSON text; blank lines are passed over and counted, CRLF ends a line as LF does."""

    def split(self, stream: BinaryIO, *, before: int = 0) -> Iterator[Piece]:
        """The lines that hold something, numbered as physical lines from 0.

        A line over the bound of a document is not kept: its piece holds the fault. A stream without documents is one
        piece without bytes. Reading ends with a fault where one line, or blank lines alone, go on for longer than any
        document may be. ``before`` is the number of lines before the stream, where it is the rest of a longer one.
        """
        # read1 gives what is there, so that a pipe is not waited for and a damaged archive yields its good part.
        read = getattr(stream, "read1", stream.read)
        index = before
        any_document = before > 0
        blank = 0
        held: list[bytes] = []  # of the line that has not ended yet
        size = 0  # of that line, held or not
        over = False  # whether that line was told to be too long
        while chunk := read(_CHUNK):
            if not index and not size and chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
                # UTF-16: its line ends are not to be found by bytes, and one fault says it all.
                yield Piece(index=0, data=chunk)
                return
            first = chunk.find(b"\n")
            last = chunk.rfind(b"\n")
            part = chunk if first < 0 else chunk[:first]
            held.append(part)
            size += len(part)
            if size > MAX_MANIFEST_BYTES:
                if not over and not _is_blank(b"".join(held)):
                    yield _too_long(index)
                    any_document = over = True
                held.clear()
            if first < 0:
                if size > MAX_SUBMISSION_BYTES:
                    yield _stopped(index, f"a line goes on for more than {MAX_SUBMISSION_BYTES:,} bytes")
                    return
                continue
            if not over and _is_blank(b"".join(held)) and _is_blank(chunk[first:last].replace(b"\n", b"")):
                # Nothing but blank lines: counted as a whole, for there may be millions.
                index += chunk.count(b"\n")
                blank += size + last - first
                if blank > MAX_SUBMISSION_BYTES:
                    yield _stopped(index, f"blank lines go on for more than {MAX_SUBMISSION_BYTES:,} bytes")
                    return
            else:
                blank = 0
                for line in (b"".join(held) + chunk[first:last]).split(b"\n"):
                    if line and not (line.isspace() and _is_blank(line)):
                        any_document = True
                        yield Piece(index=index, data=line, first_line=index + 1)
                    index += 1
            held = [chunk[last + 1 :]]
            size = len(held[0])
            over = False
        line = b"".join(held)
        if not _is_blank(line):
            yield Piece(index=index, data=line, first_line=index + 1)
        elif not any_document:
            yield Piece(index=0, data=b"")

    def decode(self, piece: Piece) -> Any:
        """The value of a line that is beyond doubt.

        Raises:
            Refused: there is a doubt, or a fault.
        """
        if piece.faults:
            raise Refused
        return decode_json(piece.data, bounded=False)

    def examine(self, piece: Piece) -> Examined:
        """Every reading fault of a line, its value and its positions in the file."""
        from kernelindex_schema.codecs.json_mistakes import CUT
        from kernelindex_schema.codecs.json_scanner import examine_json

        examined = examine_json(piece)
        examined.faults = [
            msgspec.structs.replace(fault, hint=f"{fault.hint}; {_WHOLE}")
            if fault.hint is not None and fault.hint.endswith(CUT)
            else fault
            for fault in examined.faults
        ]
        return examined

    def encode(self, values: Sequence[Any], *, title: str | None = None) -> bytes:
        """One compact line for each value, keys in the order given."""
        return b"".join([encode_json(value) + b"\n" for value in values])


def _is_blank(line: bytes) -> bool:
    # isspace looks no further than it must, but knows more kinds of white space than JSON.
    return not line or (line.isspace() and not line.strip(b" \t\r"))


def _too_long(index: int) -> Piece:
    return _unread(index, f"the line is longer than {MAX_MANIFEST_BYTES:,} bytes")


def _stopped(index: int, message: str) -> Piece:
    return _unread(index, message, "nothing after this place was read")


def _unread(index: int, message: str, hint: str | None = None) -> Piece:
    line = index + 1
    fault = Fault(rule="KIX003", message=message, hint=hint, position=Position(line, 1, line, 1))
    return Piece(index=index, data=b"", first_line=line, faults=(fault,))
