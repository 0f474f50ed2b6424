"""KIX4: a run against what its source says of itself."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET

from kernelindex_schema.findings import Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.rules.figures import Figure, canonical_statistic, is_quantile, latency_figures, plain
from kernelindex_schema.rules.telling import UNIT_WORDS, Told, told_by
from kernelindex_schema.v1alpha1 import BenchmarkRun

if TYPE_CHECKING:
    from decimal import Decimal

_EXACT_ENOUGH = 10**14
"""Nanoseconds up to which a product of doubles lies within 0.02 ns of the product of their shortest digits."""


@rule(
    "KIX401",
    "source-time-disagrees",
    Severity.ERROR,
    on="BenchmarkRun",
    message="{path} is {recorded} ns, its source says {metric} = {told} {unit} ({told_ns} ns)",
    hint="one of the two was copied wrongly or is in another unit",
    source="design, Rules; reported: milliseconds of do_bench stored as nanoseconds",
)
def source_time_disagrees(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A recorded latency is 1 ns or more away from what the source's own metrics tell.

    Why: both numbers are in the record, so at most one of them is right. Rounding and truncating to whole nanoseconds
    are both honest. Metrics are understood by their names: ``ms_NN`` (50 is the median), ``pNN_UNIT``, ``mean_UNIT``,
    ``median_UNIT``, ``min_UNIT``, ``max_UNIT``, ``best_UNIT`` (the minimum) and ``latency_UNIT`` (the primary
    statistic), with UNIT one of ns, us, ms, s. Other names are left alone.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410}
      sourceNative:
        source: liger-kernel-bench
        metrics: {ms_50: 0.41024}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240}
      sourceNative:
        source: liger-kernel-bench
        metrics: {ms_50: 0.41024}
    ```
    """
    source = run.spec.source_native
    if source is UNSET or source.metrics is UNSET:
        return
    recorded = latency_figures(run).by_statistic
    blamed: list[Figure] = []
    for name, value in source.metrics.items():
        told = told_by(name)
        if told is None:
            continue
        for figure in recorded.get(told.statistic or told.statistic_for(run) or "", ()):
            estimate = value * told.factor
            if (-0.95 < figure.value - estimate < 0.95 and estimate < _EXACT_ENOUGH) or figure.unit != "ns":
                continue
            if figure not in blamed and _disagrees(figure.value, value, told):
                blamed.append(figure)
                yield _disagreement(figure, name, value, told)


def _disagrees(recorded: int | float, value: int | float, told: Told) -> bool:
    """Whether they are 1 ns or more apart, in decimal on the shortest digits that name each double."""
    from decimal import Context as Precision
    from decimal import Decimal

    # Sums of doubles below 2^53 and products with a unit keep all their digits; comparing never rounds.
    precise = Precision(prec=80)
    told_ns = precise.multiply(Decimal(repr(value)), Decimal(told.factor))
    exact = Decimal(repr(recorded))
    return told_ns <= precise.subtract(exact, Decimal(1)) or told_ns >= precise.add(exact, Decimal(1))


def _disagreement(figure: Figure, name: str, value: int | float, told: Told) -> Hit:
    from decimal import Decimal

    told_ns = Decimal(repr(value)) * told.factor
    hint = None
    if told.factor > 1 and _is_slip(Decimal(repr(figure.value)), told_ns):
        counter = "latencyNs" if figure.index is None else "unit: ns"
        hint = f"{counter} counts nanoseconds; multiply {UNIT_WORDS[told.unit]} by {told.factor}"
    return hit(
        *figure.path,
        about=(figure.place,),
        hint=hint,
        related=((("spec", "sourceNative", "metrics", name), "what the source says"),),
        recorded=plain(figure.value),
        metric=name,
        told=plain(value),
        unit=told.unit,
        told_ns=plain(told_ns),
    )


def _is_slip(recorded: Decimal, told_ns: Decimal) -> bool:
    """Whether the time was recorded in a larger unit, if need be cut to an integer."""
    return any(abs(recorded * thousands - told_ns) < thousands for thousands in (10**3, 10**6, 10**9))


@rule(
    "KIX402",
    "source-quantile-unmatched",
    Severity.WARNING,
    on="BenchmarkRun",
    message="{path} {fault}",
    hint="record every quantile on both sides, or on neither",
    source="design, Rules",
)
def source_quantile_unmatched(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """A quantile is recorded but not told by the source, or the other way round.

    Why: what stands on one side only cannot be checked, and is often left over from another run. A source is held to
    this only if it names quantiles by percentage (``ms_20``, ``p95_us``), and a run only if it records any latency.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240}
      sourceNative:
        source: liger-kernel-bench
        metrics: {ms_50: 0.41024, ms_80: 0.411904}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: passed
      timing:
        primaryStatistic: median
        latencyNs: {median: 410240}
      measurements:
        - {metric: latency, statistic: p80, unit: ns, value: 411904}
      sourceNative:
        source: liger-kernel-bench
        metrics: {ms_50: 0.41024, ms_80: 0.411904}
    ```
    """
    source = run.spec.source_native
    if source is UNSET or source.metrics is UNSET:
        return
    figures = latency_figures(run)
    timing = run.spec.timing
    primary = "" if timing is UNSET else timing.primary_statistic
    unrecorded, untold = _unmatched(tuple(source.metrics), figures.statistics, primary)
    for figure in figures.all if untold else ():
        if figure.statistic in untold:
            fault = f"is the {figure.statistic}, of which the source tells nothing"
            yield hit(*figure.path, about=(figure.place,), fault=fault)
    for name, statistic in unrecorded:
        fault = f"is a latency of the source, but the run records no {statistic}"
        yield hit("spec", "sourceNative", "metrics", name, fault=fault)


@functools.lru_cache(maxsize=256)
def _unmatched(
    metrics: tuple[str, ...], recorded: tuple[str, ...], primary: str
) -> tuple[tuple[tuple[str, str], ...], frozenset[str]]:
    """Quantiles of the source (metric and statistic) that are not recorded, and recorded ones that it does not tell.

    The same names come with run after run, so the answer is kept.
    """
    quantiles: dict[str, str] = {}
    told_of = set()
    for name in metrics:
        told = told_by(name)
        if told is not None:
            told_of.add(told.statistic or canonical_statistic(primary))
            if told.by_percentage and told.statistic is not None:
                quantiles[told.statistic] = name
    if not quantiles or not recorded:
        return (), frozenset()
    unrecorded = tuple((name, statistic) for statistic, name in quantiles.items() if statistic not in recorded)
    return unrecorded, frozenset(name for name in recorded if is_quantile(name) and name not in told_of)


@rule(
    "KIX403",
    "source-date-disagrees",
    Severity.WARNING,
    on="BenchmarkRun",
    message="{path} says {told}, but observedAt is {observed}",
    hint="observedAt is when the run was measured, in UTC",
    source="design, Rules",
)
def source_date_disagrees(run: BenchmarkRun, context: Context) -> Iterator[Hit]:
    """The date in the source's ``externalId`` is another than ``observedAt``.

    Why: one of the two was filled in by hand, or is the time of the import. Looked at is an id that holds exactly one
    date: with a time of day (``2024-09-03-15-40-08``), or as a whole part between slashes. Fourteen hours are allowed
    for a clock that was not in UTC, a day where there is no time of day.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      sourceNative:
        source: liger-kernel-bench
        externalId: rope/backward/liger/2024-09-03-15-40-08
      observedAt: "2026-01-31T12:00:00Z"
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      sourceNative:
        source: liger-kernel-bench
        externalId: rope/backward/liger/2024-09-03-15-40-08
      observedAt: "2024-09-03T15:40:08Z"
    ```
    """
    source = run.spec.source_native
    if source is UNSET or source.external_id is UNSET:
        return
    observed = run.spec.observed_at
    if observed[:10] in source.external_id or "-" not in source.external_id:
        return
    told = date_in(source.external_id)
    if told is not None and _apart(told, observed):
        yield hit("spec", "sourceNative", "externalId", told=told, observed=observed)


_DAY = r"(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}"


def date_in(text: str) -> str | None:
    """The one date of an id, or None where there is none or several."""
    import re

    moments = set(re.findall(rf"(?<![0-9]){_DAY}[-T_ ][0-9]{{2}}[-:][0-9]{{2}}[-:][0-9]{{2}}(?![0-9])", text))
    days = set(re.findall(rf"(?<![0-9]){_DAY}(?![0-9])", text))
    whole_parts = days.intersection(text.split("/"))
    if len(days) != 1 or len(moments) > 1:
        return None
    return moments.pop() if moments else next(iter(whole_parts), None)


def _apart(told: str, observed: str) -> bool:
    """Whether the two differ by more than time zones explain."""
    import datetime

    timed = len(told) > 10
    try:
        there = datetime.datetime.fromisoformat(f"{told[:10]}T{told[11:].replace('-', ':') if timed else '12:00:00'}")
        here = datetime.datetime.fromisoformat(f"{observed[:16]}:00" if timed else f"{observed[:10]}T12:00:00")
    except ValueError:  # no date at all, or the year 0000
        return False
    return abs(here - there) > (datetime.timedelta(hours=14, minutes=1) if timed else datetime.timedelta(days=1))
