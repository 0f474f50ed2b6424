"""What is generated is up to date: schemas, catalog, reference pages, and the script of the try-it page."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kernelindex_schema._generate import COMMAND, drift

ROOT = Path(__file__).parents[2]
TRY_IT = ROOT / "docs" / "try-it"


def test_schemas_and_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert drift() == [], f"run: {COMMAND}"


def lacking(what: str, command: str) -> None:
    """Skip, or fail where everything has to run."""
    message = f"{what} is not installed; run: {command}"
    if os.environ.get("KIX_TEST_EVERYTHING"):
        pytest.fail(message)
    pytest.skip(message)


def test_the_script_of_the_try_it_page(tmp_path: Path) -> None:
    """The committed file is what its sources make, with the tools of the lock file."""
    if shutil.which("npm") is None:
        lacking("npm", "apt-get install nodejs npm")
    for name in ("package.json", "package-lock.json", "build.mjs", "src"):
        source = TRY_IT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    done = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode:
        lacking(f"the tools of the try-it page ({done.stderr.strip()[:200]})", "npm ci --prefix docs/try-it")
    subprocess.run(["node", "build.mjs", "made.js"], cwd=tmp_path, check=True, capture_output=True)
    made = (tmp_path / "made.js").read_bytes()
    assert made == (ROOT / "docs" / "_static" / "try-it.js").read_bytes(), "run: npm run build --prefix docs/try-it"


@pytest.mark.parametrize("lock", ["docs/try-it/package-lock.json", "tests/editors/package-lock.json"])
def test_lock_files_name_no_host(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert '"resolved"' not in text
    assert '"integrity"' in text
