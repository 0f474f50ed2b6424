"""Lines of the files that findings point into, read again for the text report."""

from __future__ import annotations

import contextlib
from typing import BinaryIO

from kernelindex_schema.codecs.formats import format_of

__all__ = ["SourceLines"]

LONGEST = 1_048_576
"""Bytes of a line beyond which it is not shown: no document may be longer."""


class SourceLines:
    """Gives a line of a file; quick when asked in order, as the findings of a report are.

    Packed files and files that are no text have no lines to show, and standard input cannot be read again.
    """

    def __init__(self) -> None:
        self._file: str | None = None
        self._stream: BinaryIO | None = None
        self._line = 0
        self._text: str | None = None

    def __call__(self, file: str, line: int) -> str | None:
        """The text of a line (counted from 1) without its end, or ``None``."""
        if file != self._file or line < self._line:
            self._open(file)
        while self._stream is not None and self._line < line:
            self._advance(self._stream)
        return self._text

    def close(self) -> None:
        """Let go of the file."""
        if self._stream is not None:
            self._stream.close()
        self._file, self._stream, self._line, self._text = None, None, 0, None

    def _open(self, file: str) -> None:
        self.close()
        self._file = file
        form, compression = format_of(file)
        if compression is None and (form is None or form.is_text):
            with contextlib.suppress(OSError, ValueError):
                self._stream = open(file, "rb")  # noqa: SIM115 (open until another file is asked for)

    def _advance(self, stream: BinaryIO) -> None:
        try:
            data = stream.readline(LONGEST + 1)
            rest = data
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(LONGEST)
        except OSError:
            data = b""
        self._line += 1
        if not data:
            self._text = None
            stream.close()
            self._stream = None
            return
        text = data.decode("utf-8", "replace")
        if self._line == 1:
            text = text.removeprefix("\ufeff")  # a byte order mark takes no column
        self._text = text.rstrip("\r\n") if len(data) <= LONGEST else None
