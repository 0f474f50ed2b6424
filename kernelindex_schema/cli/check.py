"""``kix-schema check``: all findings of files, folders and standard input, in one report."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click
import msgspec

from kernelindex_schema.cli import streams
from kernelindex_schema.cli.inputs import STDIN, expand_globs, standard_input
from kernelindex_schema.cli.options import color_option, input_format_option
from kernelindex_schema.cli.program import exit_code
from kernelindex_schema.cli.usage import OneOf, command
from kernelindex_schema.findings import Report, Severity
from kernelindex_schema.reports import REPORTS
from kernelindex_schema.settings import Settings, load_settings, rule_selectors

if TYPE_CHECKING:
    from concurrent.futures import Executor


def _ids(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...] | None:
    """Ids of ``--select`` and ``--ignore``: parted by commas, or the option given again."""
    if not value:
        return None
    return tuple(word.strip() for text in value for word in text.split(",") if word.strip())


@command("check", "Check records and list what is wrong.")
@click.argument("paths", metavar="PATHS...", nargs=-1)
@click.option(
    "--format", "form", type=OneOf(list(REPORTS)), default="text", show_default=True, help="Format of the report."
)
@click.option("-o", "--output", metavar="FILE", help="Write the report to FILE, and nothing to standard output.")
@click.option(
    "--select", metavar="IDS", multiple=True, callback=_ids, help="Only these rules: ids or beginnings (KIX3)."
)
@click.option(
    "--ignore", metavar="IDS", multiple=True, callback=_ids, help="Leave out these rules; KIX0 always counts."
)
@click.option(
    "--fail-on", type=OneOf(["error", "warning"]), help="The least severity for exit code 1.  [default: error]"
)
@click.option("--registry", metavar="DIR", help="Folder with the rest of the records: references are looked up there.")
@click.option("--only-manifests", is_flag=True, help="Pass over named files that hold no record, as below a folder.")
@click.option(
    "--stdin-filename", metavar="NAME", help="Name of standard input in the report; its suffix tells the format."
)
@input_format_option
@click.option("--jobs", type=int, default=1, metavar="N", help="Processes to use; 0: one for each processor.")
@click.option("--dask", metavar="ADDRESS", help="Scheduler of a dask cluster to check on, such as tcp://host:8786.")
@click.option("-q", "--quiet", is_flag=True, help="Findings only, no summary.")
@color_option
@click.option("--show-source/--no-show-source", default=None, help="Show source lines.  [default: on a terminal]")
@click.option(
    "--config", metavar="FILE", help="Settings file, instead of the nearest kix-schema.toml or pyproject.toml."
)
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[str, ...],
    form: str,
    output: str | None,
    select: tuple[str, ...] | None,
    ignore: tuple[str, ...] | None,
    fail_on: str | None,
    registry: str | None,
    only_manifests: bool,
    stdin_filename: str | None,
    input_format: str | None,
    jobs: int,
    dask: str | None,
    quiet: bool,
    color: str,
    show_source: bool | None,
    config: str | None,
) -> int:
    """Check records: reading, structure, meaning, and what the documents say together.

    PATHS are files, folders, globs, or - for standard input. A file that is named is always checked; a folder stands
    for the files below it that hold records.

    Exit code: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or something that could not be read.
    """
    if not paths and not only_manifests:
        raise click.UsageError("PATHS are missing, expected files, folders, globs, or - for standard input", ctx)
    if stdin_filename is not None and "-" not in paths:
        raise click.UsageError("--stdin-filename names standard input, but - is not among PATHS", ctx)
    if jobs < 0:
        raise click.UsageError(f"--jobs is {jobs}, expected 0 or more", ctx)
    if registry is not None and not os.path.isdir(registry):
        raise click.UsageError(f"--registry: '{registry}' is no folder", ctx)
    settings = _settings(config, select, ignore, fail_on)
    report = _checked(
        paths, settings, only_manifests, registry, stdin_filename or STDIN, input_format, _executor(jobs, dask)
    )
    _deliver(report, form, output, summary=not quiet, color=color, show_source=show_source)
    return exit_code(report, settings.fail_on)


def _settings(
    config: str | None, select: tuple[str, ...] | None, ignore: tuple[str, ...] | None, fail_on: str | None
) -> Settings:
    """The settings of the project, with what the command line says in their place."""
    changes: dict[str, object] = {}
    if select is not None:
        changes["select"] = rule_selectors("--select", select)
    if ignore is not None:
        changes["ignore"] = rule_selectors("--ignore", ignore)
    if fail_on is not None:
        changes["fail_on"] = Severity(fail_on)
    settings = load_settings(config)
    return msgspec.structs.replace(settings, **changes) if changes else settings


def _checked(
    paths: tuple[str, ...],
    settings: Settings,
    only_manifests: bool,
    registry: str | None,
    stdin_name: str,
    input_format: str | None,
    workers: AbstractContextManager[Executor | None],
) -> Report:
    from kernelindex_schema.checking import check_paths

    names = [name for name in expand_globs(paths) if name != "-"]
    given = [(standard_input(), stdin_name)] if "-" in paths else []
    passed_over = 0
    if only_manifests:
        from kernelindex_schema.discovery import holds_records

        kept = [name for name in names if os.path.isdir(name) or holds_records(name, strict=True)]
        passed_over, names = len(names) - len(kept), kept
    progress = None
    if streams.is_terminal(sys.stderr):
        from kernelindex_schema.cli.progress import Progress

        progress = Progress()
    try:
        with workers as executor:
            report = check_paths(
                names,
                executor=executor,
                format=input_format,
                registry=registry,
                settings=settings,
                streams=given,
                progress=progress,
            )
    finally:
        if progress is not None:
            progress.end()
    return report.merge(Report(passed_over=passed_over))


def _executor(jobs: int, dask: str | None) -> AbstractContextManager[Executor | None]:
    if dask is not None and jobs != 1:
        raise click.UsageError(
            "--jobs counts processes of this machine and --dask names a cluster: expected one of them"
        )
    if dask is not None:
        from kernelindex_schema.cli.workers import dask_workers

        return dask_workers(dask)
    if jobs == 1:
        return nullcontext()
    from kernelindex_schema.cli.workers import processes

    return processes(jobs)


def _deliver(
    report: Report, form: str, output: str | None, *, summary: bool, color: str, show_source: bool | None
) -> None:
    """Write the report where it was asked for."""
    render = REPORTS[form].load()
    to_stdout = output in (None, "-")
    colored = streams.wants_color(color) if to_stdout else color == "always"
    if show_source is None:
        show_source = to_stdout and streams.is_terminal(sys.stdout)
    source = None
    if show_source and form == "text":
        from kernelindex_schema.cli.source_lines import SourceLines

        source = SourceLines()
    text = render(report, summary=summary, color=colored, source=source)
    if source is not None:
        source.close()
    if output is None or output == "-":
        streams.tell(text)
        return
    from kernelindex_schema.loading import write_bytes

    write_bytes(text.encode("utf-8", "backslashreplace"), output)
