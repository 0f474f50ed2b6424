"""``python -m benchmarks [--quick]``: every measurement, with the ratios that are aimed at.

Peers that are not installed are left out and named; ``pip install 'kernelindex-schema[bench]'`` brings them.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata

import msgspec

from benchmarks import peers, processes, timing
from benchmarks.records import Catalog

AIMS = {
    "structure / msgspec + rfc8785": 0.20,
    "structure / limit": 2.5,
    "check / structure": 1.6,
    "pydantic v2 / structure": 5.0,
    "jsonschema / structure": 25.0,
    "fastjsonschema / structure": 5.0,
    "jsonschema-rs / structure": 4.0,
    "one JSON file / import msgspec, click": 1.4,
    "one JSON file / check-jsonschema": 0.33,
    "1,000 JSON files / check-jsonschema": 0.2,
    "1,000 YAML files / check-jsonschema": 0.35,
    "memory over 10^6 records, MB": 64.0,
    "two processes, times as fast": 1.6,
}
"""What each ratio ought to be: at most so much, or for "peer / structure" and "times as fast" at least so much."""


def _at_least(name: str) -> bool:
    return name.endswith(("/ structure", "times as fast")) and not name.startswith("check")


def _line(name: str, value: float) -> str:
    aim = AIMS.get(name)
    if aim is None:
        return f"{name:44} {value:9.2f}"
    reached = value >= aim if _at_least(name) else value <= aim
    word = "at least" if _at_least(name) else "at most"
    return f"{name:44} {value:9.2f}   {word} {aim:g}: {'reached' if reached else 'NOT REACHED'}"


def _machine() -> str:
    names = ("msgspec", "jsonschema", "rfc8785", "click", "PyYAML", "pydantic", "fastjsonschema", "jsonschema-rs")
    versions = []
    for name in (*names, "check-jsonschema"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.machine()}, {os.cpu_count()} processors, {python}; {', '.join(versions)}"


def per_record(count: int, rounds: int) -> Iterator[str]:
    """Microseconds a record, and ratios."""
    lines = [line.rstrip(b"\n") for line in Catalog().lines(count)]
    stream = b"\n".join(lines) + b"\n"
    structure, whole = peers.ours()

    def over(check: peers.Check) -> timing.Work:
        def work() -> None:
            for line in lines:
                check(line)

        return work

    candidates = {"limit": over(peers.limit), "structure": over(structure), "check": lambda: whole(stream)}
    candidates |= {name: over(check) for name, check in peers.present()}
    taken = timing.least(candidates, rounds)
    micros = {name: seconds / count * 1e6 for name, seconds in taken.items()}
    node = _node(stream)
    if node is not None:
        micros["Node: JSON.parse + ajv + RFC 8785"] = node
    yield f"microseconds a record, {count} records of {len(stream) / count:,.0f} bytes"
    yield from (f"  {name:42} {value:9.1f}" for name, value in micros.items())
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


def digests(count: int) -> Iterator[str]:
    """The digest alone, against rfc8785, over random numbers: equal, and how fast."""
    import random
    import struct

    import rfc8785

    from kernelindex_schema.identity import canonical_json

    pick = random.Random(7)
    differ = 0
    for _ in range(count // 100):
        numbers = [struct.unpack("<d", pick.randbytes(8))[0] for _ in range(100)]
        numbers = [number for number in numbers if number - number == 0]
        differ += canonical_json({"numbers": numbers}) != rfc8785.dumps({"numbers": numbers})
    yield f"canonical form of {count:,} random doubles: {differ} differences from rfc8785"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small inputs, few rounds: does it run, not how fast")
    parser.add_argument("--only", choices=["records", "digests", "processes", "streams"], help="one part")
    arguments = parser.parse_args()
    quick, only = arguments.quick, arguments.only
    print(_machine())
    print(f"msgspec {msgspec.__version__}, {sys.executable and 'one process unless said otherwise'}\n")
    parts = {
        "records": lambda: per_record(100 if quick else 2000, 2 if quick else 9),
        "digests": lambda: digests(10_000 if quick else 4_000_000),
        "processes": lambda: map(_named, processes.starts(2 if quick else 15, 20 if quick else 1000)),
        "streams": lambda: map(_named, processes.streams(2_000 if quick else 1_000_000)),
    }
    for name, part in parts.items():
        if only in (None, name):
            for line in part():
                print(line, flush=True)
            print()


def _named(row: tuple[str, float]) -> str:
    return _line(*row)


if __name__ == "__main__":
    main()
