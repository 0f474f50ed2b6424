"""JSON: strict RFC 8259 text, decoded by msgspec and, where that has a doubt, read by an own scanner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import msgspec

from kernelindex_schema.codecs.document import (
    MAX_DEPTH,
    MAX_MANIFEST_BYTES,
    MAX_SUBMISSION_BYTES,
    Examined,
    Fault,
    Piece,
    Refused,
)
from kernelindex_schema.errors import UnencodableValue

__all__ = ["JsonCodec", "decode_json", "encode_json", "is_light", "no_key_doubled", "read_whole", "shallow"]

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

_DIGITS_OF_RANGE = 309
"""An integer outside the range of a double has at least as many digits as 10^308 has."""

_STRIDE = 38
_digits_in_samples = re.compile(rb"[0-9]{8}").search
_beyond_the_basic_plane = re.compile(rb"[\xf0-\xf4]").search
_doubtful = re.compile(rb'\\(?:\\"|u003|u005)').search
_digits_out_of_range = re.compile(rb"[0-9]{309}").search


class JsonCodec:
    """One document as JSON text."""

    def split(self, stream: BinaryIO) -> Iterator[Piece]:
        """The whole file is the document; an empty file is a piece without bytes.

        (What has no value at all is told by a later stage, as KIX011: ``examine`` gives it the value None.)
        """
        yield read_whole(stream, MAX_SUBMISSION_BYTES)

    def decode(self, piece: Piece) -> Any:
        """The value of a piece that is beyond doubt.

        Raises:
            Refused: there is a doubt, or a fault.
        """
        if piece.faults:
            raise Refused
        return decode_json(piece.data, bounded=False)

    def examine(self, piece: Piece) -> Examined:
        """Every reading fault of a piece, its value and its positions."""
        from kernelindex_schema.codecs.json_scanner import examine_json

        return examine_json(piece)

    def encode(self, values: Sequence[Any], *, title: str | None = None) -> bytes:
        """One document, indented by two spaces, keys in the order given, with a final newline."""
        if len(values) != 1:
            raise UnencodableValue(f"JSON holds one document, not {len(values)}; JSON Lines or YAML hold several")
        return encode_json(values[0], indent=2) + b"\n"


def read_whole(stream: BinaryIO, limit: int) -> Piece:
    """All of a stream as one piece; what is longer than ``limit`` bytes is not kept and is KIX003."""
    parts: list[bytes] = []
    room = limit + 1
    while room:
        part = stream.read(min(room, 1 << 20))
        if not part:
            break
        parts.append(part)
        room -= len(part)
    if not room:
        message = f"the document is longer than {limit:,} bytes"
        return Piece(index=0, data=b"", faults=(Fault(rule="KIX003", message=message),))
    return Piece(index=0, data=b"".join(parts))


def decode_json(data: bytes, *, bounded: bool = True) -> Any:
    """The value of JSON text that is beyond doubt; the text may end in white space.

    Where it is not ``bounded``, nesting and the size of integers are left to the caller.

    Raises:
        Refused: there is a doubt, or a fault.
    """
    if not is_light(data):
        raise Refused
    try:
        value = _decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise Refused from None
    if not no_key_doubled(data, value) or (bounded and (_has_giant(data) or not shallow(data))):
        raise Refused
    return value


def _has_giant(data: bytes) -> bool:
    """Whether some run of digits may be an integer beyond the range of a double."""
    return (
        len(data) > _DIGITS_OF_RANGE
        and _digits_in_samples(data[::_STRIDE]) is not None
        and _digits_out_of_range(data) is not None
    )


_MOST_WEIGHT = 256 * 1024 * 1024
"""A submission as large as we read, of ordinary records, weighs some 215 MiB."""


def is_light(data: bytes) -> bool:
    """Whether the values of this JSON text fit into memory, by what an object, a list and any value take there.

    64 MiB of empty lists would take 1.4 GB. Up to the bound of a manifest there is no need to count.
    """
    if len(data) <= MAX_MANIFEST_BYTES:
        return True
    weight = 184 * data.count(b"{") + 64 * data.count(b"[") + 72 * data.count(b",")
    if not data.isascii():
        # A character beyond U+FFFF makes each one of its text take four bytes; written as UTF-8 it is held once more.
        weight += 5 * _wide_bytes(data)
    return weight <= _MOST_WEIGHT


def _wide_bytes(data: bytes) -> int:
    """How many bytes the texts have that hold a character beyond U+FFFF."""
    total = end = 0
    while found := _beyond_the_basic_plane(data, end):
        start = data.rfind(b'"', end, found.start())
        end = data.find(b'"', found.start())
        if end < 0:
            end = len(data)
        total += end - start
    return total


def shallow(data: bytes) -> bool:
    """Whether well-formed JSON text provably nests no deeper than :data:`MAX_DEPTH`."""
    brackets = data.translate(None, _ALL_BUT_BRACKETS)
    if len(brackets) <= 2 * MAX_DEPTH:
        return True
    # Each round takes away the innermost pairs; a bracket inside a string leaves a rest, which is a doubt.
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
        if not brackets:
            return True
    return False


_ALL_BUT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"{}[]")


def no_key_doubled(data: bytes, value: Any) -> bool:
    """Whether no object of this well-formed JSON text names a key twice, ``value`` being what the text decodes to.

    ``value`` may also be a struct, if decoding it forbids unknown fields and leaves none out: what counts is how many
    keys it writes.
    """
    again = _encode(value)
    if again == data:
        return True
    compact = msgspec.json.format(data, indent=-1)
    if again == compact:
        return True
    if b"\\" not in compact:
        return compact.count(b'":') == again.count(b'":')
    if _doubtful(compact):
        return _no_key_doubled_slowly(compact)
    # In compact text '":' ends a key or begins a string with a colon; inside a string the quote is escaped. Unless a
    # backslash ends a string, or a backslash or colon is spelled as an escape (both excluded above), the two texts
    # count alike what `value` holds, and a member that was dropped only adds to the first.
    return compact.count(b'":') - compact.count(b'\\":') == again.count(b'":') - again.count(b'\\":')


def _no_key_doubled_slowly(data: bytes) -> bool:
    import json

    try:
        json.loads(data, object_pairs_hook=_refuse_doubles)
    except (Refused, ValueError, RecursionError):
        return False
    return True


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused
    return members


def encode_json(value: Any, *, indent: int | None = None) -> bytes:
    """The value as JSON text, keys in the order given; compact where there is no ``indent``.

    Raises:
        UnencodableValue: it holds what JSON has no form for.
    """
    try:
        text = _encode(value)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise UnencodableValue(f"JSON cannot hold this value: {error}") from None
    return text if indent is None else msgspec.json.format(text, indent=indent)
