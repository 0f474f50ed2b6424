"""KIX6: the axes of a workload against its operation, where both are at hand. Tensors: :mod:`.tensor`.

The checks of subject ``workload with operation`` are given the pair ``(workload, operation)``: a WorkloadCase or
WorkloadSuite, and the OperationSpec that its ``operationSpecDigest`` names. Paths are those of the workload.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from kernelindex_schema.axes import AxisExpressionError, axis_values, names, parse
from kernelindex_schema.findings import Path, Severity
from kernelindex_schema.nearest import did_you_mean
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.v1alpha1 import OperationSpec, WorkloadCase, WorkloadSuite

Pair = tuple[WorkloadCase | WorkloadSuite, OperationSpec]

SUBJECT = "workload with operation"


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
