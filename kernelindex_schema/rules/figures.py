"""The latency figures of a run, from ``latencyNs`` and from the measurements, under one set of names."""

from __future__ import annotations

import functools

import msgspec
from msgspec import UNSET

from kernelindex_schema.findings import Path
from kernelindex_schema.v1alpha1 import BenchmarkRun, BenchmarkRunSpec

__all__ = [
    "LATENCY",
    "NEVER_RAN",
    "Figure",
    "Figures",
    "canonical_statistic",
    "is_quantile",
    "latency_figures",
    "plain",
]

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


LATENCY = (
    ("median", 50),
    ("mean", None),
    ("p05", 5),
    ("p95", 95),
    ("minimum", _BELOW_ALL),
    ("maximum", _ABOVE_ALL),
)
"""The figures of ``latencyNs`` but spreads, by attribute, each with its rank."""

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
def _named(statistic: str) -> tuple[str, int | None]:
    """Canonical name and rank of a statistic."""
    name = canonical_statistic(statistic)
    for known, rank in LATENCY:
        if name == known:
            return name, rank
    if len(name) == 3 and name[0] == "p" and name[1:].isdecimal():
        return name, int(name[1:])
    return name, None


def is_quantile(statistic: str) -> bool:
    """Whether this canonical name is a percentage between 0 and 100, the median among them."""
    rank = _named(statistic)[1]
    return rank is not None and 0 < rank < 100


class Figures(msgspec.Struct, frozen=True):
    """Every latency of a run but spreads: those of ``latencyNs``, then those of ``measurements``."""

    all: tuple[Figure, ...]
    by_statistic: dict[str, list[Figure]]
    """In ns or not, by canonical name."""
    statistics: tuple[str, ...]
    """The same names."""


_NONE = Figures((), {}, ())
# Several rules look at the figures of one run in turn; the last run's are kept.
_last: tuple[BenchmarkRunSpec | None, Figures] = (None, _NONE)


def latency_figures(run: BenchmarkRun) -> Figures:
    """The latencies that a run records."""
    global _last
    spec = run.spec
    last, figures = _last
    if last is spec:
        return figures
    found = []
    if spec.timing is not UNSET:
        latency = spec.timing.latency_ns
        for name, rank in LATENCY:
            value = getattr(latency, name)
            if value is not UNSET:
                found.append(Figure(name, rank, value, "ns", None))
    if spec.measurements is not UNSET:
        for index, measurement in enumerate(spec.measurements):
            if measurement.metric == "latency":
                name, rank = _named(measurement.statistic)
                found.append(Figure(name, rank, measurement.value, measurement.unit, index))
    by_statistic: dict[str, list[Figure]] = {}
    for figure in found:
        by_statistic.setdefault(figure.statistic, []).append(figure)
    figures = Figures(tuple(found), by_statistic, tuple(by_statistic)) if found else _NONE
    _last = (spec, figures)
    return figures


def plain(number: object) -> str:
    """A number as people write it: no exponent, no needless zeros (``0.00041024`` rather than ``4.1024e-04``)."""
    from decimal import Decimal

    text = format(number if isinstance(number, Decimal) else Decimal(str(number)), "f")
    if len(text) > 40:
        return str(number)
    return text.rstrip("0").rstrip(".") if "." in text else text
