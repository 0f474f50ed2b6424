"""The page of intended deviations from the registry."""

from __future__ import annotations

from collections.abc import Iterator

from kernelindex_schema._generate.markdown import GENERATED, wide_table
from kernelindex_schema.deviations import DEVIATIONS, Deviation

__all__ = ["deviation_page"]

_HEAD = ("Input", "The registry", "Here")


def _row(deviation: Deviation) -> tuple[str, str, str]:
    rules = ", ".join(f"[{rule}](rules/{rule}.md)" for rule in deviation.rules)
    return deviation.input, deviation.registry, deviation.here + (f" ({rules})" if rules else "")


def deviation_page() -> Iterator[tuple[str, str]]:
    """One table of what is judged more strictly, one of what is taken."""
    strict = [_row(each) for each in DEVIATIONS if each.stricter]
    lenient = [_row(each) for each in DEVIATIONS if not each.stricter]
    yield (
        "docs/reference/deviations.md",
        f"{GENERATED}(deviations)=\n# Intended deviations\n\n"
        "Where this package means to differ from the registry. Everything else is the registry's verdict and digest;\n"
        "where it is not, that is a fault of this package.\n\n"
        f"## Stricter: nothing may be lost or read otherwise without a word\n\n{wide_table(_HEAD, strict)}\n"
        f"## More lenient: what is exact is accepted\n\n{wide_table(_HEAD, lenient)}",
    )
