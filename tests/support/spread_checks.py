"""Records in files and streams, and work that ends the process it runs in: for tests of checks over several workers."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import msgspec

import kernelindex_schema as kix
from kernelindex_schema.shares import Share

EXAMPLES = Path(__file__).parents[2] / "examples" / "valid"


def record(number: int, name: str | None = None) -> dict[str, Any]:
    """A record of its own name and digest; by default both say the number."""
    plain: dict[str, Any] = msgspec.to_builtins(kix.read(EXAMPLES / "liger-rope-backward.txt"))
    run = plain["run"]
    run["metadata"]["name"] = name or f"run-{number}"
    run["spec"]["implementationDigest"] = f"sha256:{number:064x}"
    return plain


def line(plain: dict[str, Any]) -> bytes:
    return json.dumps(plain, separators=(",", ":")).encode() + b"\n"


def varied_lines(count: int) -> list[bytes]:
    """Lines with every sort of trouble among good records: findings of one line, and of lines far apart."""
    lines: list[bytes] = []
    for number in range(count):
        match number % 23:
            case 3:
                lines.append(b"\n" if number % 2 else b" \t\r\n")
            case 5:
                lines.append(b'{"run": \n')
            case 7:
                lines.append(line(record(number, "one-name-for-many")))
            case 11:
                lines.append(line(record(11)))
            case 13:
                plain = record(number)
                plain["run"]["spec"]["timing"]["latencyNs"]["median"] = 410
                lines.append(line(plain))
            case 17:
                lines.append(line(record(number)).replace(b"\n", b"\r\n"))
            case 19:
                lines.append(b"not JSON }\n")
            case _:
                lines.append(line(record(number)))
    return lines


def kills(file: str) -> bool:
    """Whether the work below ends at this file."""
    return os.path.basename(file).startswith("kills")


def kill_once(mark: str, work: Any, share: Share) -> Any:
    """Ends the process the first time that a file named ``kills…`` is among those to check."""
    if any(kills(file) for file in share.files) and not os.path.exists(mark):
        with open(mark, "wb"):
            os.kill(os.getpid(), signal.SIGKILL)
    return work(share)


def kill_always(work: Any, share: Share) -> Any:
    """Ends the process every time."""
    if any(kills(file) for file in share.files):
        os.kill(os.getpid(), signal.SIGKILL)
    return work(share)
