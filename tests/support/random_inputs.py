"""Random and mutated inputs of every format, and what must hold for whatever comes in."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import tomli_w
from packing import PACKINGS

from kernelindex_schema import InvalidDocument, Report, UnreadableDocument, check_data, decode, encode
from kernelindex_schema.codecs.formats import FORMATS, format_of
from kernelindex_schema.findings import Severity

ROOT = Path(__file__).resolve().parents[2]

FRAGMENTS: dict[str, list[str]] = {
    "json": [
        *("{", "}", "[", "]", ",", ":", '"', "\\", '"a"', '"kind"', "1", "-0", "1e5", "1e400", "NaN", "true", "null"),
        *("\\ud800", "\\u0041", "//", "\u2028", "\ufeff", "\x00", '"\\'),
    ],
    "yaml": [
        *("- ", ": ", "? ", "a", "kind: ", "\n", "\n  ", "\n    ", "---\n", "...\n", "&a ", "*a", "!!str ", "!x "),
        *("| ", "> ", "|2-\n", "{", "}", "[", "]", ",", "'", '"', "#", " #", "<<: *a", "~", "0x1F", "1e400", ".nan"),
        *("\\ud83d", "%YAML 1.2\n", "\t", "\r\n", "\r", "\u2028", "\ufeff", "\x07", "2026-01-31T12:00:00Z", "''"),
        *('""', "\\\n", "%TAG ! tag:x,1:\n", "\\x41"),
    ],
    "toml": [
        *("a", "b.c", "=", " = ", "\n", "[", "]", "[[", "]]", "{", "}", ",", "'", '"', "'''", '"""', "#", "\\u0041"),
        *("\\ud800", "1", "0x1F", "1e400", "nan", "inf", "2026-01-31", "12:00:00", "2026-01-31T12:00:00Z", "true"),
        *(".", "-", "+", "_", "\t", "\r\n"),
    ],
    "page": ["Title", "\n", "\n\n", "{", "}", '"a"', ":", "1", ",", "\r\n", " ", "[", "]"],
}
FRAGMENTS["jsonl"] = [*FRAGMENTS["json"], "\n", "\r\n", "\n\n"]

# The first bytes of MessagePack values.
CODES = bytes.fromhex("80818f9091a0a1c0c1c2c3c4c7cacbcfd3d4d6d9dadbdcdddedf00017fe0ff61")

NUMBERS = (True, 0, -1, 1.5, 1e300, 5e-324, float("nan"), float("inf"), 2**53, 2**64, 10**400)
TEXTS = ("1 ms", "0.5 ns", "1 μs", "2026-01-31T12:00:00Z", "https://", "sha256:" + "a" * 64)
LETTERS = "aA0 -_.:/\n\x00é🦜\ud800\u2028"


class Input(msgspec.Struct, frozen=True):
    """One input: what it is called, its bytes, and how it was made."""

    name: str
    data: bytes
    origin: str


def _valid() -> dict[str, list[bytes]]:
    """Good documents of each format, small ones, written and read from the examples."""
    found: dict[str, list[bytes]] = {name: [] for name in FORMATS}
    for path in sorted([*ROOT.glob("tests/fixtures/valid/*/*"), *ROOT.glob("examples/valid/*")]):
        form, compression = format_of(path.name)
        if form is not None and compression is None:
            found[form.name].append(path.read_bytes())
    plain = [json.loads(data) for data in found["json"]]
    found["msgpack"] += [msgspec.msgpack.encode(value) for value in plain]
    found["jsonl"] += [b"".join(json.dumps(value).encode() + b"\n" for value in plain[at : at + 3]) for at in range(9)]
    found["page"] += [b"A title\n\n" + json.dumps(value).encode() for value in plain]
    found["yaml"] += [json.dumps(value, indent=1).encode() for value in plain]
    return found


class Source:
    """An endless source of inputs; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.valid = _valid()
        self.plain = [json.loads(data) for data in self.valid["json"]]

    def inputs(self) -> Iterator[Input]:
        formats = list(FORMATS)
        while True:
            format = self.random.choice(formats)
            make = self.random.choice(
                [self._noise, self._soup, self._cut_up, self._cut_up, self._rewritten, self._rewritten]
            )
            data, origin = make(format), make.__name__.strip("_")
            name = f"input{FORMATS[format].suffixes[0]}"
            if self.random.random() < 0.12:
                packing = self.random.choice(list(PACKINGS))
                data, name = PACKINGS[packing](data), f"{name}.{packing}"
                if self.random.random() < 0.5:
                    data, origin = self._mangled(data, data), f"{origin}, packed and mangled"
            yield Input(name, data, origin)

    def _noise(self, format: str) -> bytes:
        size = self.random.choice([0, 1, 2, 3, 8, 30, 200])
        if format == "msgpack" and self.random.random() < 0.5:
            return bytes(self.random.choices(CODES, k=size))
        return self.random.randbytes(size)

    def _soup(self, format: str) -> bytes:
        if format == "msgpack":
            return self._noise(format)
        pieces = self.random.choices(FRAGMENTS[format], k=self.random.choice([1, 3, 10, 40]))
        return "".join(pieces).encode("utf-8", "surrogatepass")

    def _cut_up(self, format: str) -> bytes:
        return self._mangled(self.random.choice(self.valid[format]), self.random.choice(self.valid[format]))

    def _mangled(self, data: bytes, other: bytes) -> bytes:
        for _ in range(self.random.choice([1, 1, 2, 5])):
            start = self.random.randrange(len(data) + 1)
            end = min(len(data), start + self.random.choice([0, 1, 2, 10, 100]))
            change = self.random.randrange(7)
            if change == 0:
                data = data[:start] + data[end:]
            elif change == 1:
                data = data[:start] + data[start:end] * self.random.choice([2, 3, 70]) + data[end:]
            elif change == 2:
                data = data[:start] + self.random.randbytes(self.random.choice([1, 2, 4])) + data[end:]
            elif change == 3:
                fragments = self.random.choice(list(FRAGMENTS.values()))
                data = data[:start] + self.random.choice(fragments).encode("utf-8", "surrogatepass") + data[end:]
            elif change == 4:
                at = self.random.randrange(len(other) + 1)
                data = data[:start] + other[at : at + self.random.choice([5, 50, 500])] + data[end:]
            elif change == 5:
                data = data[:start]
            elif data:
                at = self.random.randrange(len(data))
                data = data[:at] + bytes([data[at] ^ (1 << self.random.randrange(8))]) + data[at + 1 :]
        return data

    def _rewritten(self, format: str) -> bytes:
        value = self._changed(self.random.choice(self.plain))
        try:
            return self._written(value, format)
        except (TypeError, ValueError, OverflowError, AttributeError):
            # TOML has no null, and MessagePack no giant integers.
            return self._cut_up(format)

    def _written(self, value: Any, format: str) -> bytes:
        if format == "msgpack":
            return msgspec.msgpack.encode(value)
        if format == "toml":
            return tomli_w.dumps(value).encode("utf-8", "surrogatepass")
        text = json.dumps(value, ensure_ascii=self.random.random() < 0.5, indent=self.random.choice([None, 1]))
        if format == "jsonl":
            text = json.dumps(value) + "\n"
            return (text * self.random.choice([1, 2])).encode("utf-8", "surrogatepass")
        return ("A title\n\n" if format == "page" else "").encode() + text.encode("utf-8", "surrogatepass")

    def _changed(self, value: Any) -> Any:
        """A deep copy with a few places changed."""
        rate = self.random.choice([0.0, 0.02, 0.1])
        odd: list[Callable[[], Any]] = [
            lambda: None,
            lambda: self.random.choice(NUMBERS),
            lambda: "".join(self.random.choices(LETTERS, k=self.random.choice([0, 1, 5, 300]))),
            lambda: self.random.choice(TEXTS),
            list,
            dict,
            lambda: {"".join(self.random.choices("aA0 _é🦜\ud800", k=3)): 1},
            lambda: json.loads("[" * 70 + "]" * 70),
        ]

        def walk(each: Any) -> Any:
            if self.random.random() < rate:
                return self.random.choice(odd)()
            if isinstance(each, dict):
                members = [(key, walk(inner)) for key, inner in each.items() if self.random.random() >= rate / 2]
                if self.random.random() < rate:
                    members.append(("".join(self.random.choices("abzAZ_-09é", k=4)), self.random.choice(odd)()))
                self.random.shuffle(members)
                return dict(members)
            if isinstance(each, list):
                return [walk(inner) for inner in each for _ in range(1 + (self.random.random() < rate))]
            return each

        return walk(value)


def verdict(item: Input) -> Report:
    """The report of an input, after everything that must hold for it was looked at.

    Raises:
        AssertionError: something does not hold.
    """
    report = check_data(item.data, None, item.name)
    assert report == check_data(item.data, None, item.name), "another report the second time"
    assert list(report.findings) == sorted(report.findings, key=lambda each: each.sort_key())
    crashed = [finding.message for finding in report.findings if finding.rule == "KIX002"]
    assert not crashed, crashed
    form, compression = format_of(item.name)
    assert form is not None
    if compression is None:
        _places(report, item.data, is_text=form.is_text)
        _same_elsewhere(report, item.data, form.name)
    return report


def _places(report: Report, data: bytes, *, is_text: bool) -> None:
    """Every place lies within the text."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for finding in report.findings:
        if finding.line is None:
            continue
        assert is_text, "a line in a format that has none"
        places = [(finding.line, finding.column), (finding.end_line, finding.end_column)]
        assert places == sorted(places), finding  # type: ignore[type-var]
        places += [(related.line, related.column) for related in finding.related if related.line is not None]
        for line, column in places:
            assert line is not None
            assert column is not None
            assert 1 <= line <= len(lines) + 1, finding
            width = len(lines[line - 1].decode("utf-8", "replace")) if line <= len(lines) else 0
            assert 1 <= column <= width + 1 or finding.rule in ("KIX004", "KIX008"), finding


def _same_elsewhere(report: Report, data: bytes, format: str) -> None:
    """What passes decodes, and reads back equal from JSON; what does not is refused."""
    read = [finding for finding in report.findings if finding.severity is Severity.ERROR and finding.rule < "KIX2"]
    if report.documents != 1:
        return
    try:
        value = decode(data, format=format)
    except (InvalidDocument, UnreadableDocument) as error:
        told = str(error)
    else:
        told = None
    assert (told is not None) == bool(read), f"decode says {told}, check says {read}"
    if told is None:
        assert decode(encode(value, format="json"), format="json") == value
