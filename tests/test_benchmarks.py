"""The benchmarks run, and what they measure over is sound. No test looks at a time."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="no checkout")

SOUND = """
import kernelindex_schema as kix
from benchmarks.records import Catalog

lines = list(Catalog().lines(3000))
assert lines == list(Catalog().lines(3000)), "the same seed gives the same records"
assert lines != list(Catalog(2).lines(3000))
report = kix.check_data(b"".join(lines), "jsonl")
assert report.findings == (), report.findings[:3]
assert (report.documents, report.manifests) == (3000, 9000)
runs = [kix.decode(line, format="json").run for line in lines]
assert len({run.metadata.name for run in runs}) == len({kix.digest(run) for run in runs}) == 3000
assert len({run.spec.implementation_digest for run in runs}) < 100
"""


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_records_of_the_benchmarks_are_sound():
    run("-c", SOUND)


@pytest.fixture(scope="module")
def told():
    return run("-m", "benchmarks", "--tiny")


@pytest.mark.parametrize(
    "measured",
    [
        "structure / limit",
        "check / structure",
        "structure / msgspec + rfc8785",
        "jsonschema / structure",
        "one JSON file / import msgspec, click",
        "2 JSON files, two processes, times as fast",
        "2 YAML files, ours, ms",
        "memory over 5 records, MB",
        "two processes, times as fast",
    ],
)
def test_everything_is_measured(told, measured):
    assert any(line.startswith(measured) for line in told.splitlines()), told


@pytest.mark.parametrize(
    ("module", "measured"),
    [
        ("pydantic", "pydantic v2 / structure"),
        ("fastjsonschema", "fastjsonschema / structure"),
        ("jsonschema_rs", "jsonschema-rs / structure"),
        ("check_jsonschema", "one JSON file / check-jsonschema"),
    ],
)
def test_peers_are_measured_where_they_are_there(told, module, measured):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    assert measured in told


def test_no_canonical_form_differs(told):
    assert "NOT REACHED" not in told.partition("\ncanonical\n")[2].partition("\nstarts\n")[0]
