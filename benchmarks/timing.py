"""Timing side by side: the least of several rounds, the candidates taking turns, so that noise hits all alike."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

Work = Callable[[], object]


def least(candidates: dict[str, Work], rounds: int = 7) -> dict[str, float]:
    """The least processor time in seconds of each, over rounds in which every one has its turn."""
    best = dict.fromkeys(candidates, float("inf"))
    for work in candidates.values():
        work()
    for _ in range(rounds):
        for name, work in candidates.items():
            gc.collect()
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    return best


def least_process(commands: dict[str, Sequence[str]], rounds: int = 12) -> dict[str, float]:
    """The least wall time in seconds of each process; all of them succeed, or it raises."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(rounds):
        for name, command in commands.items():
            start = time.perf_counter()
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            taken = time.perf_counter() - start
            if done.returncode:
                raise RuntimeError(f"{name}: exit {done.returncode}: {done.stderr.decode()[-500:]}")
            best[name] = min(best[name], taken)
    return best


def peak_memory(command: Sequence[str]) -> tuple[float, float]:
    """Wall seconds and peak resident megabytes of a process, its children apart."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command}: exit {process.returncode}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return time.perf_counter() - start, usage.ru_maxrss / unit


def processor_of_children(work: Work) -> float:
    """Processor seconds that the processes started by ``work`` took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
