from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES, Examined, Piece
from kernelindex_schema.codecs.page import PageCodec, title_of
from kernelindex_schema.errors import UnencodableValue
from kernelindex_schema.findings import Position

CODEC = PageCodec()
FORM = "a record page is a title line, an empty line, then the record as JSON"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('Liger\n\n{"run": 1}', "Liger"),
        ('Liger µ \r\n\r\n{"run": 1}\r\n', "Liger µ "),
        ('[x] y\n \t\n\n\n{"run": 1}\n', "[x] y"),
    ],
)
def test_a_page_is_its_json(text: str, title: str, examined: Callable[..., Examined]) -> None:
    careful = examined("page", text)
    assert careful.value == {"run": 1}
    assert CODEC.decode(Piece(index=0, data=text.encode())) == {"run": 1}
    assert title_of(Piece(index=0, data=text.encode())) == title


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", []),
        ("\n", []),
        ("Title", ["unreadable", "KIX004 1:1-1:6"]),
        ("Title\n", ["unreadable", "KIX004 2:1-2:1"]),
        ("Title\n\n", ["unreadable", "KIX004 3:1-3:1"]),
        ('Title\n{"a":1}', ["unreadable", "KIX004 2:1-2:8"]),
        ('{"a":1}', ["unreadable", "KIX004 1:1-1:8"]),
        ('{\n\n"a":1}', ["unreadable", "KIX004 1:1-1:2"]),
        ('\n\n{"a":1}', ["unreadable", "KIX004 1:1-1:1"]),
        ("T\n\n\n{x}", ["unreadable", "KIX004 4:2-4:3"]),
        ('T\r\n\r\n{"a":1,\r\n"a":2}', ["KIX005 4:1-4:4 key a"]),
        ('\ufeffT\n\n{"a":NaN}', ["KIX014 1:1-1:1", "KIX009 3:6-3:9 a"]),
        (b"T\xff\n\n{}", ["unreadable", "KIX008 1:2-1:3"]),
        (b"T\n\n{\xff}", ["unreadable", "KIX008 3:2-3:3"]),
    ],
)
def test_faults_of_a_page_count_from_its_top(text: str, faults: list[str], told: Callable[..., list[str]]) -> None:
    assert told("page", text) == faults


def test_a_missing_title_is_told_what_a_page_looks_like(examined: Callable[..., Examined]) -> None:
    (fault,) = examined("page", '{"run": {}}').faults
    assert (fault.message, fault.hint) == ("the title line is missing", FORM)
    assert title_of(Piece(index=0, data=b'{"run": {}}')) is None
    assert title_of(Piece(index=0, data=b"T\xff\n\n{}")) is None
    assert title_of(Piece(index=0, data="\ufeffT\n\n{}".encode())) == "T"


def test_places_count_from_the_top_of_the_file(examined: Callable[..., Examined]) -> None:
    assert examined("page", 'T\n\n{"a":\n 1}').locate(("a",), False) == Position(4, 2, 4, 3)


def test_written_pages_read_back() -> None:
    page = CODEC.encode([{"run": {"a": 1}}], title="Liger µ")
    assert page == 'Liger µ\n\n{\n  "run": {\n    "a": 1\n  }\n}\n'.encode()
    (piece,) = CODEC.split(io.BytesIO(page))
    assert (title_of(piece), CODEC.decode(piece)) == ("Liger µ", {"run": {"a": 1}})


@pytest.mark.parametrize("title", [None, "", " ", "a\nb", "a\rb", '{"a"', "\ud800"])
def test_a_page_needs_a_title_of_one_line(title: str | None) -> None:
    with pytest.raises(UnencodableValue, match="title"):
        CODEC.encode([{}], title=title)


def test_a_page_holds_one_record_within_the_bound() -> None:
    with pytest.raises(UnencodableValue):
        CODEC.encode([{}, {}], title="T")
    (piece,) = CODEC.split(io.BytesIO(b"T\n\n" + b" " * MAX_MANIFEST_BYTES))
    assert [fault.rule for fault in piece.faults] == ["KIX003"]
