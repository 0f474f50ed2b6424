"""KIX2: units, and numbers that no unit can explain."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from msgspec import UNSET

from kernelindex_schema.findings import Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule, text_rule
from kernelindex_schema.rules.figures import NEVER_RAN, latency_figures, plain
from kernelindex_schema.rules.telling import TIME_UNITS, told_by
from kernelindex_schema.v1alpha1 import BenchmarkRun, ServingRun

SHORTEST_NS = 200
"""No kernel is faster: an empty one takes 600 ns and more from start to end on the GPUs of today."""

LONGEST_NS = 3_600_000_000_000
"""No kernel is slower than an hour: harnesses give up after minutes."""

_SPELLINGS = {
    "ns": ("ns", "nsec", "nanosecond", "nanoseconds"),
    "us": ("us", "usec", "microsecond", "microseconds"),
    "ms": ("ms", "msec", "millisecond", "milliseconds"),
    "s": ("s", "sec", "second", "seconds"),
    "min": ("min", "minute", "minutes"),
}
_UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings}


@rule(
    "KIX201",
    "latency-not-in-ns",
    Severity.ERROR,
    on="BenchmarkRun",
    message="{path} is {unit}, where a latency is recorded in ns",
    hint="convert the value to nanoseconds and write unit: ns",
    source="design, Rules; contract, BenchmarkRun",
)
def latency_not_in_ns(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A measurement of metric ``latency`` in a BenchmarkRun has another unit than ``ns``.

    Why: latencies are compared number by number. In another unit a figure ranks a thousand or a million places off, and
    ``ms`` beside ``latencyNs`` cannot be compared at all. (Serving runs count milliseconds by design.)

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      measurements:
        - {metric: latency, statistic: p20, unit: ms, value: 0.40871}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      measurements:
        - {metric: latency, statistic: p20, unit: ns, value: 408710}
    ```
    """
    measurements = run.spec.measurements
    if measurements is UNSET:
        return
    for index, measurement in enumerate(measurements):
        if measurement.metric == "latency" and measurement.unit != "ns":
            place = ("spec", "measurements", index)
            hint = None
            if (unit := _UNITS.get(measurement.unit)) in TIME_UNITS:
                hint = (
                    f"multiply the value by {TIME_UNITS[unit]} and write unit: ns" if unit != "ns" else "write unit: ns"
                )
            yield hit(*place, "unit", about=(place,), hint=hint, unit=measurement.unit)


@rule(
    "KIX202",
    "latency-not-whole-ns",
    Severity.ERROR,
    on="BenchmarkRun",
    message="{path} is {value}, where a latency is a whole number of ns",
    hint="round to whole nanoseconds; a value below 1000 is likely in another unit",
    source="design, Rules; contract, Primitive types (durationNs)",
)
def latency_not_whole_ns(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A latency in ns has a fraction: a quantile, median, mean, minimum or maximum. A spread such as std may have one.

    Why: no timer resolves less than a nanosecond. A fraction shows that the number is still in another unit, or that
    digits were written which nobody measured.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      measurements:
        - {metric: latency, statistic: p20, unit: ns, value: 408710.42}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      measurements:
        - {metric: latency, statistic: p20, unit: ns, value: 408710}
        - {metric: latency, statistic: std, unit: ns, value: 512.75}
    ```
    """
    measurements = run.spec.measurements
    if measurements is UNSET or not any(type(measurement.value) is float for measurement in measurements):
        return
    for figure in latency_figures(run).all:
        value = figure.value
        if type(value) is float and not value.is_integer() and figure.unit == "ns" and figure.in_whole_ns:
            yield hit(*figure.path, about=(figure.place,), value=plain(value))


unportable_duration = text_rule(
    "KIX203",
    "unportable-duration",
    Severity.WARNING,
    """A duration text is a whole number of nanoseconds exactly, but not in the registry's arithmetic, which refuses it.

    Why: the registry multiplies in binary floating point, where 521.05 times 1000 is no whole number. The record is
    sound, but cannot be submitted as it is written.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      timing:
        primaryStatistic: median
        latencyNs: {median: 521.05 us}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      timing:
        primaryStatistic: median
        latencyNs: {median: 521050}
    ```
    """,
    hint="write the integer of nanoseconds",
    source="edge cases, Durations",
)


@functools.lru_cache(maxsize=512)
def _unit_in_name(metric: str) -> str | None:
    """The unit of time that a metric's name ends in, where that can be nothing else."""
    name, _, suffix = metric.rpartition("_")
    # `tokens_per_s` and `tokens_s` are rates; a bare `s` counts only after a name that is known to be a time.
    if not name or name.endswith("per") or suffix not in TIME_UNITS:
        return None
    if suffix == "s" and not name.endswith(("latency", "ttft", "tpot", "itl", "duration", "time")):
        return None
    return suffix


@rule(
    "KIX204",
    "unit-contradicts-metric",
    Severity.WARNING,
    on=("BenchmarkRun", "ServingRun"),
    message="{path} is {unit}, but the metric {metric} counts {wanted}",
    hint="one of the two is wrong: correct the unit, or the metric's name",
    source="design, Rules",
)
def unit_contradicts_metric(run: BenchmarkRun | ServingRun, context: Context) -> Iterator[Hit]:
    """A metric whose name ends in one unit of time is recorded in another.

    Why: a reader who trusts the name is off by a factor of a thousand.

    Bad:
    ```yaml
    kind: ServingRun
    spec:
      measurements:
        - {metric: ttft_ms, statistic: p99, unit: s, value: 1.25}
    ```

    Good:
    ```yaml
    kind: ServingRun
    spec:
      measurements:
        - {metric: ttft_ms, statistic: p99, unit: ms, value: 1250}
    ```
    """
    measurements = run.spec.measurements
    if measurements is UNSET:
        return
    for index, measurement in enumerate(measurements):
        wanted = _unit_in_name(measurement.metric)
        if wanted is not None and _UNITS.get(measurement.unit, wanted) != wanted:
            yield hit(
                *("spec", "measurements", index, "unit"),
                unit=measurement.unit,
                metric=measurement.metric,
                wanted=wanted,
            )


@rule(
    "KIX205",
    "implausible-latency",
    Severity.WARNING,
    on="BenchmarkRun",
    message="{path} is {value} {unit}, {reason}",
    hint="leave out what was not timed; else see whether the number is in another unit",
    source="design, Rules; reported: 0.0 or -1 filed for what was never timed",
)
def implausible_latency(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A latency is 0 or negative, below 200 ns, or above an hour; or the source of a passed run tells one of 0 or less.

    Why: 0 and -1 are what tools file for what was never timed, and a ratio to 0 has no value. The bounds are wide: no
    launch of a kernel takes less than 200 ns, and no harness waits an hour for one.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 0}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240}
    ```
    """
    if run.spec.status not in NEVER_RAN:  # KIX308 tells a latency of a run that never ran
        for figure in latency_figures(run).all:
            value = figure.value
            if SHORTEST_NS <= value <= LONGEST_NS or figure.unit != "ns":
                continue
            # A fraction is KIX202's, a spread may be anything.
            if figure.in_whole_ns and value == int(value):
                reason = _reason(value)
                yield hit(*figure.path, about=(figure.place,), value=plain(value), unit="ns", reason=reason)
    source = run.spec.source_native
    if run.spec.status == "passed" and source is not UNSET and source.metrics and min(source.metrics.values()) <= 0:
        yield from _source_without_time(run, source.metrics)


def _reason(value: int | float) -> str:
    if value <= 0:
        return "which no kernel can take"
    if value < SHORTEST_NS:
        return f"less than the launch of a kernel takes ({SHORTEST_NS} ns and more)"
    return "more than an hour"


def _source_without_time(run: BenchmarkRun, metrics: Mapping[str, int | float]) -> Iterator[Hit]:
    """Times of 0 or less in the source's metrics, where no recorded figure tells the same."""
    recorded = latency_figures(run).by_statistic
    for name, value in metrics.items():
        # A recorded figure of it either is 0 or less as well, or disagrees (KIX401).
        if value <= 0 and (told := told_by(name)) is not None and told.statistic_for(run) not in recorded:
            path = ("spec", "sourceNative", "metrics", name)
            yield hit(*path, value=plain(value), unit=told.unit, reason="which no kernel can take")
