"""Short forms of what a codec says of a piece, so that tests state the whole list."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kernelindex_schema.codecs.document import Examined, Fault, Piece, Refused
from kernelindex_schema.codecs.formats import FORMATS
from kernelindex_schema.findings import dotted_path


def line_of(fault: Fault) -> str:
    """Rule, place and path of a fault: ``KIX005 2:3-2:9 key spec.timing``."""
    parts = [fault.rule]
    if (at := fault.position) is not None:
        parts.append(f"{at.line}:{at.column}-{at.end_line}:{at.end_column}")
    if fault.at_key:
        parts.append("key")
    if fault.path:
        parts.append(dotted_path(fault.path))
    return " ".join(parts)


@pytest.fixture
def examined() -> Callable[..., Examined]:
    """Examines one piece of a format, and holds that the fast way says nothing else."""

    def examine(form: str, data: str | bytes, *, first_line: int = 1) -> Examined:
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        codec = FORMATS[form].codec()
        piece = Piece(index=first_line - 1, data=raw, first_line=first_line)
        careful = codec.examine(piece)
        try:
            value = codec.decode(piece)
        except Refused:
            pass
        else:
            left_to_the_kinds = {"KIX006", "KIX009"} if form in ("json", "jsonl", "page") else set()
            told = {fault.rule for fault in careful.faults}
            assert told <= left_to_the_kinds, "the fast way passes over a fault"
            assert told or repr(value) == repr(careful.value)
        return careful

    return examine


@pytest.fixture
def told(examined: Callable[..., Examined]) -> Callable[..., list[str]]:
    """The faults of one piece, a line each; the first says so where the value cannot be used."""

    def tell(form: str, data: str | bytes, *, first_line: int = 1) -> list[str]:
        careful = examined(form, data, first_line=first_line)
        return ([] if careful.readable else ["unreadable"]) + [line_of(fault) for fault in careful.faults]

    return tell
