"""Shares on an executor: in order, each counted once, whatever happens to the workers.

Where a worker is lost (killed, out of memory, crashed) the shares in flight are run again: alone, so that it is known
which one it was, and file by file. What loses its worker again is given back with the error.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from functools import partial
from multiprocessing.connection import wait as wait_for_process
from types import TracebackType
from typing import Any, TypeVar

from kernelindex_schema.shares import Share

__all__ = ["Processes", "run", "usable_processors"]

Result = TypeVar("Result")
Outcome = tuple[Share, Result | Exception]

_WIDE = 1000
"""Shares in flight on an executor that does not tell how many workers it has."""


def run(executor: Executor, work: Callable[[Share], Result], shares: Iterable[Share]) -> Iterator[Outcome[Result]]:
    """Each share with what ``work`` made of it, in the order of the shares; an exception where it could not be run.

    A share that was lost comes back as shares of one file each.
    """
    crew = _Crew(executor, work)
    try:
        yield from _in_order(crew, enumerate(shares), crew.width)
    finally:
        crew.dismiss()


def _in_order(crew: _Crew, numbered: Iterator[tuple[int, Share]], width: int) -> Iterator[Outcome[Result]]:
    settled: dict[int, list[Outcome[Result]]] = {}
    lost: list[tuple[int, Share]] = []
    following = 0
    exhausted = False
    while not exhausted or crew.flight or lost:
        while not exhausted and not lost and len(crew.flight) + len(settled) < width:
            index, share = next(numbered, (-1, None))
            if share is None:
                exhausted = True
            elif share.here:
                settled[index] = [(share, _attempt(partial(crew.work, share)))]
            elif not crew.send(index, share):
                lost.append((index, share))
        if crew.flight:
            for index, share, future in crew.landed():
                outcome = _attempt(future.result)
                if isinstance(outcome, Exception):
                    lost.append((index, share))
                else:
                    settled[index] = [(share, outcome)]
        else:
            for index, share in sorted(lost, key=lambda each: each[0]):
                settled[index] = [(each, crew.alone(each)) for each in share.apart()]
            lost = []
        while following in settled:
            yield from settled.pop(following)
            following += 1


def _attempt(call: Callable[[], Result]) -> Result | Exception:
    try:
        return call()
    except Exception as error:
        return error


class _Crew:
    """An executor, or the one that took its place, and the shares that it has not finished."""

    def __init__(self, executor: Executor, work: Callable[[Share], Any]) -> None:
        self.work = work
        self.flight: dict[Future[Any], tuple[int, Share]] = {}
        workers: int | None = getattr(executor, "_max_workers", None)
        self.width = 2 * workers + 2 if workers else _WIDE
        self._executor = executor
        self._replacement: Processes | None = None

    def send(self, index: int, share: Share) -> bool:
        """Whether a share is under way."""
        try:
            self.flight[self._submit(share)] = index, share
        except Exception:
            return False
        return True

    def _submit(self, share: Share) -> Future[Any]:
        try:
            return self._executor.submit(self.work, share)
        except BrokenExecutor:
            if self._replacement is not None:
                raise
            self._executor = self._replacement = Processes(usable_processors())
            return self._executor.submit(self.work, share)

    def landed(self) -> list[tuple[int, Share, Future[Any]]]:
        """What has ended since, at least one."""
        done = wait(self.flight, return_when=FIRST_COMPLETED).done
        return [(*self.flight.pop(future), future) for future in done]

    def alone(self, share: Share) -> Any:
        """What becomes of a share with nothing else in flight."""
        return _attempt(lambda: self._submit(share).result())

    def dismiss(self) -> None:
        """Leave nothing running that was started here."""
        for future in self.flight:
            future.cancel()
        if self._replacement is not None:
            self._replacement.close(at_once=sys.exc_info()[0] is not None)


def usable_processors() -> int:
    """How many processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes(Executor):
    """Processes of this machine, started with the first call and anew after one of them was lost."""

    def __init__(self, count: int) -> None:
        self._max_workers = min(count, 61)  # more than Windows can wait for
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Start a call."""
        if self._pool is not None:
            try:
                return self._pool.submit(function, *args, **kwargs)
            except BrokenExecutor:
                self._pool.shutdown()
        with _uninterrupted():
            self._pool = ProcessPoolExecutor(self._max_workers, mp_context=_context(), initializer=_begin)
            return self._pool.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they are done."""
        if self._pool is not None:
            self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def close(self, *, at_once: bool) -> None:
        """End the processes, ``at_once`` even in the midst of a call."""
        if self._pool is not None and at_once:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
        self.shutdown(cancel_futures=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=kind is not None)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keeps Ctrl-C from processes that have only begun and would still answer with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context() -> Any:
    # A fork starts in a millisecond with everything loaded. It is safe while there is no other thread.
    alone = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if alone else "spawn")


def _begin() -> None:
    """In a worker: Ctrl-C ends it in silence (its parent speaks), and it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(parent: int) -> None:
    wait_for_process([parent])
    os._exit(1)
