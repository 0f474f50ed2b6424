"""The table of kinds: the one place that lists them."""

from typing import Any, Literal

import msgspec

from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.environment import ExecutionEnvironment, ExecutionEnvironmentSpec
from kernelindex_schema.v1alpha1.implementation import ImplementationRevision, ImplementationRevisionSpec
from kernelindex_schema.v1alpha1.model import ModelRevision, ModelRevisionSpec
from kernelindex_schema.v1alpha1.operation import OperationSpec, OperationSpecSpec
from kernelindex_schema.v1alpha1.project import SoftwareProject, SoftwareProjectSpec
from kernelindex_schema.v1alpha1.protocol import BenchmarkProtocol, BenchmarkProtocolSpec
from kernelindex_schema.v1alpha1.run import BenchmarkRun, BenchmarkRunSpec
from kernelindex_schema.v1alpha1.serving import (
    ServingConfiguration,
    ServingConfigurationSpec,
    ServingRun,
    ServingRunSpec,
    ServingStackRevision,
    ServingStackRevisionSpec,
    ServingWorkload,
    ServingWorkloadSpec,
)
from kernelindex_schema.v1alpha1.workload import WorkloadCase, WorkloadCaseSpec, WorkloadSuite, WorkloadSuiteSpec

__all__ = ["KINDS", "Kind", "Reference"]


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A field that names another manifest by its digest."""

    path: tuple[str, ...]
    """Wire names from the root of the manifest, such as ``("spec", "workloadDigest")``."""
    attributes: tuple[str, ...]
    """The same as attributes of the struct, such as ``("spec", "workload_digest")``."""
    kinds: tuple[str, ...]
    """Kinds that the digest may be of."""

    def digest_of(self, manifest: Manifest) -> str:
        """The digest that stands there; every reference of the contract is a required field."""
        value: Any = manifest
        for attribute in self.attributes:
            value = getattr(value, attribute)
        return value  # type: ignore[no-any-return]


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of manifest."""

    name: str
    """As written under ``kind``."""
    manifest: type[Manifest]
    """Class of the whole manifest."""
    spec: type[Object]
    """Class of its ``spec``."""
    group: Literal["kernel", "serving"]
    """``kernel``: benchmarks of single kernels. ``serving``: benchmarks of stacks that serve models."""
    section: str | None
    """List of a submission that takes it: a run stands there inside its record. None: no list takes it by itself."""
    references: tuple[Reference, ...]
    """Fields that name other manifests by digest. Digests of files are none of them."""

    @property
    def summary(self) -> str:
        """One line on what it is."""
        return (self.manifest.__doc__ or "").partition("\n")[0]


def _camel(attribute: str) -> str:
    first, *rest = attribute.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _reference(*attributes: str, to: tuple[str, ...]) -> Reference:
    attributes = ("spec", *attributes)
    return Reference(path=tuple(_camel(attribute) for attribute in attributes), attributes=attributes, kinds=to)


def _kind(
    manifest: type[Manifest],
    spec: type[Object],
    group: Literal["kernel", "serving"],
    section: str | None,
    *references: Reference,
) -> Kind:
    return Kind(
        name=manifest.__name__, manifest=manifest, spec=spec, group=group, section=section, references=references
    )


KINDS: dict[str, Kind] = {
    entry.name: entry
    for entry in (
        _kind(SoftwareProject, SoftwareProjectSpec, "kernel", "projects"),
        _kind(OperationSpec, OperationSpecSpec, "kernel", "operations"),
        _kind(
            WorkloadCase,
            WorkloadCaseSpec,
            "kernel",
            "workloads",
            _reference("operation_spec_digest", to=("OperationSpec",)),
        ),
        _kind(
            WorkloadSuite,
            WorkloadSuiteSpec,
            "kernel",
            "workloads",
            _reference("operation_spec_digest", to=("OperationSpec",)),
        ),
        _kind(
            ImplementationRevision,
            ImplementationRevisionSpec,
            "kernel",
            "implementations",
            _reference("operation", "spec_digest", to=("OperationSpec",)),
        ),
        _kind(BenchmarkProtocol, BenchmarkProtocolSpec, "kernel", None),
        _kind(ExecutionEnvironment, ExecutionEnvironmentSpec, "kernel", None),
        _kind(
            BenchmarkRun,
            BenchmarkRunSpec,
            "kernel",
            "runs",
            _reference("implementation_digest", to=("ImplementationRevision",)),
            _reference("workload_digest", to=("WorkloadCase", "WorkloadSuite")),
            _reference("protocol_digest", to=("BenchmarkProtocol",)),
            _reference("environment_digest", to=("ExecutionEnvironment",)),
        ),
        _kind(ModelRevision, ModelRevisionSpec, "serving", None),
        _kind(ServingStackRevision, ServingStackRevisionSpec, "serving", None),
        _kind(
            ServingConfiguration,
            ServingConfigurationSpec,
            "serving",
            None,
            _reference("stack_digest", to=("ServingStackRevision",)),
        ),
        _kind(ServingWorkload, ServingWorkloadSpec, "serving", None),
        _kind(
            ServingRun,
            ServingRunSpec,
            "serving",
            None,
            _reference("model_digest", to=("ModelRevision",)),
            _reference("configuration_digest", to=("ServingConfiguration",)),
            _reference("workload_digest", to=("ServingWorkload",)),
        ),
    )
}
"""Every kind by its name; a manifest comes after those that it refers to."""
