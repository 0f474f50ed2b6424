"""The command ``kix-schema``: options, streams and exit codes. The only user of click."""

from __future__ import annotations

__all__ = ["main"]

INTERRUPTED = 130
"""What a shell expects of a process that was interrupted: 128 and SIGINT."""


def main() -> None:
    """Run the command with the arguments of the process, and end the process with its exit code."""
    import gc
    import sys

    # Loading modules and checking streams leave next to no cycles, and looking for them takes a tenth of a start.
    gc.set_threshold(100_000)
    try:
        from kernelindex_schema.cli.program import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        import os

        sys.stderr.write("kix-schema: interrupted\n")
        sys.stderr.flush()
        # Not sys.exit: that would wait for threads of workers that were ended in the midst of an answer.
        os._exit(INTERRUPTED)
    sys.exit(code)
