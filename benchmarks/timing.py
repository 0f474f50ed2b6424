"""Timing side by side: the least of several rounds, the candidates taking turns, so that noise hits all alike."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

Work = Callable[[Sequence[bytes]], object]


def least(
    candidates: Mapping[str, Work], rounds: Sequence[Sequence[bytes]], slow: Mapping[str, int]
) -> dict[str, float]:
    """The least processor time in seconds that each takes for an item.

    Every round has items of its own, so that nobody is asked what they may remember; the first one is for warming up.
    ``slow`` names candidates that get fewer items of a round.
    """
    best = dict.fromkeys(candidates, float("inf"))
    for number, items in enumerate(rounds):
        for name, work in candidates.items():
            some = items[: slow.get(name, len(items))]
            gc.collect()
            start = time.process_time()
            work(some)
            taken = time.process_time() - start
            if number:
                best[name] = min(best[name], taken / len(some))
    return best


def _environment() -> dict[str, str]:
    # Installed packages lie there compiled; a checkout is compiled by its first run, where that may keep the outcome.
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def least_process(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """The least wall time in seconds of each process; all of them succeed, or it raises."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(rounds):
        for name, command in commands.items():
            start = time.perf_counter()
            done = subprocess.run(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_environment(), check=False
            )
            taken = time.perf_counter() - start
            if done.returncode:
                raise RuntimeError(f"{name}: exit {done.returncode}: {done.stderr.decode()[-500:]}")
            best[name] = min(best[name], taken)
    return best


_TELLING = """
import os, sys, time
from kernelindex_schema.cli.program import run
code = run(sys.argv[1:])
if os.path.exists("/proc/self/status"):
    # The high-water mark of the kernel's own accounting outlives an exec, and with it the memory of whoever started us.
    with open("/proc/self/status") as file:
        megabytes = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024
else:
    import resource
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = used / (1024 * 1024 if sys.platform == "darwin" else 1024)
print(code, time.process_time(), megabytes)
"""


def usage(arguments: Sequence[str]) -> tuple[float, float]:
    """Processor seconds and peak resident megabytes of our command, which must succeed and print nothing."""
    command = [sys.executable, "-c", _TELLING, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=True)
    code, seconds, megabytes = done.stdout.split()
    if code != "0":
        raise RuntimeError(f"{command}: exit {code}: {done.stdout}{done.stderr}")
    return float(seconds), float(megabytes)
