"""Executors for a check: several processes, and a count of the files done on a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from kernelindex_schema.cli import streams

__all__ = ["Counted", "make_executor"]

Result = TypeVar("Result")


def make_executor(jobs: int) -> Executor:
    """An executor over so many processes (0: as many as processors) that shows its progress on a terminal."""
    processes = jobs or os.cpu_count() or 1
    if processes == 1:
        return Counted(None)
    from concurrent.futures import ProcessPoolExecutor

    return Counted(ProcessPoolExecutor(max_workers=processes))


class Counted(Executor):
    """Runs calls on another executor, or at once, and shows how many files were done."""

    def __init__(self, inner: Executor | None) -> None:
        self._inner = inner
        self._files = 0

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Start a call whose first argument is a sequence of files."""
        if self._inner is not None:
            future = self._inner.submit(function, *args, **kwargs)
        else:
            future = Future()
            try:
                future.set_result(function(*args, **kwargs))
            except Exception as error:
                future.set_exception(error)
        future.add_done_callback(lambda _: self._show(len(args[0])))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop, and remove the count."""
        if self._inner is not None:
            self._inner.shutdown(wait, cancel_futures=cancel_futures)
        streams.progress("")

    def _show(self, files: int) -> None:
        self._files += files
        streams.progress(f"{self._files} files checked")
