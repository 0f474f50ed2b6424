"""What ``triton.testing.do_bench`` returns and how it measures, in the terms of a bench record.

``do_bench`` without ``quantiles`` returns the mean, in milliseconds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from kernelindex_schema.assembly import kebab
from kernelindex_schema.sources.latency import nanoseconds
from kernelindex_schema.v1alpha1 import (
    BenchProtocol,
    Comparability,
    Latency,
    Measurement,
    MeasurementProcedure,
    ProtocolHarness,
    SourceNative,
    Timing,
)
from kernelindex_schema.v1alpha1.scalars import MAX_SAFE_INTEGER

__all__ = ["MeasuredLatency", "do_bench_protocol", "latency_from_ms"]


class MeasuredLatency(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What was timed, in the three places where a run states it; they agree by construction."""

    timing: Timing
    measurements: tuple[Measurement, ...] | UnsetType
    source_native: SourceNative | UnsetType


def latency_from_ms(
    median_ms: float | None = None,
    *,
    mean_ms: float | None = None,
    p20: float | None = None,
    p80: float | None = None,
    samples: int | None = None,
    source: str | None = None,
    benchmark: str | None = None,
    external_id: str | None = None,
) -> MeasuredLatency:
    """Figures in milliseconds, such as ``do_bench`` gives, as those of a record.

    Without ``quantiles``, ``do_bench`` returns the mean: that figure is ``mean_ms`` and not ``median_ms``. All figures
    become whole nanoseconds by one rule, one half rounded up.

    Args:
        median_ms: the median, the primary statistic where it is given.
        mean_ms: the arithmetic mean.
        p20: the 20th percentile, in ms.
        p80: the 80th percentile, in ms.
        samples: how many samples the figures were computed from.
        source: slug of the harness. With it the figures are also kept unrounded in sourceNative.
        benchmark: the benchmark's name at the source.
        external_id: the run's id at the source.

    Raises:
        ValueError: neither median nor mean, a figure that is no latency, or quantiles out of order; tells everything.
    """
    figures = {"median_ms": median_ms, "mean_ms": mean_ms, "p20": p20, "p80": p80}
    problems = [f"{name} {fault}" for name, value in figures.items() if (fault := _latency_fault(value))]
    if median_ms is None and mean_ms is None:
        problems.insert(0, "neither median_ms nor mean_ms is given (do_bench without quantiles returns the mean)")
    if samples is not None and (type(samples) is not int or samples < 1):
        problems.append(f"samples is {samples!r}, expected a positive integer")
    if source is None and (benchmark is not None or external_id is not None):
        problems.append("benchmark and external_id say where at the source; name it with source")
    if not problems:
        quantiles = {"p20": p20, "median_ms": median_ms, "p80": p80}
        ordered = [(name, value) for name, value in quantiles.items() if value is not None]
        for (low_name, low), (high_name, high) in itertools.pairwise(ordered):
            if low > high:
                problems.append(f"{low_name} is {low!r} and {high_name} only {high!r}: they are out of order")
    if problems:
        raise ValueError("; ".join(problems))
    spread = {"p20": p20, "p80": p80}
    measurements = tuple(
        Measurement(metric="latency", unit="ns", statistic=name, value=nanoseconds(float(value)))
        for name, value in spread.items()
        if value is not None
    )
    named = {"ms_50": median_ms, "ms_20": p20, "ms_80": p80, "mean_ms": mean_ms}
    native: SourceNative | UnsetType = UNSET
    if source is not None:
        native = SourceNative(
            source=source,
            benchmark=UNSET if benchmark is None else benchmark,
            external_id=UNSET if external_id is None else external_id,
            metrics={name: float(value) for name, value in named.items() if value is not None},
        )
    timing = Timing(
        primary_statistic="mean" if median_ms is None else "median",
        samples=UNSET if samples is None else samples,
        latency_ns=Latency(
            median=UNSET if median_ms is None else nanoseconds(float(median_ms)),
            mean=UNSET if mean_ms is None else nanoseconds(float(mean_ms)),
        ),
    )
    return MeasuredLatency(timing=timing, measurements=measurements or UNSET, source_native=native)


def _latency_fault(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        return f"is {value!r}, expected a number of milliseconds"
    number = float(value)
    if not math.isfinite(number) or number < 0 or number * 1e6 > MAX_SAFE_INTEGER:
        return f"is {number!r} ms, which no latency is"
    return None


def do_bench_protocol(
    harness: str | Mapping[str, Any] | ProtocolHarness,
    *,
    timed: str,
    statistic: str = "median",
    warmup_ms: float = 25,
    rep_ms: float = 100,
    quantiles: Sequence[float] | None = (0.5, 0.2, 0.8),
    family: str = "triton_do_bench",
    name: str | None = None,
) -> BenchProtocol:
    """The protocol of ``triton.testing.do_bench``, for a bench record.

    ``timed`` goes into comparability.notes and so into the identity: without it, a forward and a backward run of one
    implementation on one workload would share all four digests.

    Args:
        harness: who calls do_bench: a name, or a mapping of name, version, repository and commit.
        timed: what is timed, such as ``the forward pass``.
        statistic: the primary statistic. do_bench without quantiles returns the mean.
        warmup_ms: the argument ``warmup`` of do_bench, in ms.
        rep_ms: its argument ``rep``, in ms.
        quantiles: its argument ``quantiles``; None where it was not given.
        family: the family of protocols that measure alike.
        name: name of the protocol; by default made from the harness and from what is timed.

    Raises:
        ValueError: ``timed`` is empty.
    """
    if not timed.strip():
        raise ValueError("timed is empty: say what is timed, such as 'the forward pass'")
    if isinstance(harness, str):
        harness = {"name": harness}
    stated = harness if isinstance(harness, ProtocolHarness) else msgspec.convert(dict(harness), ProtocolHarness)
    figures = "" if quantiles is None else " with quantiles " + "/".join(f"{each:g}" for each in quantiles)
    return BenchProtocol(
        name=name or kebab(f"{stated.name} do_bench {timed}"),
        harness=stated,
        measurement=MeasurementProcedure(
            timer="cuda_events",
            warmup_duration=nanoseconds(warmup_ms),
            primary_statistic=statistic,
        ),
        comparability=Comparability(
            family=family,
            notes=f"Timed: {timed}, via triton.testing.do_bench{figures}, rep = {rep_ms:g} ms; primary: {statistic}.",
        ),
    )
