from __future__ import annotations

import io
import struct
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from kernelindex_schema.codecs.document import MAX_SUBMISSION_BYTES, Examined, Piece, Refused
from kernelindex_schema.codecs.messagepack import MessagePackCodec
from kernelindex_schema.codecs.messagepack_scanner import scan
from kernelindex_schema.errors import UnencodableValue

CODEC = MessagePackCodec()
pack = msgspec.msgpack.encode
NAN = b"\xcb\x7f\xf8" + bytes(6)

PLAIN = [
    {"a": [1, -1, 0.5, True, False, None, "µ", {}, []]},
    [127, 128, 2**16, 2**32, 2**64 - 1, -32, -33, -129, -(2**31), -(2**63)],
    {"k" * n: "v" * n for n in (31, 32, 255, 256, 65_536)},
    {f"k{n}": [n] * n for n in range(20)},
]


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\x80", {}),
        (b"\xc0", None),
        *((pack(value), value) for value in PLAIN),
        # longer forms than needed, and single precision
        (b"\xdf\x00\x00\x00\x01\xdb\x00\x00\x00\x01a\xdc\x00\x01\xd3" + bytes(7) + b"\x05", {"a": [5]}),
        (b"\x91\xcf" + bytes(7) + b"\x06", [6]),
        (b"\x91\xca\x3f\xc0\x00\x00", [1.5]),
        (b"\x91\xcb\x80" + bytes(7), [-0.0]),
        (b"\x91" * 63 + b"\x90", None),
    ],
)
def test_good_data_has_its_value_on_both_ways(data: bytes, value: Any, examined: Callable[..., Examined]) -> None:
    careful = examined("msgpack", data)
    assert careful.faults == []
    assert repr(CODEC.decode(Piece(index=0, data=data))) == repr(scan(data).value)
    if value is not None:
        assert repr(careful.value) == repr(value)


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (b"\x82\xa1a\x01\xa1a\x02", ["KIX005 key a"]),
        (b"\x81\xa1s\x82\xa1a\x01\xd9\x01a\x02", ["KIX005 key s.a"]),
        (b"\x91" + NAN, ["KIX009 [0]"]),
        (b"\x82\xa1a\xca\x7f\x80\x00\x00\xa1b\xcb\xff\xf0" + bytes(6), ["KIX009 a", "KIX009 b"]),
        (b"\x82\xa1a\xc4\x01x\xa1b\x91\xc6\x00\x00\x00\x01x", ["KIX105 a", "KIX105 b[0]"]),
        (b"\x81\xa1a\xd6\xff\x00\x00\x00\x01", ["KIX105 a"]),
        (b"\x81\xa1a\xd7\xff" + b"\xff" * 8, ["KIX105 a"]),
        (b"\x81\xa1a\xc7\x0c\xff" + bytes(12), ["KIX105 a"]),
        (b"\x81\xa1a\xd4\x05x", ["KIX105 a"]),
        (b"\xc4\x01x", ["KIX105"]),
        (b"\x82\x01\xa1x\xa1a\x02", ["KIX105 key 1"]),
        (b"\x81\xc4\x04kind\x01", ["KIX105 key kind"]),
        (
            b"\x84\xc0\x01\xc3\x02\x90\x03\x80\x04",
            ["KIX105 key null", "KIX105 key true", 'KIX105 key ["[…]"]', "KIX105 key {…}"],
        ),
        (b"\x81" + NAN + b"\x01", ["KIX105 key NaN"]),
        (b"\x81\xa1k\x81\x91\xa1x\x01", ['KIX105 key k["[…]"]']),
        (b"\x81\xd6\xff\x00\x00\x00\x01\x01", ['KIX105 key ["a timestamp"]']),
        (b"\x91\xa1\xff", ["KIX008 [0]"]),
        (b"\x81\xa3\xed\xa0\x80\x01", ["KIX008 key \ufffd\ufffd\ufffd"]),
    ],
)
def test_what_does_not_end_the_reading_is_all_listed(
    data: bytes, faults: list[str], told: Callable[..., list[str]]
) -> None:
    assert told("msgpack", data) == faults


@pytest.mark.parametrize(
    ("data", "rule", "says"),
    [
        (b"\x01\x02", "KIX004", "1 byte follows the end of the document"),
        (pack({}) * 5, "KIX004", "4 bytes follow the end of the document"),
        (b"\xc1", "KIX004", "0xC1"),
        (b"\x81\xa1a", "KIX004", "truncated"),
        (b"\x81\xa1a\xcd\x01", "KIX004", "truncated"),
        (b"\xdb\xff\xff\xff\xffabc", "KIX004", "truncated"),
        (b"\xc6\xff\xff\xff\xff", "KIX004", "truncated"),
        (b"\xc9\xff\xff\xff\xff\x01", "KIX004", "truncated"),
        (b"\xdd\xff\xff\xff\xff", "KIX004", "truncated: a list of 4,294,967,295 entries is announced, 0 bytes follow"),
        (
            b"\xdf\xff\xff\xff\xff\x01",
            "KIX004",
            "truncated: a map of 4,294,967,295 entries is announced, 1 bytes follow",
        ),
        (b"\xdc\xff\xff" * 3000, "KIX004", "truncated"),
        (b"\x91" * 65, "KIX006", "deeper than 64 levels"),
        (b"\x81\xa1a" * 100_000 + b"\x80", "KIX006", "deeper than 64 levels"),
        (b"\x81\x91" * 50_000, "KIX006", "deeper than 64 levels"),
    ],
)
def test_what_ends_the_reading_is_one_fault(
    data: bytes, rule: str, says: str, examined: Callable[..., Examined]
) -> None:
    careful = examined("msgpack", data)
    assert not careful.readable
    (fault,) = careful.faults
    assert fault.rule == rule
    assert says in fault.message


def test_an_empty_file_is_left_to_the_stage_that_looks_for_a_manifest(examined: Callable[..., Examined]) -> None:
    careful = examined("msgpack", b"")
    assert (careful.readable, careful.value, careful.faults) == (True, None, [])


def test_text_is_wanted_where_binary_data_or_an_extension_stands(examined: Callable[..., Examined]) -> None:
    careful = examined("msgpack", b"\x93\xc4\x02ab\xd6\xff\x00\x00\x00\x01\xd4\x2ax")
    assert [fault.message for fault in careful.faults] == [
        "binary data (2 bytes) stands here, text is wanted",
        "a timestamp stands here, text is wanted",
        "a value of extension type 42 stands here, text is wanted",
    ]
    assert careful.value == [None, None, None]


def test_written_data_is_the_same_each_time_and_holds_one_document() -> None:
    value = {"b": [1, 2.5, -0.0, "µ"], "a": None}
    data = CODEC.encode([value])
    assert data == b"\x82\xa1b\x94\x01\xcb" + struct.pack(">d", 2.5) + b"\xcb\x80" + bytes(7) + b"\xa2\xc2\xb5\xa1a\xc0"
    (piece,) = CODEC.split(io.BytesIO(data))
    assert repr(CODEC.decode(piece)) == repr(value)
    for values in ([], [1, 2], [object()], [2**70], ["\ud800"]):
        with pytest.raises(UnencodableValue):
            CODEC.encode(values)


def test_too_long_a_file_is_not_kept() -> None:
    (piece,) = CODEC.split(io.BytesIO(bytes(MAX_SUBMISSION_BYTES + 1)))
    assert [fault.rule for fault in piece.faults] == ["KIX003"]
    with pytest.raises(Refused):
        CODEC.decode(piece)
