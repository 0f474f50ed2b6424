"""The YAML texts of the shared corpus, as far as a codec can judge them."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest

from kernelindex_schema.codecs.document import Examined
from kernelindex_schema.codecs.yaml import YamlCodec

CODEC = YamlCodec()

SYNTAX = {"layout", "deep", "bytes", "directive", "tag"}

# Refused by a later stage: what they say is well-formed, but no manifest.
STRUCTURE = {
    *("layout:indent0_child", "layout:seq_null_elem", "layout:flow_seq_implicit_pair", "layout:flow_no_space_colon"),
    *("layout:flow_key_only", "directive:1.1_yes_bool", "directive:1.1_sexagesimal", "directive:1.1_underscore"),
    *("directive:1.1_merge", "directive:1.1_merge_list", "directive:1.1_null"),
}


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[dict[str, Any]]:
    with (shared / "corpus" / "texts.jsonl").open(encoding="utf-8") as lines:
        found = [row for row in map(json.loads, lines) if row["format"] == "yaml"]
    assert len(found) >= 700
    return found


def _examined(row: dict[str, Any]) -> list[Examined]:
    data = base64.b64decode(row["bytes_b64"]) if "bytes_b64" in row else row["text"].encode()
    return [CODEC.examine(piece) for piece in CODEC.split(io.BytesIO(data))]


def test_what_the_registry_takes_is_read_without_a_fault(rows: list[dict[str, Any]]) -> None:
    refused = [
        (row["mutation"], [fault.message for result in results for fault in result.faults])
        for row in rows
        if row["ok"] is True
        for results in [_examined(row)]
        if len(results) != 1 or results[0].faults or not results[0].readable
    ]
    assert refused == []


def test_what_is_no_yaml_is_refused(rows: list[dict[str, Any]]) -> None:
    accepted = {
        row["mutation"]
        for row in rows
        if row["ok"] is False and row["mutation"].split(":")[0] in SYNTAX
        if not any(result.faults for result in _examined(row))
    }
    assert accepted == STRUCTURE
