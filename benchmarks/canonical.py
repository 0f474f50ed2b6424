"""The canonical form against the rfc8785 package: equal over millions of doubles and many hostile values."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator
from typing import Any

import rfc8785

from kernelindex_schema.identity import canonical_json

CHARACTERS = 'aZ09 \t\n"\\/\u0000\u001f\u007f\u0080é\u2028\ud7ff\ue000\uffff\U00010000\U0010ffff'
MANY = 100


def compare_doubles(count: int, seed: int = 7) -> Iterator[tuple[str, float]]:
    """Doubles of random bits, of usual magnitudes and of single precision, as numbers of a list."""
    pick = random.Random(seed)
    differ = 0
    for _ in range(max(1, count // MANY)):
        numbers = [number for number in (_double(pick) for _ in range(MANY)) if math.isfinite(number)]
        differ += canonical_json({"numbers": numbers}) != rfc8785.dumps({"numbers": numbers})
    yield f"{count:,} doubles", count
    yield "differences from rfc8785", differ


def _double(pick: random.Random) -> float:
    number: float
    match pick.randrange(4):
        case 0:
            (number,) = struct.unpack("<d", pick.randbytes(8))
        case 1:
            (number,) = struct.unpack("<f", pick.randbytes(4))
        case 2:
            number = pick.choice((-1, 1)) * 10 ** pick.uniform(-9, 23)
        case _:
            number = float(pick.randrange(-(10**17), 10**17)) * 10.0 ** pick.randrange(-25, 8)
    return number


def compare_values(count: int, seed: int = 7) -> Iterator[tuple[str, float]]:
    """Nested values whose keys and texts hold what sorts and escapes in odd ways."""
    pick = random.Random(seed)
    differ = 0
    for _ in range(count):
        value = {_text(pick): _value(pick, 3) for _ in range(pick.randrange(8))}
        differ += canonical_json(value) != rfc8785.dumps(value)
    yield f"{count:,} values", count
    yield "differences from rfc8785", differ


def _text(pick: random.Random) -> str:
    return "".join(pick.choices(CHARACTERS, k=pick.randrange(6)))


def _value(pick: random.Random, depth: int) -> Any:
    match pick.randrange(7 if depth else 5):
        case 0:
            return pick.choice((None, True, False))
        case 1:
            return pick.randrange(-(2**53) + 1, 2**53)
        case 2:
            number = _double(pick)
            return number if math.isfinite(number) else 0.0
        case 3 | 4:
            return _text(pick)
        case 5:
            return [_value(pick, depth - 1) for _ in range(pick.randrange(5))]
        case _:
            return {_text(pick): _value(pick, depth - 1) for _ in range(pick.randrange(5))}
