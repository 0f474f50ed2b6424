"""Canonical bytes are those of RFC 8785, value for value: rfc8785 is the oracle."""

from __future__ import annotations

import math
import os
import random
import struct
from typing import Any

import rfc8785

from kernelindex_schema.identity import canonical_json

COUNT = 1_000_000 if "KIX_EXAMPLES" in os.environ else 100_000
LARGEST = 2**53 - 1

# Where RFC 8785 sorts by UTF-16 units, these sort otherwise by code points.
CHARACTERS = [
    *(chr(code) for code in range(0x20)),
    *'aAzZ09"\\/<>&\x7f\x80\x85\xa0éß',
    *"\u2028\u2029\u20ac\ud7ff\ue000\ufb33\ufdd0\ufeff\ufffd\uffff",
    *"\U00010000\U0001f600\U0001f99c\U000fffff\U00100000\U0010ffff",
]


def random_double(source: random.Random) -> float:
    """Any finite double: every bit pattern is as likely as another, or one of every decimal magnitude."""
    while True:
        if source.random() < 0.5:
            number = struct.unpack("<d", source.getrandbits(64).to_bytes(8, "little"))[0]
        else:
            digits = source.getrandbits(source.choice([1, 4, 16, 32, 53]))
            number = float(f"{source.choice(['', '-'])}{digits}e{source.randint(-30, 30)}")
        if math.isfinite(number):
            return float(number)


def neighbours_of_a_power_of_ten(source: random.Random) -> float:
    number = float(f"1e{source.randint(-20, 25)}")
    for _ in range(source.randint(0, 3)):
        number = math.nextafter(number, source.choice([0.0, math.inf]))
    return source.choice([number, -number])


def random_integer(source: random.Random) -> int:
    return source.choice([-1, 1]) * (source.getrandbits(source.choice([1, 3, 8, 16, 31, 32, 33, 53])) & LARGEST)


def random_text(source: random.Random) -> str:
    return "".join(source.choices(CHARACTERS, k=source.choice([0, 1, 1, 2, 3, 8])))


def random_value(source: random.Random, depth: int = 0) -> Any:
    roll = source.random()
    if depth < 3 and roll < 0.25:
        return {random_text(source): random_value(source, depth + 1) for _ in range(source.randint(0, 4))}
    if depth < 3 and roll < 0.35:
        return [random_value(source, depth + 1) for _ in range(source.randint(0, 3))]
    if roll < 0.6:
        return random_double(source)
    if roll < 0.65:
        return neighbours_of_a_power_of_ten(source)
    if roll < 0.75:
        return random_integer(source)
    if roll < 0.95:
        return random_text(source)
    return source.choice([True, False, 0.0, -0.0, "", {}, []])


def test_canonical_bytes_of_hostile_values() -> None:
    source = random.Random(8785 if COUNT == 100_000 else None)
    kinds: dict[type, int] = {}
    for _ in range(COUNT):
        value = random_value(source)
        kinds[type(value)] = kinds.get(type(value), 0) + 1
        assert canonical_json(value) == rfc8785.dumps(value), repr(value)
    assert set(kinds) == {dict, list, float, int, str, bool}
    assert kinds[float] > COUNT / 5


def test_every_magnitude_of_a_double() -> None:
    """Each power of two and of ten that a double reaches, and the doubles beside them."""
    tried = 0
    for number in (*(2.0**power for power in range(-1074, 1024)), *(float(f"1e{power}") for power in range(-323, 309))):
        for each in (math.nextafter(number, 0.0), number, math.nextafter(number, math.inf)):
            if math.isfinite(each):
                assert canonical_json(each) == rfc8785.dumps(each)
                assert canonical_json([-each]) == rfc8785.dumps([-each])
                tried += 1
    assert tried > 8_000


def test_keys_sort_by_utf16_units() -> None:
    value = {key: index for index, key in enumerate(CHARACTERS)}
    assert canonical_json(value) == rfc8785.dumps(value)
    assert canonical_json({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()
