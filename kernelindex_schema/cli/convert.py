"""``kix-schema convert``: the same value in another format."""

from __future__ import annotations

import click

from kernelindex_schema.cli.inputs import valid_documents
from kernelindex_schema.cli.options import input_format_option, to_option
from kernelindex_schema.cli.outputs import output_format, put
from kernelindex_schema.cli.usage import command


@command("convert", "Write documents in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="[OUT]", required=False, default="-")
@to_option
@click.option("--title", help="Title line of a record page; by default the metadata.title of its run.")
@input_format_option
@click.pass_context
def convert(
    ctx: click.Context, source: str, target: str, to: str | None, title: str | None, input_format: str | None
) -> None:
    """Write the normalised documents of IN to OUT, or to standard output.

    Durations become integer nanoseconds and sets are sorted; every format holds the same value, with the same digest.
    Several documents need a format that can hold them (jsonl, yaml). IN may be - for standard input. Nothing is written
    if anything in IN is at fault.
    """
    form = output_format(ctx, target, to)
    put(list(valid_documents(source, input_format)), target, form, title)
