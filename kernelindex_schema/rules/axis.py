"""KIX6: axes, shapes and arguments, of an operation or a workload by itself. Pairs are in :mod:`.workload`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from kernelindex_schema.axes import AxisExpressionError, Expression, parse
from kernelindex_schema.findings import Path, Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.v1alpha1 import Axis, OperationSpec, WorkloadCase


@rule(
    "KIX601",
    "undeclared-axis",
    Severity.ERROR,
    on="OperationSpec",
    message="{path} is {axis}, which spec.axes does not declare",
    hint="declare the axis, or write the extent as a number",
    source="contract, OperationSpec",
)
def undeclared_axis(operation: OperationSpec, context: Context) -> Iterator[Hit]:
    """A shape names an axis that the operation does not declare.

    Why: nobody can tell how large that dimension is, so no workload of the operation can be checked.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        rows: {role: variable, type: integer}
      inputs:
        - {name: x, tensor: {shape: [rows, hidden], dtype: fp32}}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        rows: {role: variable, type: integer}
        hidden: {role: variable, type: integer}
      inputs:
        - {name: x, tensor: {shape: [rows, hidden], dtype: fp32}}
    ```
    """
    spec = operation.spec
    told: set[str] = set()
    for section, arguments in (("inputs", spec.inputs), ("outputs", spec.outputs)):
        for index, argument in enumerate(arguments):
            if argument.tensor is UNSET:
                continue
            for place, extent in enumerate(argument.tensor.shape):
                # One missing declaration is one fault, however often shapes use the axis.
                if isinstance(extent, str) and extent not in spec.axes and extent not in told:
                    told.add(extent)
                    yield hit("spec", section, index, "tensor", "shape", place, axis=extent)


@rule(
    "KIX602",
    "bad-axis-expression",
    Severity.ERROR,
    on="OperationSpec",
    message='{path} is "{expression}": {fault} at column {column}',
    hint="an expression has integers, axis names, + - * % // and parentheses",
    source="contract, OperationSpec (expression grammar)",
)
def bad_axis_expression(operation: OperationSpec, context: Context) -> Iterator[Hit]:
    """An axis expression does not follow the grammar, or divides by zero.

    Why: the derived axis has no value, and the shapes that use it cannot be checked.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        hidden: {role: variable, type: integer}
        head_dim: {role: derived, type: integer, expression: hidden / 32}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        hidden: {role: variable, type: integer}
        head_dim: {role: derived, type: integer, expression: hidden // 32}
    ```
    """
    for name, axis in operation.spec.axes.items():
        if axis.expression is UNSET:
            continue
        try:
            parse(axis.expression)
        except AxisExpressionError as error:
            path = ("spec", "axes", name, "expression")
            yield hit(*path, expression=axis.expression, fault=str(error), column=error.column)


@rule(
    "KIX603",
    "circular-axes",
    Severity.ERROR,
    on="OperationSpec",
    message="{path} computes {axis} from itself: {circle}",
    hint="make one of the axes variable",
    source="contract, OperationSpec",
)
def circular_axes(operation: OperationSpec, context: Context) -> Iterator[Hit]:
    """A derived axis is computed from itself, directly or through others.

    Why: none of the axes in the circle has a value.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        heads: {role: derived, type: integer, expression: hidden // head_dim}
        hidden: {role: derived, type: integer, expression: heads * head_dim}
        head_dim: {role: variable, type: integer}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        heads: {role: derived, type: integer, expression: hidden // head_dim}
        hidden: {role: variable, type: integer}
        head_dim: {role: variable, type: integer}
    ```
    """
    edges = {name: sorted(found.names) for name, found in _expressions(operation.spec.axes).items()}
    if not edges:
        return
    settled: set[str] = set()
    for start in edges:
        if start in settled:
            continue
        circle = _circle_from(start, edges, settled)
        if circle:
            path = ("spec", "axes", circle[0], "expression")
            yield hit(*path, axis=circle[0], circle=" needs ".join([*circle, circle[0]]))


def _expressions(axes: Mapping[str, Axis]) -> dict[str, Expression]:
    """The expressions of the derived axes that have a good one."""
    found = {}
    for name, axis in axes.items():
        if axis.role == "derived" and axis.expression is not UNSET:
            try:
                found[name] = parse(axis.expression)
            except AxisExpressionError:  # KIX602 tells it
                continue
    return found


def _circle_from(start: str, edges: Mapping[str, list[str]], settled: set[str]) -> list[str]:
    """The first circle met from ``start``, whose way is walked to the end; axes once seen are settled."""
    way: dict[str, None] = {}
    open_ends = [iter([start])]
    found: list[str] = []
    while open_ends:
        name = next(open_ends[-1], None)
        if name is None:
            open_ends.pop()
            if way:
                settled.add(way.popitem()[0])
        elif name in way:
            walked = list(way)
            found = found or walked[walked.index(name) :]
        elif name in edges and name not in settled:
            way[name] = None
            open_ends.append(iter(edges[name]))
    return found


@rule(
    "KIX604",
    "impossible-axis-bounds",
    Severity.ERROR,
    on="OperationSpec",
    message="{path} {fault}",
    hint="correct the bound that is wrong",
    source="contract, OperationSpec",
)
def impossible_axis_bounds(operation: OperationSpec, context: Context) -> Iterator[Hit]:
    """The minimum of an axis is above its maximum, or a constant axis lies outside its bounds.

    Why: no workload can satisfy the operation.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        rows: {role: variable, type: integer, minimum: 4096, maximum: 128}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        rows: {role: variable, type: integer, minimum: 128, maximum: 4096}
    ```
    """
    for name, axis in operation.spec.axes.items():
        low, high = axis.minimum, axis.maximum
        place = ("spec", "axes", name)
        if low is not UNSET and high is not UNSET and low > high:
            yield hit(*place, "minimum", fault=f"is {low}, above the maximum of {high}")
        elif axis.role == "constant" and axis.value is not UNSET:
            if low is not UNSET and axis.value < low:
                yield hit(*place, "value", fault=f"is {axis.value}, below the axis's own minimum of {low}")
            elif high is not UNSET and axis.value > high:
                yield hit(*place, "value", fault=f"is {axis.value}, above the axis's own maximum of {high}")


@rule(
    "KIX605",
    "repeated-argument",
    Severity.ERROR,
    on="OperationSpec",
    message="{path} is {name}, as is {section}[{first}].name",
    hint="give each argument its own name; an input that is overwritten may have the name of an output",
    source="contract, OperationSpec",
)
def repeated_argument(operation: OperationSpec, context: Context) -> Iterator[Hit]:
    """Two inputs, or two outputs, have the same name.

    Why: workloads give tensors and scalars by the name of the argument, so one of the two cannot be given.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      inputs:
        - {name: x, tensor: {shape: [128], dtype: fp32}}
        - {name: x, tensor: {shape: [256], dtype: fp32}}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      inputs:
        - {name: x, tensor: {shape: [128], dtype: fp32}}
        - {name: residual, tensor: {shape: [256], dtype: fp32}}
    ```
    """
    spec = operation.spec
    for section, arguments in (("inputs", spec.inputs), ("outputs", spec.outputs)):
        if len(arguments) < 2:
            continue
        seen: dict[str, int] = {}
        for index, argument in enumerate(arguments):
            first = seen.setdefault(argument.name, index)
            if first != index:
                there: Path = ("spec", section, first, "name")
                yield hit(
                    *("spec", section, index, "name"),
                    related=((there, "the first"),),
                    name=argument.name,
                    section=section,
                    first=first,
                )


@rule(
    "KIX611",
    "strides-rank-mismatch",
    Severity.ERROR,
    on="WorkloadCase",
    message="{path} has {strides} strides for {extents} dimensions",
    hint="give one stride for each dimension, in elements",
    source="contract, WorkloadCase",
)
def strides_rank_mismatch(workload: WorkloadCase, context: Context) -> Iterator[Hit]:
    """A tensor has another number of strides than of dimensions.

    Why: the elements cannot be laid out.

    Bad:
    ```yaml
    kind: WorkloadCase
    spec:
      tensors:
        x: {shape: [16, 128], dtype: fp32, strides: [128]}
    ```

    Good:
    ```yaml
    kind: WorkloadCase
    spec:
      tensors:
        x: {shape: [16, 128], dtype: fp32, strides: [128, 1]}
    ```
    """
    for name, tensor in workload.spec.tensors.items():
        if tensor.strides is not UNSET and len(tensor.strides) != len(tensor.shape):
            path = ("spec", "tensors", name, "strides")
            yield hit(*path, strides=len(tensor.strides), extents=len(tensor.shape))


@rule(
    "KIX612",
    "expression-axis-undeclared",
    Severity.WARNING,
    on="OperationSpec",
    message="{path} computes from {missing}, which spec.axes does not declare",
    hint="declare it as a variable axis",
    source="design, Rules; Liger benchmarks, whose workloads bind such axes",
)
def expression_axis_undeclared(operation: OperationSpec, context: Context) -> Iterator[Hit]:
    """A derived axis is computed from an axis that the operation does not declare.

    Why: the operation does not say that workloads have to bind it. Published operations do this and their workloads
    bind the axis, so it is a warning.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        head_dim: {role: derived, type: integer, expression: hidden // 32}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        hidden: {role: variable, type: integer}
        head_dim: {role: derived, type: integer, expression: hidden // 32}
    ```
    """
    axes = operation.spec.axes
    for name, found in _expressions(axes).items():
        missing = sorted(found.names - axes.keys())
        if missing:
            yield hit("spec", "axes", name, "expression", missing=" and ".join(missing))
