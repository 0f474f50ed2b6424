"""The latency figures of a run, from ``latencyNs`` and from the measurements, under one set of names."""

from __future__ import annotations

import functools

import msgspec
from msgspec import UNSET

from kernelindex_schema.findings import Path
from kernelindex_schema.v1alpha1 import BenchmarkRun, BenchmarkRunSpec

__all__ = ["NEVER_RAN", "Figure", "canonical_statistic", "latency_figures", "plain"]

NEVER_RAN = frozenset({"compile_error", "timeout", "resource_exceeded"})
"""Statuses of runs whose kernel did not finish once."""

_BELOW_ALL, _ABOVE_ALL = -1, 101


class Figure(msgspec.Struct, frozen=True, gc=False):
    """One figure of metric ``latency``."""

    statistic: str
    """Canonical name: ``median``, ``mean``, ``minimum``, ``maximum``, ``pNN``; others as written."""
    rank: int | None
    """Place in the order of quantiles: the percentage; None for what is no quantile."""
    value: int | float
    unit: str
    index: int | None
    """Index in ``measurements``; None for a figure of ``latencyNs``."""

    @property
    def in_whole_ns(self) -> bool:
        """Whether it is a time that a call took, and not a spread or what is not understood."""
        return self.rank is not None or self.statistic == "mean"

    @property
    def place(self) -> Path:
        """The figure as a whole: what precedence goes by."""
        if self.index is None:
            return ("spec", "timing", "latencyNs", self.statistic)
        return ("spec", "measurements", self.index)

    @property
    def path(self) -> Path:
        """The number."""
        return self.place if self.index is None else (*self.place, "value")


_LATENCY = (
    ("median", 50),
    ("mean", None),
    ("p05", 5),
    ("p95", 95),
    ("minimum", _BELOW_ALL),
    ("maximum", _ABOVE_ALL),
)

_ALIASES = {"min": "minimum", "max": "maximum", "p50": "median"}


@functools.lru_cache(maxsize=512)
def canonical_statistic(name: str) -> str:
    """One name for each statistic: ``min``, ``max`` and ``p50`` are aliases, and ``p5`` is ``p05``."""
    if name in _ALIASES:
        return _ALIASES[name]
    if len(name) == 2 and name[0] == "p" and name[1].isdecimal():
        return f"p0{name[1]}"
    return name


@functools.lru_cache(maxsize=512)
def _rank(statistic: str) -> int | None:
    for name, rank in _LATENCY:
        if statistic == name:
            return rank
    if len(statistic) == 3 and statistic[0] == "p" and statistic[1:].isdecimal():
        return int(statistic[1:])
    return None


# Several rules look at the figures of one run in turn; the last run's are kept.
_last: tuple[BenchmarkRunSpec | None, tuple[Figure, ...]] = (None, ())


def latency_figures(run: BenchmarkRun) -> tuple[Figure, ...]:
    """Every figure of the run's latency but spreads: those of ``latencyNs``, then those of ``measurements``."""
    global _last
    spec = run.spec
    last, figures = _last
    if last is spec:
        return figures
    found = []
    if spec.timing is not UNSET:
        latency = spec.timing.latency_ns
        for name, rank in _LATENCY:
            value = getattr(latency, name)
            if value is not UNSET:
                found.append(Figure(name, rank, value, "ns", None))
    if spec.measurements is not UNSET:
        for index, measurement in enumerate(spec.measurements):
            if measurement.metric == "latency":
                statistic = canonical_statistic(measurement.statistic)
                found.append(Figure(statistic, _rank(statistic), measurement.value, measurement.unit, index))
    figures = tuple(found)
    _last = (spec, figures)
    return figures


def plain(number: object) -> str:
    """A number as people write it: no exponent, no needless zeros (``0.00041024`` rather than ``4.1024e-04``)."""
    from decimal import Decimal

    text = format(number if isinstance(number, Decimal) else Decimal(str(number)), "f")
    if len(text) > 40:
        return str(number)
    return text.rstrip("0").rstrip(".") if "." in text else text
