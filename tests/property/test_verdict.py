"""One verdict: the fast path, the slow path, and the published schemas with their refinements accept the same."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation, localcontext
from functools import cache
from typing import Any

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from manifest_values import WRONG_VALUES, authored, manifests, mutated, replaced, spots

from kernelindex_schema import check_data, json_schema
from kernelindex_schema.normalize import normalize
from kernelindex_schema.structure.acceptance import accept
from kernelindex_schema.structure.faults import schema_faults
from kernelindex_schema.v1alpha1 import KINDS

LARGEST = 2**53 - 1
UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9}


def slow_verdict(kind: str, value: Any) -> list[str]:
    """What the slow path finds wrong: rules, without warnings."""
    _, notes = normalize(KINDS[kind].manifest, value)
    return [note.rule for note in notes if note.rule != "KIX203"] + [fault.rule for fault in schema_faults(kind, value)]


def fast_verdict(kind: str, value: Any) -> bool:
    """Whether the fast path accepts, after normalisation where it needs that."""
    return accept(kind, value) is not None or accept(kind, normalize(KINDS[kind].manifest, value)[0]) is not None


@cache
def published(kind: str) -> tuple[dict[str, Any], Draft202012Validator]:
    schema = json_schema(kind)
    return schema, Draft202012Validator(schema)


def is_whole_duration(text: str) -> bool:
    """Whole nanoseconds within the bound, in decimal arithmetic of enough digits, written anew from the contract."""
    number, unit = re.fullmatch(r"(\S*?) ?(ns|us|µs|ms|s)", text).groups()  # type: ignore[union-attr]
    with localcontext() as context:
        context.prec = len(number) + 20
        context.Emax = context.prec * 2
        try:
            nanoseconds = Decimal(number) * UNITS[unit]
        except InvalidOperation:
            return False
        return nanoseconds == nanoseconds.to_integral_value() and nanoseconds <= LARGEST


def refinement_faults(root: dict[str, Any], schema: Any, value: Any) -> Iterator[str]:
    """What JSON Schema cannot say, of a value that the schema itself accepts."""
    if "$ref" in schema:
        yield from refinement_faults(root, root["$defs"][schema["$ref"].rpartition("/")[2]], value)
    if isinstance(value, dict):
        for key, each in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if isinstance(inner, dict):
                yield from refinement_faults(root, inner, each)
            if "propertyNames" in schema:
                yield from refinement_faults(root, schema["propertyNames"], key)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            inner = schema["prefixItems"][index] if "prefixItems" in schema else schema.get("items")
            if isinstance(inner, dict):
                yield from refinement_faults(root, inner, each)
    elif isinstance(value, str):
        if len(value.encode("utf-16-le")) // 2 > schema.get("maxLength", 10**9):
            yield f"{value!r} is too long in UTF-16"
        if schema.get("format") == "uri" and not is_https(value):
            yield f"{value!r} is no https URL"
        if "(ns|us|" in schema.get("pattern", "") and not is_whole_duration(value):
            yield f"{value!r} is no whole number of nanoseconds"


def is_https(text: str) -> bool:
    try:
        return bool(ada_url.URL(text).protocol == "https:")
    except ValueError:
        return False


def schema_verdict(kind: str, value: Any) -> bool:
    schema, validator = published(kind)
    return validator.is_valid(value) and not any(refinement_faults(schema, schema, value))


def agree(kind: str, value: Any) -> bool:
    """All verdicts about one value, which must be the same; gives it."""
    slow = slow_verdict(kind, value)
    fast = fast_verdict(kind, value)
    assert fast is (not slow), f"fast {fast}, slow {slow}: {value}"
    assert schema_verdict(kind, value) is fast, f"decode {fast}, schema {not fast}: {value}"
    return fast


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_valid_manifests_are_accepted_by_all(kind: str, data: st.DataObject) -> None:
    value = data.draw(manifests(kind))
    assert accept(kind, value) is not None
    assert agree(kind, value)
    other = data.draw(authored(kind, value))
    assert agree(kind, other)
    assert accept(kind, normalize(KINDS[kind].manifest, other)[0]) == accept(kind, value)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_mutated_manifests_get_one_verdict(kind: str, data: st.DataObject) -> None:
    value = data.draw(mutated(kind, data.draw(manifests(kind))))
    valid = isinstance(value, dict) and value.get("kind") == kind
    if valid:
        valid = agree(kind, value)
    # The whole way, from bytes: the same verdict, and no finding that is a fault of ours.
    report = check_data(json.dumps(value), "json", "m.json")
    errors = [finding for finding in report.findings if finding.severity == "error" and finding.rule < "KIX2"]
    assert "KIX002" not in {finding.rule for finding in report.findings}
    if isinstance(value, dict) and value.get("kind") == kind:
        assert valid is not bool(errors), report.findings


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", ["metadata", "spec"])
def test_every_wrong_value_at_every_place_gets_one_verdict(kind: str, part: str, repository: Any) -> None:
    """Exhaustive where the test above is random: each value that is wrong somewhere, put everywhere.

    All of it takes a minute, so each run puts one value in fifteen at each place; KIX_EXAMPLES puts all.
    """
    stride = 1 if "KIX_EXAMPLES" in os.environ else 15
    value = json.loads((repository / "tests/fixtures/valid" / kind / "full.json").read_bytes())
    tried = accepted = 0
    for spot in spots(KINDS[kind].manifest, value):
        if spot.is_key or spot.path[:1] != (part,):
            continue
        for wrong in WRONG_VALUES[tried % stride :: stride]:
            changed = replaced(value, spot.path, wrong)
            slow, fast = slow_verdict(kind, changed), fast_verdict(kind, changed)
            assert fast is (not slow), f"{spot.path} = {wrong!r}: fast {fast}, slow {slow}"
            tried += 1
            accepted += fast
    assert tried > 60
    assert 0 < accepted < tried
