"""What a document is does not depend on how it is written: the format, the order of keys, the authoring forms."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from manifest_values import authored, manifests

from kernelindex_schema import canonical_bytes, decode, digest, encode, iter_documents
from kernelindex_schema.codecs.archive import compress
from kernelindex_schema.codecs.formats import COMPRESSIONS, FORMATS
from kernelindex_schema.v1alpha1 import KINDS, Manifest, Record, Submission, SubmittedImplementation


def struct(value: dict[str, Any]) -> Any:
    return decode(json.dumps(value), format="json")


@pytest.mark.parametrize("format", FORMATS)
@given(value=manifests())
def test_a_manifest_reads_back_equal_from_every_format(format: str, value: dict[str, Any]) -> None:
    manifest = struct(value)
    written = encode(manifest, format=format, title="A title")
    again = decode(written, format=format)
    assert again == manifest
    assert digest(again) == digest(manifest)
    assert encode(again, format=format, title="A title") == written


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_authoring_forms_do_not_change_the_digest(kind: str, data: st.DataObject) -> None:
    value = data.draw(manifests(kind))
    manifest, other = struct(value), struct(data.draw(authored(kind, value)))
    assert other == manifest
    assert digest(other) == digest(manifest)


@given(value=manifests())
def test_the_digest_is_that_of_the_contract(value: dict[str, Any]) -> None:
    manifest = struct(value)
    # The struct holds sets in their order; everything else is as it was given.
    plain = msgspec.to_builtins(manifest)
    body = rfc8785.dumps({"apiVersion": value["apiVersion"], "kind": value["kind"], "spec": plain["spec"]})
    assert canonical_bytes(manifest) == body
    assert digest(manifest) == "sha256:" + hashlib.sha256(body).hexdigest()


@given(value=manifests(), other=manifests())
def test_metadata_is_no_part_of_the_identity(value: dict[str, Any], other: dict[str, Any]) -> None:
    assert digest(struct(value)) == digest(struct(value | {"metadata": other["metadata"]}))


@st.composite
def records(draw: st.DrawFn) -> Record:
    kinds = {"run": "BenchmarkRun", "protocol": "BenchmarkProtocol", "environment": "ExecutionEnvironment"}
    return Record(**{name: struct(draw(manifests(kind))) for name, kind in kinds.items()})


@st.composite
def submissions(draw: st.DrawFn) -> Submission:
    def some(kind: str) -> tuple[Manifest, ...]:
        return tuple(struct(each) for each in draw(st.lists(manifests(kind), min_size=1, max_size=2)))

    return Submission(
        projects=some("SoftwareProject"),
        operations=some("OperationSpec"),
        workloads=(*some("WorkloadCase"), *some("WorkloadSuite")),
        implementations=tuple(
            SubmittedImplementation(project_slug=draw(st.sampled_from(["a", "b-c"])), manifest=each)  # type: ignore[arg-type]
            for each in some("ImplementationRevision")
        ),
        runs=(draw(records()),),
    )


@pytest.mark.parametrize("format", FORMATS)
@given(record=records())
def test_a_record_reads_back_equal_from_every_format(format: str, record: Record) -> None:
    assert decode(encode(record, format=format, title="A title"), format=format) == record


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=settings().max_examples // 3)
@given(submission=submissions())
def test_a_submission_reads_back_equal_from_every_format(format: str, submission: Submission) -> None:
    assert decode(encode(submission, format=format, title="A title"), format=format) == submission


@pytest.mark.parametrize("compression", [None, *COMPRESSIONS])
@pytest.mark.parametrize("format", [each.name for each in FORMATS.values() if each.holds_streams])
@given(values=st.lists(manifests(), min_size=1, max_size=4))
def test_a_stream_reads_back_equal(
    format: str, compression: str | None, values: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    documents = [struct(value) for value in values]
    data = encode(documents, format=format)
    name = f"stream{FORMATS[format].suffixes[0]}"
    if compression is not None:
        name, data = name + COMPRESSIONS[compression].suffix, compress(data, compression)
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    found = list(iter_documents(path))
    assert [value for _, value in found] == documents
    assert [place.document for place, _ in found] == list(range(len(documents)))
