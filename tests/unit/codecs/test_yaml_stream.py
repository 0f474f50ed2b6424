from __future__ import annotations

import io
import tracemalloc
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelindex_schema.codecs import yaml_stream
from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES, Piece
from kernelindex_schema.codecs.yaml import YamlCodec
from kernelindex_schema.findings import Position

CODEC = YamlCodec()


def pieces(data: bytes) -> list[tuple[bytes, int]]:
    found = list(CODEC.split(io.BytesIO(data)))
    assert [piece.index for piece in found] == list(range(len(found)))
    assert all(not piece.faults for piece in found)
    return [(piece.data, piece.first_line) for piece in found]


def values(data: bytes) -> list[object]:
    return [CODEC.decode(piece) for piece in CODEC.split(io.BytesIO(data))]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", [(b"", 1)]),
        (b"a: 1", [(b"a: 1", 1)]),
        (b"# only\n", [(b"# only\n", 1)]),
        (b"---\n---\n", [(b"---\n", 1), (b"---\n", 2)]),
        (b"a: 1\n---\nb: 2\n", [(b"a: 1\n", 1), (b"---\nb: 2\n", 2)]),
        (b"a: 1\r\n---\r\nb: 2\r\n", [(b"a: 1\r\n", 1), (b"---\r\nb: 2\r\n", 2)]),
        (b"# c\n%YAML 1.2\n---\na\n...\n# d\n", [(b"# c\n%YAML 1.2\n---\na\n...\n", 1)]),
        (b"a\n...\n# c\n%YAML 1.2\n---\nb\n", [(b"a\n...\n", 1), (b"# c\n%YAML 1.2\n---\nb\n", 3)]),
        (b"a\n...\nb\n...\n\n", [(b"a\n...\n", 1), (b"b\n...\n", 3)]),
        (b"a\n---\n# c\n", [(b"a\n", 1), (b"---\n# c\n", 2)]),
        (b"a\n---", [(b"a\n", 1), (b"---", 2)]),
        (b"a\n---\tb\n--- c\n", [(b"a\n", 1), (b"---\tb\n", 2), (b"--- c\n", 3)]),
        (b"a: |\n x\n---\nb\n", [(b"a: |\n x\n", 1), (b"---\nb\n", 3)]),
        (b"---a\n--- b\n", [(b"---a\n", 1), (b"--- b\n", 2)]),
        (b" ---\n....\n...x\n", [(b" ---\n....\n...x\n", 1)]),
        (b"\xef\xbb\xbf--- a\n", [(b"\xef\xbb\xbf--- a\n", 1)]),
        (b"\xef\xbb\xbf# c\n--- a\n", [(b"\xef\xbb\xbf# c\n--- a\n", 1)]),
    ],
)
def test_cuts(data: bytes, expected: list[tuple[bytes, int]]) -> None:
    assert pieces(data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"---\n---\n", [None, None]),
        (b"null\n---\na: 1\n", [None, {"a": 1}]),
        (b"...\n", [None]),
        (b"# c\n...\n---\na\n...\n...\n", ["a"]),
        (b"a\n---\n...\n---\n", ["a", None, None]),
        (b"\n\n--- >\n x\n--- |\n y\n", ["x\n", "y\n"]),
    ],
)
def test_values_of_a_stream(data: bytes, expected: list[object]) -> None:
    assert values(data) == expected


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a: 1\n... x\n", Position(2, 5, 2, 6)),
        (b"a: 1\n...\n%YAML 1.2\n", Position(3, 1, 3, 10)),
        (b"a: 1\n%YAML 1.2\n---\nb\n", Position(2, 1, 2, 10)),
    ],
)
def test_bad_ends(data: bytes, place: Position) -> None:
    faults = [fault for piece in CODEC.split(io.BytesIO(data)) for fault in CODEC.examine(piece).faults]
    assert [(fault.rule, fault.position) for fault in faults] == [("KIX004", place)]


class Slow(io.BytesIO):
    """Gives a few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._most = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._most if size is None or size < 0 else min(size, self._most))


LINES = st.sampled_from(
    [
        b"---",
        b"...",
        b"--- a",
        b"---a",
        b"... ",
        b"# c",
        b"",
        b"  ",
        b"%YAML 1.2",
        b"a: 1",
        b"- x",
        b"---\t# c",
        b"\xef\xbb\xbf",
        b"...x",
    ]
)


@given(st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n"])), max_size=12), st.booleans(), st.integers(1, 9))
def test_cutting_loses_nothing(lines: list[tuple[bytes, bytes]], cut: bool, size: int) -> None:
    data = b"".join(line + end for line, end in lines)
    if cut:
        data = data.removesuffix(b"\n").removesuffix(b"\r")
    found = list(CODEC.split(io.BytesIO(data)))
    assert [piece.index for piece in found] == list(range(len(found)))
    assert found == list(CODEC.split(Slow(data, size)))
    assert len(found) >= 1
    physical = data.split(b"\n")
    for piece in found:
        count = piece.data.count(b"\n")
        shown = physical[piece.first_line - 1 : piece.first_line + count]
        if piece.data.endswith(b"\n"):
            shown = shown[:-1]
        # A marker "..." that ends no document becomes a comment.
        for line, original in zip(piece.data.split(b"\n"), shown, strict=False):
            assert line in (original, original.replace(b"...", b"#.."))


@given(st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n"])), max_size=24), st.integers(5, 20))
def test_where_the_chunks_end_does_not_matter(lines: list[tuple[bytes, bytes]], chunk: int) -> None:
    data = b"".join(line + end for line, end in lines).removesuffix(b"\n")
    with mock.patch.object(yaml_stream, "MAX_MANIFEST_BYTES", 40):
        whole = list(CODEC.split(io.BytesIO(data)))
        with mock.patch.object(yaml_stream, "_CHUNK", chunk):
            assert list(CODEC.split(Slow(data, 3))) == whole
    for piece in whole:
        assert len(piece.data) <= 40
        assert bool(piece.faults) <= (piece.data == b"")


def test_a_document_that_is_too_long_is_skipped() -> None:
    fits = b"# " + b"x" * (MAX_MANIFEST_BYTES - 9) + b"\na: 1\n"
    assert len(fits) == MAX_MANIFEST_BYTES - 1
    long = b"--- [" + b"1, " * MAX_MANIFEST_BYTES + b"]\n"
    found = list(CODEC.split(io.BytesIO(fits + b"\n" + long + b"---\nb: 2\n")))
    assert [(piece.first_line, [fault.rule for fault in piece.faults]) for piece in found] == [
        (1, []),
        (4, ["KIX003"]),
        (5, []),
    ]
    assert found[1].data == b""
    assert found[1].faults[0].position == Position(4, 1, 4, 1)
    assert [CODEC.decode(found[0]), CODEC.decode(found[2])] == [{"a": 1}, {"b": 2}]
    (alone,) = CODEC.split(io.BytesIO(fits + b"#\n"))
    assert [fault.rule for fault in alone.faults] == ["KIX003"]
    (alone,) = CODEC.split(io.BytesIO(fits + b"\n"))
    assert alone.faults == ()


class Endless(io.RawIOBase):
    """So many bytes, made as they are read."""

    def __init__(self, unit: bytes, times: int) -> None:
        self._unit = unit
        self._left = times

    def read(self, size: int | None = -1, /) -> bytes:
        times = min(self._left, max(1, (size or 1) // len(self._unit)))
        self._left -= times
        return self._unit * times


@pytest.mark.parametrize(
    ("unit", "times", "documents"),
    [
        (b"x" * 64, 250_000, 1),
        (b"a: 1\n", 3_000_000, 1),
        (b"a: 1\n---\n" + b"# c\n" * 1_000, 3_000, 3_001),
    ],
)
def test_memory_is_bounded(unit: bytes, times: int, documents: int) -> None:
    tracemalloc.start()
    try:
        count = sum(1 for _ in CODEC.split(Endless(unit, times)))  # type: ignore[arg-type]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == documents
    assert peak < 8 * MAX_MANIFEST_BYTES


def test_pieces_of_a_file_without_markers_are_its_bytes() -> None:
    assert list(CODEC.split(io.BytesIO(b"a: 1\n"))) == [Piece(index=0, data=b"a: 1\n")]
