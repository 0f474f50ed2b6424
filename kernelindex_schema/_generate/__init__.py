"""Write what is generated: ``python -m kernelindex_schema._generate`` writes it, with ``--check`` it compares.

Runs in the root of a checkout. Each entry of :data:`OUTPUTS` yields (path from the root of the checkout, text).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

from kernelindex_schema._generate.schemas import catalog_file, schema_files

__all__ = ["COMMAND", "OUTPUTS", "OWNED", "drift", "main"]

COMMAND = "python -m kernelindex_schema._generate"

OUTPUTS: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (schema_files, catalog_file)

OWNED = ("schemas",)
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
    wanted = _generated()
    stale = sorted(_orphans(root, wanted))
    for path, text in wanted.items():
        try:
            with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
                same = file.read() == text
        except OSError:
            same = False
        if not same:
            stale.append(path)
    return stale


def main(arguments: list[str]) -> int:
    """0 when all is written, or with ``--check`` when nothing differs; else 1."""
    if arguments == ["--check"]:
        stale = drift()
        for path in stale:
            print(f"{path} is not up to date; run: {COMMAND}", file=sys.stderr)
        return 1 if stale else 0
    wanted = _generated()
    for path in list(_orphans(".", wanted)):
        os.remove(path)
    for path, text in wanted.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return 0
