"""What people get wrong in JSON text, said in a sentence each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.codecs.json_positions import SPACE, STRING_START, JsonPlaces
from kernelindex_schema.codecs.text import shortened, shown

__all__ = ["CUT", "mistake"]

CUT = "the file may be cut short"
"""The hint where the text ends too early."""

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][A-Za-z0-9_$.\x80-\xff-]*+")
_NUMBER_LIKE = re.compile(rb"[+-]?\.?[0-9][0-9A-Za-z_.,+-]*+|[+-]")
_CONFLICT = re.compile(rb"(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|\Z)")
_LITERALS = {"true": "true", "false": "false", "null": "null", "none": "null", "undefined": "null", "nil": "null"}
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_TYPOGRAPHIC = "\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"


class _Scene(msgspec.Struct, frozen=True):
    """Where reading stopped, and what was wanted there."""

    data: bytes
    before: int
    """The end of the last token that was understood."""
    start: int
    """The first thing after it that is no white space."""
    wanted: str
    opened: Sequence[tuple[int, bool]]
    places: JsonPlaces

    def around(self) -> str:
        """The innermost object or list that is open, for the middle of a sentence."""
        start, is_object = self.opened[-1]
        return (
            f"{'the object' if is_object else 'the list'} that begins on line {self.places.position(start, start).line}"
        )

    def character(self) -> str:
        """The character that stands there."""
        return self.data[self.start : self.start + 4].decode("utf-8", "ignore")[:1]

    def previous(self) -> bytes:
        """The last byte before that is no white space."""
        return self.data[: self.start].rstrip(b" \t\r\n")[-1:]


class _Told(msgspec.Struct, frozen=True):
    message: str
    start: int
    end: int
    hint: str | None = None


def mistake(data: bytes, at: int, wanted: str, opened: Sequence[tuple[int, bool]], places: JsonPlaces) -> Fault:
    """The fault of rule KIX004 for text that goes wrong after ``at``.

    Args:
        data: the text, known to be UTF-8.
        at: the end of the last token that was understood.
        wanted: ``"value"``, ``"key"`` (with its colon), ``"next"`` (a comma or the closing bracket) or ``"end"``.
        opened: where each object (true) or list (false) that is not closed begins, the outermost first.
        places: turns offsets into lines and columns.
    """
    space = SPACE.match(data, at)
    scene = _Scene(data, at, space.end() if space else at, wanted, opened, places)
    for tell in _TELLERS:
        told = tell(scene)
        if told is not None:
            break
    else:
        told = _anything(scene)
    position = places.position(told.start, told.end)
    return Fault(rule="KIX004", message=told.message, position=position, hint=told.hint)


def _cut(scene: _Scene) -> _Told | None:
    if scene.start < len(scene.data):
        return None
    return _Told(f"the text ends inside {scene.around()}", scene.start, scene.start, CUT)


def _conflict(scene: _Scene) -> _Told | None:
    found = _CONFLICT.match(scene.data, scene.start)
    if found is None:
        return None
    message = f"an unresolved merge conflict: {found[0].decode()} stands here"
    return _Told(message, scene.start, found.end(), "choose one side and remove the marks")


def _other_format(scene: _Scene) -> _Told | None:
    if scene.opened or scene.wanted != "value":
        return None
    from kernelindex_schema.codecs.formats import other_format

    hint = other_format(scene.data, "json")
    if hint is None:
        return None
    line, _, _ = scene.data[scene.start : scene.start + 400].partition(b"\n")
    text = line.decode("utf-8", "ignore").rstrip()
    message = f"this is no JSON: an object is wanted, not {shown(text)}"
    return _Told(message, scene.start, scene.start + len(shortened(text).encode()), hint)


def _comment(scene: _Scene) -> _Told | None:
    for mark in (b"//", b"/*", b"#"):
        if scene.data.startswith(mark, scene.start):
            hint = "remove it; YAML and TOML have comments"
            return _Told("JSON has no comments", scene.start, scene.start + len(mark), hint)
    return None


def _bracket(scene: _Scene) -> _Told | None:
    sign = scene.character()
    if not sign or sign not in "}]":
        return None
    here = scene.start, scene.start + 1
    if not scene.opened:
        return _Told(f"{sign} closes nothing", *here)
    previous = scene.previous()
    closing = "}" if scene.opened[-1][1] else "]"
    if sign != closing:
        return _Told(f"{sign} does not close {scene.around()}: {closing} is wanted", *here)
    if previous == b",":
        comma = scene.data.rindex(b",", 0, scene.start)
        return _Told(f"a comma stands before the closing {sign}", comma, comma + 1, "remove the comma")
    return _Told(f"a value is wanted before the closing {sign}", *here)


def _string(scene: _Scene) -> _Told | None:
    data = scene.data
    if scene.wanted == "end" or scene.character() != '"':
        return None
    begun = STRING_START.match(data, scene.start)
    end = begun.end() if begun else scene.start
    closed = data.startswith(b'"', end)
    if scene.wanted == "next":
        return _Told("a comma is missing before this text", scene.start, end + 1 if closed else scene.start + 1)
    if not closed:
        return _bad_string(scene, end)
    after = SPACE.match(data, end + 1)
    at = after.end() if after else end + 1
    if at == len(data):
        return _Told(f"the text ends inside {scene.around()}", at, at, CUT)
    key = shown(data[scene.start + 1 : end][:200].decode("utf-8", "ignore"))
    found = data[at : at + 4].decode("utf-8", "ignore")[:1]
    return _Told(f"a colon is wanted after the key {key}, not {shown(found)}", at, at + len(found.encode()))


def _bad_string(scene: _Scene, at: int) -> _Told:
    """A string that goes wrong after ``at``."""
    data = scene.data
    if at == len(data):
        return _Told("the text ends inside a string", scene.start, at, f"close the string with a quote; {CUT}")
    sign = data[at : at + 1].decode("utf-8", "replace")
    if sign in "\r\n":
        hint = f"close the string with a quote, or write {_ESCAPES[sign]} for a line break"
        return _Told("a line ends inside a string", scene.start, at, hint)
    if sign != "\\":
        name = "a tab" if sign == "\t" else f"the control character U+{ord(sign):04X}"
        escape = _ESCAPES.get(sign, f"\\u{ord(sign):04x}")
        return _Told(f"{name} stands inside a string", at, at + 1, f"write {escape}")
    follows = data[at + 1 : at + 5].decode("utf-8", "ignore")[:1]
    if not follows:
        return _Told("the text ends inside a string", scene.start, at, f"close the string with a quote; {CUT}")
    end = at + 1 + len(follows.encode())
    if follows == "u":
        message = "\\u is not followed by four hexadecimal digits"
        return _Told(message, at, end, "write the character itself, or \\\\ for a backslash")
    return _Told(f"\\{follows} is no escape of JSON", at, end, "write \\\\ for a backslash")


def _quote(scene: _Scene) -> _Told | None:
    sign = scene.character()
    if not sign or sign not in "'`" + _TYPOGRAPHIC or scene.wanted == "end":
        return None
    return _Told(f'text stands in " quotes, not in {sign}', scene.start, scene.start + len(sign.encode()), 'write "')


def _number(scene: _Scene) -> _Told | None:
    found = _NUMBER_LIKE.match(scene.data, scene.start)
    if found is None or scene.wanted == "end":
        return None
    span = found.span()
    text = found[0].decode().rstrip(",")
    if scene.wanted == "next":
        return _Told(f"a comma is missing before {shown(text)}", *span)
    if scene.wanted == "key":
        return _Told(f"a key in double quotes is wanted, not {shown(text)}", *span)
    digits = text.lstrip("+-")
    if text.startswith("+"):
        why = "a number has no plus sign"
    elif digits[:2].lower() in ("0x", "0o", "0b"):
        why = "numbers are written in decimal"
    elif digits[:1] == "0" and digits[1:2].isdigit():
        why = "a number does not begin with a needless zero"
    elif digits.startswith("."):
        why = "a digit is wanted before the point"
    elif re.search(r"\.(?:[^0-9]|$)", digits):
        why = "a digit is wanted after the point"
    elif "_" in digits:
        why = "digits are not parted by _"
    else:
        why = "digits, one point and one exponent may stand in a number"
    return _Told(f"{shown(text)} is no JSON number: {why}", span[0], span[0] + len(text))


def _word(scene: _Scene) -> _Told | None:
    found = _WORD.match(scene.data, scene.start)
    if found is None or scene.wanted == "end" or not found[0].isascii():
        return None
    span = found.span()
    word = found[0].decode()
    if scene.wanted == "next":
        return _Told(f"a comma is missing before {shown(word)}", *span)
    if scene.wanted == "key":
        return _Told(f"the key {shown(word)} is not in double quotes", *span, hint=f'write "{shortened(word)}"')
    literal = _LITERALS.get(word.lower())
    if literal:
        hint = "leave the field out" if literal == "null" else f"write {literal}"
        return _Told(f"{shown(word)} is no JSON value", *span, hint=hint)
    return _Told(f"{shown(word)} is no JSON value", *span, hint="text stands in double quotes")


def _space(scene: _Scene) -> _Told | None:
    sign = scene.character()
    if not sign or not (sign.isspace() or sign in "\ufeff\u200b\u2060\x00"):
        return None
    end = scene.start + len(sign.encode())
    code = f"U+{ord(sign):04X}"
    if sign == "\ufeff":
        return _Told(
            f"a byte order mark ({code}) stands inside the text", scene.start, end, "remove it; were files joined?"
        )
    return _Told(
        f"the character {code} is no white space of JSON",
        scene.start,
        end,
        "remove it" if sign in "\u200b\u2060\x00" else "replace it by a space",
    )


def _after_end(scene: _Scene) -> _Told | None:
    if scene.wanted != "end":
        return None
    sign = scene.character()
    hint = "JSON Lines (.jsonl) hold several documents, one a line" if sign in "{[" else None
    return _Told("text follows the end of the document", scene.start, scene.start + 1, hint)


def _anything(scene: _Scene) -> _Told:
    sign = scene.character()
    wanted = {
        "value": "a value is wanted",
        "key": "a key in double quotes is wanted",
        "next": f"a comma or the end of {scene.around() if scene.opened else 'the text'} is wanted",
    }.get(scene.wanted, "the end of the text is wanted")
    return _Told(f"{wanted}, not {shown(sign)}", scene.start, scene.start + max(1, len(sign.encode())))


_TELLERS: tuple[Callable[[_Scene], _Told | None], ...] = (
    _cut,
    _conflict,
    _other_format,
    _comment,
    _space,
    _bracket,
    _string,
    _quote,
    _number,
    _word,
    _after_end,
)
