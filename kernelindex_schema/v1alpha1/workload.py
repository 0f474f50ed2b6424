"""WorkloadCase and WorkloadSuite: the sizes and data that an operation is measured on."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.artifact import ArtifactRef
from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import AxisName, Digest, Fraction, Int, Nat, NonNegative, Number, Pos, Token

__all__ = [
    "SuiteAggregation",
    "SuiteCase",
    "SuiteCorrectness",
    "TensorData",
    "WorkloadCase",
    "WorkloadCaseSpec",
    "WorkloadCorrectness",
    "WorkloadScalar",
    "WorkloadSuite",
    "WorkloadSuiteSpec",
    "WorkloadTensor",
]


class TensorData(Object, frozen=True, kw_only=True):
    """Where the elements of a tensor come from."""

    generator: Token
    """How the elements are made, such as ``normal``, ``uniform`` or ``zeros``."""
    seed: Nat | UnsetType = UNSET
    """Seed of the generator. Absent: not fixed, or the generator has none."""
    parameters: dict[Token, Number] | UnsetType = UNSET
    """Parameters of the generator by name, such as ``mean`` and ``stddev``. Absent: the generator's own."""
    artifact: ArtifactRef | UnsetType = UNSET
    """A file that holds the elements themselves. Absent: they are generated."""


class WorkloadTensor(Object, frozen=True, kw_only=True):
    """A tensor with every extent settled."""

    shape: Annotated[tuple[Nat, ...], Meta(min_length=1)]
    """Elements along each dimension, outermost first."""
    dtype: Token
    """Element type, such as ``bf16``, ``fp32`` or ``fp8_e4m3``."""
    strides: tuple[Int, ...] | UnsetType = UNSET
    """Steps between neighbours along each dimension, in elements and not in bytes, one for each entry of ``shape``.
    Absent: contiguous."""
    alignment_bytes: Pos | UnsetType = UNSET
    """Alignment of the first element, in bytes. Absent: whatever the allocator gives."""
    data: TensorData | UnsetType = UNSET
    """Where the elements come from. Absent: not told, so the figures should not hang on them."""


class WorkloadScalar(Object, frozen=True, kw_only=True):
    """A scalar argument with its value settled."""

    dtype: Token
    """Type of the number, such as ``fp32`` or ``int32``."""
    value: Number
    """The value passed."""


class WorkloadCorrectness(Object, frozen=True, kw_only=True):
    """When a result counts as correct."""

    comparator: Token
    """How results are compared, such as ``elementwise_close``; ``not_asserted`` where nothing was compared."""
    max_absolute_error: NonNegative | UnsetType = UNSET
    """Largest accepted absolute difference of an element. Absent: not bounded."""
    max_relative_error: NonNegative | UnsetType = UNSET
    """Largest accepted relative difference of an element, as a fraction. Absent: not bounded."""
    required_matched_ratio: Fraction | UnsetType = UNSET
    """Fraction of the elements, 0 to 1, that must lie within the bounds. Absent: the comparator decides."""
    nan_policy: Literal["reject", "exact_match", "ignore"] | UnsetType = UNSET
    """``reject``: a NaN is an error. ``exact_match``: it must stand where the reference has one. ``ignore``: it is
    not compared. Absent: the comparator decides."""
    infinity_policy: Literal["reject", "exact_match", "ignore"] | UnsetType = UNSET
    """The same for infinities, their sign included. Absent: the comparator decides."""


class WorkloadCaseSpec(Object, frozen=True, kw_only=True):
    """What identifies a workload."""

    operation_spec_digest: Digest
    """Digest of the OperationSpec that is run."""
    axes: dict[AxisName, Int]
    """Value of each axis, by name; at least every variable axis of the operation."""
    tensors: dict[Token, WorkloadTensor]
    """Each tensor argument, by its name in the operation."""
    scalars: dict[Token, WorkloadScalar] | UnsetType = UNSET
    """Each scalar argument, by its name in the operation. Absent: there are none, or they are not told."""
    correctness: WorkloadCorrectness
    """When a result counts as correct."""


class WorkloadCase(Manifest, frozen=True, kw_only=True, tag="WorkloadCase", tag_field="kind"):
    """One exact configuration to benchmark: axis values, tensors, scalars and the bounds of a correct result."""

    spec: WorkloadCaseSpec
    """What the digest is taken over, together with apiVersion and kind."""


class SuiteCase(Object, frozen=True, kw_only=True):
    """One case of a suite."""

    external_id: Annotated[str, Meta(max_length=200)]
    """The case's id where the suite was published."""
    axes: dict[AxisName, Int]
    """Value of each axis, by name."""


class SuiteCorrectness(Object, frozen=True, kw_only=True):
    """When the results of a suite count as correct."""

    comparator: Token
    """How results are compared, such as ``elementwise_close``; ``not_asserted`` where nothing was compared."""
    description: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    """The rule in words, with its bounds. Absent: the comparator's name says it all."""


class SuiteAggregation(Object, frozen=True, kw_only=True):
    """How the figures of the cases become the one figure of the suite."""

    metric: Token
    """What is aggregated, such as ``latency`` or ``speedup``."""
    statistic: Token
    """How, such as ``geometric_mean``."""


class WorkloadSuiteSpec(Object, frozen=True, kw_only=True):
    """What identifies a suite."""

    operation_spec_digest: Digest
    """Digest of the OperationSpec that is run."""
    cases: Annotated[tuple[SuiteCase, ...], Meta(min_length=1)]
    """The cases, in the published order, which is part of the suite's identity."""
    correctness: SuiteCorrectness
    """When a result counts as correct."""
    aggregation: SuiteAggregation
    """How the cases' figures become one."""


class WorkloadSuite(Manifest, frozen=True, kw_only=True, tag="WorkloadSuite", tag_field="kind"):
    """Ordered cases of one operation with a published rule that makes one figure of them."""

    spec: WorkloadSuiteSpec
    """What the digest is taken over, together with apiVersion and kind."""
