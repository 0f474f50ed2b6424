"""A run beyond doubt gets no finding, whatever it holds: the quick look and the rules give one verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelindex_schema.rules import SOUND_RUN, checks_for, subject_of
from kernelindex_schema.rules.doubt import ALWAYS_ASKED, beyond_doubt

times = st.one_of(
    st.sampled_from([0, -1, 1, 199, 200, 408710, 410240, 410241, 411904, 3_600_000_000_000, 3_600_000_000_001]),
    st.sampled_from([410240.0, 410240.5, 0.41024, 1e300]),
)
naturals = st.sampled_from([0, 199, 200, 408710, 410240, 410241, 411904, 3_600_000_000_001])
names = st.sampled_from(["p20", "p50", "p5", "p80", "median", "mean", "min", "maximum", "std", "p99"])
measurements = st.builds(
    lambda metric, unit, statistic, value: {"metric": metric, "unit": unit, "statistic": statistic, "value": value},
    st.sampled_from(["latency", "latency", "latency", "memory", "ttft_ms"]),
    st.sampled_from(["ns", "ns", "ns", "ns", "ms", "bytes"]),
    names,
    times,
)
metrics = st.dictionaries(
    st.sampled_from(["ms_20", "ms_50", "ms_80", "latency_ms", "mean_us", "min_us", "p99_us", "speedup_factor"]),
    st.sampled_from([0, -1.0, 0.40871042, 0.41024, 410.24, 0.411904, 1e300]),
    max_size=4,
)
latencies = st.fixed_dictionaries(
    {"median": naturals},
    optional=dict.fromkeys(("mean", "p05", "p95", "minimum", "maximum", "mad"), naturals)
    | {"confidence95": st.lists(naturals, min_size=2, max_size=2)},
)
sources = st.fixed_dictionaries(
    {"source": st.just("bench")},
    optional={
        "metrics": metrics,
        "externalId": st.sampled_from(["a/2024-09-03-15-40-08", "a/2026-01-31-12-00-00", "a-b", "é", "e\u0301"]),
        "benchmark": st.sampled_from(["rope", "café", "cafe\u0301"]),
    },
)
specs = st.fixed_dictionaries(
    {"status": st.sampled_from(["passed", "passed", "runtime_error", "timeout"])},
    optional={
        "timing": st.builds(
            lambda statistic, latency: {"primaryStatistic": statistic, "latencyNs": latency},
            st.sampled_from(["median", "median", "mean", "p50", "p95"]),
            latencies,
        ),
        "measurements": st.lists(measurements, max_size=3),
        "sourceNative": sources,
        "evidence": st.just({"logs": {"uri": "cafe\u0301", "digest": "sha256:" + "1" * 64}}),
    },
)


def found(desk, run: Any) -> list[str]:
    return [rule.id for rule in checks_for("BenchmarkRun") for _ in rule.check(run, desk.Settings())]


@settings(max_examples=400)
@given(specs)
def test_a_run_beyond_doubt_gets_no_finding(desk, spec: dict[str, Any]) -> None:
    run = desk.manifest("BenchmarkRun", **spec)
    if beyond_doubt(run):
        assert set(found(desk, run)) <= ALWAYS_ASKED


METRICS = {"ms_20": 0.40871042, "ms_50": 0.41024, "ms_80": 0.411904}
near = st.sampled_from([408709, 408710, 408711, 410239, 410240, 410241, 411904, 411905, 0, 410240.5])


@settings(max_examples=400)
@given(
    st.tuples(near, near, near).map(lambda three: [three, sorted(three)]),
    st.sampled_from(["p20", "min", "p05"]),
    st.data(),
)
def test_runs_that_are_nearly_sound(desk, several, low: str, data) -> None:
    p20, median, p80 = data.draw(st.sampled_from(several))
    spec = {
        "status": "passed",
        "timing": {"primaryStatistic": "median", "latencyNs": {"median": int(median)}},
        "measurements": [
            {"metric": "latency", "unit": "ns", "statistic": low, "value": p20},
            {"metric": "latency", "unit": "ns", "statistic": "p80", "value": p80},
        ],
        "sourceNative": {"source": "bench", "metrics": data.draw(st.sampled_from([METRICS, {"ms_50": 0.41024}, {}]))},
    }
    run = desk.manifest("BenchmarkRun", **spec)
    told = found(desk, run)
    # Sound runs are recognised, but for what is unusual.
    assert beyond_doubt(run) == (not told) or isinstance(p20 * p80, float)


SOUND = {"status": "passed", "timing": {"primaryStatistic": "median", "latencyNs": {"median": 410240}}}


@pytest.mark.parametrize(
    "spec",
    [
        SOUND,
        SOUND | {"timing": {"primaryStatistic": "mean", "latencyNs": {"mean": 410240, "minimum": 408710}}},
        SOUND | {"sourceNative": {"source": "bench", "metrics": {"ms_50": 0.41024, "speedup_factor": -1}}},
        SOUND
        | {"measurements": [{"metric": "latency", "unit": "ns", "statistic": "std", "value": 0.5}]}
        | {"sourceNative": {"source": "bench", "externalId": "rope/2026-01-31-12-00-00", "benchmark": "rope/full"}},
        {
            "status": "runtime_error",
            "measurements": [{"metric": "latency", "unit": "ns", "statistic": "p20", "value": 500}],
        },
    ],
)
def test_what_is_beyond_doubt(desk, spec: dict[str, Any]) -> None:
    run = desk.manifest("BenchmarkRun", **spec)
    assert beyond_doubt(run)
    assert subject_of(run) == SOUND_RUN
    assert {rule.id for rule in checks_for(SOUND_RUN)} == ALWAYS_ASKED


def test_the_same_names_with_other_numbers(desk) -> None:
    good = SOUND | {"sourceNative": {"source": "bench", "metrics": {"ms_50": 0.41024}}}
    bad = SOUND | {"sourceNative": {"source": "bench", "metrics": {"ms_50": 0.41025}}}
    assert [beyond_doubt(desk.manifest("BenchmarkRun", **spec)) for spec in (good, bad, good)] == [True, False, True]


def test_other_kinds_are_asked_as_they_are(desk) -> None:
    assert subject_of(desk.manifest("SoftwareProject")) == "SoftwareProject"
