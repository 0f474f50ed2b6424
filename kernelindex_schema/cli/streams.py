"""Standard streams that cannot fail a check: nothing is unencodable, and a closed pipe is no fault."""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO

__all__ = ["Unwritable", "finish", "is_terminal", "prepare", "progress", "say", "tell", "tell_bytes", "wants_color"]

CLOSED_PIPE = (errno.EPIPE, errno.EINVAL if os.name == "nt" else errno.EPIPE)
"""What the system says of a pipe that nobody reads any more; Windows says EINVAL."""


class Unwritable(Exception):
    """Standard output could not be written, such as to a full disk."""


def prepare() -> None:
    """Escape what a console cannot show, and end lines in one way everywhere."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace", newline="\n")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person is looking at this stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def wants_color(choice: str) -> bool:
    """Whether to colour standard output: as chosen, else on a terminal without NO_COLOR (no-color.org)."""
    if choice == "auto":
        return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return choice == "always"


def tell(text: str) -> None:
    """Write to standard output.

    Raises:
        Unwritable: it cannot be written for another reason than that nobody reads it.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        _give_up(error)


def tell_bytes(data: bytes) -> None:
    """Write bytes to standard output as they are.

    Raises:
        Unwritable: as in :func:`tell`.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        _give_up(error)


def say(text: str) -> None:
    """Write a line to standard error, if anybody can read it."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def progress(text: str) -> None:
    """Show a passing line on standard error where it is a terminal; an empty text removes it."""
    if not is_terminal(sys.stderr):
        return
    try:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def finish() -> None:
    """Flush both streams now, so that the interpreter has nothing left to fail on at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            _discard(stream)


def _give_up(error: OSError) -> None:
    _discard(sys.stdout)
    if error.errno not in CLOSED_PIPE:
        raise Unwritable(f"standard output cannot be written: {error.strerror or error}") from None


def _discard(stream: TextIO) -> None:
    # What is still buffered goes nowhere, so that the flush at exit succeeds (library docs, "Note on SIGPIPE").
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass
