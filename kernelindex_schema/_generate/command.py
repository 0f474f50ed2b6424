"""``docs/reference/command.md``: every command and option, from the command itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kernelindex_schema._generate.markdown import GENERATED, fence, wide_table
from kernelindex_schema.cli.program import program

__all__ = ["command_page"]


def _usage(name: str, command: Any) -> str:
    words = [name]
    if any(parameter.param_type_name == "option" for parameter in command.params):
        words.append("[OPTIONS]")
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            metavar = parameter.metavar or parameter.name.upper()
            words.append(metavar if parameter.required or metavar.startswith("[") else f"[{metavar}]")
    if hasattr(command, "list_commands"):
        words.append("COMMAND")
    return " ".join(words)


def _option(parameter: Any) -> tuple[str, str]:
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    choices = getattr(parameter.type, "choices", None)
    told = " ".join((parameter.help or "").split())
    default = parameter.default if parameter.show_default else None
    if parameter.metavar:
        names += f" *{parameter.metavar}*"
    if choices:
        told += " <br>One of " + ", ".join(f"`{choice}`" for choice in choices) + "."
    if default is not None and isinstance(default, str | int) and not isinstance(default, bool):
        told += f" <br>Default: `{default}`."
    return names, re.sub(r"\s*\[default: ([^\]]+)\]", r" <br>Default: \1.", told)


def _help(command: Any) -> str:
    text = (command.help or "").replace("\b\n", "")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _sections(name: str, command: Any, level: int) -> Iterator[str]:
    yield f"{'#' * level} {name}\n"
    yield _help(command) + "\n"
    yield fence("text", _usage(name, command))
    options = [_option(each) for each in command.params if each.param_type_name == "option" and not each.hidden]
    if options:
        yield wide_table(("Option", "What it does"), options)
    if command.epilog:
        yield " ".join(command.epilog.split()) + "\n"
    if hasattr(command, "list_commands"):
        context = command.context_class(command, info_name=name)
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            if not inner.hidden:
                yield from _sections(f"{name} {each}", inner, max(level, 1) + 1)


def command_page() -> Iterator[tuple[str, str]]:
    """The page."""
    yield "docs/reference/command.md", GENERATED + "\n".join(_sections("kix-schema", program, 1))
