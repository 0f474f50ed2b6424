"""Exact places: what stands between the start and the end of a finding is the value, or the key, that it speaks of."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import tomli_w
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from manifest_values import at, manifests, mutated

from kernelindex_schema import Finding, Report, check_data
from kernelindex_schema.codecs.document import Piece
from kernelindex_schema.codecs.yaml import YamlCodec
from kernelindex_schema.codecs.yaml_writer import write_documents
from kernelindex_schema.v1alpha1 import KINDS

FEW = settings(max_examples=settings().max_examples // 3)
"""There are thirteen kinds of each test."""

AT_KEY = {"KIX103"}
"""These mark the key; KIX106 and KIX108 do so where the key itself is at fault."""


def stretch(text: str, finding: Finding) -> str:
    """The text between the start and the end of a finding."""
    assert None not in (finding.line, finding.column, finding.end_line, finding.end_column), finding
    lines = text.split("\n")
    first, last = finding.line - 1, finding.end_line - 1  # type: ignore[operator]
    if first == last:
        return lines[first][finding.column - 1 : finding.end_column - 1]  # type: ignore[operator]
    parts = [lines[first][finding.column - 1 :], *lines[first + 1 : last]]  # type: ignore[operator]
    if last < len(lines):
        parts.append(lines[last][: finding.end_column - 1])  # type: ignore[operator]
    return "\n".join(parts)


def path_of(finding: Finding, value: Any) -> tuple[Any, ...]:
    """The path that a pointer stands for in a value."""
    path: list[Any] = []
    for part in (finding.pointer or "").split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        path.append(int(part) if isinstance(at(value, tuple(path)), list) else part)
    return tuple(path)


def wanted(finding: Finding, value: Any) -> tuple[Any, Any]:
    """The value that a finding speaks of, and the key that leads to it."""
    path = path_of(finding, value)
    return at(value, path), path[-1] if path else None


def as_json(slice_: str) -> Any:
    return json.loads(slice_)


def as_yaml(slice_: str) -> Any:
    examined = YamlCodec().examine(Piece(index=0, data=slice_.encode()))
    assert not examined.faults, (slice_, examined.faults)
    return examined.value


def as_toml(slice_: str) -> Any:
    return tomllib.loads(f"x = {slice_}")["x"]


def same(one: Any, two: Any) -> bool:
    return bool(one == two) and isinstance(one, bool) is isinstance(two, bool)


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(data=st.data())
def test_places_in_json(kind: str, data: st.DataObject) -> None:
    value = data.draw(mutated(kind, data.draw(manifests(kind))))
    indent, ascii_ = data.draw(st.sampled_from([None, 0, 2])), data.draw(st.booleans())
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_)
    format = data.draw(st.sampled_from(["json", "jsonl", "page"] if indent is None else ["json", "page"]))
    before = {"json": "\n", "jsonl": "\n", "page": "Ein Titel: µ 🦜\n\n"}[format]
    for finding in check_data(before + text, format).findings:
        if finding.rule >= "KIX2":
            continue
        there, key = wanted(finding, value)
        found = as_json(stretch(before + text, finding))
        assert same(found, there) or same(found, key), finding
        if finding.rule in AT_KEY:
            assert found == key, finding


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(data=st.data())
def test_places_in_yaml(kind: str, data: st.DataObject) -> None:
    value = data.draw(mutated(kind, data.draw(manifests(kind))))
    block = data.draw(st.booleans())
    text = "# a comment\n\n" + (write_documents([value]).decode() if block else json.dumps(value, indent=1))
    for finding in check_data(text, "yaml").findings:
        # YAML ends a key without "?" after 1024 characters, and escapes make it that long.
        assume(finding.rule != "KIX004" or block)
        if finding.rule >= "KIX2":
            continue
        there, key = wanted(finding, value)
        part = stretch(text, finding)
        if isinstance(there, dict | list) and finding.rule not in AT_KEY and "\n" in part:
            # A block collection: its first line stands where it begins.
            assert part.strip()
            continue
        found = as_yaml(part)
        assert same(found, there) or same(found, key), (finding, part)
        if finding.rule in AT_KEY:
            assert found == key, finding


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(data=st.data())
def test_places_in_toml(kind: str, data: st.DataObject) -> None:
    value = data.draw(mutated(kind, data.draw(manifests(kind))))
    try:
        text = tomli_w.dumps(value)
    except (TypeError, AttributeError):
        assume(False)
    for finding in check_data(text, "toml").findings:
        if finding.rule >= "KIX2":
            continue
        there, key = wanted(finding, value)
        assert finding.line is not None
        part = stretch(text, finding)
        if finding.rule in AT_KEY or isinstance(there, dict | list):
            assert 1 <= finding.line <= text.count("\n") + 1
            continue
        if part.strip("\"'") == key or (part.startswith(('"', "'")) and as_toml(part) == key):
            continue
        assert same(as_toml(part), there), (finding, part)


WRITERS: dict[str, Callable[[Any], bytes]] = {
    "jsonl": lambda value: json.dumps(value).encode(),
    "page": lambda value: b"A title\n\n" + json.dumps(value, indent=1).encode(),
    "yaml": lambda value: write_documents([value]),
    "toml": lambda value: tomli_w.dumps(value).encode(),
    "msgpack": msgspec.msgpack.encode,
}


@pytest.mark.parametrize("format", WRITERS)
@given(value=manifests(), data=st.data())
def test_the_same_is_said_in_every_format(format: str, value: Any, data: st.DataObject) -> None:
    changed = data.draw(mutated(value["kind"], value))
    assume(isinstance(changed, dict))
    try:
        written = WRITERS[format](changed)
    except (TypeError, AttributeError, OverflowError):
        assume(False)  # TOML has no null, and MessagePack no giant integers

    def told(report: Report) -> set[tuple[str, str | None, str]]:
        return {(finding.rule, finding.pointer, finding.message) for finding in report.findings}

    assert told(check_data(written, format)) == told(check_data(json.dumps(changed), "json"))
