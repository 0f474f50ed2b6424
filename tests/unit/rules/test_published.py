"""Published records must get no finding that is not true; skipped where they are not there."""

from __future__ import annotations

import collections
import csv
import json
from pathlib import Path

import msgspec
import pytest

from kernelindex_schema.identity import digest
from kernelindex_schema.rules import checks_for
from kernelindex_schema.rules.doubt import beyond_doubt
from kernelindex_schema.rules.reference import are_indistinct, run_identity
from kernelindex_schema.v1alpha1 import KINDS, Record, WorkloadCase, WorkloadSuite

SHARED = Path(__file__).resolve().parents[3].parent / "shared"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the published records are not here")


def test_the_seed_records(desk) -> None:
    seeds = sorted((SHARED / "seeds").glob("*.txt"))
    assert len(seeds) == 2
    for seed in seeds:
        page = seed.read_text(encoding="utf-8").partition("\n\n")[2]
        assert desk.told(msgspec.json.decode(page, type=Record)) == []


def test_records_of_flashinfer_bench(desk) -> None:
    found = collections.Counter()
    for vector in json.loads((SHARED / "reference" / "comparison-vectors.json").read_text(encoding="utf-8")):
        record = msgspec.convert(vector["record"], Record)
        workload = msgspec.convert(vector["workload"], WorkloadCase | WorkloadSuite)
        for rule_id, path in desk.told(record) + desk.told(workload):
            found[rule_id, path] += 1
    # They rest on the mean, and say openly that the architecture is unknown.
    assert found == {
        ("KIX301", "protocol.spec.measurement.primaryStatistic"): 15,
        ("KIX301", "run.spec.timing.primaryStatistic"): 12,
        ("KIX704", "environment.spec.hardware.architecture"): 15,
    }


def test_no_rule_crashes_on_the_corpus(desk) -> None:
    asked = 0
    with (SHARED / "corpus" / "manifests.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            try:
                entry = msgspec.json.decode(line)
                manifest = msgspec.convert(entry["doc"], KINDS[entry["kind"]].manifest)
            except (msgspec.DecodeError, KeyError):
                continue  # authoring forms and faults, which rules never see
            asked += 1
            for rule, hit in desk.run_checks([manifest]):
                assert rule.sentence(hit, "place")
    assert asked > 1000


@pytest.fixture(scope="module")
def liger():
    imported = pytest.importorskip("kernelindex_schema.sources.imported")
    return imported.import_file(SHARED / "liger" / "all_benchmark_data.csv", "liger")


def test_every_run_of_the_liger_benchmarks(desk, liger) -> None:
    assert len(liger.runs) == 1649
    assert desk.run_checks(list(liger.runs)) == []
    assert all(beyond_doubt(record.run) for record in liger.runs)


def test_every_other_manifest_of_the_liger_benchmarks(desk, liger) -> None:
    operations = {digest(operation): operation for operation in liger.operations}
    found = desk.run_checks([*liger.operations, *liger.workloads, *liger.projects])
    for workload in liger.workloads:
        pair = (workload, operations[workload.spec.operation_spec_digest])
        found += [
            (rule, hit) for rule in checks_for("workload with operation") for hit in rule.check(pair, desk.Settings())
        ]
    told = collections.Counter((rule.id, hit.path[2]) for rule, hit in found)
    assert {rule_id for rule_id, _ in told} == {"KIX610", "KIX612"}
    # Axes that the operations compute from or that their workloads bind, and do not declare.
    assert {name for rule_id, name in told if rule_id == "KIX610"} == {"kernel_size", "dilation"}
    assert {name for rule_id, name in told if rule_id == "KIX612"} == {"head_dim", "groups"}


def test_runs_of_the_liger_benchmarks_that_nothing_tells_apart(liger) -> None:
    quadruples = collections.defaultdict(list)
    for record in liger.runs:
        quadruples[run_identity(record.run)].append(record.run)
    pairs = [runs for runs in quadruples.values() if len(runs) > 1]
    assert (len(pairs), sum(are_indistinct(*runs) for runs in pairs)) == (189, 171)


def test_the_csv_is_the_one_that_was_counted() -> None:
    with (SHARED / "liger" / "all_benchmark_data.csv").open(newline="", encoding="utf-8") as file:
        assert sum(1 for _ in csv.DictReader(file)) == 2448
