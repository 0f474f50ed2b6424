"""Values as YAML text in block style.

A text stands without quotes only where no reader, of YAML 1.1 or 1.2, could take it for anything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from kernelindex_schema.codecs.document import MAX_DEPTH
from kernelindex_schema.errors import UnencodableValue

__all__ = ["write_documents"]

_MAX_KEY: Final = 1_000
"""How long a key may be without the mark ``? ``; readers look for the ``:`` no further than 1,024 characters."""

_WORDS: Final = frozenset(
    ("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf", "infinity")
)

# The first character is looked at apart. Not in it: ": " and " #", and a blank or colon at the end.
_PLAIN = re.compile(r"(?:[^:# ]|:(?=[^ ,\[\]{}])|(?<! )#| (?=[^ #]))*")
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_SHORT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write_documents(values: Sequence[Any]) -> bytes:
    """The values as a stream of documents, parted by ``---``, each with a final newline.

    Raises:
        UnencodableValue: one of them holds what has no form in YAML or would be refused on reading.
    """
    text = "---\n".join("\n".join(_document(value)) + "\n" for value in values)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        half = f"U+{ord(text[error.start]):04X}"
        raise UnencodableValue(f"YAML cannot hold {half}, one half of a surrogate pair without the other") from None


def _document(value: Any) -> list[str]:
    lines: list[str] = []
    if _is_filled(value):
        _collection(value, 1, lines)
    else:
        lines.append(_leaf(value))
    return lines


def _is_filled(value: Any) -> bool:
    return isinstance(value, dict | list | tuple) and len(value) > 0


def _collection(value: Any, level: int, lines: list[str]) -> None:
    if level > MAX_DEPTH:
        raise UnencodableValue(f"the value is nested deeper than {MAX_DEPTH} levels")
    pad = "  " * (level - 1)
    if not isinstance(value, dict):
        for each in value:
            if _is_filled(each):
                start = len(lines)
                _collection(each, level + 1, lines)
                lines[start] = f"{pad}- {lines[start][len(pad) + 2 :]}"
            else:
                lines.append(f"{pad}- {_leaf(each)}")
        return
    for key, each in value.items():
        if not isinstance(key, str):
            raise UnencodableValue(f"the key {key!r} is {type(key).__name__}, a key must be text")
        written = _text(key)
        if len(written) > _MAX_KEY:
            lines.append(f"{pad}? {written}")
            written = ""
        if _is_filled(each):
            lines.append(f"{pad}{written}:")
            _collection(each, level + 1, lines)
        else:
            lines.append(f"{pad}{written}: {_leaf(each)}")


def _leaf(value: Any) -> str:
    """A scalar, or an empty collection, on its line."""
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, list | tuple):
        return "[]"
    raise UnencodableValue(f"YAML cannot hold a value of type {type(value).__name__}")


def _number(value: int | float) -> str:
    try:
        nearest = float(value)
    except OverflowError:
        raise UnencodableValue("an integer is out of the range of a double") from None
    if nearest - nearest != 0.0:
        raise UnencodableValue(f"the number {value!r} is not finite")
    # The shortest digits of a double always have a point or an exponent, so that it is read back as one.
    return repr(nearest) if isinstance(value, float) else str(int(value))


def _text(text: str) -> str:
    first = text[:1]
    if (
        (first.isalpha() or first in ("_", "/"))
        and text.isprintable()
        and text.lower() not in _WORDS
        and _PLAIN.fullmatch(text)
    ):
        return text
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    return _SHORT_ESCAPES.get(character) or f"\\u{ord(character):04x}"
