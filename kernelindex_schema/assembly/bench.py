"""A flat bench record to a submission whose digests chain.

Whatever is wrong is told in the terms of the bench record: its own paths, all of them at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from kernelindex_schema.assembly.chain import MAX_FAULTS, Assembled, chain
from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.construction import plain_value
from kernelindex_schema.errors import InvalidDocument
from kernelindex_schema.findings import Finding, Path, Position, Report, Severity, dotted_path
from kernelindex_schema.v1alpha1 import BenchRecord, Submission

__all__ = ["assemble", "assemble_value", "dropped_by_registry", "examine"]

REQUIRED: tuple[Path, ...] = (
    ("project", "name"),
    ("operation", "specDigest"),
    ("workload", "axes"),
    ("workload", "tensors"),
    ("workload", "correctness"),
    ("implementation", "name"),
    ("implementation", "language"),
    ("protocol", "harness", "name"),
    ("protocol", "measurement", "timer"),
    ("protocol", "measurement", "primaryStatistic"),
    ("environment", "hardware", "vendor"),
    ("environment", "hardware", "product"),
    ("environment", "hardware", "architecture"),
    ("environment", "software"),
    ("run", "timing", "primaryStatistic"),
    ("run", "timing", "latencyNs"),
    ("run", "observedAt"),
)

DROPPED: tuple[Path, ...] = (("run", "measurements"), ("run", "sourceNative"), ("run", "evidence"))


def assemble(bench_record: BenchRecord | Mapping[str, Any]) -> Submission:
    """The submission that a bench record stands for, normalised, with its digests filled in.

    Args:
        bench_record: the struct, or the plain values that a JSON, YAML or TOML file gives.

    Raises:
        InvalidDocument: something is missing or wrong; ``.report`` has every finding by its path.
    """
    submission, findings = assemble_value(bench_record)
    if submission is None:
        first = next(each for each in findings if each.severity is Severity.ERROR)
        raise InvalidDocument(
            f"the bench record cannot be assembled: {first.message}", Report(findings=findings, documents=1)
        )
    return submission


def assemble_value(
    value: Any,
    locate: Callable[[Path, bool], Position | None] | None = None,
    file: str | None = None,
    document: int = 0,
) -> tuple[Submission | None, tuple[Finding, ...]]:
    """The submission, or None, and every finding about the bench record.

    ``locate`` tells where the value at a path stands in ``file``, or the key that leads to it.
    """
    from kernelindex_schema.placement import Place, finding_of

    assembled = examine(value)
    place = Place(file=file, document=document, locate=locate)
    findings = (finding_of(fault, place) for fault in assembled.faults)
    return assembled.submission, tuple(sorted(findings, key=Finding.sort_key))


def dropped_by_registry(bench_record: BenchRecord | Mapping[str, Any]) -> tuple[str, ...]:
    """The members of a bench record that the registry's own assembler would drop, by dotted path.

    They are carried over here. Whoever has them must hand in the assembled submission, not the bench record.
    """
    plain, _ = plain_value(bench_record)
    return tuple(dotted_path(path) for path in DROPPED if _at(plain, path) is not None)


def examine(value: Any) -> Assembled:
    """Assemble a bench record, or list every fault that keeps it from being assembled."""
    from kernelindex_schema.normalize import normalize
    from kernelindex_schema.structure.faults import schema_faults, wrong_type

    value, built = plain_value(value)
    if not isinstance(value, dict):
        return Assembled(submission=None, faults=[wrong_type((), value, "a mapping: a bench record")])
    missing = [path for path in REQUIRED if _at(value, path) is None]
    faults = [_missing(path) for path in missing]
    faults += built
    normal, notes = normalize(BenchRecord, value)
    for note in notes:
        message = f"{dotted_path(note.path)} is {note.message}"
        faults.append(Fault(rule=note.rule, message=message, path=note.path, hint=note.hint))
    told = [fault.path for fault in built]
    listed = (
        fault
        for fault in schema_faults("bench-record", value)
        if not _repeats(fault, missing) and not any(fault.path[: len(at)] == at for at in told)
    )
    faults += itertools.islice(listed, MAX_FAULTS + 1)
    if all(fault.rule == "KIX203" for fault in faults):
        return chain(normal, faults)
    return Assembled(submission=None, faults=faults)


def _at(value: Any, path: Path) -> Any:
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _missing(path: Path) -> Fault:
    from kernelindex_schema.structure.faults import missing_field

    return missing_field(path[:-1], str(path[-1]))


def _repeats(fault: Fault, missing: list[Path]) -> bool:
    """Whether the schema only says of a parent, or of a null, what is told as missing by its full path."""
    if fault.rule == "KIX104":
        told = (path[: len(fault.path) + 1] for path in missing if path[: len(fault.path)] == fault.path)
        return any(_missing(path).message == fault.message for path in told)
    return fault.rule == "KIX105" and any(path[: len(fault.path)] == fault.path for path in missing)
