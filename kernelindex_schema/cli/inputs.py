"""Inputs of the commands that take documents: files and standard input, understood one document at a time."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from kernelindex_schema.errors import InvalidDocument, UnreadableDocument
from kernelindex_schema.findings import Report

if TYPE_CHECKING:
    from kernelindex_schema.discovery import Found
    from kernelindex_schema.intake import Loaded

__all__ = [
    "STDIN",
    "expand_globs",
    "find_inputs",
    "load_documents",
    "opened",
    "plain_values",
    "standard_input",
    "valid_documents",
]

STDIN = "<stdin>"
"""What standard input is called where no other name is given."""

_GLOB = frozenset("*?[")


def expand_globs(paths: tuple[str, ...]) -> list[str]:
    """Paths with globs expanded where the shell did not; a name that exists, or matches nothing, stays as it is."""
    expanded: list[str] = []
    for path in paths:
        if _GLOB.isdisjoint(path) or os.path.lexists(path):
            expanded.append(path)
            continue
        from glob import glob

        expanded += sorted(glob(path, recursive=True)) or [path]
    return expanded


def find_inputs(paths: tuple[str, ...]) -> Found:
    """The files that paths stand for: named ones, those that globs match, and those below folders.

    Raises:
        SettingsError: a folder is among the paths and the settings, which may exclude files below it, are at fault.
    """
    from kernelindex_schema.discovery import find_files

    names = expand_globs(paths)
    if not any(os.path.isdir(name) for name in names):
        return find_files(names)
    from kernelindex_schema.settings import load_settings

    return find_files(names, excluded=load_settings().excludes)


def standard_input() -> BinaryIO:
    """Standard input as bytes.

    Raises:
        UnreadableDocument: the process was started without one.
    """
    if sys.stdin is None:
        raise UnreadableDocument("standard input is closed")
    return sys.stdin.buffer


@contextlib.contextmanager
def opened(path: str) -> Iterator[tuple[BinaryIO, str]]:
    """A file, or standard input for ``-``, and the name it goes by.

    Raises:
        UnreadableDocument: the file cannot be opened or read.
    """
    try:
        if path == "-":
            yield standard_input(), STDIN
        else:
            with open(path, "rb") as file:
                yield file, path
    except OSError as error:
        raise UnreadableDocument(f"{path}: {error.strerror or error}") from None


def load_documents(path: str, input_format: str | None) -> Iterator[tuple[int, Loaded]]:
    """The documents of a file, or of standard input, each with its number in the file.

    Raises:
        UnreadableDocument: the file cannot be opened, or nothing tells its format.
    """
    from kernelindex_schema.intake import load
    from kernelindex_schema.loading import open_pieces

    with opened(path) as (stream, name):
        for codec, piece in open_pieces(stream, name, format=input_format, sniffed=path == "-"):
            yield piece.index, load(codec, piece)


def plain_values(path: str, input_format: str | None) -> Iterator[Any]:
    """The plain value of every document of a file, whatever it is about.

    Raises:
        UnreadableDocument: as in :func:`load_documents`.
        InvalidDocument: a document cannot be read without fault.
    """
    from kernelindex_schema.intake import Loaded
    from kernelindex_schema.loading import open_pieces, report_of

    with opened(path) as (stream, name):
        for codec, piece in open_pieces(stream, name, format=input_format, sniffed=path == "-"):
            examined = codec.examine(piece)
            loaded = Loaded(faults=[*piece.faults, *examined.faults], locate=examined.locate)
            report = report_of(loaded, name, piece.index)
            if not report.ok:
                raise InvalidDocument(f"{name} is at fault, nothing is written", report)
            yield examined.value


def valid_documents(path: str, input_format: str | None) -> Iterator[object]:
    """The normalised structs of every document of a file.

    Raises:
        UnreadableDocument: the file cannot be opened, nothing tells its format, or it holds no document.
        InvalidDocument: any document is at fault; the report has all of them.
    """
    from kernelindex_schema.loading import report_of

    name = STDIN if path == "-" else path
    report = Report()
    invalid, empty = False, True
    for index, loaded in load_documents(path, input_format):
        if loaded.value is not None and not invalid:
            yield loaded.value
        elif loaded.value is None:
            invalid = True
            report = report.merge(report_of(loaded, name, index))
        empty = False
    if invalid:
        raise InvalidDocument(f"{name} is at fault, nothing is written", report)
    if empty:
        raise UnreadableDocument(f"{name} holds no document")
