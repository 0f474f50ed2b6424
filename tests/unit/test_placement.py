"""A fault becomes a finding: words, place, the manifest concerned."""

from __future__ import annotations

from typing import Any

import pytest

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Path, Position, dotted_path, json_pointer
from kernelindex_schema.placement import Place, finding_of, named
from kernelindex_schema.rules import RULES

KNOWN = {(): Position(1, 1, 9, 1), ("run",): Position(2, 3, 4, 5), ("run", "spec"): Position(3, 1, 3, 9)}


def locate(path: Path, at_key: bool) -> Position | None:
    return Position(7, 7, 7, 8) if at_key else KNOWN.get(path)


PLACE = Place(
    file="a.json",
    document=3,
    locate=locate,
    manifests=[(("run",), "BenchmarkRun", "tiny"), (("protocol",), None, None)],
)


def test_a_fault_has_the_words_of_its_rule_and_its_own() -> None:
    finding = finding_of(Fault(rule="KIX103", message="it is wrong", path=("run", "spec"), hint="do this"), PLACE)
    rule = RULES["KIX103"]
    assert (finding.rule, finding.name, finding.severity, finding.url) == (rule.id, rule.name, rule.severity, rule.url)
    assert (finding.message, finding.hint) == ("it is wrong", "do this")
    assert (finding.file, finding.document, finding.kind, finding.manifest) == ("a.json", 3, "BenchmarkRun", "tiny")
    assert (finding.pointer, finding.path) == ("/run/spec", "run.spec")
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (3, 1, 3, 9)


def test_where_a_place_is_not_known_the_nearest_parent_is_told() -> None:
    finding = finding_of(Fault(rule="KIX103", message="m", path=("run", "spec", "a", 0, "b")), PLACE)
    assert (finding.line, finding.pointer) == (3, "/run/spec/a/0/b")
    finding = finding_of(Fault(rule="KIX103", message="m", path=("other",)), PLACE)
    assert (finding.line, finding.kind) == (1, None)


def test_a_position_of_its_own_and_the_key() -> None:
    own = Position(5, 6, 5, 7)
    assert finding_of(Fault(rule="KIX004", message="m", position=own), PLACE).line == 5
    assert finding_of(Fault(rule="KIX103", message="m", path=("run",), at_key=True), PLACE).line == 7


def test_without_a_document_there_is_no_place() -> None:
    finding = finding_of(Fault(rule="KIX001", message="m"), Place(file="a.json"))
    assert (finding.document, finding.pointer, finding.path, finding.line) == (None, None, None, None)
    assert finding.hint == RULES["KIX001"].hint


def test_related_places_are_looked_up_too() -> None:
    related = ((("run",), None, "the first"), ((), Position(8, 1, 8, 2), "the second"))
    finding = finding_of(Fault(rule="KIX005", message="m", path=("run",), related=related), PLACE)
    assert [(each.file, each.pointer, each.line, each.column, each.message) for each in finding.related] == [
        ("a.json", "/run", 2, 3, "the first"),
        ("a.json", "", 8, 1, "the second"),
    ]


@pytest.mark.parametrize(
    ("path", "pointer", "dotted"),
    [
        ((), "", ""),
        (("a",), "/a", "a"),
        (("a", 0, "b"), "/a/0/b", "a[0].b"),
        ((0, 1), "/0/1", "[0][1]"),
        (("a/b", "c~d"), "/a~1b/c~0d", "a/b.c~d"),
        (("a b",), "/a b", '["a b"]'),
        (("a", "b.c"), "/a/b.c", 'a["b.c"]'),
        (("",), "/", '[""]'),
        (('say "x"\\',), '/say "x"\\', '["say \\"x\\"\\\\"]'),
        (("µ🦜",), "/µ🦜", "µ🦜"),
        (("tile-size",), "/tile-size", "tile-size"),
    ],
)
def test_paths_as_pointer_and_dotted(path: Path, pointer: str, dotted: str) -> None:
    assert (json_pointer(path), dotted_path(path)) == (pointer, dotted)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"kind": "A", "metadata": {"name": "b"}}, ("A", "b")),
        ({"kind": 5, "metadata": {"name": []}}, (None, None)),
        ({"metadata": []}, (None, None)),
        ([], (None, None)),
        (None, (None, None)),
    ],
)
def test_kind_and_name_of_anything(value: Any, expected: tuple[str | None, str | None]) -> None:
    assert named(value) == expected
