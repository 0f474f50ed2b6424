"""Which files a folder stands for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from generated_files import JSON, LINE, PACKED, PAGE, TOML, YAML
from packing import gz, zst

from kernelindex_schema.discovery import find_files, holds_records

BENCH = b'{"run": {}, "workload": {}, "implementation": {}, "project": {}}'

RECORDS = {
    "a.json": JSON,
    "a.jsonl": LINE,
    "a.ndjson": LINE,
    "a.yaml": YAML,
    "a.yml": YAML,
    "A.YAML": YAML,
    "a.toml": TOML,
    "a.msgpack": PACKED,
    "a.txt": PAGE,
    "a.json.gz": gz(JSON),
    "a.yaml.zst": zst(YAML),
    "a.gz": gz(JSON),
    "bench.json": BENCH,
    "bench.yaml": b"run: {}\nworkload: {}\nimplementation: {}\n",
    "utf-16.json": JSON.decode().encode("utf-16"),
    "late.yaml": b"# " + b"x" * 300_000 + b"\n" + YAML,
    "over-a-chunk.yaml": b"#" + b"x" * (131_072 - 9) + b"\n" + YAML,
    "faulty.json": JSON[:-5],
    # Emptied by accident, or built to do harm.
    "empty.json": b"",
    "blank.yaml": b"\n# nothing\n",
    "null.json": b"null",
    "empty-mapping.json": b"{}",
    "deep.json": b"[" * 5000,
    "cut.json.gz": gz(JSON)[:-9],
}
OTHERS = {
    "package.json": b'{"name": "x", "version": "1.0.0"}',
    "mkdocs.yaml": b"site_name: docs\n",
    "list.json": b'[{"a": 1}]',
    "pyproject.toml": b"[project]\nname = 'x'\n",
    "notes.txt": b"some notes\n",
    "other.json.gz": gz(b'{"name": "x"}'),
    "data.msgpack": b"\x81\xa1a\x01",
}
UNKNOWN = {"a.md": JSON, "a.py": JSON, "noext": JSON, "a.json.bak": JSON}


def filled(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("name", RECORDS)
def test_what_holds_records(name: str, tmp_path: Path) -> None:
    assert holds_records(str(filled(tmp_path, {name: RECORDS[name]}) / name))


@pytest.mark.parametrize("name", OTHERS)
def test_what_holds_something_else(name: str, tmp_path: Path) -> None:
    assert not holds_records(str(filled(tmp_path, {name: OTHERS[name]}) / name))


def test_a_folder_stands_for_the_records_below_it(tmp_path: Path) -> None:
    nested = {f"deep/er/{name}": data for name, data in RECORDS.items()}
    filled(tmp_path, RECORDS | OTHERS | UNKNOWN | nested)
    found = find_files([str(tmp_path)])
    assert [os.path.relpath(path, tmp_path) for path in found.files] == [*sorted(RECORDS), *sorted(nested)]
    assert found.passed_over == len(OTHERS)
    assert found.missing == []


def test_a_file_that_is_named_is_always_taken(tmp_path: Path) -> None:
    filled(tmp_path, OTHERS | UNKNOWN)
    names = [str(tmp_path / name) for name in [*OTHERS, *UNKNOWN, "missing.json"]]
    assert find_files(names).files == names
    assert find_files(names, excluded=lambda path: True).files == names


def test_hidden_and_excluded_ones_are_left_out(tmp_path: Path) -> None:
    filled(tmp_path, {".hidden.json": JSON, ".git/a.json": JSON, "out/a.json": JSON, "a.json": JSON, "b.json": JSON})
    found = find_files([str(tmp_path)], excluded=lambda path: path.endswith(("out", "b.json")))
    assert [os.path.relpath(path, tmp_path) for path in found.files] == ["a.json"]
    assert found.passed_over == 0


def test_each_file_is_taken_once(tmp_path: Path) -> None:
    filled(tmp_path, {"a.json": JSON, "in/b.json": JSON})
    folder = str(tmp_path)
    found = find_files([os.path.join(folder, "in", "b.json"), folder, folder])
    assert [os.path.relpath(path, tmp_path) for path in found.files] == ["in/b.json", "a.json"]
    assert found.missing == []


def test_a_folder_without_records_is_missing_something(tmp_path: Path) -> None:
    assert find_files([str(tmp_path)]).missing == [
        (str(tmp_path), "the folder holds no manifest (and no file with a known suffix)")
    ]
    filled(tmp_path, {"a/package.json": OTHERS["package.json"], "a/b.json": OTHERS["package.json"]})
    (missing,) = find_files([str(tmp_path)]).missing
    assert missing[1] == "the folder holds no manifest (2 files with a known suffix passed over)"


def test_a_small_other_file_counts_where_it_was_meant(tmp_path: Path) -> None:
    filled(tmp_path, {"empty.json": b"", "bench.json": BENCH})
    assert holds_records(str(tmp_path / "empty.json"))
    assert not holds_records(str(tmp_path / "empty.json"), strict=True)
    assert holds_records(str(tmp_path / "bench.json"), strict=True)
