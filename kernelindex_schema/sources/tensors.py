"""Tensors of any array library, told by what they offer: shape, dtype, contiguity. No such library is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

__all__ = ["DTYPES", "describe"]

DTYPES = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "float32": "fp32",
    "float64": "fp64",
    "float8_e4m3fn": "fp8_e4m3",
    "float8_e5m2": "fp8_e5m2",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "uint8": "uint8",
    "uint16": "uint16",
    "uint32": "uint32",
    "uint64": "uint64",
    "bool": "bool",
}
"""Element types as torch, numpy and jax print them (without ``torch.``), and the tokens that records use."""


def describe(tensor: Any) -> dict[str, Any]:
    """A tensor as a workload states it: shape, dtype, and strides in elements where it is not contiguous.

    A mapping or a WorkloadTensor is taken as it stands.

    Raises:
        ValueError: it has no shape or dtype, or an element type that has no token.
    """
    if isinstance(tensor, msgspec.Struct):
        tensor = msgspec.to_builtins(tensor)
    if isinstance(tensor, Mapping):
        return dict(tensor)
    if not hasattr(tensor, "shape") or not hasattr(tensor, "dtype"):
        raise ValueError(f"is a {type(tensor).__name__}, expected a tensor with shape and dtype, or a mapping of them")
    printed = str(tensor.dtype).rpartition(".")[2]
    if printed not in DTYPES:
        raise ValueError(f"has dtype {tensor.dtype}, for which there is no token; give a mapping of shape and dtype")
    shape = [int(size) for size in tensor.shape]
    if not shape:
        raise ValueError("has no dimensions: it is a scalar")
    described: dict[str, Any] = {"shape": shape, "dtype": DTYPES[printed]}
    strides = _strides(tensor)
    if strides is not None:
        described["strides"] = strides
    return described


def _strides(tensor: Any) -> list[int] | None:
    """Strides in elements; None where the tensor is contiguous or does not tell."""
    if callable(contiguous := getattr(tensor, "is_contiguous", None)):
        return None if contiguous() else [int(step) for step in tensor.stride()]
    flags = getattr(tensor, "flags", None)
    if flags is not None and hasattr(flags, "c_contiguous") and not flags.c_contiguous:
        return [step // tensor.itemsize for step in tensor.strides]
    return None
