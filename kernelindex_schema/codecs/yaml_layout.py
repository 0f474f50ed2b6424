"""Where libyaml reads what YAML 1.2 does not allow, or what the registry reads otherwise: such a text is refused.

A second pass, over libyaml's tokens, and only over a text in which something of the kind may stand.
"""

from __future__ import annotations

import re
from typing import Any, Final

from yaml._yaml import CParser
from yaml.tokens import (
    AliasToken,
    AnchorToken,
    BlockEndToken,
    BlockMappingStartToken,
    BlockSequenceStartToken,
    DirectiveToken,
    FlowEntryToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    KeyToken,
    ScalarToken,
    TagToken,
    ValueToken,
)

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.codecs.yaml_source import Broken, Source

__all__ = ["may_be_read_otherwise", "refuse_other_readings"]

# What the checks below look for, in turns that are cheap to find (a text of several lines is noticed by the composer).
_COMMENT = re.compile(r"""["'\]}\[{,:?|>+0-9-]#|^ *#[^ \t\r\n]""", re.M)
_PROPERTY_OR_ALIAS = re.compile(r"(?:^|[\s\[{,:?-])(?:[&*]\S|!)", re.M)
_EXPLICIT_KEY = re.compile(r"[\[{,][ \t]*\?")
_DASH_IN_FLOW = re.compile(r"[\[{,:][ \t]*-[\s,\[\]{}]")
_ODD_BLOCK = re.compile(r"^ *[|>]|[|>][-+]?(?:[1-9]|[ \t]+#|[ \t]*\r?\n +\r?\n)", re.M)
_COLON_FIRST: Final = (" :", "\n:", "\t:", "[:", "{:", ",:")


def may_be_read_otherwise(text: str) -> bool:
    """Whether :func:`refuse_other_readings` could find anything in a text without quoted text or flow collections of
    several lines, whose root is a map or a list."""
    return (
        not text.endswith("\n")
        or ("#" in text and _COMMENT.search(text) is not None)
        or (("&" in text or "*" in text or "!" in text) and _PROPERTY_OR_ALIAS.search(text) is not None)
        or ("?" in text and _EXPLICIT_KEY.search(text) is not None)
        or (("[" in text or "{" in text) and "-" in text and _DASH_IN_FLOW.search(text) is not None)
        or (("|" in text or ">" in text) and _ODD_BLOCK.search(text) is not None)
        or any(turn in text for turn in _COLON_FIRST)
        or "\\'" in text
        or "\n%" in text
        or text.startswith("%")
    )


def refuse_other_readings(source: Source) -> None:
    """Nothing, where YAML 1.2, the registry and libyaml read the same in this text, which libyaml accepted.

    Raises:
        Broken: one of them does not.
    """
    _Pass(source).run()


_SEPARATORS: Final = frozenset(("", " ", "\t", "\n", "\r"))
_AFTER_INDICATOR: Final = _SEPARATORS | frozenset(",[]{}")

_DIRECTIVE = re.compile(r"%(?:YAML[ \t]+1\.[12]|TAG[ \t]+\S+[ \t]+\S+)(?:[ \t]+(?:#.*)?)?\r?(?:\n|\Z)")
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]{0,2}(?:[ \t]+(?:#.*)?)?\r?(?:\n|\Z)")
_BLOCK_HEADER_WITH_WIDTH = re.compile(r"[|>][-+]?[1-9]")
_FIRST_LINES_OF_BLOCK = re.compile(r"[^\n]*\n((?: *\r?\n)*)( *)#")
_BLANK_LAST_LINE = re.compile(r"(?:\A|\n) +\n*\Z")
_REFUSED_ESCAPE = re.compile(r"\\(?:('|\r?\n[ \t]*\r?\n)|.)", re.S)
_TIGHT_COMMENT = re.compile(r"^( *)#[^ \t\r\n]", re.M)
_LINE_IN_QUOTES = re.compile(r"\n( *+)([^\n]?)")
_LINE_IN_FLOW = re.compile(r"\n( *+)[ \t]*+([^ \t\r\n])")

_PROPERTIES: Final = (AnchorToken, TagToken)
_FLOW_STARTS: Final = (FlowSequenceStartToken, FlowMappingStartToken)
_FLOW_ENDS: Final = (FlowSequenceEndToken, FlowMappingEndToken)
_BLOCK_STARTS: Final = (BlockMappingStartToken, BlockSequenceStartToken)


class _Pass:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._content_end = len(source.text) + 1 if source.text.endswith("\n") else len(source.text.rstrip(" \t"))
        """Where the last line begins to be blank, if it has no line feed."""
        self._indents = [-1]
        """The columns of the block collections that are open."""
        self._flows: list[int] = []
        """Where the flow collections begin that are open."""
        self._quoted: list[tuple[int, int]] = []
        """Quoted texts of several lines."""

    def run(self) -> None:
        following = CParser(self._text).get_token
        before: Any = None
        while (token := following()) is not None:
            kind = token.__class__
            if kind is ScalarToken:
                self._no_tight_comment(before, token)
                self._scalar(token)
            elif kind in _BLOCK_STARTS:
                self._indents.append(token.start_mark.column)
            elif kind is BlockEndToken:
                self._indents.pop()
            elif kind in _FLOW_STARTS:
                self._no_tight_comment(before, token)
                self._no_comment_at_end(token)
                self._flows.append(token.start_mark.index)
            elif kind in _FLOW_ENDS:
                self._no_comment_at_end(token)
                start = self._flows.pop()
                if not self._flows:
                    self._flow_lines(start, token.end_mark.index)
            elif kind is ValueToken or kind is FlowEntryToken:
                if before.__class__ in _PROPERTIES:
                    raise self._refused(token.start_mark.index, 1, "a tag or an anchor stands before nothing here")
                self._no_comment_at_end(token)
                if kind is ValueToken and self._flows and not _is_json_like(before):
                    self._blank_after_indicator(token)
            elif kind is KeyToken:
                if self._flows and token.end_mark.index > token.start_mark.index:
                    self._blank_after_indicator(token)
            elif kind is AnchorToken or kind is AliasToken:
                self._no_tight_comment(before, token)
                self._blank_after_name(token)
            elif kind is TagToken:
                self._no_tight_comment(before, token)
            elif kind is DirectiveToken and not _DIRECTIVE.match(self._text, token.start_mark.index):
                raise self._refused(token.start_mark.index, 1, "this directive is malformed")
            before = token

    def _refused(self, start: int, size: int, message: str, hint: str | None = None) -> Broken:
        where = self._source.position(self._text, start, start + size)
        return Broken(Fault(rule="KIX004", message=message, position=where, hint=hint))

    def _no_comment_at_end(self, token: Any) -> None:
        end = token.end_mark.index
        if self._text[end : end + 1] == "#":
            raise self._refused(end, 1, "a '#' that begins a comment needs a blank before it")

    def _no_tight_comment(self, before: Any, token: Any) -> None:
        # The registry's reader takes a comment such as "#this" between a key and its value for a mark of indentation,
        # and then reads the lines after the value as part of it.
        if self._flows or token.start_mark.line == before.end_mark.line:
            return
        for found in _TIGHT_COMMENT.finditer(self._text, before.end_mark.index, token.start_mark.index):
            if found.end(1) - found.start() <= self._indents[-1]:
                message = "the registry misreads what follows a comment like this one between a key and its value"
                hint = "write a blank after the '#', or indent the comment like the value"
                raise self._refused(found.end(1), 1, message, hint)

    def _blank_after_name(self, token: Any) -> None:
        # YAML 1.2 allows nearly every character in such a name, also the ':' at which libyaml stops.
        end = token.end_mark.index
        after = self._text[end : end + 1]
        if after not in _SEPARATORS and not (self._flows and after in ",]}"):
            raise self._refused(end, 1, "a blank must follow the name of an anchor or alias")

    def _blank_after_indicator(self, token: Any) -> None:
        end = token.end_mark.index
        if self._text[end : end + 1] not in _AFTER_INDICATOR:
            raise self._refused(end - 1, 1, f"a blank must follow this '{self._text[end - 1]}'")

    def _scalar(self, token: Any) -> None:
        start, end = token.start_mark.index, token.end_mark.index
        style = token.style
        if style == "|" or style == ">":
            self._block_scalar(token, start, end)
        elif style == '"' or style == "'":
            self._no_comment_at_end(token)
            if token.start_mark.line != token.end_mark.line:
                self._quoted_lines(start, end)
            if style == '"' and "\\" in self._text[start:end]:
                self._escapes(start, end)
        elif self._flows and self._text[start] in "-?:" and self._text[start + 1 : start + 2] in _AFTER_INDICATOR:
            raise self._refused(start, 1, f"a text without quotes cannot begin with '{self._text[start]}' here")

    def _block_scalar(self, token: Any, start: int, end: int) -> None:
        text = self._text
        parent = self._indents[-1]
        if not _BLOCK_HEADER.match(text, start):
            raise self._refused(start, 1, "only a comment, with a blank before its '#', may follow this on its line")
        if token.start_mark.column <= parent:
            raise self._refused(start, 1, "a block text must be indented more than what it belongs to")
        if _BLOCK_HEADER_WITH_WIDTH.match(text, start):
            if _BLANK_LAST_LINE.search(token.value):
                message = "a block text whose indentation is given must not end in a line of blanks"
                raise self._refused(start, 1, message)
        elif found := _FIRST_LINES_OF_BLOCK.match(text, start):
            # libyaml takes a first line that begins with "#" for a comment if it is indented less than it expects.
            blank = max((len(line.rstrip("\r")) for line in found.group(1).split("\n")), default=0)
            if parent < len(found.group(2)) < max(blank, 1):
                message = "the first line of a block text must be indented like the others"
                raise self._refused(found.end() - 1, 1, message)
        if end >= self._content_end:
            raise self._refused(len(text), 0, "a block text must end in a line break")

    def _escapes(self, start: int, end: int) -> None:
        for found in _REFUSED_ESCAPE.finditer(self._text, start, end):
            if found.group(1) == "'":
                raise self._refused(found.start(), 2, "a backslash in double quotes begins no escape here")
            if found.group(1):
                # YAML 1.2 reads a line feed here, the registry a blank.
                raise self._refused(found.start(), 1, "no empty line may follow an escaped line break")

    def _quoted_lines(self, start: int, end: int) -> None:
        self._quoted.append((start, end))
        for found in _LINE_IN_QUOTES.finditer(self._text, start, end):
            if len(found.group(1)) <= self._indents[-1] and found.group(2) not in ("", "\r"):
                raise self._indented_too_little(found)

    def _flow_lines(self, start: int, end: int) -> None:
        parent = self._indents[-1]
        quoted = self._quoted
        at = 0
        for found in _LINE_IN_FLOW.finditer(self._text, start, end) if parent >= 0 else ():
            while at < len(quoted) and quoted[at][1] <= found.start():
                at += 1
            if at < len(quoted) and quoted[at][0] < found.start():
                continue
            indent = len(found.group(1))
            if indent > parent or found.group(2) == "#":
                continue
            # The bracket that closes it may stand below the key, as many people write it and the registry accepts.
            if indent < parent or found.end() != end or found.start(2) != found.end(1):
                raise self._indented_too_little(found)
        quoted.clear()

    def _indented_too_little(self, found: re.Match[str]) -> Broken:
        message = "this line continues a value and must be indented more than the key or dash of that value"
        return self._refused(found.start(2), len(found.group(2)), message)


def _is_json_like(token: Any) -> bool:
    return isinstance(token, _FLOW_ENDS) or (isinstance(token, ScalarToken) and token.style in ("'", '"'))
