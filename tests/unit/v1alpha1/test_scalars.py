"""The text grammars, each as Python's ``re`` reads it."""

from __future__ import annotations

import calendar
import datetime
import re

import pytest

from kernelindex_schema.v1alpha1 import scalars
from kernelindex_schema.v1alpha1.scalars import (
    AXIS_EXPRESSION,
    DIGEST,
    DURATION,
    GIT_COMMIT,
    INSTANT,
    MANIFEST_NAME,
    OPEN_KEY,
    SLUG,
    TOKEN,
    Grammar,
)

ACCEPTED = {
    TOKEN: ["a", "sm_90", "x1", "a_", "constructor", "length"],
    SLUG: ["a", "0", "rms-norm", "a-", "0x1f", "a--b"],
    MANIFEST_NAME: ["a", "0", "liger-rope.v1_2", "a..b", "a-"],
    DIGEST: ["sha256:" + "0" * 64, "sha256:" + "0123456789abcdef" * 4],
    GIT_COMMIT: ["0" * 40, "0123456789abcdef0123456789abcdef01234567"],
    INSTANT: ["2026-01-31T12:00:00Z", "2026-01-31T12:00Z", "0000-02-29T23:59:59.0000000000000000001Z"],
    AXIS_EXPRESSION: ["m", "(m + 3) * k % 2", "hidden // heads", " "],
    DURATION: ["1ns", "410.24 us", "0 s", "25 ms", "1.5µs"],
}
REFUSED = {
    TOKEN: ["A", "1a", "_a", "a-b", "a b", "a.b", "é"],
    SLUG: ["-a", "A", "a_b", "a.b", "a b"],
    MANIFEST_NAME: [".a", "_a", "-a", "A", "a/b", "a b"],
    DIGEST: [
        "0" * 64,
        "sha256:" + "0" * 63,
        "sha256:" + "0" * 65,
        "sha256:" + "A" * 64,
        "SHA256:" + "a" * 64,
        "sha256: " + "0" * 64,
        " sha256:" + "0" * 64,
    ],
    GIT_COMMIT: ["0" * 39, "0" * 41, "A" * 40, "0" * 64],
    INSTANT: [
        "2026-01-31",
        "2026-01-31T12Z",
        "2026-01-31T12:00:00",
        "2026-01-31T12:00:00+00:00",
        "2026-01-31T12:00:00-00:00",
        "2026-01-31t12:00:00Z",
        "2026-01-31T12:00:00z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T12:60:00Z",
        "2026-01-31T12:00:60Z",
        "2026-01-31T12:00.5Z",
        "2026-01-31T12:00:00.Z",
        "2026-01-31T12:00:00,5Z",
        "2026-1-31T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-00-01T12:00:00Z",
        "2026-01-00T12:00:00Z",
        "02026-01-31T12:00:00Z",
        "-2026-01-31T12:00:00Z",
    ],
    AXIS_EXPRESSION: ["M", "a^b", "a\tb", "a,b", "a.b", "é"],
    DURATION: ["1", "1.", "1. ms", ".5 ms", "+1 ms", "-1 ms", "1e3 ns", "1  ms", "1\tms", "1\u00a0ms", "1 μs", "1 MS"],
}


def grammars() -> list[Grammar]:
    return [value for value in vars(scalars).values() if isinstance(value, Grammar)]


def accepts(grammar: Grammar, text: str) -> bool:
    return re.search(grammar.pattern, text) is not None


def pairs(table: dict[Grammar, list[str]]) -> list[pytest.param]:
    return [
        pytest.param(grammar, text, id=f"{grammar.name}-{text}") for grammar, texts in table.items() for text in texts
    ]


def test_every_grammar_is_probed():
    assert set(grammars()) == {*ACCEPTED, OPEN_KEY}
    assert len(grammars()) == 9


@pytest.mark.parametrize(("grammar", "text"), pairs(ACCEPTED))
class TestAccepted:
    def test_is_accepted(self, grammar, text):
        assert accepts(grammar, text)

    @pytest.mark.parametrize("tail", ["\n", "\r\n", "\u2028", "\x00", "\uff11", "\U0001f680"])
    def test_and_nothing_may_follow(self, grammar, text, tail):
        assert not accepts(grammar, text + tail)

    @pytest.mark.parametrize("head", ["\n", "\ufeff", "\uff11", "\U0001f680"])
    def test_and_nothing_may_come_before(self, grammar, text, head):
        assert not accepts(grammar, head + text)

    def test_a_full_width_or_arabic_digit_is_none(self, grammar, text):
        for digit in "0123456789":
            if digit in text:
                assert not accepts(grammar, text.replace(digit, chr(0xFF10 + int(digit))))
                assert not accepts(grammar, text.replace(digit, chr(0x0660 + int(digit))))


@pytest.mark.parametrize(("grammar", "text"), pairs(REFUSED))
def test_refused(grammar, text):
    assert not accepts(grammar, text)


@pytest.mark.parametrize("grammar", list(ACCEPTED), ids=lambda grammar: grammar.name)
@pytest.mark.parametrize("text", ["", "\n", "\U0001f680", "\uff11", "\x00"])
def test_no_grammar_accepts_a_stranger(grammar, text):
    assert not accepts(grammar, text)


@pytest.mark.parametrize("grammar", grammars(), ids=lambda grammar: grammar.name)
def test_a_pattern_reads_alike_in_python_and_ecmascript(grammar):
    """No classes that take more than ASCII in one of them, no anchors or groups that only one of them knows."""
    assert not re.search(r"\\[dwsDWSbBAZzpPkuU]", grammar.pattern)
    assert "(?P" not in grammar.pattern
    assert "(?<" not in grammar.pattern
    assert grammar.pattern.startswith("^")
    # Python's $ also matches before a final newline; the lookahead takes that away, and says nothing in ECMAScript.
    assert grammar.pattern.count("$") == grammar.pattern.count(r"$(?!\n)") == 1


def test_an_open_key_is_anything_but_proto():
    assert not accepts(OPEN_KEY, "__proto__")
    for key in ["", "A b", "__proto__ ", "__proto__\n", "x__proto__", "constructor", "\U0001f680"]:
        assert accepts(OPEN_KEY, key), key


class TestInstantCalendar:
    def test_every_day_of_telling_years(self):
        years = [*range(1, 20), *range(1890, 1910), *range(1990, 2030), 2096, 2100, 2200, 2400, 9996, 9999]
        days = 0
        for year in years:
            for month in range(14):
                for day in range(33):
                    try:
                        datetime.date(year, month, day)
                        real = True
                    except ValueError:
                        real = False
                    days += real
                    assert accepts(INSTANT, f"{year:04}-{month:02}-{day:02}T00:00Z") is real, (year, month, day)
        assert days > 30_000

    def test_leap_day_of_every_year(self):
        # Year 0 exists (ISO 8601) and is a leap year, being divisible by 400; datetime begins with year 1.
        for year in range(10_000):
            assert accepts(INSTANT, f"{year:04}-02-29T00:00Z") is calendar.isleap(year), year

    @pytest.mark.parametrize("day", ["0000-01-01", "0000-02-29", "0000-12-31"])
    def test_year_0000_is_a_year(self, day):
        assert accepts(INSTANT, f"{day}T00:00:00Z")

    def test_every_minute_and_hour(self):
        for hour in range(26):
            for minute in range(62):
                text = f"2026-01-31T{hour:02}:{minute:02}:{minute:02}Z"
                assert accepts(INSTANT, text) is (hour < 24 and minute < 60), text
