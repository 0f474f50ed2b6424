"""Shares on an executor: in order, each counted once, whatever happens to the workers.

Where a worker is lost (killed, out of memory, crashed) the shares in flight are run again: alone, so that it is known
which one it was, and file by file. What loses its worker again is given back with the error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from functools import partial
from typing import Any, TypeVar

from kernelindex_schema.processes import Processes, usable_processors
from kernelindex_schema.shares import Share

__all__ = ["run"]

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
