"""The hook as shipped: read the file, choose files and run the entry as pre-commit does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

FILE = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


@pytest.fixture
def hook():
    (only,) = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return only


def run(kix, hook, names, args=(), batch=2):
    """pre-commit matches ``files``, cuts the list into batches, and appends each to entry and args."""
    entry = [*shlex.split(hook["entry"]), *args]
    assert entry[0] == "kix-schema"
    chosen = [name for name in names if re.search(hook["files"], name)]
    return [kix(*entry[1:], *chosen[start : start + batch]) for start in range(0, len(chosen), batch)]


def test_the_entry(hook):
    assert hook["id"] == "kix-schema-check"
    assert hook["language"] == "python"
    assert hook["entry"].startswith("kix-schema check")
    assert set(hook) == {"id", "name", "description", "entry", "language", "files", "types"}


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("a.json", True), ("a/b.YAML", True), ("a.yml", True), ("a.jsonl.gz", True), ("a.ndjson.ZST", True),
        ("a.toml", True), ("a.msgpack", True), ("a.txt", True), ("a.md", False), ("json", False), ("a.json.bak", False),
        ("a.py", False), ("a.gz", False),
    ],
)  # fmt: skip
def test_the_files(hook, name, chosen):
    from kernelindex_schema.codecs.formats import format_of

    assert bool(re.search(hook["files"], name)) is chosen
    assert (format_of(name)[0] is not None) is chosen


def test_every_suffix_of_the_table_is_chosen(hook):
    from kernelindex_schema.codecs.formats import COMPRESSIONS, FORMATS

    for form in FORMATS.values():
        for suffix in form.suffixes:
            for packed in ("", *(each.suffix for each in COMPRESSIONS.values())):
                assert re.search(hook["files"], f"a{suffix}{packed}")


def test_a_repository_with_records_and_other_files(kix, hook, run_text, wrong):
    others = {
        "package.json": '{"a": 1,}',
        "mkdocs.yml": "- !!python/name:x y",
        "notes.txt": "x",
        "Cargo.toml": "[a]\na=1",
    }
    for name, text in others.items():
        kix.file(name, text)
    names = list(others)
    for number in range(5):
        kix.file(f"runs/{number}.yaml")
        names.append(f"runs/{number}.yaml")
    batches = run(kix, hook, names)
    assert len(batches) == 5
    assert [done.returncode for done in batches] == [0] * 5

    kix.file("runs/3.yaml", wrong)
    batches = run(kix, hook, names)
    assert sorted(done.returncode for done in batches) == [0, 0, 0, 0, 1]
    assert sum("runs/3.yaml:" in done.stdout for done in batches) == 1


def test_the_verdict_on_a_file_does_not_depend_on_its_batch(kix, hook, run_text):
    kix.file("run.yaml")
    kix.file("again.yaml")
    alone = run(kix, hook, ["run.yaml"])
    together = run(kix, hook, ["run.yaml", "again.yaml"])
    assert [done.returncode for done in alone + together] == [0, 0]


def test_arguments_of_the_user_are_added(kix, hook):
    kix.file("run.yaml")
    kix.file("rest/x.yaml")
    (done,) = run(kix, hook, ["run.yaml"], args=["--registry", ".", "--fail-on", "warning"])
    assert done.returncode == 1
    assert "KIX503" in done.stdout


def test_no_file_at_all_does_not_fail_the_commit(kix, hook):
    done = kix(*shlex.split(hook["entry"])[1:])
    assert done.returncode == 0
    assert done.stdout == "no files checked\n"
