"""The command ``kix-schema``: options, streams and exit codes. The only user of click."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command with the arguments of the process, and end the process with its exit code."""
    import sys

    from kernelindex_schema.cli.program import run

    sys.exit(run(sys.argv[1:]))
