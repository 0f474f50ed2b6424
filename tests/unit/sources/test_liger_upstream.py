"""The whole upstream CSV against what the registry's importer made of it; skipped where the file is not there."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import msgspec
import pytest

from kernelindex_schema.identity import digest
from kernelindex_schema.sources.imported import Imported, import_file
from kernelindex_schema.v1alpha1 import Record

SHARED = Path(__file__).resolve().parents[3].parent / "shared"
CSV = SHARED / "liger" / "all_benchmark_data.csv"

pytestmark = pytest.mark.skipif(not CSV.exists(), reason="the upstream CSV is not here")


@pytest.fixture(scope="module")
def imported() -> Imported:
    return import_file(CSV, "liger")


@pytest.fixture(scope="module")
def by_external_id(imported: Imported) -> dict[str, Record]:
    return {record.run.spec.source_native.external_id: record for record in imported.runs}


def plain(value):
    return json.loads(msgspec.json.encode(value))


def table(tag: str) -> list[list[str]]:
    text = (SHARED / "reference" / "liger.md").read_text(encoding="utf-8").split(f"**[{tag}]")[1].split("\n\n")[1]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.strip().splitlines()]
    return rows[2:]


def test_counts(imported):
    assert imported.counts == {
        "rows": 2448,
        "runs": 1649,
        "operations": 35,
        "workloads": 241,
        "implementations": 80,
        "projects": 5,
        "protocols": 3,
        "environments": 6,
    }
    assert imported.skipped_by_reason == {"not-speed": 799}
    assert imported.findings == ()


def test_every_known_digest(by_external_id):
    with (SHARED / "liger" / "expected-runs.csv").open(newline="", encoding="utf-8") as file:
        expected = list(csv.DictReader(file))
    assert len(expected) == 632
    for row in expected:
        run = by_external_id[row["externalId"]].run
        spec = run.spec
        found = (
            spec.implementation_digest,
            spec.workload_digest,
            spec.protocol_digest,
            spec.environment_digest,
            digest(run),
        )
        wanted = tuple(
            row[f"{name}Digest"] for name in ("implementation", "workload", "protocol", "environment", "run")
        )
        assert found == wanted, row["externalId"]


def test_the_digests_of_a_record_are_those_of_the_manifests_beside_it(imported):
    known = {digest(each) for each in imported.manifests()}
    for record in imported.runs:
        assert record.run.spec.protocol_digest == digest(record.protocol)
        assert record.run.spec.environment_digest == digest(record.environment)
        assert record.run.spec.workload_digest in known
        assert record.run.spec.implementation_digest in known


def test_operation_digests(imported):
    expected = table("T3")
    assert len(expected) == 35
    slugs = {row[0]: row[1] for row in table("T1")}
    found = {each.metadata.name: digest(each) for each in imported.operations}
    assert found == {slugs[name]: value for name, value in expected}


def test_project_digests(imported):
    assert {each.metadata.name: digest(each) for each in imported.projects} == {row[0]: row[3] for row in table("T5")}


def test_protocol_and_environment_digests(imported):
    protocols = {each.protocol.metadata.name: each.run.spec.protocol_digest for each in imported.runs}
    assert protocols == {f"liger-bench-do-bench-{row[0]}": row[2] for row in table("T6")}
    environments = {each.run.spec.environment_digest for each in imported.runs}
    assert environments == {row[5] for row in table("T7")}


@pytest.mark.parametrize("seed", ["000_d3802b6162e02da4.txt", "001_e9217030db5c4511.txt"])
def test_seeds_and_what_they_refer_to(imported, by_external_id, seed):
    title, _, text = (SHARED / "seeds" / seed).read_text(encoding="utf-8").partition("\n")
    record = json.loads(text)
    found = by_external_id[record["run"]["spec"]["sourceNative"]["externalId"]]
    assert plain(found) == record
    target = json.loads((SHARED / "liger" / "seed-targets.json").read_text(encoding="utf-8"))[seed]
    assert digest(found.run) == target["runDigest"]
    operation = next(each for each in imported.operations if each.metadata.name == target["operation"]["slug"])
    workload = next(each for each in imported.workloads if digest(each) == target["workload"]["digest"])
    entry = next(
        each for each in imported.implementations if each.manifest.metadata.name == target["implementation"]["slug"]
    )
    assert entry.project_slug == target["implementation"]["projectSlug"]
    assert re.sub(".* · ", "", entry.manifest.metadata.title) == title == target["seedTitle"]
    for manifest, name in ((operation, "operation"), (workload, "workload"), (entry.manifest, "implementation")):
        wanted = target[name]["manifest"]
        got = plain(manifest)
        if name != "workload":
            assert got["metadata"].pop("description") != wanted["metadata"].pop("description")
        assert got == wanted
        assert digest(manifest) == target[name]["digest"]


def test_identity_traps(imported):
    assert len(imported.indistinct) == 189
    differ = [each.differ for each in imported.indistinct]
    assert (differ.count("provider"), differ.count("subject"), differ.count(None)) == (147, 24, 18)
    assert len(imported.shared_names) == 92
    assert sum(len(each.lines) for each in imported.shared_names) == 539
    assert {each.kind for each in imported.shared_names} == {"BenchmarkRun"}
    assert [each.rule for each in imported.trap_findings].count("KIX507") == 171
    assert [each.rule for each in imported.trap_findings].count("KIX506") == 92
    assert imported.trap_summary() == [
        "groups of runs with all four digests equal: 189; 171 of them mix providers (147) or what was measured (24), "
        "and only sourceNative tells those apart",
        "names shared by manifests of different digest: 92, on 539 manifests",
    ]


def test_one_half_goes_up(by_external_id):
    name = "tvd/backward/torch/"
    spread = [
        record.run.spec
        for external_id, record in by_external_id.items()
        if external_id.startswith(name) and record.run.spec.source_native.metrics["ms_20"] == 46.8328125
    ]
    assert [spec.measurements[0].value for spec in spread] == [46832813]


def test_a_folder_has_one_file_for_each_document(imported):
    names = [name for name, _ in imported.files()]
    assert len(names) == len(set(names)) == 35 + 241 + 80 + 5 + 1649
