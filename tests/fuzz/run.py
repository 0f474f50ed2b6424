"""A long fuzz run: ``python tests/fuzz/run.py --count 200000 --seed 1``.

Prints what was tried and what was found; an input for which something does not hold is written to a file, and the run
goes on. Exits 1 if there was any. ``test_fuzz.py`` runs a few hundred of the same inputs with the other tests.
"""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from random_inputs import Input, Source, verdict

SLOW = 2.0
"""Seconds that no small input may take."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    keep = Path(tempfile.gettempdir()) / "kix-fuzz"
    parser.add_argument("--keep", type=Path, default=keep, help=f"folder for inputs that fail (default: {keep})")
    options = parser.parse_args()
    tried: collections.Counter[str] = collections.Counter()
    origins: collections.Counter[str] = collections.Counter()
    rules: collections.Counter[str] = collections.Counter()
    failures, clean, slowest, began = 0, 0, 0.0, time.monotonic()
    for number, item in zip(range(options.count), Source(options.seed).inputs(), strict=False):
        start = time.process_time()
        try:
            report = verdict(item)
            clean += report.ok
            rules.update({finding.rule for finding in report.findings})
            took = time.process_time() - start
            assert took < SLOW, f"took {took:.1f} s"
            slowest = max(slowest, took)
        except Exception:
            failures += 1
            _keep(options.keep, options.seed, number, item)
        tried[item.name] += 1
        origins[item.origin] += 1
        if number and number % 10_000 == 0:
            print(f"{number} inputs, {failures} failures, {time.monotonic() - began:.0f} s", file=sys.stderr)
    took = time.monotonic() - began
    print(
        f"{options.count} inputs from seed {options.seed} in {took:.0f} s: {failures} failures, {clean} documents pass"
    )
    print(f"slowest input: {slowest:.2f} s")
    print("formats:", ", ".join(f"{name} {count}" for name, count in sorted(tried.items())))
    print("made by:", ", ".join(f"{name} {count}" for name, count in sorted(origins.items())))
    print("rules:", ", ".join(f"{rule} {count}" for rule, count in sorted(rules.items())))
    return 1 if failures else 0


def _keep(folder: Path, seed: int, number: int, item: Input) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{seed}-{number}-{item.name}"
    path.write_bytes(item.data)
    path.with_name(path.name + ".log").write_text(f"{item.origin}\n{traceback.format_exc()}", encoding="utf-8")
    print(f"{path}: {traceback.format_exc().splitlines()[-1][:300]}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
