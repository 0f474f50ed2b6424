"""The scalar types of the contract: text grammars, bounded numbers, durations and sets.

Text grammars are not given to msgspec as patterns: matching them one by one costs more than the rest of decoding
together. They are published in the JSON Schema, and :mod:`kernelindex_schema.structure` enforces them.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

__all__ = [
    "API_VERSION",
    "AXIS_EXPRESSION",
    "DIGEST",
    "DURATION",
    "DURATION_UNITS",
    "GIT_COMMIT",
    "INSTANT",
    "MANIFEST_NAME",
    "MAX_SAFE_INTEGER",
    "OPEN_KEY",
    "SLUG",
    "TOKEN",
    "AxisExpression",
    "AxisName",
    "Digest",
    "Dimension",
    "Duration",
    "DurationNs",
    "Fraction",
    "GitCommit",
    "Grammar",
    "HttpsUrl",
    "Instant",
    "Int",
    "ManifestName",
    "Nat",
    "NonNegative",
    "Number",
    "OpenKey",
    "Pos",
    "Positive",
    "SetOf",
    "Slug",
    "Token",
    "Url",
]

API_VERSION = "kernelindex.dev/v1alpha1"

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest integer that every IEEE double implementation agrees on (RFC 8785, section 3.2.2.3)."""

DURATION_UNITS = {"ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
"""Nanoseconds in each unit that a duration may be written in."""


class Grammar(msgspec.Struct, frozen=True):
    """A regular expression that a text must match in full.

    ``pattern`` means the same in Python and ECMAScript: only ASCII classes, and ``$(?!\\n)`` because Python's ``$``
    also matches before a final newline.
    """

    name: str
    pattern: str
    wanted: str
    """What is accepted, in words that complete "expected …"."""


class Url(msgspec.Struct, frozen=True):
    """Marks a text that must parse as an absolute https URL (WHATWG)."""


class Duration(msgspec.Struct, frozen=True):
    """Marks integer nanoseconds that may be authored as a text with a unit."""


class SetOf(msgspec.Struct, frozen=True):
    """Marks a list whose order and repetitions carry no meaning."""


_DAY = (
    "((([0-9]{2}([02468][48]|[13579][26]|[2468]0)|([02468][048]|[13579][26])00)-02-29)"
    "|[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
    "|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
    "|02-(0[1-9]|1[0-9]|2[0-8])))"
)

TOKEN = Grammar("token", r"^[a-z][a-z0-9_]*$(?!\n)", "a lowercase letter, then lowercase letters, digits or _")
SLUG = Grammar("slug", r"^[a-z0-9][a-z0-9-]*$(?!\n)", "lowercase letters, digits and -, beginning with no -")
MANIFEST_NAME = Grammar(
    "name",
    r"^[a-z0-9][a-z0-9._-]*$(?!\n)",
    "lowercase letters, digits, '.', '_', '-'; a letter or digit first",
)
DIGEST = Grammar("digest", r"^sha256:[0-9a-f]{64}$(?!\n)", "sha256: and 64 lowercase hexadecimal digits")
GIT_COMMIT = Grammar("commit", r"^[0-9a-f]{40}$(?!\n)", "40 lowercase hexadecimal digits")
INSTANT = Grammar(
    "instant",
    rf"^{_DAY}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?Z$(?!\n)",
    "an instant in UTC written as 2026-01-31T12:00:00Z",
)
AXIS_EXPRESSION = Grammar(
    "axis expression", r"^[a-z0-9_+*%/() -]+$(?!\n)", "axis names, integers, + - * % //, parentheses and spaces"
)
DURATION = Grammar(
    "duration",
    r"^[0-9]+(\.[0-9]+)? ?(ns|us|µs|ms|s)$(?!\n)",
    "integer nanoseconds, or a text such as '410.24 us' (ns, us, µs, ms, s)",
)

OPEN_KEY = Grammar("key", r"^(?!__proto__$(?!\n))", "any text but __proto__, which JavaScript readers drop")


def _published(grammar: Grammar) -> Meta:
    return Meta(extra_json_schema={"pattern": grammar.pattern})


Token = Annotated[str, _published(TOKEN), TOKEN]
AxisName = Annotated[str, _published(TOKEN), TOKEN]
Slug = Annotated[str, Meta(max_length=100, extra_json_schema={"pattern": SLUG.pattern}), SLUG]
ManifestName = Annotated[str, Meta(max_length=200, extra_json_schema={"pattern": MANIFEST_NAME.pattern}), MANIFEST_NAME]
Digest = Annotated[str, _published(DIGEST), DIGEST]
GitCommit = Annotated[str, _published(GIT_COMMIT), GIT_COMMIT]
OpenKey = Annotated[str, Meta(max_length=200, extra_json_schema={"pattern": OPEN_KEY.pattern}), OPEN_KEY]
HttpsUrl = Annotated[str, Meta(max_length=2000, extra_json_schema={"format": "uri"}), Url()]
Instant = Annotated[str, _published(INSTANT), INSTANT]
AxisExpression = Annotated[
    str, Meta(min_length=1, max_length=200, extra_json_schema={"pattern": AXIS_EXPRESSION.pattern}), AXIS_EXPRESSION
]

Int = Annotated[int, Meta(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
Nat = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]
Pos = Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)]
DurationNs = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER, extra_json_schema={"x-authoring": "duration"}), Duration()]
Dimension = Nat | AxisName

# A number is an IEEE double. An integer within the safe bounds stays an int, so that it is written as it was read.
Number = Int | float
NonNegative = Nat | Annotated[float, Meta(ge=0)]
Positive = Pos | Annotated[float, Meta(gt=0)]
Fraction = Annotated[int, Meta(ge=0, le=1)] | Annotated[float, Meta(ge=0, le=1)]
