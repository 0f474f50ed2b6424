from __future__ import annotations

import json

import pytest

from kernelindex_schema.rules import RULES

KEYS = ["id", "name", "severity", "summary", "why", "bad", "good", "hint", "source"]


def test_rules_as_text(kix):
    lines = kix("rules").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(RULES)


def test_rules_as_json(kix):
    entries = json.loads(kix("rules", "--format", "json").stdout)
    assert [entry["id"] for entry in entries] == list(RULES)
    assert all(list(entry) == KEYS for entry in entries)


@pytest.mark.parametrize("word", ["KIX401", "kix401", "401", "source-time-disagrees"])
def test_explain(kix, word):
    told = kix("explain", word)
    assert told.returncode == 0
    assert told.stdout == kix("explain", "KIX401").stdout
    assert told.stdout.startswith("KIX401")
    assert RULES["KIX401"].name in told.stdout


def test_explain_as_json(kix):
    entry = json.loads(kix("explain", "--format", "json", "KIX401").stdout)
    assert entry in json.loads(kix("rules", "--format", "json").stdout)


def test_schemas(kix):
    names = kix("schema").stdout.split()
    assert {"BenchmarkRun", "manifest", "record", "submission"} <= set(names)
    for name in ("BenchmarkRun", "benchmarkrun", "record"):
        schema = json.loads(kix("schema", name).stdout)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
