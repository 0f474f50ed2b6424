"""What msgspec would check slowly or cannot check of one value: text grammars, URLs, UTF-16 lengths, dependent fields.

A grammar is a set of texts that matched before and a test of one that is not among them: most texts of a collection
come again, and looking one up costs a tenth of a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import UNSET

from kernelindex_schema.structure.url import is_https_url
from kernelindex_schema.v1alpha1.operation import Argument, Axis
from kernelindex_schema.v1alpha1.run import Latency
from kernelindex_schema.v1alpha1.scalars import (
    AXIS_EXPRESSION,
    DIGEST,
    GIT_COMMIT,
    INSTANT,
    MANIFEST_NAME,
    OPEN_KEY,
    SLUG,
    TOKEN,
    Grammar,
)

__all__ = ["argument_complete", "axis_complete", "latency_complete", "utf16_length"]

_REMEMBERED = 20_000
"""How many matched texts are remembered of a grammar; a set that has grown past this is begun anew, so that memory
stays flat over any length of input."""


def utf16_length(text: str) -> int:
    """The length that the contract's bounds count: UTF-16 code units (edge cases, Text)."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _remembering(matches: Callable[[str], object]) -> tuple[set[str], Callable[[str], bool]]:
    seen: set[str] = set()

    def test(text: str) -> bool:
        if not matches(text):
            return False
        if len(seen) >= _REMEMBERED:
            seen.clear()
        seen.add(text)
        return True

    return seen, test


def _grammar(grammar: Grammar) -> tuple[set[str], Callable[[str], bool]]:
    compiled: Callable[[str], object] | None = None

    def matches(text: str) -> object:
        nonlocal compiled
        if compiled is None:
            compiled = re.compile(grammar.pattern).search
        return compiled(text)

    return _remembering(matches)


TOKENS, is_token = _grammar(TOKEN)
SLUGS, is_slug = _grammar(SLUG)
NAMES, is_name = _grammar(MANIFEST_NAME)
DIGESTS, is_digest = _grammar(DIGEST)
COMMITS, is_commit = _grammar(GIT_COMMIT)
INSTANTS, is_instant = _grammar(INSTANT)
EXPRESSIONS, is_expression = _grammar(AXIS_EXPRESSION)
KEYS, is_key = _grammar(OPEN_KEY)
URLS, is_url = _remembering(is_https_url)


def axis_complete(axis: Axis) -> bool:
    """A constant axis has a value, a derived one an expression (KIX111)."""
    return (axis.role != "constant" or axis.value is not UNSET) and (
        axis.role != "derived" or axis.expression is not UNSET
    )


def argument_complete(argument: Argument) -> bool:
    """An argument is a tensor or a scalar (KIX112)."""
    return (argument.tensor is UNSET) is not (argument.scalar is UNSET)


def latency_complete(latency: Latency) -> bool:
    """A latency has a median or a mean (KIX113)."""
    return latency.median is not UNSET or latency.mean is not UNSET
