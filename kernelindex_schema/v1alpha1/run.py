"""BenchmarkRun: one measured event of a kernel."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.artifact import ArtifactRef
from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import (
    Digest,
    DurationNs,
    Fraction,
    GitCommit,
    HttpsUrl,
    Instant,
    NonNegative,
    Number,
    Pos,
    Slug,
    Token,
)

__all__ = [
    "BenchmarkRun",
    "BenchmarkRunSpec",
    "Evidence",
    "HarnessRevision",
    "Latency",
    "Measurement",
    "RunCorrectness",
    "RunStatus",
    "SourceNative",
    "Timing",
]

RunStatus = Literal[
    "passed",
    "incorrect_shape",
    "incorrect_dtype",
    "incorrect_numerical",
    "compile_error",
    "runtime_error",
    "timeout",
    "resource_exceeded",
    "invalid_reference",
    "policy_violation",
    "suspected_reward_hack",
    "incomplete_evidence",
    "revoked",
]
"""How a run of a kernel can end."""


class RunCorrectness(Object, frozen=True, kw_only=True):
    """How near the result came to the reference."""

    comparator: Token
    """How results were compared, such as ``elementwise_close``."""
    maximum_absolute_error: NonNegative | UnsetType = UNSET
    """Largest absolute difference of an element. Absent: not recorded."""
    maximum_relative_error: NonNegative | UnsetType = UNSET
    """Largest relative difference of an element, as a fraction. Absent: not recorded."""
    matched_ratio: Fraction | UnsetType = UNSET
    """Fraction of the elements, 0 to 1, that lay within the bounds. Absent: not recorded."""


class Latency(Object, frozen=True, kw_only=True):
    """The time of one call, in integer nanoseconds; at least one of ``median`` and ``mean``.

    Each may be authored as a text with a unit, such as ``410.24 us``.
    """

    median: DurationNs | UnsetType = UNSET
    """Median over the samples, in ns. Absent: not recorded."""
    mean: DurationNs | UnsetType = UNSET
    """Arithmetic mean over the samples, in ns. Absent: not recorded."""
    p05: DurationNs | UnsetType = UNSET
    """5th percentile, in ns. Absent: not recorded."""
    p95: DurationNs | UnsetType = UNSET
    """95th percentile, in ns. Absent: not recorded."""
    minimum: DurationNs | UnsetType = UNSET
    """Fastest sample, in ns. Absent: not recorded."""
    maximum: DurationNs | UnsetType = UNSET
    """Slowest sample, in ns. Absent: not recorded."""
    mad: DurationNs | UnsetType = UNSET
    """Median absolute deviation from the median, in ns. Absent: not recorded."""
    confidence95: tuple[DurationNs, DurationNs] | UnsetType = UNSET
    """95 % confidence interval of the primary statistic: lower bound, then upper, in ns. Absent: not computed."""


class Timing(Object, frozen=True, kw_only=True):
    """What was timed."""

    primary_statistic: Token
    """The figure of ``latencyNs`` that stands for the run; the same as its protocol's."""
    samples: Pos | UnsetType = UNSET
    """Samples that the figures were computed from. Absent: not recorded."""
    latency_ns: Latency
    """The figures, in ns."""
    raw_samples: ArtifactRef | UnsetType = UNSET
    """File with the single samples. Absent: not published."""


class Measurement(Object, frozen=True, kw_only=True):
    """One further figure."""

    metric: Token
    """What was measured, such as ``latency`` or ``output_token_throughput_tps``."""
    unit: Token
    """Unit of the value, such as ``ns``, ``bytes`` or ``tokens_s``."""
    statistic: Token
    """Which figure over the samples, such as ``p20`` or ``median``; ``reported`` where the source does not
    say."""
    value: Number
    """The figure, in ``unit``."""
    sample_count: Pos | UnsetType = UNSET
    """Samples that it was computed from. Absent: not recorded."""


class SourceNative(Object, frozen=True, kw_only=True):
    """The figures as the source published them, kept so that the conversion can be checked."""

    source: Slug
    """Which publication the run was taken from, such as ``liger-kernel-bench``."""
    benchmark: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """The benchmark's name there. Absent: it has none."""
    external_id: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    """The run's own id there. Absent: it has none."""
    metrics: dict[Token, Number] | UnsetType = UNSET
    """The source's figures under its names and in its units, unrounded, such as ``ms_50``. Absent: not kept."""


class HarnessRevision(Object, frozen=True, kw_only=True):
    """The exact source of the harness that ran."""

    repository: HttpsUrl
    """Its source repository."""
    commit: GitCommit
    """Full git commit."""


class Evidence(Object, frozen=True, kw_only=True):
    """What lets somebody else check the run."""

    logs: ArtifactRef | UnsetType = UNSET
    """Log of the run. Absent: not published."""
    raw_samples: ArtifactRef | UnsetType = UNSET
    """File with the single samples. Absent: not published."""
    harness: HarnessRevision | UnsetType = UNSET
    """Source of the harness. Absent: not known to the commit."""


class BenchmarkRunSpec(Object, frozen=True, kw_only=True):
    """What identifies a run."""

    implementation_digest: Digest
    """Digest of the ImplementationRevision that ran."""
    workload_digest: Digest
    """Digest of the WorkloadCase or WorkloadSuite that it ran on."""
    protocol_digest: Digest
    """Digest of the BenchmarkProtocol that it followed."""
    environment_digest: Digest
    """Digest of the ExecutionEnvironment that it ran in."""
    status: RunStatus
    """How it ended; only a ``passed`` run's figures count."""
    correctness: RunCorrectness | UnsetType = UNSET
    """How near the result came to the reference. Absent: not compared, or not recorded."""
    timing: Timing | UnsetType = UNSET
    """What was timed. Absent: nothing was, as in a run that failed to compile."""
    measurements: tuple[Measurement, ...] | UnsetType = UNSET
    """Further figures, one for each metric and statistic. Absent: none."""
    source_native: SourceNative | UnsetType = UNSET
    """The source's own figures. Absent: the run was recorded in this format in the first place."""
    evidence: Evidence | UnsetType = UNSET
    """What lets somebody else check the run. Absent: nothing is published."""
    observed_at: Instant
    """When it was measured, in UTC, such as ``2026-01-31T12:00:00Z``; the spelling is part of the identity."""


class BenchmarkRun(Manifest, frozen=True, kw_only=True, tag="BenchmarkRun", tag_field="kind"):
    """One measured event: an implementation on a workload, by a protocol, in an environment, at an instant."""

    spec: BenchmarkRunSpec
    """What the digest is taken over, together with apiVersion and kind."""
