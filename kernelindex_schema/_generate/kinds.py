"""``docs/reference/kinds/``: a page a kind, the envelope, and the grammars of single values."""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec

from kernelindex_schema._generate.diagram import diagram
from kernelindex_schema._generate.fields import Field, fields_of
from kernelindex_schema._generate.markdown import GENERATED, anchor, fence, file_link, prose, slug, wide_table
from kernelindex_schema._generate.schemas import VERSION
from kernelindex_schema.identity import digest
from kernelindex_schema.loading import decode, encode
from kernelindex_schema.rules import RULES
from kernelindex_schema.structure.editor import heading
from kernelindex_schema.structure.published import schema_file_name
from kernelindex_schema.v1alpha1 import API_VERSION, KINDS, Kind, Metadata

__all__ = ["EXAMPLES", "kind_pages", "object_sections", "page_name"]

EXAMPLES = "examples/valid"

_HEAD = ("Field", "Type", "Meaning")


def page_name(name: str) -> str:
    """The file of a kind's page, without its suffix."""
    return schema_file_name(name).removesuffix(".schema.json")


def _row(field: Field, place: str, sections: dict[str, str]) -> tuple[str, str, str]:
    kind = field.accepts
    for part in field.parts:
        name = part.__name__
        target = f"../kinds/{page_name(name)}.md" if name in KINDS else f"#{sections[name]}"
        kind = kind.replace(f"`{name}`", f"[{heading(name)}]({target})")
    need = "required" if field.required else "optional"
    unit = f" <br>Unit: {field.unit}" if field.unit else ""
    absence = f" <br>*Absent:* {field.absence}" if field.absence else ""
    return f"{anchor(f'{place}.{field.name}')}`{field.name}` <br>{need}", kind + unit, field.meaning + absence


def object_sections(root: type[msgspec.Struct], place: str, level: str = "###") -> str:
    """A section for a struct and for each that stands in it, each once, told where they stand."""
    places: dict[str, list[str]] = {}
    classes: dict[str, type[msgspec.Struct]] = {}
    _collect(root, place, places, classes)
    sections = {name: slug(heading(name)) for name in classes}
    parts = []
    for name, cls in classes.items():
        where = " · ".join(f"`{each}`" for each in dict.fromkeys(places[name]))
        rows = [_row(field, places[name][0], sections) for field in fields_of(cls)]
        parts.append(f"{level} {heading(name)}\n\n{where}\n\n{prose(cls.__doc__ or '')}\n\n{wide_table(_HEAD, rows)}")
    return "\n".join(parts)


def _collect(
    cls: type[msgspec.Struct], place: str, places: dict[str, list[str]], classes: dict[str, type[msgspec.Struct]]
) -> None:
    places.setdefault(cls.__name__, []).append(place)
    if cls.__name__ in classes:
        return
    classes[cls.__name__] = cls
    for field in fields_of(cls):
        if field.accepts.startswith(("list", "set")):
            inner = f"{place}.{field.name}[]"
        elif field.accepts.startswith("map"):
            inner = f"{place}.{field.name}.*"
        else:
            inner = f"{place}.{field.name}"
        for part in field.parts:
            if part.__name__ not in KINDS:
                _collect(part, inner, places, classes)


def _references(kind: Kind) -> str:
    out = [f"- `{'.'.join(reference.path)}` names {_links(reference.kinds)} by digest" for reference in kind.references]
    into = [
        f"- {_links((other.name,))} names it in `{'.'.join(reference.path)}`"
        for other in KINDS.values()
        for reference in other.references
        if kind.name in reference.kinds
    ]
    if kind.name == "SoftwareProject":
        into.append("- a submission names it in `implementations[].projectSlug`, by `metadata.name`")
    return (
        "\n".join(out or ["- It refers to no other manifest."])
        + "\n"
        + "\n".join(into or ["- No other kind refers to it."])
        + "\n"
    )


def _links(names: tuple[str, ...]) -> str:
    return " or ".join(f"[{name}]({page_name(name)}.md)" for name in names)


def _where(kind: Kind) -> str:
    group = {"kernel": "Benchmarks of single kernels", "serving": "Benchmarks of stacks that serve models"}[kind.group]
    if kind.name == "BenchmarkRun":
        taken = "In a submission it stands in `runs`, inside its record."
    elif kind.name in ("BenchmarkProtocol", "ExecutionEnvironment"):
        taken = "In a submission it stands beside the run that it belongs to."
    elif kind.section:
        taken = f"In a submission it stands in `{kind.section}`."
    else:
        taken = "A submission has no section for it: it is exchanged by itself."
    return f"{group}. {taken}"


def _rules(kind: Kind) -> str:
    own = [rule for rule in RULES.values() if kind.name in rule.subjects]
    if not own:
        return "Besides the rules of structure and of any manifest, none is of this kind alone.\n"
    return "".join(f"- [{rule.id} {rule.name}](../rules/{rule.id}.md): {rule.summary}\n" for rule in own)


def _page(kind: Kind) -> str:
    path = f"{EXAMPLES}/{page_name(kind.name)}.yaml"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    manifest = decode(text.encode(), format="yaml")
    schema = file_link(f"../../{VERSION}/{schema_file_name(kind.name)}", schema_file_name(kind.name))
    return (
        f"{GENERATED}# {kind.name}\n\n{prose(kind.manifest.__doc__ or '')}\n\n"
        f"{_where(kind)} Editors and other languages read its JSON Schema, {schema}; in Python it is\n"
        f"`kernelindex_schema.v1alpha1.{kind.name}`.\n\n"
        f"## Fields\n\nAround `spec` stands the [envelope](envelope.md) that all kinds share: `apiVersion`, `kind`\n"
        f"and `metadata`. The digest is taken over `apiVersion`, `kind` and `spec`.\n\n"
        f"{object_sections(kind.spec, 'spec')}\n"
        f"## References\n\n{_references(kind)}\n"
        f"## Rules\n\n{_rules(kind)}\n"
        f"## Example\n\n`{os.path.basename(path)}`, whose digest is `{digest(manifest)}`:\n\n{fence('yaml', text)}\n"
        f"The same as JSON:\n\n{fence('json', encode(manifest, format='json').decode())}"
    )


def _envelope() -> str:
    rows = [
        ("`apiVersion` <br>required", f"`{API_VERSION}`", "Version of the format."),
        ("`kind` <br>required", "one of the [kinds](index.md)", "What the manifest is."),
        ("`metadata` <br>required", "[Metadata](#metadata)", "Editorial facts; never part of the digest."),
        ("`spec` <br>required", "what the page of the kind says", "What the digest is taken over, with the two above."),
    ]
    return (
        f"{GENERATED}# Envelope and metadata\n\nEvery manifest is a mapping of exactly these four fields. Unknown\n"
        f"fields are rejected at every level, and `null` never stands for an absent field.\n\n"
        f"{wide_table(_HEAD, rows)}\n{object_sections(Metadata, 'metadata', '##')}"
    )


def _index() -> str:
    rows = [(_links((kind.name,)), prose(kind.summary), kind.group) for kind in KINDS.values()]
    toctree = "\n".join(page_name(name) for name in KINDS)
    return (
        f"{GENERATED}# Kinds\n\nThe thirteen kinds of manifest of `{API_VERSION}`, and the digests by which they\n"
        f"refer to each other. An arrow leads from a field to what its digest names.\n\n{diagram()}\n"
        f"{wide_table(('Kind', 'What it is', 'Group'), rows)}\n"
        f"```{{toctree}}\n:hidden:\n\nenvelope\n{toctree}\n```\n"
    )


def kind_pages() -> Iterator[tuple[str, str]]:
    """The index with the diagram, the envelope, and a page a kind."""
    yield "docs/reference/kinds/index.md", _index()
    yield "docs/reference/kinds/envelope.md", _envelope()
    for kind in KINDS.values():
        yield f"docs/reference/kinds/{page_name(kind.name)}.md", _page(kind)
