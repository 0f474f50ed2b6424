"""Outputs of the commands that write documents: a file, whole or not at all, or standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from kernelindex_schema.cli.streams import is_terminal, tell_bytes
from kernelindex_schema.codecs.formats import FORMATS, KNOWN_SUFFIXES, format_of

__all__ = ["output_format", "put"]


def output_format(ctx: click.Context, target: str, to: str | None, otherwise: str | None = None) -> str:
    """The name of the format to write: as asked for, as the name of the target tells, or ``otherwise``.

    Raises:
        UsageError: nothing tells, or a terminal would be given what is no text.
    """
    if to is None and target != "-":
        form, _ = format_of(target)
        if form is None:
            raise click.UsageError(
                f"the name '{target}' does not tell the format to write, expected --to or an end of {KNOWN_SUFFIXES}",
                ctx,
            )
        to = form.name
    to = to or otherwise
    if to is None:
        raise click.UsageError(
            f"nothing tells the format to write, expected --to with one of {', '.join(FORMATS)}", ctx
        )
    if target == "-" and not FORMATS[to].is_text and is_terminal(sys.stdout):
        raise click.UsageError(
            f"{FORMATS[to].title} is no text for a terminal; name a file or redirect the output", ctx
        )
    return to


def put(values: Sequence[Any], target: str, form: str, title: str | None = None) -> None:
    """Write documents to a file, or to standard output for ``-``.

    Raises:
        UnencodableValue: the format cannot hold them.
        UnreadableDocument: the file cannot be written.
    """
    from kernelindex_schema.loading import encode, write

    if target == "-":
        tell_bytes(encode(values, format=form, title=title))
    else:
        write(values, target, format=form, title=title)
