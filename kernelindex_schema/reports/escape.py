"""Text of the input made safe to show: nothing in it can move a cursor, colour a line or end one."""

from __future__ import annotations

import re

__all__ = ["decoded_name", "file_name", "json_ascii", "printable"]

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")


def printable(text: str) -> str:
    """The text with every character that does not show (controls, direction marks, lone surrogates …) escaped."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def file_name(name: str) -> str:
    """A file name to show to people."""
    return printable(decoded_name(name))


def decoded_name(name: str) -> str:
    """A file name as text: bytes that the locale could not decode are read as UTF-8, or else stand as ``\\xNN``."""
    # PEP 383: undecodable bytes of a file name are lone surrogates U+DC80 to U+DCFF.
    if name.isascii():
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return name


def json_ascii(text: str) -> str:
    """JSON text in ASCII alone, of the same value: it survives every console, pipe and encoding."""
    return text if text.isascii() and "\x7f" not in text else _BEYOND_ASCII.sub(_json_escape, text)


def _escaped(character: str) -> str:
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    # RFC 8259, section 7: outside the basic plane a pair of surrogates.
    return f"\\u{0xD7C0 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
