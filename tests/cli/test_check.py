from __future__ import annotations

import json
import os
import subprocess

import pytest


def test_a_valid_file(kix):
    kix.file("run.yaml")
    done = kix("check", "run.yaml")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 document, 1 manifest: no findings\n", "")


def test_findings_and_exit_code(kix, wrong, golden):
    kix.file("run.yaml", wrong)
    done = kix("check", "run.yaml")
    assert (done.returncode, done.stderr) == (1, "")
    golden("check.txt", done.stdout)
    assert kix("check", "run.yaml").stdout == done.stdout


@pytest.mark.parametrize("form", ["json", "jsonl", "github"])
def test_other_formats(kix, wrong, golden, form):
    kix.file("run.yaml", wrong)
    done = kix("check", "--format", form, "run.yaml")
    assert (done.returncode, done.stderr) == (1, "")
    golden(f"check.{form}", done.stdout)


def test_sarif(kix, wrong):
    kix.file("run.yaml", wrong)
    done = kix("check", "--format", "sarif", "run.yaml")
    results = json.loads(done.stdout)["runs"][0]["results"]
    assert done.returncode == 1
    assert {result["ruleId"] for result in results} == {f["rule"] for f in kix.findings("run.yaml")}


def test_source_lines_on_request(kix, wrong, golden):
    kix.file("run.yaml", wrong)
    golden("check-source.txt", kix("check", "--show-source", "run.yaml").stdout)
    assert "|" not in kix("check", "run.yaml").stdout


def test_every_format_of_the_table_by_its_suffix(kix, run_text):
    kix.file("run.yaml")
    for suffix in ("json", "jsonl", "ndjson", "yml", "toml", "msgpack", "json.gz", "yaml.zst", "TOML.GZ"):
        assert kix("convert", "run.yaml", f"out.{suffix}").returncode == 0, suffix
    done = kix("check", ".", "--format", "json")
    assert json.loads(done.stdout)["summary"] == {
        "files": 10, "documents": 10, "manifests": 10, "errors": 0, "warnings": 0, "notes": 9
    }  # fmt: skip
    assert {finding["rule"] for finding in json.loads(done.stdout)["findings"]} == {"KIX505"}


@pytest.mark.parametrize(
    ("args", "code", "rules"),
    [
        (("--select", "KIX109"), 1, {"KIX109"}),
        (("--select", "KIX109,KIX103"), 1, {"KIX103", "KIX109"}),
        (("--select", "KIX1", "--ignore", "KIX109"), 1, {"KIX103"}),
        (("--ignore", "KIX"), 0, set()),
        (("--select", "KIX8"), 0, set()),
    ],
)
def test_select_and_ignore(kix, wrong, args, code, rules):
    kix.file("run.yaml", wrong)
    done = kix("check", "--format", "json", *args, "run.yaml")
    assert done.returncode == code
    assert {finding["rule"] for finding in json.loads(done.stdout)["findings"]} == rules


def test_settings_of_the_project(kix, wrong):
    kix.file("run.yaml", wrong)
    kix.file("pyproject.toml", "[tool.kix-schema]\nignore = ['KIX1']\n")
    assert kix("check", "run.yaml").returncode == 0
    kix.file("other.toml", "select = ['KIX103']")
    assert {f["rule"] for f in kix.findings("--config", "other.toml", "run.yaml")} == {"KIX103"}
    assert {f["rule"] for f in kix.findings("--ignore", "KIX103", "run.yaml")} == {"KIX109"}
    kix.file("kix-schema.toml", "slect = []")
    done = kix("check", "run.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kix-schema: kix-schema.toml: 'slect' is no setting; did you mean select?\n"


def test_primary_statistics_are_a_setting(kix, change):
    text = change("primaryStatistic: median", "primaryStatistic: mean")
    text = change("      median: 410240", "      mean: 410240", text)
    kix.file("run.yaml", text)
    assert kix("check", "run.yaml").returncode == 1
    kix.file("kix-schema.toml", "primary-statistics = ['mean']")
    assert kix("check", "run.yaml").returncode == 0


def test_fail_on(kix, change):
    kix.file("run.yaml", "\ufeff" + change("tiny-run", "tiny-run"))
    assert [finding["severity"] for finding in kix.findings("run.yaml")] == ["warning"]
    assert kix("check", "run.yaml").returncode == 0
    assert kix("check", "--fail-on", "warning", "run.yaml").returncode == 1
    kix.file("kix-schema.toml", "fail-on = 'warning'")
    assert kix("check", "run.yaml").returncode == 1
    assert kix("check", "--fail-on", "error", "run.yaml").returncode == 0


@pytest.mark.parametrize("name", ["gone.yaml", "empty-folder", "link.yaml", "no-*-match.yaml"])
def test_what_cannot_be_read_is_told_and_exits_2(kix, name):
    (kix.folder / "empty-folder").mkdir()
    (kix.folder / "link.yaml").symlink_to("nowhere.yaml")
    kix.file("good.yaml")
    done = kix("check", "--select", "KIX8", name, "good.yaml", "--format", "json")
    assert done.returncode == 2
    assert [(f["rule"], f["file"]) for f in json.loads(done.stdout)["findings"]] == [("KIX001", name)]


def test_no_permission(kix):
    path = kix.file("run.yaml")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    done = kix("check", "run.yaml")
    assert done.returncode == 2
    assert "KIX001" in done.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty.yaml", ""),
        ("comments.yaml", "# x\n"),
        ("blank.jsonl", "\n\n"),
        ("null.json", "null"),
        ("list.json", "[]"),
    ],
)
def test_nothing_checked_is_never_fine(kix, name, text):
    kix.file(name, text)
    done = kix("check", name)
    assert done.returncode == 1
    assert f"{name}:" in done.stdout
    assert "KIX011" in done.stdout


def test_unknown_suffix(kix):
    kix.file("run.conf")
    done = kix("check", "run.conf")
    assert done.returncode == 1
    assert "KIX010" in done.stdout
    assert ".yaml" in done.stdout
    assert kix("check", "--input-format", "yaml", "run.conf").returncode == 0


def test_folders_pass_over_what_holds_no_record(kix):
    kix.file("records/a.yaml")
    kix.file("records/.hidden.yaml", "x: 1")
    kix.file("records/notes.txt", "hello")
    kix.file("records/build/b.yaml", "kind: kernelindex.dev/nothing")
    kix.file("kix-schema.toml", "exclude = ['build']")
    done = kix("check", "records")
    assert done.returncode == 0
    assert done.stdout == "1 document, 1 manifest: no findings (1 file without manifests passed over)\n"


def test_globs_that_the_shell_left(kix, wrong):
    kix.file("a/one.yaml")
    kix.file("a/b/two.yaml", wrong)
    kix.file("[x].yaml", wrong)
    assert {f["file"] for f in kix.findings("a/**/*.yaml")} == {"a/b/two.yaml"}
    assert {f["file"] for f in kix.findings("[x].yaml")} == {"[x].yaml"}


def test_standard_input(kix, wrong):
    kix.file("good.yaml")
    done = kix("check", "-", input=wrong)
    assert done.returncode == 1
    assert done.stdout.startswith("<stdin>:")
    findings = kix.findings("-", "--stdin-filename", "runs/x.yaml", "good.yaml", input=wrong)
    assert {finding["file"] for finding in findings} == {"runs/x.yaml"}
    assert kix("check", "-", "--input-format", "json", input=wrong).returncode == 1
    assert kix("check", "-", input="").returncode == 1


def test_standard_input_that_is_closed(kix):
    for command in ("check", "digest", "canonicalize"):
        words = ["sh", "-c", '"$@" <&-', "sh", *kix.words, command, "-"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=kix.folder, env=kix.env())
        assert done.returncode == 2
        assert done.stderr.endswith("standard input is closed\n")


@pytest.mark.parametrize("name", ["-run.yaml", "--format", "--help", "-o"])
def test_a_name_that_begins_with_a_dash_and_exists_is_a_file(kix, name, wrong):
    kix.file(name, wrong)
    done = kix("check", "--input-format", "yaml", name)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{name}:")
    assert kix("check", "--input-format", "yaml", "--", name).returncode == 1


def test_output_is_written_whole(kix, wrong):
    kix.file("run.yaml", wrong)
    shown = kix("check", "run.yaml").stdout
    done = kix("check", "run.yaml", "--output", "-report.txt")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert (kix.folder / "-report.txt").read_text(encoding="utf-8") == shown
    done = kix("check", "run.yaml", "--output", "no/such/folder.txt")
    assert done.returncode == 2
    assert "no/such/folder.txt" in done.stderr
    assert sorted(path.name for path in kix.folder.iterdir()) == ["-report.txt", "run.yaml"]


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="there is no /dev/stdout")
def test_output_to_what_cannot_be_replaced(kix, wrong):
    kix.file("run.yaml", wrong)
    real = kix.file("real.txt", "")
    (kix.folder / "link.txt").symlink_to("real.txt")
    assert kix("check", "run.yaml", "-o", "link.txt").returncode == 1
    assert (kix.folder / "link.txt").is_symlink()
    shown = kix("check", "run.yaml").stdout
    assert real.read_text(encoding="utf-8") == shown
    assert kix("check", "run.yaml", "-o", "/dev/stdout").stdout == shown
    os.mkfifo(kix.folder / "pipe")
    with subprocess.Popen(["cat", "pipe"], cwd=kix.folder, stdout=subprocess.PIPE, text=True) as reader:
        assert kix("check", "run.yaml", "-o", "pipe").returncode == 1
        assert reader.communicate(timeout=60)[0] == shown


def test_quiet(kix, wrong):
    kix.file("run.yaml", wrong)
    whole, quiet = kix("check", "run.yaml"), kix("check", "-q", "run.yaml")
    assert whole.stdout.startswith(quiet.stdout)
    assert quiet.stdout.count("\n") < whole.stdout.count("\n")
    kix.file("run.yaml")
    assert kix("check", "--quiet", "run.yaml").stdout == ""


def test_jobs_do_not_change_the_report(kix, wrong):
    for number in range(70):
        kix.file(f"runs/{number}.yaml", wrong if number % 7 == 0 else wrong.replace("tiny", f"tiny{number}"))
    one = kix("check", "runs", "--format", "json")
    two = kix("check", "runs", "--format", "json", "--jobs", "2")
    assert one.stdout == two.stdout
    assert one.returncode == two.returncode == 1


def test_registry(kix, run_text):
    kix.file("changed/run.yaml")
    kix.file("registry/run.yaml")
    assert kix("check", "changed").returncode == 0
    found = kix.findings("changed", "--registry", "registry")
    assert {finding["rule"] for finding in found} == {"KIX503"}
    assert len(found) == 4
    done = kix("check", "changed", "--registry", "gone")
    assert done.returncode == 2
    assert done.stderr.startswith("kix-schema check: --registry: 'gone' is no folder")


def test_standard_input_is_checked_together_with_files(kix, run_text, change):
    kix.file("registry/run.yaml")
    found = kix.findings("-", "--registry", "registry", input=run_text)
    assert {finding["rule"] for finding in found} == {"KIX503"}
    kix.file("run.yaml", change("2024-09-03", "2024-09-04"))
    found = kix.findings("-", "run.yaml", "--stdin-filename", "run.yaml", input=run_text)
    assert {finding["rule"] for finding in found} == {"KIX506"}


def test_only_manifests(kix, wrong):
    kix.file("package.json", '{"name": "x"}')
    kix.file("run.yaml", wrong)
    done = kix("check", "--only-manifests", "package.json")
    assert done.returncode == 0
    assert done.stdout == "no files checked (1 file without manifests passed over)\n"
    assert kix("check", "--only-manifests", "package.json", "run.yaml").returncode == 1
    assert kix("check", "--only-manifests", "gone.yaml").returncode == 2
    assert kix("check", "--only-manifests").returncode == 0
    assert kix("check", "package.json").returncode == 1
