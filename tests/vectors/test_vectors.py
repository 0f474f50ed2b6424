"""The identity vectors: data that any language can run, and this package must agree with."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from kernelindex_schema import canonical_bytes, decode, digest, encode
from kernelindex_schema.codecs.formats import FORMATS
from kernelindex_schema.v1alpha1 import KINDS

FILE = Path(__file__).parent / "identity.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_bytes())["vectors"]


def test_the_file_is_plain_and_covers_every_kind() -> None:
    assert FILE.read_bytes().isascii()
    names = [vector["name"] for vector in VECTORS]
    assert len(names) == len(set(names)) >= 25
    assert {json.loads(vector["canonical"])["kind"] for vector in VECTORS} == set(KINDS)
    for vector in VECTORS:
        assert set(vector) == {"name", "about", "input", "canonical", "digest"}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_vector_is_right_in_itself(vector: dict[str, Any]) -> None:
    canonical = vector["canonical"].encode()
    assert vector["digest"] == "sha256:" + hashlib.sha256(canonical).hexdigest()
    # Every number of JSON is a double (RFC 8785, section 3.2.2.3).
    assert rfc8785.dumps(json.loads(canonical, parse_int=float)) == canonical


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_package_agrees(vector: dict[str, Any]) -> None:
    manifest = decode(vector["input"], format="json")
    assert canonical_bytes(manifest).decode() == vector["canonical"]
    assert digest(manifest) == vector["digest"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_vector_keeps_its_digest_in_every_format(vector: dict[str, Any], format: str) -> None:
    manifest = decode(vector["input"], format="json")
    assert digest(decode(encode(manifest, format=format, title="A title"), format=format)) == vector["digest"]


def test_the_vector_of_the_contract_and_its_twins() -> None:
    digests = {vector["name"]: vector["digest"] for vector in VECTORS}
    expected = "sha256:bea60af06f12216679b113d6624c5293d59bef2104ccc27cd33c992d124e039d"
    for name in ("contract", "metadata-is-no-part", "key-order-and-white-space"):
        assert digests[name] == expected


def test_another_language_agrees() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    script = """
        const { createHash } = require('crypto');
        const { vectors } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
        const canonical = (value) => Array.isArray(value) ? `[${value.map(canonical).join(',')}]`
            : value && typeof value === 'object'
            ? `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
            : JSON.stringify(value);
        const wrong = vectors.filter((vector) => canonical(JSON.parse(vector.canonical)) !== vector.canonical
            || 'sha256:' + createHash('sha256').update(vector.canonical).digest('hex') !== vector.digest);
        console.log(JSON.stringify(wrong.map((vector) => vector.name)));
    """
    done = subprocess.run([node, "-e", script], input=FILE.read_bytes(), capture_output=True, check=True)
    assert json.loads(done.stdout) == []
