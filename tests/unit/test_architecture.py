"""The house: imports run one way, and each third-party package is used in one room."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

spec = importlib.util.find_spec("kernelindex_schema")
assert spec is not None
assert spec.origin is not None
PACKAGE = Path(spec.origin).parent

# From the ground up: a room may use those above it in this list (and itself), never those below.
ORDER = [
    "errors",
    "findings",
    "nearest",
    "v1alpha1",
    "codecs",
    "structure",
    "normalize",
    "identity",
    "axes",
    "comparison",
    "construction",
    "documents",
    "rules",
    "placement",
    "assembly",
    "intake",
    "loading",
    "parted",
    "sightings",
    "spill",
    "collection",
    "sources",
    "settings",
    "discovery",
    "meaning",
    "together",
    "deviations",
    "shares",
    "processes",
    "parallel",
    "checking",
    "reports",
    "__init__",
    "cli",
    "__main__",
    "_generate",
]

# Rooms that may not use what stands before them, although the order would allow it.
FORBIDDEN = {
    "findings": {"errors"},
    "codecs": {"v1alpha1"},
    "v1alpha1": {"errors", "findings"},
    "identity": {"codecs"},
    "axes": {"codecs", "structure", "normalize", "identity"},
}

ROOMS = {
    "jsonschema": {"structure"},
    "ada_url": {"structure"},
    "rfc8785": {"identity"},
    "click": {"cli"},
    "yaml": {"codecs"},
    "tomli_w": {"codecs"},
    "compression": {"codecs"},
    "backports": {"codecs"},
    "distributed": {"cli"},
    "pynvml": {"sources"},
    "packaging": {"rules"},
}
EVERYWHERE = {"msgspec"}


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports at run time, those inside functions included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


MODULES = sorted(path for path in PACKAGE.rglob("*.py"))


def own_rooms(path: Path) -> set[str]:
    found = set()
    for name in imports(path):
        head, _, rest = name.partition(".")
        if head == "kernelindex_schema" and rest:
            room = rest.partition(".")[0]
            if (PACKAGE / room).is_dir() or (PACKAGE / f"{room}.py").is_file():
                found.add(room)
    return found


def test_there_is_a_package_to_look_at() -> None:
    assert len(MODULES) > 40


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in ORDER, f"{room} has no place in the order"
    for used in own_rooms(path) - {room}:
        assert ORDER.index(used) < ORDER.index(room), f"{room} imports {used}, which stands above it"
        assert used not in FORBIDDEN.get(room, ()), f"{room} may not know of {used}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_one_third_party_package_one_room(path: Path) -> None:
    for name in imports(path):
        head = name.partition(".")[0]
        if not head or (head in sys.stdlib_module_names and head != "compression") or head == "kernelindex_schema":
            continue
        if head not in EVERYWHERE:
            assert head in ROOMS, f"{path.name} imports {head}, which no room owns"
            assert room_of(path) in ROOMS[head], f"{head} belongs to {ROOMS[head]}"


def test_every_module_has_a_docstring() -> None:
    for path in MODULES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path
