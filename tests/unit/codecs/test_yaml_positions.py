from __future__ import annotations

from io import BytesIO

import pytest

from kernelindex_schema.codecs.document import Piece
from kernelindex_schema.codecs.yaml import YamlCodec
from kernelindex_schema.findings import Path, Position

CODEC = YamlCodec()

TEXT = """\
# a comment
apiVersion: kernelindex.dev/v1alpha1
"kind" :   Run   # the kind
metadata: &meta
  title: "é😀 x"
  authors:
  - name: A
    github: a
  -
    - 'b'
spec:
  shape: [1, {m: 22, "n":3},
    4]
  text: |
    one
    two

  folded: plain
    text
  empty:
  nothing: {}
  same: *meta
  tagged: !!str 1
  last: x
"""

PLACES = [
    ((), False, (2, 1, 24, 10)),
    (("apiVersion",), True, (2, 1, 2, 11)),
    (("apiVersion",), False, (2, 13, 2, 37)),
    (("kind",), True, (3, 1, 3, 7)),
    (("kind",), False, (3, 12, 3, 15)),
    (("metadata",), False, (4, 11, 10, 10)),
    (("metadata", "title"), False, (5, 10, 5, 16)),
    (("metadata", "authors"), False, (7, 3, 10, 10)),
    (("metadata", "authors", 0), False, (7, 5, 8, 14)),
    (("metadata", "authors", 0, "github"), True, (8, 5, 8, 11)),
    (("metadata", "authors", 0, "github"), False, (8, 13, 8, 14)),
    (("metadata", "authors", 1), False, (10, 5, 10, 10)),
    (("metadata", "authors", 1, 0), False, (10, 7, 10, 10)),
    (("metadata", "authors", 1, 0), True, (10, 7, 10, 10)),
    (("spec", "shape"), False, (12, 10, 13, 7)),
    (("spec", "shape", 0), False, (12, 11, 12, 12)),
    (("spec", "shape", 1), False, (12, 14, 12, 28)),
    (("spec", "shape", 1, "m"), False, (12, 18, 12, 20)),
    (("spec", "shape", 1, "n"), True, (12, 22, 12, 25)),
    (("spec", "shape", 1, "n"), False, (12, 26, 12, 27)),
    (("spec", "shape", 2), False, (13, 5, 13, 6)),
    (("spec", "text"), False, (14, 9, 16, 8)),
    (("spec", "folded"), False, (18, 11, 19, 9)),
    (("spec", "empty"), True, (20, 3, 20, 8)),
    (("spec", "empty"), False, (20, 9, 20, 9)),
    (("spec", "nothing"), False, (21, 12, 21, 14)),
    (("spec", "same"), True, (22, 3, 22, 7)),
    (("spec", "same"), False, (22, 9, 22, 14)),
    (("spec", "same", "title"), False, (22, 9, 22, 14)),
    (("spec", "same", "title"), True, (22, 9, 22, 14)),
    (("spec", "same", "authors", 0, "name"), False, (22, 9, 22, 14)),
    (("spec", "tagged"), False, (23, 11, 23, 18)),
    (("spec", "last"), False, (24, 9, 24, 10)),
]


@pytest.mark.parametrize(("path", "at_key", "place"), PLACES)
def test_places(path: Path, at_key: bool, place: tuple[int, int, int, int]) -> None:
    locate = CODEC.examine(Piece(index=0, data=TEXT.encode())).locate
    assert locate(path, at_key) == Position(*place)


@pytest.mark.parametrize(("path", "at_key", "place"), PLACES)
def test_places_in_a_later_document(path: Path, at_key: bool, place: tuple[int, int, int, int]) -> None:
    data = ("\ufeffa: 1\r\n---\n" + TEXT).replace("\n", "\r\n").encode()
    _, piece = CODEC.split(BytesIO(data.replace(b"\r\r", b"\r")))
    line, column, end_line, end_column = place
    assert CODEC.examine(piece).locate(path, at_key) == Position(line + 2, column, end_line + 2, end_column)


@pytest.mark.parametrize("path", [("nope",), ("kind", "x"), ("spec", "shape", 3), ("spec", "shape", "0"), (0,)])
def test_what_is_not_there_has_no_place(path: Path) -> None:
    locate = CODEC.examine(Piece(index=0, data=TEXT.encode())).locate
    assert locate(path, False) is None
    assert locate(path, True) is None


def test_a_byte_order_mark_takes_no_column() -> None:
    result = CODEC.examine(Piece(index=0, data=b"\xef\xbb\xbfa: .inf\n"))
    assert [fault.position for fault in result.faults] == [Position(1, 1, 1, 1), Position(1, 4, 1, 8)]


def test_the_last_of_two_equal_keys_has_the_place() -> None:
    result = CODEC.examine(Piece(index=0, data=b"a: 1\nb: 2\na: 3\n"))
    assert result.locate(("a",), False) == Position(3, 4, 3, 5)


def test_faults_are_placed_in_the_file() -> None:
    _, piece = CODEC.split(BytesIO("a: 1\n---\nb: {c: .inf, c: !x é, 1: y}\n".encode()))
    result = CODEC.examine(piece)
    assert [(fault.rule, fault.position) for fault in result.faults] == [
        ("KIX009", Position(3, 8, 3, 12)),
        ("KIX005", Position(3, 14, 3, 15)),
        ("KIX007", Position(3, 17, 3, 21)),
        ("KIX105", Position(3, 23, 3, 24)),
    ]
    _, piece = CODEC.split(BytesIO(b"a: 1\n---\n\nb: @c\n"))
    assert [fault.position for fault in CODEC.examine(piece).faults] == [Position(4, 4, 4, 5)]
    _, piece = CODEC.split(BytesIO("a: 1\n---\né: \x85\n".encode()))
    assert [fault.position for fault in CODEC.examine(piece).faults] == [Position(3, 4, 3, 5)]
    _, piece = CODEC.split(BytesIO(b"a: 1\n---\na: \xff\n"))
    assert [fault.position for fault in CODEC.examine(piece).faults] == [Position(3, 4, 3, 5)]


def test_escaped_pairs_move_nothing() -> None:
    result = CODEC.examine(Piece(index=0, data=b'a: ["\\ud83d\\ude00", .inf]\n'))
    assert [fault.position for fault in result.faults] == [Position(1, 21, 1, 25)]
