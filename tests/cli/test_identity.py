from __future__ import annotations

import hashlib
import json

import pytest


def test_digest_of_every_format_is_one(kix):
    kix.file("run.yaml")
    digest = kix("digest", "run.yaml").stdout.split()[0]
    assert digest.startswith("sha256:")
    for suffix in ("json", "jsonl", "yml", "toml", "msgpack", "json.gz", "yaml.zst"):
        assert kix("convert", "run.yaml", f"out.{suffix}").returncode == 0
        assert kix("digest", f"out.{suffix}").stdout == f"{digest}  BenchmarkRun  tiny-run  out.{suffix}\n"


def test_canonical_bytes_are_what_the_digest_is_taken_over(kix, change):
    kix.file("run.yaml", change("median: 410240", "median: 410.24 us"))
    canonical = kix("canonicalize", "run.yaml", text=False).stdout
    assert not canonical.endswith(b"\n")
    assert json.loads(canonical)["spec"]["timing"]["latencyNs"] == {"median": 410240}
    assert kix("digest", "run.yaml").stdout.split()[0] == "sha256:" + hashlib.sha256(canonical).hexdigest()
    assert kix("canonicalize", "-", input=canonical, text=False).returncode == 1, "metadata is missing there"


def test_json_lines_of_digest(kix, run_text, wrong):
    kix.file("runs.yaml", f"{run_text}---\n{wrong}---\n")
    done = kix("digest", "--format", "jsonl", "runs.yaml", "gone.yaml")
    assert done.returncode == 2
    first, second, third, gone = map(json.loads, done.stdout.splitlines())
    assert first == {
        "file": "runs.yaml", "document": 0, "pointer": "", "kind": "BenchmarkRun", "name": "tiny-run",
        "digest": kix("digest", "-", input=run_text).stdout.split()[0],
    }  # fmt: skip
    assert {**second, "error": ""} == {**first, "document": 1, "error": ""} | {"digest": None} or "digest" not in second
    assert second["error"]
    assert (third["document"], third["kind"], third["name"]) == (2, None, None)
    assert "empty" in third["error"]
    assert (gone["file"], gone["document"]) == ("gone.yaml", None)


def test_text_of_digest_tells_errors_apart(kix, run_text, wrong):
    kix.file("runs.yaml", f"{run_text}---\n{wrong}")
    done = kix("digest", "runs.yaml")
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    assert done.stderr.startswith("runs.yaml[1]: ")


def test_the_document_of_json_lines_is_its_line(kix, run_text):
    kix.file("run.yaml")
    line = kix("convert", "run.yaml", "--to", "jsonl").stdout
    kix.file("runs.jsonl", f"\n{line}\n\n{line}")
    done = kix("digest", "--format", "jsonl", "runs.jsonl")
    assert [json.loads(line)["document"] for line in done.stdout.splitlines()] == [1, 4]


def test_places_within_a_document(kix, run_text):
    kix.file("run.yaml")
    run = json.loads(kix("convert", "run.yaml", "--to", "json").stdout)
    kix.file("record.json", json.dumps({"run": run, "protocol": {"kind": "BenchmarkProtocol"}, "environment": 3}))
    done = kix("digest", "record.json")
    assert done.returncode == 1
    assert done.stdout.split()[1:] == ["BenchmarkRun", "tiny-run", "record.json#/run"]
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        "record.json#/protocol", "record.json#/environment"
    ]  # fmt: skip
    whole = kix("canonicalize", "run.yaml").stdout
    assert kix("canonicalize", "--pointer", "/run", "record.json").stdout == whole
    assert kix("canonicalize", "record.json").returncode == 1
    assert kix("canonicalize", "--pointer", "/x", "record.json").returncode == 2


def test_several_manifests_are_canonicalized_one_a_line(kix):
    kix.file("a.yaml")
    kix.file("b.yaml")
    one = kix("canonicalize", "a.yaml").stdout
    assert kix("canonicalize", "a.yaml", "b.yaml").stdout == f"{one}\n{one}\n"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("-0.0", "0"), ("-0", "0"), ("1e21", "1e+21"), ("1e20", "100000000000000000000"), ("1e-7", "1e-7"),
        ("295147905179352830000", "295147905179352830000"), ("9007199254740993", "9007199254740992"),
        ("4.50", "4.5"), ('"\\u20ac"', '"€"'), ('{"\\ufb33":1,"\\ud83d\\ude02":2}', '{"😂":2,"\ufb33":1}'),
        ('[true, null, {"b": 1, "a": []}]', '[true,null,{"a":[],"b":1}]'),
    ],
)  # fmt: skip
def test_any_json_value(kix, text, canonical):
    kix.file("value.json", text)
    done = kix("canonicalize", "--any", "value.json")
    assert (done.returncode, done.stdout) == (0, canonical)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "[1e400]", '"\\ud800"', "{"])
def test_what_is_no_interchangeable_json_has_no_canonical_form(kix, text):
    kix.file("value.json", text)
    done = kix("canonicalize", "--any", "value.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "KIX0" in done.stderr
