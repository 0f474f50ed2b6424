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

KIX = [sys.executable, "-m", "kernelindex_schema"]


def _peer() -> list[str] | None:
    beside = os.path.join(os.path.dirname(sys.executable), "check-jsonschema")
    found = beside if os.path.exists(beside) else shutil.which("check-jsonschema")
    return [found, "--schemafile"] if found else None


def _write_files(folder: str, suffix: str, count: int) -> list[str]:
    catalog = Catalog()
    os.makedirs(folder)
    names = []
    for number in range(count):
        name = os.path.join(folder, f"run-{number:04}{suffix}")
        kix.write(kix.decode(next(iter(catalog.lines(1))), format="json").run, name)
        names.append(name)
    return names


def starts(rounds: int, files: int) -> Iterator[Row]:
    """One file, and many files, against click with msgspec and against check-jsonschema."""
    peer = _peer()
    schema = os.path.join(os.path.dirname(__file__), "..", "schemas", "v1alpha1", "benchmark-run.schema.json")
    with tempfile.TemporaryDirectory() as folder:
        one = _write_files(os.path.join(folder, "one"), ".json", 1)
        commands: dict[str, Sequence[str]] = {
            "import msgspec, click": [sys.executable, "-c", "import msgspec, click"],
            "one JSON file": [*KIX, "check", *one],
        }
        if peer:
            commands["check-jsonschema"] = [*peer, schema, *one]
        taken = timing.least_process(commands, rounds)
        for name, seconds in taken.items():
            yield f"{name}, ms", seconds * 1000
        yield "one JSON file / import msgspec, click", taken["one JSON file"] / taken["import msgspec, click"]
        if peer:
            yield "one JSON file / check-jsonschema", taken["one JSON file"] / taken["check-jsonschema"]
        for suffix, title in ((".json", "JSON"), (".yaml", "YAML")):
            many = _write_files(os.path.join(folder, title), suffix, files)
            commands = {"ours": [*KIX, "check", "-q", "--ignore", "KIX5", *many]}
            if peer:
                commands["check-jsonschema"] = [*peer, schema, *many]
            taken = timing.least_process(commands, max(2, rounds // 5))
            for name, seconds in taken.items():
                yield f"{files:,} {title} files, {name}, ms", seconds * 1000
            if peer:
                yield f"{files:,} {title} files / check-jsonschema", taken["ours"] / taken["check-jsonschema"]


def streams(largest: int) -> Iterator[Row]:
    """Cost and memory as a JSON Lines stream grows, and two processes against one."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records.jsonl")
        size = 1000
        while size <= largest:
            with open(path, "wb") as file:
                file.writelines(Catalog().lines(size))
            seconds, megabytes = timing.peak_memory([*KIX, "check", "-q", "--jobs", "1", path])
            yield f"{size:,} records: microseconds a record", seconds / size * 1e6
            yield f"{size:,} records: peak memory, MB", megabytes
            if size == 1_000_000:
                yield "memory over 10^6 records, MB", megabytes
            if size == largest or size * 10 > largest:
                two, _ = timing.peak_memory([*KIX, "check", "-q", "--jobs", "2", path])
                yield "two processes, times as fast", seconds / two
            size *= 10
