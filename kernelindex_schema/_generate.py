"""Write what is generated: ``python -m kernelindex_schema._generate`` writes it, with ``--check`` it compares.

Runs in the root of a checkout. Each entry of :data:`OUTPUTS` yields (path from the root of the checkout, text).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

import msgspec

from kernelindex_schema.structure.published import DOCUMENT_SCHEMAS, schema_file_name
from kernelindex_schema.structure.schema import build_schema
from kernelindex_schema.v1alpha1 import API_VERSION, KINDS

__all__ = ["OUTPUTS", "main"]

COMMAND = "python -m kernelindex_schema._generate"


def _pretty(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def schema_files() -> Iterator[tuple[str, str]]:
    """One JSON Schema a kind and a document."""
    version = API_VERSION.rpartition("/")[2]
    for name in (*KINDS, *DOCUMENT_SCHEMAS):
        yield f"schemas/{version}/{schema_file_name(name)}", _pretty(build_schema(name))


OUTPUTS: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (schema_files,)


def drift(root: str = ".") -> list[str]:
    """Paths of generated files that are missing or differ from what would be written now."""
    stale = []
    for output in OUTPUTS:
        for path, text in output():
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
    for output in OUTPUTS:
        for path, text in output():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
