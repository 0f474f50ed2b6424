"""Runs that most rules need not be asked about: one look at a run that finds no reason to doubt it.

A trick, for speed alone: asking every rule costs several times as much as decoding the run, and in a sound collection
the answers are always the same. What a run's names mean (which figures there are, which metric of the source tells
which) is worked out once and kept, since the same names come with run after run; then a few comparisons remain. Any
doubt, and whatever is unusual, is left to the rules. A property test holds that a run beyond doubt gets no finding.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.rules import source, statistics, units
from kernelindex_schema.rules.catalogue import Rule
from kernelindex_schema.rules.figures import LATENCY, NEVER_RAN, Figure, latency_figures
from kernelindex_schema.rules.telling import told_by
from kernelindex_schema.rules.units import LONGEST_NS, SHORTEST_NS
from kernelindex_schema.v1alpha1 import BenchmarkRun, Latency, Manifest

__all__ = ["ALWAYS_ASKED", "beyond_doubt"]

ALWAYS_ASKED = frozenset({"KIX301"})
"""Rules that depend on the settings."""

_ATTRIBUTES = tuple(name for name, _ in LATENCY)
_all_of_latency: Callable[[Latency], tuple[Any, ...]] = operator.attrgetter(*_ATTRIBUTES)

_OF_NAMES: tuple[Rule, ...] = (
    units.latency_not_in_ns,
    units.unit_contradicts_metric,
    statistics.primary_statistic_absent,
    statistics.repeated_measurement,
    source.source_quantile_unmatched,
)
"""Rules that look at nothing but names, so that their answer holds for every run with the same ones."""

_KEPT = 4096
"""Sets of names that are kept."""


class _Plan(msgspec.Struct, frozen=True):
    """What to compare in runs with the same names; indexes are into the list of their values."""

    quantiles: Callable[[Sequence[int | float]], Sequence[int | float]]
    """Picks the quantiles, in the order that they must have."""
    pairs: tuple[tuple[int, int], ...]
    """Others that must be in order."""
    times: tuple[int, ...]
    """Values that are the time of a call."""
    told: tuple[tuple[str, int, int], ...]
    """Metric of the source, nanoseconds in its unit, and the figure that it tells."""
    unmatched: tuple[str, ...]
    """Metrics of the source that tell a time which is not recorded."""


_UNKNOWN = _Plan(quantiles=tuple, pairs=(), times=(), told=(), unmatched=())
_plans: dict[tuple[str | bool, ...], _Plan | None] = {}


def beyond_doubt(run: BenchmarkRun) -> bool:
    """Whether no rule but :data:`ALWAYS_ASKED` can have anything to say about a run."""
    spec = run.spec
    timing, measurements, native = spec.timing, spec.measurements, spec.source_native
    if spec.evidence is not UNSET or spec.status in NEVER_RAN:
        return False
    key: list[str | bool]
    values: list[int | float]
    if timing is UNSET:
        key, values = [""], []
    else:
        latency = timing.latency_ns
        if latency.confidence95 is not UNSET or timing.raw_samples is not UNSET:
            return False
        given = _all_of_latency(latency)
        values = list(given)
        key = [timing.primary_statistic, *[value is UNSET for value in given]]
    if measurements is not UNSET:
        for measurement in measurements:
            key += (measurement.metric, measurement.unit, measurement.statistic)
            values.append(measurement.value)
    metrics = None
    if native is not UNSET:
        if not _harmless(native.external_id, native.benchmark, spec.observed_at):
            return False
        if native.metrics is not UNSET:
            metrics = native.metrics
            key.append(True)
            key += metrics
    wanted = tuple(key)
    plan = _plans.get(wanted, _UNKNOWN)
    if plan is _UNKNOWN:
        if len(_plans) >= _KEPT:
            _plans.clear()
        plan = _plans[wanted] = _plan(run)
    return plan is not None and _sound(plan, values, metrics)


def _harmless(external_id: object, benchmark: object, observed_at: str) -> bool:
    """Whether the texts of a source are plain, and an id with a hyphen holds the date of the run."""
    if isinstance(external_id, str) and ("-" in external_id and observed_at[:10] not in external_id):
        return False
    return str(external_id).isascii() and str(benchmark).isascii()


def _sound(plan: _Plan, values: Sequence[int | float], metrics: dict[str, int | float] | None) -> bool:
    for index in plan.times:
        value = values[index]
        if type(value) is not int or not SHORTEST_NS <= value <= LONGEST_NS:
            return False
    quantiles = plan.quantiles(values)
    if list(quantiles) != sorted(quantiles):
        return False
    for lower, upper in plan.pairs:
        if values[lower] > values[upper]:
            return False
    if metrics is not None:
        for name, factor, index in plan.told:
            # Within the bounds of a time, the product of doubles is exact enough.
            if not -0.95 < values[index] - metrics[name] * factor < 0.95:
                return False
        for name in plan.unmatched:
            if metrics[name] <= 0:
                return False
    return True


def _plan(run: BenchmarkRun) -> _Plan | None:
    """What to compare in runs with the names of this one; None where the rules have to be asked."""
    figures = latency_figures(run)
    recorded = figures.by_statistic
    if not figures.all or len(figures.all) > len(recorded):
        return None
    for rule in _OF_NAMES:
        assert rule.check is not None
        if any(True for _ in rule.check(run, _NO_SETTINGS)):
            return None
    before = 0 if run.spec.timing is UNSET else len(_ATTRIBUTES)

    def at(figure: Figure) -> int:
        return _ATTRIBUTES.index(figure.statistic) if figure.index is None else before + figure.index

    ranked = sorted((figure.rank, at(figure)) for figure in figures.all if figure.rank is not None)
    places = [place for _, place in ranked]
    mean, low, high = ([at(figure) for figure in recorded.get(name, ())] for name in ("mean", "minimum", "maximum"))
    told, unmatched = [], []
    native = run.spec.source_native
    for name in () if native is UNSET else native.metrics or ():
        meaning = told_by(name)
        if meaning is not None:
            statistic = meaning.statistic_for(run) or ""
            told += [(name, meaning.factor, at(figure)) for figure in recorded.get(statistic, ())]
            unmatched += [] if statistic in recorded else [name]
    return _Plan(
        quantiles=operator.itemgetter(*places) if len(places) > 1 else _nothing,
        pairs=(*itertools.product(low, mean), *itertools.product(mean, high)),
        times=tuple(at(figure) for figure in figures.all if figure.in_whole_ns),
        told=tuple(told),
        unmatched=tuple(unmatched),
    )


def _nothing(values: Sequence[int | float]) -> Sequence[int | float]:
    return ()


class _NoSettings:
    """The context of rules that ask for none."""

    primary_statistics: frozenset[str] = frozenset()

    def digest(self, manifest: Manifest) -> str:
        raise NotImplementedError


_NO_SETTINGS = _NoSettings()
