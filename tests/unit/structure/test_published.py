"""The schemas as shipped: valid, self-contained, the same in Python and ECMAScript."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest
from jsonschema import Draft202012Validator
from manifest_values import fields_of, members_of, traits_of

from kernelindex_schema import KINDS, json_schema
from kernelindex_schema.structure.published import (
    DOCUMENT_SCHEMAS,
    SCHEMA_URL_BASE,
    schema_file_name,
    schema_path,
)

NAMES = [*KINDS, *DOCUMENT_SCHEMAS]
FIXTURES = Path(__file__).parents[2] / "fixtures"


def nodes(schema: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """Every object inside a schema, with its place; what is shown as an example is none."""
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            if key not in ("examples", "defaultSnippets", "enum", "const"):
                yield from nodes(value, (*path, key))
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from nodes(value, (*path, index))


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid_against_the_metaschema(name: str) -> None:
    schema = json_schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_found_by_its_id(name: str) -> None:
    schema = json_schema(name)
    assert schema["$id"] == f"{SCHEMA_URL_BASE}v1alpha1/{schema_file_name(name)}"
    assert SCHEMA_URL_BASE.endswith("/")
    assert schema["title"]
    assert schema["description"]
    assert Path(schema_path(name)).name == schema["$id"].rpartition("/")[2]


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_self_contained(name: str) -> None:
    schema = json_schema(name)
    used = set()
    for path, node in nodes(schema):
        if "$ref" in node:
            target = node["$ref"]
            assert target.startswith("#/$defs/"), (path, target)
            used.add(target.removeprefix("#/$defs/"))
        assert not {"$dynamicRef", "$anchor"} & set(node)
        assert ("$id" in node) is (path == ())
    defined = set(schema.get("$defs", {}))
    assert used == defined


@pytest.mark.parametrize("name", NAMES)
def test_every_property_is_described(name: str) -> None:
    count = 0
    for path, node in nodes(json_schema(name)):
        if path and path[-1] == "properties" and not {"const", "type"} & {str(part) for part in path[-2:-1]}:
            if "if" in path:
                continue
            for key, value in node.items():
                assert value.get("description"), (*path, key)
                count += 1
    assert count >= 8


def test_there_is_a_file_for_each_schema_and_no_other(repository: Path) -> None:
    folder = Path(schema_path("manifest")).parent
    assert {path.name for path in folder.iterdir()} == {schema_file_name(name) for name in NAMES}
    with pytest.raises(KeyError, match="BenchmarkRun"):
        json_schema("benchmarkrun")
    with pytest.raises(KeyError):
        json_schema("../pyproject")


def test_what_is_returned_may_be_changed() -> None:
    json_schema("BenchmarkRun")["properties"].clear()
    assert json_schema("BenchmarkRun")["properties"]


def structs(hint: Any, seen: set[type[msgspec.Struct]]) -> Iterator[type[msgspec.Struct]]:
    for member in members_of(hint):
        bare, _ = traits_of(member)
        if get_origin(bare) in (tuple, dict):
            for inner in get_args(bare):
                yield from structs(inner, seen)
        elif isinstance(bare, type) and issubclass(bare, msgspec.Struct) and bare not in seen:
            seen.add(bare)
            yield bare
            for _, inner, _ in fields_of(bare):
                yield from structs(inner, seen)


@pytest.mark.parametrize("kind", KINDS)
def test_the_grammar_of_map_keys_is_kept(kind: str) -> None:
    """Some generators lose propertyNames where a key has a description."""
    schema = json_schema(kind)
    parts = {**schema["$defs"], KINDS[kind].manifest.__name__: schema}
    for cls in structs(KINDS[kind].manifest, set()):
        for wire, hint, _ in fields_of(cls):
            for member in members_of(hint):
                bare, _ = traits_of(member)
                if get_origin(bare) is dict:
                    key, traits = traits_of(get_args(bare)[0])
                    assert key is str
                    assert traits.grammar is not None, (cls, wire)
                    names = parts[cls.__name__]["properties"][wire]["propertyNames"]
                    assert names["pattern"] == traits.grammar.pattern
                    if traits.meta is not None and traits.meta.max_length is not None:
                        assert names["maxLength"] == traits.meta.max_length


@cache
def patterns() -> dict[str, list[str]]:
    """Every pattern of every schema, and texts that match it, taken from the fixtures."""
    found: dict[str, list[str]] = {}
    for name in NAMES:
        for _, node in nodes(json_schema(name)):
            if isinstance(node.get("pattern"), str):
                found.setdefault(node["pattern"], [])
    texts = {text for path in FIXTURES.glob("valid/*/full.json") for text in strings(json.loads(path.read_bytes()))}
    texts |= {"410.24 us", "5ns", "9007199254740991 ns", "0.5 µs", "-", "a+b", "2024-02-29T00:00Z", "x" * 200}
    for pattern, matching in found.items():
        matching += sorted(text for text in texts if re.search(pattern, text))
    return found


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


OPEN = "__proto__"


def twisted(text: str) -> Iterator[str]:
    """What a careless pattern would let through."""
    yield from (text + "\n", text + "\r", text + "\u2028", "\n" + text, text + "\n" + text, text + "\x00")
    yield from (text + "🦜", "🦜" + text, text + " ", " " + text, text + "\ufeff")
    for digit, full_width, arabic in zip("0123456789", "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", strict=True):
        if digit in text:
            yield text.replace(digit, full_width, 1)
            yield text.replace(digit, arabic, 1)
    yield text.upper() if text.upper() != text else text + "É"
    yield text.replace("s", "ſ") if "s" in text else text + "ı"


def test_there_are_patterns_and_texts_for_each() -> None:
    assert len(patterns()) >= 8
    for pattern, matching in patterns().items():
        assert matching, pattern


@pytest.mark.parametrize("pattern", sorted(patterns()))
def test_a_pattern_holds_for_the_whole_text_and_for_ascii_alone(pattern: str) -> None:
    assert not re.search(r"\\[dswbDSWB]", pattern), "classes that mean Unicode in Python"
    if OPEN in pattern:
        assert not re.search(pattern, OPEN)
        for text in ("__proto__\n", "x", "", "__proto__x", "constructor"):
            assert re.search(pattern, text)
        return
    tried = 0
    for text in patterns()[pattern]:
        for other in twisted(text):
            # A blank may be part of an expression, a capital of nothing.
            if other.strip(" ") != text or " " not in pattern:
                assert not re.search(pattern, other), other
                tried += 1
    assert tried > 10


def test_a_pattern_means_the_same_in_ecmascript(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    probes = [
        [pattern, text, bool(re.search(pattern, text))]
        for pattern, matching in patterns().items()
        for text in sorted({*matching, *(other for each in matching for other in twisted(each)), OPEN, "", "\n"})
    ]
    assert len(probes) > 500
    script = (
        "const probes = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const wrong = probes.filter(([pattern, text, found]) => "
        "['', 'u'].some((flags) => new RegExp(pattern, flags).test(text) !== found));"
        "console.log(JSON.stringify(wrong));"
    )
    done = subprocess.run([node, "-e", script], input=json.dumps(probes), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_of_any_manifest_and_of_any_document_agree_with_that_of_the_kind(kind: str) -> None:
    validators = [Draft202012Validator(json_schema(name)) for name in (kind, "manifest", "document")]
    value = json.loads((FIXTURES / "valid" / kind / "full.json").read_bytes())
    broken = [
        value | {"spec": {}},
        value | {"metadata": {}},
        value | {"other": 1},
        {key: each for key, each in value.items() if key != "apiVersion"},
        value | {"kind": "Dog"},
    ]
    for validator in validators:
        assert validator.is_valid(value)
    for each in broken:
        verdicts = {validator.is_valid(each) for validator in validators}
        if each.get("spec") == {}:
            assert len(verdicts) == 1
        else:
            assert verdicts == {False}
