"""Processes as an executor: what ends one of them is the affair of one call."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from concurrent.futures import BrokenExecutor

import pytest
from process_calls import be_killed, end, fail_oddly, square

from kernelindex_schema.processes import Processes, usable_processors


def test_calls_are_answered():
    with Processes(2) as executor:
        assert list(executor.map(square, range(50))) == [number * number for number in range(50)]
        assert len({executor.submit(os.getpid).result() for _ in range(20)} - {os.getpid()}) in (1, 2)


def test_errors_come_back():
    with Processes(1) as executor:
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result()
        with pytest.raises(RuntimeError, match="Odd: odd"):
            executor.submit(fail_oddly).result()
        assert executor.submit(square, 3).result() == 9


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are ended by signals here")
def test_the_end_of_a_process_is_the_affair_of_one_call():
    with Processes(2) as executor:
        calls = [
            executor.submit(be_killed if number == 7 else square, *(() if number == 7 else (number,)))
            for number in range(20)
        ]
        for number, call in enumerate(calls):
            if number == 7:
                with pytest.raises(BrokenExecutor, match="exit code -9"):
                    call.result()
            else:
                assert call.result() == number * number
        with pytest.raises(BrokenExecutor, match="exit code 3"):
            executor.submit(end, 3).result()
        assert executor.submit(square, 3).result() == 9


def test_what_is_given_up_ends_in_the_midst_of_a_call():
    start = time.monotonic()
    calls = []
    with contextlib.suppress(KeyError), Processes(2) as executor:
        calls += [executor.submit(time.sleep, 60) for _ in range(5)]
        time.sleep(0.1)
        raise KeyError
    assert time.monotonic() - start < 30
    assert all(call.done() for call in calls)


def test_nothing_is_started_before_the_first_call():
    before = set(threading.enumerate())
    with Processes(2):
        assert set(threading.enumerate()) <= before


def test_there_is_a_processor():
    assert usable_processors() >= 1
