"""From the swept value and the config of a Liger CSV row to the workload that it was measured on."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.axes import AxisExpressionError, evaluate
from kernelindex_schema.sources.liger_table import CONFIGURED, SWEPT, Binding, Guard, Kernel, Table
from kernelindex_schema.sources.source import Skip, brief
from kernelindex_schema.v1alpha1.scalars import MAX_SAFE_INTEGER

__all__ = ["Bound", "bind", "read_config", "read_swept"]

_CONFIG = "extra_benchmark_config_str"
_INTEGER = re.compile(r"[0-9]{1,16}")


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """The workload that a row was measured on."""

    axes: dict[str, int]
    """In the order of the binding."""
    dtype: str
    scalars: dict[str, float]
    sizes: dict[str, int]
    """The axes and those derived from them."""

    @property
    def case_key(self) -> str:
        """Axes by name with their values, then the float type; scalars are no part of it."""
        return "-".join([f"{name}{self.axes[name]}" for name in sorted(self.axes)] + [self.dtype])


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        repeated = next(key for index, (key, _) in enumerate(pairs) if any(key == each for each, _ in pairs[:index]))
        raise Skip("bad-config", f"{_CONFIG} has the key {brief(repeated)} twice", column=_CONFIG, rule="KIX005")
    return values


def _no_constant(token: str) -> float:
    raise Skip("bad-config", f"{_CONFIG} holds {token}, which is no JSON number", column=_CONFIG, rule="KIX009")


@lru_cache(maxsize=256)
def read_config(text: str) -> dict[str, Any]:
    """The settings of a row, from strict JSON.

    Raises:
        Skip: the text is no JSON object, or repeats a key.
    """
    try:
        config = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Skip("bad-config", f"{_CONFIG} is no JSON text", column=_CONFIG, rule="KIX004") from None
    if not isinstance(config, dict):
        found = "null" if config is None else f"a {type(config).__name__}"
        raise Skip("bad-config", f"{_CONFIG} is {found}, expected a JSON object", column=_CONFIG, rule="KIX105")
    return config


def read_swept(text: str) -> int:
    """The swept value: plain decimal digits, although ECMAScript would convert more spellings.

    Raises:
        Skip: no positive integer in that form.
    """
    if not _INTEGER.fullmatch(text):
        message = f"x_value is {brief(text)}, expected a positive integer in plain decimal digits"
        raise Skip("bad-x-value", message, column="x_value", rule="KIX106")
    value = int(text)
    if not 0 < value <= MAX_SAFE_INTEGER:
        message = f"x_value is {brief(text)}, expected 1 to {MAX_SAFE_INTEGER}"
        raise Skip("bad-x-value", message, column="x_value", rule="KIX107")
    return value


def bind(table: Table, kernel: Kernel, x_name: str, swept: int, config: Mapping[str, Any]) -> Bound:
    """The workload of a row.

    Raises:
        Skip: the kernel's bindings do not cover this variable or these settings.
    """
    binding = kernel.binding(x_name)
    if binding is None:
        raise _unsupported(f"no binding of {kernel.name} sweeps {brief(x_name)}", "x_name")
    axes = {name: _axis(source, swept, config) for name, source in binding.axes.items()}
    dtype = binding.dtype
    if dtype == CONFIGURED:
        named = config.get("dtype")
        found = table.dtypes.get(named) if isinstance(named, str) else None
        if found is None:
            known = ", ".join(table.dtypes)
            raise _unsupported(f"dtype in {_CONFIG} is {_shown(named)}, expected one of {known}")
        dtype = found
    for guard in binding.guards:
        _hold(guard, axes, config)
    sizes = dict(axes)
    for name, expression in kernel.derived.items():
        try:
            sizes[name] = evaluate(expression, axes)
        except AxisExpressionError as error:
            raise _unsupported(f"axis {name} = {expression} has no value: {error}") from None
    return Bound(axes=axes, dtype=dtype, scalars=_scalars(binding, config), sizes=sizes)


def _axis(source: str, swept: int, config: Mapping[str, Any]) -> int:
    if source == SWEPT:
        return swept
    product = 1
    for key in source.split("*"):
        value = config.get(key)
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is not int or value <= 0:
            raise _unsupported(f"{key} in {_CONFIG} is {_shown(value)}, expected a positive integer")
        product *= value
    if product > MAX_SAFE_INTEGER:
        raise _unsupported(f"{source} of {_CONFIG} is over {MAX_SAFE_INTEGER}")
    return product


def _is_number(value: Any) -> bool:
    # A bool is an int in Python and no number in JSON. An integer too long for a double is not finite there.
    return (type(value) is int and abs(value) <= MAX_SAFE_INTEGER) or (type(value) is float and math.isfinite(value))


def _hold(guard: Guard, axes: Mapping[str, int], config: Mapping[str, Any]) -> None:
    if guard.multiple_of is not UNSET:
        assert isinstance(guard.axis, str)
        divisor = axes[guard.multiple_of] if isinstance(guard.multiple_of, str) else guard.multiple_of
        if axes[guard.axis] % divisor:
            raise _unsupported(f"{guard.axis} is {axes[guard.axis]}, expected a multiple of {divisor}")
        return
    assert isinstance(guard.key, str)
    value: Any = config.get(guard.key)
    if guard.equals is not UNSET:
        both_numbers = _is_number(value) and _is_number(guard.equals)
        holds = (both_numbers or type(value) is type(guard.equals)) and value == guard.equals
        wanted = json.dumps(guard.equals)
    else:
        holds = _is_number(value) and (guard.is_ == "number" or value > 0)
        wanted = "a number" if guard.is_ == "number" else "a number above 0"
    if not holds:
        raise _unsupported(f"{guard.key} in {_CONFIG} is {_shown(value)}, expected {wanted}")


def _scalars(binding: Binding, config: Mapping[str, Any]) -> dict[str, float]:
    scalars = {}
    for name, scalar in binding.scalars.items():
        value: Any = config.get(scalar.key) if isinstance(scalar.key, str) else scalar.value
        if not _is_number(value):
            raise _unsupported(f"{name} in {_CONFIG} is {_shown(value)}, expected a number")
        scalars[name] = value
    return scalars


def _shown(value: Any) -> str:
    return "absent or null" if value is None else json.dumps(value)[:80]


def _unsupported(message: str, column: str = _CONFIG) -> Skip:
    return Skip("unsupported-config", message, column=column)
