"""The program: its commands, imported when they are called, and the exit code of whatever happens."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module

import click

from kernelindex_schema import __version__
from kernelindex_schema.cli import streams
from kernelindex_schema.cli.usage import usage_message
from kernelindex_schema.errors import InvalidDocument, KernelIndexError, UnreadableDocument
from kernelindex_schema.findings import Report, Severity
from kernelindex_schema.nearest import did_you_mean
from kernelindex_schema.reports.escape import printable

__all__ = ["FINDINGS", "FINE", "UNUSABLE", "exit_code", "program", "run"]

FINE, FINDINGS, UNUSABLE = 0, 1, 2
"""Exit codes of every command: nothing to tell, something at fault, could not be done."""

NOT_CHECKED = ("KIX001", "KIX002")
"""Rules that say that something was not checked: the input could not be read, or the program failed."""

COMMANDS = {
    "check": "kernelindex_schema.cli.check:check",
    "digest": "kernelindex_schema.cli.identity:digest",
    "canonicalize": "kernelindex_schema.cli.identity:canonicalize",
    "convert": "kernelindex_schema.cli.convert:convert",
    "compare": "kernelindex_schema.cli.compare:compare",
    "schema": "kernelindex_schema.cli.schema:schema",
    "rules": "kernelindex_schema.cli.rules:rules",
    "explain": "kernelindex_schema.cli.rules:explain",
    "assemble": "kernelindex_schema.cli.assemble:assemble",
    "import": "kernelindex_schema.cli.sources:sources",
}


class LazyGroup(click.Group):
    """A group that imports a command when it is called, so that starting one does not load all."""

    def __init__(self, name: str, places: dict[str, str], **kwargs: object) -> None:
        super().__init__(name, **kwargs)  # type: ignore[arg-type]
        self.places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        place = self.places.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names."""
        if args[0] not in self.places and not args[0].startswith("-"):
            raise click.UsageError(f"'{args[0]}' is no command{did_you_mean(args[0], self.places)}", ctx)
        return super().resolve_command(ctx, args)


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        streams.tell(f"kix-schema {__version__}\n")
        ctx.exit()


@click.pass_context
def need_command(ctx: click.Context) -> None:
    """Refuse a call of a group that names none of its commands."""
    if ctx.invoked_subcommand is None and isinstance(ctx.command, LazyGroup):
        raise click.UsageError(f"a command is missing, expected one of {', '.join(ctx.command.places)}", ctx)


program = LazyGroup(
    "kix-schema",
    COMMANDS,
    callback=need_command,
    invoke_without_command=True,
    no_args_is_help=False,
    help="Check, digest, convert and compare benchmark records of GPU kernels (kernelindex.dev/v1alpha1).",
    epilog="Exit codes of every command: 0 nothing at fault, 1 findings, 2 wrong usage or unreadable input.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Show the version.",
        )
    ],
)


def run(args: Sequence[str]) -> int:
    """Run one command and give its exit code; no exception leaves, and no output is lost to an encoding."""
    streams.prepare()
    try:
        if "--debug" in args:
            _show_crashes()
        if "_KIX_SCHEMA_COMPLETE" in os.environ:
            program.main(prog_name="kix-schema")
        return _run(args)
    finally:
        streams.finish()


def _run(args: Sequence[str]) -> int:
    try:
        with program.make_context("kix-schema", list(args)) as ctx:
            code = program.invoke(ctx)
            return code if isinstance(code, int) else FINE
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        streams.say(usage_message(error))
    except InvalidDocument as error:
        return _tell_invalid(error)
    except (KernelIndexError, streams.Unwritable) as error:
        streams.say(f"kix-schema: {printable(str(error))}")
        if isinstance(error, UnreadableDocument) and error.rule not in NOT_CHECKED:
            return FINDINGS
    except BrokenPipeError:
        return FINE
    except OSError as error:
        about = f"{error.filename}: " if error.filename else ""
        streams.say(f"kix-schema: {printable(f'{about}{error.strerror or error}')}")
    except Exception as error:  # the last resort: whatever happens, one line and exit code 2
        _tell_fault(error, debug="--debug" in args)
    return UNUSABLE


def _tell_invalid(error: InvalidDocument) -> int:
    from kernelindex_schema.reports.text import render

    streams.say(render(error.report, summary=False) + f"kix-schema: {printable(str(error))}")
    return exit_code(error.report)


def exit_code(report: Report, fail_on: Severity = Severity.ERROR) -> int:
    """The exit code that a report stands for: what could not be checked weighs more than what is at fault."""
    if any(finding.rule in NOT_CHECKED for finding in report.findings):
        return UNUSABLE
    return FINDINGS if report.at_least(fail_on) else FINE


def _show_crashes() -> None:
    """Let the tracebacks of crashes that become findings reach standard error."""
    import logging

    logging.basicConfig(format="%(message)s")
    logging.getLogger("kernelindex_schema").setLevel(logging.DEBUG)


def _tell_fault(error: Exception, *, debug: bool) -> None:
    if debug:
        import traceback

        streams.say("".join(traceback.format_exception(error)).rstrip())
    told = printable(f"{type(error).__name__}: {error}")
    advice = "" if debug else "; run with --debug for the traceback"
    streams.say(f"kix-schema: internal fault, {told}{advice}")
