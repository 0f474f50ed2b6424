"""The reported symptoms, run as a person would run them: by the shared tool, through the installed command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif("KIX_EXAMPLES" not in os.environ, reason="takes a minute; KIX_EXAMPLES=100 runs it")
def test_no_case_fails(shared: Path) -> None:
    tool, cases = shared / "tools" / "run_cases.py", shared / "cases"
    if not tool.is_file() or not cases.is_dir():
        pytest.skip("no cases beside the checkout")
    bin_folder = Path(sys.executable).parent
    if not (bin_folder / "kix-schema").is_file():
        pytest.skip("the command is not installed beside this Python")
    env = os.environ | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, str(tool), str(cases)], env=env, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout
    told = done.stdout.strip().splitlines()[-1]
    assert " 0 fail" in told
    assert int(told.split()[1]) >= 150
