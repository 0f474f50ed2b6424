"""The tests of structs as straight Python code, written from the annotations.

A test made of one closure a field takes three times as long on a record as the same checks in one function: the calls
cost more than the checks. To make the functions at run time, as dataclasses do, would cost the command 15 ms at each
start. So they are generated, like the schemas.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from kernelindex_schema.v1alpha1 import KINDS, BenchRecord, Metadata, Record, Submission
from kernelindex_schema.v1alpha1.operation import Argument, Axis
from kernelindex_schema.v1alpha1.run import Latency
from kernelindex_schema.v1alpha1.scalars import (
    AXIS_EXPRESSION,
    DIGEST,
    GIT_COMMIT,
    INSTANT,
    MANIFEST_NAME,
    OPEN_KEY,
    SLUG,
    TOKEN,
    Grammar,
    Url,
)

__all__ = ["conformity_module"]

_TEXTS = {
    TOKEN: ("TOKENS", "is_token"),
    SLUG: ("SLUGS", "is_slug"),
    MANIFEST_NAME: ("NAMES", "is_name"),
    DIGEST: ("DIGESTS", "is_digest"),
    GIT_COMMIT: ("COMMITS", "is_commit"),
    INSTANT: ("INSTANTS", "is_instant"),
    AXIS_EXPRESSION: ("EXPRESSIONS", "is_expression"),
    OPEN_KEY: ("KEYS", "is_key"),
    Url(): ("URLS", "is_url"),
}
_DEPENDENT = {Axis: "axis_complete", Argument: "argument_complete", Latency: "latency_complete"}

_DOCUMENTS = (Record, Submission, BenchRecord)
_OWN_FUNCTION: tuple[type[msgspec.Struct], ...] = (Metadata, *(kind.manifest for kind in KINDS.values()), *_DOCUMENTS)

Check = Callable[["_Function", str, Any, tuple[Any, ...]], None]


class _Function:
    """A function under way: its lines, and what it calls."""

    def __init__(self, cls: type[msgspec.Struct], prefix: str, check: Check) -> None:
        self.cls, self.prefix, self.check = cls, prefix, check
        self.lines: list[str] = []
        self._depth = 1
        self._count = 0
        self._struct("value", cls)

    @property
    def name(self) -> str:
        return _function_name(self.prefix, self.cls)

    def fail_unless(self, condition: str) -> None:
        self._line(f"if not ({condition}):")
        self._line("    return False")

    def _line(self, text: str) -> None:
        self.lines.append("    " * self._depth + text)

    def _fresh(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _block(self, head: str, body: Callable[[], None]) -> None:
        start = len(self.lines)
        self._line(head)
        self._depth += 1
        body()
        self._depth -= 1
        if len(self.lines) == start + 1:
            del self.lines[start:]

    def _walk(self, name: str, hint: Any) -> None:
        marks: tuple[Any, ...] = ()
        if get_origin(hint) is Annotated:
            hint, *rest = get_args(hint)
            marks = tuple(rest)
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            self._union(name, get_args(hint))
        elif origin is not Literal:
            self.check(self, name, hint, marks)
            if origin is tuple:
                item = self._fresh()
                self._block(f"for {item} in {name}:", lambda: self._walk(item, get_args(hint)[0]))
            elif origin is dict:
                self._map(name, *get_args(hint))
            elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
                self._inner(name, hint)

    def _map(self, name: str, key_hint: Any, item_hint: Any) -> None:
        key, item = self._fresh(), self._fresh()
        self._block(f"for {key} in {name}:", lambda: self._walk(key, key_hint))
        self._block(f"for {item} in {name}.values():", lambda: self._walk(item, item_hint))

    def _inner(self, name: str, cls: type[msgspec.Struct]) -> None:
        if cls not in _OWN_FUNCTION:
            self._struct(name, cls)
        elif any(_Function(cls, self.prefix, self.check).lines):
            self.fail_unless(f"{_function_name(self.prefix, cls)}({name})")

    def _struct(self, name: str, cls: type[msgspec.Struct]) -> None:
        hints = get_type_hints(cls, include_extras=True)
        for field in cls.__struct_fields__:
            start = len(self.lines)
            value = self._fresh()
            self._line(f"{value} = {name}.{field}")
            self._walk(value, hints[field])
            if len(self.lines) == start + 1:
                del self.lines[start:]

    def _union(self, name: str, members: tuple[Any, ...]) -> None:
        present = [member for member in members if member is not msgspec.UnsetType]
        if len(present) == 1:
            self._block(f"if {name} is not UNSET:", lambda: self._walk(name, present[0]))
            return
        for member in present:
            plain = get_args(member)[0] if get_origin(member) is Annotated else member
            kind = (get_origin(plain) or plain).__name__
            test = f"type({name}) is {kind}" if kind in ("int", "float", "str") else f"{name}.kind == {kind!r}"

            def body(member: Any = member) -> None:
                self._walk(name, member)

            self._block(f"if {test}:", body)


def _function_name(prefix: str, cls: type[msgspec.Struct]) -> str:
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__)
    return f"_{prefix}{words}"


def _text_check(function: _Function, name: str, hint: Any, marks: tuple[Any, ...]) -> None:
    for mark in marks:
        if isinstance(mark, Grammar | Url):
            known, test = _TEXTS[mark]
            function.fail_unless(f"{name} in {known} or {test}({name})")
        elif isinstance(mark, msgspec.Meta) and mark.max_length is not None and hint is str:
            function.fail_unless(f"{name}.isascii() or utf16_length({name}) <= {mark.max_length}")
    if hint in _DEPENDENT:
        function.fail_unless(f"{_DEPENDENT[hint]}({name})")


def _float_check(function: _Function, name: str, hint: Any, marks: tuple[Any, ...]) -> None:
    if hint is float:
        function.fail_unless(f"1e-5 <= abs({name}) < 1e16 and {name} % 1")


def _table(title: str, doc: str, functions: list[_Function]) -> str:
    rows = "".join(f'    "{each.cls.__name__}": {each.name},\n' for each in functions)
    return f'{title}: dict[str, Callable[[Any], bool]] = {{\n{rows}}}\n"""{doc}"""\n'


def _code(functions: list[_Function]) -> str:
    whole = ""
    for each in functions:
        lines = [f"def {each.name}(value: Any) -> bool:", *each.lines, "    return True", "", "", ""]
        whole += "\n".join(lines)
    return whole


def conformity_module() -> Iterator[tuple[str, str]]:
    """``structure/conformity.py``: for each kind, whether what msgspec does not check holds."""
    whole = [_Function(cls, "conforms", _text_check) for cls in _OWN_FUNCTION]
    manifests = [_Function(kind.manifest, "plain", _float_check) for kind in KINDS.values()]
    floats = [each for each in manifests if each.lines]
    texts = sorted({name for names in _TEXTS.values() for name in names} | {*_DEPENDENT.values(), "utf16_length"})
    yield (
        "kernelindex_schema/structure/conformity.py",
        '"""Whether a struct keeps to what msgspec does not check.\n\n'
        "Generated by python -m kernelindex_schema._generate from the annotations of the structs; see\n"
        'kernelindex_schema/_generate/conformity.py for why.\n"""\n\n'
        "from __future__ import annotations\n\nfrom collections.abc import Callable\nfrom typing import Any\n\n"
        "from msgspec import UNSET\n\nfrom kernelindex_schema.structure.texts import (\n"
        + "".join(f"    {name},\n" for name in texts)
        + ')\n\n__all__ = ["CONFORMS", "PLAIN_FLOATS"]\n\n\n'
        + _code(whole)
        + _code(floats)
        + _table("CONFORMS", "By struct: texts, lengths and dependent fields hold.", whole)
        + "\n"
        + _table(
            "PLAIN_FLOATS",
            "By kind: msgspec writes every float as RFC 8785 does. A kind that is not here holds no floats.",
            floats,
        ),
    )
