from __future__ import annotations

import pytest

MEDIAN = "spec.timing.latencyNs.median"


def latency(unit: str, value: float = 410, statistic: str = "p20", metric: str = "latency") -> dict[str, object]:
    return {"metric": metric, "unit": unit, "statistic": statistic, "value": value}


@pytest.mark.parametrize("unit", ["us", "ms", "s", "cycles", "nanoseconds"])
def test_a_latency_in_another_unit(desk, run, unit: str) -> None:
    value = run(measurements={"p20": 408710} | {0: latency(unit, statistic="p80")})
    assert desk.told(value) == [("KIX201", "spec.measurements[1].unit")]


def test_the_factor_is_told_where_it_is_known(desk, run) -> None:
    (hit,) = desk.only("KIX201", run(measurements={0: latency("ms")}))
    assert hit.hint == "multiply the value by 1000000 and write unit: ns"
    (hit,) = desk.only("KIX201", run(measurements={0: latency("cycles")}))
    assert hit.hint is None


def test_other_metrics_and_serving_runs_have_their_own_units(desk, run) -> None:
    assert desk.told(run(measurements={0: latency("bytes", metric="memory")})) == []
    serving = desk.manifest("ServingRun", measurements=[latency("ms", 12.5)])
    assert desk.told(serving) == []


@pytest.mark.parametrize("statistic", ["p20", "p5", "p99", "p50", "mean", "min", "maximum"])
def test_a_fraction_of_a_nanosecond(desk, run, statistic: str) -> None:
    value = run(None, {statistic: 410240.5}, timing=None)
    assert desk.told(value) == [("KIX202", "spec.measurements[0].value")]


@pytest.mark.parametrize("statistic", ["std", "mad", "variance", "coefficient_of_variation", "p999"])
def test_a_spread_may_have_a_fraction(desk, run, statistic: str) -> None:
    assert desk.told(run(measurements={statistic: 12.5})) == []


def test_a_whole_double_is_no_fraction(desk, run) -> None:
    assert desk.told(run(measurements={"p80": 411904.0})) == []


@pytest.mark.parametrize(
    ("metric", "unit"),
    [("ttft_ms", "s"), ("ttft_ms", "us"), ("latency_ns", "ms"), ("duration_s", "ms"), ("itl_us", "milliseconds")],
)
def test_a_unit_that_contradicts_the_name(desk, metric: str, unit: str) -> None:
    serving = desk.manifest("ServingRun", measurements=[latency(unit, metric=metric)])
    assert desk.told(serving) == [("KIX204", "spec.measurements[0].unit")]


@pytest.mark.parametrize(
    ("metric", "unit"),
    [
        ("ttft_ms", "ms"),
        ("ttft_ms", "milliseconds"),
        ("ttft", "s"),
        ("tokens_per_s", "tokens_per_second"),
        ("tokens_per_ms", "s"),
        ("gb_s", "gb_per_second"),
        ("requests_s", "ms"),
        ("ttft_ms", "ratio"),
        ("ms", "s"),
        ("time_us_share", "s"),
    ],
)
def test_names_that_may_mean_something_else(desk, metric: str, unit: str) -> None:
    assert desk.told(desk.manifest("ServingRun", measurements=[latency(unit, metric=metric)])) == []


@pytest.mark.parametrize("value", [0, 1, 199, 3_600_000_000_001])
def test_a_latency_that_no_kernel_has(desk, run, value: int) -> None:
    assert desk.told(run({"median": value})) == [("KIX205", MEDIAN)]


@pytest.mark.parametrize("value", [200, 410, 3_600_000_000_000])
def test_the_bounds_are_wide(desk, run, value: int) -> None:
    assert desk.told(run({"median": value})) == []


def test_zero_in_both_places_is_told_where_it_is_recorded(desk, run) -> None:
    value = run({"median": 0}, {"p20": 0, "p80": 0}, {"ms_20": 0.0, "ms_50": 0.0, "ms_80": 0.0})
    assert desk.told(value) == [
        ("KIX205", "spec.measurements[0].value"),
        ("KIX205", "spec.measurements[1].value"),
        ("KIX205", MEDIAN),
    ]


def test_a_negative_measurement(desk, run) -> None:
    assert desk.told(run(measurements={"mean": -1})) == [("KIX205", "spec.measurements[0].value")]


@pytest.mark.parametrize("told", [0, 0.0, -1])
def test_a_source_without_time_where_nothing_is_recorded_of_it(desk, run, told: float) -> None:
    value = run(metrics={"mean_ms": told, "speedup_factor": 0})
    assert desk.told(value) == [("KIX205", "spec.sourceNative.metrics.mean_ms")]
    assert desk.told(run(metrics={"mean_ms": told}, status="runtime_error")) == []


def test_a_spread_of_zero_is_plausible(desk, run) -> None:
    assert desk.told(run({"median": 410240, "mad": 0}, {"std": 0})) == []


def test_one_wrong_number_is_told_once_where_the_kernel_never_ran(desk, run) -> None:
    assert desk.told(run({"median": 0}, status="timeout")) == [("KIX308", "spec.timing")]
