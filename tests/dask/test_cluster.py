"""Checks on a real dask cluster of two worker processes: equal reports, a worker that is lost, a share that kills."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Executor, Future
from functools import partial

import pytest
from spread_checks import EXAMPLES, kill_always, kill_once, kills, line, record, varied_lines

import kernelindex_schema as kix
from kernelindex_schema import shares
from kernelindex_schema.reports.json import render

distributed = pytest.importorskip("distributed", reason="the extra [dask] is not installed")

# What dask and the event loop say of their own affairs is not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    import dask

    settings = {
        "distributed.scheduler.allowed-failures": 0,
        "temporary-directory": str(tmp_path_factory.mktemp("dask")),
    }
    with (
        dask.config.set(settings),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(shares, "_MOST", 20_000)
    monkeypatch.setattr(shares, "_LEAST", 8_000)


@pytest.fixture
def paths(tmp_path, small):
    (tmp_path / "a.jsonl").write_bytes(b"".join(varied_lines(100)))
    (tmp_path / "kills.jsonl").write_bytes(b"".join(varied_lines(12)))
    (tmp_path / "kills.json").write_bytes(line(record(1)))
    for example in EXAMPLES.iterdir():
        (tmp_path / example.name).write_bytes(example.read_bytes())
    return sorted(str(path) for path in tmp_path.iterdir())


def killing(loss):
    class Killing(Executor):
        def __init__(self, inner: Executor) -> None:
            self.inner = inner

        def submit(self, function, /, *args, **kwargs) -> Future:
            return self.inner.submit(loss, function, *args, **kwargs)

    return Killing


def test_a_cluster_tells_what_one_process_tells(client, paths):
    expected = render(kix.check_paths(paths))
    assert render(kix.check_paths(paths, executor=client.get_executor())) == expected


def test_files_that_changed_are_read_anew(client, paths):
    path = next(path for path in paths if path.endswith("kills.json"))
    others = [path for path in paths if not path.endswith("kills.json")]
    executor = client.get_executor()  # pure: dask may remember what it was asked
    kix.check_paths([path, *others], executor=executor)
    with open(path, "wb") as file:
        file.write(b"{}")
    assert render(kix.check_paths([path, *others], executor=executor)) == render(kix.check_paths([path, *others]))


def test_the_share_of_a_lost_worker_is_run_again(client, paths, tmp_path):
    expected = render(kix.check_paths(paths))
    lossy = killing(partial(kill_once, str(tmp_path / "mark")))
    report = kix.check_paths(paths, executor=lossy(client.get_executor(pure=False)))
    assert (tmp_path / "mark").exists()
    assert render(report) == expected


def test_what_kills_its_workers_is_told_and_costs_nothing_else(client, paths):
    rest = kix.check_paths([path for path in paths if not kills(path)])
    report = kix.check_paths(paths, executor=killing(kill_always)(client.get_executor(pure=False)))
    lost = [finding for finding in report.findings if finding.rule == "KIX002"]
    assert {os.path.basename(finding.file) for finding in lost} == {"kills.json", "kills.jsonl"}
    assert all("KilledWorker" in finding.message for finding in lost)
    assert (report.files, report.documents) == (rest.files + 2, rest.documents)
    assert [finding for finding in report.findings if finding.rule != "KIX002"] == list(rest.findings)


def test_the_command_checks_on_a_cluster(client, tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"".join(varied_lines(60)))
    command = [sys.executable, "-m", "kernelindex_schema", "check", "--format", "json", "a.jsonl"]
    alone = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    address = client.scheduler.address
    spread = subprocess.run([*command, "--dask", address], cwd=tmp_path, capture_output=True, check=False)
    assert (spread.returncode, spread.stdout, spread.stderr) == (alone.returncode, alone.stdout, b"")
    assert alone.returncode == 1
