"""Inputs that are built to exhaust a reader end in under 5 s of work and under 512 MB."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from packing import gz, zst

resource = pytest.importorskip("resource")

SECONDS = 5.0
MEGABYTES = 512

MANIFEST = b'{"apiVersion": "kernelindex.dev/v1alpha1", "kind": "OperationSpec", "metadata": {"name": "a"}, "spec": '
RUN = MANIFEST.replace(b"OperationSpec", b"BenchmarkRun")
MEBIBYTE = 1 << 20


def many(unit: bytes, size: int = MEBIBYTE) -> bytes:
    return unit * (size // len(unit))


def numbered(unit: str, count: int) -> bytes:
    return "".join(unit.replace("#", str(index)) for index in range(count)).encode()


HOSTILE: dict[str, Callable[[], bytes]] = {
    # Deep nesting.
    "deep.json": lambda: many(b"["),
    "deep-maps.json": lambda: many(b'{"a":'),
    "deep-64-mib.json": lambda: many(b"[", 63 * MEBIBYTE),
    "deep.jsonl": lambda: many(b"[", 100_000) + b"\n",
    "deep-flow.yaml": lambda: many(b"["),
    "deep-blocks.yaml": lambda: many(b"- "),
    "deep-keys.yaml": lambda: b"".join(b" " * depth + b"a:\n" for depth in range(1400)),
    "deep.toml": lambda: b"a = " + many(b"["),
    "deep-key.toml": lambda: many(b"a.") + b"a = 1",
    "deep-tables.toml": lambda: many(b"[a.b.c]\n"),
    "deep.msgpack": lambda: many(b"\x91"),
    "deep-64-mib.msgpack": lambda: many(b"\x81\xa1a", 63 * MEBIBYTE),
    "deep.txt": lambda: b"A title\n\n" + many(b"["),
    # Huge lists and maps.
    "long-list.json": lambda: b'{"runs": [' + many(b"1,", 63 * MEBIBYTE) + b"1]}",
    "long-list-of-maps.json": lambda: b'{"runs": [' + many(b"{},", 63 * MEBIBYTE) + b"{}]}",
    "bad-manifests.json": lambda: b'{"projects": [' + many(b'{"kind": "SoftwareProject"},', 20 * MEBIBYTE) + b"{}]}",
    "long-list.msgpack": lambda: b"\xdd\x03\xf0\x00\x00" + b"\x01" * 0x3F00000,
    "huge-header.msgpack": lambda: b"\xdf\xff\xff\xff\xff",
    "long-list.yaml": lambda: b"runs:\n" + many(b"- {}\n", MEBIBYTE - 6),
    "long-flow.yaml": lambda: b"runs: [\n" + many(b" 1,\n", MEBIBYTE // 2) + b" 1]\n",
    "many-tables.toml": lambda: numbered("[a#]\n", 60_000),
    "many-unknown.json": lambda: MANIFEST + b"{" + numbered('"x#": 1, ', 60_000) + b'"y": 1}}',
    "many-sections.json": lambda: b"{" + numbered('"x#": 1, ', 60_000) + b'"runs": []}',
    # Aliases.
    "laughs.yaml": lambda: b"a: &a [x]\n" + numbered("a#: &a [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n", 30),
    "self.yaml": lambda: b"a: &a [*a, *a]\n",
    "anchors.yaml": lambda: numbered("a#: &a# x\n", 60_000),
    # Archives that swell.
    "bomb.json.gz": lambda: gz(many(b" ", 200 * MEBIBYTE)),
    "bomb.json.zst": lambda: zst(many(b" ", 200 * MEBIBYTE)),
    "bomb.jsonl.zst": lambda: zst(many(b"x", 200 * MEBIBYTE)),
    "bomb.yaml.gz": lambda: gz(many(b"a", 200 * MEBIBYTE)),
    "bomb.toml.zst": lambda: zst(many(b"#", 200 * MEBIBYTE)),
    "bomb-of-lines.jsonl.gz": lambda: gz(many(b"\n", 200 * MEBIBYTE)),
    "bomb.gz": lambda: gz(many(b" ", 200 * MEBIBYTE)),
    # Long lines, texts, keys and numbers.
    "long-line.jsonl": lambda: many(b"x", 100 * MEBIBYTE),
    "long-line.yaml": lambda: many(b"x", 100 * MEBIBYTE),
    "long-title.txt": lambda: many(b"{"),
    "long-text.json": lambda: MANIFEST + b'"' + many(b"\\ud83d", MEBIBYTE - 200) + b'"}',
    "long-key.json": lambda: (
        MANIFEST + b'{"axes": {"' + many(b"k", 900_000) + b'": {' + numbered('"x#": 1, ', 200) + b'"y": 1}}}}'
    ),
    "long-number.json": lambda: RUN + b'{"timing": {"latencyNs": {"median": ' + many(b"1", 900_000) + b"}}}}",
    "long-number.yaml": lambda: b"a: " + many(b"1", 900_000),
    "long-hexadecimal.yaml": lambda: b"a: 0x" + many(b"1", 900_000),
    "long-number.toml": lambda: b"a = " + many(b"1", 900_000),
    "long-duration.json": lambda: RUN + b'{"timing": {"latencyNs": {"median": "' + many(b"1", 900_000) + b' ns"}}}}',
    "long-comment.yaml": lambda: many(b"#\n"),
    "spaces.yaml": lambda: b"a" + many(b" "),
    # Many findings.
    "doubled-keys.json": lambda: b"{" + many(b'"a": 1,') + b'"a": 1}',
    "doubled-keys.yaml": lambda: many(b"a: 1\n"),
    "many-binaries.msgpack": lambda: b"\xdd\x00\x07\x00\x00" + b"\xc4\x00" * 0x70000,
    "many-faults.jsonl": lambda: (MANIFEST + b"{" + numbered('"x#": 1, ', 120) + b'"y": 1}}\n') * 200,
    # Many documents of garbage.
    "garbage.jsonl": lambda: b"1\n" * 20_000,
    "garbage.yaml": lambda: b"--- a\n" * 8_000,
    # Meaning that costs: axes that go round, arguments and measurements without end.
    "circle.json": lambda: (
        MANIFEST
        + b'{"family": "a", "axes": {'
        + b",".join(
            b'"a%d": {"role": "derived", "type": "integer", "expression": "a%d"}' % (at, (at + 1) % 6000)
            for at in range(6000)
        )
        + b'}, "inputs": [{"name": "x", "scalar": {"dtype": "a"}}],'
        b' "outputs": [{"name": "y", "scalar": {"dtype": "a"}}],'
        b' "semantics": {"mutation": "none", "determinism": "unspecified"}}}'
    ),
    "measurements.json": lambda: (
        RUN + b'{"implementationDigest": "sha256:%b", "workloadDigest": "sha256:%b", "protocolDigest": "sha256:%b",'
        b' "environmentDigest": "sha256:%b", "status": "passed", "observedAt": "2026-01-31T12:00:00Z",'
        b' "measurements": ['
        % ((b"1" * 64,) * 4)
        + b",".join([b'{"metric": "latency", "unit": "ms", "statistic": "p20", "value": 1}'] * 12_000)
        + b"]}}"
    ),
}

# These take more than a second each; KIX_EXAMPLES=100 tries them, too.
COSTLY = {
    *("long-key.json", "many-faults.jsonl", "bad-manifests.json", "bomb-of-lines.jsonl.gz", "doubled-keys.yaml"),
    *("long-list.yaml", "long-flow.yaml", "many-tables.toml", "long-list.msgpack", "bomb.yaml.gz", "bomb.gz"),
    *("long-list-of-maps.json", "bomb.json.gz", "deep-64-mib.json", "long-line.yaml", "deep-64-mib.msgpack"),
}
TRIED = [name for name in HOSTILE if name not in COSTLY or "KIX_EXAMPLES" in os.environ]

CHILD = """
import json, resource, sys, time
from kernelindex_schema import check
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
began = time.process_time()
report = check(sys.argv[1])
took = time.process_time() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps([took, peak / 1e6, len(report.findings), sorted({each.rule for each in report.findings})]))
"""


@pytest.mark.parametrize("name", TRIED)
def test_a_hostile_input_ends_early(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(HOSTILE[name]())
    done = subprocess.run(
        [sys.executable, "-c", CHILD, os.fspath(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    took, peak, findings, rules = json.loads(done.stdout)
    assert took < SECONDS, f"{took:.1f} s"
    assert peak < MEGABYTES, f"{peak:.0f} MB"
    assert findings
    assert "KIX002" not in rules
