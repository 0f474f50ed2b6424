"""How the structs behave, whichever they are."""

from __future__ import annotations

import typing

import msgspec
import pytest
from msgspec import UNSET, UnsetType

import kernelindex_schema.v1alpha1 as v1alpha1
from kernelindex_schema.v1alpha1 import (
    KINDS,
    Axis,
    BenchRecord,
    Hardware,
    ImplementationSupport,
    Latency,
    Measurement,
    Metadata,
    Object,
    OperationSpec,
    ServingSourceNative,
    SoftwareProject,
    SoftwareProjectSpec,
    Submission,
    WorkloadTensor,
)
from kernelindex_schema.v1alpha1.envelope import Manifest

STRUCTS = [value for value in vars(v1alpha1).values() if isinstance(value, type) and issubclass(value, Object)]
PROJECT = {
    "apiVersion": "kernelindex.dev/v1alpha1",
    "kind": "SoftwareProject",
    "metadata": {"name": "northlight"},
    "spec": {"name": "Northlight Kernels"},
}


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
class TestEveryStruct:
    def test_optional_means_unset_and_nothing_else_has_a_default(self, struct):
        hints = typing.get_type_hints(struct)
        for field in msgspec.structs.fields(struct):
            if field.name == "api_version":
                continue
            assert field.default_factory is msgspec.NODEFAULT
            optional = UnsetType in typing.get_args(hints[field.name])
            assert field.default is (UNSET if optional else msgspec.NODEFAULT), field.name
            assert type(None) not in typing.get_args(hints[field.name]), field.name

    def test_is_frozen_keyword_only_and_closed(self, struct):
        assert struct.__struct_config__.frozen
        assert struct.__struct_config__.forbid_unknown_fields
        with pytest.raises(TypeError, match=r"Extra positional|takes no arguments|Missing required"):
            struct("positional")

    def test_wire_names_are_camel_case(self, struct):
        for field in msgspec.structs.fields(struct):
            first, *rest = field.name.split("_")
            assert field.encode_name == first + "".join(word.capitalize() for word in rest)


def test_there_are_thirteen_kinds_of_manifest():
    manifests = [struct for struct in STRUCTS if issubclass(struct, Manifest) and struct is not Manifest]
    assert len(manifests) == 13
    assert {struct.__name__ for struct in manifests} == set(KINDS)


def test_everything_public_is_exported():
    assert all(hasattr(v1alpha1, name) for name in v1alpha1.__all__)
    assert len(v1alpha1.__all__) == len(set(v1alpha1.__all__))
    assert {struct.__name__ for struct in STRUCTS} <= set(v1alpha1.__all__)


def test_kind_is_an_attribute_and_the_tag():
    project = msgspec.convert(PROJECT, SoftwareProject)
    assert project.kind == "SoftwareProject"
    assert msgspec.to_builtins(project) == PROJECT


def test_a_field_cannot_be_set():
    project = msgspec.convert(PROJECT, SoftwareProject)
    with pytest.raises(AttributeError):
        project.spec.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "changed",
    [
        {**PROJECT, "status": "new"},
        {**PROJECT, "spec": {"name": "x", "Repository": "https://example.invalid/x"}},
        {**PROJECT, "metadata": {"name": "x", "__proto__": {}}},
        {**PROJECT, "spec": {"name": "x", "homepage": None}},
        {**PROJECT, "spec": {}},
        {**PROJECT, "spec": {"name": "x", "kind": "company"}},
        {**PROJECT, "spec": {"name": "x" * 201}},
        {**PROJECT, "kind": "BenchmarkRun"},
        {**PROJECT, "apiVersion": "kernelindex.dev/v1beta1"},
    ],
    ids=["top", "spec", "proto", "null", "missing", "enum", "length", "kind", "version"],
)
def test_what_the_contract_does_not_know_is_refused(changed):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(changed, SoftwareProject)


def test_wire_names_that_renaming_could_get_wrong():
    wire = {field.name: field.encode_name for field in msgspec.structs.fields(Latency)}
    assert wire["confidence95"] == "confidence95"
    assert wire["p05"] == "p05"
    run = {field.name: field.encode_name for field in msgspec.structs.fields(KINDS["BenchmarkRun"].spec)}
    assert run["source_native"] == "sourceNative"
    assert {field.encode_name for field in msgspec.structs.fields(Hardware)} >= {"formFactor", "memoryBytes"}


class TestNumbers:
    @pytest.mark.parametrize("value", [0, -3, 2**53 - 1, 0.5, 1e300])
    def test_a_number_stays_as_it_was_written(self, value):
        measurement = msgspec.convert(
            {"metric": "latency", "unit": "ns", "statistic": "p20", "value": value}, Measurement
        )
        assert type(measurement.value) is type(value)
        assert measurement.value == value

    @pytest.mark.parametrize("value", [True, "3", None])
    def test_nothing_is_taken_for_a_number(self, value):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"metric": "latency", "unit": "ns", "statistic": "p20", "value": value}, Measurement)

    @pytest.mark.parametrize("value", [2**53, -(2**53), 1.5, True])
    def test_an_integer_is_a_safe_one(self, value):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"role": "constant", "type": "integer", "value": value}, Axis)

    @pytest.mark.parametrize("latency", [{"median": -1}, {"confidence95": [1]}, {"confidence95": [1, 2, 3]}])
    def test_a_latency_is_not_negative_and_its_interval_a_pair(self, latency):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(latency, Latency)

    def test_a_shape_needs_a_dimension(self):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"shape": [], "dtype": "bf16"}, WorkloadTensor)

    def test_serving_sources_may_state_text(self):
        native = {
            "source": "s",
            "benchmark": "b",
            "scenario": "s",
            "division": "d",
            "category": "c",
            "externalId": "x",
            "metrics": {"result": "VALID", "qps": 3.5, "n": 3},
        }
        assert msgspec.to_builtins(msgspec.convert(native, ServingSourceNative)) == native
        native["metrics"] = {"result": "x" * 501}
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(native, ServingSourceNative)


class TestSets:
    ASTRAL, PRIVATE = "\U00010000", "\ue000"

    def test_are_sorted_without_repetition(self):
        support = ImplementationSupport(
            hardware_architectures=("sm_90", "sm_80", "sm_90"),
            dtypes=("fp32", "bf16"),
            layouts=("b", "a"),
            axes=("n", "m", "n"),
            products_tested=("NVIDIA H100", "AMD MI300X"),
        )
        assert support.hardware_architectures == ("sm_80", "sm_90")
        assert support.dtypes == ("bf16", "fp32")
        assert support.layouts == ("a", "b")
        assert support.axes == ("m", "n")
        assert support.products_tested == ("AMD MI300X", "NVIDIA H100")

    def test_order_is_that_of_utf16_code_units(self):
        # U+10000 is the surrogate pair D800 DC00, which comes before E000 although the code point comes after.
        support = ImplementationSupport(
            hardware_architectures=(), dtypes=(), products_tested=(self.PRIVATE, self.ASTRAL, "z")
        )
        assert support.products_tested == ("z", self.ASTRAL, self.PRIVATE)

    def test_decoding_sorts_as_well(self):
        document = {"hardwareArchitectures": ["b", "a", "a"], "dtypes": []}
        support = msgspec.convert(document, ImplementationSupport)
        assert support.hardware_architectures == ("a", "b")
        assert support == msgspec.json.decode(msgspec.json.encode(document), type=ImplementationSupport)

    def test_absent_stays_absent_and_normal_stays_the_same_object(self):
        given = ("a", "b")
        support = ImplementationSupport(hardware_architectures=given, dtypes=())
        assert support.hardware_architectures is given
        assert support.layouts is UNSET

    @pytest.mark.parametrize("given", [["b", "a"], {"a", "b"}, frozenset("ab")])
    def test_any_collection_may_be_given(self, given):
        assert ImplementationSupport(hardware_architectures=given, dtypes=()).hardware_architectures == ("a", "b")

    @pytest.mark.parametrize("given", [5, None, (1, 2), ([], "a"), ("b", None)])
    def test_a_wrong_value_is_left_for_the_check(self, given):
        assert ImplementationSupport(hardware_architectures=given, dtypes=()).hardware_architectures == given

    def test_a_lone_surrogate_does_not_stop_sorting(self):
        support = ImplementationSupport(hardware_architectures=(), dtypes=(), layouts=("\ud800", "a"))
        assert support.layouts == ("a", "\ud800")

    def test_other_lists_keep_order_and_repetitions(self):
        tensor = msgspec.convert({"shape": [4, 2, 4], "dtype": "bf16"}, WorkloadTensor)
        assert tensor.shape == (4, 2, 4)


class TestDocuments:
    def test_every_section_of_a_submission_is_optional(self):
        assert msgspec.to_builtins(Submission()) == {}

    def test_workloads_are_cases_or_suites(self):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"workloads": [PROJECT]}, Submission)

    def test_a_bench_record_has_no_digests_and_needs_timing(self):
        record = {
            "project": {"name": "Northlight Kernels"},
            "operation": {"specDigest": "sha256:" + "0" * 64},
            "workload": {"axes": {}, "tensors": {}, "correctness": {"comparator": "not_asserted"}},
            "implementation": {"name": "x", "language": "triton"},
            "protocol": {"harness": {"name": "h"}, "measurement": {"timer": "t", "primaryStatistic": "median"}},
            "environment": {
                "hardware": {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90"},
                "software": {},
            },
            "run": {
                "timing": {"primaryStatistic": "median", "latencyNs": {"median": 5}},
                "observedAt": "2026-01-31T12:00:00Z",
            },
        }
        assert msgspec.to_builtins(msgspec.convert(record, BenchRecord)) == record
        for section in record:
            with pytest.raises(msgspec.ValidationError, match=section):
                msgspec.convert({key: value for key, value in record.items() if key != section}, BenchRecord)
        without_timing = {**record, "run": {"observedAt": "2026-01-31T12:00:00Z"}}
        with pytest.raises(msgspec.ValidationError, match="timing"):
            msgspec.convert(without_timing, BenchRecord)
        with_digest = {**record, "run": {**record["run"], "workloadDigest": "sha256:" + "0" * 64}}
        with pytest.raises(msgspec.ValidationError, match="workloadDigest"):
            msgspec.convert(with_digest, BenchRecord)


def test_construction_in_python_reads_like_the_document():
    project = SoftwareProject(
        metadata=Metadata(name="northlight"), spec=SoftwareProjectSpec(name="Northlight Kernels", kind="vendor")
    )
    assert project.api_version == "kernelindex.dev/v1alpha1"
    assert project.spec.homepage is UNSET
    assert OperationSpec.__struct_config__.tag == "OperationSpec"
