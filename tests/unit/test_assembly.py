from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernelindex_schema.assembly import assemble, assemble_value, dropped_by_registry, examine, kebab
from kernelindex_schema.errors import InvalidDocument
from kernelindex_schema.findings import Position
from kernelindex_schema.identity import digest
from kernelindex_schema.v1alpha1 import BenchRecord, Submission

EXAMPLES = Path(__file__).resolve().parents[2].parent / "shared" / "examples"

SMALLEST: dict[str, Any] = {
    "project": {"name": "Anvil"},
    "operation": {"specDigest": "sha256:" + "a" * 64},
    "workload": {
        "axes": {"rows": 16},
        "tensors": {"x": {"shape": [16], "dtype": "bf16"}, "y": {"shape": [1], "dtype": "fp32"}},
        "correctness": {"comparator": "not_asserted"},
    },
    "implementation": {"name": "Anvil Sum", "language": "triton"},
    "protocol": {
        "harness": {"name": "Anvil Bench"},
        "measurement": {"timer": "cuda_events", "primaryStatistic": "median"},
    },
    "environment": {
        "hardware": {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90"},
        "software": {},
    },
    "run": {
        "timing": {"primaryStatistic": "median", "latencyNs": {"median": 1200}},
        "observedAt": "2026-05-06T07:08:09Z",
    },
}

REQUIRED = [
    "project.name",
    "operation.specDigest",
    "workload.axes",
    "workload.tensors",
    "workload.correctness",
    "implementation.name",
    "implementation.language",
    "protocol.harness.name",
    "protocol.measurement.timer",
    "protocol.measurement.primaryStatistic",
    "environment.hardware.vendor",
    "environment.hardware.product",
    "environment.hardware.architecture",
    "environment.software",
    "run.timing.primaryStatistic",
    "run.timing.latencyNs",
    "run.observedAt",
]


def record(**changes: Any) -> dict[str, Any]:
    """The smallest bench record with values put at dotted paths (``__`` for the dot); None takes a member away."""
    value = copy.deepcopy(SMALLEST)
    for path, new in changes.items():
        *parents, last = path.split("__")
        at = value
        for parent in parents:
            at = at.setdefault(parent, {})
        if new is None:
            del at[last]
        else:
            at[last] = new
    return value


def told(value: Any) -> list[tuple[str, str]]:
    return [(each.rule, ".".join(map(str, each.path))) for each in examine(value).faults]


def by_kind(submission: Submission) -> dict[str, Any]:
    run = submission.runs[0]
    manifests = [submission.projects[0], submission.workloads[0], submission.implementations[0].manifest]
    return {each.kind: each for each in [*manifests, run.run, run.protocol, run.environment]}


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the worked example is not here")
def test_worked_example():
    expected = json.loads((EXAMPLES / "bench-record.expected.json").read_text(encoding="utf-8"))
    manifests = by_kind(assemble(json.loads((EXAMPLES / "bench-record.json").read_text(encoding="utf-8"))))
    assert {kind: each.metadata.name for kind, each in manifests.items()} == expected["names"]
    assert {kind: digest(each) for kind, each in manifests.items()} == expected["digests"]


def test_the_smallest_record():
    manifests = by_kind(assemble(SMALLEST))
    assert {kind: each.metadata.name for kind, each in manifests.items()} == {
        "SoftwareProject": "anvil",
        "WorkloadCase": "case-rows-16",
        "ImplementationRevision": "anvil-sum",
        "BenchmarkRun": "anvil-sum-case-rows-16",
        "BenchmarkProtocol": "anvil-bench-protocol",
        "ExecutionEnvironment": "nvidia-h100-env",
    }
    run = manifests["BenchmarkRun"].spec
    assert run.status == "passed"
    assert run.implementation_digest == digest(manifests["ImplementationRevision"])
    assert run.workload_digest == digest(manifests["WorkloadCase"])
    assert run.protocol_digest == digest(manifests["BenchmarkProtocol"])
    assert run.environment_digest == digest(manifests["ExecutionEnvironment"])
    assert json.loads(msgspec.json.encode(manifests["ImplementationRevision"].spec)) == {
        "projectRevision": {},
        "operation": {"specDigest": "sha256:" + "a" * 64},
        "callable": {"language": "triton"},
        "support": {
            "hardwareArchitectures": ["sm_90"],
            "productsTested": ["NVIDIA H100"],
            "dtypes": ["bf16", "fp32"],
        },
        "licensing": {},
    }
    assert manifests["SoftwareProject"].spec.host is msgspec.UNSET


def test_a_struct_and_its_plain_values_assemble_alike():
    struct = msgspec.convert(SMALLEST, BenchRecord)
    assert assemble(struct) == assemble(SMALLEST)


def test_tuples_of_a_script_are_lists():
    value = record()
    value["workload"]["tensors"]["x"]["shape"] = (16,)
    assert assemble(value) == assemble(SMALLEST)


def test_what_a_script_marks_as_absent_is_absent():
    assert assemble(record(implementation__license=msgspec.UNSET)) == assemble(SMALLEST)


def test_durations_and_sets_are_normalised_before_the_digests():
    texts = record(
        run__timing__latencyNs={"median": "1.2 us"}, implementation__architectures=["sm_90", "sm_80", "sm_90"]
    )
    whole = record(run__timing__latencyNs={"median": 1200}, implementation__architectures=["sm_80", "sm_90"])
    assert assemble(texts) == assemble(whole)


def test_a_record_that_the_registry_refuses_is_assembled_with_a_warning():
    submission, findings = assemble_value(record(run__timing__latencyNs={"median": "64.1 ms"}))
    assert submission is not None
    assert [each.rule for each in findings] == ["KIX203"]


def test_everything_missing_is_told_at_once():
    nothing = {"run": {}, "workload": {}, "implementation": {}}
    faults = examine(nothing).faults
    assert [each.message.removesuffix(" is missing") for each in faults] == REQUIRED
    assert {each.rule for each in faults} == {"KIX104"}


@pytest.mark.parametrize("stand_in", [None, "text", 3, [], True])
def test_null_and_parents_that_are_no_mapping_count_as_missing(stand_in):
    value = record()
    value["environment"]["hardware"] = stand_in
    value["protocol"] = stand_in
    value["run"]["observedAt"] = None
    assert [each.message.removesuffix(" is missing") for each in examine(value).faults] == [
        "protocol.harness.name",
        "protocol.measurement.timer",
        "protocol.measurement.primaryStatistic",
        "environment.hardware.vendor",
        "environment.hardware.product",
        "environment.hardware.architecture",
        "run.observedAt",
    ]


@pytest.mark.parametrize("path", REQUIRED)
def test_each_required_path(path):
    assert examine(record(**{path.replace(".", "__"): None})).submission is None
    (fault,) = examine(record(**{path.replace(".", "__"): None})).faults
    assert (fault.rule, fault.message) == ("KIX104", f"{path} is missing")


def test_unknown_keys_at_every_level():
    value = record(note="x", project__homepage="x", workload__tensors__x__stride=[1], run__timing__unit="ns")
    assert told(value) == [
        ("KIX103", "note"),
        ("KIX103", "project.homepage"),
        ("KIX103", "workload.tensors.x.stride"),
        ("KIX103", "run.timing.unit"),
    ]


def test_faults_and_gaps_are_told_together():
    value = record(project=None, run__status="fine", implementation__language="Triton", workload__axes={"Rows": 1})
    assert sorted(told(value)) == [
        ("KIX104", "project"),
        ("KIX106", "implementation.language"),
        ("KIX106", "workload.axes.Rows"),
        ("KIX109", "run.status"),
    ]


def test_values_that_only_a_script_can_hold():
    value = record(workload__correctness={"comparator": "close", "maxAbsoluteError": float("nan")})
    assert told(value) == [("KIX009", "workload.correctness.maxAbsoluteError")]


@pytest.mark.parametrize("value", [None, [], "text", 7])
def test_what_is_no_mapping(value):
    assert told(value) == [("KIX105", "")]


def test_a_failure_carries_the_report():
    with pytest.raises(InvalidDocument, match=r"project\.name is missing") as caught:
        assemble(record(project__name=None))
    assert [each.rule for each in caught.value.report.findings] == ["KIX104"]
    assert caught.value.report.findings[0].pointer == "/project"


def test_positions_come_from_the_loader():
    def locate(path, at_key):
        return Position(7, 3, 7, 9) if path == ("project",) else None

    submission, findings = assemble_value(record(project__name=None), locate, "bench.yaml", 2)
    assert submission is None
    (finding,) = findings
    assert (finding.file, finding.document, finding.line, finding.column) == ("bench.yaml", 2, 7, 3)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("project__name", "日本"),
        ("implementation__name", "***"),
        ("workload__name", ""),
        ("protocol__name", "…"),
        ("environment__name", " "),
    ],
)
def test_a_name_of_which_nothing_is_left(path, name):
    assert told(record(**{path: name})) == [("KIX106", path.replace("__", "."))]


def test_names_are_cut_after_the_hyphens_are_stripped():
    assert kebab("  Tidewater RoPE (fused)!") == "tidewater-rope-fused"
    assert kebab("a" * 99 + " b") == "a" * 99 + "-"
    assert kebab("\u212aelvin") == "kelvin"
    assert kebab("Größe") == "gr-e"


def test_given_names():
    value = record(workload__name="My Case", protocol__name="My Way", environment__name="My Box")
    names = {kind: each.metadata.name for kind, each in by_kind(assemble(value)).items()}
    assert names["WorkloadCase"] == "my-case"
    assert names["BenchmarkProtocol"] == "my-way"
    assert names["ExecutionEnvironment"] == "my-box"
    assert names["BenchmarkRun"] == "anvil-sum-my-case"


def test_axis_values_in_names_are_plain_decimals():
    value = record(workload__axes={"b": 3.0, "a": 1e15, "c": -2})
    assert by_kind(assemble(value))["WorkloadCase"].metadata.name == "case-b-3-a-1000000000000000-c-2"


def test_a_product_too_long_for_products_tested():
    assert told(record(environment__hardware__product="p" * 101)) == [("KIX108", "environment.hardware.product")]
    assert told(record(environment__hardware__product="𝒑" * 51)) == [("KIX108", "environment.hardware.product")]
    assert told(record(environment__hardware__product="𝒑" * 50)) == []


@pytest.mark.parametrize(
    ("repository", "host"),
    [
        ("https://github.com/a-b/c.d_e-f", "a-b/c.d_e-f"),
        ("https://github.com/a/b.git", "a/b"),
        ("https://github.com/a/b.git.git", "a/b.git"),
        ("https://github.com/a/.git", None),
        ("https://github.com/a/b/", None),
        ("https://github.com/a/b/tree/main", None),
        ("https://github.com/a_b/c", None),
        ("https://www.github.com/a/b", None),
        ("https://gitlab.com/a/b", None),
        ("https://github.com/a/ü", None),
    ],
)
def test_host_only_for_a_plain_address(repository, host):
    spec = by_kind(assemble(record(project__repository=repository)))["SoftwareProject"].spec
    assert spec.repository == repository
    assert (None if spec.host is msgspec.UNSET else spec.host.id) == host


def test_a_host_too_long_is_told_in_the_terms_of_the_record():
    long = "https://github.com/" + "a" * 150 + "/" + "b" * 150
    faults = examine(record(implementation__repository=long)).faults
    assert [(each.rule, each.path) for each in faults] == [("KIX108", ("implementation", "repository"))]
    assert faults[0].message.startswith("implementation.repository ")


COMMIT = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"


def test_build_variant_needs_repository_and_commit():
    for changes, built in (
        ({"implementation__commit": COMMIT}, False),
        ({"project__repository": "https://github.com/a/b.git"}, False),
        ({"project__repository": "https://github.com/a/b.git", "implementation__commit": COMMIT}, True),
        ({"implementation__repository": "https://example.org/b", "implementation__commit": COMMIT}, True),
    ):
        spec = by_kind(assemble(record(**changes)))["ImplementationRevision"].spec
        assert (spec.build_variants is not msgspec.UNSET) is built
        if built:
            (variant,) = spec.build_variants
            assert (variant.name, variant.install.kind, variant.install.commit) == ("source", "git", COMMIT)
            assert variant.install.repository == spec.project_revision.repository


def test_the_projects_repository_comes_first():
    value = record(project__repository="https://github.com/a/b", implementation__repository="https://github.com/c/d")
    manifests = by_kind(assemble(value))
    assert manifests["SoftwareProject"].spec.repository == "https://github.com/a/b"
    assert manifests["ImplementationRevision"].spec.project_revision.repository == "https://github.com/a/b"


def test_support_that_is_given_stands_even_if_empty():
    support = by_kind(assemble(record(implementation__architectures=[], implementation__dtypes=[])))[
        "ImplementationRevision"
    ].spec.support
    assert support.hardware_architectures == ()
    assert support.dtypes == ()


def test_what_the_registrys_assembler_drops_is_carried_over_and_named():
    measurement = {"metric": "latency", "unit": "ns", "statistic": "p20", "value": 1100}
    value = record(
        run__measurements=[measurement],
        run__sourceNative={"source": "anvil", "metrics": {"ms_50": 0.0012, "ms_20": 0.0011}},
        run__status="incorrect_numerical",
        run__correctness={"comparator": "elementwise_close", "maximumAbsoluteError": 0.5},
    )
    spec = by_kind(assemble(value))["BenchmarkRun"].spec
    assert spec.status == "incorrect_numerical"
    assert spec.measurements[0].value == 1100
    assert spec.source_native.metrics["ms_20"] == 0.0011
    assert spec.correctness.maximum_absolute_error == 0.5
    assert dropped_by_registry(value) == ("run.measurements", "run.sourceNative")
    assert dropped_by_registry(msgspec.convert(value, BenchRecord)) == ("run.measurements", "run.sourceNative")
    assert dropped_by_registry(SMALLEST) == ()
    assert dropped_by_registry("text") == ()


@pytest.mark.parametrize(
    ("made", "whence"),
    [
        (("runs", 0, "run", "spec", "timing", "latencyNs", "median"), ("run", "timing", "latencyNs", "median")),
        (("runs", 0, "run", "spec", "protocolDigest"), ("protocol",)),
        (("runs", 0, "protocol", "spec", "measurement"), ("protocol", "measurement")),
        (("runs", 0, "environment", "spec", "hardware", "product"), ("environment", "hardware", "product")),
        (("workloads", 0, "spec", "tensors", "x", "shape", 0), ("workload", "tensors", "x", "shape", 0)),
        (("workloads", 0, "spec", "operationSpecDigest"), ("operation", "specDigest")),
        (("workloads", 0, "metadata", "name"), ("workload", "axes")),
        (("implementations", 0, "manifest", "spec", "operation", "specDigest"), ("operation", "specDigest")),
        (
            ("implementations", 0, "manifest", "spec", "support", "hardwareArchitectures", 0),
            ("environment", "hardware", "architecture"),
        ),
        (("implementations", 0, "manifest", "spec", "licensing", "declared"), ("implementation", "license")),
        (("projects", 0, "spec", "name"), ("project", "name")),
        (("projects", 0, "spec", "host", "id"), ("project",)),
        ((), ()),
    ],
)
def test_places_in_the_submission_lead_back_to_the_record(made, whence):
    assert examine(SMALLEST).origin(made) == whence


def test_the_record_itself_comes_back_normalised():
    assembled = examine(record(run__timing__latencyNs={"median": "1.2 us"}))
    assert isinstance(assembled.record, BenchRecord)
    assert assembled.record.run.timing.latency_ns.median == 1200
