"""KIX6: the tensors of a workload against its operation, where both are at hand (see :mod:`.workload`)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from kernelindex_schema.axes import axis_values
from kernelindex_schema.findings import Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.rules.workload import SUBJECT, Pair
from kernelindex_schema.v1alpha1 import Argument, OperationSpec, WorkloadCase

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
