"""``docs/reference/types.md``: the grammars and numbers that fields are made of."""

from __future__ import annotations

from collections.abc import Iterator

from kernelindex_schema._generate.markdown import GENERATED, fence, prose
from kernelindex_schema.structure.editor import GRAMMARS, PATTERN_EXAMPLES
from kernelindex_schema.v1alpha1.scalars import AXIS_EXPRESSION, DURATION, DURATION_UNITS, INSTANT, MANIFEST_NAME, SLUG

__all__ = ["type_page"]

_MORE = {
    INSTANT.pattern: "A real date of the calendar, in UTC, written with `T` and `Z`; any number of fraction digits.\n"
    "An offset is rejected, even `+00:00`, so that one instant has one spelling. The spelling is part of the digest:\n"
    "it is never rewritten.",
    DURATION.pattern: "Integer nanoseconds from 0 to 9007199254740991. A document may write a text instead: a number\n"
    "of ASCII digits with at most one fraction, at most one space, and a unit ("
    + ", ".join(f"`{unit}`" for unit in DURATION_UNITS)
    + "). It is\nread in decimal and normalised to integer nanoseconds, so two spellings of one duration have one\n"
    "digest. A text that is no whole number of nanoseconds is rejected ([KIX110](rules/KIX110.md)).",
    AXIS_EXPRESSION.pattern: "Integers, names of axes, `+ - * %`, `//` (floor division) and parentheses.",
    SLUG.pattern: "At most 100 characters.",
    MANIFEST_NAME.pattern: "At most 200 characters.",
}


def _sections() -> Iterator[str]:
    for pattern, grammar in sorted(GRAMMARS.items(), key=lambda pair: pair[1].name):
        yield f"## {grammar.name.capitalize()}\n"
        yield f"Expected: {prose(grammar.wanted)}.\n"
        if pattern in _MORE:
            yield _MORE[pattern] + "\n"
        yield fence("text", pattern)
        if pattern in PATTERN_EXAMPLES:
            yield "Such as " + " or ".join(f"`{each}`" for each in PATTERN_EXAMPLES[pattern]) + ".\n"


def type_page() -> Iterator[tuple[str, str]]:
    """The page."""
    yield (
        "docs/reference/types.md",
        f"{GENERATED}# Types of values\n\n"
        "Every pattern holds for the whole text, means the same in Python and ECMAScript, and knows only ASCII\n"
        "digits: a trailing line break is not accepted anywhere.\n\n"
        + "\n".join(_sections())
        + "\n## https URL\n\nAn absolute URL by the rules of WHATWG, whose scheme is https; at most 2000 characters.\n"
        "It is kept as written.\n\n"
        "## Numbers and characters\n\nAn integer lies within ±9007199254740991 (2^53 − 1), the range in which every\n"
        "implementation agrees; `3.0` and `3e0` are the integer 3. A number is a finite IEEE double. Lengths count\n"
        "UTF-16 code units: a character beyond the Basic Multilingual Plane counts two.\n\n"
        "## Lists, sets and maps\n\nThe order of a list carries meaning and is kept. A *set* is a list whose order\n"
        "and repetitions carry none: it is normalised, sorted by UTF-16 code units and without repetitions, before\n"
        "the digest is taken. No map may have the key `__proto__`, which JavaScript readers drop without a word.\n",
    )
