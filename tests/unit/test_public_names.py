"""The public surface: every name is there, typed and documented, and nothing else is."""

from __future__ import annotations

import subprocess
import sys

import pytest

import kernelindex_schema as kix
from kernelindex_schema import errors


def test_the_names() -> None:
    assert sorted(kix.__all__) == dir(kix)
    assert len(kix.__all__) >= 25


@pytest.mark.parametrize("name", kix.__all__)
def test_every_name_resolves(name: str) -> None:
    value = getattr(kix, name)
    assert value is not None
    if callable(value):
        assert value.__doc__


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(AttributeError, match="no attribute 'validate'"):
        kix.validate  # noqa: B018 - asking is the test


def test_the_error_hierarchy() -> None:
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), kix.KernelIndexError)


HEAVY = {
    "yaml",
    "jsonschema",
    "rfc8785",
    "click",
    "ada_url",
    "unicodedata",
    "dataclasses",
    "difflib",
    "tempfile",
}

LIGHT = """
import sys
import kernelindex_schema as kix

assert "msgspec" not in sys.modules
kix.decode(sys.argv[1], format="json")
print(*sys.modules)
"""


def test_import_is_light() -> None:
    """Neither importing the package nor reading a JSON document loads what only other formats and faults need."""
    document = (
        '{"apiVersion": "kernelindex.dev/v1alpha1", "kind": "SoftwareProject", '
        '"metadata": {"name": "a"}, "spec": {"name": "A"}}'
    )
    done = subprocess.run([sys.executable, "-c", LIGHT, document], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(done.stdout.split())
