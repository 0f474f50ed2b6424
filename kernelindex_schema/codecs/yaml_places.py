"""Where the values of a YAML document stand in its file."""

from __future__ import annotations

from typing import Any

from kernelindex_schema.findings import Path, Position

__all__ = ["Mark", "Node", "end_of_block_text", "locate", "position"]


class Mark:
    """A place in the text of a document, as libyaml counts: lines, columns and characters from 0."""

    __slots__ = ("column", "index", "line")

    def __init__(self, index: int, line: int, column: int) -> None:
        self.index = index
        self.line = line
        self.column = column


def end_of_block_text(text: str, start: Any, end: Any) -> Any:
    """The end of what is written of a block text; libyaml adds the empty lines after it."""
    written = text[start.index : end.index].rstrip()
    line_feeds = written.count("\n")
    if not line_feeds:
        return Mark(start.index + len(written), start.line, start.column + len(written))
    return Mark(start.index + len(written), start.line + line_feeds, len(written) - written.rfind("\n") - 1)


class Node:
    """Where a value stands: libyaml's marks of its start and end, and the nodes in it."""

    __slots__ = ("children", "end", "is_alias", "start")

    def __init__(self, start: Any, end: Any, children: Any = None, *, is_alias: bool = False) -> None:
        self.start = start
        self.end = end
        self.children: dict[str, tuple[Node, Node]] | list[Node] | None = children
        """Of a map each key with its own node and that of its value; of a list the nodes in it."""
        self.is_alias = is_alias


def position(first_line: int, start: Any, end: Any) -> Position:
    """The stretch between two marks in a document that begins on ``first_line``."""
    return Position(first_line + start.line, start.column + 1, first_line + end.line, end.column + 1)


def locate(root: Node | None, first_line: int, path: Path, at_key: bool) -> Position | None:
    """Where a value stands, or the key that leads to it; through an alias it is the alias that is told.

    ``root`` is None for an empty document.
    """
    if root is None:
        return None if path else Position(first_line, 1, first_line, 1)
    key_node = node = root
    for part in path:
        if node.is_alias:
            key_node = node
            break
        children = node.children
        if isinstance(children, dict) and isinstance(part, str) and part in children:
            key_node, node = children[part]
        elif isinstance(children, list) and isinstance(part, int) and 0 <= part < len(children):
            key_node = node = children[part]
        else:
            return None
    told = key_node if at_key else node
    return position(first_line, told.start, told.end)
