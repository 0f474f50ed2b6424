"""``docs/reference/documents.md`` and ``formats.md``: what a file holds, and how it is written."""

from __future__ import annotations

from collections.abc import Iterator

from kernelindex_schema._generate.kinds import object_sections
from kernelindex_schema._generate.markdown import GENERATED, file_link, prose, table, wide_table
from kernelindex_schema._generate.schemas import VERSION
from kernelindex_schema.codecs.document import (
    MAX_ALIASES,
    MAX_DEPTH,
    MAX_MANIFEST_BYTES,
    MAX_NODES,
    MAX_SUBMISSION_BYTES,
)
from kernelindex_schema.codecs.formats import COMPRESSIONS, FORMATS
from kernelindex_schema.documents import CATALOG_DIGESTS, SECTIONS
from kernelindex_schema.structure.published import schema_file_name
from kernelindex_schema.v1alpha1 import BenchRecord, Record, Submission

__all__ = ["document_page", "format_page"]

_SHAPES = (
    ("[manifest](kinds/index.md)", "one envelope", "`apiVersion` or `kind`"),
    ("catalog row", "one row of a catalog export", "`table` and `row`"),
    (
        "[bench record](#bench-record)",
        "one run with its context, flat and without digests",
        "`run`, `workload` and `implementation`, without `runs`",
    ),
    ("[record](#record)", "a run with its protocol and its environment", "`run`"),
    (
        "[submission](#submission)",
        "manifests handed over in one piece",
        "any of " + ", ".join(f"`{s}`" for s in SECTIONS),
    ),
)


def _schema(name: str) -> str:
    return "JSON Schema: " + file_link(f"../{VERSION}/{schema_file_name(name)}", schema_file_name(name))


def document_page() -> Iterator[tuple[str, str]]:
    """The documents that people exchange, and how one is recognised."""
    sections = []
    for name, cls in (("record", Record), ("submission", Submission), ("bench-record", BenchRecord)):
        title = name.replace("-", " ").capitalize()
        objects = object_sections(cls, "", "###").replace("](../", "](")
        # The section of the document itself bears its title.
        first = objects.partition("\n")[2]
        sections.append(f"## {title}\n\n{_schema(name)}\n{first}")
    columns = [(f"`{name}`", f"`{column}`") for name, column in CATALOG_DIGESTS.items()]
    any_document = file_link(f"../{VERSION}/document.schema.json", "document.schema.json")
    yield (
        "docs/reference/documents.md",
        f"{GENERATED}# Documents and their shapes\n\n"
        "A file holds one document, or a stream of them. Which one it is, is asked in this order; what is none of\n"
        "them is [KIX011](rules/KIX011.md).\n\n"
        f"{wide_table(('Document', 'What it is', 'Recognised by'), _SHAPES)}\n"
        "A **record page** is a title line, an empty line, and a record as JSON; the title is no part of the record.\n"
        "A **stream** is JSON Lines, or YAML of several documents, of any of these. A **catalog export** is JSON\n"
        'Lines of rows `{"table": …, "row": …}`; a row with a `manifest` carries its digest in the column of its\n'
        "table:\n\n"
        f"{table(('Table', 'Column of the digest'), columns)}\n"
        f"The schema {any_document} describes whatever a\n"
        "file may hold, catalog rows apart; editors are best given that one.\n\n" + "\n".join(sections),
    )


def format_page() -> Iterator[tuple[str, str]]:
    """The table of formats and the bounds of reading."""
    rows = [
        (
            each.title,
            " ".join(f"`{suffix}`" for suffix in each.suffixes),
            f"`{each.name}`",
            "yes" if each.holds_streams else "no",
            prose(each.summary) + ".",
        )
        for each in FORMATS.values()
    ]
    packed = " or ".join(f"`{each.suffix}` ({each.title})" for each in COMPRESSIONS.values())
    bounds = [
        ("bytes of a manifest, a record or one document of a stream", f"{MAX_MANIFEST_BYTES:,}", "KIX003"),
        ("bytes of a submission", f"{MAX_SUBMISSION_BYTES:,}", "KIX003"),
        ("levels of nesting, the root being the first", f"{MAX_DEPTH}", "KIX006"),
        ("YAML aliases, each counted with those inside what it refers to", f"{MAX_ALIASES}", "KIX007"),
        ("YAML nodes after aliases are expanded", f"{MAX_NODES:,}", "KIX007"),
    ]
    yield (
        "docs/reference/formats.md",
        f"{GENERATED}# Formats\n\nThe suffix of a file tells its format, in any case; `--input-format` and the\n"
        "`format` of the library's functions name it otherwise. A document has the same digest in every format.\n\n"
        f"{wide_table(('Format', 'Suffixes', 'Name', 'Several documents', 'What it is'), rows)}\n"
        f"Each may be packed: the name then ends in {packed} too.\n\n"
        "## Bounds\n\nA document beyond one of these is refused, and so is an archive that expands beyond what its\n"
        "content may have.\n\n"
        + table(
            ("What", "At most", "Rule"),
            [(what, most, f"[{rule}](rules/{rule}.md)") for what, most, rule in bounds],
        ),
    )
