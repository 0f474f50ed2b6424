"""``--jobs`` and ``--dask``: where a check runs, and how far it has come."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

pty = pytest.importorskip("pty", reason="no terminals here")

WITHOUT_DASK = """
import sys
sys.modules["distributed"] = None
from kernelindex_schema.cli.program import run
sys.exit(run(sys.argv[1:]))
"""


def test_jobs_change_nothing_but_the_time(kix, wrong):
    for number in range(5):
        kix.file(f"good{number}.yaml")
        kix.file(f"bad{number}.yaml", wrong)
    alone = kix("check", ".", "--format", "json")
    assert alone.returncode == 1
    for jobs in ("0", "2", "3"):
        spread = kix("check", ".", "--format", "json", "--jobs", jobs)
        assert (spread.returncode, spread.stdout, spread.stderr) == (alone.returncode, alone.stdout, "")


def test_jobs_and_dask_exclude_each_other(kix):
    kix.file("run.yaml")
    done = kix("check", "run.yaml", "--jobs", "2", "--dask", "tcp://localhost:1")
    assert done.returncode == 2
    assert "expected one of them" in done.stderr


def test_without_dask_the_command_to_install_it_is_told(kix):
    kix.file("run.yaml")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_DASK, "check", "run.yaml", "--dask", "tcp://localhost:1"],
        cwd=kix.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "pip install 'kernelindex-schema[dask]'" in done.stderr


def on_a_terminal(kix, *args: str) -> str:
    """What a check says on standard error where that is a terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen([*kix.words, *args], cwd=kix.folder, stdout=subprocess.PIPE, stderr=follower) as check:
        os.close(follower)
        said = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                more = os.read(leader, 4096)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            said += more
        told = check.stdout.read() if check.stdout else b""
    os.close(leader)
    assert b"MB" not in told
    return said.decode()


@pytest.fixture
def long_stream(kix):
    assert kix("convert", kix.file("run.yaml").name, "run.jsonl").returncode == 0
    line = (kix.folder / "run.jsonl").read_bytes()
    kix.file("long.jsonl", b"".join(line.replace(b"tiny-run", b"run-%d" % number) for number in range(60_000)))
    return kix


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_long_check_shows_bytes_and_rate_on_a_terminal(long_stream, jobs):
    said = on_a_terminal(long_stream, "check", "--quiet", "--ignore", "KIX5", "--jobs", jobs, "long.jsonl")
    assert " MB checked, " in said
    assert " MB/s" in said
    assert said.endswith("\r\x1b[K")


def test_nothing_is_shown_elsewhere_or_of_a_short_check(long_stream):
    done = long_stream("check", "--quiet", "--ignore", "KIX5", "long.jsonl")
    assert done.stderr == ""
    said = on_a_terminal(long_stream, "check", "run.yaml")
    assert "MB" not in said
