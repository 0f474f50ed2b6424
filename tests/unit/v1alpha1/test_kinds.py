"""The table of kinds."""

from __future__ import annotations

import typing

import msgspec
import pytest

from kernelindex_schema.v1alpha1 import KINDS, Submission
from kernelindex_schema.v1alpha1.scalars import DIGEST

KERNEL = [
    "SoftwareProject",
    "OperationSpec",
    "WorkloadCase",
    "WorkloadSuite",
    "ImplementationRevision",
    "BenchmarkProtocol",
    "ExecutionEnvironment",
    "BenchmarkRun",
]
SERVING = ["ModelRevision", "ServingStackRevision", "ServingConfiguration", "ServingWorkload", "ServingRun"]
REFERENCES = [(kind, reference) for kind in KINDS.values() for reference in kind.references]


def test_all_thirteen_are_there_in_order():
    assert list(KINDS) == KERNEL + SERVING
    assert [name for name, kind in KINDS.items() if kind.group == "serving"] == SERVING


@pytest.mark.parametrize("name", KINDS)
def test_entry_fits_its_classes(name):
    kind = KINDS[name]
    assert kind.name == name == kind.manifest.__name__ == kind.manifest.__struct_config__.tag
    assert kind.spec.__name__ == f"{name}Spec"
    assert typing.get_type_hints(kind.manifest)["spec"] is kind.spec
    assert kind.section is None or kind.section in Submission.__struct_fields__


def test_every_section_takes_a_kind():
    assert {kind.section for kind in KINDS.values()} - {None} == set(Submission.__struct_fields__)


def test_there_are_eleven_references():
    assert len(REFERENCES) == 11


@pytest.mark.parametrize(("kind", "reference"), REFERENCES, ids=[f"{k.name}.{r.path[-1]}" for k, r in REFERENCES])
def test_a_reference_is_a_required_digest_of_known_kinds(kind, reference):
    struct: type = kind.manifest
    for wire, attribute in zip(reference.path, reference.attributes, strict=True):
        field = {field.name: field for field in msgspec.structs.fields(struct)}[attribute]
        assert field.encode_name == wire
        assert field.required
        struct = field.type
    assert DIGEST in typing.get_args(struct)
    assert reference.kinds
    assert set(reference.kinds) <= set(KINDS)


def test_a_manifest_comes_after_what_it_refers_to():
    order = list(KINDS)
    for kind, reference in REFERENCES:
        assert all(order.index(target) < order.index(kind.name) for target in reference.kinds)


def test_no_top_level_manifest_digest_is_left_out():
    """A digest of a manifest is told by its name: ``…SpecDigest``, or ``…Digest`` directly under a spec."""
    for kind in KINDS.values():
        direct = {field.encode_name for field in msgspec.structs.fields(kind.spec) if field.name.endswith("_digest")}
        listed = {reference.path[1] for reference in kind.references if len(reference.path) == 2}
        assert direct - listed <= {"imageDigest"}


def test_a_digest_is_read_off_a_manifest():
    digest = "sha256:" + "a" * 64
    kind = KINDS["WorkloadCase"]
    document = {
        "apiVersion": "kernelindex.dev/v1alpha1",
        "kind": "WorkloadCase",
        "metadata": {"name": "case"},
        "spec": {
            "operationSpecDigest": digest,
            "axes": {},
            "tensors": {},
            "correctness": {"comparator": "not_asserted"},
        },
    }
    manifest = msgspec.convert(document, kind.manifest)
    assert kind.references[0].digest_of(manifest) == digest
