from __future__ import annotations

import json

import pytest

FORMATS = ("json", "jsonl", "yaml", "toml", "msgpack")


@pytest.mark.parametrize("via", FORMATS)
def test_there_and_back(kix, change, via):
    kix.file("run.yaml", change("median: 410240", "median: 410.24 us"))
    straight = kix("convert", "run.yaml", "--to", "json").stdout
    assert json.loads(straight)["spec"]["timing"]["latencyNs"]["median"] == 410240
    assert kix("convert", "run.yaml", "--to", via, "between").returncode == 0
    assert kix("convert", "--input-format", via, "between", "--to", "json").stdout == straight
    packed = kix("convert", "run.yaml", "--to", via, text=False).stdout
    assert packed == (kix.folder / "between").read_bytes()
    assert (
        kix("convert", "-", "--input-format", via, "--to", "json", input=packed, text=False).stdout == straight.encode()
    )


def test_several_documents_need_a_format_that_holds_them(kix, run_text, change):
    kix.file("runs.yaml", f"{run_text}---\n{change('tiny-run', 'other-run')}")
    assert kix("convert", "runs.yaml", "out.jsonl").returncode == 0
    assert len((kix.folder / "out.jsonl").read_text().splitlines()) == 2
    assert kix("convert", "out.jsonl", "out.yaml").returncode == 0
    assert kix("digest", "out.yaml").stdout.count("sha256:") == 2
    for suffix in ("json", "toml", "msgpack", "txt"):
        done = kix("convert", "runs.yaml", f"bad.{suffix}")
        assert done.returncode == 2
        assert "jsonl" in done.stderr
        assert not (kix.folder / f"bad.{suffix}").exists()


def test_nothing_is_written_where_anything_is_at_fault(kix, run_text, wrong):
    kix.file("runs.yaml", f"{run_text}---\n{wrong}")
    kix.file("out.jsonl", "as it was")
    done = kix("convert", "runs.yaml", "out.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert "runs.yaml:" in done.stderr
    assert "KIX109" in done.stderr
    assert (kix.folder / "out.jsonl").read_text() == "as it was"
    assert sorted(path.name for path in kix.folder.iterdir()) == ["out.jsonl", "runs.yaml"]


def test_input_that_is_not_there(kix):
    done = kix("convert", "gone.yaml", "out.json")
    assert done.returncode == 2
    assert done.stderr == "kix-schema: gone.yaml: No such file or directory\n"


def test_a_file_over_itself(kix, run_text):
    kix.file("run.yaml")
    digest = kix("digest", "run.yaml").stdout
    assert kix("convert", "run.yaml", "run.yaml").returncode == 0
    assert kix("digest", "run.yaml").stdout == digest


def test_title_of_a_record_page(kix, examples):
    record = examples / "record.yaml"
    assert kix("convert", str(record), "page.txt", "--title", "A page").returncode == 0
    assert (kix.folder / "page.txt").read_text(encoding="utf-8").splitlines()[:2] == ["A page", ""]
    assert kix("convert", str(record), "own.txt").returncode == 0
    title = json.loads(kix("convert", str(record), "--to", "json").stdout)["run"]["metadata"]["title"]
    assert (kix.folder / "own.txt").read_text(encoding="utf-8").splitlines()[0] == title
    pages = [kix("convert", name, "--to", "json").stdout for name in ("page.txt", "own.txt")]
    assert pages[0] == pages[1], "the title is no part of the value"


def test_exit_codes_are_those_of_check(kix, wrong):
    kix.file("run.conf")
    kix.file("wrong.yaml", wrong)
    for args, code in ((["run.conf"], 1), (["wrong.yaml"], 1), (["gone.yaml"], 2)):
        for command in (["check"], ["digest"], ["canonicalize"], ["convert", "--to", "json"], ["assemble"]):
            assert kix(*command, *args).returncode == code, (command, args)
