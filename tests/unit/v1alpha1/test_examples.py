"""The examples decode into the structs, cover every kind and refer to each other."""

from __future__ import annotations

import json
import tomllib
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from kernelindex_schema.identity import digest
from kernelindex_schema.normalize import parse_duration
from kernelindex_schema.v1alpha1 import KINDS, BenchRecord, Manifest, Object, Record, Submission

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "valid"
ANY_MANIFEST: Any = reduce(or_, (kind.manifest for kind in KINDS.values()))
DURATIONS = {"warmupDuration", "median", "mean", "p05", "p95", "minimum", "maximum", "mad"}


class _NoDates(yaml.SafeLoader):
    """YAML 1.2 has no dates."""


_NoDates.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def documents(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".yaml":
            return list(yaml.load_all(text, Loader=_NoDates))
        case ".jsonl":
            return [json.loads(line) for line in text.splitlines()]
        case ".txt":
            title, blank, record = text.split("\n", 2)
            assert title
            assert not blank
            return [json.loads(record)]
        case ".toml":
            document = tomllib.loads(text)
            document["spec"]["observedAt"] = document["spec"]["observedAt"].strftime("%Y-%m-%dT%H:%M:%SZ")
            return [document]
    raise AssertionError(f"{path.name}: no test reads this format")


def in_nanoseconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: parse_duration(item) if key in DURATIONS and isinstance(item, str) else in_nanoseconds(item)
            for key, item in value.items()
        }
    return [in_nanoseconds(item) for item in value] if isinstance(value, list) else value


def decoded(document: Any) -> Object:
    shape: Any = Submission
    if "kind" in document:
        shape = ANY_MANIFEST
    elif "workload" in document:
        shape = BenchRecord
    elif "run" in document:
        shape = Record
    return msgspec.convert(in_nanoseconds(document), shape)


def manifests_of(value: Any) -> list[Manifest]:
    if isinstance(value, Manifest):
        return [value]
    if isinstance(value, msgspec.Struct):
        return [found for name in value.__struct_fields__ for found in manifests_of(getattr(value, name))]
    return [found for item in value for found in manifests_of(item)] if isinstance(value, tuple) else []


FILES = sorted(EXAMPLES.iterdir())
VALUES = {path.name: [decoded(document) for document in documents(path)] for path in FILES}
MANIFESTS = [found for values in VALUES.values() for value in values for found in manifests_of(value)]
DIGESTS = {digest(manifest): manifest for manifest in MANIFESTS}


def test_there_is_enough_to_look_at():
    assert len(FILES) >= 22
    assert {path.suffix for path in FILES} == {".yaml", ".toml", ".jsonl", ".txt"}
    assert len(MANIFESTS) >= 60
    assert {type(value).__name__ for values in VALUES.values() for value in values} >= {
        "Record",
        "Submission",
        "BenchRecord",
    }


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_has_its_file(name):
    dashed = "".join("-" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("-")
    (manifest,) = VALUES[f"{dashed}.yaml"]
    assert manifest.kind == name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_has_a_document_and_unix_lines(path):
    assert VALUES[path.name]
    assert b"\r" not in path.read_bytes()


# The operation, workload and implementation of these two stand in the registry that they were taken from.
@pytest.mark.parametrize("path", [p for p in FILES if not p.stem.startswith(("liger", "trans"))], ids=lambda p: p.name)
def test_every_reference_is_to_another_example(path):
    for value in VALUES[path.name]:
        for manifest in manifests_of(value):
            for reference in KINDS[manifest.kind].references:
                target = DIGESTS.get(reference.digest_of(manifest))
                assert target is not None, f"{manifest.metadata.name}: {'.'.join(reference.path)} refers to no example"
                assert target.kind in reference.kinds


def test_records_chain():
    count = 0
    for values in VALUES.values():
        for value in values:
            for record in (value.runs or ()) if isinstance(value, Submission) else (value,):
                if isinstance(record, Record):
                    count += 1
                    assert record.run.spec.protocol_digest == digest(record.protocol)
                    assert record.run.spec.environment_digest == digest(record.environment)
    assert count >= 12


def test_a_submission_is_complete_in_itself():
    (submission,) = VALUES["submission.yaml"]
    inside = {digest(manifest) for manifest in manifests_of(submission)}
    for manifest in manifests_of(submission):
        for reference in KINDS[manifest.kind].references:
            assert reference.digest_of(manifest) in inside
    slugs = {project.metadata.name for project in submission.projects}
    assert {implementation.project_slug for implementation in submission.implementations} <= slugs


@pytest.mark.parametrize("name", ["liger-rope-backward", "transformers-embedding-full"])
def test_a_record_page_and_its_yaml_are_the_same_record(name):
    assert VALUES[f"{name}.txt"] == VALUES[f"{name}.yaml"]


def test_optional_fields_are_shown():
    """Across the examples nearly every field of every kind is used at least once."""
    used: dict[type, set[str]] = {}

    def look(value: Any) -> None:
        if isinstance(value, msgspec.Struct):
            used.setdefault(type(value), set()).update(
                name for name in value.__struct_fields__ if getattr(value, name) is not msgspec.UNSET
            )
            for name in value.__struct_fields__:
                look(getattr(value, name))
        elif isinstance(value, tuple | dict):
            for item in value.values() if isinstance(value, dict) else value:
                look(item)

    look(tuple(MANIFESTS))
    unused = {
        f"{struct.__name__}.{name}" for struct, names in used.items() for name in set(struct.__struct_fields__) - names
    }
    assert unused == {
        "MeasurementProcedure.warmup_iterations",  # the protocols warm up for a duration
        "Parallelism.context",
        "Parallelism.expert",
        "TensorData.artifact",  # the elements are generated
    }
