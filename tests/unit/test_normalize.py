"""Authoring forms: exact decimal durations, whole numbers in other clothes, giant integers."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelindex_schema.normalize import normalize, parse_duration
from kernelindex_schema.v1alpha1 import KINDS

LARGEST = 2**53 - 1
UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9}


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("0 ns", 0),
        ("0.000 s", 0),
        ("1ns", 1),
        ("410.24 us", 410_240),
        ("410.24us", 410_240),
        ("410.24 µs", 410_240),
        ("521.05 us", 521_050),
        ("0.258375 ms", 258_375),
        ("64.1 ms", 64_100_000),
        ("1.001 us", 1_001),
        ("1.5 s", 1_500_000_000),
        ("1.500000000000000000 s", 1_500_000_000),
        ("0000001 ns", 1),
        ("9007199254740991 ns", LARGEST),
        ("9007199.254740991 s", LARGEST),
        ("0" * 6000 + "7 ns", 7),
        ("7." + "0" * 6000 + " ns", 7),
    ],
)
def test_durations_are_exact(text: str, nanoseconds: int) -> None:
    assert parse_duration(text) == nanoseconds


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        *(
            (text, "KIX106")
            for text in ("", "1", "ns", "1 m", "1 h", "1 NS", "1  ns", "1\tns", "1\u00a0ns", " 1 ns", "1 ns ")
        ),
        *((text, "KIX106") for text in ("1. ms", ".5 ms", "+1 ms", "-1 ms", "1e3 ns", "1_000 ns", "0x1 ns", "1,5 ms")),
        *((text, "KIX106") for text in ("1 μs", "١ ms", "１ ms", "1 ms\n", "1.5.5 ms", "1 ms ms", "²ms", "Infinity s")),
        *((text, "KIX110") for text in ("0.5 ns", "0.0000005 ms", "1.00000000000000001 s", "0." + "0" * 6000 + "1 s")),
        ("9007199254740991.4 ns", "KIX110"),
        *(
            (text, "KIX107")
            for text in ("9007199254740992 ns", "9007199.254740992 s", "9" * 6000 + " s", "1" * 30 + " ns")
        ),
    ],
)
def test_what_is_no_duration_names_its_rule(text: str, rule: str) -> None:
    assert parse_duration(text) == rule


@given(
    whole=st.integers(0, 10**18),
    fraction=st.text("0123456789", max_size=14),
    blank=st.sampled_from(["", " "]),
    unit=st.sampled_from(list(UNITS)),
)
def test_durations_agree_with_decimal_arithmetic(whole: int, fraction: str, blank: str, unit: str) -> None:
    number = f"{whole}.{fraction}" if fraction else str(whole)
    found = parse_duration(f"{number}{blank}{unit}")
    with localcontext() as context:
        context.prec = 80
        exact = Decimal(number) * UNITS[unit]
        faults = {"KIX110"} if exact != exact.to_integral_value() else set()
        if exact > LARGEST:
            faults.add("KIX107")
        if faults:
            assert found in faults
        else:
            assert found == int(exact)


def run(latency: Any = 1, **spec: Any) -> dict[str, Any]:
    timing = {"primaryStatistic": "median", "samples": 1, "latencyNs": {"median": latency}}
    return {"kind": "BenchmarkRun", "spec": {"timing": timing, **spec}}


def normal(value: Any) -> tuple[Any, list[tuple[str, Any]]]:
    found, notes = normalize(KINDS["BenchmarkRun"].manifest, value)
    return found, [(note.rule, note.path) for note in notes]


MEDIAN = ("spec", "timing", "latencyNs", "median")


@pytest.mark.parametrize(
    ("latency", "outcome", "rules"),
    [
        (5, 5, []),
        (5.0, 5, []),
        (-0.0, 0, []),
        (1e15, 10**15, []),
        ("5 us", 5000, []),
        ("64.1 ms", 64_100_000, ["KIX203"]),
        ("1.001 us", 1001, ["KIX203"]),
        ("410.24 us", 410_240, []),
        (5.5, 5.5, ["KIX110"]),
        ("0.5 ns", "0.5 ns", ["KIX110"]),
        ("9007199254740992 ns", "9007199254740992 ns", ["KIX107"]),
        # What is wrong in itself is left to the structure stage.
        ("5", "5", []),
        (None, None, []),
        (True, True, []),
        (1e300, 1e300, []),
        ([], [], []),
        (2**60, 2**60, []),
    ],
)
def test_a_duration_in_a_manifest(latency: Any, outcome: Any, rules: list[str]) -> None:
    found, notes = normal(run(latency))
    result = found["spec"]["timing"]["latencyNs"]["median"]
    assert (result, type(result)) == (outcome, type(outcome))
    assert notes == [(rule, MEDIAN) for rule in rules]


@pytest.mark.parametrize(
    ("number", "outcome"),
    [(3, 3), (3.0, 3), (3.5, 3.5), (-0.0, 0), (1e300, 1e300), (True, True), ("3", "3"), (2**53 - 1.0, 2**53 - 1)],
)
def test_an_integer_may_be_written_as_a_float(number: Any, outcome: Any) -> None:
    value = run()
    value["spec"]["timing"]["samples"] = number
    result = normal(value)[0]["spec"]["timing"]["samples"]
    assert (result, type(result)) == (outcome, type(outcome))


@pytest.mark.parametrize(
    ("number", "outcome"),
    [(3, 3), (3.0, 3.0), (2**53, float(2**53)), (10**300, 1e300), (-(2**60), -float(2**60)), (10**400, 10**400)],
)
def test_a_giant_integer_becomes_the_nearest_double(number: Any, outcome: Any) -> None:
    value = run(sourceNative={"source": "a", "metrics": {"m": number}})
    result = normal(value)[0]["spec"]["sourceNative"]["metrics"]["m"]
    assert (result, type(result)) == (outcome, type(outcome))


def test_a_number_that_may_be_a_text_is_left_alone() -> None:
    value = {"spec": {"sourceNative": {"metrics": {"a": "5 us", "b": 5.0, "c": 2**60}}}}
    found, notes = normalize(KINDS["ServingRun"].manifest, value)
    assert found["spec"]["sourceNative"]["metrics"] == {"a": "5 us", "b": 5.0, "c": float(2**60)}
    assert notes == []


@pytest.mark.parametrize("value", [None, 5, "x", [], {}, {"spec": None}, {"spec": []}, {"spec": {"timing": 5}}])
def test_values_of_any_shape_pass(value: Any) -> None:
    assert normal(value) == (value, [])


def test_the_value_given_is_not_changed() -> None:
    value = run("5 us")
    normal(value)
    assert value == run("5 us")
