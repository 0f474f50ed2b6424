"""Usage errors in the voice of findings: what was found, what is accepted, and the nearest right one."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from kernelindex_schema.nearest import did_you_mean
from kernelindex_schema.reports.escape import printable

__all__ = ["Command", "OneOf", "command", "usage_message"]

if TYPE_CHECKING:
    Choice = click.Choice[str]
else:
    Choice = click.Choice  # generic only since click 8.2

_MARK = "\0"
"""Stands before an argument that begins with a dash and is a file. No argument of a process can hold it."""


class Command(click.Command):
    """A command to which a name that begins with a dash and exists is a file, and not an option."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", {"help_option_names": ["-h", "--help"], "max_content_width": 110})
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--debug"], is_flag=True, expose_value=False, help="Show the traceback where the program itself fails."
            )
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, with the names of files that begin with a dash out of the parser's sight."""
        end = args.index("--") if "--" in args else len(args)
        marked = [_MARK + word if _is_dashed_file(word) else word for word in args[:end]]
        rest = super().parse_args(ctx, marked + args[end:])
        for name, value in ctx.params.items():
            ctx.params[name] = _unmarked(value)
        return rest


def command(name: str, summary: str) -> Callable[[Callable[..., Any]], Command]:
    """Turn a function into a :class:`Command`: its parameters are declared below, its docstring is its help text.

    ``summary`` is what the list of commands says of it.
    """
    return click.command(name, cls=Command, short_help=summary)


class OneOf(Choice):
    """A choice whose error names the nearest right value."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value if it is one of the choices."""
        if value not in self.choices:
            known = ", ".join(self.choices)
            self.fail(
                f"'{value}' is not known, expected one of {known}{did_you_mean(str(value), self.choices)}", param, ctx
            )
        return value


def usage_message(error: click.ClickException) -> str:
    """The one line that a wrong call of the command gets."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    path = ctx.command_path if ctx is not None else "kix-schema"
    text = _sentence(error, ctx).replace(_MARK, "").strip()
    return f"{path}: {printable(text)} (see {path} --help)"


def _sentence(error: click.ClickException, ctx: click.Context | None) -> str:
    if isinstance(error, click.NoSuchOption):
        known = [name for param in ctx.command.get_params(ctx) for name in param.opts] if ctx is not None else []
        return f"'{error.option_name}' is no option of this command{did_you_mean(error.option_name, known)}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        named = error.param.human_readable_name if error.param.param_type_name == "argument" else error.param.opts[0]
        return f"{named} is missing"
    if isinstance(error, click.BadParameter) and error.param is not None:
        named = error.param.opts[0] if error.param.param_type_name == "option" else error.param.human_readable_name
        return f"{named}: {_without_stop(error.message)}"
    return _without_stop(error.format_message())


def _without_stop(text: str) -> str:
    text = text.removesuffix(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _is_dashed_file(word: str) -> bool:
    return word.startswith("-") and word not in ("-", "--") and os.path.lexists(word)


def _unmarked(value: Any) -> Any:
    if isinstance(value, str):
        return value.removeprefix(_MARK)
    if isinstance(value, tuple):
        return tuple(_unmarked(item) for item in value)
    return value
