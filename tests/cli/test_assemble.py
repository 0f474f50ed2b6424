from __future__ import annotations

import json


def test_a_bench_record_becomes_a_submission(kix, examples):
    record = str(examples / "bench-record.yaml")
    done = kix("assemble", record)
    assert done.returncode == 0
    submission = json.loads(done.stdout)
    assert set(submission) == {"projects", "workloads", "implementations", "runs"}
    assert kix("assemble", record, "-o", "out.yaml").returncode == 0
    assert kix("check", "out.yaml", "--select", "KIX0,KIX1,KIX5").returncode == 0
    assert (
        kix("assemble", "-", input=(examples / "bench-record.yaml").read_text(encoding="utf-8")).stdout == done.stdout
    )


def test_everything_missing_is_told_at_once_and_nothing_written(kix):
    kix.file("bench.yaml", "run: {}\nworkload: {}\nimplementation: {}\n")
    done = kix("assemble", "bench.yaml", "-o", "out.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("KIX104") > 5
    assert not (kix.folder / "out.json").exists()


def test_what_is_no_bench_record(kix):
    kix.file("run.yaml")
    done = kix("assemble", "run.yaml")
    assert done.returncode == 2
    assert done.stderr == "kix-schema: run.yaml is a manifest, expected a bench record\n"


def test_what_the_registry_would_drop_is_told(kix, examples):
    text = (examples / "bench-record.yaml").read_text(encoding="utf-8")
    text = text.replace("run:\n  timing:", "run:\n  sourceNative: {source: x}\n  timing:")
    done = kix("assemble", "-", "--input-format", "yaml", input=text)
    assert done.returncode == 0
    assert "run.sourceNative" in done.stderr
