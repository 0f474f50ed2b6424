"""The manifests of a sound bench record, each in turn: later ones hold the digests of earlier ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec

from kernelindex_schema.assembly.names import github_id, kebab
from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Path, dotted_path
from kernelindex_schema.v1alpha1 import API_VERSION, BenchRecord, Manifest, Record, Submission, SubmittedImplementation

__all__ = ["MAX_FAULTS", "Assembled", "chain"]

MAX_FAULTS = 100
LONGEST_PRODUCT_TESTED = 100


class Assembled(msgspec.Struct, kw_only=True):
    """What a bench record came to."""

    submission: Submission | None
    """None where anything is at fault."""
    record: BenchRecord | None = None
    """The bench record itself, normalised; None where anything is at fault."""
    faults: list[Fault]
    """Faults and warnings, each with its path in the bench record."""
    origins: dict[Path, tuple[Path, bool]] = {}

    def origin(self, path: Path) -> Path:
        """The place in the bench record that a place in the submission was made from."""
        for length in range(len(path), 0, -1):
            found = self.origins.get(path[:length])
            if found is not None:
                return found[0] + path[length:] if found[1] else found[0]
        return ()


def chain(record: dict[str, Any], noted: list[Fault]) -> Assembled:
    """Assemble a bench record of plain values that is normalised and that its schema finds no fault with.

    ``noted`` are the warnings so far; they come first among the faults of the outcome.
    """
    assembly = _Assembly(record)
    submission = assembly.run()
    return Assembled(
        submission=submission,
        record=None if submission is None else msgspec.convert(record, BenchRecord),
        faults=noted + assembly.faults,
        origins=assembly.origins,
    )


class _Assembly:
    """One run of the table of reference: each manifest in turn, since later ones hold the digests of earlier ones."""

    def __init__(self, record: dict[str, Any]) -> None:
        self._record = record
        self.faults: list[Fault] = []
        self.origins: dict[Path, tuple[Path, bool]] = {}

    def run(self) -> Submission | None:
        record = self._record
        for path in self._named():
            if not kebab(_text(record, path)):
                message = f"{dotted_path(path)} is {_text(record, path)!r}, of which no name can be made"
                hint = "a name needs at least one letter a to z or digit"
                self.faults.append(Fault(rule="KIX106", message=message, path=path, hint=hint))
        self._check_product()
        if self.faults:
            return None
        project = self._project()
        workload = self._workload()
        implementation = self._implementation()
        protocol = self._flat("BenchmarkProtocol", "protocol", record["protocol"]["harness"]["name"] + " protocol")
        environment = self._flat(
            "ExecutionEnvironment", "environment", record["environment"]["hardware"]["product"] + " env"
        )
        if not (project and workload and implementation and protocol and environment):
            return None
        run = self._run(workload, implementation, protocol, environment)
        if run is None:
            return None
        return Submission(
            projects=(project,),
            workloads=(workload,),
            implementations=(SubmittedImplementation(project_slug=project.metadata.name, manifest=implementation),),
            runs=(Record(run=run, protocol=protocol, environment=environment),),
        )

    def _named(self) -> Iterator[Path]:
        """The paths whose texts names are made of."""
        yield ("project", "name")
        yield ("implementation", "name")
        for section in ("workload", "protocol", "environment"):
            if "name" in self._record[section]:
                yield (section, "name")

    def _check_product(self) -> None:
        from kernelindex_schema.structure.texts import utf16_length

        path = ("environment", "hardware", "product")
        length = utf16_length(self._record["environment"]["hardware"]["product"])
        if length > LONGEST_PRODUCT_TESTED:
            message = (
                f"{dotted_path(path)} has {length} UTF-16 units, expected at most {LONGEST_PRODUCT_TESTED}: "
                "the implementation lists it under productsTested"
            )
            self.faults.append(Fault(rule="KIX108", message=message, path=path))

    def _make(self, kind: str, place: Path, name: tuple[str, Path], spec: dict[str, Any]) -> Any:
        """The manifest, or None with its faults told in the terms of the bench record."""
        from kernelindex_schema.structure.acceptance import accept
        from kernelindex_schema.structure.faults import schema_faults

        self.origins[(*place, "metadata", "name")] = (name[1], False)
        plain = {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": kebab(name[0])}, "spec": spec}
        manifest = accept(kind, plain)
        if manifest is None:
            whence = Assembled(submission=None, faults=[], origins=self.origins)
            for fault in itertools.islice(schema_faults(kind, plain, place), MAX_FAULTS + 1):
                path = whence.origin(fault.path)
                message = fault.message.replace(dotted_path(fault.path), dotted_path(path))
                self.faults.append(msgspec.structs.replace(fault, path=path, message=message))
        return manifest

    def _repository(self) -> tuple[str | None, Path]:
        for section in ("project", "implementation"):
            if "repository" in self._record[section]:
                return self._record[section]["repository"], (section, "repository")
        return None, ("project",)

    def _project(self) -> Any:
        repository, whence = self._repository()
        name = self._record["project"]["name"]
        spec = {"name": name}
        place: Path = ("projects", 0)
        self.origins[place] = (("project",), False)
        self.origins[(*place, "spec", "name")] = (("project", "name"), False)
        for member in ("repository", "host"):
            self.origins[(*place, "spec", member)] = (whence, False)
        if repository is not None:
            spec["repository"] = repository
            if host := github_id(repository):
                spec["host"] = {"kind": "github", "id": host}
        return self._make("SoftwareProject", place, (name, ("project", "name")), spec)

    def _workload(self) -> Any:
        workload = self._record["workload"]
        place: Path = ("workloads", 0)
        self.origins[place] = (("workload",), False)
        self.origins[(*place, "spec")] = (("workload",), True)
        self.origins[(*place, "spec", "operationSpecDigest")] = (("operation", "specDigest"), False)
        if "name" in workload:
            name = workload["name"], ("workload", "name")
        else:
            sizes = (f"{axis} {value}" for axis, value in workload["axes"].items())
            name = " ".join(["case", *sizes]), ("workload", "axes")
        spec = {"operationSpecDigest": self._record["operation"]["specDigest"], **_but_name(workload)}
        return self._make("WorkloadCase", place, name, spec)

    def _implementation(self) -> Any:
        implementation, environment = self._record["implementation"], self._record["environment"]
        repository, whence = self._repository()
        place: Path = ("implementations", 0, "manifest")
        self.origins[("implementations", 0)] = (("implementation",), False)
        revision = {} if repository is None else {"repository": repository}
        if "commit" in implementation:
            revision["commit"] = implementation["commit"]
        tensors = self._record["workload"]["tensors"]
        spec: dict[str, Any] = {
            "projectRevision": revision,
            "operation": self._record["operation"],
            "callable": {
                member: implementation[member]
                for member in ("language", "path", "symbol", "interface")
                if member in implementation
            },
            "support": {
                "hardwareArchitectures": implementation.get("architectures", [environment["hardware"]["architecture"]]),
                "productsTested": [environment["hardware"]["product"]],
                "dtypes": implementation.get("dtypes", [tensor["dtype"] for tensor in tensors.values()]),
            },
            "licensing": {"declared": implementation["license"]} if "license" in implementation else {},
        }
        if len(revision) == 2:
            spec["buildVariants"] = [{"name": "source", "install": {"kind": "git", **revision}}]
        self._originate_implementation(place, whence)
        name = implementation["name"], ("implementation", "name")
        return self._make("ImplementationRevision", place, name, spec)

    def _originate_implementation(self, place: Path, repository: Path) -> None:
        implementation, hardware = self._record["implementation"], ("environment", "hardware")
        for revision in (("projectRevision",), ("buildVariants", 0, "install")):
            self.origins[(*place, "spec", *revision, "repository")] = (repository, False)
            self.origins[(*place, "spec", *revision, "commit")] = (("implementation", "commit"), False)
        self.origins[(*place, "spec", "operation")] = (("operation",), True)
        self.origins[(*place, "spec", "callable")] = (("implementation",), True)
        self.origins[(*place, "spec", "licensing")] = (("implementation", "license"), False)
        support = (*place, "spec", "support")
        self.origins[(*support, "productsTested")] = ((*hardware, "product"), False)
        # Sets are sorted, so the place of an entry within them is not that of the bench record.
        for member, key, other in (
            ("hardwareArchitectures", "architectures", (*hardware, "architecture")),
            ("dtypes", "dtypes", ("workload", "tensors")),
        ):
            self.origins[(*support, member)] = (("implementation", key) if key in implementation else other, False)

    def _flat(self, kind: str, section: str, otherwise: str) -> Any:
        """The manifest whose spec is a section of the bench record but for its name."""
        value = self._record[section]
        place: Path = ("runs", 0, section)
        self.origins[place] = ((section,), False)
        self.origins[(*place, "spec")] = ((section,), True)
        name = (value["name"], (section, "name")) if "name" in value else (otherwise, (section,))
        return self._make(kind, place, name, _but_name(value))

    def _run(self, workload: Manifest, implementation: Manifest, protocol: Manifest, environment: Manifest) -> Any:
        from kernelindex_schema.identity import digest_of

        place: Path = ("runs", 0, "run")
        self.origins[place] = (("run",), False)
        self.origins[(*place, "spec")] = (("run",), True)
        digests = {
            "implementationDigest": (implementation, "implementation"),
            "workloadDigest": (workload, "workload"),
            "protocolDigest": (protocol, "protocol"),
            "environmentDigest": (environment, "environment"),
        }
        spec: dict[str, Any] = {member: digest_of(manifest) for member, (manifest, _) in digests.items()}
        for member, (_, section) in digests.items():
            self.origins[(*place, "spec", member)] = ((section,), False)
        spec |= {"status": "passed", **self._record["run"]}
        name = f"{self._record['implementation']['name']} {workload.metadata.name}"
        return self._make("BenchmarkRun", place, (name, ("implementation", "name")), spec)


def _but_name(section: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in section.items() if key != "name"}


def _text(record: dict[str, Any], path: Path) -> str:
    value: Any = record
    for key in path:
        value = value[key]
    text: str = value
    return text
