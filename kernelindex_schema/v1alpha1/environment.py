"""ExecutionEnvironment: the machine and its software, as found when measuring."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import Digest, OpenKey, Pos, Positive, Token

__all__ = [
    "EnvironmentSettings",
    "ExecutionEnvironment",
    "ExecutionEnvironmentSpec",
    "Framework",
    "Hardware",
    "Software",
]


class Hardware(Object, frozen=True, kw_only=True):
    """The accelerator that was measured."""

    vendor: Token
    """Who makes it, such as ``nvidia`` or ``amd``."""
    product: Annotated[str, Meta(max_length=200)]
    """Product without form factor, such as ``NVIDIA H100``."""
    architecture: Token
    """Architecture that code is generated for, such as ``sm_90`` (the CUDA compute capability) or ``gfx942``."""
    form_factor: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Which of the product's boards, such as ``SXM5-80GB`` or ``PCIe``; clocks and power hang on it. Absent: not
    known, or there is only one."""
    memory_bytes: Pos | UnsetType = UNSET
    """Memory of one device, in bytes. Absent: not told."""
    count: Pos | UnsetType = UNSET
    """Devices that took part. Absent: not told; kernel benchmarks mostly use one."""
    interconnect: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """What joins the devices, such as ``NVLink 4``. Absent: one device, or not told."""


class Framework(Object, frozen=True, kw_only=True):
    """The framework that the kernel was called from."""

    name: Token
    """Which one, such as ``pytorch`` or ``jax``."""
    version: Annotated[str, Meta(max_length=100)]
    """Its full version, local part included (``torch.__version__``, such as ``2.9.0+cu130``)."""


class Software(Object, frozen=True, kw_only=True):
    """The software that can change a timing; empty where the source records none."""

    operating_system: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Name and release, such as ``Ubuntu 24.04``. Absent: not recorded."""
    kernel: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Release of the operating system's kernel (``uname -r``). Absent: not recorded."""
    driver: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Version of the device driver, as ``nvidia-smi`` or ``rocm-smi`` prints it. Absent: not recorded."""
    cuda_toolkit: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Version of the CUDA toolkit, such as ``13.0``. Absent: not recorded, or not used."""
    compiler: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Name and version of the compiler, such as ``nvcc 13.0.88``. Absent: not recorded, or not used."""
    framework: Framework | UnsetType = UNSET
    """The framework that the kernel was called from. Absent: not recorded, or none."""
    libraries: dict[Token, Annotated[str, Meta(max_length=100)]] | UnsetType = UNSET
    """Version of each further library that matters, by name, such as ``triton``. Absent: not recorded."""


class EnvironmentSettings(Object, frozen=True, kw_only=True):
    """How the machine was set, as found; what the protocol wants is in its device policy."""

    clocks_locked: bool | UnsetType = UNSET
    """Whether clocks were locked. Absent: not recorded."""
    power_limit_watts: Positive | UnsetType = UNSET
    """Power limit of a device, in watts. Absent: not recorded."""
    persistence_mode: bool | UnsetType = UNSET
    """Whether the driver kept the device initialised. Absent: not recorded."""
    ecc_enabled: bool | UnsetType = UNSET
    """Whether memory error correction was on. Absent: not recorded."""
    environment_variables: dict[OpenKey, Annotated[str, Meta(max_length=500)]] | UnsetType = UNSET
    """Environment variables that can change a timing, such as ``CUDA_VISIBLE_DEVICES``; never secrets, since
    manifests are public. Absent: not recorded."""


class ExecutionEnvironmentSpec(Object, frozen=True, kw_only=True):
    """What identifies an environment."""

    hardware: Hardware
    """The accelerator."""
    software: Software
    """The software around it; ``{}`` where the source records none."""
    settings: EnvironmentSettings | UnsetType = UNSET
    """How the machine was set. Absent: not recorded."""
    image_digest: Digest | UnsetType = UNSET
    """Digest of the container image that the benchmark ran in. Absent: no container, or not recorded."""


class ExecutionEnvironment(Manifest, frozen=True, kw_only=True, tag="ExecutionEnvironment", tag_field="kind"):
    """The machine that a benchmark ran on: hardware, software and settings, as found."""

    spec: ExecutionEnvironmentSpec
    """What the digest is taken over, together with apiVersion and kind."""
