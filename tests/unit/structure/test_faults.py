"""The words of structural faults: values short and on one line, paths bounded, the nearest known word."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from kernelindex_schema.nearest import nearest
from kernelindex_schema.structure.faults import ENVELOPE, schema_faults, shown
from kernelindex_schema.v1alpha1 import KINDS


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ({}, "an empty mapping"),
        ({"a": 1}, "a mapping"),
        ([], "an empty list"),
        ([1], "a list"),
        (5, "5"),
        (1.5, "1.5"),
        (10**80, "an integer of more than 80 digits"),
        (-(10**80), "an integer of more than 80 digits"),
        ("a", "'a'"),
        ("a\nb\x1b", "'a\\nb\\x1b'"),
    ],
)
def test_a_value_as_a_message_shows_it(value: Any, words: str) -> None:
    assert shown(value) == words


def test_a_long_value_is_cut() -> None:
    assert len(shown("x" * 10**6)) == 80
    assert shown("x" * 10**6).endswith("…")
    assert len(shown("\n" * 10**6)) <= 80


def test_a_long_path_is_cut_in_the_message_alone() -> None:
    key = "k" * 10_000
    value = {"kind": "SoftwareProject", key: {}, "metadata": {"name": "a", "labels": {key + "!": "x"}}}
    faults = list(schema_faults("SoftwareProject", value))
    assert any(fault.path == (key,) for fault in faults)
    assert any(fault.path == ("metadata", "labels", key + "!") for fault in faults)
    assert all(len(fault.message) < 700 for fault in faults)


def test_many_faults_are_listed_one_by_one() -> None:
    faults = schema_faults("SoftwareProject", {f"x{index}": index for index in range(10**5)})
    first = list(itertools.islice(faults, 20))
    assert sorted({fault.rule for fault in first}) == ["KIX103", "KIX104"]
    assert len({(fault.rule, fault.path, fault.message) for fault in first}) == 20


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("observed_at", ["observedAt", "status"], "observedAt"),
        ("OBSERVEDAT", ["observedAt", "status"], "observedAt"),
        ("observed-at", ["observedAt"], "observedAt"),
        ("obsrevedAt", ["observedAt", "status"], "observedAt"),
        ("repo", ["name", "repository"], "repository"),
        ("max", ["maximum", "minimum"], "maximum"),
        ("p", ["p05", "p95"], None),
        ("notes", ["name", "kind"], None),
        ("", ["name"], None),
        ("x" * 10**6, ["name"], None),
        ("name", [], None),
    ],
)
def test_the_nearest_known_word(word: str, known: list[str], found: str | None) -> None:
    assert nearest(word, known) == found


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        ({"apiVersion": "kernelindex.dev/v1alpha1", "kind": "Dog", "metadata": {"name": "a"}, "spec": 5}, ["KIX102"]),
        ({"apiVersion": "kernelindex.dev/v1alpha1", "metadata": {"name": "a"}, "spec": 5}, ["KIX104"]),
        ({"kind": "Dog", "metadata": {"name": "A"}, "spec": None, "x": 1}, ["KIX102", "KIX103", "KIX104", "KIX106"]),
        ({"apiVersion": 1, "kind": 2, "metadata": 3, "spec": {}}, ["KIX105", "KIX105", "KIX105"]),
    ],
)
def test_where_the_kind_is_unknown_the_spec_is_not_looked_at(value: Any, rules: list[str]) -> None:
    assert sorted(fault.rule for fault in schema_faults(ENVELOPE, value)) == rules


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [{}, {"spec": None}, {"spec": []}, {"metadata": 5, "spec": {"axes": 5}}])
def test_every_fault_of_odd_values_is_translated(kind: str, value: Any) -> None:
    faults = list(schema_faults(kind, value, ("here",)))
    assert faults
    assert all(fault.path[:1] == ("here",) for fault in faults)
    assert all("here" in fault.message for fault in faults)
