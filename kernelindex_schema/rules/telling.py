"""Names that sources give to their latencies, and what they mean (design, Rules, KIX401)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.findings import Path
from kernelindex_schema.rules.figures import canonical_statistic
from kernelindex_schema.v1alpha1 import BenchmarkRun

__all__ = ["TIME_UNITS", "UNIT_WORDS", "Told", "told_by", "unit_slip"]

TIME_UNITS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
"""Nanoseconds in each unit that a metric's name may end in."""

UNIT_WORDS = {"ns": "nanoseconds", "us": "microseconds", "ms": "milliseconds", "s": "seconds"}

_STATISTICS = {"mean": "mean", "median": "median", "min": "minimum", "best": "minimum", "max": "maximum"}


class Told(msgspec.Struct, frozen=True):
    """What a metric of a source tells."""

    statistic: str | None
    """Canonical name of the statistic; None for the run's primary one."""
    unit: str
    factor: int
    """Nanoseconds in one unit."""
    by_percentage: bool
    """Whether the name gives the quantile as a percentage (``ms_20``, ``p95_us``)."""

    def statistic_for(self, run: BenchmarkRun) -> str | None:
        """Canonical name of the statistic in this run; None where the run names no primary one."""
        if self.statistic is not None:
            return self.statistic
        timing = run.spec.timing
        return None if timing is UNSET else canonical_statistic(timing.primary_statistic)


@functools.lru_cache(maxsize=512)
def told_by(metric: str) -> Told | None:
    """What a metric's name says; None for a name outside the table, which is left alone."""
    head, _, tail = metric.rpartition("_")
    if head == "ms" and _percentage(tail):
        return Told(canonical_statistic("p" + tail), "ms", TIME_UNITS["ms"], True)
    if tail not in TIME_UNITS:
        return None
    if head == "latency":
        return Told(None, tail, TIME_UNITS[tail], False)
    if head in _STATISTICS:
        return Told(_STATISTICS[head], tail, TIME_UNITS[tail], False)
    if head[:1] == "p" and _percentage(head[1:]):
        return Told(canonical_statistic(head), tail, TIME_UNITS[tail], True)
    return None


def _percentage(digits: str) -> bool:
    """Whether these are the digits of a percentage; more than two could mean tenths, or 100."""
    return 1 <= len(digits) <= 2 and digits.isdecimal() and int(digits) > 0


def unit_slip(path: Path, run: Mapping[str, Any]) -> str | None:
    """What a latency that is no whole number of nanoseconds was likely meant to be: a hint, or None.

    ``path`` leads to the latency in a plain run that is not valid, and whose source may still tell the figure.
    """
    value: Any = run
    for key in path:
        value = value[key]
    if path[:3] != ("spec", "timing", "latencyNs") or not isinstance(value, float):
        return None
    native = run["spec"].get("sourceNative")
    metrics = native.get("metrics") if isinstance(native, dict) else None
    for name, number in metrics.items() if isinstance(metrics, dict) else ():
        told = told_by(name) if isinstance(name, str) else None
        if told and told.statistic == path[3] and isinstance(number, int | float) and not isinstance(number, bool):
            nanoseconds = round(number * told.factor)
            return f"latencyNs counts nanoseconds: its source says {name} = {number} {told.unit}, write {nanoseconds}"
    return f"latencyNs counts nanoseconds: {value} ms would be {round(value * TIME_UNITS['ms'])}"
