"""Profiles of Hypothesis, and the folders that tests read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parents[1]

# The bounded profile gives the same examples each time and keeps the suite short. KIX_EXAMPLES=5000 looks further:
# at other examples each time.
settings.register_profile(
    "bounded",
    max_examples=12,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "thorough",
    max_examples=int(os.environ.get("KIX_EXAMPLES", "12")),
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("thorough" if "KIX_EXAMPLES" in os.environ else "bounded")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout, or of the unpacked source distribution."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material beside the checkout; tests that need it are skipped where it is not there."""
    folder = REPOSITORY.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no shared material beside the checkout")
    return folder
