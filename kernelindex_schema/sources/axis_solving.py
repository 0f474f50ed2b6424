"""The axes of a workload, solved from the shapes of its tensors and those that the operation writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from kernelindex_schema.axes import AxisExpressionError, axis_values, names
from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.v1alpha1 import OperationSpec

__all__ = ["solve_axes"]

_TENSORS = ("workload", "tensors")
_AXES = ("workload", "axes")


def solve_axes(
    operation: OperationSpec, tensors: Mapping[str, Mapping[str, Any]], given: Mapping[str, int]
) -> tuple[dict[str, int], list[Fault]]:
    """Each variable axis of the operation from the extents that its shapes name, and then the axes given besides.

    ``tensors`` are described ones by argument name. What is missing and what contradicts is returned as faults with
    their places in a bench record, all at once. Derived axes are checked and never inverted: ``hidden // heads`` has
    many solutions.
    """
    solving = _Solving(operation, tensors, given)
    return solving.values(), list(solving.faults())


class _Solving:
    def __init__(
        self, operation: OperationSpec, tensors: Mapping[str, Mapping[str, Any]], given: Mapping[str, int]
    ) -> None:
        self._axes = operation.spec.axes
        self._inputs = {each.name: each.tensor.shape for each in operation.spec.inputs if each.tensor is not UNSET}
        self._tensors = tensors
        self._given = given
        self._extents: dict[str, list[tuple[int, str]]] = {}
        """Every extent that an axis has, and where."""
        self._literal: list[Fault] = []
        self._unread: set[str] = set()
        """Axes of shapes that could not be held against a tensor."""
        for name, shape in self._inputs.items():
            self._read(name, shape)

    def _read(self, name: str, shape: tuple[int | str, ...]) -> None:
        found = self._tensors.get(name, {}).get("shape")
        if (
            not isinstance(found, list | tuple)
            or len(found) != len(shape)
            or any(type(each) is not int for each in found)
        ):
            self._unread.update(size for size in shape if isinstance(size, str))
            if isinstance(found, list | tuple) and len(found) != len(shape):
                message = (
                    f"{name} has {len(found)} dimensions, and the operation gives it {len(shape)}: {_shown(shape)}"
                )
                self._literal.append(Fault(rule="KIX609", message=message, path=(*_TENSORS, name, "shape")))
            return
        for index, (size, extent) in enumerate(zip(shape, found, strict=True)):
            if isinstance(size, str):
                self._extents.setdefault(size, []).append((extent, f"{name}.shape[{index}]"))
            elif size != extent:
                message = f"{name}.shape[{index}] is {extent}, and the operation fixes it at {size}"
                self._literal.append(Fault(rule="KIX609", message=message, path=(*_TENSORS, name, "shape", index)))

    def _chosen(self, name: str) -> bool:
        """Whether a workload gives this axis its value."""
        axis = self._axes.get(name)
        return axis is None or axis.role == "variable"

    def values(self) -> dict[str, int]:
        solved = {name: found[0][0] for name, found in self._extents.items() if self._chosen(name)}
        ordered = {name: solved[name] for name in self._axes if name in solved}
        return {**ordered, **solved, **{name: value for name, value in self._given.items() if self._chosen(name)}}

    def faults(self) -> Iterator[Fault]:
        yield from self._literal
        values = self.values()
        known = axis_values(self._axes, values)
        for name, found in self._extents.items():
            yield from self._contradictions(name, found, known)
        for name, value in self._given.items():
            if not self._chosen(name) and known.get(name, value) != value:
                message = f"axis {name} is given as {value}, and the operation makes it {known[name]}"
                yield Fault(rule="KIX607", message=message, path=(*_AXES, name))
        yield from self._open(values)

    def _contradictions(self, name: str, found: list[tuple[int, str]], known: Mapping[str, int]) -> Iterator[Fault]:
        places = dict.fromkeys(f"{extent} by {where}" for extent, where in found)
        if name in self._given:
            places[f"{self._given[name]} as given"] = None
            found = [*found, (self._given[name], "")]
        elif not self._chosen(name) and name in known:
            axis = self._axes[name]
            whence = f"as {axis.expression}" if axis.role == "derived" else "as the operation fixes it"
            places[f"{known[name]} {whence}"] = None
            found = [*found, (known[name], "")]
        if len({extent for extent, _ in found}) > 1:
            message = f"axis {name} is contradicted: {', '.join(places)}"
            yield Fault(rule="KIX609", message=message, path=(*_AXES, name))

    def _open(self, values: Mapping[str, int]) -> Iterator[Fault]:
        wanted = {name: "" for name, axis in self._axes.items() if axis.role == "variable"}
        for name, axis in self._axes.items():
            if axis.role == "derived" and axis.expression is not UNSET:
                try:
                    needed = names(axis.expression)
                except AxisExpressionError:
                    continue
                for each in sorted(needed):
                    if self._chosen(each):
                        wanted.setdefault(each, f"; {name} = {axis.expression} needs it")
        for name, reason in wanted.items():
            if name not in values and name not in self._unread:
                message = f"axis {name} is in no shape of a tensor{reason}"
                yield Fault(rule="KIX606", message=message, path=_AXES, hint=f"pass axes={{{name!r}: …}}")


def _shown(shape: tuple[int | str, ...]) -> str:
    return "[" + ", ".join(str(size) for size in shape) + "]"
