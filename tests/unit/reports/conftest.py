"""A report with one of everything, made by hand, and the golden files beside which reports are held."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelindex_schema.findings import Finding, Related, Report, Severity

GOLDEN = Path(__file__).parents[2] / "golden" / "reports"

LINES = {
    ("runs/rope.yaml", 14): "      median: 410",
    ("runs/rope.yaml", 20): "\tunit:\tms  # µ → \x1b[31m",
    ("записи/表.json", 1): '{"kind":' + '"表", ' * 60 + '"statuz": 1}',
}


@pytest.fixture
def source() -> Callable[[str, int], str | None]:
    return lambda file, line: LINES.get((file, line))


@pytest.fixture
def report() -> Report:
    findings = [
        Finding(
            rule="KIX401",
            name="source-time-disagrees",
            severity=Severity.ERROR,
            message="run.spec.timing.latencyNs.median is 410 ns, its source says ms_50 = 0.41024 ms (410240 ns)",
            file="runs/rope.yaml",
            document=0,
            kind="BenchmarkRun",
            manifest="rope",
            pointer="/run/spec/timing/latencyNs/median",
            path="run.spec.timing.latencyNs.median",
            line=14,
            column=15,
            end_line=14,
            end_column=18,
            hint="latencyNs counts nanoseconds; multiply milliseconds by 1000000",
            url="https://kernelindex.dev/schema/rules/KIX401",
        ),
        Finding(
            rule="KIX005",
            name="duplicate-key",
            severity=Severity.ERROR,
            message="the key 'un\nit\x1b[2J\u202e' stands here for the second time: 100%, really",
            file="runs/rope.yaml",
            document=0,
            pointer="/run/spec/unit",
            path="run.spec.unit",
            line=20,
            column=2,
            end_line=20,
            end_column=6,
            related=(Related(file="runs/rope.yaml", pointer="/run/spec/unit", line=3, column=1, message="the first"),),
        ),
        Finding(
            rule="KIX103",
            name="unknown-field",
            severity=Severity.WARNING,
            message="'statuz' is no field of a BenchmarkRun",
            file="записи/表.json",
            document=0,
            pointer="/statuz",
            path="statuz",
            line=1,
            column=310,
            end_line=1,
            end_column=318,
            hint="did you mean 'status'?",
        ),
        Finding(
            rule="KIX107",
            name="out-of-range",
            severity=Severity.ERROR,
            message="-1 is below 0",
            file="a b, c:%.msgpack",
            document=0,
            pointer="/spec/timing/samples",
            path="spec.timing.samples",
        ),
        Finding(
            rule="KIX001",
            name="unreadable",
            severity=Severity.ERROR,
            message="no such file",
            file="caf\udce9\udcc3\udca9\n.yaml",
        ),
        Finding(
            rule="KIX505",
            name="repeated-manifest",
            severity=Severity.NOTE,
            message="the same digest stands twice",
            file="runs/two.jsonl",
            document=4,
            line=5,
            column=1,
            end_line=6,
            end_column=2,
        ),
    ]
    whole = Report(files=5, documents=5, manifests=12, passed_over=3)
    return whole.merge(Report(findings=tuple(findings)))


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if os.environ.get("KIX_UPDATE_GOLDEN"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8"))
        assert file.is_file(), f"{file} is missing; write it with KIX_UPDATE_GOLDEN=1"
        assert text == file.read_bytes().decode("utf-8"), f"differs from {file}; see tests/golden/README.md"

    return compare
