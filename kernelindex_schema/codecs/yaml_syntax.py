"""Syntax errors of libyaml in plain words, with a hint where the slip is a frequent one."""

from __future__ import annotations

import re
from typing import Any, Final

from kernelindex_schema.codecs.document import MAX_DEPTH, Fault
from kernelindex_schema.findings import Position

__all__ = ["syntax_fault", "too_deep"]

_PROBLEMS: Final[dict[str, str]] = {
    "found unexpected end of stream": "the quoted text that begins here is never closed",
    "found unexpected document indicator": "the quoted text that begins here is not closed within its document",
    "found unknown escape character": "a backslash in double quotes begins no escape here",
    "did not find expected hexdecimal number": "an escape in double quotes lacks hexadecimal digits",
    "found invalid Unicode character escape code": "an escape in double quotes names no Unicode character",
    "found a tab character where an indentation space is expected": "a tab stands where spaces must indent the text",
    "found a tab character that violates indentation": "a tab stands where spaces must indent the text",
    "found character that cannot start any token": "nothing in YAML begins with this character",
    "mapping values are not allowed in this context": "a ':' that ends a key cannot stand here",
    "block sequence entries are not allowed in this context": "a list entry '-' cannot begin here",
    "mapping keys are not allowed in this context": "a key cannot begin here",
    "could not find expected ':'": "this looks like a key, but no ': ' follows on its line",
    "did not find expected alphabetic or numeric character": (
        "the name of an anchor or alias may have only letters a to z, digits, '-' and '_'"
    ),
    "found unexpected ':'": "a ':' cannot stand here",
    "found an indentation indicator equal to 0": "the indentation of a block text cannot be 0",
    "did not find expected comment or line break": "only a comment may follow on this line",
    "did not find expected whitespace or line break": "a blank is missing here",
    "did not find expected whitespace": "a blank is missing here",
    "did not find expected node content": "a value is missing here, or this cannot begin one",
    "did not find expected '-' indicator": "this is no entry '- ' of the list that is open here",
    "did not find expected key": "this is no key of the map that is open here",
    "did not find expected ',' or ']'": "a ',' or the closing ']' of this list is missing",
    "did not find expected ',' or '}'": "a ',' or the closing '}' of this map is missing",
    "did not find expected <document start>": "the document is over here, and no line '---' begins another one",
    "found undefined tag handle": "this tag begins with a handle that no %TAG directive declares",
    "found duplicate %YAML directive": "the document has two %YAML directives",
    "found duplicate %TAG directive": "two %TAG directives declare the same handle",
    "found incompatible YAML document": "the %YAML directive names another version than 1.2 or 1.1",
    "found unexpected non-alphabetical character": "a line that begins with '%' is a directive, and this is none",
    "found unknown directive name": "no directive has this name; there are %YAML and %TAG",
    "could not find expected directive name": "a line that begins with '%' is a directive, but this one has no name",
    "did not find expected version number": "the version of the %YAML directive is malformed",
    "did not find expected digit or '.' character": "the version of the %YAML directive is malformed",
    "found extremely long version number": "the version of the %YAML directive is malformed",
    "did not find expected tag URI": "this tag is malformed",
    "did not find expected '!'": "this tag is malformed",
    "did not find the expected '>'": "this tag is malformed",
    "did not find URI escaped octet": "this tag is malformed",
    "found an incorrect leading UTF-8 octet": "this tag is malformed",
    "found an incorrect trailing UTF-8 octet": "this tag is malformed",
}

_TOLD_AT_START: Final = frozenset(
    (
        "found unexpected end of stream",
        "found unexpected document indicator",
        "could not find expected ':'",
        "did not find expected ',' or ']'",
        "did not find expected ',' or '}'",
    )
)
"""Problems that libyaml notices long after the place that is at fault."""

_LONGEST_LINE: Final = 1_000
"""How much of a line is looked at for a hint."""

_CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: .*)?$|^={7}$", re.M)
_BARE_INDICATOR = re.compile(r"(?:^|[:\-?])\s+([@`%])$")
_COLON_IN_VALUE = re.compile(r"[^#\"']*?:\s+[^\s\"'{\[|>&*!#][^\"']*:(?:\s|$)")
_NO_BLANK_AFTER_COLON = re.compile(r"\s*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[A-Za-z0-9_.-]+):[^\s]")
_AFTER_QUOTES = re.compile(r"[\"']\s*$")


def syntax_fault(error: Any, text: str, first_line: int) -> Fault:
    """The one fault (KIX004, or KIX006) that an error of PyYAML's parser stands for."""
    problem = error.problem or "this is no YAML"
    mark = error.problem_mark or error.context_mark
    if problem == "exceeded maximum nesting depth":
        return too_deep(Position(first_line + mark.line, mark.column + 1, first_line + mark.line, mark.column + 2))
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = first_line + text.count("\n", 0, conflict.start())
        return Fault(
            rule="KIX004",
            message="a mark of a merge conflict stands here",
            position=Position(line, 1, line, 1 + len(conflict.group().rstrip("\r"))),
            hint="settle the conflict and remove the lines '<<<<<<<', '=======' and '>>>>>>>'",
        )
    if problem in _TOLD_AT_START and error.context_mark is not None:
        mark = error.context_mark
    lines = text.split("\n")
    last = len(text.rstrip().split("\n")) - 1
    if problem == "did not find expected <document start>" and lines[last].startswith("%"):
        line = first_line + last
        return Fault(
            rule="KIX004",
            message="no line '---' follows this directive",
            position=Position(line, 1, line, 1 + len(lines[last].rstrip())),
            hint="end the document before it, if there is one, with a line '...'",
        )
    shown = lines[mark.line].rstrip("\r") if mark.line < len(lines) else ""
    width = 1 if mark.column < len(shown) else 0
    line = first_line + mark.line
    message = _PROBLEMS.get(problem, f"this is no YAML: {problem}")
    if shown[mark.column : mark.column + 1] == "\t":
        message = "a tab stands where only spaces may"
    elif problem == "did not find expected node content" and not text[mark.index :].strip():
        message = "the text ends before the list or map in brackets is closed"
    return Fault(
        rule="KIX004",
        message=message,
        position=Position(line, mark.column + 1, line, mark.column + 1 + width),
        hint=_hint(problem, shown, mark.column, lines[mark.line - 1] if mark.line else ""),
    )


def _hint(problem: str, line: str, column: int, line_before: str) -> str | None:
    if column > _LONGEST_LINE:
        return None
    line = line[:_LONGEST_LINE]
    line_before = line_before[:_LONGEST_LINE]
    indentation = line[: len(line) - len(line.lstrip())]
    if "\t" in indentation or "tab character" in problem or line[column : column + 1] == "\t":
        return "indent with spaces: YAML allows no tab there"
    before = line[:column]
    if problem == "found character that cannot start any token":
        slip = _BARE_INDICATOR.search(line[: column + 1])
        return f"put a value that begins with {slip.group(1)} in quotes" if slip else None
    if problem in ("mapping values are not allowed in this context", "could not find expected ':'"):
        if _COLON_IN_VALUE.match(line):
            return "put a value that holds ': ' in quotes"
        if _NO_BLANK_AFTER_COLON.match(line) or _NO_BLANK_AFTER_COLON.match(line_before):
            return "write a blank after the ':' that ends a key"
        if before[:1] == " " and ":" not in before:
            return "a key that has a value on its own line cannot have keys below it"
        return None
    if problem in ("did not find expected key", "did not find expected '-' indicator"):
        if not before.strip():
            return "line it up with what it belongs to"
        if _AFTER_QUOTES.search(before):
            return "put the whole value in one pair of quotes; a quote in it is written '' or \\\""
        return None
    if problem == "found unknown escape character":
        return "write a backslash in double quotes twice, or use single quotes"
    if line.startswith("%"):
        return "put a key that begins with % in quotes"
    return None


def too_deep(position: Position) -> Fault:
    """The fault of a document whose nesting is over the bound."""
    return Fault(rule="KIX006", message=f"maps and lists are nested deeper than {MAX_DEPTH} levels", position=position)
