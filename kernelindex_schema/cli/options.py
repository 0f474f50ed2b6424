"""Options that several commands share, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from kernelindex_schema.cli.usage import OneOf
from kernelindex_schema.codecs.formats import FORMATS

__all__ = ["color_option", "input_format_option", "output_option", "text_or_json", "to_option"]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def input_format_option(function: Decorated) -> Decorated:
    """``--input-format``."""
    return click.option(
        "--input-format",
        type=OneOf(list(FORMATS)),
        help="Format of the input, whatever its name says (a .gz or .zst at the end still counts).",
    )(function)


def color_option(function: Decorated) -> Decorated:
    """``--color``."""
    return click.option(
        "--color",
        type=OneOf(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colour the text report; auto: on a terminal, unless NO_COLOR is set.",
    )(function)


def text_or_json(function: Decorated) -> Decorated:
    """``--format`` of a command that tells something in words or as JSON."""
    return click.option(
        "--format", "form", type=OneOf(["text", "json"]), default="text", show_default=True, help="Form of the output."
    )(function)


def to_option(function: Decorated) -> Decorated:
    """``--to``."""
    return click.option(
        "--to", type=OneOf(list(FORMATS)), help="Format of the output, where its name does not tell or tells another."
    )(function)


def output_option(function: Decorated) -> Decorated:
    """``--output``."""
    return click.option(
        "-o", "--output", "target", metavar="FILE", default="-", help="Write to FILE, whole or not at all."
    )(function)
