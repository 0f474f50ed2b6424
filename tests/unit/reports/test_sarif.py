from __future__ import annotations

import json
from pathlib import Path

import pytest

from kernelindex_schema.findings import Finding, Report, Severity
from kernelindex_schema.reports.sarif import render
from kernelindex_schema.rules import RULES

OFFICIAL = Path(__file__).parents[4] / "shared" / "sarif-2.1.0.json"


@pytest.fixture
def run(report):
    return json.loads(render(report))["runs"][0]


def test_golden(run, golden):
    # The rules are the catalogue's own text, which its tests hold.
    run["tool"]["driver"]["rules"] = len(RULES)
    run["tool"]["driver"]["version"] = "(version)"
    for result in run["results"]:
        result.pop("ruleIndex", None)
    golden("report.sarif.json", json.dumps(run, indent=2) + "\n")


@pytest.mark.parametrize("empty", [True, False])
def test_valid_against_the_official_schema(report, empty):
    if not OFFICIAL.is_file():
        pytest.skip("the SARIF schema is not at hand")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(OFFICIAL.read_text(encoding="utf-8"))
    told = render(Report() if empty else report)
    jsonschema.validators.validator_for(schema)(schema).validate(json.loads(told))


def test_every_rule_is_there_with_its_text(run):
    rules = run["tool"]["driver"]["rules"]
    assert len(rules) == len(RULES)
    for rule in rules:
        assert rule["help"]["text"].startswith(rule["fullDescription"]["text"])
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_addresses(run):
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]}
    assert uris == {
        "runs/rope.yaml",
        "runs/two.jsonl",
        "%D0%B7%D0%B0%D0%BF%D0%B8%D1%81%D0%B8/%E8%A1%A8.json",
        "a%20b%2C%20c%3A%25.msgpack",
        "caf%E9%C3%A9%0A.yaml",
    }
    finding = Finding(rule="KIX001", name="n", severity=Severity.ERROR, message="m", file="/tmp/a b.yaml")
    told = json.loads(render(Report(findings=(finding,))))
    place = told["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "file:///tmp/a%20b.yaml"}}


def test_control_characters_are_escaped(run):
    assert all(r["message"]["text"].replace("\n", "").isprintable() for r in run["results"])
