"""How far a long check has come: bytes and rate, on a terminal."""

from __future__ import annotations

import time

from kernelindex_schema.cli import streams

__all__ = ["Progress"]

_SOON = 0.5
_OFTEN = 0.1


class Progress:
    """Called with the bytes that were read since; shows nothing of a check that is over before anyone would ask."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._next = self._begun + _SOON
        self._bytes = 0

    def __call__(self, size: int) -> None:
        """Count so many bytes more."""
        self._bytes += size
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _OFTEN
            megabytes = self._bytes / 1_000_000
            streams.progress(f"{megabytes:,.1f} MB checked, {megabytes / (now - self._begun):,.1f} MB/s")

    def end(self) -> None:
        """Remove the line."""
        streams.progress("")
