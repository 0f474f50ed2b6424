"""``kix-schema schema``: the published JSON Schemas."""

from __future__ import annotations

import click

from kernelindex_schema.cli.streams import tell, tell_bytes
from kernelindex_schema.cli.usage import command
from kernelindex_schema.nearest import did_you_mean


@command("schema", "Print the JSON Schema of a kind.")
@click.argument("name", required=False)
@click.pass_context
def schema(ctx: click.Context, name: str | None) -> None:
    """Print the JSON Schema (2020-12) of a kind, or of a document: manifest, record, submission, bench-record.

    Without NAME, list the names.
    """
    from kernelindex_schema.structure.published import DOCUMENT_SCHEMAS, schema_path
    from kernelindex_schema.v1alpha1 import KINDS

    known = [*KINDS, *DOCUMENT_SCHEMAS]
    if name is None:
        tell("".join(f"{each}\n" for each in known))
        return
    found = {each.lower(): each for each in known}.get(name.lower())
    if found is None:
        raise click.UsageError(f"'{name}' is no kind and no document{did_you_mean(name, known)}", ctx)
    with open(schema_path(found), "rb") as file:
        tell_bytes(file.read())
