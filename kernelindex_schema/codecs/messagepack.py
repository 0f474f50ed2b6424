"""MessagePack: decoded by msgspec and, where that has a doubt, read by an own scanner without recursion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import msgspec

from kernelindex_schema.codecs.document import (
    MAX_MANIFEST_BYTES,
    MAX_SUBMISSION_BYTES,
    Examined,
    Piece,
    Refused,
)
from kernelindex_schema.codecs.json import read_whole, shallow
from kernelindex_schema.errors import UnencodableValue

__all__ = ["MessagePackCodec"]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode
_encode_json = msgspec.json.Encoder().encode
_decode_json = msgspec.json.Decoder().decode


class MessagePackCodec:
    """One document as MessagePack; its values are those of JSON, so extension types and bin are refused."""

    def split(self, stream: BinaryIO) -> Iterator[Piece]:
        """The whole file is the document; an empty file is a piece without bytes."""
        yield read_whole(stream, MAX_SUBMISSION_BYTES)

    def decode(self, piece: Piece) -> Any:
        """The value of a piece that is beyond doubt.

        Raises:
            Refused: there is a doubt, or a fault. A piece over the bound of a manifest is always in doubt: a few bytes
                may stand for much memory, and ``examine`` counts.
        """
        data = piece.data
        if piece.faults or not data or len(data) > MAX_MANIFEST_BYTES:
            raise Refused
        try:
            value = _decode(data)
            if _provably_plain(data, value):
                return value
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
            raise Refused from None
        examined = self.examine(piece)
        if examined.faults:
            raise Refused
        return examined.value

    def examine(self, piece: Piece) -> Examined:
        """Every reading fault of a piece, and its value; there are no lines to point at, so each fault has its path.

        A piece without bytes has the value None and no fault.
        """
        from kernelindex_schema.codecs.messagepack_scanner import scan

        return scan(piece.data)

    def encode(self, values: Sequence[Any], *, title: str | None = None) -> bytes:
        """One document, keys in the order given."""
        if len(values) != 1:
            raise UnencodableValue(f"MessagePack holds one document, not {len(values)}; JSON Lines hold several")
        try:
            return _encode(values[0])
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise UnencodableValue(f"MessagePack cannot hold this value: {error}") from None


def _provably_plain(data: bytes, value: Any) -> bool:
    """Whether what was decoded is beyond doubt; a writer that does not use the shortest forms leaves a doubt."""
    # A doubled key is gone when the value is written again. What JSON has no form for (bin, extension types, instants,
    # keys that are no text, numbers that are not finite) comes back from JSON as something else, or not at all.
    if _encode(value) != data:
        return False
    text = _encode_json(value)
    return shallow(text) and bool(_decode_json(text) == value)
