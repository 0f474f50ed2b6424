"""Tests of structs, compiled to straight Python code.

A test made of one closure a field takes three times as long on a record as the same checks in one function (see
benchmarks): the calls cost more than the checks. So the function's text is written from the struct's annotations and
compiled, as dataclasses and attrs do.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET

__all__ = ["Visit", "compile_test"]


class Visit:
    """The function under way: its lines, and the objects that they name."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"UNSET": UNSET}
        self.lines: list[str] = []
        self._depth = 1
        self._count = 0

    def bind(self, value: object) -> str:
        """A name for an object that the code refers to."""
        for name, known in self.names.items():
            if known is value:
                return name
        name = f"g{len(self.names)}"
        self.names[name] = value
        return name

    def fresh(self) -> str:
        """A local name of its own."""
        self._count += 1
        return f"v{self._count}"

    def line(self, text: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self._depth + text)

    def fail_unless(self, condition: str) -> None:
        """The test fails where the condition does not hold."""
        self.line(f"if not ({condition}): return False")

    def block(self, head: str, body: Callable[[], None]) -> None:
        """A compound statement; dropped where its body has nothing to say."""
        start = len(self.lines)
        self.line(head)
        self._depth += 1
        body()
        self._depth -= 1
        if len(self.lines) == start + 1:
            del self.lines[start:]


Check = Callable[[Visit, str, Any, tuple[Any, ...]], None]
"""``check(visit, name, type, marks)`` adds what there is to test of the value called ``name``; ``type`` has its
annotations taken off, ``marks`` are those."""


def compile_test(cls: type[msgspec.Struct], check: Check) -> Callable[[Any], bool]:
    """A function of an instance: whether every check holds for all that is inside it."""
    visit = Visit()
    _walk(visit, "value", cls, check)
    source = "\n".join(["def test(value):", *visit.lines, "    return True"])
    exec(compile(source, f"<test of {cls.__name__}>", "exec"), visit.names)  # noqa: S102 - made of annotations alone
    test: Callable[[Any], bool] = visit.names["test"]
    return test


def _walk(visit: Visit, name: str, hint: Any, check: Check) -> None:
    marks: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        marks = tuple(rest)
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        _walk_union(visit, name, get_args(hint), check)
        return
    if origin is Literal:
        return
    check(visit, name, hint, marks)
    if origin is tuple:
        item = visit.fresh()
        visit.block(f"for {item} in {name}:", lambda: _walk(visit, item, get_args(hint)[0], check))
    elif origin is dict:
        key, item = visit.fresh(), visit.fresh()
        visit.block(f"for {key} in {name}:", lambda: _walk(visit, key, get_args(hint)[0], check))
        visit.block(f"for {item} in {name}.values():", lambda: _walk(visit, item, get_args(hint)[1], check))
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        _walk_struct(visit, name, hint, check)


def _walk_struct(visit: Visit, name: str, cls: type[msgspec.Struct], check: Check) -> None:
    for field, hint in get_type_hints(cls, include_extras=True).items():
        if field in cls.__struct_fields__:
            start = len(visit.lines)
            value = visit.fresh()
            visit.line(f"{value} = {name}.{field}")
            _walk(visit, value, hint, check)
            if len(visit.lines) == start + 1:
                del visit.lines[start:]


def _walk_union(visit: Visit, name: str, members: tuple[Any, ...], check: Check) -> None:
    present = [member for member in members if member is not msgspec.UnsetType]
    if len(present) == 1:
        visit.block(f"if {name} is not UNSET:", lambda: _walk(visit, name, present[0], check))
        return
    for member in present:
        plain = get_args(member)[0] if get_origin(member) is Annotated else member
        cls = visit.bind(get_origin(plain) or plain)

        def body(member: Any = member) -> None:
            _walk(visit, name, member, check)

        visit.block(f"if type({name}) is {cls}:", body)
