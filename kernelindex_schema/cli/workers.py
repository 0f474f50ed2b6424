"""Executors for a check: processes of this machine, or a dask cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor

import click

from kernelindex_schema.processes import Processes, usable_processors

__all__ = ["dask_workers", "processes"]

_PATIENCE = "10s"


@contextlib.contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """So many processes (0: as many as there are processors); None where that is this one alone."""
    count = jobs or usable_processors()
    if count == 1:
        yield None
        return
    with Processes(count) as executor:
        yield executor


@contextlib.contextmanager
def dask_workers(address: str) -> Iterator[Executor]:
    """The workers of a dask cluster, which must see the files under the same names.

    Raises:
        click.UsageError: the package ``distributed`` is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError(
            "--dask needs the package distributed; install it with: pip install 'kernelindex-schema[dask]'"
        ) from None
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--dask: no scheduler answers at {address} ({error})") from None
    with client:
        yield client.get_executor(pure=False)
