"""Which files a list of paths stands for.

A named file is always one. A folder stands for the files below it whose suffix is known and that hold records, hidden
and excluded ones apart. What evidently holds something else is passed over and counted. A small data file that says
nothing (empty, null, a bare number, an empty mapping) or that is built to do harm is no evidence of anything else, so
it is checked and told: a record that was emptied by accident must not pass in silence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

import msgspec

from kernelindex_schema.codecs.formats import Format, format_of

__all__ = ["Found", "find_files", "holds_records"]

MARK = b"kernelindex.dev/"
_MARK_UTF16 = (MARK.decode().encode("utf-16-le"), MARK.decode().encode("utf-16-be"))
_CHUNK = 131_072
_SMALL = 131_072
_DATA = frozenset({"json", "yaml", "toml"})
_BLANK = b"\xef\xbb\xbf \t\r\n.-"
_HOSTILE = frozenset({"KIX006", "KIX007"})
_READ_AT_MOST = 64 * 1024 * 1024


class Found(msgspec.Struct):
    """The files to check, in order, and what was met on the way."""

    files: list[str] = []
    passed_over: int = 0
    missing: list[tuple[str, str]] = []
    """Paths that stand for nothing, with the reason in words."""


def _nothing_excluded(path: str) -> bool:
    return False


def find_files(paths: Sequence[str], *, excluded: Callable[[str], bool] = _nothing_excluded) -> Found:
    """The files that the paths stand for, each once, folders in sorted order."""
    found = Found()
    seen: set[str] = set()

    def take(path: str) -> None:
        if path not in seen:
            seen.add(path)
            found.files.append(path)

    for path in paths:
        if not os.path.isdir(path):
            take(path)
            continue
        before, passed_before = len(found.files), found.passed_over
        known = 0
        for file in _walk(path, excluded):
            known += 1
            if holds_records(file):
                take(file)
            else:
                found.passed_over += 1
        if known == found.passed_over - passed_before and len(found.files) == before:
            found.missing.append((path, "the folder holds no manifest" + _among(known)))
    return found


def _among(known: int) -> str:
    if not known:
        return " (and no file with a known suffix)"
    return f" ({known} file{'s' if known > 1 else ''} with a known suffix passed over)"


def _walk(folder: str, excluded: Callable[[str], bool]) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(
            each for each in folders if not each.startswith(".") and not excluded(os.path.join(root, each))
        )
        for name in sorted(files):
            path = os.path.join(root, name)
            form, compression = format_of(name)
            if name.startswith(".") or (form is None and compression is None) or excluded(path):
                continue
            yield path


def holds_records(path: str, *, strict: bool = False) -> bool:
    """Whether a file speaks of the format, or is a bench record. An unreadable file counts: the check tells why.

    Small files that say nothing or mean harm count too, unless ``strict``: among files that somebody named without
    meaning records, they are somebody else's.
    """
    form, compression = format_of(path)
    try:
        with open(path, "rb") as file:
            if compression is None:
                return _speaks_of_it(file, form, strict)
            from kernelindex_schema.codecs.archive import DamagedArchive, open_expanded

            try:
                return _speaks_of_it(open_expanded(file, compression, limit=_READ_AT_MOST), form, strict)
            except DamagedArchive:
                return form is not None
    except OSError:
        return True


def _speaks_of_it(stream: BinaryIO, form: Format | None, strict: bool) -> bool:
    head = tail = b""
    read = 0
    while read < _READ_AT_MOST and (chunk := stream.read(_CHUNK)):
        window = tail + chunk
        if MARK in window:
            return True
        if not read:
            head = chunk
            if chunk[:2] in (b"\xff\xfe", b"\xfe\xff") and any(mark in chunk for mark in _MARK_UTF16):
                return True
        tail = chunk[-len(MARK) :]
        read += len(chunk)
    return read <= _SMALL and form is not None and form.name in _DATA and _is_ours_by_content(head, form, strict)


def _is_ours_by_content(data: bytes, form: Format, strict: bool) -> bool:
    """Whether a small file without the mark is a bench record or, if not strict, says nothing or is hostile."""
    from kernelindex_schema.codecs.document import Piece
    from kernelindex_schema.documents import recognise

    if not data.strip(_BLANK):
        return not strict
    examined = form.codec().examine(Piece(index=0, data=data))
    if not examined.readable:
        return not strict and any(fault.rule in _HOSTILE for fault in examined.faults)
    value = examined.value
    if isinstance(value, dict) and value:
        shape = recognise(value)
        return shape is not None and shape.name == "bench record"
    return not strict and not (isinstance(value, list) and any(isinstance(each, dict) for each in value))
