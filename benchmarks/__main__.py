"""``python -m benchmarks [--quick]``: every measurement, with the ratios that are aimed at.

Peers that are not installed are left out and named; ``pip install 'kernelindex-schema[bench]'`` brings them. Node and
ajv are used where ``node`` is found and ajv lies in docs/try-it/node_modules or in the folder that AJV_FROM names.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata

import msgspec

from benchmarks import peers, processes, timing
from benchmarks.canonical import compare_doubles, compare_values
from benchmarks.records import Catalog


class Aim(msgspec.Struct, frozen=True):
    """What a figure ought to be."""

    bound: float
    at_least: bool = False


AIMS = {
    "structure / msgspec + rfc8785": Aim(0.20),
    "structure / limit": Aim(2.5),
    "check / structure": Aim(1.6),
    "pydantic v2 / structure": Aim(5, at_least=True),
    "jsonschema / structure": Aim(25, at_least=True),
    "fastjsonschema / structure": Aim(5, at_least=True),
    "jsonschema-rs / structure": Aim(4, at_least=True),
    "one JSON file / import msgspec, click": Aim(1.4),
    "one JSON file / check-jsonschema": Aim(0.33),
    "1,000 JSON files / check-jsonschema": Aim(0.2),
    "1,000 YAML files / check-jsonschema": Aim(0.35),
    "memory over 1,000,000 records, MB": Aim(64),
    "two processes, times as fast": Aim(1.6, at_least=True),
    "differences from rfc8785": Aim(0),
}

PACKAGES = ("msgspec", "rfc8785", "click", "PyYAML", "pydantic", "jsonschema", "fastjsonschema", "jsonschema-rs")

SLOW = {"jsonschema": 10}
"""Peers that get one in so many records."""


class Sizes(msgspec.Struct, frozen=True, kw_only=True):
    """How much is measured."""

    records: int
    """Records in a round."""
    rounds: int
    numbers: int
    starts: int
    """Starts of each process."""
    files: int
    stream: tuple[int, ...]
    repeats: int
    """Runs over many files, and over the stream by one and by two processes."""


FULL = Sizes(
    records=1000,
    rounds=15,
    numbers=4_000_000,
    starts=25,
    files=1000,
    stream=(1000, 10_000, 100_000, 1_000_000),
    repeats=5,
)
QUICK = Sizes(records=200, rounds=4, numbers=100_000, starts=5, files=100, stream=(1000, 10_000), repeats=2)
TINY = Sizes(records=3, rounds=1, numbers=200, starts=1, files=2, stream=(3, 5), repeats=1)
"""To see whether everything runs."""


def _line(name: str, value: float) -> str:
    aim = AIMS.get(name)
    if aim is None:
        return f"{name:54} {value:12,.2f}"
    reached = value >= aim.bound if aim.at_least else value <= aim.bound
    word = "at least" if aim.at_least else "at most"
    return f"{name:54} {value:12,.2f}   {word} {aim.bound:g}: {'reached' if reached else 'NOT REACHED'}"


def _machine() -> Iterator[str]:
    processor = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        processor = models[0] if models else processor
    python = f"{platform.python_implementation()} {platform.python_version()}"
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    yield f"{processor}, {os.cpu_count()} processors, {platform.system()}, {python}; load {load} at the start"
    versions = []
    for name in (*PACKAGES, "check-jsonschema"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    node = shutil.which("node")
    if node:
        versions.append(f"Node {subprocess.run([node, '--version'], capture_output=True, text=True).stdout.strip()}")
    yield ", ".join(versions)


def _records(sizes: Sizes) -> Iterator[str]:
    """Microseconds a record, and ratios."""
    catalog = Catalog()
    rounds = [[line.rstrip(b"\n") for line in catalog.lines(sizes.records)] for _ in range(sizes.rounds + 1)]
    structure, whole = peers.ours()

    def over(check: peers.Check) -> timing.Work:
        return lambda lines: [check(line) for line in lines]

    candidates: dict[str, timing.Work] = {
        "limit": over(peers.limit),
        "structure": over(structure),
        "check": lambda lines: whole(b"\n".join(lines)),
    }
    candidates |= {name: over(check) for name, check in peers.present()}
    slow = {name: max(1, sizes.records // few) for name, few in SLOW.items()}
    micros = {name: seconds * 1e6 for name, seconds in timing.least(candidates, rounds, slow).items()}
    node = _node(b"\n".join(rounds[0]))
    if node is not None:
        micros["Node: JSON.parse + ajv + RFC 8785"] = node
    mean = sum(map(len, rounds[0])) / len(rounds[0])
    yield f"microseconds a record of {mean:,.0f} bytes; the least of {sizes.rounds} rounds of {sizes.records} records"
    yield from (f"  {name:52} {value:12.1f}" for name, value in micros.items())
    yield _line("structure / limit", micros["structure"] / micros["limit"])
    yield _line("check / structure", micros["check"] / micros["structure"])
    if "msgspec + rfc8785" in micros:
        yield _line("structure / msgspec + rfc8785", micros["structure"] / micros["msgspec + rfc8785"])
    for name in ("pydantic v2", "jsonschema", "fastjsonschema", "jsonschema-rs", "Node: JSON.parse + ajv + RFC 8785"):
        if name in micros:
            yield _line(f"{name} / structure", micros[name] / micros["structure"])


def _node(stream: bytes) -> float | None:
    """Microseconds a record by Node and ajv, where both are there."""
    here = os.path.dirname(__file__)
    found = os.environ.get("AJV_FROM") or os.path.join(here, "..", "docs", "try-it")
    if shutil.which("node") is None or not os.path.isdir(os.path.join(found, "node_modules", "ajv")):
        return None
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(stream)
        file.flush()
        schemas = os.path.join(here, "..", "schemas", "v1alpha1")
        command = ["node", os.path.join(here, "ajv.mjs"), schemas, file.name]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "AJV_FROM": os.path.abspath(found)}
        )
    return float(done.stdout)


def _named(rows: Iterable[tuple[str, float]]) -> Iterator[str]:
    return (_line(*row) for row in rows)


PARTS: dict[str, Callable[[Sizes], Iterator[str]]] = {
    "records": _records,
    "canonical": lambda sizes: _named([*compare_doubles(sizes.numbers), *compare_values(sizes.numbers // 40)]),
    "starts": lambda sizes: _named(processes.starts(sizes.starts)),
    "files": lambda sizes: _named(processes.files(sizes.repeats, sizes.files)),
    "streams": lambda sizes: _named(processes.streams(sizes.repeats, sizes.stream)),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="smaller inputs, fewer rounds: a rough picture in a minute"
    )
    parser.add_argument("--tiny", action="store_true", help="hardly any input: whether it runs, not how fast")
    parser.add_argument("--only", choices=list(PARTS), help="one part")
    arguments = parser.parse_args()
    sizes = TINY if arguments.tiny else QUICK if arguments.quick else FULL
    for line in _machine():
        print(line)
    for name, part in PARTS.items():
        if arguments.only in (None, name):
            print(f"\n{name}", flush=True)
            for line in part(sizes):
                print(line, flush=True)


if __name__ == "__main__":
    main()
