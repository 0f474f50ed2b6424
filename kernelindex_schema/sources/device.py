"""The machine that a benchmark runs on, as its driver and the loaded libraries tell it. Nothing is guessed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import metadata
from typing import Any

from msgspec import UNSET, UnsetType

from kernelindex_schema.errors import KernelIndexError
from kernelindex_schema.sources.liger_table import load_table
from kernelindex_schema.v1alpha1 import BenchEnvironment, EnvironmentSettings, Framework, Hardware, Software

__all__ = ["environment"]

INSTALL = "pip install 'kernelindex-schema[measure]'"


def environment(device: int | str = 0, *, name: str | None = None) -> BenchEnvironment:
    """The environment of a bench record, read here and now.

    The GPU, its memory, its settings and the driver come from NVML. The versions of torch, triton and of the CUDA
    toolkit that torch was built with are stated where this process has loaded them. A product name is taken apart
    where it is in the hardware table; otherwise it stays whole and no form factor is stated. What cannot be read is
    left out.

    Args:
        device: the CUDA device of this process by its index, or a GPU by its UUID (``GPU-…``).
        name: name of the environment; by default it is made from the product's name.

    Raises:
        ImportError: nvidia-ml-py is not installed; the message has the command that installs it.
        KernelIndexError: no GPU can be read, or it is not certain which one the device is.
    """
    nvml = _nvml()
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        raise KernelIndexError(f"no NVIDIA GPU can be read: {error}") from error
    try:
        hardware, settings, driver = _read(nvml, _handle(nvml, device))
    except nvml.NVMLError as error:
        raise KernelIndexError(f"GPU {device} cannot be read: {error}") from error
    finally:
        nvml.nvmlShutdown()
    return BenchEnvironment(
        name=name or UNSET,
        hardware=hardware,
        software=_software(driver),
        settings=settings if settings != EnvironmentSettings() else UNSET,
    )


def _nvml() -> Any:
    try:
        import pynvml  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError(f"reading the GPU needs nvidia-ml-py: {INSTALL}") from error
    return pynvml


def _handle(nvml: Any, device: int | str) -> Any:
    """The NVML handle of a device. NVML counts every GPU of the machine; CUDA only those that the process may see."""
    if isinstance(device, str):
        return nvml.nvmlDeviceGetHandleByUUID(device)
    if device == 0 and nvml.nvmlDeviceGetCount() == 1:
        return nvml.nvmlDeviceGetHandleByIndex(0)
    torch = sys.modules.get("torch")
    if torch is not None:
        uuid = getattr(torch.cuda.get_device_properties(device), "uuid", None)
        if uuid is not None:
            return nvml.nvmlDeviceGetHandleByUUID(f"GPU-{str(uuid).removeprefix('GPU-')}")
    raise KernelIndexError(f"which GPU is device {device} is not certain: give its UUID (nvidia-smi -L)")


def _read(nvml: Any, handle: Any) -> tuple[Hardware, EnvironmentSettings, str | UnsetType]:
    def known(read: Callable[[], Any]) -> Any:
        try:
            return read()
        except nvml.NVMLError:
            return UNSET

    product = _text(nvml.nvmlDeviceGetName(handle))
    major, minor = nvml.nvmlDeviceGetCudaComputeCapability(handle)
    entry = load_table().hardware.get(product)
    hardware = Hardware(
        vendor="nvidia",
        product=product if entry is None else entry.product,
        architecture=f"sm_{major}{minor}",
        form_factor=UNSET if entry is None else entry.form_factor,
        memory_bytes=known(lambda: int(nvml.nvmlDeviceGetMemoryInfo(handle).total)),
    )
    settings = EnvironmentSettings(
        power_limit_watts=known(lambda: _watts(nvml.nvmlDeviceGetEnforcedPowerLimit(handle))),
        persistence_mode=known(lambda: bool(nvml.nvmlDeviceGetPersistenceMode(handle))),
        ecc_enabled=known(lambda: bool(nvml.nvmlDeviceGetEccMode(handle)[0])),
    )
    return hardware, settings, known(lambda: _text(nvml.nvmlSystemGetDriverVersion()))


def _watts(milliwatts: int) -> int | float:
    return milliwatts // 1000 if milliwatts % 1000 == 0 else milliwatts / 1000


def _text(value: str | bytes) -> str:
    # nvidia-ml-py returned bytes before version 11.5.
    return value.decode() if isinstance(value, bytes) else value


def _software(driver: str | UnsetType) -> Software:
    torch, triton = _version("torch"), _version("triton")
    cuda = getattr(getattr(sys.modules.get("torch"), "version", None), "cuda", None)
    return Software(
        driver=driver,
        cuda_toolkit=UNSET if cuda is None else str(cuda),
        framework=UNSET if torch is None else Framework(name="pytorch", version=torch),
        libraries=UNSET if triton is None else {"triton": triton},
    )


def _version(package: str) -> str | None:
    """The version of a library that this process has loaded; one that is merely installed may not have taken part."""
    module = sys.modules.get(package)
    if module is None:
        return None
    stated = getattr(module, "__version__", None)
    if stated is not None:
        return str(stated)
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
