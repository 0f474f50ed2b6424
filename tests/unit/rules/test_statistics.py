from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PRIMARY = "spec.timing.primaryStatistic"
BOTH = frozenset({"mean", "median"})


def timing(statistic: str, **latency: Any) -> dict[str, Any]:
    return {"primaryStatistic": statistic, "latencyNs": latency}


def test_another_primary_statistic(desk, run) -> None:
    mean = run(timing=timing("mean", mean=411020))
    assert desk.told(mean) == [("KIX301", PRIMARY)]
    assert desk.told(mean, primary_statistics=BOTH) == []
    assert desk.messages(mean) == [f"{PRIMARY} is mean, where median is accepted"]


def test_an_alias_is_another_name(desk, run) -> None:
    assert desk.told(run(timing=timing("p50", median=410240))) == [("KIX301", PRIMARY)]


def test_a_figure_that_is_not_there(desk, run) -> None:
    assert desk.told(run(timing=timing("median", mean=411020, mad=5))) == [("KIX302", PRIMARY)]
    message = f"{PRIMARY} is median, but latencyNs has only mean, mad"
    assert desk.messages(run(timing=timing("median", mean=411020, mad=5))) == [message]


def test_an_accepted_statistic_that_latency_cannot_hold(desk, run) -> None:
    value = run(timing=timing("trimmed_mean", median=410240))
    assert desk.told(value, primary_statistics=frozenset({"trimmed_mean"})) == [("KIX302", PRIMARY)]
    assert desk.told(run(timing=timing("p50", median=410240)), primary_statistics=frozenset({"p50"})) == []


def test_a_run_against_its_protocol(desk) -> None:
    spec = {"status": "passed", "timing": timing("median", median=410240)}
    record = desk.whole(
        {
            "run": {"spec": spec},
            "protocol": {"spec": {"measurement": {"timer": "cuda_events", "primaryStatistic": "mean"}}},
        }
    )
    assert desk.told(record, primary_statistics=BOTH) == [("KIX303", f"run.{PRIMARY}")]
    # The protocol's statistic is the fault; that the run's differs only follows.
    assert desk.told(record) == [("KIX301", "protocol.spec.measurement.primaryStatistic")]


def test_a_run_without_timing_has_no_statistic(desk) -> None:
    assert desk.told(desk.whole({"run": {}})) == []


ORDERED = {"minimum": 400, "p05": 500, "median": 600, "p95": 700, "maximum": 800}


def test_a_run_in_order(desk, run) -> None:
    assert desk.told(run(ORDERED | {"mean": 610}, {"p20": 550, "p80": 650, "p1": 450, "p99": 750, "std": 12.5})) == []
    assert desk.told(run(dict.fromkeys(ORDERED, 600) | {"mean": 600}, {"p20": 600, "p80": 600, "p50": 600})) == []


@pytest.mark.parametrize(
    ("latency", "measurements", "places"),
    [
        ({"minimum": 700, "median": 600}, {}, [f"{PRIMARY[:11]}.latencyNs.median"]),
        ({"median": 600, "maximum": 599}, {}, ["spec.timing.latencyNs.maximum"]),
        ({"p05": 650, "median": 600, "p95": 640}, {}, ["spec.timing.latencyNs.median"]),
        ({"p05": 650, "p95": 640, "median": 645}, {}, ["spec.timing.latencyNs.median", "spec.timing.latencyNs.p95"]),
        ({"median": 600}, {"p20": 601}, ["spec.timing.latencyNs.median"]),
        ({"median": 600}, {"p80": 599}, ["spec.measurements[0].value"]),
        ({"median": 600}, {"p95": 650, "p99": 640}, ["spec.measurements[1].value"]),
        ({"median": 600}, {"max": 599}, ["spec.measurements[0].value"]),
        ({"median": 600}, {"p50": 610}, ["spec.measurements[0].value"]),
        ({"median": 600}, {"min": 500, "p5": 450}, ["spec.measurements[1].value"]),
        ({"median": 600, "mean": 390, "minimum": 400}, {}, ["spec.timing.latencyNs.mean"]),
        ({"median": 600, "mean": 810, "maximum": 800}, {}, ["spec.timing.latencyNs.mean"]),
    ],
)
def test_figures_that_contradict_each_other(desk, run, latency, measurements, places: list[str]) -> None:
    assert desk.told(run(latency, measurements)) == [("KIX304", place) for place in sorted(places)]


def test_one_figure_out_of_order_among_present_neighbours(desk, run) -> None:
    # One displaced figure between two neighbours breaks one of the two pairs.
    assert len(desk.only("KIX304", run({"minimum": 400, "median": 300, "maximum": 800}))) == 1


def test_the_message_names_both(desk, run) -> None:
    (message,) = desk.messages(run({"median": 600, "minimum": 700}))
    assert message == "spec.timing.latencyNs.median is 600 ns, where the median must be at least the minimum of 700 ns"


@pytest.mark.parametrize(
    ("latency", "measurements"),
    [
        ({"median": 600}, {"std": 900}),
        ({"median": 600, "mad": 900}, {}),
        ({"median": 600, "mean": 5000, "p95": 700}, {}),
        ({"median": 600, "mean": 401, "minimum": 402}, {}),
        ({"median": 600}, {"p50": 600.4}),
        ({"median": 600}, {"p999": 500, "p99_9": 500, "iqr": 300}),
    ],
)
def test_what_proves_nothing(desk, run, latency, measurements) -> None:
    assert desk.only("KIX304", run(latency, measurements)) == []


def test_other_metrics_are_not_ordered(desk, run) -> None:
    value = run(measurements={0: {"metric": "host_latency", "unit": "ns", "statistic": "p80", "value": 300}})
    assert desk.told(value) == []


@pytest.mark.parametrize(("interval", "told"), [([5, 4], 1), ([4, 4], 0), ([4, 5], 0)])
def test_an_interval_the_wrong_way_round(desk, run, interval, told: int) -> None:
    value = run({"median": 600, "confidence95": interval})
    assert desk.told(value) == [("KIX305", "spec.timing.latencyNs.confidence95")] * told


def test_a_measurement_that_stands_there_twice(desk, run) -> None:
    one = {"metric": "memory", "unit": "bytes", "statistic": "maximum", "value": 1}
    assert desk.told(run(measurements={0: one, 1: one | {"unit": "mib"}})) == [("KIX306", "spec.measurements[1]")]
    assert desk.told(run(measurements={0: one, 1: one | {"statistic": "mean"}, 2: one | {"metric": "power"}})) == []
    assert len(desk.only("KIX306", run(measurements={0: one, 1: one, 2: one}))) == 2
    assert desk.told(desk.manifest("ServingRun", measurements=[one, one])) == [("KIX306", "spec.measurements[1]")]


def test_a_passed_run_needs_a_figure(desk, run) -> None:
    assert desk.told(run(timing=None)) == [("KIX307", "spec.status")]
    assert desk.told(run(timing=None, measurements={})) == [("KIX307", "spec.status")]
    assert desk.told(run(timing=None, measurements={"p20": 408710})) == []
    assert desk.told(run(timing=None, status="runtime_error")) == []


@pytest.mark.parametrize("status", ["compile_error", "timeout", "resource_exceeded"])
def test_a_latency_of_what_never_ran(desk, run, status: str) -> None:
    assert desk.told(run(status=status)) == [("KIX308", "spec.timing")]
    assert desk.told(run(status=status, timing=None, measurements={"p20": 5000})) == [
        ("KIX308", "spec.measurements[0]")
    ]
    memory = {"metric": "memory", "unit": "bytes", "statistic": "maximum", "value": 1}
    assert desk.told(run(status=status, timing=None, measurements={0: memory})) == []


@pytest.mark.parametrize("status", ["incorrect_numerical", "runtime_error", "revoked", "suspected_reward_hack"])
def test_other_runs_may_have_been_timed(desk, run: Callable[..., Any], status: str) -> None:
    assert desk.told(run(status=status)) == []
