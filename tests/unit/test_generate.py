"""What is generated and committed is what the code would write now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kernelindex_schema._generate import COMMAND, drift, main


@pytest.fixture(scope="module")
def checkout(repository: Path) -> Path:
    if not (repository / "schemas").is_dir():
        pytest.skip("no checkout")
    return repository


def test_nothing_has_drifted(checkout: Path) -> None:
    stale = drift(str(checkout))
    assert not stale, f"{', '.join(stale)}: not up to date; run: {COMMAND}"


def test_the_check_names_the_command_and_what_is_stale(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(checkout / "examples")  # what the generated pages show
    assert main([]) == 0
    assert main(["--check"]) == 0
    assert capsys.readouterr().err == ""

    kind = tmp_path / "schemas" / "v1alpha1" / "benchmark-run.schema.json"
    kind.write_text(kind.read_text(encoding="utf-8").replace("2020-12", "2019-09"), encoding="utf-8")
    (tmp_path / "schemas" / "v1alpha1" / "software-project.schema.json").unlink()
    (tmp_path / "schemas" / "v1alpha1" / "left-over.schema.json").write_text("{}")
    assert main(["--check"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    for line, name in zip(sorted(told), ("benchmark-run", "left-over", "software-project"), strict=True):
        assert line == f"schemas/v1alpha1/{name}.schema.json is not up to date; run: {COMMAND}"

    # Writing mends all three, and leaves nothing else behind.
    assert main([]) == 0
    assert drift() == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "examples", "kernelindex_schema", "schemas"]


def test_the_command_as_it_is_told(checkout: Path) -> None:
    words = COMMAND.split()
    assert words[0] == "python"
    done = subprocess.run(
        [sys.executable, *words[1:], "--check"], cwd=checkout, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
