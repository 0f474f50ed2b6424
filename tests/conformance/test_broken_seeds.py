"""A copy of a seed that is broken in one way gives the one rule that the break is against, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kernelindex_schema as kix

SEEDS = Path(__file__).parents[2] / "examples" / "valid"
NAMES = ["liger-rope-backward.txt", "transformers-embedding-full.txt"]
Break = Callable[[dict[str, Any]], object]


def spec(record: dict[str, Any]) -> dict[str, Any]:
    return record["run"]["spec"]


def latency(record: dict[str, Any]) -> dict[str, Any]:
    return spec(record)["timing"]["latencyNs"]


def without_source(record: dict[str, Any]) -> dict[str, Any]:
    del spec(record)["sourceNative"], spec(record)["measurements"]
    return spec(record)


def raise_the_low_quantile(record: dict[str, Any]) -> None:
    low = latency(record)["median"] + 10
    spec(record)["measurements"][0]["value"] = low
    spec(record)["sourceNative"]["metrics"]["ms_20"] = low / 1e6


def let_it_never_run(record: dict[str, Any]) -> None:
    without_source(record)["status"] = "compile_error"


def leave_out_figures(record: dict[str, Any]) -> None:
    del without_source(record)["timing"]


def other_day(record: dict[str, Any]) -> None:
    native = spec(record)["sourceNative"]
    native["externalId"] = native["externalId"].replace("2024-09-03", "2024-11-03")


def hardware(record: dict[str, Any]) -> dict[str, Any]:
    return record["environment"]["spec"]["hardware"]


def mean_everywhere(record: dict[str, Any]) -> None:
    spec(record)["timing"]["primaryStatistic"] = "mean"
    record["protocol"]["spec"]["measurement"]["primaryStatistic"] = "mean"


def mean_in_the_run(record: dict[str, Any]) -> None:
    spec(record)["timing"]["primaryStatistic"] = "mean"
    latency(record)["mean"] = latency(record)["median"]


def later_letter(text: str) -> str:
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def measurement(metric: str, unit: str, value: float) -> dict[str, Any]:
    return {"metric": metric, "unit": unit, "statistic": "median", "value": value}


BREAKS: dict[str, Break] = {
    "KIX201": lambda record: spec(record)["measurements"][0].update(unit="us"),
    "KIX202": lambda record: spec(record)["measurements"][0].update(
        value=spec(record)["measurements"][0]["value"] + 0.25
    ),
    "KIX203": lambda record: without_source(record)["timing"].update(latencyNs={"median": "64.1 ms"}),
    "KIX204": lambda record: spec(record)["measurements"].append(measurement("ttft_ms", "s", 2.5)),
    "KIX205": lambda record: without_source(record)["timing"].update(latencyNs={"median": 0}),
    "KIX301": lambda record: spec(record)["timing"].update(primaryStatistic="mean"),
    "KIX302": mean_everywhere,
    "KIX303": mean_in_the_run,
    "KIX304": raise_the_low_quantile,
    "KIX305": lambda record: latency(record).update(confidence95=[latency(record)["median"] + 1, 1000]),
    "KIX306": lambda record: spec(record)["measurements"].append(dict(spec(record)["measurements"][0])),
    "KIX307": leave_out_figures,
    "KIX308": let_it_never_run,
    "KIX401": lambda record: latency(record).update(median=latency(record)["median"] + 2),
    "KIX402": lambda record: spec(record)["sourceNative"]["metrics"].pop("ms_80"),
    "KIX403": other_day,
    "KIX501": lambda record: spec(record).update(protocolDigest=later_letter(spec(record)["protocolDigest"])),
    "KIX502": lambda record: spec(record).update(environmentDigest=later_letter(spec(record)["environmentDigest"])),
    "KIX703": lambda record: hardware(record).update(architecture="sm_90"),
    "KIX704": lambda record: hardware(record).update(architecture="unknown"),
    "KIX705": lambda record: hardware(record).update(formFactor="SXM4 cafe\u0301"),
    "KIX106": lambda record: spec(record).update(observedAt="2024-09-03 15:40:08"),
    "KIX110": lambda record: latency(record).update(median=0.41),
    "KIX113": lambda record: spec(record)["timing"].update(latencyNs={"p95": 8_000_000}),
}
STATISTICS = {"KIX302": ("median", "mean"), "KIX303": ("median", "mean")}


def chained(record: dict[str, Any]) -> dict[str, Any]:
    """The record with the digests of its protocol and environment as they are now."""
    for member in ("protocol", "environment"):
        manifest = kix.decode(msgspec.json.encode(record[member]), format="json")
        spec(record)[f"{member}Digest"] = kix.digest(manifest)
    return record


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rule", BREAKS)
def test_the_break_gives_its_rule_alone(rule: str, name: str) -> None:
    seed = kix.read(SEEDS / name)
    record = msgspec.json.decode(kix.encode(seed, format="json"))
    BREAKS[rule](record)
    if rule not in ("KIX501", "KIX502"):
        chained(record)
    settings = kix.Settings(primary_statistics=STATISTICS.get(rule, ("median",)))
    report = kix.check_data(msgspec.json.encode(record), "json", settings=settings)
    assert [finding.rule for finding in report.findings] == [rule], [each.message for each in report.findings]
    assert report.findings[0].line is not None


def test_every_rule_that_a_record_can_break_is_here() -> None:
    wanted = {
        rule.id
        for rule in kix.RULES.values()
        if rule.check is not None
        and {"BenchmarkRun", "BenchmarkProtocol", "ExecutionEnvironment", "manifest", "record"} & set(rule.subjects)
    }
    assert wanted <= BREAKS.keys()
