from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES, Examined, Piece
from kernelindex_schema.codecs.toml import TomlCodec
from kernelindex_schema.errors import UnencodableValue
from kernelindex_schema.findings import Position

CODEC = TomlCodec()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 1\nb = -0.0\nc = 1_000\nd = 0x1F\n", {"a": 1, "b": -0.0, "c": 1000, "d": 31}),
        ("a = 18446744073709551616", {"a": 2**64}),
        ("a = " + "9" * 308, {"a": 10**308 - 1}),
        ("a = 0x" + "f" * 250, {"a": 16**250 - 1}),
        (
            "[a.b]\nc = [1, {d = 'e'}]\r\n[[f]]\n[[f]]\nx = 1\n",
            {"a": {"b": {"c": [1, {"d": "e"}]}}, "f": [{}, {"x": 1}]},
        ),
        ("[a]", {"a": {}}),
        (".".join("a" * 64) + " = 1", None),
        ("x = " + "[" * 63 + "]" * 63, None),
    ],
)
def test_values_keep_their_type(text: str, value: Any, examined: Callable[..., Examined]) -> None:
    careful = examined("toml", text)
    assert careful.faults == []
    if value is not None:
        assert repr(careful.value) == repr(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 2024-09-03T15:40:08Z", "2024-09-03T15:40:08Z"),
        ("a = 2024-09-03T15:40:08.000Z", "2024-09-03T15:40:08.000Z"),
        ("a = 2024-09-03T15:40:08.123456789Z # b", "2024-09-03T15:40:08.123456789Z"),
        ("a = 2024-09-03t15:40:08z", "2024-09-03t15:40:08z"),
        ("a = 2024-09-03 15:40:08Z", "2024-09-03 15:40:08Z"),
        ("a = 2024-09-03T15:40:08+00:00", "2024-09-03T15:40:08+00:00"),
        ("a = 2024-09-03T15:40:08", "2024-09-03T15:40:08"),
        ("a = 2024-09-03", "2024-09-03"),
        ("a = 15:40:08.5", "15:40:08.5"),
        ("a = 0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ("a = 2024-02-30", "2024-02-30"),
        (
            "a = [2024-09-03, '2024-09-03', {b = 15:40:08}] # 2024-09-03",
            ["2024-09-03", "2024-09-03", {"b": "15:40:08"}],
        ),
        ("a = '''\n2024-09-03'''\nb = 2024-09-03\n", "2024-09-03"),
        ('a = """2024-09-03"""\nb = 2024-09-03\n', "2024-09-03"),
        ('a = """"2024-09-03"""""\nb = 2024-09-03\n', '"2024-09-03""'),
        ('a = "2024-09-03\\"#\'"\nb = 2024-09-03\n', "2024-09-03\"#'"),
        ("2024-09-03 = 1\na = 2024-09-03\n", "2024-09-03"),
        ("2024-09-03.2024-09-03-x = 1\na = 2024-09-03\n", "2024-09-03"),
        ("a = 2024-09-03\n[2024-09-03]\nx = 07:00:00\n", "2024-09-03"),
    ],
)
def test_dates_and_times_stand_for_their_text(text: str, value: Any, examined: Callable[..., Examined]) -> None:
    careful = examined("toml", text)
    assert careful.faults == []
    assert careful.value["a"] == value


@pytest.mark.parametrize("text", ["", "\n", "# a comment\n"])
def test_a_text_without_keys_is_left_to_the_stage_that_looks_for_a_manifest(
    text: str, examined: Callable[..., Examined]
) -> None:
    careful = examined("toml", text)
    assert (careful.readable, careful.value, careful.faults) == (True, None, [])


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a = inf\nb = [nan, -inf]\nc = 1e400", ["KIX009 a", "KIX009 c", "KIX009 b[0]", "KIX009 b[1]"]),
        ("a = " + "9" * 309, ["KIX009 a"]),
        ("a = 1\nb = [-" + "9" * 5000 + "]", ["KIX009 b[0]"]),
        ("a = 1" + "_0" * 5000, ["KIX009 a"]),
        ("a = 0x" + "f" * 5000, ["KIX009 a"]),
        ("\ufeffa = nan", ["KIX014 1:1-1:1", "KIX009 a"]),
        ("a = 1\na = 2\n", ["unreadable", "KIX005 2:1-2:2 key a"]),
        ("[a]\nb = 1\n[a]\n", ["unreadable", "KIX005 3:2-3:3 key a"]),
        ("a = 1\n[a]\n", ["unreadable", "KIX005 2:2-2:3 key a"]),
        ("a = {b = 1, 'b' = 2}", ["unreadable", "KIX005 1:13-1:16 key a.b"]),
        ("a.b = 1\na.b = 2\n", ["unreadable", "KIX005 2:3-2:4 key a.b"]),
        ("[[a]]\nx = 1\n[[a]]\nx = 1\nx = 2\n", ["unreadable", "KIX005 5:1-5:2 key a[1].x"]),
        ("a = 1\nb = '''\n\n'''\nb = [\n1]\n", ["unreadable", "KIX005 5:1-5:2 key b"]),
        ("a = [1,\n2", ["unreadable", "KIX004 2:2-2:2"]),
        ("a = 1\nb 2\n", ["unreadable", "KIX004 2:3-2:3"]),
        ("a = 01\n", ["unreadable", "KIX004 1:6-1:6"]),
        ("a = 'µ' x\n", ["unreadable", "KIX004 1:9-1:9"]),
        ("a = '\x01'\n", ["unreadable", "KIX004 1:6-1:6"]),
        ('a = "\\ud800"', ["unreadable", "KIX008 1:6-1:12"]),
        (b"a = 1\nb = '\xb5s'", ["unreadable", "KIX008 2:6-2:7"]),
        ("a = 1".encode("utf-16"), ["unreadable", "KIX008 1:1-1:2"]),
    ],
)
def test_faults_of_a_text(text: str | bytes, faults: list[str], told: Callable[..., list[str]]) -> None:
    assert told("toml", text) == faults


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 64 + "]" * 64,
        "x = " + "[" * 100_000,
        ".".join("a" * 65) + " = 1",
        "[" + ".".join("a" * 70_000) + "]\nb = 1\n" * 10_000,
        "x = {" + ".".join("a" * 65) + " = 1}",
        "x = {" + ".".join("a" * 300_000) + " = 1}",
    ],
)
def test_nesting_over_the_bound_is_one_fault(text: str, told: Callable[..., list[str]]) -> None:
    first, fault = told("toml", text)
    assert (first, fault[:6]) == ("unreadable", "KIX006")


def test_a_doubled_key_tells_both_places(examined: Callable[..., Examined]) -> None:
    (fault,) = examined("toml", "[spec]\nmedian = 1\n\nmedian = 2\n").faults
    assert fault.message == "the key 'median' is given twice in one table"
    assert fault.related == ((("spec", "median"), Position(2, 1, 2, 7), "first given here"),)


def test_a_syntax_error_gets_a_hint_where_the_text_looks_like_another_format(
    examined: Callable[..., Examined],
) -> None:
    (fault,) = examined("toml", "kind: BenchmarkRun\n").faults
    assert fault.message == "this is no TOML: expected '=' after a key in a key/value pair"
    assert fault.hint == "it looks like YAML: name the file .yaml, or say --input-format yaml"


TEXT = """# µ
title = 'µ' # c
"a b".c = [1, [2, {x = 3, y.z = "]"}]]

[spec.timing]
latency = { median = 4, "p 20" = '''
'''}
  [[spec.list]]
  v = 1
  [[spec.list]]
  v = 2
  [spec.list.sub]
  w = 2024-01-01
"""


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), (1, 1, 1), (1, 1, 1)),
        (("title",), (2, 1, 6), (2, 9, 12)),
        (("a b",), (3, 1, 6), (3, 1, 8)),
        (("a b", "c"), (3, 7, 8), (3, 11, 39)),
        (("a b", "c", 0), (3, 12, 13), (3, 12, 13)),
        (("a b", "c", 1, 0), (3, 16, 17), (3, 16, 17)),
        (("a b", "c", 1, 1, "x"), (3, 20, 21), (3, 24, 25)),
        (("a b", "c", 1, 1, "y", "z"), (3, 29, 30), (3, 33, 36)),
        (("spec",), (5, 2, 6), (5, 1, 14)),
        (("spec", "timing"), (5, 7, 13), (5, 1, 14)),
        (("spec", "timing", "latency", "median"), (6, 13, 19), (6, 22, 23)),
        (("spec", "list"), (8, 10, 14), (8, 3, 16)),
        (("spec", "list", 1), (10, 10, 14), (10, 3, 16)),
        (("spec", "list", 0, "v"), (9, 3, 4), (9, 7, 8)),
        (("spec", "list", 1, "v"), (11, 3, 4), (11, 7, 8)),
        (("spec", "list", 1, "sub", "w"), (13, 3, 4), (13, 7, 17)),
    ],
)
def test_places_are_found_by_a_scan(path: Any, key: tuple[int, int, int], value: tuple[int, int, int]) -> None:
    examined = CODEC.examine(Piece(index=0, data=TEXT.encode(), first_line=1))
    for at_key, (line, column, end) in ((True, key), (False, value)):
        assert examined.locate(path, at_key) == Position(line, column, line, end)


def test_what_the_scan_does_not_know_has_no_place() -> None:
    examined = CODEC.examine(Piece(index=0, data=TEXT.encode()))
    assert examined.locate(("none",), False) is None
    assert examined.locate(("spec", "list", 2), False) is None
    assert examined.locate(("spec", "timing", "latency", "p 20"), False) == Position(6, 34, 7, 4)


def test_written_text_is_the_same_each_time_and_holds_one_table() -> None:
    value = {"b": [1, 2.5, -0.0, "µ\n"], "c": {"d": []}, "a": True}
    text = CODEC.encode([value])
    assert text == CODEC.encode([value])
    (piece,) = CODEC.split(io.BytesIO(text))
    assert CODEC.decode(piece) == value
    for values in ([], [{}, {}], [[]], [{"a": None}], [{"a": object()}], [{"a": "\ud800"}], [{1: 2}]):
        with pytest.raises(UnencodableValue):
            CODEC.encode(values)


def test_a_text_over_the_bound_is_not_kept() -> None:
    (piece,) = CODEC.split(io.BytesIO(b"#" * (MAX_MANIFEST_BYTES + 1)))
    assert [fault.rule for fault in piece.faults] == ["KIX003"]
