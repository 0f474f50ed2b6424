"""Write what is generated: ``python -m kernelindex_schema._generate`` writes it, with ``--check`` it compares.

Runs in the root of a checkout. Each entry of :data:`OUTPUTS` yields (path from the root of the checkout, text).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from kernelindex_schema._generate.api import api_page
from kernelindex_schema._generate.command import command_page
from kernelindex_schema._generate.conformity import conformity_module
from kernelindex_schema._generate.deviations import deviation_page
from kernelindex_schema._generate.documents import document_page, format_page
from kernelindex_schema._generate.kinds import kind_pages
from kernelindex_schema._generate.markdown import GENERATED
from kernelindex_schema._generate.rules import rule_pages
from kernelindex_schema._generate.schemas import catalog_file, schema_files
from kernelindex_schema._generate.types import type_page

__all__ = ["COMMAND", "OUTPUTS", "OWNED", "drift", "main"]

COMMAND = "python -m kernelindex_schema._generate"


def index_page() -> Iterator[tuple[str, str]]:
    """The front page of the reference."""
    yield (
        "docs/reference/index.md",
        f"{GENERATED}# Reference\n\nAll of it is generated from the structs, the rule catalogue and the command, and\n"
        "a test fails where it differs from them.\n\n"
        "- [Kinds](kinds/index.md): every manifest and its fields, with an example of each\n"
        "- [Types of values](types.md): grammars, durations, numbers\n"
        "- [Documents](documents.md): records, submissions, bench records, streams\n"
        "- [Formats](formats.md): suffixes and bounds\n"
        "- [Rules](rules/index.md): what a check tells, and why\n"
        "- [Intended deviations](deviations.md): where the registry judges otherwise\n"
        "- [Command](command.md): `kix-schema` and its options\n"
        "- [Python API](api.md): the public names of the package\n\n"
        "```{toctree}\n:hidden:\n\nkinds/index\ntypes\ndocuments\nformats\nrules/index\ndeviations\ncommand\napi\n```\n",
    )


OUTPUTS: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (
    conformity_module,
    schema_files,
    catalog_file,
    kind_pages,
    type_page,
    document_page,
    format_page,
    rule_pages,
    deviation_page,
    command_page,
    api_page,
    index_page,
)

OWNED = ("schemas", "docs/reference")
"""Folders that hold generated files and nothing else: what is not written any more is taken away."""


def _generated() -> dict[str, str]:
    return {path: text for output in OUTPUTS for path, text in output()}


def _orphans(root: str, wanted: dict[str, str]) -> Iterator[str]:
    for owned in OWNED:
        for folder, _, names in os.walk(os.path.join(root, owned)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                if path not in wanted:
                    yield path


def drift(root: str = ".") -> list[str]:
    """Paths of generated files that are missing, that differ from what would be written now, or that nothing writes."""
    stale = [path for path, text in conformity_module() if not _is(root, path, text)]
    if stale:
        return stale  # the other generators read examples, which takes this module
    wanted = _generated()
    return sorted(_orphans(root, wanted)) + [path for path, text in wanted.items() if not _is(root, path, text)]


def _is(root: str, path: str, text: str) -> bool:
    try:
        with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
            return file.read() == text
    except OSError:
        return False


def _write(files: dict[str, str]) -> None:
    for path, text in files.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)


def main(arguments: list[str]) -> int:
    """0 when all is written, or with ``--check`` when nothing differs; else 1."""
    if arguments == ["--check"]:
        stale = drift()
        for path in stale:
            print(f"{path} is not up to date; run: {COMMAND}", file=sys.stderr)
        return 1 if stale else 0
    first = dict(conformity_module())
    if not all(_is(".", path, text) for path, text in first.items()):
        _write(first)
        # What is imported here is the old one.
        return subprocess.call([sys.executable, "-m", "kernelindex_schema._generate"])
    wanted = _generated()
    for path in list(_orphans(".", wanted)):
        os.remove(path)
    _write(wanted)
    return 0
