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

__all__ = ["JsonlCodec"]

_CHUNK = 131_072
_WHOLE = "a line holds a whole document (one over several lines is JSON: .json)"


class JsonlCodec:
    """Documents as lines of JSON text; blank lines are passed over and counted, CRLF ends a line as LF does."""

    def split(self, stream: BinaryIO) -> Iterator[Piece]:
        """The lines that hold something, numbered as physical lines from 0.

        A line over the bound of a document is not kept: its piece holds the fault. A stream without documents is one
        piece without bytes. Reading ends with a fault where one line, or blank lines alone, go on for longer than any
        document may be.
        """
        # read1 gives what is there, so that a pipe is not waited for and a damaged archive yields its good part.
        read = getattr(stream, "read1", stream.read)
        index = 0
        nothing_yet = True
        blank = 0
        held: list[bytes] = []
        size = 0
        skipping = False
        while chunk := read(_CHUNK):
            if not index and not held and chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
                # UTF-16: its line ends are not to be found by bytes, and one fault says it all.
                yield Piece(index=0, data=chunk)
                return
            end = chunk.rfind(b"\n")
            if end < 0:
                size += len(chunk)
                if size > MAX_SUBMISSION_BYTES:
                    yield _stopped(index, f"a line goes on for more than {MAX_SUBMISSION_BYTES:,} bytes")
                    return
                if not skipping:
                    held.append(chunk)
                    if size > MAX_MANIFEST_BYTES and not _all_blank(held):
                        yield _too_long(index)
                        nothing_yet, skipping, held = False, True, []
                continue
            held.append(chunk[:end])
            block = b"".join(held)
            lines = block.split(b"\n")
            held = [chunk[end + 1 :]] if end + 1 < len(chunk) else []
            size = len(chunk) - end - 1
            bounded = len(block) <= MAX_MANIFEST_BYTES
            if skipping:
                skipping = False
                index += 1
                del lines[0]
            for line in lines:
                if not line or (line.isspace() and not line.strip(b" \t\r")):
                    blank += len(line) + 1
                else:
                    blank = 0
                    nothing_yet = False
                    if bounded or len(line) <= MAX_MANIFEST_BYTES:
                        yield Piece(index=index, data=line, first_line=index + 1)
                    else:
                        yield _too_long(index)
                index += 1
            if blank > MAX_SUBMISSION_BYTES:
                yield _stopped(index, f"blank lines go on for more than {MAX_SUBMISSION_BYTES:,} bytes")
                return
        line = b"".join(held)
        if line.strip(b" \t\r"):
            yield Piece(index=index, data=line, first_line=index + 1)
        elif nothing_yet and not skipping:
            yield Piece(index=0, data=b"")

    def decode(self, piece: Piece) -> Any:
        """The value of a line that is beyond doubt.

        Raises:
            Refused: there is a doubt, or a fault.
        """
        if piece.faults:
            raise Refused
        return decode_json(piece.data)

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


def _all_blank(parts: list[bytes]) -> bool:
    return not any(part.strip(b" \t\r") for part in parts)


def _too_long(index: int) -> Piece:
    fault = Fault(rule="KIX003", message=f"the line is longer than {MAX_MANIFEST_BYTES:,} bytes")
    return Piece(index=index, data=b"", first_line=index + 1, faults=(fault,))


def _stopped(index: int, message: str) -> Piece:
    fault = Fault(rule="KIX003", message=message, hint="nothing after this place was read")
    return Piece(index=index, data=b"", first_line=index + 1, faults=(fault,))
