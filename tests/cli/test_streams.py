"""Encodings, pipes and disks: none of them may change the verdict, and none gives a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ENCODINGS = [
    {},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "cp1252"},
    {"PYTHONIOENCODING": "utf-16"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
]


@pytest.fixture
def many(kix, wrong):
    documents = "---\n".join([wrong] * 300)
    return kix.file("many.yaml", documents)


@pytest.mark.parametrize("env", ENCODINGS, ids=lambda env: "-".join(env.values()) or "utf-8")
@pytest.mark.parametrize("form", ["text", "github"])
def test_every_encoding_gives_the_same_verdict(kix, change, env, form):
    kix.file("прогон-µ.yaml", change("median: 410240", "median: 410 μs"))
    done = kix("check", "--format", form, "прогон-µ.yaml", env=env, text=False)
    assert done.returncode == 1
    assert done.stderr == b""
    told = done.stdout.decode("utf-16" if "utf-16" in env.values() else "utf-8", "replace")
    assert "KIX106" in told
    assert "latencyNs.median" in told


def test_the_same_json_under_every_encoding(kix, change):
    kix.file("прогон.yaml", change("median: 410240", "median: 410 μs"))
    told = {
        kix("check", "--format", "json", "прогон.yaml", env=env, text=False).stdout
        for env in ENCODINGS
        if "utf-16" not in env.values()
    }
    assert len(told) == 1
    assert "прогон.yaml".encode("unicode_escape") in told.pop()


def test_what_cannot_be_encoded_is_escaped(kix, wrong):
    kix.file("прогон.yaml", wrong)
    done = kix("check", "прогон.yaml", env={"PYTHONIOENCODING": "ascii"})
    assert done.stdout.startswith("\\u043f\\u0440\\u043e\\u0433\\u043e\\u043d.yaml:")


@pytest.mark.skipif(sys.platform == "darwin" or os.name == "nt", reason="file names are Unicode there")
def test_a_file_name_of_undecodable_bytes(kix, wrong):
    name = b"caf\xe9\n.yaml"
    with open(os.path.join(os.fsencode(kix.folder), name), "wb") as file:
        file.write(wrong.encode())
    for form, shown in (("text", "caf\\xe9\\n.yaml:"), ("json", '"caf\\\\xe9\\n.yaml"'), ("sarif", "caf%E9%0A.yaml")):
        done = kix("check", "--format", form, name)
        assert done.returncode == 1
        assert shown in done.stdout
    assert kix("digest", name).returncode == 1
    assert kix("check", ".").returncode == 1


def test_control_characters_of_the_input_do_not_reach_the_terminal(kix, change):
    evil = change("status: passed", '"stat\\e[31mus\\r\\u202e\\u2028": "pa\\e]0;x\\assed"')
    kix.file("a\x1b[2J.yaml", evil)
    for form in ("text", "json", "jsonl", "sarif", "github"):
        done = kix("check", "--show-source", "--format", form, "a\x1b[2J.yaml")
        assert done.returncode == 1
        assert done.stdout.replace("\n", "").isprintable(), form


@pytest.mark.parametrize("unbuffered", [{}, {"PYTHONUNBUFFERED": "1"}])
@pytest.mark.parametrize("args", [["check"], ["check", "--format", "json"], ["digest", "--format", "jsonl"]])
def test_a_closed_pipe_is_silent(kix, many, unbuffered, args):
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [*kix.words, *args, "many.yaml"],
        cwd=kix.folder, env=kix.env(**unbuffered), stdout=writing, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(writing)
    os.read(reading, 10)
    os.close(reading)
    _, errors = process.communicate(timeout=60)
    assert errors == b""
    assert process.returncode == 1


@pytest.mark.parametrize("command", ["schema", "rules", "check --help", "--help", "--version"])
def test_a_pipe_that_is_closed_from_the_start(kix, command):
    reading, writing = os.pipe()
    os.close(reading)
    args = command.split() + (["BenchmarkRun"] if command == "schema" else [])
    done = subprocess.run([*kix.words, *args], cwd=kix.folder, env=kix.env(), stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("args", [("check", "run.yaml"), ("canonicalize", "run.yaml"), ("rules",)])
def test_a_full_disk_is_told(kix, args):
    kix.file("run.yaml")
    with open("/dev/full", "wb") as full:
        words = [*kix.words, *args]
        done = subprocess.run(words, cwd=kix.folder, env=kix.env(), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "kix-schema: standard output cannot be written: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
def test_standard_streams_that_are_closed(kix):
    kix.file("run.yaml")
    done = subprocess.run(
        ["sh", "-c", '"$@" >&- 2>&-', "sh", *kix.words, "check", "run.yaml"], cwd=kix.folder, capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("args", "env", "colored"),
    [
        ((), {}, False),
        (("--color", "always"), {}, True),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {}, False),
        (("--color", "auto"), {}, False),
    ],
)
def test_colour(kix, wrong, args, env, colored):
    kix.file("run.yaml", wrong)
    assert ("\x1b[1;31m" in kix("check", *args, "run.yaml", env=env).stdout) is colored


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
@pytest.mark.parametrize(
    ("env", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)]
)
def test_on_a_terminal(kix, wrong, env, colored):
    import pty

    kix.file("run.yaml", wrong)
    kix.file("other.yaml", wrong)
    ours, theirs = pty.openpty()
    environment = kix.env(**{"TERM": "xterm"} | env)
    process = subprocess.Popen(
        [*kix.words, "check", "run.yaml", "other.yaml"], cwd=kix.folder, env=environment, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    told = b""
    try:
        while chunk := os.read(ours, 65536):
            told += chunk
    except OSError:  # Linux says so at the end
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 1
    assert (b"\x1b[1;31m" in told) is colored
    assert b"^^^^" in told
    assert b"\r\x1b[K" in told, "the line of progress is taken away"


def test_an_interrupt_is_one_line(kix):
    import signal
    import time

    process = subprocess.Popen(
        [*kix.words, "check", "-"], cwd=kix.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.strip() == "kix-schema: interrupted"
