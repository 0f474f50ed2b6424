"""Cuts a YAML stream into its documents, line by line and without reading what is in them.

A line that begins with ``---`` or ``...`` and a blank is a marker wherever it stands, also within quoted or block text
(YAML 1.2.2, section 9.1.4), so that no syntax need be understood for this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES, Fault, Piece
from kernelindex_schema.codecs.text import BYTE_ORDER_MARK
from kernelindex_schema.findings import Position

__all__ = ["split_documents"]

_CHUNK = 65_536

_MARKER = re.compile(rb"(---|\.\.\.)(?:[ \t\r\n]|\Z)")
_BEFORE_MARKER = re.compile(rb"\n(?=---|\.\.\.)")
_NO_CONTENT = re.compile(rb"[ \t]*(?:#[^\n]*)?\r?\n?\Z")


def split_documents(stream: BinaryIO) -> Iterator[Piece]:
    """The documents of a stream, each with the comments and directives before it.

    An empty document counts where ``---`` begins it; a stream without any document is one piece, so that a later stage
    can say so. What is longer than :data:`MAX_MANIFEST_BYTES` is not kept and is KIX003.
    """
    head = _read_up_to(stream, MAX_MANIFEST_BYTES + 1)
    if len(head) <= MAX_MANIFEST_BYTES and not _may_have_marker(head):
        yield Piece(index=0, data=head)
        return
    yield from _Cutter().documents(_blocks(head, stream))


def _may_have_marker(data: bytes) -> bool:
    if b"\n---" in data or b"\n..." in data:
        return True
    return data.removeprefix(BYTE_ORDER_MARK).startswith((b"---", b"..."))


def _read_up_to(stream: BinaryIO, size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0:
        part = stream.read(size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _blocks(head: bytes, rest: BinaryIO) -> Iterator[bytes]:
    """The stream in blocks of whole lines, of which only the first may be a marker; a line longer than a chunk comes
    in parts."""
    pending = head
    whole = True
    while pending:
        start = 0
        if not whole:
            start = pending.find(b"\n") + 1
            whole = start > 0
            if whole:
                yield pending[:start]
        for found in _BEFORE_MARKER.finditer(pending, start) if whole else ():
            yield pending[start : found.end()]
            start = found.end()
        end = pending.rfind(b"\n", start) + 1
        if end:
            yield pending[start:end]
            start = end
        tail = pending[start:]
        more = rest.read(_CHUNK)
        if tail and (len(tail) >= _CHUNK or not whole or not more):
            yield tail
            tail = b""
            whole = False
        pending = tail + more


class _Cutter:
    """The document that is being gathered."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._index = 0
        self._line = 1
        self._first_line = 1
        self._begun = False
        """Whether the document itself has begun, after its comments and directives."""
        self._has_directive = False
        self._ended = False
        """Whether the line that is being read ends the document."""

    def documents(self, blocks: Iterator[bytes]) -> Iterator[Piece]:
        at_line_start = True
        mark = BYTE_ORDER_MARK
        for block in blocks:
            start = 0
            if at_line_start:
                marker = _MARKER.match(block.removeprefix(mark))
                if marker is not None:
                    start = _line_end(block, 0)
                    yield from self._marker(marker.group(1), block[:start])
                start = self._prefix(block, start, mark)
                mark = b""
            if start < len(block):
                self._add(block[start:])
            at_line_start = block.endswith(b"\n")
            if self._ended and not start and at_line_start:
                yield self._piece()
        if self._begun or self._has_directive or self._ended or self._index == 0:
            yield self._piece()

    def _marker(self, marker: bytes, line: bytes) -> Iterator[Piece]:
        if marker == b"---":
            if self._begun:
                yield self._piece()
            self._begun = True
            self._add(line)
        elif self._begun or self._has_directive or not _NO_CONTENT.match(line.partition(marker)[2]):
            self._add(line)
            self._ended = True
            if line.endswith(b"\n"):
                yield self._piece()
        else:
            # It ends no document, and libyaml would take offence: let it be a comment.
            self._add(line.replace(marker, b"#..", 1))

    def _prefix(self, block: bytes, start: int, mark: bytes) -> int:
        """Takes the comments and directives before a document; gives the place after them."""
        while not self._begun and start < len(block):
            end = _line_end(block, start)
            line = block[start:end]
            if line.startswith(b"%"):
                self._has_directive = True
            elif not _NO_CONTENT.match(line.removeprefix(mark)):
                self._begun = True
                break
            self._add(line)
            start = end
        return start

    def _add(self, data: bytes) -> None:
        self._line += data.count(b"\n")
        self._size += len(data)
        if self._size <= MAX_MANIFEST_BYTES:
            self._parts.append(data)
        else:
            self._parts.clear()

    def _piece(self) -> Piece:
        faults: tuple[Fault, ...] = ()
        if self._size > MAX_MANIFEST_BYTES:
            where = Position(self._first_line, 1, self._first_line, 1)
            message = f"the document is longer than {MAX_MANIFEST_BYTES:,} bytes"
            faults = (Fault(rule="KIX003", message=message, position=where),)
        piece = Piece(index=self._index, data=b"".join(self._parts), first_line=self._first_line, faults=faults)
        self._parts.clear()
        self._size = 0
        self._index += 1
        self._first_line = self._line
        self._begun = self._has_directive = self._ended = False
        return piece


def _line_end(block: bytes, start: int) -> int:
    return block.find(b"\n", start) + 1 or len(block)
