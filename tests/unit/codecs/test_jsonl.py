from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES, MAX_SUBMISSION_BYTES, Examined, Piece
from kernelindex_schema.codecs.jsonl import JsonlCodec
from kernelindex_schema.errors import UnencodableValue

CODEC = JsonlCodec()


class Trickle(io.RawIOBase):
    """A stream that gives a few bytes at a time, as a slow pipe does."""

    def __init__(self, data: bytes, step: int) -> None:
        self._data = data
        self._step = step

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part, self._data = self._data[: self._step], self._data[self._step :]
        buffer[: len(part)] = part
        return len(part)


def pieces(data: bytes) -> list[tuple[int, int, bytes, list[str]]]:
    whole = [(each.index, each.first_line, each.data, [fault.rule for fault in each.faults]) for each in split(data)]
    for step in (1, 3):
        if len(data) < 100:
            slow = CODEC.split(io.BufferedReader(Trickle(data, step)))
            assert list(slow) == list(split(data))
    return whole


def split(data: bytes) -> list[Piece]:
    return list(CODEC.split(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a":1}\n{"b":2}\n', [(0, 1, b'{"a":1}', []), (1, 2, b'{"b":2}', [])]),
        (b'{"a":1}\r\n\r\n \t\r\n{"b":2}', [(0, 1, b'{"a":1}\r', []), (3, 4, b'{"b":2}', [])]),
        (b"\n\n{}\n\n", [(2, 3, b"{}", [])]),
        (b"{}\n  ", [(0, 1, b"{}", [])]),
        # U+2028 and U+0085 end no line.
        ('{"a":"\u2028\x85"}\n[]'.encode(), [(0, 1, '{"a":"\u2028\x85"}'.encode(), []), (1, 2, b"[]", [])]),
        (b"", [(0, 1, b"", [])]),
        (b"\n\n", [(0, 1, b"", [])]),
        (b" ", [(0, 1, b"", [])]),
        (b"\x0c\n", [(0, 1, b"\x0c", [])]),
    ],
)
def test_lines_keep_their_physical_number(data: bytes, expected: list[Any]) -> None:
    assert pieces(data) == expected


def test_a_line_over_the_bound_is_passed_over_and_the_next_ones_are_read() -> None:
    fits = b"[" + b" " * (MAX_MANIFEST_BYTES - 2) + b"]"
    long = b"[" + b" " * (MAX_MANIFEST_BYTES - 1) + b"]"
    data = b"\n".join([fits, long, b"{}", long * 3, b"[]", long])
    assert pieces(data) == [
        (0, 1, fits, []),
        (1, 2, b"", ["KIX003"]),
        (2, 3, b"{}", []),
        (3, 4, b"", ["KIX003"]),
        (4, 5, b"[]", []),
        (5, 6, b"", ["KIX003"]),
    ]


@pytest.mark.parametrize("filler", [b"\n", b" ", b"x"])
def test_reading_ends_where_nothing_comes_for_too_long(filler: bytes) -> None:
    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.given += len(buffer)
            buffer[:] = filler * len(buffer)
            return len(buffer)

    endless = Endless()
    found = list(CODEC.split(io.BufferedReader(endless, buffer_size=131_072)))
    assert [fault.rule for fault in found[-1].faults] == ["KIX003"]
    assert len(found) <= 2
    assert endless.given < MAX_SUBMISSION_BYTES + 1_000_000


def test_faults_stand_on_their_line_of_the_file(told: Callable[..., list[str]]) -> None:
    assert told("jsonl", ' {"a":1,"a":2}\r', first_line=7) == ["KIX005 7:9-7:12 key a"]
    assert told("jsonl", "{", first_line=3) == ["unreadable", "KIX004 3:2-3:2"]
    # A byte order mark begins a file, not a line.
    assert told("jsonl", "\ufeff{}") == ["KIX014 1:1-1:1"]
    assert told("jsonl", "\ufeff{}", first_line=2) == ["unreadable", "KIX004 2:1-2:2"]


def test_text_cut_at_the_end_of_a_line_gets_the_hint_that_fits(examined: Callable[..., Examined]) -> None:
    (fault,) = examined("jsonl", '[{"a":1},').faults
    assert fault.hint == (
        "the file may be cut short; a line holds a whole document (one over several lines is JSON: .json)"
    )


def test_utf16_is_told_once(told: Callable[..., list[str]]) -> None:
    (piece,) = split('{"a":1}\n{"b":2}\n'.encode("utf-16"))
    assert told("jsonl", piece.data) == ["unreadable", "KIX008 1:1-1:2"]


def test_writes_one_compact_line_each() -> None:
    assert CODEC.encode([]) == b""
    assert CODEC.encode([{"b": 1, "a": "\n"}, [], None]) == b'{"b":1,"a":"\\n"}\n[]\nnull\n'
    with pytest.raises(UnencodableValue):
        CODEC.encode([{}, object()])
