"""Rows of a collection: the same pairs in memory, in the temporary file, and merged of parts."""

from __future__ import annotations

import errno
import os
import random

import pytest

from kernelindex_schema import collection as module
from kernelindex_schema import read, spill
from kernelindex_schema.collection import Collection
from kernelindex_schema.v1alpha1 import (
    KINDS,
    BenchmarkProtocol,
    BenchmarkRun,
    BenchmarkRunSpec,
    Metadata,
    SoftwareProject,
    SourceNative,
)


class Anything:
    """Stands for what no row looks at."""


def digest(number: int) -> str:
    return f"sha256:{4 * f'{number:016x}'}"


def run(name: str, four: tuple[int, int, int, int], source: str | None) -> BenchmarkRun:
    spec = {} if source is None else {"source_native": SourceNative(source=source)}
    one, two, three, last = (digest(each) for each in four)
    return BenchmarkRun(
        metadata=Metadata(name=name),
        spec=BenchmarkRunSpec(
            implementation_digest=one,
            workload_digest=two,
            protocol_digest=three,
            environment_digest=last,
            status="passed",
            observed_at="2026-01-31T12:00:00Z",
            **spec,
        ),
    )


def of(cls, name: str):
    return cls(metadata=Metadata(name=name), spec=Anything())


def random_rows(seed: int, count: int = 400):
    """Manifests of which many share names, digests and sources, each with a digest and a place."""
    chance = random.Random(seed)
    for number in range(count):
        file, document = f"{number // 100}.jsonl", number % 100
        what = chance.randrange(4)
        name = f"name-{chance.randrange(12)}"
        mark = digest(chance.randrange(1_000_000 if chance.random() < 0.5 else 15))
        if what == 0:
            yield of(BenchmarkProtocol, name), digest(chance.randrange(15)), file, document, ("protocol",)
        elif what == 1:
            yield of(SoftwareProject, name), mark, file, document, ()
        else:
            four = (chance.randrange(9), chance.randrange(4), 7, 8)
            source = chance.choice([None, "here", "there"])
            yield run(name, four, source), mark, file, document, ("run",)


def told(collection: Collection, registry: Collection | None = None):
    return sorted((fault.rule, fault.message, fault.path, row.file) for row, fault in collection.faults(registry))


def filled(rows, held: int = 1_000_000, **options) -> Collection:
    collection = Collection(held)
    for row in rows:
        collection.add(*row, **options)
    return collection


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("held", [1, 7, 64])
def test_the_file_tells_what_memory_tells(seed, held):
    rows = list(random_rows(seed))
    expected = told(filled(rows))
    assert {rule for rule, *_ in expected} == {"KIX505", "KIX506", "KIX507"}
    assert told(filled(rows, held)) == expected


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("held", "held_by_parts"), [(1_000_000, 1_000_000), (1_000_000, 5), (5, 1_000_000), (5, 5)])
def test_parts_merge_to_the_whole(seed, held, held_by_parts):
    rows = list(random_rows(seed))
    expected = told(filled(rows))
    by_packing, directly = Collection(held), Collection(held)
    for part in (rows[:90], rows[90:91], [], rows[91:]):
        some = filled(part, held_by_parts)
        by_packing.merge_packed(some.pack())
        directly.merge(some)
    assert told(by_packing) == expected
    assert told(directly) == expected


def test_what_was_noted_of_records_is_forgotten_in_time(monkeypatch):
    monkeypatch.setattr(module, "_PASSED_OVER", 3)
    rows = list(random_rows(1))
    expected = told(filled(rows))
    monkeypatch.undo()
    assert told(filled(rows)) == expected


@pytest.mark.parametrize("held", [2, 1_000_000])
@pytest.mark.parametrize("held_there", [2, 1_000_000])
def test_references_are_looked_up_in_both_places(held, held_there):
    rows = [
        (run(f"run-{number}", (number, 2, 3, 4), None), digest(100 + number), "a", number, ()) for number in range(6)
    ]
    here = filled([*rows, (of(BenchmarkProtocol, "p"), digest(3), "a", 6, ())], held, wants_references=True)
    registry = filled(
        [(of(SoftwareProject, f"p{each}"), digest(each), "r", each, ()) for each in (0, 1, 2)], held_there
    )
    lost = [message.partition(",")[0] for _, message, *_ in told(here, registry)]
    assert lost == [
        *[f"spec.environmentDigest is {digest(4)}"] * 6,
        *(f"spec.implementationDigest is {digest(number)}" for number in (4, 5)),
    ]


@pytest.mark.parametrize("held", [2, 1_000_000])
def test_workloads_meet_their_operation_wherever_it_stands(held, examples):
    workload, operation = examples["WorkloadCase"], examples["OperationSpec"]
    wanted = workload.spec.operation_spec_digest
    one, two = (workload, digest(1), "w", 0, ()), (workload, digest(2), "w", 1, ())
    there = (operation, wanted, "o", 0, ())
    for rows in ([one, there, two], [there, one, two], [one, two, there]):
        pairs = list(filled(rows, held).pairs())
        assert [(row.document, subject) for row, subject, _ in pairs] == [
            (0, "workload with operation"),
            (1, "workload with operation"),
        ]
        assert all(pair == (workload, operation) for *_, pair in pairs)
    alone = filled([one, two], held)
    assert list(alone.pairs()) == []
    assert len(list(alone.pairs(filled([there], held)))) == 2


@pytest.fixture(scope="module")
def examples():
    folder = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "valid")
    found = {}
    for name in os.listdir(folder):
        if name.endswith(".yaml"):
            value = read(os.path.join(folder, name))
            if type(value).__name__ in KINDS:
                found[value.kind] = value
    assert {"WorkloadCase", "OperationSpec"} <= set(found)
    return found


def test_a_full_disk_is_told_when_rows_are_asked_about(monkeypatch):
    def full(self, batch):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(spill.Spill, "take", full)
    collection = filled(random_rows(1), 50)
    with pytest.raises(OSError, match="No space left"):
        list(collection.faults())
