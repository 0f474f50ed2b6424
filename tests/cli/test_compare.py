from __future__ import annotations

import json

import pytest


@pytest.fixture
def record(kix, examples):
    """A record, and a function that writes another with a changed text and digests that hold."""
    from kernelindex_schema.identity import digest
    from kernelindex_schema.loading import decode

    text = kix("convert", str(examples / "record.yaml"), "--to", "json").stdout

    def write(name, *changes):
        value = json.loads(text)
        for path, new in changes:
            at = value
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = new
        for part in ("protocol", "environment"):
            manifest = decode(json.dumps(value[part]), format="json")
            value["run"]["spec"][f"{part}Digest"] = digest(manifest)
        kix.file(name, json.dumps(value))
        return value

    return write


def test_comparable(kix, record):
    figure = record("a.json")["run"]["spec"]["timing"]["latencyNs"]["median"]
    record("b.json", (("run", "spec", "timing", "latencyNs", "median"), figure * 2))
    done = kix("compare", "a.json", "b.json")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "comparable: both records are of one cohort",
        f"A: {figure} ns (latency median), a.json",
        f"B: {figure * 2} ns (latency median), b.json",
        "A / B: 0.5",
    ]
    told = json.loads(kix("compare", "a.json", "b.json", "--format", "json").stdout)
    assert (told["comparable"], told["ratio"], told["differences"]) == (True, 0.5, [])
    assert told["records"][0] == {
        "file": "a.json",
        "comparisonKey": None,
        "primaryFigure": {"metric": "latency", "statistic": "median", "unit": "ns", "value": figure},
    }


def test_what_keeps_two_apart(kix, record):
    value = record("a.json")
    record("b.json", (("environment", "spec", "hardware", "formFactor"), "PCIe\x1b[2J"))
    done = kix("compare", "a.json", "b.json")
    assert done.returncode == 1
    here = value["environment"]["spec"]["hardware"]["formFactor"]
    assert done.stdout.splitlines()[:2] == [
        "not comparable: 1 difference",
        f"  environment: spec.hardware.formFactor is {here} here, PCIe\\x1b[2J there",
    ]
    assert "A / B" not in done.stdout
    told = json.loads(kix("compare", "a.json", "b.json", "--format", "json").stdout)
    assert [difference["member"] for difference in told["differences"]] == ["environment"]
    assert told["ratio"] is None


def test_keys_need_the_workload(kix, record, examples):
    record("a.json")
    told = kix("compare", "a.json", "a.json", "--workloads", str(examples / "workload-case.yaml"))
    assert told.stdout.count(", cohort sha256:") == 2
    assert kix("compare", "a.json", "a.json", "--workloads", "gone.yaml").returncode == 2


def test_a_file_without_one_record(kix):
    kix.file("run.yaml")
    done = kix("compare", "run.yaml", "run.yaml")
    assert done.returncode == 2
    assert done.stderr == "kix-schema: run.yaml holds 0 records, expected one to compare\n"


def test_a_record_whose_digests_do_not_hold(kix, record):
    value = record("a.json")
    value["run"]["spec"]["protocolDigest"] = "sha256:" + "0" * 64
    kix.file("b.json", json.dumps(value))
    done = kix("compare", "a.json", "b.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "protocolDigest" in done.stderr
