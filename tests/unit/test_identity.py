"""Digests: of what, of how it is written, and of what is not fit to have one."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785

from kernelindex_schema import UnencodableValue, canonical_bytes, decode, digest, read
from kernelindex_schema.identity import digest_of
from kernelindex_schema.v1alpha1 import KINDS

VALID = Path(__file__).parents[1] / "fixtures" / "valid"
EXAMPLES = Path(__file__).parents[2] / "examples" / "valid"


def manifest(kind: str, name: str = "full.json") -> Any:
    return read(VALID / kind / name)


@pytest.mark.parametrize("kind", KINDS)
def test_canonical_bytes_are_rfc_8785(kind: str) -> None:
    struct = manifest(kind)
    plain = msgspec.to_builtins(struct)
    expected = rfc8785.dumps({"apiVersion": plain["apiVersion"], "kind": plain["kind"], "spec": plain["spec"]})
    assert canonical_bytes(struct) == expected
    assert digest(struct) == digest_of(struct) == "sha256:" + hashlib.sha256(expected).hexdigest()


def test_the_vector_of_the_contract() -> None:
    text = json.dumps(
        {
            "apiVersion": "kernelindex.dev/v1alpha1",
            "kind": "SoftwareProject",
            "metadata": {"name": "any"},
            "spec": {"name": "Vector Project", "repository": "https://example.invalid/vector/project"},
        }
    )
    found = digest(decode(text, format="json"))
    assert found == "sha256:bea60af06f12216679b113d6624c5293d59bef2104ccc27cd33c992d124e039d"


@pytest.mark.parametrize("name", ["liger-rope-backward", "transformers-embedding-full"])
@pytest.mark.parametrize("suffix", ["txt", "yaml"])
def test_the_chain_of_the_seed_records(name: str, suffix: str) -> None:
    record = read(EXAMPLES / f"{name}.{suffix}")
    assert record.run.spec.protocol_digest == digest(record.protocol)
    assert record.run.spec.environment_digest == digest(record.environment)
    assert (
        digest(record.run)
        == {
            "liger-rope-backward": "sha256:f32ed190b0d77ac4527ab39684daae3a0c0cd160528b4c71b0558aac388fbe1e",
            "transformers-embedding-full": "sha256:1116650233510376110d383ae035b8d537e053d7ab67b0ec5d79b627f877bc0b",
        }[name]
    )


def with_metrics(metrics: dict[str, Any]) -> Any:
    run = manifest("BenchmarkRun")
    native = msgspec.structs.replace(run.spec.source_native, metrics=metrics)
    return msgspec.structs.replace(run, spec=msgspec.structs.replace(run.spec, source_native=native))


def test_one_pass_is_taken_only_where_it_is_exact() -> None:
    """A manifest without an odd float is written in one go; one such float anywhere must be noticed."""
    source = random.Random(1)
    numbers = [0.1, 1.5, -2.25, 1e-5, 123456.789, 9007199254740991]
    odd = [1.0, -0.0, 0.0, 1e-6, 9.999999999999999e-06, 1e16, 1e21, 1e22, 5e-324, 1.7976931348623157e308, -1e-7]
    for number in odd + [source.uniform(-1, 1) * 10 ** source.randint(-12, 30) for _ in range(300)]:
        metrics = {f"m{index}": each for index, each in enumerate(source.sample([*numbers, number], k=7))}
        struct = with_metrics(metrics)
        spec = msgspec.to_builtins(struct.spec)
        body = rfc8785.dumps({"apiVersion": struct.api_version, "kind": struct.kind, "spec": spec})
        assert canonical_bytes(struct) == body, number


def test_keys_beyond_the_basic_plane_sort_by_utf16() -> None:
    environment = manifest("ExecutionEnvironment")
    variables = {"\ufb33": "1", "\U0001f600": "2", "\ue000": "3", "z": "4"}
    settings = msgspec.structs.replace(environment.spec.settings, environment_variables=variables)
    struct = msgspec.structs.replace(environment, spec=msgspec.structs.replace(environment.spec, settings=settings))
    found = canonical_bytes(struct).decode()
    places = [found.index(f'"{key}":"{value}"') for key, value in sorted(variables.items(), key=lambda pair: pair[1])]
    by_utf16 = ["z", "\U0001f600", "\ue000", "\ufb33"]
    assert [
        key for _, key in sorted(zip(places, sorted(variables, key=variables.__getitem__), strict=True))
    ] == by_utf16


def test_integers_and_integral_floats_are_one_value() -> None:
    assert digest(with_metrics({"a": 14150})) == digest(with_metrics({"a": 14150.0}))
    assert digest(with_metrics({"a": 0})) == digest(with_metrics({"a": -0.0}))
    assert digest(with_metrics({"a": 1})) != digest(with_metrics({"a": 1.0000000000000002}))


@pytest.mark.parametrize("wrong", [{}, "x", None, 5, b"", [1]])
def test_only_a_manifest_struct_has_a_digest(wrong: Any) -> None:
    with pytest.raises(TypeError, match="decode the document first"):
        digest(wrong)
    with pytest.raises(TypeError):
        canonical_bytes(wrong)


def test_a_record_has_no_digest_of_its_own() -> None:
    with pytest.raises(TypeError, match="Record"):
        digest(read(EXAMPLES / "record.yaml"))


@pytest.mark.parametrize("wrong", ["410.24 us", 410240.0, -1, 2**53, None, float("nan"), float("inf"), "", object()])
def test_a_struct_with_a_wrong_value_has_no_digest(wrong: Any) -> None:
    run = manifest("BenchmarkRun")
    latency = msgspec.structs.replace(run.spec.timing.latency_ns, median=wrong)
    timing = msgspec.structs.replace(run.spec.timing, latency_ns=latency)
    with pytest.raises(UnencodableValue, match="BenchmarkRun"):
        digest(msgspec.structs.replace(run, spec=msgspec.structs.replace(run.spec, timing=timing)))


def test_sets_are_sorted_when_a_struct_is_built() -> None:
    implementation = manifest("ImplementationRevision")
    support = msgspec.structs.replace(implementation.spec.support, dtypes=("fp16", "bf16", "fp16"))
    assert support.dtypes == ("bf16", "fp16")
    spec = msgspec.structs.replace(implementation.spec, support=support)
    assert digest(msgspec.structs.replace(implementation, spec=spec)) == digest(implementation)
