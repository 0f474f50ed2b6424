"""BenchmarkProtocol: every rule that can change what a timing means."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import DurationNs, GitCommit, HttpsUrl, Nat, Pos, Positive, Token

__all__ = [
    "BenchmarkProtocol",
    "BenchmarkProtocolSpec",
    "Comparability",
    "DevicePolicy",
    "MeasurementProcedure",
    "ProtocolCorrectness",
    "ProtocolHarness",
]


class ProtocolHarness(Object, frozen=True, kw_only=True):
    """The program that takes the time."""

    name: Annotated[str, Meta(max_length=200)]
    """The harness's name as it writes it."""
    version: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Its version. Absent: it has none, or the source does not record it."""
    repository: HttpsUrl | UnsetType = UNSET
    """Its source repository. Absent: none is public, or not told."""
    commit: GitCommit | UnsetType = UNSET
    """Full git commit of the harness. Absent: not recorded."""


class MeasurementProcedure(Object, frozen=True, kw_only=True):
    """How a figure is taken."""

    timer: Token
    """What measures, such as ``cuda_events``; ``harness_reported`` where the source does not say more."""
    synchronization: Token | UnsetType = UNSET
    """How host and device are brought together around a sample, such as ``per_iteration``. Absent: not told."""
    compile_included: bool | UnsetType = UNSET
    """Whether compilation, such as just-in-time, counts into the time. Absent: not told."""
    setup_included: bool | UnsetType = UNSET
    """Whether allocation and transfers count into the time. Absent: not told."""
    warmup_iterations: Nat | UnsetType = UNSET
    """Calls made before the first sample. Absent: not told, or the warm-up is a duration."""
    warmup_duration: DurationNs | UnsetType = UNSET
    """Time spent on calls before the first sample, in ns (or a text such as ``25 ms``). Absent: not told, or the
    warm-up is a number of calls."""
    measured_iterations: Pos | UnsetType = UNSET
    """Calls in each sample. Absent: not told, or the harness chooses."""
    samples: Pos | UnsetType = UNSET
    """Samples taken. Absent: not told, or the harness chooses."""
    input_regeneration: Token | UnsetType = UNSET
    """When inputs are made anew, such as ``never`` or ``per_sample``. Absent: not told."""
    outlier_policy: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    """What happens to samples that stand out, in words. Absent: not told."""
    primary_statistic: Token
    """The figure that runs are compared by, such as ``median``; a run states the same."""


class ProtocolCorrectness(Object, frozen=True, kw_only=True):
    """How results are checked while measuring."""

    reference: Annotated[str, Meta(max_length=500)]
    """What results are compared with, in words, such as the reference implementation in fp32."""
    comparator: Token
    """How they are compared, such as ``elementwise_close``."""


class DevicePolicy(Object, frozen=True, kw_only=True):
    """How the protocol wants the device set; what was found is in the environment's settings."""

    clocks_locked: bool | UnsetType = UNSET
    """Whether clocks must be locked. Absent: not prescribed."""
    power_limit_watts: Positive | UnsetType = UNSET
    """Power limit of a device, in watts. Absent: not prescribed."""
    persistence_mode: bool | UnsetType = UNSET
    """Whether the driver must keep the device initialised. Absent: not prescribed."""


class Comparability(Object, frozen=True, kw_only=True):
    """Which other figures these may be set beside."""

    family: Token
    """Protocols of one family measure alike, such as ``liger_kernel_bench``."""
    notes: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    """What a reader must know before comparing, such as which pass is timed: part of the identity, so that forward
    and backward passes stay apart. Absent: nothing beyond the other fields."""


class BenchmarkProtocolSpec(Object, frozen=True, kw_only=True):
    """What identifies a protocol."""

    harness: ProtocolHarness
    """The program that takes the time."""
    measurement: MeasurementProcedure
    """How a figure is taken."""
    correctness: ProtocolCorrectness | UnsetType = UNSET
    """How results are checked. Absent: the protocol does not check them, or does not say."""
    device_policy: DevicePolicy | UnsetType = UNSET
    """How the device must be set. Absent: not prescribed."""
    comparability: Comparability | UnsetType = UNSET
    """Which other figures these may be set beside. Absent: only those of this very protocol."""


class BenchmarkProtocol(Manifest, frozen=True, kw_only=True, tag="BenchmarkProtocol", tag_field="kind"):
    """How a benchmark is taken: every rule that can change what a timing means."""

    spec: BenchmarkProtocolSpec
    """What the digest is taken over, together with apiVersion and kind."""
