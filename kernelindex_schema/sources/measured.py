"""From a measurement made just now to a bench record, in ten lines after ``triton.testing.do_bench``.

Note that ``do_bench`` without ``quantiles`` returns the mean. Ask it for ``quantiles=[0.5, 0.2, 0.8]``, which gives the
median first and then p20 and p80, and hand each figure over by its name::

    p50, p20, p80 = do_bench(lambda: rms_norm(x, weight), quantiles=[0.5, 0.2, 0.8])
    record = bench_record(
        operation="liger-rms-norm",
        inputs={"x": x, "weight": weight},
        scalars={"eps": {"dtype": "fp32", "value": 1e-6}},
        project={"name": "Tidewater Kernels"},
        implementation={"name": "Tidewater RMSNorm", "language": "triton"},
        protocol=do_bench_protocol("tidewater-bench", timed="the forward pass"),
        latency=latency_from_ms(p50, p20=p20, p80=p80, source="tidewater-bench"),
        environment=environment(),
    )
    write(record, "rms-norm-forward.yaml")
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.assembly import examine
from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.errors import InvalidDocument
from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.sources.axis_solving import solve_axes
from kernelindex_schema.sources.device import environment
from kernelindex_schema.sources.do_bench import MeasuredLatency, do_bench_protocol, latency_from_ms
from kernelindex_schema.sources.tensors import DTYPES, describe
from kernelindex_schema.v1alpha1 import (
    BenchEnvironment,
    BenchImplementation,
    BenchProject,
    BenchProtocol,
    BenchRecord,
    OperationSpec,
    RunCorrectness,
    WorkloadCorrectness,
)

__all__ = ["MeasuredLatency", "bench_record", "do_bench_protocol", "environment", "latency_from_ms"]


def bench_record(
    *,
    operation: str | os.PathLike[str] | OperationSpec | None = None,
    inputs: Mapping[str, Any] | None = None,
    project: Mapping[str, Any] | BenchProject | None = None,
    implementation: Mapping[str, Any] | BenchImplementation | None = None,
    protocol: Mapping[str, Any] | BenchProtocol | None = None,
    latency: MeasuredLatency | None = None,
    environment: Mapping[str, Any] | BenchEnvironment | None = None,
    scalars: Mapping[str, Any] | None = None,
    axes: Mapping[str, int] | None = None,
    correctness: str | Mapping[str, Any] | WorkloadCorrectness = "not_asserted",
    result: Mapping[str, Any] | RunCorrectness | None = None,
    observed_at: str | datetime | None = None,
) -> BenchRecord:
    """A run measured just now, as a bench record that assembles.

    Whatever a bench record needs and is not given is told with the rest, by its path.

    Args:
        operation: what was computed: an OperationSpec, a file that holds one, the slug of an operation that this
            package knows (``liger-rms-norm`` …), or a digest. A digest tells no shapes, so give ``axes`` with it.
        inputs: each tensor by the name of the operation's input. Whatever has shape and dtype will do.
        project: who publishes the implementation: ``name`` and ``repository``.
        implementation: what was run: ``name``, ``language`` and whatever else a bench record states.
        protocol: how, such as from :func:`do_bench_protocol`.
        latency: the figures, from :func:`latency_from_ms`.
        environment: where, such as from :func:`environment`.
        scalars: each scalar argument as a mapping of ``dtype`` and ``value``.
        axes: axes that no shape tells; those that shapes tell are solved, and must agree.
        correctness: when a result counts as correct: a comparator, or a mapping with its bounds.
        result: how near the result came to the reference: ``comparator``, ``maximumAbsoluteError`` …
        observed_at: when; by default now. A datetime must have a zone.

    Raises:
        InvalidDocument: something is missing or contradicts; the message and ``.report`` tell everything at once.
        UnreadableDocument: the file of the operation cannot be read.
    """
    faults: list[Fault] = []
    specification, digest = _operation(operation, faults)
    tensors = _described(inputs or {}, faults)
    values = dict(axes or {})
    if specification is not None:
        _hold_inputs(specification, tensors, inputs or {}, scalars or {}, faults)
        solved, found = solve_axes(specification, tensors, {k: v for k, v in values.items() if type(v) is int})
        values = solved | {name: value for name, value in values.items() if type(value) is not int}
        faults += found
    plain: dict[str, Any] = {
        "project": project,
        "operation": {"specDigest": digest},
        "workload": {
            "axes": values if specification is not None or axes is not None else None,
            "tensors": None if inputs is None else tensors,
            "correctness": {"comparator": correctness} if isinstance(correctness, str) else correctness,
        },
        "implementation": implementation,
        "protocol": protocol,
        "environment": environment,
        "run": {"observedAt": _instant(observed_at, faults)},
    }
    if latency is not None:
        plain["run"] |= msgspec.to_builtins(latency, str_keys=True)
    if scalars:
        plain["workload"]["scalars"] = dict(scalars)
    if result is not None:
        plain["run"]["correctness"] = result
    return _checked(plain, faults)


def _operation(operation: Any, faults: list[Fault]) -> tuple[OperationSpec | None, str | None]:
    """The operation as far as it is known, and its digest."""
    from kernelindex_schema.identity import digest
    from kernelindex_schema.loading import read
    from kernelindex_schema.sources.liger import known_operation, known_slugs

    found = operation
    if operation is None:
        return None, None
    if isinstance(operation, str) and operation.startswith("sha256:"):
        return None, operation
    if isinstance(operation, str) and (known := known_operation(operation)) is not None:
        found = known
    elif isinstance(operation, os.PathLike) or (isinstance(operation, str) and os.path.exists(operation)):
        found = read(operation)
    if isinstance(found, OperationSpec):
        return found, digest(found)
    if found is operation:
        detail = f"operation is {operation!r}: no OperationSpec, digest or file, nor a slug that this package knows"
    else:
        detail = f"{os.fspath(operation)} holds a {type(found).__name__}, expected an OperationSpec"
    hint = "known slugs: " + ", ".join(known_slugs())
    faults.append(Fault(rule="KIX106", message=detail, path=("operation", "specDigest"), hint=hint))
    return None, "sha256:" + "0" * 64


def _described(inputs: Mapping[str, Any], faults: list[Fault]) -> dict[str, Any]:
    tensors = {}
    for name, tensor in inputs.items():
        try:
            tensors[name] = describe(tensor)
        except ValueError as error:
            faults.append(Fault(rule="KIX105", message=f"input {name} {error}", path=("workload", "tensors", name)))
    return tensors


def _hold_inputs(
    operation: OperationSpec,
    tensors: Mapping[str, Any],
    inputs: Mapping[str, Any],
    scalars: Mapping[str, Any],
    faults: list[Fault],
) -> None:
    """Tell the inputs that the operation has and the call lacks, and the other way round."""
    wanted = {each.name: each for each in operation.spec.inputs}
    for name, argument in wanted.items():
        section = "scalars" if argument.tensor is UNSET else "tensors"
        if name not in (scalars if argument.tensor is UNSET else inputs):
            message = f"input {name} of {operation.metadata.name} is not given"
            faults.append(Fault(rule="KIX608", message=message, path=("workload", section)))
        elif argument.tensor is not UNSET and name in tensors:
            dtype, found = argument.tensor.dtype, tensors[name].get("dtype")
            # Other tokens of an operation, such as "float", stand for several element types.
            if dtype in DTYPES.values() and found != dtype:
                message = f"input {name} is {found}, and the operation takes {dtype}"
                faults.append(Fault(rule="KIX608", message=message, path=("workload", "tensors", name, "dtype")))
    for name in inputs:
        if name not in wanted or wanted[name].tensor is UNSET:
            message = f"{operation.metadata.name} has no tensor input {name}; it has {', '.join(wanted)}"
            faults.append(Fault(rule="KIX608", message=message, path=("workload", "tensors", name), at_key=True))


def _instant(observed_at: str | datetime | None, faults: list[Fault]) -> str:
    if isinstance(observed_at, str):
        return observed_at
    if observed_at is None:
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if observed_at.tzinfo is None:
        message = "observed_at has no zone, and local time is never assumed"
        faults.append(Fault(rule="KIX106", message=message, path=("run", "observedAt"), hint="pass datetime.now(UTC)"))
        observed_at = observed_at.replace(tzinfo=UTC)
    return observed_at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _checked(plain: dict[str, Any], faults: list[Fault]) -> BenchRecord:
    from kernelindex_schema.placement import Place, finding_of

    assembled = examine(plain)
    faults = faults + assembled.faults
    place = Place(document=0)
    findings = tuple(sorted((finding_of(fault, place) for fault in faults), key=Finding.sort_key))
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if errors or assembled.record is None:
        lines = "".join(f"\n- {each.message}" + (f" ({each.hint})" if each.hint else "") for each in errors)
        raise InvalidDocument(f"no bench record comes of this:{lines}", Report(findings=findings, documents=1))
    return assembled.record
