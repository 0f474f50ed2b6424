"""Whole processes: starts, many files, long streams, memory, and two processes against one."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence

import kernelindex_schema as kix
from benchmarks import timing
from benchmarks.records import Catalog

Row = tuple[str, float]

CHECK = ["check", "--quiet"]
KIX = [sys.executable, "-m", "kernelindex_schema", *CHECK]
SCHEMA = os.path.join(os.path.dirname(__file__), "..", "schemas", "v1alpha1", "record.schema.json")


def _peer() -> list[str] | None:
    beside = os.path.join(os.path.dirname(sys.executable), "check-jsonschema")
    found = beside if os.path.exists(beside) else shutil.which("check-jsonschema")
    return [found, "--schemafile", SCHEMA] if found else None


def _write_files(folder: str, suffix: str, count: int) -> list[str]:
    """So many records, each in a file."""
    os.makedirs(folder)
    names = []
    for number, line in enumerate(Catalog().lines(count)):
        names.append(os.path.join(folder, f"record-{number:06}{suffix}"))
        kix.write(kix.decode(line, format="json"), names[-1])
    return names


def starts(rounds: int) -> Iterator[Row]:
    """One file: little more than what it takes to start."""
    peer = _peer()
    with tempfile.TemporaryDirectory() as folder:
        one = _write_files(os.path.join(folder, "one"), ".json", 1)
        commands: dict[str, Sequence[str]] = {
            "import msgspec, click": [sys.executable, "-c", "import msgspec, click"],
            "one JSON file": [*KIX, *one],
        }
        if peer:
            commands["check-jsonschema"] = [*peer, *one]
        taken = timing.least_process(commands, rounds)
    for name, seconds in taken.items():
        yield f"{name}, ms", seconds * 1000
    yield "one JSON file / import msgspec, click", taken["one JSON file"] / taken["import msgspec, click"]
    if peer:
        yield "one JSON file / check-jsonschema", taken["one JSON file"] / taken["check-jsonschema"]


def files(rounds: int, count: int) -> Iterator[Row]:
    """Many files in one call, by one process and by two."""
    peer = _peer()
    with tempfile.TemporaryDirectory() as folder:
        for suffix, title in ((".json", "JSON"), (".yaml", "YAML")):
            many = _write_files(os.path.join(folder, title), suffix, count)
            commands: dict[str, Sequence[str]] = {"ours": [*KIX, *many], "ours, --jobs 2": [*KIX, "--jobs", "2", *many]}
            if peer:
                commands["check-jsonschema"] = [*peer, *many]
            taken = timing.least_process(commands, rounds)
            for name, seconds in taken.items():
                yield f"{count:,} {title} files, {name}, ms", seconds * 1000
            if peer:
                yield f"{count:,} {title} files / check-jsonschema", taken["ours"] / taken["check-jsonschema"]
            yield f"{count:,} {title} files, two processes, times as fast", taken["ours"] / taken["ours, --jobs 2"]


def streams(rounds: int, sizes: Sequence[int]) -> Iterator[Row]:
    """Cost and memory as a stream of JSON Lines grows, and two processes against one on the largest but one."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{size}.jsonl") for size in sizes]
        for size, path in zip(sizes, paths, strict=True):
            with open(path, "wb") as file:
                file.writelines(Catalog().lines(size))
            seconds, megabytes = timing.usage([*CHECK, path])
            yield f"{size:,} records: microseconds a record", seconds / size * 1e6
            yield f"{size:,} records: peak memory, MB", megabytes
        yield f"memory over {sizes[-1]:,} records, MB", megabytes
        commands = {jobs: [*KIX, "--jobs", jobs, paths[-2]] for jobs in ("1", "2")}
        taken = timing.least_process(commands, rounds)
        yield f"{sizes[-2]:,} records, one process, s", taken["1"]
        yield f"{sizes[-2]:,} records, two processes, s", taken["2"]
        yield "two processes, times as fast", taken["1"] / taken["2"]
