"""The docstrings of the structs are published, so each struct and each field needs one."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest

import kernelindex_schema.v1alpha1 as v1alpha1
from kernelindex_schema.v1alpha1 import KINDS, Object

PACKAGE = Path(v1alpha1.__file__).parent


def documented() -> dict[str, tuple[str | None, dict[str, str | None]]]:
    """Class name → (docstring, {field: docstring}), read from the source."""
    found: dict[str, tuple[str | None, dict[str, str | None]]] = {}
    for path in sorted(PACKAGE.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.ClassDef):
                continue
            fields: dict[str, str | None] = {}
            for statement, following in zip(node.body, [*node.body[1:], None], strict=True):
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                    fields[statement.target.id] = following.value.value if is_text else None
            assert node.name not in found, f"two classes are called {node.name}"
            found[node.name] = (ast.get_docstring(node), fields)
    return found


def structs() -> list[type[msgspec.Struct]]:
    found = [value for value in vars(v1alpha1).values() if isinstance(value, type) and issubclass(value, Object)]
    assert len(found) >= 95
    return found


def test_every_struct_has_a_docstring():
    texts = documented()
    assert [struct.__name__ for struct in structs() if not texts[struct.__name__][0]] == []


def test_every_field_has_a_docstring():
    texts = documented()
    missing, count = [], 0
    for struct in structs():
        bases = [texts[base.__name__][1] for base in struct.__mro__ if base.__name__ in texts]
        for field in struct.__struct_fields__:
            count += 1
            if not any(fields.get(field) for fields in bases):
                missing.append(f"{struct.__name__}.{field}")
    assert missing == []
    assert count >= 380


def test_every_optional_field_says_what_its_absence_means():
    texts = documented()
    silent, count = [], 0
    for struct in structs():
        own = texts[struct.__name__][1]
        for field in msgspec.structs.fields(struct):
            if field.default is msgspec.UNSET and field.name in own:
                count += 1
                if "Absent: " not in (own[field.name] or ""):
                    silent.append(f"{struct.__name__}.{field.name}")
    assert silent == []
    assert count >= 180


def test_every_field_docstring_is_a_sentence():
    odd = [
        f"{name}.{field}"
        for name, (_, fields) in documented().items()
        for field, text in fields.items()
        if text and not text.rstrip().endswith(".")
    ]
    assert odd == []


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_says_in_one_line_what_it_is(name):
    assert 20 < len(KINDS[name].summary) < 120
    assert KINDS[name].summary.endswith(".")
