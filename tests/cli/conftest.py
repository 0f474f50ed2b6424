"""The command as a real process, a folder to run it in, and small records to give it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parents[1] / "golden" / "cli"

RUN = """\
apiVersion: kernelindex.dev/v1alpha1
kind: BenchmarkRun
metadata:
  name: tiny-run
spec:
  implementationDigest: sha256:51eb16de033f2219f67b768ae0f8b919b4f1af7bd11ee0c19e51fe8df440fa54
  workloadDigest: sha256:8b228683a228b8af40407bd899af1c29de9d7d67eab76eed00cf5286e62800d4
  protocolDigest: sha256:080e6e66e4ec75a131aa0c9121c74b8e8eed64e7b6d621d567c6a28f79548be8
  environmentDigest: sha256:90c9e2764222f592477cfccf3373519add5a1b881563956ad058c4f99e41b6b9
  status: passed
  timing:
    primaryStatistic: median
    latencyNs:
      median: 410240
  observedAt: "2024-09-03T15:40:08Z"
"""
"""A valid run, whose lines the tests count on."""

OUTSIDE = {
    *("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LC_ALL", "LANG"),
    *("PYTHONIOENCODING", "PYTHONUTF8", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"),
}


class Kix:
    """Runs ``kix-schema`` in a folder of its own."""

    def __init__(self, folder: Path, compiled: Path) -> None:
        self.folder = folder
        self._compiled = compiled

    def env(self, **more: str) -> dict[str, str]:
        """The environment of a process: nothing of ours that would change what is told, and modules compiled once."""
        env = {key: value for key, value in os.environ.items() if key not in OUTSIDE}
        return env | {"PYTHONPYCACHEPREFIX": str(self._compiled)} | more

    def __call__(self, *args: str | bytes, **options: Any) -> subprocess.CompletedProcess[Any]:
        env = self.env(**{"PYTHONUTF8": "1"} | options.pop("env", {}))
        options = {
            "cwd": self.folder,
            "capture_output": True,
            "timeout": 60,
            "text": True,
            "encoding": "utf-8",
        } | options
        if not options["text"]:
            options.pop("encoding")
        done = subprocess.run([*self.words, *args], env=env, **options)
        if options["capture_output"]:
            told = done.stdout + done.stderr
            assert (b"Traceback" if isinstance(told, bytes) else "Traceback") not in told
        return done

    @property
    def words(self) -> list[str]:
        """The command without arguments."""
        return [sys.executable, "-m", "kernelindex_schema"]

    def file(self, name: str, text: str | bytes = RUN) -> Path:
        """Write a file, by default the valid run."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    def findings(self, *args: str, **options: Any) -> list[dict[str, Any]]:
        """The findings of a check."""
        done = self("check", "--format", "json", *args, **options)
        found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
        return found


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def kix(tmp_path: Path, compiled: Path) -> Kix:
    return Kix(tmp_path, compiled)


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if os.environ.get("KIX_UPDATE_GOLDEN"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8"))
        assert file.is_file(), f"{file} is missing; write it with KIX_UPDATE_GOLDEN=1"
        assert text == file.read_bytes().decode("utf-8"), f"differs from {file}; see tests/golden/README.md"

    return compare


def changed(old: str, new: str, text: str = RUN) -> str:
    """The text with one thing changed."""
    assert text.count(old) == 1
    return text.replace(old, new)


@pytest.fixture
def wrong() -> str:
    """A run with a wrong status, an unknown field and a statistic that is not the median."""
    text = changed("status: passed", "status: pased")
    return changed("primaryStatistic: median", "primaryStatistic: mean\n    samplez: 3", text)


@pytest.fixture
def run_text() -> str:
    return RUN


@pytest.fixture
def change() -> Callable[..., str]:
    return changed


@pytest.fixture(scope="session")
def examples() -> Path:
    """The valid examples of the project."""
    folder = Path(__file__).parents[2] / "examples" / "valid"
    assert folder.is_dir()
    return folder
