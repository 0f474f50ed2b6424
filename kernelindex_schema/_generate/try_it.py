"""What the try-it page needs to know: the schemas, what is normalised, and the rules that it checks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from kernelindex_schema._generate.kinds import EXAMPLES
from kernelindex_schema.structure.published import json_schema
from kernelindex_schema.v1alpha1 import API_VERSION, KINDS, BenchRecord
from kernelindex_schema.v1alpha1.scalars import DURATION_UNITS, MAX_SAFE_INTEGER, Duration, SetOf

__all__ = ["CHECKED_IN_THE_PAGE", "page_data"]

CHECKED_IN_THE_PAGE = (
    *(f"KIX{number:03}" for number in (3, 4, 5, 6, 7, 8, 9, 11, 14)),
    *(f"KIX{number}" for number in range(101, 115)),
    *("KIX203", "KIX501", "KIX502"),
)
"""Rules that the page's own program checks."""

Step = str | None
"""A field name, or None for every entry of a list or map."""


def _marked(hint: Any, mark: type) -> Iterator[tuple[Step, ...]]:
    """Paths below a type to the values with a mark."""
    if get_origin(hint) is Annotated and any(isinstance(each, mark) for each in get_args(hint)[1:]):
        yield ()
        return
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        hints = get_type_hints(hint, include_extras=True)
        for name, wire in zip(hint.__struct_fields__, hint.__struct_encode_fields__, strict=True):
            yield from ((wire, *rest) for rest in _marked(hints[name], mark))
        return
    inner = get_args(hint)
    if get_origin(hint) is tuple:
        yield from ((None, *rest) for rest in _marked(inner[0], mark))
    elif get_origin(hint) is dict:
        yield from ((None, *rest) for rest in _marked(inner[1], mark))
    else:
        for each in inner:
            if not isinstance(each, str):
                yield from _marked(each, mark)


def _examples(root: str) -> dict[str, str]:
    """Texts to begin with, by what the page calls them."""

    def text(name: str) -> str:
        with open(os.path.join(root, EXAMPLES, name), encoding="utf-8") as file:
            return file.read()

    page = text("liger-rope-backward.txt")
    broken = page.replace('"median": 410240', '"median": 410.24').replace('"status": "passed"', '"status": "pass"')
    assert broken.count("410.24") == page.count("410.24") + 1
    return {
        "A record page": page,
        "The same with two faults": broken,
        "A run in YAML": text("benchmark-run.yaml"),
        "A submission in YAML": text("submission.yaml"),
    }


def page_data(root: str) -> dict[str, Any]:
    """Everything, as plain values; ``root`` is the checkout, whose examples are among them."""
    classes = {name: kind.manifest for name, kind in KINDS.items()} | {"bench-record": BenchRecord}
    return {
        "apiVersion": API_VERSION,
        "kinds": list(KINDS),
        "maxSafeInteger": MAX_SAFE_INTEGER,
        "units": DURATION_UNITS,
        "schemas": {name: json_schema(name) for name in (*KINDS, "bench-record")},
        "durations": {name: list(_marked(cls, Duration)) for name, cls in classes.items()},
        "sets": {name: list(_marked(cls, SetOf)) for name, cls in classes.items()},
        "examples": _examples(root),
    }
