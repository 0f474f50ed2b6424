from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from kernelindex_schema.comparison import PrimaryFigure, compare, comparison_key, correctness_key, primary_figure
from kernelindex_schema.identity import digest
from kernelindex_schema.v1alpha1 import BenchmarkRun, Record, WorkloadCase, WorkloadSuite

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "tests" / "vectors" / "comparison.json"
PUBLISHED = ROOT.parent / "shared" / "reference" / "comparison-vectors.json"


def vectors(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))


def struct_of(vector: dict) -> tuple[Record, WorkloadCase | WorkloadSuite]:
    return msgspec.convert(vector["record"], Record), msgspec.convert(vector["workload"], WorkloadCase | WorkloadSuite)


def hold(path: Path) -> int:
    found = vectors(path)
    for vector in found:
        record, workload = struct_of(vector)
        figure = primary_figure(record.run)
        assert (figure.label if figure else "none") == vector["metric"]
        assert correctness_key(workload) == vector["correctnessKey"]
        assert comparison_key(record, workload) == vector["comparisonKey"]
    return len(found)


def test_own_vectors() -> None:
    assert hold(OWN) >= 4


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published vectors are not here")
def test_published_vectors() -> None:
    assert hold(PUBLISHED) >= 15


@pytest.fixture
def record() -> Record:
    return struct_of(vectors(OWN)[0])[0]


@pytest.fixture
def workload() -> WorkloadCase:
    return struct_of(vectors(OWN)[0])[1]


def changed(record: Record, *, chain: bool = True, **over: object) -> Record:
    """The record with other run spec members, and digests that follow its protocol and environment."""
    protocol, environment = over.pop("protocol", record.protocol), over.pop("environment", record.environment)
    if chain:
        over |= {"protocol_digest": digest(protocol), "environment_digest": digest(environment)}
    run = replace(record.run, spec=replace(record.run.spec, **over))
    return replace(record, run=run, protocol=protocol, environment=environment)


def slower(record: Record, median: int) -> Record:
    timing = record.run.spec.timing
    return changed(record, timing=replace(timing, latency_ns=replace(timing.latency_ns, median=median)))


def in_another_form_factor(record: Record, form_factor: object) -> Record:
    spec = record.environment.spec
    hardware = replace(spec.hardware, form_factor=form_factor)
    return changed(record, environment=replace(record.environment, spec=replace(spec, hardware=hardware)))


def timing(statistic: str, **latency: int) -> dict:
    return {"primaryStatistic": statistic, "latencyNs": latency}


@pytest.mark.parametrize(
    ("spec", "figure"),
    [
        ({"timing": timing("median", median=5, mean=6)}, PrimaryFigure("latency", "median", "ns", 5)),
        ({"timing": timing("mean", median=5, mean=6)}, PrimaryFigure("latency", "mean", "ns", 6)),
        ({"timing": timing("mean", median=5)}, PrimaryFigure("latency", "mean", "ns", 5)),
        ({"timing": timing("median", mean=6)}, PrimaryFigure("latency", "median", "ns", 6)),
        ({"timing": timing("p95", median=5, mean=6, p95=9)}, PrimaryFigure("latency", "p95", "ns", 5)),
        ({"measurements": []}, None),
        ({}, None),
        (
            {"measurements": [{"metric": "memory", "unit": "bytes", "statistic": "maximum", "value": 7}]},
            PrimaryFigure("memory", "maximum", "bytes", 7),
        ),
    ],
)
def test_the_primary_figure(record: Record, spec: dict, figure: PrimaryFigure | None) -> None:
    plain = msgspec.to_builtins(record.run)
    plain["spec"] = {
        name: item for name, item in plain["spec"].items() if name not in ("timing", "measurements")
    } | spec
    assert primary_figure(msgspec.convert(plain, BenchmarkRun)) == figure


def test_a_record_against_itself(record: Record, workload: WorkloadCase) -> None:
    outcome = compare(record, record, workload, workload)
    assert outcome.comparable
    assert outcome.ratio == 1


def test_the_ratio_is_the_first_over_the_second(record: Record) -> None:
    outcome = compare(record, slower(record, record.run.spec.timing.latency_ns.median * 2))
    assert outcome.comparable
    assert outcome.ratio == 0.5
    assert outcome.first is not None
    assert compare(record, slower(record, 0)).ratio is None


def test_another_environment_names_the_field(record: Record) -> None:
    outcome = compare(in_another_form_factor(record, "SXM4-80GB"), in_another_form_factor(record, "PCIe"))
    assert not outcome.comparable
    assert outcome.ratio is None
    assert [str(one) for one in outcome.differences] == [
        "environment: spec.hardware.formFactor is SXM4-80GB here, PCIe there"
    ]
    (one,) = compare(in_another_form_factor(record, "PCIe"), in_another_form_factor(record, msgspec.UNSET)).differences
    assert str(one) == "environment: spec.hardware.formFactor is PCIe here, absent there"


def test_another_protocol_names_every_field(record: Record) -> None:
    spec = record.protocol.spec
    measurement = replace(spec.measurement, timer="wall_clock", samples=100)
    other = changed(record, protocol=replace(record.protocol, spec=replace(spec, measurement=measurement)))
    assert [str(one) for one in compare(record, other).differences] == [
        "protocol: spec.measurement.timer is cuda_events here, wall_clock there",
        "protocol: spec.measurement.samples is absent here, 100 there",
    ]


def test_another_primary_figure(record: Record) -> None:
    other = changed(record, timing=msgspec.UNSET)
    (one,) = compare(record, other).differences
    assert str(one) == "metric: primary figure is latency:median:ns here, absent there"


def with_workload(record: Record, workload: WorkloadCase | WorkloadSuite) -> Record:
    return changed(record, workload_digest=digest(workload))


def test_another_workload(record: Record, workload: WorkloadCase) -> None:
    spec = workload.spec
    other = replace(
        workload,
        spec=replace(
            spec,
            operation_spec_digest="sha256:" + "0" * 64,
            axes=dict(spec.axes) | {"seq": 1},
            correctness=replace(spec.correctness, comparator="elementwise_close"),
        ),
    )
    there = with_workload(record, other)
    members = [(one.member, one.path) for one in compare(record, there, workload, other).differences]
    assert members == [
        ("operation", "spec.operationSpecDigest"),
        ("workload", "spec.axes.seq"),
        ("correctness", "spec.correctness.comparator"),
    ]
    for given in ((None, None), (workload, None), (None, other)):
        members = [(one.member, one.path) for one in compare(record, there, *given).differences]
        assert members == [("workload", "run.spec.workloadDigest")]


def test_a_case_and_a_suite(record: Record, workload: WorkloadCase) -> None:
    other_record, suite = struct_of(vectors(OWN)[-1])
    assert isinstance(suite, WorkloadSuite)
    (one, *_) = compare(record, other_record, workload, suite).differences
    assert str(one) == "workload: kind is WorkloadCase here, WorkloadSuite there"


def test_the_implementation_is_what_a_cohort_compares(record: Record, workload: WorkloadCase) -> None:
    other = changed(record, implementation_digest="sha256:" + "0" * 64)
    assert compare(record, other).comparable
    assert comparison_key(record, workload) == comparison_key(other, workload)


def test_a_record_that_does_not_chain_has_no_cohort(record: Record, workload: WorkloadCase) -> None:
    broken = changed(record, chain=False, protocol_digest="sha256:" + "0" * 64)
    with pytest.raises(ValueError, match=r"run\.spec\.protocolDigest is sha256:0+, but that BenchmarkProtocol has"):
        comparison_key(broken, workload)
    with pytest.raises(ValueError, match="the second record has no cohort"):
        compare(record, broken)
    with pytest.raises(ValueError, match="workloadDigest"):
        comparison_key(changed(record, workload_digest="sha256:" + "0" * 64), workload)
