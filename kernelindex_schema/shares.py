"""Parting the input: files that are checked together, and stretches of large files of JSON Lines.

Shares are alike in bytes, not in number of files. Whoever checks a stretch reads it from the file itself: only its
bounds and the number of its first line are handed over. Packed files and other formats are not cut.
"""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

import msgspec

from kernelindex_schema.codecs.document import Codec, Piece
from kernelindex_schema.codecs.formats import FORMATS, format_of

__all__ = ["Share", "Stretch", "later_pieces", "part_out"]

_MOST = 4 * 1024 * 1024
_LEAST = 128 * 1024
_PARTS = 64
_EACH_FILE = 4096
"""What opening a file costs, in bytes that are checked in the same time."""
_EXPANDS = 8
"""How many bytes come out of a packed one, about."""

_BLOCK = 256 * 1024
_FAR = 32 * 1024 * 1024
"""A stretch without a place to cut that is longer may hold what ends the reading of a file (a line or blank lines
without end), so the rest of the file is one share then."""

_END_OF_DOCUMENT = re.compile(rb"\}\r?\n")
"""Where files are cut: never among blank lines, which are counted together."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What one call checks: some files, or a stretch of one."""

    files: tuple[str, ...]
    size: int = 0
    """Bytes to read."""
    start: int = 0
    end: int | None = None
    """Bounds of the stretch in bytes; None: to the end of the file."""
    first: int = 0
    """Lines before the stretch."""
    here: bool = False
    """Whether only this process can read it: a pipe, a device."""
    attempt: str = ""
    """Tells calls with equal arguments apart: dask would answer the second one with the outcome of the first."""

    @property
    def is_stretch(self) -> bool:
        """Whether it is a part of a file only."""
        return self.start > 0 or self.end is not None

    def apart(self) -> tuple[Share, ...]:
        """The same as shares of one file each."""
        if len(self.files) == 1:
            return (msgspec.structs.replace(self, attempt=self.attempt + "+"),)
        return tuple(Share(files=(file,), size=_size(file) or 0, attempt=self.attempt + "+") for file in self.files)


class Stretch(io.BufferedIOBase):
    """A file as far as ``end``, which tells how much of it was read."""

    def __init__(self, file: BinaryIO, end: int | None, tell: Callable[[int], None] | None) -> None:
        self._file = file
        self._read1: Callable[[int], bytes] = getattr(file, "read1", file.read)
        self._left = None if end is None else end - file.tell()
        self._tell = tell

    def readable(self) -> bool:  # noqa: D102 - as in io
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """All, or so many bytes as there are up to ``size``."""
        return self._given(self._file.read(self._room(size)))

    def read1(self, size: int = -1, /) -> bytes:
        """What one read gives."""
        return self._given(self._read1(self._room(size)))

    def _room(self, size: int | None) -> int:
        wanted = -1 if size is None else size
        if self._left is None:
            return wanted
        return self._left if wanted < 0 else min(wanted, self._left)

    def _given(self, data: bytes) -> bytes:
        if self._left is not None:
            self._left -= len(data)
        if self._tell is not None:
            self._tell(len(data))
        return data


def later_pieces(stream: Any, first: int) -> Iterator[tuple[Codec, Piece]]:
    """The documents of a stretch of JSON Lines that begins after ``first`` lines, at least one of which held one."""
    from kernelindex_schema.codecs.jsonl import JsonlCodec

    codec = JsonlCodec()
    for piece in codec.split(stream, before=first):
        yield codec, piece


def part_out(files: Sequence[str], form: str | None = None) -> Iterator[Share]:
    """The files as shares, in order; ``form`` is the format of all of them, else their names tell it."""
    sizes = [_size(file) for file in files]
    total = sum(size or 0 for size in sizes)
    most = min(_MOST, max(_LEAST, total // _PARTS))
    run = os.urandom(8).hex()
    group: list[str] = []
    weight = size_of_group = 0

    def grouped() -> Iterator[Share]:
        nonlocal group, weight, size_of_group
        if group:
            yield Share(files=tuple(group), size=size_of_group, attempt=run)
        group, weight, size_of_group = [], 0, 0

    for file, size in zip(files, sizes, strict=True):
        named, compression = format_of(file)
        is_lines = compression is None and (FORMATS.get(form) if form else named) is FORMATS["jsonl"]
        if size is None:
            yield from grouped()
            yield Share(files=(file,), here=True)
        elif is_lines and size > 2 * most:
            yield from grouped()
            yield from _cut(file, size, most, run)
        else:
            group.append(file)
            size_of_group += size
            weight += _EACH_FILE + size * (_EXPANDS if compression else 1)
            if weight >= most:
                yield from grouped()
    yield from grouped()


def _size(file: str) -> int | None:
    """The bytes of a file that any process can read; None for a pipe and the like. A missing file has none."""
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _cut(name: str, size: int, most: int, run: str) -> Iterator[Share]:
    start = lines = 0
    try:
        with open(name, "rb", buffering=0) as file:
            # The line ends of UTF-16 are not to be found by bytes; such a file is refused as a whole.
            end = None if file.read(2) in (b"\xff\xfe", b"\xfe\xff") else 0
            file.seek(0)
            while end is not None:
                end, passed = _next_cut(file, most)
                upto = size if end is None else start + end
                yield Share(
                    files=(name,),
                    size=upto - start,
                    start=start,
                    end=None if end is None else upto,
                    first=lines,
                    attempt=run,
                )
                start, lines = upto, lines + passed
                file.seek(start)
            if not start:
                yield Share(files=(name,), size=size, attempt=run)
    except OSError:
        # What can be read no further is told by whoever reads it.
        yield Share(files=(name,), size=size - start, start=start, first=lines, attempt=run)


def _next_cut(file: io.FileIO, most: int) -> tuple[int | None, int]:
    """How far a stretch goes from here, and how many lines it has; None where the rest of the file is one share."""
    passed = lines = 0
    tail = b""
    while block := file.read(min(_BLOCK, most - passed) if passed < most else _BLOCK):
        if passed >= most:
            window = tail + block
            if found := _END_OF_DOCUMENT.search(window):
                end = found.end() - len(tail)
                return passed + end, lines + block.count(b"\n", 0, end)
        tail = block[-2:]
        lines += block.count(b"\n")
        passed += len(block)
        if passed > most + _FAR:
            break
    return None, lines
