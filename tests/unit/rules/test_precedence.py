from __future__ import annotations

import pytest

from kernelindex_schema.rules import RULES, settle
from kernelindex_schema.rules.catalogue import hit
from kernelindex_schema.rules.precedence import SILENCES

FIGURE, OTHER = ("spec", "measurements", 0), ("spec", "measurements", 1)


def settled(*hits) -> list[str]:
    return [rule.id for rule, _ in settle([(RULES[rule_id], found) for rule_id, found in hits])]


def test_the_table() -> None:
    assert {rule: sorted(silenced) for rule, silenced in SILENCES.items()} == {
        "KIX201": ["KIX304", "KIX401"],
        "KIX301": ["KIX302", "KIX303", "KIX501"],
        "KIX401": ["KIX304"],
    }


@pytest.mark.parametrize(
    ("rule", "silenced"), [(rule, silenced) for rule, several in SILENCES.items() for silenced in sorted(several)]
)
def test_a_rule_silences_another_about_the_same_thing(rule: str, silenced: str) -> None:
    told = (rule, hit(*FIGURE, "unit", about=(FIGURE,)))
    assert settled(told, (silenced, hit(*FIGURE, "value", about=(FIGURE,)))) == [rule]
    assert settled((silenced, hit(*FIGURE, "value", about=(OTHER, FIGURE))), told) == [rule]
    assert settled(told, (silenced, hit(*OTHER, "value", about=(OTHER,)))) == [rule, silenced]
    assert settled((silenced, hit(*FIGURE, about=(FIGURE,)))) == [silenced]


def test_a_hit_is_about_its_path_where_nothing_else_is_said() -> None:
    path = ("spec", "timing", "primaryStatistic")
    assert settled(("KIX301", hit(*path)), ("KIX302", hit(*path))) == ["KIX301"]


def test_others_are_left_alone() -> None:
    assert settled() == []
    hits = [("KIX202", hit(*FIGURE)), ("KIX401", hit(*FIGURE)), ("KIX205", hit(*FIGURE)), ("KIX401", hit(*OTHER))]
    assert settled(*hits) == [rule_id for rule_id, _ in hits]


def test_hits_move_with_their_prefix() -> None:
    found = hit("spec", "a", about=(("spec", "b"),), related=((("spec", "c"), "there"),), at_key=True, hint="x", n=1)
    moved = found.under(("runs", 0, "run"))
    assert moved.path == ("runs", 0, "run", "spec", "a")
    assert moved.about == (("runs", 0, "run", "spec", "b"),)
    assert moved.related == ((("runs", 0, "run", "spec", "c"), "there"),)
    assert (moved.at_key, moved.hint, moved.values) == (True, "x", {"n": 1})
    assert found.under(()) is found


def p20(**over):
    return {"metric": "latency", "unit": "ns", "statistic": "p20", "value": 408710} | over


METRICS = {"ms_20": 0.40871042013168335, "ms_50": 0.4102399945259094, "ms_80": 0.4119040071964264}
PATH = "spec.measurements[0]"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"value": 408711}, []),
        ({"value": 408712}, [("KIX401", f"{PATH}.value")]),
        ({"value": 411904}, [("KIX401", f"{PATH}.value")]),
        ({"value": 408710.4}, [("KIX202", f"{PATH}.value")]),
        ({"unit": "ms", "value": 0.40871042013168335}, [("KIX201", f"{PATH}.unit")]),
        ({"unit": "us", "value": 999999999}, [("KIX201", f"{PATH}.unit")]),
        ({"value": 0.40871042013168335}, [("KIX202", f"{PATH}.value"), ("KIX401", f"{PATH}.value")]),
    ],
)
def test_one_change_of_a_sound_run(desk, run, change, told: list[tuple[str, str]]) -> None:
    value = run({"median": 410240}, {0: p20(**change), "p80": 411904}, METRICS)
    assert desk.told(value) == told


def test_swapped_quantiles_are_two_wrong_figures_and_no_order(desk, run) -> None:
    value = run({"median": 410240}, {"p20": 411904, "p80": 408710}, METRICS)
    assert desk.ids(desk.run_checks([value])) == ["KIX401", "KIX401"]


def test_a_cut_off_median(desk, run) -> None:
    value = run({"median": 410}, {"p20": 408710, "p80": 411904}, METRICS)
    assert desk.told(value) == [("KIX401", "spec.timing.latencyNs.median")]


def test_another_primary_statistic_of_a_sound_run(desk, run) -> None:
    timing = {"primaryStatistic": "mean", "latencyNs": {"median": 410240}}
    value = run(timing=timing, measurements={"p20": 408710, "p80": 411904}, metrics=METRICS)
    assert desk.told(value) == [("KIX301", "spec.timing.primaryStatistic")]
