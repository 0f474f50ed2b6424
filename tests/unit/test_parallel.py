"""Checks over several workers: the report of one process, byte for byte, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import gzip
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import pytest
from spread_checks import EXAMPLES, kill_always, kill_once, kills, line, record, varied_lines

import kernelindex_schema as kix
from kernelindex_schema import shares
from kernelindex_schema.parallel import run
from kernelindex_schema.processes import Processes
from kernelindex_schema.reports.json import render
from kernelindex_schema.shares import Share

CHECK = [sys.executable, "-m", "kernelindex_schema", "check", "--jobs", "2"]
needs_signals = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are ended by signals here")


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(shares, "_MOST", 20_000)
    monkeypatch.setattr(shares, "_LEAST", 8_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of every sort, good and bad, with repeats across them."""
    folder = tmp_path_factory.mktemp("records")
    (folder / "a.jsonl").write_bytes(b"".join(varied_lines(150)))
    (folder / "b.jsonl").write_bytes(b"".join(varied_lines(40)).rstrip())
    (folder / "c.jsonl.gz").write_bytes(gzip.compress(b"".join(varied_lines(30))))
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(b"".join(varied_lines(30)))[:-9])
    for number in range(30):
        (folder / f"{number:02}.json").write_bytes(line(record(number)))
    for example in EXAMPLES.iterdir():
        (folder / example.name).write_bytes(example.read_bytes())
    return folder


@pytest.fixture(scope="module")
def paths(folder):
    return [*sorted(str(each) for each in folder.iterdir()), str(folder / "missing.json")]


@pytest.fixture(scope="module")
def expected(paths):
    report = kix.check_paths(paths)
    rules = {finding.rule for finding in report.findings}
    assert {"KIX001", "KIX004", "KIX011", "KIX012", "KIX401", "KIX505", "KIX506"} <= rules
    return render(report)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_processes_tell_what_one_tells(paths, expected, workers):
    with Processes(workers) as executor:
        assert render(kix.check_paths(paths, executor=executor)) == expected


def test_threads_tell_what_one_process_tells(paths, expected):
    with ThreadPoolExecutor(3) as executor:
        assert render(kix.check_paths(paths, executor=executor)) == expected


def test_any_pool_will_do(paths, expected):
    with ProcessPoolExecutor(2) as executor:
        assert render(kix.check_paths(paths, executor=executor)) == expected


def test_a_registry_and_settings_travel(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    settings = kix.Settings(per_file_ignores={"a.jsonl": ("KIX5",)}, ignore=("KIX004",))
    expected = kix.check_paths(["."], registry=EXAMPLES, settings=settings)
    assert "KIX503" in {finding.rule for finding in expected.findings}
    with Processes(2) as executor:
        assert kix.check_paths(["."], registry=EXAMPLES, settings=settings, executor=executor) == expected


def test_workers_may_live_in_another_folder(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    settings = kix.Settings(per_file_ignores={"a.jsonl": ("KIX4",)})
    expected = kix.check_paths(["a.jsonl", "b.jsonl"], settings=settings)
    with Processes(2) as executor:
        executor.submit(int).result()
        for _ in range(20):
            executor.submit(os.chdir, tmp_path).result()
        assert kix.check_paths(["a.jsonl", "b.jsonl"], settings=settings, executor=executor) == expected


def test_progress_counts_every_byte(folder):
    path = folder / "a.jsonl"
    alone: list[int] = []
    kix.check_paths([path], progress=alone.append)
    assert sum(alone) == path.stat().st_size
    spread: list[int] = []
    with Processes(2) as executor:
        kix.check_paths([path], progress=spread.append, executor=executor)
    assert len(spread) > 5
    assert sum(spread) == path.stat().st_size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("workers", [None, 2])
def test_a_pipe_is_read_once(tmp_path, folder, workers):
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    paths = [str(folder / "a.jsonl"), str(pipe), str(folder / "00.json")]
    copy = "import shutil, sys; shutil.copyfileobj(open(sys.argv[2], 'rb'), open(sys.argv[1], 'wb'))"
    source = folder / "b.jsonl"
    spread = Processes(workers) if workers else contextlib.nullcontext()
    with subprocess.Popen([sys.executable, "-c", copy, pipe, source]), spread as executor:
        report = kix.check_paths(paths, executor=executor)
    assert report.files == 3
    assert {finding.file for finding in report.findings} == set(paths)


class Lossy(Executor):
    """Another executor, whose workers end at certain files."""

    def __init__(self, inner: Executor, loss) -> None:
        self.inner, self.loss = inner, loss
        self._max_workers = 2

    def submit(self, function, /, *args, **kwargs) -> Future:
        return self.inner.submit(self.loss, function, *args, **kwargs)


@pytest.fixture
def deadly(folder, tmp_path):
    """The files again, two of which may end who reads them."""
    paths = []
    for name in ("a.jsonl", "kills.jsonl", "00.json", "01.json", "kills.json", "02.json", "b.jsonl"):
        source = {"kills.jsonl": "b.jsonl", "kills.json": "03.json"}.get(name, name)
        (tmp_path / name).write_bytes((folder / source).read_bytes())
        paths.append(str(tmp_path / name))
    return paths


@needs_signals
@pytest.mark.parametrize("pool", [Processes, ProcessPoolExecutor])
def test_the_share_of_a_lost_worker_is_run_again(deadly, tmp_path, pool):
    expected = kix.check_paths(deadly)
    with pool(2) as inner:
        report = kix.check_paths(deadly, executor=Lossy(inner, partial(kill_once, str(tmp_path / "mark"))))
    assert (tmp_path / "mark").exists()
    assert render(report) == render(expected)


@needs_signals
def test_what_loses_its_worker_twice_is_told_and_costs_nothing_else(deadly):
    rest = kix.check_paths([path for path in deadly if not kills(path)])
    with Processes(2) as inner:
        report = kix.check_paths(deadly, executor=Lossy(inner, kill_always))
    lost = [finding for finding in report.findings if finding.rule == "KIX002"]
    assert {os.path.basename(finding.file) for finding in lost} == {"kills.json", "kills.jsonl"}
    assert all("could not be checked, in two attempts" in finding.message for finding in lost)
    assert any("kills.jsonl from line 1 on" in finding.message for finding in lost)
    assert len([finding for finding in lost if finding.file.endswith("kills.json")]) == 1
    assert (report.files, report.documents) == (rest.files + 2, rest.documents)
    assert [finding for finding in report.findings if finding.rule != "KIX002"] == list(rest.findings)


@needs_signals
def test_a_pool_that_stays_broken_is_replaced(deadly):
    expected = kix.check_paths(deadly)
    with ProcessPoolExecutor(2) as pool:
        report = kix.check_paths(deadly, executor=Lossy(pool, kill_always))
        with pytest.raises(BrokenExecutor):
            pool.submit(int)
    # Its replacement knows nothing of the loss.
    assert render(report) == render(expected)


def test_an_executor_that_takes_nothing_loses_nothing(folder):
    class Closed(Executor):
        def submit(self, function, /, *args, **kwargs):
            raise RuntimeError("no more calls")

    paths = [str(folder / "00.json"), str(folder / "a.jsonl")]
    report = kix.check_paths(paths, executor=Closed())
    assert report.files == 2
    assert {(finding.file, finding.rule) for finding in report.findings} == {(path, "KIX002") for path in paths}
    assert all("no more calls" in finding.message for finding in report.findings)


def _name(share: Share) -> str:
    time.sleep(0.05 if share.files == ("0",) else 0)
    if share.files == ("5",):
        raise ValueError("five")
    return share.files[0]


def test_results_come_in_the_order_of_the_shares():
    parts = [Share(files=(str(number),)) for number in range(40)]
    with ThreadPoolExecutor(4) as executor:
        told = list(run(executor, _name, iter(parts)))
    assert [share.files for share, _ in told] == [share.files for share in parts]
    assert [outcome for _, outcome in told if not isinstance(outcome, Exception)] == [
        str(number) for number in range(40) if number != 5
    ]
    assert isinstance(told[5][1], ValueError)


def test_shares_are_taken_as_they_are_needed():
    taken = []

    def parts():
        for number in range(100):
            taken.append(number)
            yield Share(files=(str(number),))

    with ThreadPoolExecutor(2) as executor:
        results = run(executor, _name, parts())
        next(results)
        assert len(taken) < 20
        results.close()


def children(pid: int) -> set[int]:
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return {int(each) for each in told.stdout.split()}


@pytest.fixture(scope="module")
def long_check(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "long.jsonl"
    one = line(record(1))
    path.write_bytes(b"".join(one.replace(b"run-1", b"run-%d" % number) for number in range(40_000)))
    return path


@needs_signals
@pytest.mark.skipif(sys.platform != "linux", reason="ps tells children in its own way elsewhere")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_runs_on_after_an_interrupt(long_check, how):
    ends = []
    for _ in range(3):
        with subprocess.Popen(
            [*CHECK, long_check], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        ) as check:
            deadline = time.monotonic() + 30
            while len(workers := children(check.pid)) < 2 and time.monotonic() < deadline:
                time.sleep(0.02)
            assert len(workers) == 2
            if how == signal.SIGINT:
                os.killpg(check.pid, how)
            else:
                os.kill(check.pid, how)
            told, said = check.communicate(timeout=20)
        deadline = time.monotonic() + 10
        while workers and time.monotonic() < deadline:
            workers = {each for each in workers if os.path.exists(f"/proc/{each}")}
            time.sleep(0.02)
        assert not workers
        ends.append((check.returncode, told, said))
    if how == signal.SIGINT:
        # A signal may come at a moment when the interpreter can only print that it was lost, such as in a destructor.
        assert (130, b"", b"kix-schema: interrupted\n") in ends
        assert all(code in (2, 130) and not told for code, told, _ in ends)


@needs_signals
def test_an_interrupt_of_the_parent_alone_ends_the_workers(long_check):
    with subprocess.Popen([*CHECK, long_check], stderr=subprocess.PIPE) as check:
        time.sleep(1)
        check.send_signal(signal.SIGINT)
        _, said = check.communicate(timeout=20)
    assert (check.returncode, said) == (130, b"kix-schema: interrupted\n")
