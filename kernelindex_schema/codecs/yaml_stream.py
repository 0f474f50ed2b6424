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

__all__ = ["split_documents"]

_CHUNK = 65_536

_MARKER = re.compile(rb"(---|\.\.\.)(?:[ \t\r\n]|\Z)")
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
    yield from _Cutter().documents(_lines(head, stream))


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


def _lines(head: bytes, rest: BinaryIO) -> Iterator[bytes]:
    """The stream in lines; one that is longer than a chunk comes in parts, of which the last ends in a line feed."""
    pending = head
    while pending:
        start = 0
        while (end := pending.find(b"\n", start) + 1) > 0:
            yield pending[start:end]
            start = end
        tail = pending[start:]
        more = rest.read(_CHUNK)
        if len(tail) >= _CHUNK or not more:
            if tail:
                yield tail
            tail = b""
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

    def documents(self, lines: Iterator[bytes]) -> Iterator[Piece]:
        at_line_start = True
        first = True
        for line in lines:
            shown = line.removeprefix(BYTE_ORDER_MARK) if first else line
            first = False
            marker = _MARKER.match(shown) if at_line_start else None
            if marker is None:
                self._begun = self._begun or not (at_line_start and self._is_prefix(shown))
                self._add(line)
            elif marker.group(1) == b"---":
                if self._begun:
                    yield self._piece()
                self._begun = True
                self._add(line)
            elif self._begun or self._has_directive or not _NO_CONTENT.match(shown[3:]):
                self._add(line)
                yield self._piece(after=1)
            else:
                # It ends no document; libyaml would take offence.
                self._add(b"\n")
            at_line_start = line.endswith(b"\n")
            self._line += at_line_start
        if self._begun or self._has_directive or self._index == 0:
            yield self._piece()

    def _is_prefix(self, line: bytes) -> bool:
        if line.startswith(b"%"):
            self._has_directive = True
            return True
        return _NO_CONTENT.match(line) is not None

    def _add(self, line: bytes) -> None:
        self._size += len(line)
        if self._size <= MAX_MANIFEST_BYTES:
            self._parts.append(line)
        else:
            self._parts.clear()

    def _piece(self, after: int = 0) -> Piece:
        faults: tuple[Fault, ...] = ()
        if self._size > MAX_MANIFEST_BYTES:
            faults = (Fault(rule="KIX003", message=f"the document is longer than {MAX_MANIFEST_BYTES:,} bytes"),)
        piece = Piece(index=self._index, data=b"".join(self._parts), first_line=self._first_line, faults=faults)
        self._parts.clear()
        self._size = 0
        self._index += 1
        self._first_line = self._line + after
        self._begun = self._has_directive = False
        return piece
