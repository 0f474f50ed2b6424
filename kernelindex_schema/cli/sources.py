"""``kix-schema import``: files of foreign benchmarks become manifests. One command for each source."""

from __future__ import annotations

import os
import sys

import click

from kernelindex_schema.cli import streams
from kernelindex_schema.cli.program import LazyGroup, exit_code, need_command
from kernelindex_schema.cli.usage import Command, OneOf
from kernelindex_schema.findings import Report
from kernelindex_schema.reports.escape import printable
from kernelindex_schema.sources.source import SOURCES, source_class

LAYOUTS = ("jsonl", "submission", "folder")


class SourceGroup(LazyGroup):
    """A command for every source, by its name."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a source; the module of the source is imported when it is asked for."""
        return _command(cmd_name) if cmd_name in self.places else None


sources = SourceGroup(
    "import",
    dict(SOURCES),
    callback=need_command,
    invoke_without_command=True,
    no_args_is_help=False,
    short_help="Turn results of other benchmarks into records.",
    help="Import results of another benchmark as manifests that are valid and digest-chained.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _command(name: str) -> Command:
    title = source_class(name).title

    @click.pass_context
    def run(ctx: click.Context, file: str, layout: str | None, target: str, verbose: bool) -> int:
        return _import(ctx, name, file, layout, target, verbose=verbose)

    return Command(
        name,
        callback=run,
        short_help=title,
        help=f"Import {title}.\n\nThe rows that cannot be imported are told on standard error, with their lines.",
        params=[
            click.Argument(["file"], metavar="FILE"),
            click.Option(
                ["--to", "layout"],
                type=OneOf(list(LAYOUTS)),
                help="jsonl: one document a line (default); submission: one document; folder: a file a document.",
            ),
            click.Option(
                ["-o", "--output", "target"],
                metavar="PATH",
                default="-",
                help="File or folder to write, else standard output.",
            ),
            click.Option(
                ["-v", "--verbose"], is_flag=True, help="Tell the counts, the skipped rows and what they hide."
            ),
        ],
    )


def _import(ctx: click.Context, source: str, file: str, layout: str | None, target: str, *, verbose: bool) -> int:
    from kernelindex_schema.cli.outputs import output_format, put
    from kernelindex_schema.loading import write
    from kernelindex_schema.reports.text import render
    from kernelindex_schema.sources.imported import import_file

    if layout == "folder" and target == "-":
        raise click.UsageError("--to folder needs --output with the folder to write", ctx)
    form = "" if layout == "folder" else output_format(ctx, target, None, "json" if layout == "submission" else "jsonl")
    imported = import_file(file, source, progress=lambda rows: streams.progress(f"{rows} rows read"))
    streams.progress("")
    nothing = next(imported.documents(), None) is None
    if nothing:
        streams.say(f"kix-schema: {printable(file)}: nothing of it could be imported, so nothing is written")
    elif layout == "folder":
        for name, document in imported.files():
            path = os.path.join(target, *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write(document, path)
    elif layout == "submission" or (layout is None and target != "-" and form != "jsonl"):
        put([imported.submission()], target, form)
    else:
        put(list(imported.documents()), target, form)
    report = imported.report if verbose else imported.brief_report
    if report.findings:
        streams.say(render(report, summary=False).rstrip("\n"))
    if verbose:
        for row in imported.skipped:
            streams.say(printable(f"{file}:{row.line}: skipped ({row.reason}): {row.message}"))
    if verbose or streams.is_terminal(sys.stderr):
        for line in _told(imported.counts, imported.skipped_by_reason):
            streams.say(printable(line))
    return max(exit_code(Report(findings=imported.findings)), 1 if nothing else 0)


def _told(counts: dict[str, int], skipped: dict[str, int]) -> list[str]:
    lines = [", ".join(f"{number} {noun}" for noun, number in counts.items())]
    lines += [f"skipped: {number} {reason}" for reason, number in skipped.items()]
    return lines
