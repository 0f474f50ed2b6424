"""The benchmark CSV of Liger-Kernel (``benchmark/data/all_benchmark_data.csv``) as manifests.

Every digest equals that of the public registry's importer for the same row. What a row only names comes from the
curated table (:mod:`kernelindex_schema.sources.liger_table`).
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, ClassVar, TypeVar

import msgspec
from msgspec import UNSET

from kernelindex_schema.assembly import kebab
from kernelindex_schema.identity import digest
from kernelindex_schema.sources.delimited import table_rows
from kernelindex_schema.sources.latency import nanoseconds
from kernelindex_schema.sources.liger_binding import Bound
from kernelindex_schema.sources.liger_row import COLUMNS, Reading, read_row
from kernelindex_schema.sources.liger_table import CONFIGURED, Argument, Hardware, Kernel, Provider, Table, load_table
from kernelindex_schema.sources.outcome import Imported
from kernelindex_schema.sources.source import Mapped, Row, Skip, Trouble
from kernelindex_schema.v1alpha1 import (
    API_VERSION,
    BenchmarkProtocol,
    BenchmarkRun,
    ExecutionEnvironment,
    ImplementationRevision,
    Manifest,
    OperationSpec,
    Record,
    SoftwareProject,
    WorkloadCase,
)

__all__ = ["LigerSource", "import_csv", "known_operation", "known_slugs"]

SOURCE = "liger-kernel-bench"

_M = TypeVar("_M", bound=Manifest)


def known_slugs() -> tuple[str, ...]:
    """The names of the operations in the curated table."""
    return tuple(kernel.slug for kernel in load_table().kernels.values())


def known_operation(slug: str) -> OperationSpec | None:
    """The operation of the curated table with this ``metadata.name``; None where there is none."""
    table = load_table()
    return next((_operation(kernel, table) for kernel in table.kernels.values() if kernel.slug == slug), None)


def import_csv(path: str | os.PathLike[str], *, progress: Callable[[int], None] | None = None) -> Imported:
    """Import the CSV; ``progress`` is called now and then with the number of rows read so far.

    Raises:
        UnreadableDocument: the file cannot be opened.
    """
    from kernelindex_schema.sources.imported import import_file

    return import_file(path, LigerSource.name, progress=progress)


class _Made(msgspec.Struct, frozen=True):
    manifest: Any
    digest: str


class LigerSource:
    """Reads the CSV; remembers what earlier rows led to, so that equal things are made once."""

    name: ClassVar[str] = "liger"
    title: ClassVar[str] = "Liger-Kernel benchmark CSV"

    def __init__(self, table: Table | None = None) -> None:
        self._table = table or load_table()
        self._made: dict[tuple[str, ...], Any] = {}
        self._scalars: dict[tuple[str, str], dict[str, float]] = {}

    @staticmethod
    def recognise(head: bytes) -> bool:
        """Whether the header line has all columns of the CSV, in any order."""
        first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].split(b"\r", 1)[0]
        names = next(csv.reader([first.decode("utf-8", "replace")]), [])
        return set(COLUMNS) <= set(names)

    def rows(self, stream: BinaryIO) -> Iterator[Row | Trouble]:
        """The records of the CSV."""
        return table_rows(stream, COLUMNS)

    def map(self, row: Row) -> Mapped:
        """One row as a record with everything that it refers to."""
        reading = read_row(self._table, row.values)
        kernel, provider, bound = reading.kernel, reading.provider, reading.bound
        key = bound.case_key
        first = self._scalars.setdefault((kernel.name, key), bound.scalars)
        if first != bound.scalars:
            told = ", ".join(f"{name} {value!r}" for name, value in first.items())
            message = f"an earlier row of the case {kernel.name}/{key} has {told}: one case cannot stand for both"
            raise Skip("scalars-differ", message, column="extra_benchmark_config_str", rule="KIX506")
        operation = self._once(("operation", kernel.name), lambda: _operation(kernel, self._table))
        workload = self._once(("workload", kernel.name, key), lambda: _workload(kernel, bound, operation.digest))
        implementation = self._once(
            ("implementation", kernel.name, provider.name),
            lambda: self._implementation(kernel, provider, operation.digest),
        )
        protocol = self._once(("protocol", reading.mode), lambda: self._protocol(reading.mode))
        environment = self._once(("environment", reading.hardware.gpu_name), lambda: _environment(reading.hardware))
        run = _run(
            reading,
            implementationDigest=implementation.digest,
            workloadDigest=workload.digest,
            protocolDigest=protocol.digest,
            environmentDigest=environment.digest,
        )
        return Mapped(
            record=Record(run=run, protocol=protocol.manifest, environment=environment.manifest),
            workload=workload.manifest,
            implementation=implementation.manifest,
            project=self._once(("project", provider.project), lambda: self._project(provider.project)).manifest,
            operation=operation.manifest,
            provider=provider.name,
            subject=kernel.name,
            remarks=reading.remarks,
        )

    def _once(self, key: tuple[str, ...], make: Callable[[], Manifest]) -> _Made:
        made = self._made.get(key)
        if made is None:
            manifest = make()
            made = self._made[key] = _Made(manifest, digest(manifest))
        return made

    def _implementation(self, kernel: Kernel, provider: Provider, operation_digest: str) -> ImplementationRevision:
        metadata: dict[str, Any] = {
            "name": kebab(f"liger-bench-{kernel.name}-{provider.name}"),
            "title": f"{kernel.title} · {provider.title}",
            "description": provider.description,
            "sourceRefs": [{"url": self._table.origin.repository}],
        }
        if provider.role is not UNSET:
            metadata["labels"] = {"role": provider.role}
        spec: dict[str, Any] = {
            "projectRevision": {},
            "operation": {"specDigest": operation_digest},
            "callable": {"language": provider.language},
            "support": {"hardwareArchitectures": [], "dtypes": []},
            "licensing": {"declared": provider.declared_licence},
        }
        if provider.pip_package is not UNSET:
            spec["buildVariants"] = [{"name": "pip", "install": {"kind": "pip", "package": provider.pip_package}}]
        if provider.concluded_licence is not UNSET:
            spec["licensing"]["concluded"] = provider.concluded_licence
        return _manifest(ImplementationRevision, metadata, spec)

    def _project(self, slug: str) -> SoftwareProject:
        project = self._table.projects[slug]
        return _manifest(
            SoftwareProject,
            {"name": slug},
            {
                "name": project.name,
                "kind": "library",
                "repository": f"https://github.com/{project.github}",
                "host": {"kind": "github", "id": project.github},
            },
        )

    def _protocol(self, mode: str) -> BenchmarkProtocol:
        protocol = self._table.protocol
        return _manifest(
            BenchmarkProtocol,
            {"name": kebab(f"liger-bench-do-bench-{mode}"), "title": f"Liger benchmark harness · {mode} pass"},
            {
                "harness": {"name": protocol.harness, "repository": self._table.origin.repository},
                "measurement": {"timer": protocol.timer, "primaryStatistic": protocol.statistic},
                "comparability": {
                    "family": protocol.family,
                    "notes": protocol.notes.format(phrase=protocol.modes[mode]),
                },
            },
        )


def _operation(kernel: Kernel, table: Table) -> OperationSpec:
    inputs, outputs = kernel.arguments(kernel.inputs), kernel.arguments(kernel.outputs)
    named = (size for argument in inputs + outputs for size in argument.shape if isinstance(size, str))
    variable = {name: {"role": "variable", "type": "integer"} for name in named if name not in kernel.derived}
    derived = {
        name: {"role": "derived", "type": "integer", "expression": expression}
        for name, expression in kernel.derived.items()
    }
    return _manifest(
        OperationSpec,
        {
            "name": kernel.slug,
            "title": kernel.title,
            "description": kernel.description,
            "sourceRefs": [{"url": table.origin.script.format(kernel=kernel.name)}],
        },
        {
            "family": kernel.family,
            "axes": variable | derived,
            "inputs": [_argument(each) for each in inputs],
            "outputs": [_argument(each) for each in outputs],
            "semantics": {"mutation": "none", "determinism": "unspecified"},
        },
    )


def _manifest(kind: type[_M], metadata: dict[str, Any], spec: dict[str, Any]) -> _M:
    return msgspec.convert({"apiVersion": API_VERSION, "kind": kind.__name__, "metadata": metadata, "spec": spec}, kind)


def _argument(argument: Argument) -> dict[str, Any]:
    dtype = "float" if argument.dtype == CONFIGURED else argument.dtype
    return {"name": argument.name, "tensor": {"shape": list(argument.shape), "dtype": dtype}}


def _workload(kernel: Kernel, bound: Bound, operation_digest: str) -> WorkloadCase:
    axes = ", ".join(f"{name}={value}" for name, value in bound.axes.items())
    spec: dict[str, Any] = {
        "operationSpecDigest": operation_digest,
        "axes": bound.axes,
        "tensors": {
            argument.name: {
                "shape": [bound.sizes[size] if isinstance(size, str) else size for size in argument.shape],
                "dtype": bound.dtype if argument.dtype == CONFIGURED else argument.dtype,
            }
            for argument in kernel.arguments(kernel.inputs)
        },
        "correctness": {"comparator": "not_asserted"},
    }
    if bound.scalars:
        spec["scalars"] = {name: {"dtype": "fp32", "value": value} for name, value in bound.scalars.items()}
    metadata = {
        "name": kebab(f"{kernel.slug}-{bound.case_key}"),
        "title": f"{kernel.title} · {axes} · {bound.dtype}",
    }
    return _manifest(WorkloadCase, metadata, spec)


def _environment(hardware: Hardware) -> ExecutionEnvironment:
    facts = {"vendor": hardware.vendor, "product": hardware.product, "architecture": hardware.architecture}
    if hardware.form_factor is not UNSET:
        facts["formFactor"] = hardware.form_factor
    return _manifest(
        ExecutionEnvironment,
        {
            "name": kebab(f"liger-bench-{hardware.gpu_name}"),
            "title": f"Liger benchmark host · {hardware.gpu_name.removeprefix('NVIDIA ')}",
        },
        {"hardware": facts, "software": {}},
    )


def _run(reading: Reading, **digests: str) -> BenchmarkRun:
    kernel, provider, mode = reading.kernel.name, reading.provider.name, reading.mode
    gpu, case = reading.hardware.gpu_name, reading.bound.case_key
    metrics = {"ms_50": reading.median_ms}
    spec: dict[str, Any] = {
        **digests,
        "status": "passed",
        "timing": {"primaryStatistic": "median", "latencyNs": {"median": nanoseconds(reading.median_ms)}},
        "sourceNative": {
            "source": SOURCE,
            "benchmark": f"{kernel}/{mode}",
            "externalId": "/".join((kernel, mode, provider, kebab(gpu), case, kebab(reading.timestamp))),
            "metrics": metrics,
        },
        "observedAt": reading.observed_at,
    }
    if reading.spread_ms is not None:
        metrics["ms_20"], metrics["ms_80"] = reading.spread_ms
        spec["measurements"] = [
            {"metric": "latency", "unit": "ns", "statistic": statistic, "value": nanoseconds(milliseconds)}
            for statistic, milliseconds in zip(("p20", "p80"), reading.spread_ms, strict=True)
        ]
    metadata = {
        "name": kebab(f"liger-{kernel}-{mode}-{provider}-{gpu}-{case}-{reading.timestamp}"),
        "title": f"{reading.kernel.title} · {provider} · {mode}",
        "labels": {"liger_version": reading.liger_version},
    }
    return _manifest(BenchmarkRun, metadata, spec)
