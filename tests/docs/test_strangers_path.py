"""A stranger's path: the README's first command and the tutorial, typed literally, in a fresh copy of the checkout."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_spec = importlib.util.spec_from_file_location("docs_blocks", Path(__file__).parent / "test_blocks.py")
assert _spec is not None
assert _spec.loader is not None
docs_blocks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(docs_blocks)


def copy_of_the_checkout(target: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)


def script(page: str) -> str:
    """Everything that a page tells the reader to type, as one script; what it prints is kept by the caller."""
    lines = []
    for block in docs_blocks.blocks((ROOT / page).read_text(encoding="utf-8")):
        if block.file is not None:
            lines.append(f"cat > {block.file} <<'END OF FILE'\n{block.text}END OF FILE")
        elif block.language == "sh":
            lines.append(block.text)
        elif block.language == "console":
            lines += re.findall(r"^\$ (.*)$", block.text, re.M)
    return "\n".join(lines)


def test_from_the_readme_to_a_green_check(tmp_path: Path) -> None:
    if not os.environ.get("KIX_TEST_EVERYTHING"):
        pytest.skip("installs packages; run: KIX_TEST_EVERYTHING=1 pytest tests/docs/test_strangers_path.py")
    home = tmp_path / "checkout"
    copy_of_the_checkout(home)
    own = {os.path.dirname(sys.executable), os.path.join(os.environ.get("VIRTUAL_ENV", "-"), "bin")}
    path = os.pathsep.join(part for part in os.environ["PATH"].split(os.pathsep) if part not in own)
    environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "PYTHONPATH")}
    environment |= {"PATH": path, "NO_COLOR": "1"}
    first = next(
        block.text
        for block in docs_blocks.blocks((ROOT / "README.md").read_text(encoding="utf-8"))
        if block.language == "sh"
    )
    for name, text in (("README.md", first), ("tutorial", script("docs/tutorial/index.md"))):
        done = subprocess.run(
            ["bash", "-c", text], cwd=home, env=environment, capture_output=True, encoding="utf-8", timeout=600
        )
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
    printed = done.stdout
    assert re.findall(r"^rmsnorm\.yaml:\d+:\d+: error (KIX\d+)", printed, re.M).count("KIX401") == 1
    assert "\n1 document, 0 manifests: no findings\n" in printed
    assert "\n1 document, 6 manifests: no findings\n" in printed
    assert re.search(r"^sha256:[0-9a-f]{64}  BenchmarkRun  ", printed, re.M)
