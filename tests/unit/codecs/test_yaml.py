from __future__ import annotations

import sys
import time
from io import BytesIO
from typing import Any

import pytest

from kernelindex_schema.codecs.document import MAX_ALIASES, MAX_DEPTH, MAX_NODES, Examined, Fault, Piece, Refused
from kernelindex_schema.codecs.yaml import YamlCodec
from kernelindex_schema.errors import UnreadableDocument
from kernelindex_schema.findings import Position

CODEC = YamlCodec()


def examined(text: str | bytes) -> Examined:
    data = text if isinstance(text, bytes) else text.encode()
    piece = Piece(index=0, data=data)
    result = CODEC.examine(piece)
    try:
        value = CODEC.decode(piece)
    except Refused:
        assert result.faults, "the fast path refuses what the careful one finds nothing wrong with"
    else:
        assert not result.faults, "the fast path passes over a fault"
        assert repr(value) == repr(result.value)
    return result


def value_of(text: str | bytes) -> Any:
    result = examined(text)
    assert result.readable
    assert result.faults == []
    return result.value


def told(text: str | bytes) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(fault.rule, fault.path) for fault in examined(text).faults]


def broken(text: str | bytes) -> Fault:
    """The one fault of a text that cannot be read."""
    result = examined(text)
    assert not result.readable
    (fault,) = result.faults
    return fault


# -- scalars: the core schema of YAML 1.2 and nothing of 1.1


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "no", "on", "off", "y", "n", "Yes", "NO", "tRUE", "nULL", "False1"),
        *("1_000", "12:30:45", "1:30", "190:20:30", "0b11", "0O17", "0o8", "0X1F", "0x", "-0x1F", "+0x1F", "-0o7"),
        *(
            "2026-08-01",
            "2026-08-01T12:00:00.000Z",
            "2026-08-01 12:00:00",
            "NaN",
            "nan",
            "Infinity",
            "-Infinity",
            "inf",
        ),
        *(
            ".iNF",
            "-.nan",
            "+.nan",
            "e1",
            "1e",
            "1e5.0",
            ".",
            "+",
            "-x",
            "1.000,5",
            "1 000",
            "1#c",
            "x#y",
            "<<",
            "=",
            "١",
        ),
        *("...x", "12.4.1", "a:b", ":x", "a, b", "50%", "https://x.y/z#a", "...", "--", "\u00a0x", "\ud7ff"),
    ],
)
def test_plain_text(text: str) -> None:
    assert value_of(f"a: {text}\n") == {"a": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((word, None) for word in ("", "~", "null", "Null", "NULL")),
        *((word, True) for word in ("true", "True", "TRUE")),
        *((word, False) for word in ("false", "False", "FALSE")),
        *(
            ("0777", 777),
            ("0o17", 15),
            ("0x1F", 31),
            ("0xC8", 200),
            ("-007", -7),
            ("08", 8),
            ("+1", 1),
            ("-0", 0),
            ("00", 0),
        ),
        *((".5", 0.5), ("-.5", -0.5), ("+.5", 0.5), ("1.", 1.0), ("5.0", 5.0), ("-0.0", -0.0), ("1.50", 1.5)),
        *(("1e5", 1e5), ("1E5", 1e5), ("1e+5", 1e5), ("5e-5", 5e-5), ("1.e5", 1e5), (".5e1", 5.0), ("1e-400", 0.0)),
        ("9007199254740993", 9007199254740993),
        ("1" + "0" * 308, 10**308),
        ("0" * 5000 + "7", 7),
        ("0x20000000000000", 1 << 53),
    ],
)
def test_plain_value(text: str, value: object) -> None:
    found = value_of(f"a: {text}\n")["a"]
    assert repr(found) == repr(value)


@pytest.mark.parametrize("text", ["1", "true", "null", "", "0x1F", ".inf", "1e400", "~"])
@pytest.mark.parametrize("quoted", ['"{}"', "'{}'", "|-\n  {}", ">-\n  {}"])
def test_quoted_is_text(text: str, quoted: str) -> None:
    assert value_of("a: " + quoted.format(text) + "\n") == {"a": text}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (word, f"a finite number is wanted, not {word}")
            for word in (".nan", ".NaN", ".inf", "-.inf", "+.INF", ".Inf")
        ),
        ("1e400", "the number 1e400 is out of the range of a double"),
        ("-1e400", "the number -1e400 is out of the range of a double"),
        ("9" * 10_000, f"the number {'9' * 39}… is out of the range of a double"),
        ("1" + "0" * 309, None),
        ("0x" + "F" * 256, None),
        ("0o1" + "0" * 400, None),
        (str(2**1024), None),
    ],
)
def test_non_finite(text: str, message: str | None) -> None:
    result = examined(f"a:\n  - 1\n  - {text}\nb: {text}\n")
    assert [(fault.rule, fault.path) for fault in result.faults] == [("KIX009", ("a", 1)), ("KIX009", ("b",))]
    assert result.value == {"a": [1, None], "b": None}
    assert message in (None, result.faults[0].message)


# -- tags


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 1", "1"),
        ("!!str", ""),
        ('!!int "1"', 1),
        ("!!int '0x1F'", 31),
        ("!!int abc", "abc"),
        ("!!int 0b11", "0b11"),
        ("!!int 1.0", "1.0"),
        ("!!int", ""),
        ("!!float 1", "1"),
        ('!!float "1.5"', 1.5),
        ("!!float 1e3", 1000.0),
        ("!!float abc", "abc"),
        ("!!bool true", True),
        ('!!bool "yes"', "yes"),
        ("!!bool null", "null"),
        ("!!null null", None),
        ("!!null ''", None),
        ("!!null x", "x"),
        ("!!seq x", "x"),
        ("!!map {}", {}),
        ("!!str []", []),
        ("!<tag:yaml.org,2002:int> 1", 1),
        ("! true", "true"),
        ('! "1"', "1"),
        ("! [1]", [1]),
    ],
)
def test_tags(text: str, value: object) -> None:
    assert repr(value_of(f"a: {text}\n")["a"]) == repr(value)


@pytest.mark.parametrize(
    ("text", "shown", "value"),
    [
        ("!foo 1", "!foo", "1"),
        ("!!set {b}", "!!set", {"b": None}),
        ("!!timestamp 2026-08-01", "!!timestamp", "2026-08-01"),
        ("!!binary aGVsbG8=", "!!binary", "aGVsbG8="),
        ("!!merge <<", "!!merge", "<<"),
        ("!!python/object:os.system x", "!!python/object:os.system", "x"),
        ("!<tag:example.com,2000:x> 1", "!<tag:example.com,2000:x>", "1"),
        ("!foo []", "!foo", []),
    ],
)
def test_custom_tags_keep_the_node(text: str, shown: str, value: object) -> None:
    result = examined(f"a:\n  b: {text}\n")
    (fault,) = result.faults
    assert (fault.rule, fault.path) == ("KIX007", ("a", "b"))
    assert f"the tag {shown} " in fault.message
    assert result.readable
    assert result.value == {"a": {"b": value}}


def test_tag_directive() -> None:
    assert value_of("%TAG ! tag:yaml.org,2002:\n---\na: !int '1'\n") == {"a": 1}
    assert told("%TAG !! tag:example.com,2000:\n---\na: !!int 1\n") == [("KIX007", ("a",))]
    many = "".join(f"%TAG !a{i}! x\n" for i in range(60_000))
    started = time.perf_counter()
    assert broken(many + "---\na\n").rule == "KIX004"
    assert time.perf_counter() - started < 5


# -- keys


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a: 1\nb: 2\na: 3\n", ("a",)),
        ('a: 1\n"a": 2\n', ("a",)),
        ('name: 1\n"n\\u0061me": 2\n', ("name",)),
        ("{a: 1, a: 1}\n", ("a",)),
        ("x:\n  - {a: 1}\n  - {a: 1, b: 2, a: 3}\n", ("x", 1, "a")),
        ("<<: a\n<<: b\n", ("<<",)),
        ("__proto__: a\n__proto__: b\n", ("__proto__",)),
        ("x: &k a\na: 1\n*k : 2\n", ("a",)),
    ],
)
def test_duplicate_key(text: str, path: tuple[str | int, ...]) -> None:
    result = examined(text)
    (fault,) = result.faults
    assert result.readable
    assert (fault.rule, fault.path, fault.at_key) == ("KIX005", path, True)
    assert fault.related[0][0] == path


def test_duplicate_key_names_both_places() -> None:
    result = examined("spec:\n  median: 1\n  other: 2\n  'median': 3\n  median: 4\n")
    first, second = result.faults
    assert first.message == "the key 'median' is given twice in one map, on lines 2 and 4"
    assert first.position == Position(4, 3, 4, 11)
    assert second.position == Position(5, 3, 5, 9) == result.locate(("spec", "median"), True)
    assert first.related == ((("spec", "median"), Position(2, 3, 2, 9), "first given here"),)
    assert result.value == {"spec": {"median": 4, "other": 2}}


def test_keys_that_are_no_doubles() -> None:
    assert value_of("1a: x\n'1b': y\n") == {"1a": "x", "1b": "y"}
    assert value_of('"e\\u0301": a\né: b\n') == {"e\u0301": "a", "é": "b"}
    assert value_of("a: {a: 1}\nb: {a: 1}\n") == {"a": {"a": 1}, "b": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("1: a\n0x1: b\n", ["KIX105", "KIX105", "KIX005"]),
        ("1: a\n1.0: b\n", ["KIX105", "KIX105", "KIX005"]),
        ("~: a\nnull: b\n", ["KIX105", "KIX105", "KIX005"]),
        ("true: a\nTrue: b\n", ["KIX105", "KIX105", "KIX005"]),
        ('1: a\n"1": b\n', ["KIX105"]),
        ('"1": a\n1: b\n', ["KIX105"]),
        ("1: a\n\"1\": b\n'1': c\n", ["KIX105", "KIX005"]),
        ("1: a\ntrue: b\n", ["KIX105", "KIX105"]),
        (".nan: a\n.NAN: b\n", ["KIX105", "KIX105"]),
    ],
)
def test_keys_are_compared_as_values(text: str, rules: list[str]) -> None:
    assert [fault.rule for fault in examined(text).faults] == rules


@pytest.mark.parametrize(
    ("text", "key", "what"),
    [
        ("1: x", "1", "a number"),
        ("0x1F: x", "0x1F", "a number"),
        (".inf: x", ".inf", "a number"),
        ("True: x", "True", "a boolean"),
        ("~: x", "~", "null"),
        ("? [a, b]\n  : x", "[a, b]", "a list"),
        ("? {a: b}\n  : x", "{a: b}", "a map"),
        ("!!int '1': x", "1", "a number"),
    ],
)
def test_keys_that_are_no_text(text: str, key: str, what: str) -> None:
    result = examined(f"m:\n  {text}\n")
    (fault,) = result.faults
    assert (fault.rule, fault.path, fault.at_key) == ("KIX105", ("m", key), True)
    assert fault.message == f"the key '{key}' is {what}, text is wanted"
    assert result.value == {"m": {key: "x"}}


def test_keys_that_look_like_no_text_but_are() -> None:
    assert value_of("yes: a\n1_000: b\n2026-08-01: c\n!!str 1: d\n'2': e\n<<: f\n") == {
        **{"yes": "a", "1_000": "b", "2026-08-01": "c", "1": "d", "2": "e", "<<": "f"}
    }


# -- surrogates


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a: "\\ud83d\\ude00!"', "😀!"),
        ('a: "\\U0000d83d\\uDE00"', "😀"),
        ('a: "\\ud83d\\\n  \\ude00"', "😀"),
        ('a: "\\\\ud83d"', "\\ud83d"),
        ("a: '\\ud83d'", "\\ud83d"),
        ("a: C:\\uDEAD\\ud83d", "C:\\uDEAD\\ud83d"),
        ("a: | # \\ud800\n  \\udc00", "\\udc00\n"),
        ('a: "\\ud83d\\ude00 \ue000 \\ue123"', "😀 \ue000 \ue123"),
    ],
)
def test_escaped_pairs(text: str, value: str) -> None:
    assert value_of(text + "\n") == {"a": value}


def test_lone_surrogates_are_all_told() -> None:
    result = examined('a: "x\\ud800"\nb: ["\\udc00\\ud800", "\\ud83d\\ude00"]\n"\\udfff": 1\n')
    assert [(fault.rule, fault.path, fault.at_key) for fault in result.faults] == [
        ("KIX008", ("a",), False),
        ("KIX008", ("b", 0), False),
        ("KIX008", ("\ufffd",), True),
    ]
    assert "\\ud800" in result.faults[0].message
    assert "\\udc00" in result.faults[1].message
    assert result.readable
    assert result.value == {"a": None, "b": [None, "😀"], "\ufffd": 1}


# -- aliases


def test_aliases_are_values() -> None:
    assert value_of("a: &x {k: [1]}\nb: *x\nc: [*x, &x 2, *x]\nd: &n\ne: *n\n") == {
        **{"a": {"k": [1]}, "b": {"k": [1]}, "c": [{"k": [1]}, 2, 2], "d": None, "e": None}
    }


def test_an_aliased_value_is_not_shared() -> None:
    value = value_of("a: &x {k: [1]}\nb: *x\n")
    assert value["a"] is not value["b"]
    assert value["a"]["k"] is not value["b"]["k"]


@pytest.mark.parametrize("inside", [0, 3])
def test_each_alias_counts_with_those_inside(inside: int) -> None:
    anchored = "a: &t [&o 1" + ", *o" * inside + "]\n"
    most = (MAX_ALIASES - inside) // (1 + inside)
    value_of(anchored + "b: [" + "*t, " * most + "]\n")
    fault = broken(anchored + "b: [" + "*t, " * (most + 1) + "]\n")
    assert (fault.rule, fault.path) == ("KIX007", ("b", most))


def test_expanded_nodes_are_bounded() -> None:
    size = MAX_NODES // 50
    text = "a: &a [" + "1, " * size + "]\nb: [" + "*a, " * 49 + "]\n"
    fault = broken(text)
    assert fault.rule == "KIX007"
    assert "100,000" in fault.message
    assert len(value_of("a: [" + "1, " * (MAX_NODES + 1) + "]\n")["a"]) == MAX_NODES + 1


def test_bomb_is_refused_at_once() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    started = time.perf_counter()
    assert broken("\n".join(lines) + "\n").rule == "KIX007"
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("text", ["a: &a [*a]\n", "a: &a\n  b: {c: *a}\n", "&r a: *x\n", "a: *x\n"])
def test_aliases_to_nothing_or_to_themselves(text: str) -> None:
    fault = broken(text)
    if "*a" in text:
        assert fault.rule == "KIX007"
        assert fault.message == "the alias *a refers to a value that it is itself part of"
    else:
        assert (fault.rule, fault.message) == ("KIX004", "the alias *x refers to no anchor before it")


def test_depth_counts_through_aliases() -> None:
    inner = MAX_DEPTH // 2
    anchored = "a: &x " + "[" * inner + "]" * inner + "\n"
    fits, exceeds = MAX_DEPTH - inner - 1, MAX_DEPTH - inner
    value_of(anchored + "b: " + "[" * fits + "*x" + "]" * fits + "\n")
    assert broken(anchored + "b: " + "[" * exceeds + "*x" + "]" * exceeds + "\n").rule == "KIX006"


def test_a_fault_in_an_anchored_value_is_told_at_the_alias_too() -> None:
    result = examined("a: &x {k: .inf}\nb:\n  - *x\n")
    assert [(fault.rule, fault.path) for fault in result.faults] == [("KIX009", ("a", "k")), ("KIX009", ("b", 0, "k"))]
    assert [fault.position for fault in result.faults] == [
        result.locate(("a", "k"), False),
        result.locate(("b", 0), False),
    ]
    assert result.value == {"a": {"k": None}, "b": [{"k": None}]}


# -- depth and size


@pytest.mark.parametrize(
    "opening",
    ["[", "{a: ", "[{a: ", "- ", "? "],
)
def test_depth(opening: str) -> None:
    levels = opening.count("[") + opening.count("{") or 1
    closing = opening.replace("a: ", "")[::-1].translate(str.maketrans("[{", "]}", "-? "))
    times = MAX_DEPTH // levels
    assert examined(opening * times + "1" + closing * times + "\n").readable
    fault = broken(opening * (times + 1) + "1" + closing * (times + 1) + "\n")
    assert (fault.rule, fault.message) == ("KIX006", "maps and lists are nested deeper than 64 levels")


def test_depth_of_block_maps() -> None:
    text = "".join("  " * level + "a:\n" for level in range(MAX_DEPTH))
    value_of(text)
    fault = broken(text + "  " * MAX_DEPTH + "a:\n")
    assert fault.rule == "KIX006"
    assert fault.position is not None
    assert (fault.position.line, fault.position.column) == (MAX_DEPTH + 1, 2 * MAX_DEPTH + 1)


@pytest.mark.parametrize("unit", ["[", "- ", "{a: ", "? ", "[[], ", "[\n", "{?", "&a [", "!!seq [", "- - &a "])
def test_a_mebibyte_of_nesting_is_refused_quickly(unit: str) -> None:
    text = (unit * (1_048_576 // len(unit))).encode()
    started = time.perf_counter()
    assert broken(text).rule in ("KIX006", "KIX004")
    assert time.perf_counter() - started < 5


# -- bytes and characters


def test_line_ends_and_byte_order_mark() -> None:
    assert value_of("a: 1\r\nb: |\r\n  x\r\n  y\r\n...\r\n") == {"a": 1, "b": "x\ny\n"}
    result = examined(b"\xef\xbb\xbfa: 1\n")
    assert [(fault.rule, fault.path) for fault in result.faults] == [("KIX014", ())]
    assert result.readable
    assert result.value == {"a": 1}
    place = result.locate(("a",), True)
    assert place is not None
    assert (place.line, place.column) == (1, 1)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("a: é\n".encode("latin-1"), "0xE9"),
        (b"a: \xff\n", "0xFF"),
        (b"# \xed\xa0\x80\n", "surrogate"),
        (b"a: \xf8\x88\x80\x80\x80\n", "0xF8"),
        ("a: 1\n".encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + "a: 1\n".encode("utf-16-be"), "UTF-16 (big-endian)"),
        ("a: 1\n".encode("utf-16-le"), "UTF-16 (little-endian)"),
        ("a: 1\n".encode("utf-16-be"), "UTF-16 (big-endian)"),
        ("a: 1\n".encode("utf-32"), "UTF-32"),
        ("a: 1\n".encode("utf-32-be"), "UTF-32 (big-endian)"),
        (b"\x1f\x8b\x08\x00", "0x8B"),
    ],
)
def test_other_encodings(data: bytes, says: str) -> None:
    fault = broken(data)
    assert fault.rule == "KIX008"
    assert says in fault.message
    assert fault.position is not None


@pytest.mark.parametrize(
    "character",
    ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\x80", "\x85", "\x9f", "\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff"],
)
@pytest.mark.parametrize("text", ['é: "b{}c"', "é: b{}c", "é: 'b{}c'", "é: 1 # {}", "é: |\n   b{}c"])
def test_characters_that_must_be_escaped(character: str, text: str) -> None:
    fault = broken(text.format(character) + "\n")
    assert fault.rule == "KIX004"
    assert f"U+{ord(character):04X}" in fault.message
    assert fault.hint is not None
    assert f'"\\u{ord(character):04x}"' in fault.hint
    assert fault.position is not None
    before = text[: text.index("{}")]
    assert fault.position.line == 1 + before.count("\n")
    assert fault.position.column == len(before.rpartition("\n")[2]) + 1
    assert value_of(f'é: "b\\u{ord(character):04x}c"\n') == {"é": f"b{character}c"}


def test_a_lone_carriage_return() -> None:
    for text in ("a: 1\rb: 2\r", "a: 1\r", 'a: "x\ry"\n'):
        fault = broken(text)
        assert (fault.rule, fault.message) == ("KIX004", "a carriage return stands here without a line feed")


# -- layout: what libyaml reads and YAML 1.2, or the registry, does not

INDENTED_TOO_LITTLE = "this line continues a value and must be indented more than the key or dash of that value"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: {\nb: 1\n}\n", (2, 1)),
        ("a: [\n1\n]\n", (2, 1)),
        ("a:\n  b: [1,\n  2]\n", (3, 3)),
        ("- [1,\n2]\n", (2, 1)),
        ("- a: [1,\n  2]\n", (2, 3)),
        ("a: {\n\tb: 1\n}\n", (2, 2)),
        ("a: [\n  [\n]]\n", (3, 1)),
        ('a: "x\ny"\n', (2, 1)),
        ("a: 'x\ny'\n", (2, 1)),
        ("a:\n  b: 'x\n\n  y'\n", (4, 3)),
        ("a: 'x\n\ty'\n", (2, 1)),
        ('a: ["x\ny"]\n', (2, 1)),
        ('? "x\ny"\n: 1\n', (2, 1)),
    ],
)
def test_continuation_lines_must_be_indented(text: str, place: tuple[int, int]) -> None:
    fault = broken(text)
    assert (fault.rule, fault.message) == ("KIX004", INDENTED_TOO_LITTLE)
    assert fault.position is not None
    assert (fault.position.line, fault.position.column) == place


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: {\n b: 1\n}\n", {"a": {"b": 1}}),
        ("a:\n  b: [\n    1,\n  ]\n", {"a": {"b": [1]}}),
        ("a: [\n# c\n 1,\n\n\t\n ]\n", {"a": [1]}),
        ('{\n\t"a": [\n\n1\n]}\n', {"a": [1]}),
        ('[\n"x\ny"\n]\n', ["x y"]),
        ("- a: [1,\n   2]\n", [{"a": [1, 2]}]),
        ("a:\n- 'x\n y'\n", {"a": ["x y"]}),
        ('a: "x\n\n\n  y"\n', {"a": "x\n\ny"}),
        ('a: "x \\\n  y"\n', {"a": "x y"}),
        ("a: x\n  y\n\n  z\nb: 1\n", {"a": "x y\nz", "b": 1}),
        ("a:\n  x\n", {"a": "x"}),
        ("a:\n- 1\n- - 2\n  - 3\n", {"a": [1, [2, 3]]}),
        ("a:\tx\nb :\ty\t# c\n", {"a": "x", "b": "y"}),
        ("a: >-\n  b\n  c\n\n  d\n", {"a": "b c\nd"}),
        ("a: |2-\n    x\n", {"a": "  x"}),
        ("a: |+\n  x\n\nb: 1\n", {"a": "x\n\n", "b": 1}),
        ("a: |\n  x", {"a": "x\n"}),
        ("a: {b: 1,}\nc: [1,]\n", {"a": {"b": 1}, "c": [1]}),
        ("a: [b: 1, ? c : d]\n", {"a": [{"b": 1}, {"c": "d"}]}),
        ('{"a":1,"b":[true,null]}', {"a": 1, "b": [True, None]}),
        ("a: {b:c, d: e:f}\n", {"a": {"b:c": None, "d": "e:f"}}),
        ("? a\n: b\n? c\n", {"a": "b", "c": None}),
        ("# c\n%YAML 1.1\n---\na: yes\n...\n# d\n", {"a": "yes"}),
        ("%YAML 1.2 # c\n--- [1]\n", [1]),
        ("a: &x !!str 1\nb: !!str &y 2\n", {"a": "1", "b": "2"}),
        ('a: "\\x41\\u0041\\U0001F680\\/\\L\\P\\e\\_"\n', {"a": "AA🚀/\u2028\u2029\x1b\xa0"}),
        ("a: 'it''s'\n", {"a": "it's"}),
        ("a:\n# c\n  x\nb: 1\n", {"a": "x", "b": 1}),
        ("a:\n#c\n  x: 1\n", {"a": {"x": 1}}),
        ("a: 1\n#c\nb: 2\n", {"a": 1, "b": 2}),
    ],
)
def test_layout_that_is_good(text: str, value: object) -> None:
    assert value_of(text) == value
    assert value_of(text.replace("\n", "\r\n")) == value


@pytest.mark.parametrize(
    "text",
    [
        *(
            'a: "b"#c\n',
            "a: 'b'#c\n",
            "a: [b]#c\n",
            "a: [#c\n b]\n",
            "a: [b,#c\n d]\n",
            'a: {"b":#c\n d}\n',
            "a: |#c\n  x\n",
        ),
        *("a: &b:c\n", "a: &b x\nc: *b:\n", "a: &b.c d\n", "a: [&b[c]]\n", "? &b x\n: 1\n*b: 2\n"),
        *("a: [-]\n", "a: {b: -}\n", "a: [?b]\n", "a: {?b: c}\n", "a: [:b]\n", "a: { :b}\n", "a: [- b]\n"),
        *('a: "\\\'"\n', 'a: "b\\\n\n  c"\n', 'a: "\\q"\n', 'a: "\\x4"\n', 'a: "\\U00110000"\n'),
        *(
            "a:\n|\n  x\n",
            "-\n|\n  x\n",
            "|\n# x\n",
            "a: |\n     \n  # x\n",
            "a: |x\n  x\n",
            "a: |0\n  x\n",
            "a: |\n  x\n  ",
        ),
        *("a:\n  b: |2\n       x\n      \n", "a:\n#c\n  x\nb: 1\n", "- \n#c\n  x\n- b\n"),
        *("a: {!!str\n , b: 1}\n", "a: [&x , b]\n", "? a\n! : b\n", "a: !!str *b\n", "a: &x *b\n", "a: &x &y b\n"),
        *("a: 1\n\tb: 2\n", "a:\n\tb: 1\n", "a:\n \tb: 1\n", "-\tb\n", "\t\n"),
        *(
            "a: b: c\n",
            "a: - b\n",
            "a:\n  b: 1\n c: 2\n",
            "a:\nb\n",
            '"a":b\n',
            "a: 'b\n",
            "a: [b\n",
            "a: b]\n}\n",
            "a: @b\n",
        ),
        *("a: `b\n", "a: %b\n", "a: ,\n", "a: ]\n", "--- a: b\n", "a: 1\n... x\n", '"a\n  b": c\n', "a\n b: c\n"),
        *(
            "%YAML 2.0\n---\na\n",
            "%YAML 1.3\n---\na\n",
            "%YAML 1.2#c\n---\na\n",
            "%YAML x\n---\na\n",
            "%FOO b\n---\na\n",
        ),
        *("%YAML 1.2\n%YAML 1.2\n---\na\n", "%x: 1\na: 2\n", "%YAML 1.2\na: 1\n", "a: !x!y z\n", "a: !<b c\n"),
        *("k" * 1025 + ": 1\n", "a: 1\nb: 2\n: 3\n"),
    ],
)
def test_layout_that_is_refused(text: str) -> None:
    fault = broken(text)
    assert fault.rule == "KIX004"
    assert fault.position is not None
    assert "libyaml" not in fault.message
    assert "this is no YAML: " not in fault.message


def test_a_key_of_1024_characters() -> None:
    assert value_of("k" * 1024 + ": 1\n") == {"k" * 1024: 1}


# -- syntax in plain words


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("a:\n\tb: 1\n", (2, 1), "a tab stands where only spaces may", "indent with spaces: YAML allows no tab there"),
        ("a: b: c\n", (1, 5), "a ':' that ends a key cannot stand here", "put a value that holds ': ' in quotes"),
        ("a: @b\n", (1, 4), "nothing in YAML begins with this character", "put a value that begins with @ in quotes"),
        ("a: `b`\n", (1, 4), "nothing in YAML begins with this character", "put a value that begins with ` in quotes"),
        ("- %b\n", (1, 3), "nothing in YAML begins with this character", "put a value that begins with % in quotes"),
        (
            "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n",
            (2, 1),
            "a mark of a merge conflict stands here",
            "settle the conflict and remove the lines '<<<<<<<', '=======' and '>>>>>>>'",
        ),
        ('b: 1\na: "x\nb: 1\n', (2, 4), "the quoted text that begins here is never closed", None),
        ("a: [1, 2\nb: 3\n", (1, 4), "a ',' or the closing ']' of this list is missing", None),
        ("a: {b: 1\n", (1, 4), "a ',' or the closing '}' of this map is missing", None),
        ("a: [\n", (2, 1), "the text ends before the list or map in brackets is closed", None),
        (
            "a:\n  b: 1\n c: 2\n",
            (3, 2),
            "this is no key of the map that is open here",
            "line it up with what it belongs to",
        ),
        (
            "a: 1\nb:2\nc: 3\n",
            (2, 1),
            "this looks like a key, but no ': ' follows on its line",
            "write a blank after the ':' that ends a key",
        ),
        (
            'a: "C:\\dir"\n',
            (1, 7),
            "a backslash in double quotes begins no escape here",
            "write a backslash in double quotes twice, or use single quotes",
        ),
        (
            "a: 'it's'\n",
            (1, 8),
            "this is no key of the map that is open here",
            "put the whole value in one pair of quotes; a quote in it is written '' or \\\"",
        ),
        (
            "a: b\n  c: d\n",
            (2, 4),
            "a ':' that ends a key cannot stand here",
            "a key that has a value on its own line cannot have keys below it",
        ),
        ("{a: 1}\nb\n", (2, 1), "the document is over here, and no line '---' begins another one", None),
    ],
)
def test_syntax_faults(text: str, place: tuple[int, int], message: str, hint: str | None) -> None:
    fault = broken(text)
    assert (fault.rule, fault.message, fault.hint) == ("KIX004", message, hint)
    assert fault.position is not None
    assert (fault.position.line, fault.position.column) == place


# -- lists of faults


def test_every_recoverable_fault_is_told_in_order() -> None:
    text = 'a: .inf\nb: {c: 1, c: !x 2}\n3: "\\ud800"\nd:\n  - ? [e]\n    : 1e999\n'
    assert told(text) == [
        ("KIX009", ("a",)),
        ("KIX005", ("b", "c")),
        ("KIX007", ("b", "c")),
        ("KIX105", ("3",)),
        ("KIX008", ("3",)),
        ("KIX105", ("d", 0, "[e]")),
        ("KIX009", ("d", 0, "[e]")),
    ]


def test_faults_are_bounded() -> None:
    assert len(examined("- .inf\n" * 5_000).faults) == 1_000


@pytest.mark.parametrize("text", ["", "\n\n", "# c\n", "---\n", "--- # c\n...\n", "...\n"])
def test_an_empty_document_has_the_value_none(text: str) -> None:
    (piece,) = CODEC.split(BytesIO(text.encode()))
    result = CODEC.examine(piece)
    assert result.readable
    assert (result.value, result.faults) == (None, [])
    assert result.locate((), False) is not None
    assert result.locate(("a",), False) is None


def test_pieces_with_faults_are_not_looked_into() -> None:
    fault = Fault(rule="KIX003", message="too long")
    piece = Piece(index=0, data=b"a: 1\n", faults=(fault,))
    result = CODEC.examine(piece)
    assert not result.readable
    assert result.faults == [fault]
    with pytest.raises(Refused):
        CODEC.decode(piece)


def test_without_libyaml_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("yaml_composer", "yaml_layout"):
        monkeypatch.delitem(sys.modules, f"kernelindex_schema.codecs.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "yaml._yaml", None)
    with pytest.raises(UnreadableDocument, match="pip install"):
        CODEC.decode(Piece(index=0, data=b"a: 1\n"))
    with pytest.raises(UnreadableDocument, match="libyaml"):
        CODEC.examine(Piece(index=0, data=b"a: 1\n"))


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 1_000_000 + "a?: [x]\n",
        'a: "' + "|#" * 500_000 + '"\n',
        "a: [\n" + " " * 1_000_000 + "\n  1]\n",
        "a: b\n%" + " " * 1_000_000 + "x\n",
        "- |\n x\n" * 40_000 + "- |\n  y\n ",
        "a: b" + " " * 1_000_000 + ": c\n",
        "a: '" + "\\ud83d" * 170_000 + "'\n",
        "- &a [b]\n" * 30_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    started = time.perf_counter()
    CODEC.examine(Piece(index=0, data=text.encode()))
    assert time.perf_counter() - started < 15  # what is quadratic here takes hours
