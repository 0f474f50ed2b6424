"""The registry's verdict, place and digest over the shared corpus, in process."""

from __future__ import annotations

import base64
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.findings import Severity
from kernelindex_schema.identity import digest
from kernelindex_schema.intake import Loaded, load
from kernelindex_schema.loading import open_pieces
from kernelindex_schema.rules import RULES


@pytest.fixture(scope="module")
def corpus(shared: Path) -> Path:
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("no corpus beside the checkout")
    return folder


def rows(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line), line


def errors(loaded: Loaded) -> list[Fault]:
    return [fault for fault in loaded.faults if RULES[fault.rule].severity is Severity.ERROR]


def names(fault: Fault, place: str) -> bool:
    """Whether a fault is the one meant by a place of the corpus: there an unknown field is listed at its parent, too,
    and a missing one at its own place."""
    here = ".".join(str(part) for part in fault.path)
    parent = ".".join(str(part) for part in fault.path[:-1])
    if fault.rule == "KIX103":
        return place in (here, parent)
    if fault.rule in ("KIX104", "KIX011"):
        return here in (place, place.rpartition(".")[0])
    return here == place


def problem(row: dict[str, Any], loaded: Loaded) -> str | None:
    found = errors(loaded)
    told = [f"{fault.rule} {fault.message[:80]}" for fault in found[:3]]
    if (not found) is not row["ok"]:
        return f"ok is {not found}; {told}"
    if row["ok"] and row["digest"] and digest(loaded.value) != row["digest"]:
        return f"digest {digest(loaded.value)}"
    missed = [place for place in row.get("at") or [] if not any(names(fault, place) for fault in found)]
    return f"nothing told at {missed}; {told}" if missed else None


def test_every_manifest_of_the_corpus(corpus: Path) -> None:
    wanted, stream = [], io.BytesIO()
    for row, line in rows(corpus / "manifests.jsonl"):
        wanted.append(row)
        # The manifest with its number tokens as they stand there.
        stream.write(line[line.index('"doc": ') + 7 :].rstrip("\n")[:-1].encode("utf-8", "surrogatepass") + b"\n")
    stream.seek(0)
    wrong, count, faults = [], 0, Counter[str]()
    for row, (codec, piece) in zip(wanted, open_pieces(stream, "corpus.jsonl"), strict=True):
        loaded = load(codec, piece)
        faults.update(fault.rule for fault in loaded.faults)
        count += 1
        if (told := problem(row, loaded)) is not None:
            wrong.append(f"{row['id']} {row['kind']} {row['mutation']}: {told}")
    assert wrong == []
    assert count >= 5_000
    assert faults["KIX002"] == 0
    assert len(faults) >= 12


def test_every_text_of_the_corpus(corpus: Path) -> None:
    wrong, count = [], 0
    for row, _ in rows(corpus / "texts.jsonl"):
        data = (
            base64.b64decode(row["bytes_b64"]) if "bytes_b64" in row else row["text"].encode("utf-8", "surrogatepass")
        )
        documents = [load(codec, piece) for codec, piece in open_pieces(io.BytesIO(data), f"text.{row['format']}")]
        assert documents
        assert all(fault.rule != "KIX002" for loaded in documents for fault in loaded.faults), row["id"]
        if row["ok"] is None:
            continue
        count += 1
        # In a stream of several documents each has to be good.
        faulty = next((loaded for loaded in documents if errors(loaded)), documents[0])
        if (told := problem(row, faulty)) is not None:
            wrong.append(f"{row['id']} {row['format']} {row['mutation']}: {told}")
    assert wrong == []
    assert count >= 800
