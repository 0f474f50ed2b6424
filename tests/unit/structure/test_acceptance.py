"""The fast path says yes or no; what it says of odd values must not depend on msgspec's leniency."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernelindex_schema.structure.acceptance import accept, accept_again, doubt
from kernelindex_schema.structure.texts import utf16_length
from kernelindex_schema.v1alpha1 import KINDS

FIXTURES = Path(__file__).parents[2] / "fixtures"


def full(kind: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((FIXTURES / "valid" / kind / "full.json").read_bytes())
    return value


@pytest.mark.parametrize("kind", KINDS)
def test_the_envelope_is_asked_for(kind: str) -> None:
    value = full(kind)
    manifest = accept(kind, value)
    assert manifest is not None
    assert (manifest.kind, manifest.api_version) == (kind, "kernelindex.dev/v1alpha1")
    for missing in ("apiVersion", "kind", "metadata", "spec"):
        assert accept(kind, {key: each for key, each in value.items() if key != missing}) is None
    for changed in ({"apiVersion": "kernelindex.dev/v1"}, {"kind": "Dog"}, {"kind": None}, {"apiVersion": None}):
        assert accept(kind, value | changed) is None
    other = next(name for name in KINDS if name != kind)
    assert accept(kind, value | {"kind": other}) is None
    assert accept(kind, full(other)) is None


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_no_to_values_of_any_shape(kind: str) -> None:
    value = full(kind)
    deep: Any = []
    for _ in range(3000):
        deep = [deep]
    for odd in (None, 5, "x", [], deep, 10**400, float("inf"), {"\ud800": 1}, {"a": "\ud800"}, b"x", object()):
        assert accept(kind, value | {"spec": odd}) is None
        assert accept(kind, value | {"metadata": odd}) is None
        assert accept(kind, value | {"odd": odd}) is None


def test_a_value_that_was_seen_before_is_judged_the_same() -> None:
    value = full("BenchmarkProtocol")
    first = accept_again("BenchmarkProtocol", value)
    assert first is not None
    assert accept_again("BenchmarkProtocol", copy.deepcopy(value)) == first
    for path, wrong in ((("spec", "measurement", "samples"), 100.0), (("spec", "measurement", "setupIncluded"), 1)):
        changed = copy.deepcopy(value)
        at = changed
        for part in path[:-1]:
            at = at[part]
        at[path[-1]] = wrong
        assert accept_again("BenchmarkProtocol", changed) is None
        assert accept_again("BenchmarkProtocol", value) == first


@pytest.mark.parametrize(
    ("text", "length"),
    [("", 0), ("abc", 3), ("é", 1), ("\uffff", 1), ("🦜", 2), ("a🦜b", 4), ("e\u0301", 2), ("\ud800", 1)],
)
def test_lengths_count_utf16_units(text: str, length: int) -> None:
    assert utf16_length(text) == length


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_no_doubt_about_what_was_decoded(kind: str) -> None:
    manifest = accept(kind, full(kind))
    assert manifest is not None
    assert doubt(manifest) is None
    assert doubt(msgspec.structs.replace(manifest, spec=5))
    assert doubt(msgspec.structs.replace(manifest, api_version="x"))
