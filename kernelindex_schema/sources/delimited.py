"""CSV tables with the place of every field (RFC 4180), for sources that are one.

Python's ``csv`` reads the fields. It lets a stray quote in a bare field pass, so the text of each record that holds a
quote is also held against the grammar; the same scan says in which column a damaged record breaks.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO

from kernelindex_schema.findings import Position, Severity
from kernelindex_schema.sources.source import Row, Trouble

__all__ = ["field_position", "table_rows"]

MAX_LINE = 1_048_576
"""Bound of a physical line, in code points."""

_FIELD = re.compile(r'"(?:[^"]|"")*"|[^",\r\n]*')
_UNDECODED = re.compile("[\udc80-\udcff]")


class _Lines:
    """The physical lines of a text, and those that the record under way is made of."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._text = text
        self.number = 0
        self.too_long = False
        self.kept: list[str] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._text.readline(MAX_LINE)
        if not line or self.too_long:
            raise StopIteration
        self.too_long = len(line) == MAX_LINE and not line.endswith(("\r", "\n"))
        self.number += 1
        self.kept.append(line)
        return line


def _fields(raw: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each field of a record, and whether a delimiter or the end of the record follows it."""
    start = 0
    while True:
        match = _FIELD.match(raw, start)
        assert match is not None
        end = match.end()
        sound = end == len(raw) or raw[end] in ",\r\n"
        yield start, end, sound
        if not sound or end == len(raw) or raw[end] != ",":
            return
        start = end + 1


def field_position(line: int, raw: str, index: int) -> Position | None:
    """Where the field of this index stands, for a record that begins on ``line``."""
    for count, (start, end, _) in enumerate(_fields(raw)):
        if count == index:
            first, column = _line_and_column(raw, start)
            last, end_column = _line_and_column(raw, end)
            return Position(line + first, column, line + last, end_column)
    return None


def _column_position(line: int, raw: str, header: list[str], column: str) -> Position | None:
    return field_position(line, raw, header.index(column))


def _line_and_column(raw: str, offset: int) -> tuple[int, int]:
    before = io.StringIO(raw[:offset] + "|", newline="").readlines()
    return len(before) - 1, len(before[-1])


def table_rows(stream: BinaryIO, columns: Sequence[str]) -> Iterator[Row | Trouble]:
    """The records of a CSV file with these columns, found by the names in its first record.

    A record with the wrong number of fields, or with damaged quotes on one line, is a trouble of its own and reading
    goes on after it. Where a quoted field runs over the end of its line and is damaged, no later record can be told
    apart, so reading stops there.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", newline="")
    try:
        yield from _table_rows(_Lines(text), columns)
    finally:
        text.detach()


def _table_rows(lines: _Lines, columns: Sequence[str]) -> Iterator[Row | Trouble]:
    header: list[str] | None = None
    reader = csv.reader(lines, strict=True)
    while True:
        lines.kept = []
        first = lines.number + 1
        try:
            fields = next(reader, None)
        except csv.Error:
            yield _too_long(first) if lines.too_long else _damage(first, "".join(lines.kept), header)
            if len(lines.kept) > 1 or header is None or lines.too_long:
                return
            continue
        if fields is None:
            break
        raw = "".join(lines.kept)
        if lines.too_long:
            yield _too_long(first)
            return
        if header is None and raw.startswith("\ufeff"):
            raw = raw.removeprefix("\ufeff")
            fields[0] = fields[0].removeprefix("\ufeff")
            yield Trouble(
                rule="KIX014", line=1, message="the file begins with a byte-order mark", severity=Severity.WARNING
            )
        if not fields:
            continue
        fault = _record_fault(first, raw, fields, header)
        if fault is not None:
            yield fault
            if header is None:
                return
        elif header is None:
            header = fields
            troubles = list(_header_troubles(first, raw, header, columns))
            yield from troubles
            if any(each.severity is not Severity.WARNING for each in troubles):
                return
        else:
            yield Row(
                line=first,
                values=dict(zip(header, fields, strict=True)),
                position=partial(_column_position, first, raw, header),
            )
    if header is None:
        yield Trouble(rule="KIX011", line=1, message="the file is empty: not even a header line")


def _record_fault(line: int, raw: str, fields: list[str], header: list[str] | None) -> Trouble | None:
    if not raw.isascii() and _UNDECODED.search(raw):
        index = next((i for i, field in enumerate(fields) if _UNDECODED.search(field)), 0)
        where = _column_name(header, index)
        return _trouble("KIX008", line, raw, index, f"{where} holds bytes that are not UTF-8", header)
    if '"' in raw and any(not sound for _, _, sound in _fields(raw)):
        return _damage(line, raw, header)
    if header is not None and len(fields) != len(header):
        if len(fields) < len(header):
            detail = f"there is none for {header[len(fields)]}"
        else:
            detail = f"there are more after {header[-1]}"
        message = f"the record has {len(fields)} fields and the header {len(header)}: {detail}"
        return Trouble(rule="KIX004", line=line, message=message, is_row=True)
    return None


def _too_long(line: int) -> Trouble:
    message = f"the line has more than {MAX_LINE} characters; nothing after it was read"
    return Trouble(rule="KIX003", line=line, message=message, is_row=True)


def _damage(line: int, raw: str, header: list[str] | None) -> Trouble:
    spans = list(_fields(raw))
    if all(sound for _, _, sound in spans):
        message = f"a field has more than {csv.field_size_limit()} characters"
        return Trouble(rule="KIX003", line=line, message=message, is_row=True)
    where = _column_name(header, len(spans) - 1)
    message = f"the quoting of {where} is damaged"
    if "\n" in raw.rstrip("\r\n") or "\r" in raw.rstrip("\r\n"):
        message += ": its quotes do not close on this line, so the rest of the file was not read"
    return _trouble("KIX004", line, raw, len(spans) - 1, message, header)


def _trouble(rule: str, line: int, raw: str, index: int, message: str, header: list[str] | None) -> Trouble:
    return Trouble(
        rule=rule,
        line=line,
        message=message,
        column=header[index] if header is not None and index < len(header) else None,
        position=field_position(line, raw, index),
        is_row=header is not None,
    )


def _column_name(header: list[str] | None, index: int) -> str:
    if header is None:
        return f"header field {index + 1}"
    return header[index] if index < len(header) else f"field {index + 1}"


def _header_troubles(line: int, raw: str, header: list[str], columns: Sequence[str]) -> Iterator[Trouble]:
    for index, name in enumerate(header):
        position = field_position(line, raw, index)
        if name in header[:index]:
            message = f"the header has the column {name} twice"
            yield Trouble(rule="KIX005", line=line, column=name, position=position, message=message)
        elif name not in columns:
            message = f"the column {name} is not one that this source has; it was not looked at"
            yield Trouble(
                rule="KIX103", line=line, column=name, position=position, message=message, severity=Severity.WARNING
            )
    for name in columns:
        if name not in header:
            yield Trouble(
                rule="KIX104", line=line, column=name, message=f"the column {name} is missing from the header"
            )
