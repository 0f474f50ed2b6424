"""``kix-schema assemble``: a flat bench record becomes a submission whose digests chain."""

from __future__ import annotations

import click

from kernelindex_schema.cli.inputs import STDIN, load_documents
from kernelindex_schema.cli.options import input_format_option, output_option, to_option
from kernelindex_schema.cli.outputs import output_format, put
from kernelindex_schema.cli.streams import say
from kernelindex_schema.cli.usage import command
from kernelindex_schema.errors import InvalidDocument, UnreadableDocument
from kernelindex_schema.findings import Report


@command("assemble", "Turn a bench record into a submission.")
@click.argument("record", metavar="RECORD")
@output_option
@to_option
@input_format_option
@click.pass_context
def assemble(ctx: click.Context, record: str, target: str, to: str | None, input_format: str | None) -> None:
    """Assemble the bench record RECORD into a submission, with every digest filled in.

    The submission is written as JSON unless --to or the name of FILE tells another format. RECORD may be - for standard
    input. Whatever is missing or wrong is told at once, at its place in RECORD, and then nothing is written.
    """
    from kernelindex_schema.assembly import assemble_value, dropped_by_registry
    from kernelindex_schema.loading import report_of
    from kernelindex_schema.reports.text import render

    form = output_format(ctx, target, to, "json")
    name = STDIN if record == "-" else record
    submissions = []
    for index, loaded in load_documents(record, input_format):
        report = report_of(loaded, name, index)
        if report.ok and loaded.shape != "bench record":
            raise UnreadableDocument(f"{name} is a {loaded.shape}, expected a bench record")
        if report.ok:
            submission, findings = assemble_value(loaded.plain, loaded.locate, name, index)
            report = Report(findings=findings)
            submissions.append(submission)
        if not report.ok:
            raise InvalidDocument(f"{name} cannot be assembled, nothing is written", report)
        if report.findings:
            say(render(report, summary=False).rstrip("\n"))
        if dropped := dropped_by_registry(loaded.plain):
            say(
                f"kix-schema: {', '.join(dropped)}: the registry's own assembler drops this; hand in the submission, "
                "not the bench record"
            )
    if not submissions:
        raise UnreadableDocument(f"{name} holds no document")
    put(submissions, target, form)
