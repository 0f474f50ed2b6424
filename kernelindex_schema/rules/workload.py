"""KIX6: a workload against its operation, where both are at hand.

The checks of subject ``workload with operation`` are given the pair ``(workload, operation)``: a WorkloadCase or
WorkloadSuite, and the OperationSpec that its ``operationSpecDigest`` names. Paths are those of the workload.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from kernelindex_schema.axes import AxisExpressionError, axis_values, names, parse
from kernelindex_schema.findings import Path, Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.rules.nearest import did_you_mean
from kernelindex_schema.v1alpha1 import Argument, OperationSpec, WorkloadCase, WorkloadSuite

Pair = tuple[WorkloadCase | WorkloadSuite, OperationSpec]

SUBJECT = "workload with operation"

_ELEMENT_TYPES = {
    spelling: spellings[0]
    for spellings in (
        ("bf16", "bfloat16"),
        ("fp16", "f16", "float16", "half"),
        ("fp32", "f32", "float32"),
        ("fp64", "f64", "float64", "double"),
        ("int8", "i8", "s8"),
        ("int16", "i16", "s16"),
        ("int32", "i32", "s32"),
        ("int64", "i64", "s64", "long"),
        ("uint8", "u8"),
        ("bool", "boolean"),
    )
    for spelling in spellings
}
"""Element types beyond doubt. Others, such as ``float`` in an operation, may stand for several."""


def _bindings(workload: WorkloadCase | WorkloadSuite) -> Iterator[tuple[Path, Mapping[str, int]]]:
    """Each place where a workload binds axes."""
    if isinstance(workload, WorkloadCase):
        yield ("spec", "axes"), workload.spec.axes
    else:
        for index, case in enumerate(workload.spec.cases):
            yield ("spec", "cases", index, "axes"), case.axes


@rule(
    "KIX606",
    "unbound-axis",
    Severity.ERROR,
    on=SUBJECT,
    message="{path} does not bind {axis}, a variable axis of the operation",
    hint="give the axis its value",
    source="contract, WorkloadCase",
)
def unbound_axis(pair: Pair, context: Context) -> Iterator[Hit]:
    """A workload leaves a variable axis of its operation open.

    Why: the workload is to be one exact configuration; with an open axis it is a family of them.

    Bad:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {}
    ```

    Good:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {rows: 16}
    ```
    """
    workload, operation = pair
    for path, bound in _bindings(workload):
        for name, axis in operation.spec.axes.items():
            if axis.role == "variable" and name not in bound:
                yield hit(*path, axis=name)


@rule(
    "KIX607",
    "constant-axis-contradicted",
    Severity.ERROR,
    on=SUBJECT,
    message="{path} is {bound}, but the operation fixes {axis} at {value}",
    hint="leave a constant axis out, or refer to an operation with that value",
    source="contract, OperationSpec (constant axis)",
)
def constant_axis_contradicted(pair: Pair, context: Context) -> Iterator[Hit]:
    """A workload binds a constant axis of its operation to another value.

    Why: it is a workload of another operation.

    Bad:
    ```yaml
    operations:
      - spec:
          axes: {heads: {role: constant, type: integer, value: 32}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {heads: 64}
    ```

    Good:
    ```yaml
    operations:
      - spec:
          axes: {heads: {role: constant, type: integer, value: 32}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {heads: 32}
    ```
    """
    workload, operation = pair
    for path, bound in _bindings(workload):
        for name, value in bound.items():
            axis = operation.spec.axes.get(name)
            if axis is not None and axis.role == "constant" and axis.value is not UNSET and axis.value != value:
                yield hit(*path, name, bound=value, axis=name, value=axis.value)


@rule(
    "KIX608",
    "tensors-differ-from-operation",
    Severity.ERROR,
    on=SUBJECT,
    message="{path} {fault}",
    hint="give each tensor input of the operation by its name, and no others",
    source="contract, WorkloadCase",
)
def tensors_differ_from_operation(pair: Pair, context: Context) -> Iterator[Hit]:
    """The tensors of a workload are not the operation's: one is missing, unknown, or of another element type.

    Why: the call that was timed is not a call of this operation. (A workload that lists no tensors at all does not tell
    them. Outputs may be listed, and an operation's ``float`` may be any element type.)

    Bad:
    ```yaml
    operations:
      - spec:
          inputs:
            - {name: x, tensor: {shape: [128], dtype: fp32}}
            - {name: weight, tensor: {shape: [128], dtype: fp32}}
    workloads:
      - kind: WorkloadCase
        spec:
          tensors:
            x: {shape: [128], dtype: fp32}
    ```

    Good:
    ```yaml
    operations:
      - spec:
          inputs:
            - {name: x, tensor: {shape: [128], dtype: fp32}}
            - {name: weight, tensor: {shape: [128], dtype: fp32}}
    workloads:
      - kind: WorkloadCase
        spec:
          tensors:
            x: {shape: [128], dtype: fp32}
            weight: {shape: [128], dtype: fp32}
    ```
    """
    workload, operation = pair
    if not isinstance(workload, WorkloadCase) or not workload.spec.tensors:
        return
    tensors = workload.spec.tensors
    for argument in operation.spec.inputs:
        if argument.tensor is not UNSET and argument.name not in tensors:
            yield hit("spec", "tensors", fault=f"lacks {argument.name}, an input of the operation")
    arguments = _arguments(operation)
    for name, tensor in tensors.items():
        found = arguments.get(name)
        if found is None:
            yield hit("spec", "tensors", name, at_key=True, fault="is no argument of the operation")
        elif found.tensor is UNSET:
            yield hit("spec", "tensors", name, at_key=True, fault="is a scalar in the operation")
        else:
            here, there = _ELEMENT_TYPES.get(tensor.dtype), _ELEMENT_TYPES.get(found.tensor.dtype)
            if here is not None and there is not None and here != there:
                fault = f"is {tensor.dtype}, but the operation takes {found.tensor.dtype}"
                yield hit("spec", "tensors", name, "dtype", fault=fault)


def _arguments(operation: OperationSpec) -> dict[str, Argument]:
    """Arguments by name; an input comes before an output of its name."""
    return {argument.name: argument for argument in (*operation.spec.outputs, *operation.spec.inputs)}


@rule(
    "KIX609",
    "shape-contradicts-operation",
    Severity.ERROR,
    on=SUBJECT,
    message="{path} is {found}, but the operation makes it {wanted}",
    hint="correct the shape, or the axis that it is made of",
    source="contract, WorkloadCase and OperationSpec",
)
def shape_contradicts_operation(pair: Pair, context: Context) -> Iterator[Hit]:
    """A tensor's shape is another than the operation and the workload's own axes make it.

    Why: the axes say one size and the tensors another, so nobody can tell which was timed.

    Bad:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer}}
          inputs:
            - {name: x, tensor: {shape: [rows, 128], dtype: fp32}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {rows: 16}
          tensors:
            x: {shape: [32, 128], dtype: fp32}
    ```

    Good:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer}}
          inputs:
            - {name: x, tensor: {shape: [rows, 128], dtype: fp32}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {rows: 16}
          tensors:
            x: {shape: [16, 128], dtype: fp32}
    ```
    """
    workload, operation = pair
    if not isinstance(workload, WorkloadCase):
        return
    values: dict[str, int] | None = None
    arguments = _arguments(operation)
    for name, tensor in workload.spec.tensors.items():
        argument = arguments.get(name)
        if argument is None or argument.tensor is UNSET:
            continue
        wanted = argument.tensor.shape
        place = ("spec", "tensors", name, "shape")
        if len(wanted) != len(tensor.shape):
            written = ", ".join(str(extent) for extent in wanted)
            yield hit(*place, found=f"of {len(tensor.shape)} dimensions", wanted=f"[{written}]")
            continue
        if values is None:
            values = axis_values(operation.spec.axes, workload.spec.axes)
        for index, (extent, symbol) in enumerate(zip(tensor.shape, wanted, strict=True)):
            expected = values.get(symbol) if isinstance(symbol, str) else symbol
            if expected is not None and expected != extent:
                text = f"{symbol} = {expected}" if isinstance(symbol, str) else str(expected)
                yield hit(*place, index, found=extent, wanted=text)


@rule(
    "KIX610",
    "axis-unknown-to-operation",
    Severity.WARNING,
    on=SUBJECT,
    message="{path} binds an axis that the operation does not declare{nearest}",
    hint="check its spelling; what is no axis belongs in scalars",
    source="contract, WorkloadCase",
)
def axis_unknown_to_operation(pair: Pair, context: Context) -> Iterator[Hit]:
    """A workload binds an axis that its operation does not declare and computes nothing from.

    Why: it is often a misspelt axis, and no shape shows what it means. (An undeclared axis that an expression uses is
    KIX612, a fault of the operation.)

    Bad:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {rows: 16, cols: 128}
    ```

    Good:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer}, cols: {role: variable, type: integer}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {rows: 16, cols: 128}
    ```
    """
    workload, operation = pair
    axes = operation.spec.axes
    for path, bound in _bindings(workload):
        unknown = bound.keys() - axes.keys()
        if not unknown:
            continue
        unknown -= _computed_from(operation)
        for name in bound:
            if name in unknown:
                yield hit(*path, name, at_key=True, nearest=did_you_mean(name, axes.keys() - bound.keys()))


def _computed_from(operation: OperationSpec) -> set[str]:
    """The axes that some expression of the operation uses."""
    found: set[str] = set()
    for axis in operation.spec.axes.values():
        if axis.expression is not UNSET:
            try:
                found |= names(axis.expression)
            except AxisExpressionError:  # KIX602 tells it
                continue
    return found


@rule(
    "KIX613",
    "derived-axis-contradicted",
    Severity.ERROR,
    on=SUBJECT,
    message="{path} {fault}",
    hint="leave a derived axis out, and see whether the axes that it is computed from are right",
    source="contract, OperationSpec (derived axis)",
)
def derived_axis_contradicted(pair: Pair, context: Context) -> Iterator[Hit]:
    """A workload binds a derived axis to another value than its expression gives, or lets it have none.

    Why: the operation computes the axis, so the workload's value or those that it is computed from are wrong.

    Bad:
    ```yaml
    operations:
      - spec:
          axes:
            hidden: {role: variable, type: integer}
            head_dim: {role: derived, type: integer, expression: hidden // 32}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {hidden: 8192, head_dim: 128}
    ```

    Good:
    ```yaml
    operations:
      - spec:
          axes:
            hidden: {role: variable, type: integer}
            head_dim: {role: derived, type: integer, expression: hidden // 32}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {hidden: 8192, head_dim: 256}
    ```
    """
    workload, operation = pair
    derived = {
        name: axis.expression
        for name, axis in operation.spec.axes.items()
        if axis.role == "derived" and axis.expression is not UNSET
    }
    if not derived:
        return
    for path, bound in _bindings(workload):
        values = axis_values(operation.spec.axes, bound)
        for name, expression in derived.items():
            if name in values:
                if name in bound and bound[name] != values[name]:
                    fault = f"is {bound[name]}, but {expression} is {values[name]}"
                    yield hit(*path, name, fault=fault)
                continue
            try:
                parse(expression).evaluate(values)
            except AxisExpressionError as error:
                # Malformed, circular and open ones are told by KIX602, KIX603 and KIX606.
                if _is_computable(expression, values):
                    yield hit(*path, fault=f"gives {name} = {expression} no value: {error}")


def _is_computable(expression: str, values: Mapping[str, int]) -> bool:
    try:
        return names(expression) <= values.keys()
    except AxisExpressionError:
        return False


@rule(
    "KIX614",
    "axis-out-of-bounds",
    Severity.ERROR,
    on=SUBJECT,
    message="{path} is {bound}, but the operation {limit}",
    hint="correct the value, or refer to an operation that is defined for it",
    source="contract, OperationSpec (minimum, maximum)",
)
def axis_out_of_bounds(pair: Pair, context: Context) -> Iterator[Hit]:
    """A workload binds an axis below the minimum or above the maximum that its operation states.

    Why: the operation is not defined for that size.

    Bad:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer, minimum: 1}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {rows: 0}
    ```

    Good:
    ```yaml
    operations:
      - spec:
          axes: {rows: {role: variable, type: integer, minimum: 1}}
    workloads:
      - kind: WorkloadCase
        spec:
          axes: {rows: 1}
    ```
    """
    workload, operation = pair
    for path, bound in _bindings(workload):
        for name, value in bound.items():
            axis = operation.spec.axes.get(name)
            if axis is None or axis.role != "variable":
                continue
            if axis.minimum is not UNSET and value < axis.minimum:
                yield hit(*path, name, bound=value, limit=f"starts at {axis.minimum}")
            elif axis.maximum is not UNSET and value > axis.maximum:
                yield hit(*path, name, bound=value, limit=f"ends at {axis.maximum}")
