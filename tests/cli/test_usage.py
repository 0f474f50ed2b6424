from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "kix-schema: a command is missing, expected one of check, digest,"),
        (("chek",), "kix-schema: 'chek' is no command; did you mean check?"),
        (("frobnicate",), "kix-schema: 'frobnicate' is no command (see"),
        (("--verson",), "kix-schema: '--verson' is no option of this command; did you mean --version?"),
        (("check",), "kix-schema check: PATHS are missing, expected files, folders, globs, or -"),
        (("check", "--fromat", "json", "x"), "'--fromat' is no option of this command; did you mean --format?"),
        (("check", "--format", "jsn", "x"), "--format: 'jsn' is not known, expected one of text, json, jsonl, sarif,"
         " github; did you mean json?"),
        (("check", "x", "--format"), "option '--format' requires an argument"),
        (("check", "x", "--jobs", "two"), "--jobs: 'two' is not a valid integer"),
        (("check", "x", "--jobs", "-1"), "--jobs is -1, expected 0 or more"),
        (("check", "x", "--select", "KIX30O"), "--select: 'KIX30O' is no rule id and the beginning of none; did you"),
        (("check", "x", "--ignore", "duplicate-key"), "did you mean KIX005?"),
        (("check", "x", "--config", "gone.toml"), "gone.toml: cannot be read"),
        (("check", "x", "--stdin-filename", "y"), "--stdin-filename names standard input, but - is not among PATHS"),
        (("digest",), "kix-schema digest: PATHS... is missing"),
        (("convert", "a.yaml"), "nothing tells the format to write, expected --to with one of json,"),
        (("convert", "a.yaml", "b.docx"), "the name 'b.docx' does not tell the format to write"),
        (("convert", "a.yaml", "b.json", "c"), "got unexpected extra argument (c)"),
        (("schema", "BenchmarkRum"), "'BenchmarkRum' is no kind and no document; did you mean BenchmarkRun?"),
        (("explain", "KIX40l"), "there is no rule 'KIX40l'; did you mean KIX40"),
        (("explain", "source-time-disagree"), "did you mean source-time-disagrees?"),
        (("import",), "kix-schema import: a command is missing, expected one of liger"),
        (("import", "ligr", "x.csv"), "'ligr' is no command; did you mean liger?"),
        (("check", "a\x1b[2Jb", "--format", "\x1b[2J"), "'\\x1b[2J' is not known"),
    ],
)  # fmt: skip
def test_usage_errors_are_one_sentence_and_exit_2(kix, args, told):
    done = kix(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("kix-schema")


def test_version(kix):
    from kernelindex_schema import __version__

    done = kix("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"kix-schema {__version__}\n", "")


COMMANDS = [
    *("check", "digest", "canonicalize", "convert", "compare", "schema", "rules", "explain", "assemble", "import"),
]


@pytest.mark.parametrize("command", [*COMMANDS, "import liger"])
def test_help_of_every_command(kix, command):
    done = kix(*command.split(), "-h" if command == "rules" else "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: kix-schema {command} ")
    assert done.stdout.isascii()
    assert done.stderr == ""


def test_help_lists_every_command(kix):
    told = kix("--help").stdout
    assert "..." not in told.partition("Commands:")[2]
    assert [line.split()[0] for line in told.partition("Commands:\n")[2].splitlines() if line.startswith("  ")][
        : len(COMMANDS)
    ] == COMMANDS


def test_an_internal_fault_is_one_line(kix, tmp_path):
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "import kernelindex_schema.settings as s\n"
        "def boom(*args, **kwargs): raise ZeroDivisionError('at\\x1b[2J work')\n"
        "s.load_settings = boom\n",
        encoding="utf-8",
    )
    kix.file("run.yaml")
    env = {"PYTHONPATH": str(tmp_path)}
    done = kix("check", "run.yaml", env=env)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "kix-schema: internal fault, ZeroDivisionError: at\\x1b[2J work; run with --debug for the traceback\n"
    )
    import subprocess

    done = subprocess.run(
        [*kix.words, "check", "--debug", "run.yaml"], cwd=tmp_path, env=kix.env(**env), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "Traceback (most recent call last)" in done.stderr


def test_a_crash_of_a_rule_is_a_finding_and_shows_its_traceback_on_request(kix, tmp_path):
    import subprocess

    (tmp_path / "sitecustomize.py").write_text(
        "import kernelindex_schema.meaning as m\n"
        "def boom(*args, **kwargs): raise ZeroDivisionError('at work')\n"
        "import kernelindex_schema.checking as c\n"
        "c.judge = boom\n",
        encoding="utf-8",
    )
    kix.file("run.yaml")
    env = {"PYTHONPATH": str(tmp_path)}
    done = kix("check", "run.yaml", "--ignore", "KIX", env=env)
    assert (done.returncode, done.stderr) == (2, "")
    assert "KIX002" in done.stdout
    words = [*kix.words, "check", "--debug", "run.yaml"]
    shown = subprocess.run(words, cwd=tmp_path, env=kix.env(**env), capture_output=True, text=True)
    assert shown.returncode == 2
    assert shown.stdout.partition("\n\n")[0] == done.stdout.partition("\n\n")[0]
    assert "Traceback (most recent call last)" in shown.stderr
