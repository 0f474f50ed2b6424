from __future__ import annotations

import enum
import io
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelindex_schema.codecs.document import MAX_DEPTH
from kernelindex_schema.codecs.yaml import YamlCodec
from kernelindex_schema.errors import UnencodableValue

CODEC = YamlCodec()


def encode(*values: Any) -> str:
    return CODEC.encode(values).decode()


def read_back(data: bytes) -> list[Any]:
    found = []
    for piece in CODEC.split(io.BytesIO(data)):
        result = CODEC.examine(piece)
        assert result.readable
        assert result.faults == []
        assert repr(CODEC.decode(piece)) == repr(result.value)
        found.append(result.value)
    return found


def test_block_style() -> None:
    value = {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "metadata": {"name": "p-1.0_x", "labels": {}, "title": "Rotary embedding, backward pass"},
        "spec": {
            "measurements": [{"metric": "latency", "value": 1.5}, {"metric": "x", "list": [[1, [2]], []]}],
            "shape": [1, True, None, -2, 1e-06, 5.0],
            "digest": "sha256:0011",
            "observedAt": "2024-09-03T15:40:08.000Z",
            "url": "https://x.y/z#a",
        },
    }
    assert encode(value) == (
        "apiVersion: kernelindex.dev/v1alpha1\n"
        "metadata:\n"
        "  name: p-1.0_x\n"
        "  labels: {}\n"
        "  title: Rotary embedding, backward pass\n"
        "spec:\n"
        "  measurements:\n"
        "    - metric: latency\n"
        "      value: 1.5\n"
        "    - metric: x\n"
        "      list:\n"
        "        - - 1\n"
        "          - - 2\n"
        "        - []\n"
        "  shape:\n"
        "    - 1\n"
        "    - true\n"
        "    - null\n"
        "    - -2\n"
        "    - 1e-06\n"
        "    - 5.0\n"
        "  digest: sha256:0011\n"
        '  observedAt: "2024-09-03T15:40:08.000Z"\n'
        "  url: https://x.y/z#a\n"
    )


def test_documents_are_parted() -> None:
    assert encode({"a": 1}, [], None, "x") == "a: 1\n---\n[]\n---\nnull\n---\nx\n"
    assert CODEC.encode([{"a": 1}], title="left out") == b"a: 1\n"
    assert encode((1, (2,))) == "- 1\n- - 2\n"


@pytest.mark.parametrize(
    "text", ["kernel", "a b", "é", "a:b", "a#b", "it's", "C:\\x", "a, b", "x (y)", "_a", "/a/b", "a@b"]
)
def test_plain_texts(text: str) -> None:
    assert encode([text]) == f"- {text}\n"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "~",
            "null",
            "Null",
            "true",
            "FALSE",
            "yes",
            "No",
            "on",
            "OFF",
            "y",
            "N",
            "nan",
            ".nan",
            ".inf",
            "Infinity",
        ),
        *(
            "1",
            "-1",
            "+1",
            "1.0",
            ".5",
            "1e5",
            "1_000",
            "0x1F",
            "0o17",
            "0777",
            "0b11",
            "12:30:45",
            "190:20:30.15",
            "1.2.3",
        ),
        *(
            "2024-09-03",
            "2024-09-03T15:40:08Z",
            "2024-09-03 15:40:08",
            "=",
            "<<",
            "-",
            "- a",
            "---",
            "...",
            "?",
            "? a",
            ":",
            ": a",
        ),
        *(
            "a: b",
            "a:",
            "a :",
            "a #b",
            "#a",
            " a",
            "a ",
            "&a",
            "*a",
            "!a",
            "%a",
            "@a",
            "`a",
            "|",
            ">",
            '"',
            "'",
            "'a'",
            '"a"',
        ),
        *(
            "[a",
            "]",
            "{a",
            "}",
            ",",
            "a\nb",
            "a\n",
            "\ta",
            "a\tb",
            "\r",
            "\x00",
            "\x7f",
            "\x85",
            "\xa0a",
            "\u2028",
            "\ufeff",
        ),
        *("a\ufffe", "\u00ada", "a\\b\n"),
    ],
)
def test_quoted_texts(text: str) -> None:
    written = encode({text: [text]})
    first = written.partition("\n")[0]
    assert first.startswith('"')
    assert first.endswith('":')
    assert read_back(written.encode()) == [{text: [text]}]


def test_escapes() -> None:
    assert encode('"\\\n\t\r\x00\x1b\x85é\u2028😀') == '"\\"\\\\\\n\\t\\r\\u0000\\u001b\\u0085é\\u2028😀"\n'


def test_long_keys_are_explicit() -> None:
    value = {"k" * 1_000: 1, "k" * 1_001: {"a": 1}, "\n" * 600: [1], "x": [{"k" * 2_000: 2, "b": 3}], "e" * 1_500: {}}
    written = encode(value)
    assert written.splitlines()[1:4] == ["? " + "k" * 1_001, ":", "  a: 1"]
    assert read_back(written.encode()) == [value]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({1: 2}, "text"),
        ({"a": float("nan")}, "finite"),
        ([float("-inf")], "finite"),
        ([10**309], "range"),
        (["\ud800"], "surrogate"),
        ({"\udc00": 1}, "surrogate"),
        ([b"x"], "bytes"),
        ([{1, 2}], "set"),
        ([object()], "object"),
    ],
)
def test_values_without_a_form(value: Any, says: str) -> None:
    with pytest.raises(UnencodableValue, match=says):
        CODEC.encode([value])


def test_depth() -> None:
    value: Any = 1
    for _ in range(MAX_DEPTH):
        value = {"a": value}
    assert read_back(CODEC.encode([value])) == [value]
    with pytest.raises(UnencodableValue, match="64 levels"):
        CODEC.encode([[value]])


class Colour(enum.StrEnum):
    RED = "red"


class Count(enum.IntEnum):
    TWO = 2


def test_subclasses_are_written_as_what_they_are() -> None:
    assert encode([Colour.RED, Count.TWO]) == "- red\n- 2\n"


CHARACTERS = st.characters(exclude_categories=("Cs",)) | st.sampled_from(
    "\"'\\:#-?,[]{}&*!|>%@` \t\n\r\x00\x7f\x85\u2028\u2029\ufeff\ufffe\ue000"
)
TEXTS = st.text(CHARACTERS, max_size=8) | st.sampled_from(
    [
        "yes",
        "no",
        "null",
        "~",
        "1",
        "1.5",
        "0x1F",
        "0o17",
        "1_000",
        "12:30:45",
        "2024-01-01",
        ".inf",
        "<<",
        "---",
        "\\ud83d",
        "\\u0041",
    ]
)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**308), 10**308)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(VALUES, min_size=1, max_size=3))
def test_round_trip(values: Sequence[Any]) -> None:
    data = CODEC.encode(values)
    assert repr(read_back(data)) == repr(list(values))
    assert CODEC.encode(read_back(data)) == data


@given(TEXTS)
def test_no_text_reads_as_anything_else_in_yaml_1_1(text: str) -> None:
    import yaml

    if "\ufffe" in text or "\uffff" in text:
        return
    assert yaml.safe_load(CODEC.encode([{"k": [text]}])) == {"k": [text]}
