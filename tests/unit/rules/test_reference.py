from __future__ import annotations

import pytest
from msgspec.structs import replace

from kernelindex_schema.rules.reference import are_indistinct, run_provenance

ZEROS = "sha256:" + "0" * 64
STATISTIC = "protocol.spec.measurement.primaryStatistic"


def with_statistic(record, statistic: str):
    measurement = replace(record.protocol.spec.measurement, primary_statistic=statistic)
    protocol = replace(record.protocol, spec=replace(record.protocol.spec, measurement=measurement))
    return replace(record, protocol=protocol)


@pytest.fixture
def record(desk):
    return desk.whole({"run": {}})


def test_a_record_that_chains(desk, record) -> None:
    assert desk.told(record) == []


@pytest.mark.parametrize(("field", "rule"), [("protocolDigest", "KIX501"), ("environmentDigest", "KIX502")])
def test_another_manifest_than_the_one_beside_it(desk, field: str, rule: str) -> None:
    value = desk.whole({"run": {"spec": {field: ZEROS}}})
    assert desk.told(value) == [(rule, f"run.spec.{field}")]
    (message,) = desk.messages(value)
    assert message.startswith(f"run.spec.{field} is {ZEROS}, but the ")
    assert message.count("sha256:") == 2


def test_metadata_changes_nothing(desk, record) -> None:
    protocol = replace(record.protocol, metadata=replace(record.protocol.metadata, title="another title"))
    assert desk.told(replace(record, protocol=protocol)) == []


def test_a_digest_that_fails_only_by_the_statistic_is_one_fault(desk, record) -> None:
    changed = with_statistic(record, "mean")
    assert desk.told(changed) == [("KIX301", STATISTIC)]
    # Where the mean is accepted nothing else tells that the protocol is not the run's.
    assert desk.told(changed, primary_statistics=frozenset({"mean", "median"})) == [
        ("KIX501", "run.spec.protocolDigest")
    ]


def test_a_digest_that_fails_for_more_is_two(desk, record) -> None:
    changed = with_statistic(record, "mean")
    harness = replace(changed.protocol.spec.harness, name="another harness")
    changed = replace(changed, protocol=replace(changed.protocol, spec=replace(changed.protocol.spec, harness=harness)))
    assert desk.told(changed) == [("KIX301", STATISTIC), ("KIX501", "run.spec.protocolDigest")]


def test_a_slug_that_is_no_project(desk) -> None:
    over = {"projects": [{"metadata": {"name": "liger-kernel"}}], "implementations": [{"projectSlug": "liger_kernel"}]}
    assert desk.told(desk.whole(over)) == [("KIX508", "implementations[0].projectSlug")]
    assert desk.messages(desk.whole(over)) == [
        "implementations[0].projectSlug is liger_kernel, which is no project of this submission; "
        "did you mean liger-kernel?"
    ]
    assert desk.told(desk.whole({"implementations": over["implementations"]})) == []
    assert desk.told(desk.whole({"projects": over["projects"]})) == []


def sourced(desk, benchmark: str = "rope/full", external_id: str | None = None, source: str = "bench", **spec):
    native = {"source": source, "benchmark": benchmark}
    if external_id is not None:
        native["externalId"] = external_id
    return desk.manifest("BenchmarkRun", sourceNative=native, **spec)


def test_runs_that_only_their_source_tells_apart(desk) -> None:
    case = "swiglu/full/liger/a100/seq4096-bf16/2024-09-03-15-40-08"
    first = sourced(desk, "swiglu/full", case)
    assert are_indistinct(first, sourced(desk, "tiled_swiglu/full", case))
    assert are_indistinct(first, sourced(desk, "swiglu/full", case.replace("liger/", "liger_tiled/")))
    assert are_indistinct(first, sourced(desk, "swiglu/full", case, source="other-bench"))


def test_repetitions_are_no_fault(desk) -> None:
    case = "swiglu/full/liger/a100/seq4096-bf16/2024-09-03-15-40-08"
    first = sourced(desk, "swiglu/full", case)
    assert not are_indistinct(first, first)
    assert not are_indistinct(first, sourced(desk, "swiglu/full", case.replace("15-40-08", "16-00-00")))
    assert not are_indistinct(first, desk.manifest("BenchmarkRun"))
    assert not are_indistinct(first, sourced(desk, "rope/full", case, implementationDigest=ZEROS))
    assert not are_indistinct(sourced(desk, external_id="traces/17/a"), sourced(desk, external_id="traces/18/a"))


def test_where_a_run_comes_from(desk) -> None:
    assert run_provenance(desk.manifest("BenchmarkRun")) is None
    assert run_provenance(sourced(desk, external_id="rope/a100/2024-09-03-15-40-08")) == (
        "bench",
        "rope/full",
        "rope/a100",
    )
    assert run_provenance(sourced(desk, external_id="7f3c")) == ("bench", "rope/full", "")
