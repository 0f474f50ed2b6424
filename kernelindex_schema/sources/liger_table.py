"""The curated table behind the Liger importer: its types, and the loading of ``liger_kernels.toml``.

The CSV names kernels, providers and GPUs and says nothing else about them. Signatures, licences and hardware facts are
data in that one file, so that a new kernel is a few rows and no code.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "Argument",
    "Binding",
    "Guard",
    "Hardware",
    "Kernel",
    "Project",
    "Protocol",
    "Provider",
    "Scalar",
    "Table",
    "load_table",
    "parse_table",
]

CONFIGURED = "cfg"
"""Stands for the float type of a workload."""

SWEPT = "x"
"""Stands for the swept value of a row."""

_ARGUMENT = re.compile(r"([a-z][a-z0-9_]*)\[([a-z0-9_]+(?:,[a-z0-9_]+)*)\]:([a-z][a-z0-9_]*)")


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


_E = TypeVar("_E", bound=_Entry)


class Origin(_Entry, frozen=True, kw_only=True):
    """Where the CSV and its scripts come from."""

    repository: str
    script: str
    """Address of a kernel's benchmark script, with ``{kernel}`` for its name in the CSV."""


class Protocol(_Entry, frozen=True, kw_only=True):
    """How the scripts time; one protocol a mode."""

    harness: str
    timer: str
    statistic: str
    family: str
    notes: str
    """Part of the identity, with ``{phrase}`` for what the mode times."""
    modes: dict[str, str]
    """What each mode times, in words."""


class Hardware(_Entry, frozen=True, kw_only=True):
    """A GPU by the name that CUDA reports."""

    gpu_name: str
    vendor: str
    product: str
    architecture: str
    form_factor: str | UnsetType = UNSET


class Project(_Entry, frozen=True, kw_only=True):
    """Who publishes an implementation."""

    slug: str
    name: str
    github: str
    """``owner/repository``."""


class Provider(_Entry, frozen=True, kw_only=True):
    """An implementation that the CSV names."""

    name: str
    project: str
    """Slug of a project of this table."""
    title: str
    description: str
    language: str
    declared_licence: str
    concluded_licence: str | UnsetType = UNSET
    pip_package: str | UnsetType = UNSET
    role: str | UnsetType = UNSET


class Guard(_Entry, frozen=True, kw_only=True):
    """A condition that a row must meet; one of the three forms."""

    key: str | UnsetType = UNSET
    equals: bool | int | float | str | UnsetType = UNSET
    """The value of ``key``, compared without conversion: ``true`` is not 1."""
    is_: Literal["number", "positive"] | UnsetType = msgspec.field(name="is", default=UNSET)
    """What ``key`` must hold: a finite number, or one above zero."""
    axis: str | UnsetType = UNSET
    multiple_of: int | str | UnsetType = UNSET
    """A number, or the name of another bound axis."""


class Scalar(_Entry, frozen=True, kw_only=True):
    """Where a scalar's value comes from: a key of the config, or a constant."""

    key: str | UnsetType = UNSET
    value: int | float | UnsetType = UNSET


class Binding(_Entry, frozen=True, kw_only=True):
    """How the rows of a sweep turn into a workload."""

    x_names: tuple[str, ...] | UnsetType = UNSET
    """The swept variables that this binding is for. Absent: every other one."""
    axes: dict[str, str]
    dtype: str
    guards: tuple[Guard, ...] = ()
    scalars: dict[str, Scalar] = {}


class Argument(msgspec.Struct, frozen=True):
    """One argument of a kernel, taken apart."""

    name: str
    shape: tuple[int | str, ...]
    dtype: str


class Kernel(_Entry, frozen=True, kw_only=True):
    """A kernel that the CSV names."""

    name: str
    slug: str
    family: str
    title: str
    description: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    derived: dict[str, str] = {}
    """Axes that are computed from others, with their expressions."""
    bindings: tuple[Binding, ...]

    def arguments(self, written: tuple[str, ...]) -> tuple[Argument, ...]:
        """``inputs`` or ``outputs`` taken apart; raises ValueError for one that is not ``name[shape]:dtype``."""
        arguments = []
        for text in written:
            match = _ARGUMENT.fullmatch(text)
            if match is None:
                raise ValueError(f"kernel {self.name}: {text!r} is not written NAME[SHAPE]:DTYPE")
            shape = tuple(int(part) if part.isdigit() else part for part in match[2].split(","))
            arguments.append(Argument(match[1], shape, match[3]))
        return tuple(arguments)

    def binding(self, x_name: str) -> Binding | None:
        """The binding for a swept variable, if there is one."""
        for binding in self.bindings:
            if binding.x_names is UNSET or x_name in binding.x_names:
                return binding
        return None


class _Written(_Entry, frozen=True, kw_only=True):
    origin: Origin
    dtypes: dict[str, str]
    protocol: Protocol
    hardware: tuple[Hardware, ...]
    projects: tuple[Project, ...]
    providers: tuple[Provider, ...]
    kernels: tuple[Kernel, ...]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table, each part by the name that the CSV uses."""

    origin: Origin
    dtypes: Mapping[str, str]
    protocol: Protocol
    hardware: Mapping[str, Hardware]
    projects: Mapping[str, Project]
    providers: Mapping[str, Provider]
    kernels: Mapping[str, Kernel]


@functools.cache
def load_table() -> Table:
    """The table that this package ships.

    Raises:
        ValueError: the file is not what this module describes.
    """
    from importlib.resources import files

    return parse_table(files(__package__).joinpath("liger_kernels.toml").read_text(encoding="utf-8"))


def parse_table(text: str) -> Table:
    """The table that a TOML text holds.

    Raises:
        ValueError: an entry is malformed, repeated, or refers to one that is not there.
    """
    written = msgspec.toml.decode(text, type=_Written)
    table = Table(
        origin=written.origin,
        dtypes=written.dtypes,
        protocol=written.protocol,
        hardware=_by_name("hardware", written.hardware, "gpu_name"),
        projects=_by_name("projects", written.projects, "slug"),
        providers=_by_name("providers", written.providers, "name"),
        kernels=_by_name("kernels", written.kernels, "name"),
    )
    for provider in table.providers.values():
        if provider.project not in table.projects:
            raise ValueError(f"provider {provider.name}: there is no project {provider.project!r}")
    for kernel in table.kernels.values():
        for binding in kernel.bindings:
            _check_binding(kernel, binding)
    return table


def _by_name(section: str, entries: tuple[_E, ...], field: str) -> dict[str, _E]:
    named = {getattr(entry, field): entry for entry in entries}
    if len(named) != len(entries):
        raise ValueError(f"{section}: a {field} is there twice")
    return named


def _check_binding(kernel: Kernel, binding: Binding) -> None:
    known = binding.axes.keys() | kernel.derived.keys()
    for argument in kernel.arguments(kernel.inputs) + kernel.arguments(kernel.outputs):
        for size in argument.shape:
            if isinstance(size, str) and size not in known:
                raise ValueError(f"kernel {kernel.name}: nothing gives the axis {size!r} of {argument.name}")
    for guard in binding.guards:
        forms = (guard.equals is not UNSET, guard.is_ is not UNSET, guard.multiple_of is not UNSET)
        subject = guard.axis if guard.multiple_of is not UNSET else guard.key
        if sum(forms) != 1 or subject is UNSET:
            raise ValueError(f"kernel {kernel.name}: a guard is key + equals, key + is, or axis + multiple_of")
    for name, scalar in binding.scalars.items():
        if (scalar.key is UNSET) == (scalar.value is UNSET):
            raise ValueError(f"kernel {kernel.name}: scalar {name!r} has either a key or a value")
