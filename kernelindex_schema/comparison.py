"""Which runs may be compared: cohorts, their keys, and what keeps two records apart (contract, comparison)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.identity import canonical_json, digest_of
from kernelindex_schema.v1alpha1 import BenchmarkRun, Record, WorkloadCase, WorkloadSuite

__all__ = [
    "Comparison",
    "Difference",
    "PrimaryFigure",
    "compare",
    "comparison_key",
    "correctness_key",
    "primary_figure",
]

KEY_VERSION = 1
"""Version of the formula, a member of the key itself."""

Workload = WorkloadCase | WorkloadSuite


class PrimaryFigure(msgspec.Struct, frozen=True):
    """The figure by which a run is ranked."""

    metric: str
    statistic: str
    unit: str
    value: int | float
    """In ``unit``."""

    @property
    def label(self) -> str:
        """``metric:statistic:unit``, a member of the comparison key."""
        return f"{self.metric}:{self.statistic}:{self.unit}"


class Difference(msgspec.Struct, frozen=True):
    """One field in which two records differ, so that they are of two cohorts."""

    member: str
    """Member of the comparison key: operation, workload, protocol, environment, correctness or metric."""
    path: str
    """Dotted path from the root of that manifest; ``primary figure`` for the metric."""
    here: str | None
    """Value in the first record; None where it is absent."""
    there: str | None
    """Value in the second."""

    def __str__(self) -> str:
        here, there = ("absent" if value is None else value for value in (self.here, self.there))
        return f"{self.member}: {self.path} is {here} here, {there} there"


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Whether two records may be compared, and what they are compared by."""

    differences: tuple[Difference, ...]
    """What keeps them apart; empty if they may be compared."""
    first: PrimaryFigure | None
    second: PrimaryFigure | None

    @property
    def comparable(self) -> bool:
        """Whether both are of one cohort."""
        return not self.differences

    @property
    def ratio(self) -> float | None:
        """The first figure over the second; None where they may not be compared, or one is missing or zero."""
        if self.differences or self.first is None or self.second is None or not self.second.value:
            return None
        return self.first.value / self.second.value


def _key(members: dict[str, Any]) -> str:
    return "sha256:" + hashlib.sha256(canonical_json(members)).hexdigest()


def primary_figure(run: BenchmarkRun) -> PrimaryFigure | None:
    """The figure by which a run is ranked; None where it has neither timing nor measurements.

    With timing, a latency in ns: the mean where the primary statistic is the mean, else the median, each falling back
    to the other. Without timing, the first of the measurements.
    """
    spec = run.spec
    if spec.timing is not UNSET:
        statistic = spec.timing.primary_statistic
        latency = spec.timing.latency_ns
        mean, median = latency.mean, latency.median
        wanted, other = (mean, median) if statistic == "mean" else (median, mean)
        value = other if wanted is UNSET else wanted
        return None if value is UNSET else PrimaryFigure("latency", statistic, "ns", value)
    if spec.measurements:
        first = spec.measurements[0]
        return PrimaryFigure(first.metric, first.statistic, first.unit, first.value)
    return None


def correctness_key(workload: Workload) -> str:
    """The digest of the workload's rule of correctness."""
    return _key({"correctness": workload.spec.correctness})


def comparison_key(record: Record, workload: Workload) -> str:
    """The cohort of a record: two runs may be ranked together when their keys are equal.

    Raises:
        ValueError: the run does not refer to this workload, or not to the protocol and environment beside it, so that
            the record has no cohort.
    """
    _refuse_strangers(record, workload, "the record")
    figure = primary_figure(record.run)
    return _key(
        {
            "v": KEY_VERSION,
            "operation": workload.spec.operation_spec_digest,
            "workload": record.run.spec.workload_digest,
            "protocol": record.run.spec.protocol_digest,
            "environment": record.run.spec.environment_digest,
            "correctness": correctness_key(workload),
            "metric": "none" if figure is None else figure.label,
        }
    )


def _refuse_strangers(record: Record, workload: Workload | None, name: str) -> None:
    spec = record.run.spec
    for field, recorded, manifest in (
        ("protocolDigest", spec.protocol_digest, record.protocol),
        ("environmentDigest", spec.environment_digest, record.environment),
        ("workloadDigest", spec.workload_digest, workload),
    ):
        if manifest is not None and recorded != (computed := digest_of(manifest)):
            raise ValueError(
                f"{name} has no cohort: run.spec.{field} is {recorded}, but that {manifest.kind} has {computed}"
            )


def compare(
    record_a: Record,
    record_b: Record,
    workload_a: Workload | None = None,
    workload_b: Workload | None = None,
) -> Comparison:
    """Whether two records are of one cohort, and if not, every field that keeps them apart.

    Without both workload manifests, equal workload digests stand for equal operation, workload and correctness.

    Raises:
        ValueError: a record does not refer to the manifests that are given with it.
    """
    _refuse_strangers(record_a, workload_a, "the first record")
    _refuse_strangers(record_b, workload_b, "the second record")
    first, second = primary_figure(record_a.run), primary_figure(record_b.run)
    return Comparison(
        differences=tuple(_differences(record_a, record_b, workload_a, workload_b, first, second)),
        first=first,
        second=second,
    )


def _differences(
    record_a: Record,
    record_b: Record,
    workload_a: Workload | None,
    workload_b: Workload | None,
    first: PrimaryFigure | None,
    second: PrimaryFigure | None,
) -> Iterator[Difference]:
    here, there = record_a.run.spec, record_b.run.spec
    if here.workload_digest != there.workload_digest:
        if workload_a is None or workload_b is None:
            yield Difference("workload", "run.spec.workloadDigest", here.workload_digest, there.workload_digest)
        else:
            yield from _workload_differences(workload_a, workload_b)
    if here.protocol_digest != there.protocol_digest:
        yield from _fields("protocol", record_a.protocol.spec, record_b.protocol.spec)
    if here.environment_digest != there.environment_digest:
        yield from _fields("environment", record_a.environment.spec, record_b.environment.spec)
    label_a, label_b = (None if figure is None else figure.label for figure in (first, second))
    if label_a != label_b:
        yield Difference("metric", "primary figure", label_a, label_b)


def _workload_differences(here: Workload, there: Workload) -> Iterator[Difference]:
    if here.kind != there.kind:
        yield Difference("workload", "kind", here.kind, there.kind)
        return
    for difference in _fields("workload", here.spec, there.spec):
        if difference.path == "spec.operationSpecDigest":
            difference = msgspec.structs.replace(difference, member="operation")
        elif difference.path.startswith("spec.correctness."):
            difference = msgspec.structs.replace(difference, member="correctness")
        yield difference


def _fields(member: str, here: Any, there: Any) -> Iterator[Difference]:
    left, right = _leaves(here), _leaves(there)
    for path in {**left, **right}:
        if left.get(path) != right.get(path):
            yield Difference(member, path, left.get(path), right.get(path))


def _leaves(spec: Any) -> dict[str, str]:
    """Every value of a spec by its dotted path, as text; numbers in the form that identity is taken over."""
    from kernelindex_schema.findings import dotted_path

    found: dict[str, str] = {}
    waiting: list[tuple[tuple[str | int, ...], Any]] = [(("spec",), msgspec.to_builtins(spec))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict) and value:
            waiting += [((*path, key), item) for key, item in reversed(value.items())]
        elif isinstance(value, list | tuple) and value:
            waiting += [((*path, index), item) for index, item in reversed(list(enumerate(value)))]
        else:
            found[dotted_path(path)] = value if isinstance(value, str) else canonical_json(value).decode()
    return found
