"""What a scalar of YAML 1.2 stands for: the core schema (YAML 1.2.2, section 10.3), and nothing of YAML 1.1."""

from __future__ import annotations

import re
from typing import Any, Final

__all__ = ["CORE", "NON_FINITE", "NOT_PLAIN_TEXT", "core_tagged", "resolve"]

CORE: Final = "tag:yaml.org,2002:"
"""The tags ``!!…`` in full."""


class _NonFinite:
    """Stands for infinity, not a number, and every number outside the range of a double."""


NON_FINITE: Final = _NonFinite()

_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), NON_FINITE),
    **dict.fromkeys((sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")), NON_FINITE),
}

NOT_PLAIN_TEXT: Final = frozenset(("", *"0123456789+-.~nNtTfF"))
"""How a plain scalar begins that may be something else than text (the empty one included)."""

_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

_DIGITS_OF_RANGE = 309
"""No integer with more digits is within the range of a double."""


def resolve(text: str) -> Any:
    """The value of an untagged plain scalar: text, unless the core schema reads something else in it.

    An integer is exact; what is not a finite double is :data:`NON_FINITE`.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        # Python refuses to read thousands of digits, and leading zeros are no octal mark in YAML 1.2.
        digits = text.lstrip("+-").lstrip("0") or "0"
        if len(digits) > _DIGITS_OF_RANGE:
            return NON_FINITE
        return _within_range(-int(digits) if text.startswith("-") else int(digits))
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if number - number == 0.0 else NON_FINITE
    if _OCTAL.fullmatch(text):
        return _within_range(int(text[2:], 8))
    if _HEXADECIMAL.fullmatch(text):
        return _within_range(int(text[2:], 16))
    return text


def _within_range(number: int) -> Any:
    try:
        float(number)
    except OverflowError:
        return NON_FINITE
    return number


def core_tagged(tag: str, text: str) -> Any:
    """The value of a scalar with a core tag, quoted or not; what has not the form of that type stays text.

    (``!!int abc`` is ``abc``, and ``!!float 1`` the text ``1``, as the registry reads them.)
    """
    kind = tag.removeprefix(CORE)
    if kind == "int":
        return resolve(text) if _is_integer(text) else text
    if kind == "float":
        return resolve(text) if not _is_integer(text) and _is_number(text) else text
    if kind in ("bool", "null") and text in _WORDS:
        value = _WORDS[text]
        if value is None if kind == "null" else type(value) is bool:
            return value
    return text


def _is_integer(text: str) -> bool:
    return bool(_INTEGER.fullmatch(text) or _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text))


def _is_number(text: str) -> bool:
    return _WORDS.get(text) is NON_FINITE or _FLOAT.fullmatch(text) is not None
