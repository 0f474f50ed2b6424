"""Input made to take time or memory is refused within 5 s and 512 MB, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import io, sys, time
from kernelindex_schema.codecs.document import Refused
from kernelindex_schema.codecs.formats import FORMATS

SIZE = {size} - 300
codec = FORMATS[{form!r}].codec()
(piece,) = codec.split(io.BytesIO({data}))
start = time.process_time()
try:
    codec.decode(piece)
    accepted = True
except Refused:
    accepted = False
examined = codec.examine(piece)
if examined.readable:
    examined.locate(("runs", 1_000_000), False)
    examined.locate((), True)
seconds = time.process_time() - start
assert accepted is False
assert seconds < 5, seconds
assert len(examined.faults) <= 1_000
print(examined.faults[0].rule)
try:
    import resource
except ImportError:  # not on Windows
    sys.exit()
taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
assert taken < 512, taken
"""

LARGE = 64 * 1024 * 1024
SMALL = 1024 * 1024


@pytest.mark.parametrize(
    ("form", "size", "data", "rule"),
    [
        ("json", LARGE, """b'{"runs":[' + b"[]," * (SIZE // 3) + b"1]}" """, "KIX003"),
        ("json", LARGE, """b'{"runs":[' + b"0," * 3_500_000 + b" " * 50_000_000 + b"NaN]}" """, "KIX003"),
        ("json", LARGE, """b'{"a":"' + b"a" * (SIZE - 20) + "😀".encode() + b'"}' """, "KIX003"),
        ("json", LARGE, r"""b'"' + b"\\" * SIZE""", "KIX004"),
        ("json", LARGE, """b"{" + b'"a":0,' * 3_000_000 + b'"a":1}' """, "KIX005"),
        ("json", LARGE, """b"[" * SIZE """, "KIX003"),
        ("msgpack", LARGE, r"""b"\xdd" + SIZE.to_bytes(4, "big") + bytes(SIZE)""", "KIX003"),
        ("msgpack", LARGE, r"""b"\xdd" + (SIZE // 4).to_bytes(4, "big") + b"\x81\xa1a\x00" * (SIZE // 4)""", "KIX003"),
        ("toml", SMALL, r"""b"[" + b"a." * 100_000 + b"a]\n" + b"x=1\n" * 200_000""", "KIX006"),
        ("toml", SMALL, r"""b"x={" + b"a." * 400_000 + b"a=1}" """, "KIX006"),
        ("toml", SMALL, r"""b"[" + b"a." * 60 + b"a]\n" + b"".join(b"x%d=1\n" % n for n in range(90_000))""", "KIX003"),
        ("toml", SMALL, r"""b'\\"\"\"\"\n' * 150_000""", "KIX004"),
        ("toml", SMALL, r"""b"x=[" + b"2024-01-01," * 90_000 + b"nan]" """, "KIX009"),
        ("toml", SMALL, r"""b"x=" + b"9" * (SIZE - 3)""", "KIX009"),
    ],
)
def test_it_ends_soon_and_in_little_memory(form: str, size: int, data: str, rule: str) -> None:
    program = PROGRAM.format(form=form, size=size, data=data)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == rule
