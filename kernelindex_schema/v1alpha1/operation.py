"""OperationSpec: what is computed, whoever implements it."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.artifact import ArtifactRef
from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import AxisExpression, AxisName, Dimension, Int, Slug, Token

__all__ = [
    "Argument",
    "ArgumentScalar",
    "ArgumentTensor",
    "Axis",
    "OperationReference",
    "OperationSemantics",
    "OperationSpec",
    "OperationSpecSpec",
]


class Axis(Object, frozen=True, kw_only=True):
    """A named integer that shapes are written in, such as a batch size."""

    role: Literal["variable", "constant", "derived"]
    """``variable``: each workload chooses it. ``constant``: the operation fixes it, and ``value`` is needed.
    ``derived``: computed from other axes, and ``expression`` is needed."""
    type: Literal["integer"]
    """Always ``integer``: every axis counts elements."""
    value: Int | UnsetType = UNSET
    """The value of a constant axis. Absent: the axis is not constant."""
    minimum: Int | UnsetType = UNSET
    """The smallest value that the operation is defined for, itself included. Absent: no lower bound is stated."""
    maximum: Int | UnsetType = UNSET
    """The largest value that the operation is defined for, itself included. Absent: no upper bound is stated."""
    expression: AxisExpression | UnsetType = UNSET
    """How a derived axis is computed: integers, axis names, ``+ - * %``, ``//`` (floor division) and parentheses,
    such as ``hidden // heads``. Absent: the axis is not derived."""


class ArgumentTensor(Object, frozen=True, kw_only=True):
    """An argument that is a tensor."""

    shape: Annotated[tuple[Dimension, ...], Meta(min_length=1)]
    """Extent of each dimension, outermost first: a fixed number of elements, or the name of an axis."""
    dtype: Token
    """Element type, such as ``bf16``, ``fp32`` or ``fp8_e4m3``."""
    layout: Literal["row_major", "col_major", "contiguous", "strided"] | UnsetType = UNSET
    """How the elements lie in memory. Absent: the operation does not prescribe it."""


class ArgumentScalar(Object, frozen=True, kw_only=True):
    """An argument that is a single number."""

    dtype: Token
    """Type of the number, such as ``fp32`` or ``int32``."""


class Argument(Object, frozen=True, kw_only=True):
    """An input or output of an operation: exactly one of ``tensor`` and ``scalar``."""

    name: Token
    """Name of the argument, unique among the inputs and among the outputs; workloads refer to it."""
    tensor: ArgumentTensor | UnsetType = UNSET
    """Shape and element type. Absent: the argument is a scalar."""
    scalar: ArgumentScalar | UnsetType = UNSET
    """Type of the number. Absent: the argument is a tensor."""


class OperationSemantics(Object, frozen=True, kw_only=True):
    """What the operation does with its arguments."""

    expression: Annotated[str, Meta(max_length=2000)] | UnsetType = UNSET
    """The computation as a formula or a sentence, for people. Absent: the family's name has to say it."""
    mutation: Literal["none", "in_place", "destination"]
    """``none``: inputs stay as they are and outputs are new. ``in_place``: an input is overwritten. ``destination``:
    results are written into memory that the caller passes."""
    determinism: Literal["deterministic", "nondeterministic", "unspecified"]
    """Whether equal inputs must give equal bits; ``unspecified`` leaves it to the implementation."""


class OperationReference(Object, frozen=True, kw_only=True):
    """A reference implementation, which says in code what the operation means."""

    language: Token
    """Language of the reference, such as ``python``."""
    artifact: ArtifactRef | UnsetType = UNSET
    """The file that holds it. Absent: it is not published as a file."""


class OperationSpecSpec(Object, frozen=True, kw_only=True):
    """What identifies an operation."""

    family: Slug
    """The family of operations that this one belongs to, such as ``rope`` or ``rmsnorm``."""
    axes: dict[AxisName, Axis]
    """The axes that shapes are written in, by name; may be empty."""
    inputs: Annotated[tuple[Argument, ...], Meta(min_length=1)]
    """What is read, in the order of the call."""
    outputs: Annotated[tuple[Argument, ...], Meta(min_length=1)]
    """What is written, in the order of the results."""
    semantics: OperationSemantics
    """What happens to the arguments."""
    reference: OperationReference | UnsetType = UNSET
    """A reference implementation. Absent: none is given."""


class OperationSpec(Manifest, frozen=True, kw_only=True, tag="OperationSpec", tag_field="kind"):
    """What is computed: axes, inputs, outputs and meaning, independent of any implementation."""

    spec: OperationSpecSpec
    """What the digest is taken over, together with apiVersion and kind."""
