"""KIX3: which figures a run rests on, and whether they can belong together."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator

from msgspec import UNSET

from kernelindex_schema.findings import Path, Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.rules.figures import NEVER_RAN, Figure, canonical_statistic, latency_figures, plain
from kernelindex_schema.v1alpha1 import BenchmarkProtocol, BenchmarkRun, Record, ServingRun

_BY_RANK = operator.attrgetter("rank")
_OF_RUN = ("spec", "timing", "primaryStatistic")
_OF_PROTOCOL = ("spec", "measurement", "primaryStatistic")


@rule(
    "KIX301",
    "primary-statistic-not-median",
    Severity.ERROR,
    on=("BenchmarkRun", "BenchmarkProtocol"),
    message="{path} is {statistic}, where {allowed} is accepted",
    hint="rest on the median, or name the statistics that your project accepts in the setting primary-statistics",
    source="design, Rules and Command (setting primary-statistics)",
)
def primary_statistic_not_median(manifest: BenchmarkRun | BenchmarkProtocol, context: Context) -> Iterator[Hit]:
    """A run or a protocol rests on a statistic other than the median, or than those that the project's settings accept.

    Why: a mean moves with a single slow sample, so results that rest on different statistics cannot be ranked together.

    Bad:
    ```yaml
    kind: BenchmarkProtocol
    spec:
      measurement: {timer: cuda_events, primaryStatistic: mean}
    ```

    Good:
    ```yaml
    kind: BenchmarkProtocol
    spec:
      measurement: {timer: cuda_events, primaryStatistic: median}
    ```
    """
    path: Path
    if isinstance(manifest, BenchmarkRun):
        if manifest.spec.timing is UNSET:
            return
        statistic, path = manifest.spec.timing.primary_statistic, _OF_RUN
    else:
        statistic, path = manifest.spec.measurement.primary_statistic, _OF_PROTOCOL
    if statistic not in context.primary_statistics:
        yield hit(*path, statistic=statistic, allowed=" or ".join(sorted(context.primary_statistics)))


@rule(
    "KIX302",
    "primary-statistic-absent",
    Severity.ERROR,
    on="BenchmarkRun",
    message="{path} is {statistic}, but latencyNs has only {present}",
    hint="record that figure, or name one that is there",
    source="contract, BenchmarkRun",
)
def primary_statistic_absent(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A run names a primary statistic that its ``latencyNs`` does not hold.

    Why: the named figure is the one that a registry ranks; another in its place would be ranked under its name.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {mean: 411020}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {mean: 411020, median: 410240}
    ```
    """
    timing = run.spec.timing
    if timing is UNSET:
        return
    statistic = canonical_statistic(timing.primary_statistic)
    latency = timing.latency_ns
    if statistic not in latency.__struct_fields__ or getattr(latency, statistic) is UNSET:
        present = [name for name in latency.__struct_fields__ if getattr(latency, name) is not UNSET]
        yield hit(*_OF_RUN, statistic=timing.primary_statistic, present=", ".join(present))


@rule(
    "KIX303",
    "primary-statistic-disagrees",
    Severity.ERROR,
    on="record",
    message="{path} is {statistic}, but the protocol beside it measures by {wanted}",
    hint="the run follows its protocol: name the same statistic in both",
    source="design, Rules",
)
def primary_statistic_disagrees(record: Record, context: Context) -> Iterator[Hit]:
    """A run rests on another statistic than its protocol states.

    Why: the protocol is what makes two timings mean the same; a run that departs from it cannot stand beside others.
    (Where only one statistic is accepted, KIX301 tells the fault.)

    Bad:
    ```yaml primary-statistics=mean,median
    run:
      spec:
        status: passed
        timing:
          primaryStatistic: mean
          latencyNs: {mean: 411020, median: 410240}
    protocol:
      spec:
        measurement: {timer: cuda_events, primaryStatistic: median}
    ```

    Good:
    ```yaml primary-statistics=mean,median
    run:
      spec:
        status: passed
        timing:
          primaryStatistic: median
          latencyNs: {mean: 411020, median: 410240}
    protocol:
      spec:
        measurement: {timer: cuda_events, primaryStatistic: median}
    ```
    """
    timing = record.run.spec.timing
    if timing is UNSET:
        return
    statistic = timing.primary_statistic
    wanted = record.protocol.spec.measurement.primary_statistic
    if statistic != wanted and canonical_statistic(statistic) != canonical_statistic(wanted):
        here, there = ("run", *_OF_RUN), ("protocol", *_OF_PROTOCOL)
        yield hit(*here, about=(here, there), related=((there, "the protocol's"),), statistic=statistic, wanted=wanted)


@rule(
    "KIX304",
    "statistics-out-of-order",
    Severity.ERROR,
    on="BenchmarkRun",
    message="{path} is {value} ns, where the {statistic} must be {relation} {other} ns",
    hint="see which of the two is wrong; they may have been swapped, or be in different units",
    source="design, Rules; reported: p50 above p75 by a mix-up",
)
def statistics_out_of_order(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """Two figures of one run contradict each other: minimum ≤ p05 ≤ p20 ≤ median ≤ p80 ≤ p95 ≤ maximum does not hold.

    Why: no set of samples has such figures, so at least one is not what its name says. Compared are neighbours among
    the figures that are there, over ``latencyNs`` and the measurements of metric ``latency`` in ns; the mean lies
    between minimum and maximum, and a figure that is given twice has one value.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240, p95: 405000}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240, p95: 415000}
    ```
    """
    figures = latency_figures(run).all
    if len(figures) < 2:
        return
    ordered = [figure for figure in figures if figure.rank is not None and figure.unit == "ns"]
    # The sort is stable: a figure of latencyNs stands before the measurement of the same name.
    ordered.sort(key=_BY_RANK)
    blamed = []
    for lower, upper in itertools.pairwise(ordered):
        if lower.rank == upper.rank:
            if abs(lower.value - upper.value) >= 1:
                blamed += [lower, upper]
                yield _contradiction(upper, lower, "the same everywhere, and it is also given as")
        elif lower.value > upper.value:
            blamed += [lower, upper]
            yield _contradiction(upper, lower, f"at least the {lower.statistic} of")
    for mean in latency_figures(run).by_statistic.get("mean", ()):
        if mean.unit != "ns" or not ordered:
            continue
        for bound, sign, relation in ((ordered[0], 1, "at least"), (ordered[-1], -1, "at most")):
            # Its bounds may have been rounded another way than the mean itself.
            apart = (bound.value - mean.value) * sign > 1
            if apart and bound.statistic in ("minimum", "maximum") and bound not in blamed:
                yield _contradiction(mean, bound, f"{relation} the {bound.statistic} of")


def _contradiction(figure: Figure, other: Figure, relation: str) -> Hit:
    return hit(
        *figure.path,
        about=(figure.place, other.place),
        related=((other.path, f"the {other.statistic}"),),
        value=plain(figure.value),
        statistic=figure.statistic,
        relation=relation,
        other=plain(other.value),
    )


@rule(
    "KIX305",
    "inverted-interval",
    Severity.ERROR,
    on="BenchmarkRun",
    message="{path} runs from {low} down to {high} ns",
    hint="write the lower bound first",
    source="contract, BenchmarkRun (latency)",
)
def inverted_interval(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """The lower bound of ``confidence95`` is above the upper one.

    Why: a reader who takes the first as the lower bound finds an empty interval.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240, confidence95: [411900, 408700]}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240, confidence95: [408700, 411900]}
    ```
    """
    timing = run.spec.timing
    if timing is UNSET or timing.latency_ns.confidence95 is UNSET:
        return
    low, high = timing.latency_ns.confidence95
    if low > high:
        yield hit("spec", "timing", "latencyNs", "confidence95", low=low, high=high)


@rule(
    "KIX306",
    "repeated-measurement",
    Severity.ERROR,
    on=("BenchmarkRun", "ServingRun"),
    message="{path} gives the {statistic} of {metric} again, after measurements[{first}]",
    hint="keep one of the two",
    source="design, Rules",
)
def repeated_measurement(run: BenchmarkRun | ServingRun, context: Context) -> Iterator[Hit]:
    """Two measurements of one run have the same metric and the same statistic.

    Why: a reader takes one of the two, and which one is chance.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      measurements:
        - {metric: memory, statistic: maximum, unit: bytes, value: 1048576}
        - {metric: memory, statistic: maximum, unit: bytes, value: 2097152}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      measurements:
        - {metric: memory, statistic: median, unit: bytes, value: 1048576}
        - {metric: memory, statistic: maximum, unit: bytes, value: 2097152}
    ```
    """
    measurements = run.spec.measurements
    if measurements is UNSET or len(measurements) < 2:
        return
    seen: dict[tuple[str, str], int] = {}
    for index, measurement in enumerate(measurements):
        first = seen.setdefault((measurement.metric, measurement.statistic), index)
        if first != index:
            yield hit(
                *("spec", "measurements", index),
                related=((("spec", "measurements", first), "the first"),),
                metric=measurement.metric,
                statistic=measurement.statistic,
                first=first,
            )


@rule(
    "KIX307",
    "passed-without-figure",
    Severity.ERROR,
    on="BenchmarkRun",
    message="{path} is passed, but the run has neither timing nor measurements",
    hint="add the figures, or state incomplete_evidence",
    source="comparison, Primary figure",
)
def passed_without_figure(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A passed run has neither timing nor a measurement.

    Why: it has no primary figure, so no registry can publish it.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
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
    spec = run.spec
    if spec.timing is UNSET and not spec.measurements and spec.status == "passed":
        yield hit("spec", "status")


@rule(
    "KIX308",
    "timing-of-a-run-that-never-ran",
    Severity.WARNING,
    on="BenchmarkRun",
    message="{path} gives a latency, but the status is {status}",
    hint="leave the latency out, or correct the status",
    source="design, Rules",
)
def timing_of_a_run_that_never_ran(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A run that failed to compile, timed out or ran out of resources has a latency.

    Why: nothing ran to its end, so the figure is of something else: a placeholder, a limit, or an earlier run.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: compile_error
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: compile_error
    ```
    """
    spec = run.spec
    if spec.status not in NEVER_RAN:
        return
    if spec.timing is not UNSET:
        yield hit("spec", "timing", status=spec.status)
    elif figures := latency_figures(run).all:
        yield hit(*figures[0].place, status=spec.status)
