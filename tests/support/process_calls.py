"""What the tests have other processes do; in a module that a process which only begins can import."""

from __future__ import annotations

import os
import signal
import threading


def end(status: int) -> None:
    os._exit(status)


def be_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Odd(Exception):
    """Cannot be sent: what it holds cannot."""

    def __init__(self) -> None:
        super().__init__("odd")
        self.lock = threading.Lock()


def fail_oddly() -> None:
    raise Odd


def square(number: int) -> int:
    return number * number
