"""``docs/reference/api.md``: the public names of the package, from their signatures and docstrings."""

from __future__ import annotations

import ast
import enum
import inspect
import itertools
import re
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

import kernelindex_schema
from kernelindex_schema._generate.kinds import page_name
from kernelindex_schema._generate.markdown import GENERATED, fence, prose, wide_table
from kernelindex_schema.structure.schema import field_docs
from kernelindex_schema.v1alpha1 import KINDS

__all__ = ["api_page"]

_GROUPS = (
    ("Read and write", ("read", "decode", "iter_documents", "write", "encode")),
    ("Check", ("check", "check_data", "check_value", "check_paths", "Settings")),
    ("What a check says", ("Report", "Finding", "Related", "Severity")),
    ("Identity", ("digest", "canonical_bytes", "comparison_key")),
    ("Assemble", ("assemble",)),
    ("What there is", ("KINDS", "RULES", "explain", "json_schema")),
    ("Errors", ("KernelIndexError", "InvalidDocument", "UnreadableDocument", "UnencodableValue", "SettingsError")),
)


def markdown_of(doc: str) -> str:
    """A docstring as Markdown: its sections of indented ``name: text`` lines become lists."""
    parts = re.split(r"^(Args|Raises|Returns|Yields):\n", inspect.cleandoc(doc), flags=re.M)
    out = [prose(parts[0])] if parts[0].strip() else []
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        entries, rest = _entries(body)
        out.append(f"{title}:\n\n" + "\n".join(f"- `{name}`: {prose(text)}" for name, text in entries))
        if rest:
            out.append(prose(rest))
    return "\n\n".join(out) + "\n"


def _entries(body: str) -> tuple[list[tuple[str, str]], str]:
    entries: list[tuple[str, str]] = []
    lines = body.split("\n")
    for number, line in enumerate(lines):
        if match := re.match(r"    (\w+): (.*)", line):
            entries.append((match[1], match[2]))
        elif line.startswith("     ") and entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line.strip()}")
        elif line.strip():
            return entries, "\n".join(lines[number:])
    return entries, ""


def _default(value: Any) -> str:
    return f"{type(value).__name__}()" if isinstance(value, msgspec.Struct) else repr(value)


def _parameters(function: Any) -> tuple[list[str], str]:
    """The parameters of a function as they are written, and what it returns."""
    signature = inspect.signature(function)
    shown, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        kind = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        default = "" if parameter.default is parameter.empty else f" = {_default(parameter.default)}"
        if parameter.name != "self":
            shown.append(f"{parameter.name}{kind}{default}")
    return shown, str(signature.return_annotation)


def _signature(name: str, function: Any) -> str:
    parameters, returned = _parameters(function)
    line = f"{name}({', '.join(parameters)}) -> {returned}"
    if len(line) > 88:
        line = f"{name}(\n" + "".join(f"    {each},\n" for each in parameters) + f") -> {returned}"
    return fence("text", line)


def _variable(name: str) -> str:
    """The string under an assignment, in the module that makes it."""
    for module in list(sys.modules.values()):
        if not getattr(module, "__name__", "").startswith("kernelindex_schema.") or name not in vars(module):
            continue
        body = ast.parse(inspect.getsource(module)).body
        for statement, following in itertools.pairwise(body):
            target = getattr(statement, "target", None) or next(iter(getattr(statement, "targets", [])), None)
            if isinstance(target, ast.Name) and target.id == name and isinstance(following, ast.Expr):
                return inspect.cleandoc(ast.literal_eval(following.value))
    raise LookupError(name)


def _members(cls: type) -> Iterator[tuple[str, str]]:
    if issubclass(cls, msgspec.Struct):
        docs = field_docs(cls)
        for field in cls.__struct_fields__:
            yield f"`{field}`", prose(docs.get(field, ""))
    if issubclass(cls, enum.Enum):
        for value in cls:
            yield f"`{value.name}`", f"`{value.value}`"
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"`{name}`", prose(member.__doc__ or "")
        elif inspect.isfunction(member):
            parameters, returned = _parameters(member)
            yield (
                f"`{name}({', '.join(parameters)}) -> {returned}`",
                prose(member.__doc__ or "").replace("\n\n", " <br>"),
            )


def _entry(name: str) -> str:
    value = getattr(kernelindex_schema, name)
    if inspect.isclass(value):
        members = [(what, text) for what, text in _members(value)]
        shown = wide_table(("Member", "What it is"), members) if members else ""
        bases = ", ".join(base.__name__ for base in value.__bases__ if base is not msgspec.Struct)
        kind = f"class {name}({bases})" if bases not in ("", "object") else f"class {name}"
        return f"### {name}\n\n{fence('text', kind)}\n{markdown_of(value.__doc__ or '')}\n{shown}"
    if callable(value):
        return f"### {name}\n\n{_signature(name, value)}\n{markdown_of(value.__doc__ or '')}"
    return f"### {name}\n\n{markdown_of(_variable(name))}"


def api_page() -> Iterator[tuple[str, str]]:
    """The page.

    Raises:
        LookupError: a public name stands in no group, or a group names what is not public.
    """
    grouped = [name for _, names in _GROUPS for name in names]
    if sorted(grouped) != sorted(kernelindex_schema.__all__):
        raise LookupError(f"group these public names: {set(grouped) ^ set(kernelindex_schema.__all__)}")
    groups = [f"## {title}\n\n" + "\n".join(map(_entry, names)) for title, names in _GROUPS]
    structs = [(f"[{name}](kinds/{page_name(name)}.md)", f"`{kind.spec.__name__}`") for name, kind in KINDS.items()]
    yield (
        "docs/reference/api.md",
        f"{GENERATED}# Python API\n\n{prose(kernelindex_schema.__doc__ or '')}\n\n" + "\n".join(groups) + "\n"
        "## Structs\n\n`kernelindex_schema.v1alpha1` has a class for every object of the contract. They are\n"
        "immutable; attributes are the wire names in snake_case, lists are tuples, and an absent optional field is\n"
        "`msgspec.UNSET`. `msgspec.structs.replace` makes a changed copy.\n\n"
        + wide_table(("Kind", "Class of its `spec`"), structs)
        + "\nThe documents are `Record`, `Submission`, `SubmittedImplementation` and `BenchRecord` "
        "([fields](documents.md)).\n",
    )
