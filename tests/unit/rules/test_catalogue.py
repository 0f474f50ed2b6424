from __future__ import annotations

import re
import string

import pytest

from kernelindex_schema.findings import Severity, dotted_path
from kernelindex_schema.rules import RULES, checks_for, explain, explain_text, find_rule, rule_as_dict
from kernelindex_schema.rules.catalogue import Rule, example_blocks
from kernelindex_schema.rules.precedence import SILENCES
from kernelindex_schema.v1alpha1 import KINDS

# The published table, which may grow but is never renumbered.
NAMES = """
001 E unreadable / 002 E internal-fault / 003 E too-large / 004 E syntax / 005 E duplicate-key / 006 E too-deep
007 E unsafe-yaml / 008 E bad-encoding / 009 E non-finite-number / 010 E unknown-format / 011 E no-manifest
012 E damaged-archive / 013 W over-registry-limit / 014 W byte-order-mark
101 E unknown-api-version / 102 E unknown-kind / 103 E unknown-field / 104 E missing-field / 105 E wrong-type
106 E malformed-text / 107 E out-of-range / 108 E wrong-length / 109 E unknown-value / 110 E ambiguous-duration
111 E incomplete-axis / 112 E argument-not-tensor-or-scalar / 113 E latency-without-centre / 114 E misplaced-kind
201 E latency-not-in-ns / 202 E latency-not-whole-ns / 203 W unportable-duration / 204 W unit-contradicts-metric
205 W implausible-latency
301 E primary-statistic-not-median / 302 E primary-statistic-absent / 303 E primary-statistic-disagrees
304 E statistics-out-of-order / 305 E inverted-interval / 306 E repeated-measurement / 307 E passed-without-figure
308 W timing-of-a-run-that-never-ran
401 E source-time-disagrees / 402 W source-quantile-unmatched / 403 W source-date-disagrees
501 E protocol-digest-mismatch / 502 E environment-digest-mismatch / 503 W unresolved-reference
504 E recorded-digest-mismatch / 505 N repeated-manifest / 506 W one-name-two-identities / 507 W indistinct-runs
508 E unknown-project-slug
601 E undeclared-axis / 602 E bad-axis-expression / 603 E circular-axes / 604 E impossible-axis-bounds
605 E repeated-argument / 606 E unbound-axis / 607 E constant-axis-contradicted / 608 E tensors-differ-from-operation
609 E shape-contradicts-operation / 610 W axis-unknown-to-operation / 611 E strides-rank-mismatch
612 W expression-axis-undeclared / 613 E derived-axis-contradicted / 614 E axis-out-of-bounds
701 W licence-not-spdx / 702 E incomplete-install-recipe / 703 W architecture-contradicts-product
704 W architecture-unknown / 705 W text-not-nfc
801 W parallelism-exceeds-topology
"""
TABLE = re.findall(r"([0-9]{3}) ([EWN]) ([a-z-]+)", NAMES)
SEVERITIES = {"E": Severity.ERROR, "W": Severity.WARNING, "N": Severity.NOTE}

every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
checked = pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.check], ids=lambda rule: rule.id)


def test_the_catalogue_is_the_published_table() -> None:
    assert len(TABLE) >= 70
    written = [(rule.id, rule.severity, rule.name) for rule in RULES.values()]
    assert written == [(f"KIX{number}", SEVERITIES[letter], name) for number, letter, name in TABLE]


def test_ids_and_names_are_unique_and_ids_ordered() -> None:
    assert list(RULES) == sorted(RULES)
    assert all(key == rule.id for key, rule in RULES.items())
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


@every_rule
def test_names_and_texts(rule: Rule) -> None:
    assert re.fullmatch(r"KIX[0-8][0-9]{2}", rule.id)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.summary.endswith(".")
    assert rule.why.endswith((".", ")"))
    assert example_blocks(rule.bad)
    assert example_blocks(rule.good)
    assert rule.source
    assert rule.url.endswith(rule.id)
    assert rule.hint is None or not rule.hint.endswith(".")


@every_rule
def test_a_rule_is_found_by_a_checker_or_a_stage(rule: Rule) -> None:
    if rule.check is None:
        assert rule.subjects in (("text",), ("collection",))
    else:
        subjects = {"manifest", "record", "submission", "workload with operation", "serving run with configuration"}
        assert set(rule.subjects) <= subjects | KINDS.keys()


@checked
def test_bad_gives_exactly_this_rule(rule: Rule, desk) -> None:
    blocks = example_blocks(rule.bad)
    for block in blocks:
        assert block.format == "yaml"
        assert desk.ids(desk.examine(block)) == [rule.id]


@every_rule
def test_good_gives_no_finding(rule: Rule, desk) -> None:
    for block in example_blocks(rule.good):
        if rule.check is not None:
            assert desk.examine(block) == []


@every_rule
def test_examples_through_the_whole_check(rule: Rule, desk) -> None:
    for section, wanted in ((rule.bad, [rule.id]), (rule.good, [])):
        for block in example_blocks(section):
            if block.runs:
                assert desk.check_whole(block) == wanted


def test_rules_whose_fault_can_only_be_shown() -> None:
    shown = [rule.id for rule in RULES.values() if not any(block.runs for block in example_blocks(rule.bad))]
    assert shown == ["KIX001", "KIX002", "KIX003", "KIX010", "KIX012", "KIX013", "KIX014"]


@checked
def test_the_message_uses_all_and_only_what_the_rule_yields(rule: Rule, desk) -> None:
    wanted = {name for _, name, _, _ in string.Formatter().parse(rule.message) if name}
    assert "path" in wanted
    for block in example_blocks(rule.bad):
        for found, hit in desk.examine(block):
            assert set(hit.values) == wanted - {"path"}
            sentence = found.sentence(hit, dotted_path(hit.path))
            assert sentence.startswith(dotted_path(hit.path))
            assert not sentence.endswith(".")


@every_rule
def test_the_text_explains_itself(rule: Rule) -> None:
    text = explain_text(rule)
    assert text.startswith(f"{rule.id} {rule.name} ({rule.severity.value})\n\n")
    assert text.endswith(f"Page: {rule.url}\n")
    for part in (" ".join(rule.summary.split()[:3]), "Why: ", "\nBad:\n", "\nGood:\n"):
        assert part in text
    shown = rule_as_dict(rule)
    assert list(shown) == ["id", "name", "severity", "summary", "why", "bad", "good", "hint", "source"]


def test_checks_of_a_subject() -> None:
    assert [rule.id for rule in checks_for("record")] == ["KIX303", "KIX501", "KIX502"]
    assert [rule.id for rule in checks_for("BenchmarkProtocol")] == ["KIX301", "KIX705"]
    assert [rule.id for rule in checks_for("submission")] == ["KIX508"]
    assert checks_for("catalog row") == ()
    assert all("KIX705" in {rule.id for rule in checks_for(kind)} for kind in KINDS)


@pytest.mark.parametrize("written", ["KIX401", "kix401", " 401 ", "source-time-disagrees"])
def test_a_rule_is_found_by_id_or_name(written: str) -> None:
    assert find_rule(written) is RULES["KIX401"]
    assert explain(written) == explain_text(RULES["KIX401"])


@pytest.mark.parametrize(("written", "near"), [("KIX4O1", "KIX401"), ("source-time-disagree", "source-time-disagrees")])
def test_an_unknown_rule_suggests_the_nearest(written: str, near: str) -> None:
    with pytest.raises(KeyError, match=near):
        find_rule(written)


def test_precedence_names_rules() -> None:
    assert SILENCES.keys() | {rule for silenced in SILENCES.values() for rule in silenced} <= RULES.keys()
