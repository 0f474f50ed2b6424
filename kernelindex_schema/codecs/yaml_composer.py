"""From libyaml's events to values: the composer behind both speeds of the YAML codec.

PyYAML's own composer loses the places of aliases, keeps the last of two equal keys and reads YAML 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from yaml._yaml import CParser
from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from kernelindex_schema.codecs.document import MAX_ALIASES, MAX_DEPTH, MAX_NODES, Fault, Refused
from kernelindex_schema.codecs.text import shortened, shown
from kernelindex_schema.codecs.yaml_places import Node, end_of_block_text, locate, position
from kernelindex_schema.codecs.yaml_scalars import CORE, NON_FINITE, NOT_PLAIN_TEXT, core_tagged, resolve
from kernelindex_schema.codecs.yaml_source import Broken, Source
from kernelindex_schema.codecs.yaml_syntax import syntax_fault, too_deep
from kernelindex_schema.findings import Path, Position

__all__ = ["Composer"]

_MOST_FAULTS: Final = 1_000
"""How many faults of one document are told."""

_MAX_TAG_DIRECTIVES: Final = 100
_MAX_TAG_DIRECTIVE: Final = 1_000
_TAG_DIRECTIVE = re.compile(r"\n%TAG[^\n]*")
_QUOTES: Final = ("'", '"')
_LONGEST_FORM: Final = 200
"""How many characters of a map or list stand for it where it is a key."""
_BLOCK_STYLES: Final = ("|", ">")
_REPEATED_AT_ALIAS: Final = frozenset(("KIX007", "KIX008", "KIX009", "KIX105"))
_CORE_TAGS: Final = frozenset(CORE + kind for kind in ("str", "int", "float", "bool", "null", "map", "seq"))


class _Anchored:
    """What an alias to a finished node stands for."""

    __slots__ = ("aliases", "faults", "height", "nodes", "path", "value")

    def __init__(self, value: Any, path: Path, nodes: int, aliases: int, height: int, faults: list[Fault]) -> None:
        self.value = value
        self.path = path
        self.nodes = nodes
        self.aliases = aliases
        self.height = height
        self.faults = faults


class _OddKeys:
    """The keys of one map that are no text."""

    __slots__ = ("first", "forms")

    def __init__(self) -> None:
        self.first: dict[tuple[str, Any], Node] = {}
        """The first key of each value."""
        self.forms: set[str] = set()
        """The texts under which the map holds them."""


class Composer:
    """Composes the one document of a source.

    In haste (not ``careful``) it keeps no positions and raises :class:`Refused` at the first fault.
    """

    def __init__(self, source: Source, *, careful: bool) -> None:
        self.faults: list[Fault] = []
        self.root: Node | None = None
        """None if the document is empty, or was composed in haste."""
        self.spans_lines = False
        """Whether a quoted text or a flow collection has several lines."""
        self._source = source
        self._careful = careful
        self._next: Callable[[], Any] = CParser(source.text).get_event
        self._has_anchors = "&" in source.text
        self._anchors: dict[str, _Anchored | None] = {}
        self._path: list[str | int] = []
        self._node: Any = None
        """The node of the value composed last."""
        self._level = 0
        self._deepest = 0
        self._nodes = 0
        self._aliases = 0

    def compose(self) -> Any:
        """The value; None for an empty document.

        Raises:
            Broken: the document cannot be read.
            Refused: it has a fault, and was to be composed in haste.
        """
        try:
            return self._document()
        except MarkedYAMLError as error:
            raise Broken(syntax_fault(error, self._source.text, self._source.first_line)) from None
        except YAMLError as error:
            raise Broken(Fault(rule="KIX004", message=f"this is no YAML: {error}")) from None

    def _document(self) -> Any:
        if "%TAG" in self._source.text:
            self._refuse_costly_directives()
        self._next()
        if self._next().__class__ is StreamEndEvent:
            return None
        value = self._value(self._next())
        self.root = self._node
        self._next()
        after = self._next()
        if after.__class__ is not StreamEndEvent:
            raise Broken(self._at(after, "KIX004", "the document is over here, and no line '---' begins another one"))
        if self._aliases:
            self._check_bounds(after)
        return value

    def _refuse_costly_directives(self) -> None:
        # libyaml compares each with all others, and spells the prefix out for each tag that uses it.
        declared = _TAG_DIRECTIVE.findall("\n" + self._source.text)
        if len(declared) > _MAX_TAG_DIRECTIVES or max(map(len, declared), default=0) > _MAX_TAG_DIRECTIVE:
            message = f"there are more than {_MAX_TAG_DIRECTIVES} %TAG directives, or one of them is very long"
            raise Broken(
                Fault(rule="KIX004", message=message, hint="leave them out: no tag of their kind means anything")
            )

    def _value(self, event: Any) -> Any:
        kind = event.__class__
        if kind is ScalarEvent:
            return self._scalar(event, is_key=False)
        if kind is AliasEvent:
            return self._alias(event)
        return self._collection(event)

    def _scalar(self, event: Any, *, is_key: bool) -> Any:
        self._nodes += 1
        if self._careful:
            self._node = Node(event.start_mark, event.end_mark)
            if event.style in _BLOCK_STYLES:
                self._node.end = end_of_block_text(self._source.text, event.start_mark, event.end_mark)
        known = len(self.faults)
        text = event.value
        half = None
        if self._source.escapes is not None:
            text, half = self._source.escapes.restore(text, event.style, event.start_mark.index, event.end_mark.index)
        value = text
        tag = event.tag
        if tag is None:
            if event.implicit[0]:
                if text[:1] in NOT_PLAIN_TEXT:
                    value = resolve(text)
            elif event.start_mark.line != event.end_mark.line and event.style in _QUOTES:
                self.spans_lines = True
        elif tag in _CORE_TAGS:
            value = core_tagged(tag, text)
        elif tag != "!":
            self._custom_tag(event, text if is_key else None)
        if half is not None:
            what = "key" if is_key else "text"
            message = f"the {what} holds {half}, one half of a surrogate pair alone, which stands for no character"
            hint = "write both halves, or the character itself"
            self._fault("KIX008", message, event, hint=hint, key=text if is_key else None)
            value = text if is_key else None
        elif value is NON_FINITE and not is_key:
            self._non_finite(text, event)
            value = None
        if self._has_anchors and event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(
                value, tuple(self._path), 1, 0, 0, [] if is_key else self.faults[known:]
            )
        return value

    def _collection(self, event: Any) -> Any:
        self._nodes += 1
        self._level += 1
        if self._level > MAX_DEPTH:
            raise Broken(too_deep(self._position(event.start_mark, event.start_mark)))
        if event.tag is not None and event.tag not in _CORE_TAGS and event.tag != "!":
            self._custom_tag(event, None)
        if self._level > self._deepest:
            self._deepest = self._level
        value = self._filled(event) if event.anchor is None else self._anchored(event, event.anchor)
        self._level -= 1
        return value

    def _filled(self, event: Any) -> Any:
        return self._map(event) if event.__class__ is MappingStartEvent else self._list(event)

    def _anchored(self, event: Any, name: str) -> Any:
        self._anchors[name] = None
        known, nodes, aliases, deepest = len(self.faults), self._nodes, self._aliases, self._deepest
        self._deepest = self._level
        value = self._filled(event)
        self._anchors[name] = _Anchored(
            value,
            tuple(self._path),
            self._nodes - nodes + 1,
            self._aliases - aliases,
            self._deepest - self._level + 1,
            [each for each in self.faults[known:] if each.rule in _REPEATED_AT_ALIAS],
        )
        self._deepest = max(deepest, self._deepest)
        return value

    def _list(self, event: Any) -> list[Any]:
        values: list[Any] = []
        nodes: list[Node] = []
        following = self._next
        while (inner := following()).__class__ is not SequenceEndEvent:
            self._path.append(len(values))
            values.append(self._value(inner))
            self._path.pop()
            nodes.append(self._node)
        self._close(event, inner, nodes)
        return values

    def _map(self, event: Any) -> dict[str, Any]:
        values: dict[str, Any] = {}
        nodes: dict[str, tuple[Node, Node]] = {}
        odd: _OddKeys | None = None
        following = self._next
        while (inner := following()).__class__ is not MappingEndEvent:
            key = self._scalar(inner, is_key=True) if inner.__class__ is ScalarEvent else self._odd_node(inner)
            if key.__class__ is not str:
                odd = odd or _OddKeys()
                key = self._odd_key(key, inner, odd, values)
            elif key in values:
                if odd is not None and key in odd.forms:
                    odd.forms.remove(key)
                else:
                    self._duplicate(key, inner, nodes[key][0] if self._careful else None)
            key_node = self._node
            self._path.append(key)
            values[key] = self._value(following())
            self._path.pop()
            nodes[key] = key_node, self._node
        self._close(event, inner, nodes)
        return values

    def _close(self, start: Any, end: Any, nodes: Any) -> None:
        """The node of a collection that has just ended; one in block style ends where the last value in it does."""
        if start.flow_style and start.start_mark.line != end.end_mark.line:
            self.spans_lines = True
        if self._careful:
            until = self._node.end if nodes and not start.flow_style else end.end_mark
            self._node = Node(start.start_mark, until, nodes)

    def _odd_node(self, event: Any) -> Any:
        self._path.append("?")
        value = self._value(event)
        self._path.pop()
        return value

    def _odd_key(self, value: Any, event: Any, odd: _OddKeys, values: dict[str, Any]) -> str:
        """The text under which the map holds a key that is no text."""
        if event.__class__ is ScalarEvent:
            form = written = event.value
        else:
            form = written = " ".join(self._written().split())
        what = f"the key {shown(written)}" if written else "the empty key"
        hint = f'put it in quotes: "{written}"' if event.__class__ is ScalarEvent and 0 < len(written) < 40 else None
        self._fault("KIX105", f"{what} is {_kind_of(value)}, text is wanted", event, hint=hint, key=form)
        identity = _identity(value)
        if identity is not None:
            first = odd.first.setdefault(identity, self._node)
            if first is not self._node:
                self._duplicate(form, event, first)
        if form not in values:
            odd.forms.add(form)
        return form

    def _duplicate(self, key: str, event: Any, first: Node | None) -> None:
        if first is None:
            raise Refused
        here = self._position(self._node.start, self._node.end)
        before = self._position(first.start, first.end)
        if before.line == here.line:
            message = f"the key {shown(key)} is given twice in one map"
        else:
            message = f"the key {shown(key)} is given twice in one map, on lines {before.line} and {here.line}"
        path = (*self._path, key)
        related = ((path, before, "first given here"),)
        self._add(Fault(rule="KIX005", message=message, path=path, at_key=True, position=here, related=related))

    def _alias(self, event: Any) -> Any:
        name = event.anchor
        if name not in self._anchors:
            raise Broken(self._at(event, "KIX004", f"the alias *{name} refers to no anchor before it"))
        anchored = self._anchors[name]
        if anchored is None:
            raise Broken(self._at(event, "KIX007", f"the alias *{name} refers to a value that it is itself part of"))
        self._aliases += 1 + anchored.aliases
        self._nodes += anchored.nodes
        self._check_bounds(event)
        reached = self._level + anchored.height
        if reached > MAX_DEPTH:
            raise Broken(too_deep(self._position(event.start_mark, event.end_mark)))
        self._deepest = max(self._deepest, reached)
        for fault in anchored.faults:
            path = (*self._path, *fault.path[len(anchored.path) :])
            where = self._position(event.start_mark, event.end_mark)
            self._add(msgspec.structs.replace(fault, path=path, position=where))
        if self._careful:
            self._node = Node(event.start_mark, event.end_mark, is_alias=True)
        if anchored.value is NON_FINITE:
            # The anchor is on a key, where a number is another fault.
            self._non_finite(f"what *{name} refers to", event)
            return None
        return _copied(anchored.value)

    def _check_bounds(self, event: Any) -> None:
        if self._aliases > MAX_ALIASES:
            message = f"there are more than {MAX_ALIASES} aliases, each counted with those inside what it refers to"
            raise Broken(self._at(event, "KIX007", message))
        if self._nodes > MAX_NODES:
            message = f"there are more than {MAX_NODES:,} keys and values when each alias is followed"
            raise Broken(self._at(event, "KIX007", message))

    def _custom_tag(self, event: Any, key: str | None) -> None:
        tag = event.tag
        written = "!!" + tag.removeprefix(CORE) if tag.startswith(CORE) else tag if tag.startswith("!") else f"!<{tag}>"
        message = f"the tag {shortened(written)} means nothing here"
        self._fault("KIX007", message, event, hint="leave the tag out", key=key)

    def _non_finite(self, text: str, event: Any) -> None:
        if text.lstrip("+-")[:1].isdigit():
            message = f"the number {shortened(text)} is out of the range of a double"
        else:
            message = f"a finite number is wanted, not {text}"
        self._fault("KIX009", message, event)

    def _fault(self, rule: str, message: str, event: Any, *, hint: str | None = None, key: str | None = None) -> None:
        if not self._careful:
            raise Refused
        path = tuple(self._path) if key is None else (*self._path, key)
        where = self._position(event.start_mark, event.end_mark)
        self._add(Fault(rule=rule, message=message, path=path, at_key=key is not None, position=where, hint=hint))

    def _add(self, fault: Fault) -> None:
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(fault)

    def _at(self, event: Any, rule: str, message: str) -> Fault:
        where = self._position(event.start_mark, event.end_mark)
        return Fault(rule=rule, message=message, path=tuple(self._path), position=where)

    def _position(self, start: Any, end: Any) -> Position:
        return position(self._source.first_line, start, end)

    def _written(self) -> str:
        if not self._careful:
            return ""
        start, end = self._node.start.index, self._node.end.index
        return self._source.text[start : min(end, start + _LONGEST_FORM)]

    def locate(self, path: Path, at_key: bool) -> Position | None:
        """Where a value of the document stands, or the key that leads to it."""
        return locate(self.root, self._source.first_line, path, at_key)


def _kind_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, dict):
        return "a map"
    return "a list" if isinstance(value, list) else "a number"


def _identity(value: Any) -> tuple[str, Any] | None:
    """What makes two keys that are no text the same key; None where no two are."""
    if isinstance(value, dict | list) or value is NON_FINITE:
        return None
    # 1 and 1.0 are one key, 1 and true are two.
    return (_kind_of(value), value)


def _copied(value: Any) -> Any:
    if value.__class__ is dict:
        return {key: _copied(each) for key, each in value.items()}
    if value.__class__ is list:
        return [_copied(each) for each in value]
    return value
