from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from kernelindex_schema.codecs.document import MAX_SUBMISSION_BYTES, Examined, Piece, Refused
from kernelindex_schema.codecs.json import JsonCodec, decode_json, no_key_doubled
from kernelindex_schema.codecs.json_scanner import scan
from kernelindex_schema.errors import UnencodableValue
from kernelindex_schema.findings import Position

CODEC = JsonCodec()
Told = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        (
            ' {"a" : [1, -2, 0.5, 1e5, -0, -0.0, true, false, null]}\n',
            {"a": [1, -2, 0.5, 100000.0, 0, -0.0, True, False, None]},
        ),
        ('{"a":"\\u00b5s \\ud83d\\ude00 \\/ \\" \\\\ \\b\\f\\n\\r\\t"}', {"a": 'µs 😀 / " \\ \b\f\n\r\t'}),
        ('{"a":18446744073709551616,"b":1e-400}', {"a": 18446744073709551616, "b": 0.0}),
        ('{"a\\\\":":","b":":\\\\"}', {"a\\": ":", "b": ":\\"}),
        ('{"":"","\\u003a":"\\u005c"}', {"": "", ":": "\\"}),
        ("[" * 64 + "]" * 64, json.loads("[" * 64 + "]" * 64)),
        ('{"a":"' + "[{" * 100 + '"}', {"a": "[{" * 100}),
        ("[" + "{}," * 100 + '"]["]', [{}] * 100 + ["]["]),
        ("1" + "0" * 308, 10**308),
        ('{"a":"' + "7" * 400 + '"}', {"a": "7" * 400}),
        ("null", None),
    ],
)
def test_good_text_has_its_value_on_both_ways(text: str, value: Any, examined: Callable[..., Examined]) -> None:
    careful = examined("json", text)
    assert careful.faults == []
    assert repr(careful.value) == repr(value)
    assert repr(scan(text.encode()).value) == repr(value)


@pytest.mark.parametrize("text", ["", " ", "\n\t\r\n", "\ufeff"])
def test_text_without_a_value_is_left_to_the_stage_that_looks_for_a_manifest(
    text: str, examined: Callable[..., Examined]
) -> None:
    careful = examined("json", text)
    assert careful.readable
    assert careful.value is None
    assert [fault.rule for fault in careful.faults] == (["KIX014"] if text == "\ufeff" else [])


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        # doubled keys: each further one, with the first as related place
        ('{"a":1,"a":2}', ["KIX005 1:8-1:11 key a"]),
        ('{"a":{"b":1,\n "\\u0062":2,\n"b":3}}', ["KIX005 2:2-2:10 key a.b", "KIX005 3:1-3:4 key a.b"]),
        ('{"\\ud83d\\ude00":1,"😀":2}', ["KIX005 1:19-1:22 key 😀"]),
        ('[{"a":1},{"a":1,"a":1}]', ["KIX005 1:17-1:20 key [1].a"]),
        ('{"":1,"":2}', ['KIX005 1:7-1:9 key [""]']),
        ('{"a":1.0,"b":":","b":"\\u003a"}', ["KIX005 1:18-1:21 key b"]),
        ('{"a":"\\u00b5","k":{"x":1,"x":1}}', ["KIX005 1:26-1:29 key k.x"]),
        ('{"k":{"x":1,"y":2},"k":1}', ["KIX005 1:20-1:23 key k"]),
        # numbers that are none, or out of range
        (
            '{"a":NaN,"b":[Infinity,-Infinity,-nan,inf]}',
            [
                "KIX009 1:6-1:9 a",
                "KIX009 1:15-1:23 b[0]",
                "KIX009 1:24-1:33 b[1]",
                "KIX009 1:34-1:38 b[2]",
                "KIX009 1:39-1:42 b[3]",
            ],
        ),
        ('{"a":1e400,"b":-1e309}', ["KIX009 1:6-1:11 a", "KIX009 1:16-1:22 b"]),
        ("[" + "9" * 309 + "]", ["KIX009 1:2-1:311 [0]"]),
        ("[" + "9" * 5000 + "]", ["KIX009 1:2-1:5002 [0]"]),
        ("[-1" + "0" * 400 + "]", ["KIX009 1:2-1:404 [0]"]),
        # text that is no text
        ('{"a":"x\\ud800y"}', ["KIX008 1:6-1:16 a"]),
        ('{"a":["\\udc00\\ud800","\\ud800\\u0041"]}', ["KIX008 1:7-1:21 a[0]", "KIX008 1:22-1:36 a[1]"]),
        ('{"k\\ud800":1}', ["KIX008 1:2-1:11 key k\ud800"]),
        # several at once
        ('{"a":NaN,\n"a":"\\ud800"}', ["KIX009 1:6-1:9 a", "KIX005 2:1-2:4 key a", "KIX008 2:5-2:13 a"]),
        ('\ufeff{"µ":NaN}', ["KIX014 1:1-1:1", "KIX009 1:6-1:9 µ"]),
    ],
)
def test_what_does_not_end_the_reading_is_all_listed(text: str, faults: list[str], told: Told) -> None:
    assert told("json", text) == faults


def test_a_doubled_key_tells_both_places(examined: Callable[..., Examined]) -> None:
    careful = examined("json", '{\n  "spec": {"a": 1,\n    "a": 2}}')
    (fault,) = careful.faults
    assert fault.message == "the key 'a' is given twice in one object"
    assert fault.related == ((("spec", "a"), Position(2, 12, 2, 15), "first given here"),)
    assert careful.value == {"spec": {"a": 2}}
    assert careful.locate(("spec", "a"), False) == Position(3, 10, 3, 11)
    assert careful.locate(("spec", "a"), True) == Position(3, 5, 3, 8)


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ('{"a":1,}', "1:7-1:8", "a comma stands before the closing }", "remove the comma"),
        ("[1,\n]", "1:3-1:4", "a comma stands before the closing ]", "remove the comma"),
        ('{"a" 1}', "1:6-1:7", "a colon is wanted after the key 'a', not '1'", None),
        ('{"a":1 "b":2}', "1:8-1:11", "a comma is missing before this text", None),
        ("[1 2]", "1:4-1:5", "a comma is missing before '2'", None),
        ('{"a":"b"c}', "1:9-1:10", "a comma is missing before 'c'", None),
        ("{a:1}", "1:2-1:3", "the key 'a' is not in double quotes", 'write "a"'),
        ("{'a':1}", "1:2-1:3", "text stands in \" quotes, not in '", 'write "'),
        ('{"a":“x”}', "1:6-1:7", 'text stands in " quotes, not in “', 'write "'),
        ('{"a":01}', "1:6-1:8", "'01' is no JSON number: a number does not begin with a needless zero", None),
        ('{"a":+1}', "1:6-1:8", "'+1' is no JSON number: a number has no plus sign", None),
        ('{"a":.5}', "1:6-1:8", "'.5' is no JSON number: a digit is wanted before the point", None),
        ('{"a":1.}', "1:6-1:8", "'1.' is no JSON number: a digit is wanted after the point", None),
        ('{"a":0x1F}', "1:6-1:10", "'0x1F' is no JSON number: numbers are written in decimal", None),
        ('{"a":1_000}', "1:6-1:11", "'1_000' is no JSON number: digits are not parted by _", None),
        (
            '{"a":1e}',
            "1:6-1:8",
            "'1e' is no JSON number: digits, one point and one exponent may stand in a number",
            None,
        ),
        ('{"a":True}', "1:6-1:10", "'True' is no JSON value", "write true"),
        ('{"a":None}', "1:6-1:10", "'None' is no JSON value", "leave the field out"),
        ('{"a":foo}', "1:6-1:9", "'foo' is no JSON value", "text stands in double quotes"),
        ('{"a":}', "1:6-1:7", "a value is wanted before the closing }", None),
        ("[,1]", "1:2-1:3", "a value is wanted, not ','", None),
        ('{"a":1,,"b":2}', "1:8-1:9", "a key in double quotes is wanted, not ','", None),
        ('{"a":1,2}', "1:8-1:9", "a key in double quotes is wanted, not '2'", None),
        ('{"a":\n[1}', "2:3-2:4", "} does not close the list that begins on line 2: ] is wanted", None),
        ('{"a":1]', "1:7-1:8", "] does not close the object that begins on line 1: } is wanted", None),
        ("}", "1:1-1:2", "} closes nothing", None),
        ('{"a":"x\ty"}', "1:8-1:9", "a tab stands inside a string", "write \\t"),
        ('{"a":"x\x01"}', "1:8-1:9", "the control character U+0001 stands inside a string", "write \\u0001"),
        (
            '{"a":"x\ny"}',
            "1:6-1:8",
            "a line ends inside a string",
            "close the string with a quote, or write \\n for a line break",
        ),
        ('{"a":"\\x"}', "1:7-1:9", "\\x is no escape of JSON", "write \\\\ for a backslash"),
        (
            '{"a":"\\u12"}',
            "1:7-1:9",
            "\\u is not followed by four hexadecimal digits",
            "write the character itself, or \\\\ for a backslash",
        ),
        ('{"a":1', "1:7-1:7", "the text ends inside the object that begins on line 1", "the file may be cut short"),
        ('{"a"', "1:5-1:5", "the text ends inside the object that begins on line 1", "the file may be cut short"),
        ('{"a":[1,', "1:9-1:9", "the text ends inside the list that begins on line 1", "the file may be cut short"),
        (
            '{"a":"x',
            "1:6-1:8",
            "the text ends inside a string",
            "close the string with a quote; the file may be cut short",
        ),
        ('{"a":1} x', "1:9-1:10", "text follows the end of the document", None),
        (
            '{"a":1}\n{"b":2}',
            "2:1-2:2",
            "text follows the end of the document",
            "JSON Lines (.jsonl) hold several documents, one a line",
        ),
        ('{"a": /* x */ 1}', "1:7-1:9", "JSON has no comments", "remove it; YAML and TOML have comments"),
        ('{"a":1} // x', "1:9-1:11", "JSON has no comments", "remove it; YAML and TOML have comments"),
        (
            '{"a":1,\n=======\n"b":2}',
            "2:1-2:8",
            "an unresolved merge conflict: ======= stands here",
            "choose one side and remove the marks",
        ),
        ('{"a":\u00a01}', "1:6-1:7", "the character U+00A0 is no white space of JSON", "replace it by a space"),
        ('{"a":\x001}', "1:6-1:7", "the character U+0000 is no white space of JSON", "remove it"),
        (
            '{"a":1}\ufeff',
            "1:8-1:9",
            "a byte order mark (U+FEFF) stands inside the text",
            "remove it; were files joined?",
        ),
        (
            "kind: BenchmarkRun\n",
            "1:1-1:19",
            "this is no JSON: an object is wanted, not 'kind: BenchmarkRun'",
            "it looks like YAML: name the file .yaml, or say --input-format yaml",
        ),
        (
            "a = 1\n",
            "1:1-1:6",
            "this is no JSON: an object is wanted, not 'a = 1'",
            "it looks like TOML: name the file .toml, or say --input-format toml",
        ),
        (
            'Liger\n\n{"run":1}',
            "1:1-1:6",
            "this is no JSON: an object is wanted, not 'Liger'",
            "it looks like a record page: name the file .txt, or say --input-format page",
        ),
        ('{"a":日}', "1:6-1:7", "a value is wanted, not '日'", None),
    ],
)
def test_each_mistake_has_its_sentence(
    text: str, place: str, message: str, hint: str | None, told: Told, examined: Callable[..., Examined]
) -> None:
    assert told("json", text) == ["unreadable", f"KIX004 {place}"]
    (fault,) = examined("json", text).faults
    assert (fault.message, fault.hint) == (message, hint)


@pytest.mark.parametrize(
    ("data", "faults", "says"),
    [
        (b'{"a":\n"x\xff"}', ["KIX008 2:3-2:4"], "0xFF"),
        ('{"µ":"'.encode() + b'\xb5s"}', ["KIX008 1:7-1:8"], "0xB5"),
        (b'{"a":"\xed\xa0\x80"}', ["KIX008 1:7-1:8"], "surrogate"),
        (b'{"a":"\xc0\x80"}', ["KIX008 1:7-1:8"], "0xC0"),
        ('{"a":1}'.encode("utf-16"), ["KIX008 1:1-1:2"], "UTF-16"),
        ('{"a":1}'.encode("utf-16-be"), ["KIX008 1:1-1:2"], "UTF-16 (big-endian)"),
        ('{"a":1}'.encode("utf-16-le"), ["KIX008 1:1-1:2"], "UTF-16 (little-endian)"),
        ('{"a":1}'.encode("utf-32"), ["KIX008 1:1-1:2"], "UTF-32"),
    ],
)
def test_bytes_that_are_not_utf8_are_told_with_their_place(
    data: bytes, faults: list[str], says: str, told: Told, examined: Callable[..., Examined]
) -> None:
    assert told("json", data) == ["unreadable", *faults]
    assert says in examined("json", data).faults[0].message


@pytest.mark.parametrize("text", ["[" * 65 + "]" * 65, "[" * 65, '{"a":' * 65 + "1" + "}" * 65, "[" * 100_000])
def test_nesting_over_the_bound_is_one_fault(text: str, told: Told) -> None:
    first, fault = told("json", text)
    assert first == "unreadable"
    assert fault.startswith("KIX006 1:")


TEXT = """{
  "µs": {"b c": [1, {"x": "😀", "y": 2}]},
  "list": [ ],
  "\\u0061": true
}
"""


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), Position(1, 1, 5, 2), Position(1, 1, 5, 2)),
        (("µs",), Position(2, 3, 2, 7), Position(2, 9, 2, 41)),
        (("µs", "b c", 0), Position(2, 18, 2, 19), Position(2, 18, 2, 19)),
        (("µs", "b c", 1), Position(2, 21, 2, 39), Position(2, 21, 2, 39)),
        (("µs", "b c", 1, "y"), Position(2, 32, 2, 35), Position(2, 37, 2, 38)),
        (("list",), Position(3, 3, 3, 9), Position(3, 11, 3, 14)),
        (("a",), Position(4, 3, 4, 11), Position(4, 13, 4, 17)),
        (("list", 0), None, None),
        (("µs", "b c", 2), None, None),
        (("µs", "b c", -1), None, None),
        (("none",), None, None),
        (("a", "b"), None, None),
        ((0,), None, None),
    ],
)
def test_places_count_code_points_and_are_found_by_path(
    path: Any, key: Position | None, value: Position | None
) -> None:
    examined = CODEC.examine(Piece(index=0, data=TEXT.encode()))
    assert examined.locate(path, True) == key
    assert examined.locate(path, False) == value


def test_places_in_long_lists_objects_and_lines() -> None:
    data = msgspec.json.encode({f"k{i}": list(range(i)) for i in range(700)}) + b"\n"
    examined = CODEC.examine(Piece(index=4, data=data, first_line=5))
    at = examined.locate(("k699", 600), False)
    assert at is not None
    assert data[at.column - 1 : at.end_column - 1] == b"600"
    assert (at.line, at.end_line) == (5, 5)
    assert examined.locate(("k699", 699), False) is None
    pretty = msgspec.json.format(data, indent=1)
    at = CODEC.examine(Piece(index=0, data=pretty)).locate(("k699", 600), False)
    assert at is not None
    assert pretty.split(b"\n")[at.line - 1] == b"  600,"
    assert (at.column, at.end_column) == (3, 6)


def test_a_fault_after_a_wide_first_line_is_placed_by_characters(told: Told) -> None:
    text = '{"a":"' + "é" * 70_000 + '","b":NaN,\n"c":NaN}'
    assert told("json", text) == ["KIX009 1:70013-1:70016 b", "KIX009 2:5-2:8 c"]


def test_no_key_doubled_counts_what_a_struct_writes() -> None:
    class Point(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
        x: int
        label: str

    for text, sound in [
        (b'{"x": 1.0e0, "label": ":"}', True),
        (b'{"label":"\\"","x":1}', True),
        (b'{"x":1,"label":":","x":2}', False),
        (b'{"x":1,"label":"","label":"\\u003a"}', False),
        (b'{"x":1,"label":":\\\\","label":"b"}', False),
    ]:
        value = msgspec.json.decode(text.replace(b"1.0e0", b"1"), type=Point)
        assert no_key_doubled(text, value) is sound


def test_the_file_is_the_document_and_too_long_a_file_is_not_kept() -> None:
    assert list(CODEC.split(io.BytesIO(b""))) == [Piece(index=0, data=b"")]
    assert list(CODEC.split(io.BytesIO(b"{}\n"))) == [Piece(index=0, data=b"{}\n")]
    (piece,) = CODEC.split(io.BytesIO(b" " * (MAX_SUBMISSION_BYTES + 1)))
    assert [fault.rule for fault in piece.faults] == ["KIX003"]
    assert piece.data == b""
    with pytest.raises(Refused):
        CODEC.decode(piece)


def test_written_text_is_the_same_each_time() -> None:
    value = {"b": [1, 2.5, -0.0, 1e22, "µ\u2028"], "a": {"x": {}, "y": []}}
    lines = ["{", '  "b": [', "    1,", "    2.5,", "    -0.0,", "    1e22,", '    "µ\u2028"', "  ],"]
    lines += ['  "a": {', '    "x": {},', '    "y": []', "  }", "}", ""]
    text = CODEC.encode([value])
    assert text.decode() == "\n".join(lines)
    assert repr(decode_json(text)) == repr(value)


@pytest.mark.parametrize("values", [[], [1, 2], [{"a": object()}], [{(1, 2): 3}], ["\ud800"]])
def test_what_json_cannot_hold_is_refused(values: list[Any]) -> None:
    with pytest.raises(UnencodableValue):
        CODEC.encode(values)
