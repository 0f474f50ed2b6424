from __future__ import annotations

import io

import pytest

from kernelindex_schema.findings import Position, Severity
from kernelindex_schema.sources.delimited import MAX_LINE, table_rows
from kernelindex_schema.sources.source import Row, Trouble


def read(text: str | bytes, columns: tuple[str, ...] = ("a", "b", "c")) -> list[Row | Trouble]:
    data = text.encode() if isinstance(text, str) else text
    return list(table_rows(io.BytesIO(data), columns))


def rows(text: str | bytes) -> list[tuple[int, tuple[str, ...]]]:
    return [(each.line, tuple(each.values.values())) for each in read(text) if isinstance(each, Row)]


def troubles(text: str | bytes) -> list[tuple[str, int, str | None]]:
    return [(each.rule, each.line, each.column) for each in read(text) if isinstance(each, Trouble)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_blank_records(end):
    text = end.join(["a,b,c", "1,2,3", "", '4,"5,""6""",7', "", "8,9,10"])
    assert rows(text) == [(2, ("1", "2", "3")), (4, ("4", '5,"6"', "7")), (6, ("8", "9", "10"))]
    assert troubles(text) == []


def test_lines_are_physical():
    assert rows('a,b,c\n1,"x\ny\n",3\n4,5,6\n') == [(2, ("1", "x\ny\n", "3")), (5, ("4", "5", "6"))]


def test_columns_are_found_by_name():
    (row,) = read("c,a,b\n3,1,2\n")
    assert row.values == {"a": "1", "b": "2", "c": "3"}
    assert row.position("b") == Position(2, 5, 2, 6)


def test_position_of_a_quoted_field_over_lines():
    (row,) = read('a,b,c\n1,"x\ny",3\n')
    assert row.position("b") == Position(2, 3, 3, 3)
    assert row.position("c") == Position(3, 4, 3, 5)


def test_missing_columns_stop_the_reading():
    assert troubles("a,x\n1,2\n") == [("KIX103", 1, "x"), ("KIX104", 1, "b"), ("KIX104", 1, "c")]
    assert rows("a,x\n1,2\n") == []


def test_an_additional_column_is_a_warning():
    found = read("a,b,c,d\n1,2,3,4\n")
    assert [type(each).__name__ for each in found] == ["Trouble", "Row"]
    assert found[0].severity is Severity.WARNING


def test_a_repeated_column_stops_the_reading():
    assert troubles("a,b,c,a\n1,2,3,4\n") == [("KIX005", 1, "a")]
    assert rows("a,b,c,a\n1,2,3,4\n") == []


@pytest.mark.parametrize(("record", "told"), [("1,2", "none for c"), ("1,2,3,4", "more after c"), ("1", "none for b")])
def test_wrong_field_count(record, told):
    found = read(f"a,b,c\n{record}\n4,5,6\n")
    assert [each.line for each in found] == [2, 3]
    assert found[0].rule == "KIX004"
    assert told in found[0].message
    assert isinstance(found[1], Row)


@pytest.mark.parametrize(
    ("record", "column"),
    [('1,"2"x,3', "b"), ('1,2"x,3', "b"), ('1,2,"{"k"": 1}"', "c"), ('"1" ,2,3', "a"), ('1,2,3"4"', "c")],
)
def test_damaged_quotes_on_one_line(record, column):
    text = f"a,b,c\n{record}\n4,5,6\n"
    assert troubles(text) == [("KIX004", 2, column)]
    assert rows(text) == [(3, ("4", "5", "6"))]


def test_damage_over_the_end_of_a_line_stops_the_reading():
    text = 'a,b,c\n1,"2,3\n4,"5",6\n7,8,9\n'
    assert troubles(text) == [("KIX004", 2, "b")]
    assert "not read" in read(text)[0].message
    assert rows(text) == []


def test_a_file_that_ends_within_quotes():
    text = 'a,b,c\n1,2,3\n4,"5,6\n'
    assert troubles(text) == [("KIX004", 3, "b")]
    assert rows(text) == [(2, ("1", "2", "3"))]


def test_byte_order_mark_is_a_warning():
    text = "\ufeffa,b,c\n1,2,3\n"
    assert troubles(text) == [("KIX014", 1, None)]
    assert rows(text) == [(2, ("1", "2", "3"))]
    assert rows('\ufeff"a",b,c\n1,2,3\n') == []


def test_bytes_that_are_not_utf8():
    text = b"a,b,c\n1,caf\xe9,3\n4,5,6\n"
    assert troubles(text) == [("KIX008", 2, "b")]
    assert rows(text) == [(3, ("4", "5", "6"))]
    assert troubles("a,b,c\n".encode("utf-16"))[0][:2] == ("KIX008", 1)


def test_an_empty_file():
    assert troubles("") == [("KIX011", 1, None)]
    assert troubles("\n\n") == [("KIX011", 1, None)]


def test_lines_are_bounded():
    assert [each[0] for each in troubles("a,b,c\n" + "1" * (MAX_LINE + 5) + ",2,3\n4,5,6\n")] == ["KIX003"]
    assert rows("a,b,c\n" + "1" * 200_000 + ",2,3\n4,5,6\n") == [(3, ("4", "5", "6"))]
    assert troubles("a,b,c\n" + "1" * 200_000 + ",2,3\n4,5,6\n") == [("KIX003", 2, None)]
    assert [each[0] for each in troubles('a,b,c\n1,"' + "x\n" * 200_000)] == ["KIX004"]
