"""Processes of this machine as an executor that outlives them.

Each process has a pipe of its own, so that the end of one, even in the midst of an answer, is known at once and by
whose call it came: that call raises :class:`concurrent.futures.BrokenExecutor`, another process takes the place, and
no other call notices. (``ProcessPoolExecutor`` gives up all calls in flight, and waits for ever for the rest of an
answer.)
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_any
from types import TracebackType
from typing import Any, TypeVar

__all__ = ["Processes", "usable_processors"]

Result = TypeVar("Result")


def usable_processors() -> int:
    """How many processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes(Executor):
    """So many processes, started with the first call."""

    def __init__(self, count: int) -> None:
        self._max_workers = count
        self._threads: ThreadPoolExecutor | None = None
        self._workers: list[_Worker] = []
        self._idle: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._closing = False

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Start a call."""
        if self._threads is None:
            # Before any thread is there, so that they may be forked.
            self._workers = [_Worker() for _ in range(self._max_workers)]
            for number in range(self._max_workers):
                self._idle.put(number)
            self._threads = ThreadPoolExecutor(self._max_workers)
        return self._threads.submit(self._call, function, args, kwargs)

    def _call(self, *call: Any) -> Any:
        number = self._idle.get()
        try:
            return self._workers[number].call(call)
        except _Ended as error:
            if not self._closing:
                self._workers[number] = _Worker()
            raise BrokenExecutor(str(error)) from None
        finally:
            self._idle.put(number)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they are done."""
        if self._threads is not None:
            self._threads.shutdown(wait, cancel_futures=cancel_futures)
            self._closing = True
            for worker in self._workers:
                worker.dismiss()

    def close(self, *, at_once: bool) -> None:
        """End the processes, ``at_once`` even in the midst of a call."""
        if at_once:
            self._closing = True
            for worker in self._workers:
                worker.terminate()
        self.shutdown(cancel_futures=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=kind is not None)


class _Ended(Exception):
    """A process is gone."""


class _Worker:
    """A process, and the pipe to it."""

    def __init__(self) -> None:
        # A fork starts in a millisecond with everything loaded. It is safe while there is no other thread.
        alone = sys.platform == "linux" and threading.active_count() == 1
        context: Any = multiprocessing.get_context("fork" if alone else "spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        with _uninterrupted():
            self._process.start()
        theirs.close()

    def call(self, call: Any) -> Any:
        """What the process makes of a call: function, arguments, arguments by name.

        Raises:
            _Ended: it ended before it answered.
        """
        try:
            self._pipe.send(call)
            succeeded, outcome = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            raise _Ended(f"its process ended with exit code {self._process.exitcode}") from None
        if not succeeded:
            raise outcome
        return outcome

    def terminate(self) -> None:
        """End it now."""
        self._process.terminate()

    def dismiss(self) -> None:
        """End it when it is done, and wait for that."""
        with contextlib.suppress(OSError):
            self._pipe.send(None)
        self._process.join()
        self._pipe.close()


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keeps Ctrl-C from a process that has only begun and would still answer with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection[Any, Any]) -> None:
    """The life of a process. Ctrl-C is its parent's to answer, who ends it; and it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    while (call := pipe.recv()) is not None:
        function, args, kwargs = call
        try:
            pipe.send((True, function(*args, **kwargs)))
        except Exception as error:
            pipe.send((False, _sendable(error)))


def _sendable(error: Exception) -> Exception:
    try:
        pickle.dumps(error)
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _follow(parent: int) -> None:
    wait_for_any([parent])
    os._exit(1)
