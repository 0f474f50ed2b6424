from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernelindex_schema.rules.telling import told_by

MEDIAN = "spec.timing.latencyNs.median"


@pytest.mark.parametrize(
    ("metric", "statistic", "unit"),
    [
        ("ms_50", "median", "ms"),
        ("ms_20", "p20", "ms"),
        ("ms_5", "p05", "ms"),
        ("ms_05", "p05", "ms"),
        ("latency_ms", None, "ms"),
        ("latency_ns", None, "ns"),
        ("mean_us", "mean", "us"),
        ("median_s", "median", "s"),
        ("min_ms", "minimum", "ms"),
        ("best_us", "minimum", "us"),
        ("max_ns", "maximum", "ns"),
        ("p95_us", "p95", "us"),
        ("p5_ms", "p05", "ms"),
        ("p50_ns", "median", "ns"),
    ],
)
def test_names_of_the_table(metric: str, statistic: str | None, unit: str) -> None:
    told = told_by(metric)
    assert told is not None
    assert (told.statistic, told.unit) == (statistic, unit)


@pytest.mark.parametrize(
    "metric",
    [
        *("ms", "ms_", "ms_0", "ms_00", "ms_100", "ms_999", "ms_50_raw", "us_50", "ns_20", "latency", "p99", "p_ms"),
        *(
            "p0_ms",
            "p999_ms",
            "p99_9_ms",
            "reference_latency_ms",
            "speedup_factor",
            "latency_min",
            "minimum_ms",
            "std_ms",
        ),
        *("latency_minutes", "gflops_s", "total_ms", "mean", "average_ms", "worst_ms"),
    ],
)
def test_names_outside_the_table_are_left_alone(metric: str) -> None:
    assert told_by(metric) is None


def test_a_record_that_agrees(desk, run) -> None:
    metrics = {"ms_20": 0.40871042013168335, "ms_50": 0.4102399945259094, "ms_80": 0.4119040071964264}
    assert desk.told(run({"median": 410240}, {"p20": 408710, "p80": 411904}, metrics)) == []


@pytest.mark.parametrize(
    ("median", "metric", "value", "message"),
    [
        (410, "ms_50", 0.41024, "410 ns, its source says ms_50 = 0.41024 ms (410240 ns)"),
        (410240, "ms_50", 0.00041024, "410240 ns, its source says ms_50 = 0.00041024 ms (410.24 ns)"),
        (410240, "ms_50", 410.24, "410240 ns, its source says ms_50 = 410.24 ms (410240000 ns)"),
        (410240, "median_us", 410.241, "410240 ns, its source says median_us = 410.241 us (410241 ns)"),
        (410240, "latency_s", 0.00041, "410240 ns, its source says latency_s = 0.00041 s (410000 ns)"),
        (410240, "latency_ns", 410241, "410240 ns, its source says latency_ns = 410241 ns (410241 ns)"),
        (410240, "ms_50", -1.0, "410240 ns, its source says ms_50 = -1 ms (-1000000 ns)"),
        (0, "ms_50", 0.41024, "0 ns, its source says ms_50 = 0.41024 ms (410240 ns)"),
    ],
)
def test_a_record_that_disagrees(desk, run, median: int, metric: str, value: float, message: str) -> None:
    (hit,) = desk.only("KIX401", run({"median": median}, metrics={metric: value}))
    assert f"{MEDIAN} is {message}" in desk.messages(run({"median": median}, metrics={metric: value}))
    assert hit.path == ("spec", "timing", "latencyNs", "median")


def test_the_hint_of_the_common_slip(desk, run) -> None:
    (hit,) = desk.only("KIX401", run({"median": 410}, metrics={"ms_50": 0.41024}))
    assert hit.hint == "latencyNs counts nanoseconds; multiply milliseconds by 1000000"
    (hit,) = desk.only("KIX401", run(measurements={"p20": 408}, metrics={"p20_us": 408.7}))
    assert hit.hint == "unit: ns counts nanoseconds; multiply microseconds by 1000"
    (hit,) = desk.only("KIX401", run({"median": 0}, metrics={"ms_50": 0.41024}))
    assert hit.hint is not None
    for other in (410250, 810240, 410240000):
        (hit,) = desk.only("KIX401", run({"median": other}, metrics={"ms_50": 0.41024}))
        assert hit.hint is None


@pytest.mark.parametrize(
    ("recorded", "told", "apart"),
    [
        (410240, "0.4102409", False),
        (410240, "0.410241", True),
        (410240, "0.4102391", False),
        (410240, "0.410239", True),
        (410240, "0.41023900000001", False),
        (900719925474099, "900719925.474099", False),
        (900719925474099, "900719925.4741", True),
        (46832813, "46.8328125", False),
        (46832812, "46.8328125", False),
        (1, "5e-324", False),
        (0, "1e-300", False),
        (5, "1e300", True),
    ],
)
def test_one_nanosecond_is_the_bound(desk, run, recorded: int, told: str, apart: bool) -> None:
    hits = desk.only("KIX401", run({"median": recorded}, metrics={"ms_50": float(told)}))
    assert len(hits) == apart


FACTORS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
units = st.sampled_from(sorted(FACTORS))
sizes = st.floats(min_value=1e-9, max_value=9e6, allow_nan=False)


@given(sizes, units, st.sampled_from([math.floor, math.ceil, round]))
def test_rounding_and_truncation_are_honest(desk, run, told: float, unit: str, rounded) -> None:
    exact = Decimal(repr(told)) * FACTORS[unit]
    assume(exact < 2**53 - 1)
    value = run({"median": int(rounded(exact))}, metrics={f"median_{unit}": told})
    assert desk.only("KIX401", value) == []


@given(st.floats(min_value=1e-6, max_value=9e6), st.sampled_from([int, round, lambda x: math.floor(x + 0.5)]))
def test_the_usual_conversion_in_doubles_is_honest(desk, run, ms: float, rounded) -> None:
    value = run({"median": rounded(ms * 1e6)}, metrics={"ms_50": ms})
    assert desk.only("KIX401", value) == []


@given(st.integers(0, 2**53 - 1), sizes, units)
def test_the_quick_look_agrees_with_decimal_arithmetic(desk, run, recorded: int, told: float, unit: str) -> None:
    value = run({"median": recorded}, metrics={f"median_{unit}": told})
    apart = abs(Decimal(recorded) - Decimal(repr(told)) * FACTORS[unit]) >= 1
    assert len(desk.only("KIX401", value)) == apart


@given(st.integers(200, 10**12), st.integers(-3, 3), st.integers(0, 9))
def test_near_the_bound(desk, run, recorded: int, off: int, tenths: int) -> None:
    told = float(f"{recorded + off}.{tenths}")
    apart = abs(Decimal(recorded) - Decimal(repr(told))) >= 1
    assert len(desk.only("KIX401", run({"median": recorded}, metrics={"median_ns": told}))) == apart


def test_each_figure_is_told_once(desk, run) -> None:
    value = run({"median": 410}, {"p50": 410}, {"ms_50": 0.41024, "median_us": 410.24})
    assert [hit.path[1] for hit in desk.only("KIX401", value)] == ["timing", "measurements"]


def test_the_primary_statistic_is_the_runs_own(desk, run) -> None:
    timing = {"primaryStatistic": "mean", "latencyNs": {"mean": 163646, "median": 5}}
    assert desk.only("KIX401", run(timing=timing, metrics={"latency_ms": 0.163646, "reference_latency_ms": 3.3})) == []
    assert desk.only("KIX401", run(timing=None, measurements={"median": 5}, metrics={"latency_ms": 0.163646})) == []


def test_a_figure_in_another_unit_is_left_to_its_rule(desk, run) -> None:
    p20 = {"metric": "latency", "unit": "ms", "statistic": "p20", "value": 0.40871}
    value = run(measurements={0: p20}, metrics={"ms_20": 0.40871042, "ms_50": 0.41024})
    assert desk.told(value) == [("KIX201", "spec.measurements[0].unit")]


METRIC = "spec.sourceNative.metrics."


@pytest.mark.parametrize(
    ("latency", "measurements", "metrics", "places"),
    [
        ({"median": 600}, {}, {"ms_50": 0.0006, "ms_80": 0.0007}, [METRIC + "ms_80"]),
        ({"median": 600}, {}, {"p95_us": 0.7}, [METRIC + "p95_us", MEDIAN]),
        ({"median": 600}, {"p20": 500}, {"ms_50": 0.0006}, ["spec.measurements[0].value"]),
        ({"median": 600, "p95": 700}, {"p20": 500}, {"ms_20": 0.0005, "median_us": 0.6}, ["spec.timing.latencyNs.p95"]),
        ({"mean": 600}, {}, {"ms_50": 0.0006}, [METRIC + "ms_50"]),
    ],
)
def test_a_quantile_on_one_side(desk, run, latency, measurements, metrics, places: list[str]) -> None:
    hits = desk.only("KIX402", run(latency, measurements, metrics))
    assert sorted(".".join(map(str, hit.path)).replace(".0.", "[0].") for hit in hits) == sorted(places)


@pytest.mark.parametrize(
    ("latency", "measurements", "metrics"),
    [
        ({"median": 600, "p05": 500, "p95": 700}, {}, {"median_us": 0.6}),
        ({"mean": 600}, {}, {"mean_us": 0.6, "median_us": 0.5, "min_us": 0.4, "max_us": 9}),
        ({"median": 600, "minimum": 5, "maximum": 900}, {}, {"ms_50": 0.0006}),
        ({"median": 600, "mean": 601}, {}, {"ms_50": 0.0006}),
        ({"mean": 163646}, {}, {"latency_ms": 0.163646}),
        ({"median": 600}, {"p80": 700, "std": 4}, {"ms_50": 0.0006, "p80_us": 0.7}),
    ],
)
def test_sources_that_are_held_to_nothing(desk, run, latency, measurements, metrics) -> None:
    assert desk.only("KIX402", run(latency, measurements, metrics)) == []


def test_a_run_that_records_no_latency(desk, run) -> None:
    assert desk.told(run(timing=None, status="runtime_error", metrics={"ms_50": 0.4, "ms_80": 0.5})) == []


def dated(desk, external_id: str, observed: str = "2024-09-03T15:40:08.000Z"):
    source = {"source": "liger-kernel-bench", "externalId": external_id}
    return desk.manifest("BenchmarkRun", sourceNative=source, observedAt=observed)


@pytest.mark.parametrize(
    ("external_id", "observed"),
    [
        ("rope/backward/liger/2024-09-03-15-40-08", "2024-09-04T15:40:08Z"),
        ("rope/backward/liger/2024-09-03-15-40-08", "2026-01-31T12:00:00Z"),
        ("rope-2024-09-03T15:40:08", "2024-09-04T12:00Z"),
        ("rope/2024-09-03", "2024-09-05T00:00:00Z"),
        ("2024-09-03", "2025-09-03T00:00:00.123456Z"),
    ],
)
def test_a_date_that_disagrees(desk, external_id: str, observed: str) -> None:
    assert desk.told(dated(desk, external_id, observed)) == [("KIX403", "spec.sourceNative.externalId")]


@pytest.mark.parametrize(
    ("external_id", "observed"),
    [
        ("rope/2024-09-03-15-40-08", "2024-09-03T15:40:08.000Z"),
        ("rope/2024-09-03-15-40-08", "2024-09-04T05:40:08Z"),
        ("rope/2024-09-03", "2024-09-04T23:59:59Z"),
        ("gpt-4o-2024-08-06/rope/triton", "2026-01-31T12:00:00Z"),
        ("claude-2024-10-22", "2026-01-31T12:00:00Z"),
        ("rope/2024-09-03/2024-10-03", "2026-01-31T12:00:00Z"),
        ("rope/2024-13-45", "2026-01-31T12:00:00Z"),
        ("rope/2024-09-03-25-61-61", "2026-01-31T12:00:00Z"),
        ("12024-09-031", "2026-01-31T12:00:00Z"),
        ("rope/20240903", "2026-01-31T12:00:00Z"),
        ("rope/2024-09-03", "0000-01-31T12:00:00Z"),
        ("", "2026-01-31T12:00:00Z"),
    ],
)
def test_dates_that_prove_nothing(desk, external_id: str, observed: str) -> None:
    assert desk.told(dated(desk, external_id, observed)) == []
