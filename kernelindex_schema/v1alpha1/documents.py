"""The documents around manifests: record, submission and the flat bench record."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.envelope import Object
from kernelindex_schema.v1alpha1.environment import ExecutionEnvironment, ExecutionEnvironmentSpec
from kernelindex_schema.v1alpha1.implementation import ImplementationRevision, ImplementedOperation
from kernelindex_schema.v1alpha1.operation import OperationSpec
from kernelindex_schema.v1alpha1.project import SoftwareProject
from kernelindex_schema.v1alpha1.protocol import BenchmarkProtocol, BenchmarkProtocolSpec
from kernelindex_schema.v1alpha1.run import (
    BenchmarkRun,
    Evidence,
    Measurement,
    RunCorrectness,
    RunStatus,
    SourceNative,
    Timing,
)
from kernelindex_schema.v1alpha1.scalars import AxisName, GitCommit, HttpsUrl, Instant, Int, Token
from kernelindex_schema.v1alpha1.workload import (
    WorkloadCase,
    WorkloadCorrectness,
    WorkloadScalar,
    WorkloadSuite,
    WorkloadTensor,
)

__all__ = [
    "BenchEnvironment",
    "BenchImplementation",
    "BenchProject",
    "BenchProtocol",
    "BenchRecord",
    "BenchRun",
    "BenchWorkload",
    "Record",
    "Submission",
    "SubmittedImplementation",
]


class Record(Object, frozen=True, kw_only=True):
    """A run together with the two manifests that say how and where it was measured."""

    run: BenchmarkRun
    """The run; its ``protocolDigest`` and ``environmentDigest`` are those of the manifests beside it."""
    protocol: BenchmarkProtocol
    """The protocol that the run followed."""
    environment: ExecutionEnvironment
    """The environment that the run took place in."""


class SubmittedImplementation(Object, frozen=True, kw_only=True):
    """An implementation together with the project that it belongs to."""

    project_slug: str
    """``metadata.name`` of the SoftwareProject, in this submission or already in the registry."""
    manifest: ImplementationRevision
    """The implementation."""


class Submission(Object, frozen=True, kw_only=True):
    """Manifests handed to a registry in one piece; at least one in all."""

    projects: tuple[SoftwareProject, ...] | UnsetType = UNSET
    """Projects. Absent: those concerned are already in the registry."""
    operations: tuple[OperationSpec, ...] | UnsetType = UNSET
    """Operations. Absent: those concerned are already in the registry."""
    workloads: tuple[WorkloadCase | WorkloadSuite, ...] | UnsetType = UNSET
    """Workloads. Absent: those concerned are already in the registry."""
    implementations: tuple[SubmittedImplementation, ...] | UnsetType = UNSET
    """Implementations, each with its project. Absent: those concerned are already in the registry."""
    runs: tuple[Record, ...] | UnsetType = UNSET
    """Runs, each with its protocol and environment. Absent: nothing was measured."""


class BenchProject(Object, frozen=True, kw_only=True):
    """Who publishes the implementation of a bench record; becomes a SoftwareProject."""

    name: Annotated[str, Meta(max_length=200)]
    """The project's name as it writes it."""
    repository: HttpsUrl | UnsetType = UNSET
    """Source repository. Absent: the implementation's, if any."""


class BenchWorkload(Object, frozen=True, kw_only=True):
    """What a bench record measured on; becomes a WorkloadCase of the operation beside it."""

    name: str | UnsetType = UNSET
    """Name, from which the manifest's name is made. Absent: made from the axes and their values."""
    axes: dict[AxisName, Int]
    """Value of each axis, by name; at least every variable axis of the operation."""
    tensors: dict[Token, WorkloadTensor]
    """Each tensor argument, by its name in the operation."""
    scalars: dict[Token, WorkloadScalar] | UnsetType = UNSET
    """Each scalar argument, by its name in the operation. Absent: there are none, or they are not told."""
    correctness: WorkloadCorrectness
    """When a result counts as correct."""


class BenchImplementation(Object, frozen=True, kw_only=True):
    """What a bench record measured; becomes an ImplementationRevision."""

    name: str
    """Name, from which the manifest's name is made."""
    language: Token
    """What the kernel is written in, such as ``triton``."""
    path: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    """File within the repository. Absent: not told."""
    symbol: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Name of the function or class in that file. Absent: not told."""
    interface: Token | UnsetType = UNSET
    """How it is called, such as ``torch_module``. Absent: not told."""
    repository: HttpsUrl | UnsetType = UNSET
    """Source repository, where the project states none of its own. Absent: the project's, if any."""
    commit: GitCommit | UnsetType = UNSET
    """Full git commit (``git rev-parse HEAD``). Absent: not known."""
    architectures: tuple[Token, ...] | UnsetType = UNSET
    """Architectures that it runs on. Absent: the one that it was measured on."""
    dtypes: tuple[Token, ...] | UnsetType = UNSET
    """Element types that it takes. Absent: those of the workload's tensors."""
    license: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Licence that the project states, as an SPDX licence expression. Absent: not known."""


class BenchProtocol(BenchmarkProtocolSpec, frozen=True, kw_only=True):
    """How a bench record was taken: the spec of a BenchmarkProtocol, and a name."""

    name: str | UnsetType = UNSET
    """Name, from which the manifest's name is made. Absent: made from the harness's name."""


class BenchEnvironment(ExecutionEnvironmentSpec, frozen=True, kw_only=True):
    """Where a bench record was taken: the spec of an ExecutionEnvironment, and a name."""

    name: str | UnsetType = UNSET
    """Name, from which the manifest's name is made. Absent: made from the product's name."""


class BenchRun(Object, frozen=True, kw_only=True):
    """What a bench record found; becomes a BenchmarkRun, to which the digests are added."""

    status: RunStatus | UnsetType = UNSET
    """How the run ended. Absent: ``passed``."""
    correctness: RunCorrectness | UnsetType = UNSET
    """How near the result came to the reference. Absent: not compared, or not recorded."""
    timing: Timing
    """What was timed; a run without timing cannot be written as a bench record."""
    measurements: tuple[Measurement, ...] | UnsetType = UNSET
    """Further figures, one for each metric and statistic. Absent: none."""
    source_native: SourceNative | UnsetType = UNSET
    """The source's own figures. Absent: the run is recorded here in the first place."""
    evidence: Evidence | UnsetType = UNSET
    """What lets somebody else check the run. Absent: nothing is published."""
    observed_at: Instant
    """When it was measured, in UTC, such as ``2026-01-31T12:00:00Z``; the spelling is part of the identity."""


class BenchRecord(Object, frozen=True, kw_only=True):
    """Exactly one run with its context, flat and without digests, as a harness writes it.

    It is assembled into a submission whose digests chain.
    """

    project: BenchProject
    """Who publishes the implementation."""
    operation: ImplementedOperation
    """Which operation was run; its digest is copied from the operation's identity."""
    workload: BenchWorkload
    """What it was run on."""
    implementation: BenchImplementation
    """What was run."""
    protocol: BenchProtocol
    """How the time was taken."""
    environment: BenchEnvironment
    """Where it was run."""
    run: BenchRun
    """What was found."""
