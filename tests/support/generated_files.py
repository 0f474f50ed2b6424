"""Faulty files that are too large, too odd or too binary to be committed, made by code.

The fault names the folder, as with the committed ones, and their findings are expected in the same ``expected.json``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from packing import PACKINGS, gz, zst

INVALID = Path(__file__).parents[1] / "fixtures" / "invalid"

MANIFEST_BOUND = 1_048_576
SUBMISSION_BOUND = 64 * 1024 * 1024
FORM_BOUND = 262_144

TINY: dict[str, Any] = {
    "apiVersion": "kernelindex.dev/v1alpha1",
    "kind": "SoftwareProject",
    "metadata": {"name": "tiny"},
    "spec": {"name": "Tiny"},
}
OTHER = TINY | {"metadata": {"name": "another"}, "spec": {"name": "Another"}}

JSON = json.dumps(TINY, indent=2).encode() + b"\n"
LINE = json.dumps(TINY).encode() + b"\n"
OTHER_LINE = json.dumps(OTHER).encode() + b"\n"
THIRD_LINE = OTHER_LINE.replace(b"another", b"third").replace(b"Another", b"Third")
PAGE = b"Tiny\n\n" + JSON
YAML = b"apiVersion: kernelindex.dev/v1alpha1\nkind: SoftwareProject\nmetadata: {name: tiny}\nspec:\n  name: Tiny\n"
TOML = (
    b"apiVersion = 'kernelindex.dev/v1alpha1'\nkind = 'SoftwareProject'\nmetadata.name = 'tiny'\nspec.name = 'Tiny'\n"
)
PACKED = msgspec.msgpack.encode(TINY)

BY_SUFFIX = {"json": JSON, "jsonl": LINE, "yaml": YAML, "toml": TOML, "txt": PAGE}

Build = Callable[[], bytes]


def large_submission(size: int) -> dict[str, Any]:
    """A valid submission whose compact JSON has at least so many bytes."""
    projects = []
    total = 0
    while total < size:
        name = f"project-{len(projects)}"
        project = TINY | {"metadata": {"name": name, "description": "x" * 2000}, "spec": {"name": name}}
        projects.append(project)
        total += len(json.dumps(project))
    return {"projects": projects}


def _too_large() -> Iterator[tuple[str, Build]]:
    yield "blanks.json", lambda: JSON + b" " * (MANIFEST_BOUND + 1 - len(JSON))
    yield (
        "line.jsonl",
        lambda: OTHER_LINE + LINE.rstrip() + b" " * (MANIFEST_BOUND + 1 - len(LINE)) + b" \n" + THIRD_LINE,
    )
    yield "comment.yaml", lambda: YAML + b"#" * (MANIFEST_BOUND + 1 - len(YAML))
    yield "second-document.yaml", lambda: YAML + b"---\n" + b"#" * MANIFEST_BOUND + b"\n" + YAML
    yield "comment.toml", lambda: TOML + b"#" * (MANIFEST_BOUND + 1 - len(TOML))
    yield "blanks.txt", lambda: PAGE + b" " * (MANIFEST_BOUND + 1 - len(PAGE))
    yield "text.msgpack", lambda: msgspec.msgpack.encode(TINY | {"spec": {"name": "x" * MANIFEST_BOUND}})
    yield "submission.json", lambda: b'{"projects": []' + b" " * SUBMISSION_BOUND + b"}"
    yield "submission.msgpack", lambda: msgspec.msgpack.encode({"projects": ["x" * SUBMISSION_BOUND]})


def _syntax() -> Iterator[tuple[str, Build]]:
    yield "cut.msgpack", lambda: PACKED[:-3]
    yield "bytes-after.msgpack", lambda: PACKED + b"\xc0"
    yield "no-value.msgpack", lambda: PACKED[:-5] + b"\xc1"
    yield "huge-list.msgpack", lambda: b"\xdd\xff\xff\xff\xff"
    yield "huge-map.msgpack", lambda: b"\xdf\xff\xff\xff\xff\xa1a"
    yield "huge-text.msgpack", lambda: b"\xdb\xff\xff\xff\xffabc"
    yield "zero.json", lambda: JSON.replace(b'"Tiny"', b'"Tiny\x00"')


def _duplicates() -> Iterator[tuple[str, Build]]:
    spec = b"\x82" + msgspec.msgpack.encode("name") + msgspec.msgpack.encode("Tiny")
    doubled = spec + msgspec.msgpack.encode("name") + msgspec.msgpack.encode("Tiny")
    yield "twice.msgpack", lambda: PACKED.replace(msgspec.msgpack.encode({"name": "Tiny"}), doubled)


def _depth() -> Iterator[tuple[str, Build]]:
    deep = TINY | {"spec": {"name": json.loads("[" * 63 + "]" * 63)}}
    yield "65-levels.msgpack", lambda: msgspec.msgpack.encode(deep)


def _encodings() -> Iterator[tuple[str, Build]]:
    for suffix, text in BY_SUFFIX.items():
        accented = text.decode().replace("Tiny", "Tin\u00ff")
        yield f"latin-1.{suffix}", lambda text=accented: text.encode("latin-1")
        yield f"utf-16.{suffix}", lambda text=accented: text.encode("utf-16")
        yield f"utf-16-without-mark.{suffix}", lambda text=accented: text.encode("utf-16-be")
        yield f"surrogate.{suffix}", lambda text=text: text.replace(b"Tiny", b"Tiny \xed\xa0\xbe")
    yield "second-line.jsonl", lambda: OTHER_LINE + LINE.replace(b"Tiny", b"Tin\xff")
    yield "second-document.yaml", lambda: YAML + b"---\n" + YAML.replace(b"Tiny", b"Tin\xff").replace(b"tiny", b"other")
    yield "latin-1.msgpack", lambda: PACKED.replace(b"Tiny", b"Tin\xff")
    yield "key.msgpack", lambda: PACKED.replace(b"\xa4name\xa4Tiny", b"\xa4nam\xff\xa4Tiny")


def _non_finite() -> Iterator[tuple[str, Build]]:
    spec = {"streaming": True, "loadGeneration": "open_loop", "requestRatePerSecond": 0.0}
    whole = msgspec.msgpack.encode(TINY | {"kind": "ServingWorkload", "spec": spec})
    for name, number in (
        ("nan", b"\xcb\x7f\xf8" + bytes(6)),
        ("infinity", b"\xcb\x7f\xf0" + bytes(6)),
        ("minus-infinity-of-32-bits", b"\xca\xff\x80\x00\x00"),
    ):
        yield f"{name}.msgpack", lambda number=number: whole.replace(b"\xcb" + bytes(8), number)


def _wrong_types() -> Iterator[tuple[str, Build]]:
    name = msgspec.msgpack.encode("Tiny")
    for what, stands in (
        ("binary", b"\xc4\x04Tiny"),
        ("extension", b"\xd6\x05Tiny"),
        ("timestamp", b"\xd6\xffTiny"),
    ):
        yield f"{what}.msgpack", lambda stands=stands: PACKED.replace(name, stands)
    for what, key in (("binary", b"\xc4\x04name"), ("number", b"\x01"), ("null", b"\xc0")):
        doubled = b"\x82\xa4name" + name + key + name
        yield f"key-is-{what}.msgpack", lambda doubled=doubled: PACKED.replace(b"\x81\xa4name" + name, doubled)


def _nothing() -> Iterator[tuple[str, Build]]:
    yield "nothing.msgpack", lambda: b""
    yield "null.msgpack", lambda: b"\xc0"
    yield "list.msgpack", lambda: msgspec.msgpack.encode([TINY])
    yield "empty-mapping.msgpack", lambda: b"\x80"
    yield "nothing.json.gz", lambda: gz(b"")
    yield "nothing.yaml.zst", lambda: zst(b"")


def _archives() -> Iterator[tuple[str, Build]]:
    for suffix, pack in PACKINGS.items():
        packed = pack(JSON)
        lines = pack(OTHER_LINE) + pack(LINE)
        changed = bytearray(packed)
        changed[-6 if suffix == "gz" else -1] ^= 1
        yield f"cut.json.{suffix}", lambda packed=packed: packed[:-5]
        yield f"cut.jsonl.{suffix}", lambda lines=lines: lines[:-5]
        yield f"cut.yaml.{suffix}", lambda pack=pack: pack(YAML)[:-5]
        yield f"cut.toml.{suffix}", lambda pack=pack: pack(TOML)[:-5]
        yield f"cut.msgpack.{suffix}", lambda pack=pack: pack(PACKED)[:-5]
        yield f"cut.txt.{suffix}", lambda pack=pack: pack(PAGE)[:-5]
        yield f"garbage-after.json.{suffix}", lambda packed=packed: packed + b"garbage"
        yield f"checksum.json.{suffix}", lambda changed=changed: bytes(changed)
        yield f"no-archive.json.{suffix}", lambda: JSON
        yield f"empty.json.{suffix}", lambda: b""
        yield f"past-the-bound.toml.{suffix}", lambda pack=pack: pack(TOML + b"\n" * MANIFEST_BOUND)
        yield f"past-the-bound.json.{suffix}", lambda pack=pack: pack(JSON + b"\n" * SUBMISSION_BOUND)
    yield "huge-window.json.zst", lambda: b"\x28\xb5\x2f\xfd\x00\xa8" + zst(JSON)[6:]


def _large_submissions() -> Iterator[tuple[str, Build]]:
    value = large_submission(FORM_BOUND + 1000)
    text = json.dumps(value)
    yield "submission.json", lambda: text.encode()
    yield "submission.jsonl", lambda: OTHER_LINE + text.encode() + b"\n"
    yield "submission.yaml", lambda: text.encode() + b"\n"
    yield "submission.msgpack", lambda: msgspec.msgpack.encode(large_submission(FORM_BOUND * 2))
    yield "submission.txt", lambda: b"Many projects\n\n" + text.encode()

    def toml() -> bytes:
        import tomli_w

        return tomli_w.dumps(value).encode()

    yield "submission.toml", toml


def _marks() -> Iterator[tuple[str, Build]]:
    for suffix, text in BY_SUFFIX.items():
        yield f"mark.{suffix}", lambda text=text: b"\xef\xbb\xbf" + text


def _unknown_formats() -> Iterator[tuple[str, Build]]:
    yield "tiny.dat", lambda: JSON
    yield "tiny", lambda: JSON
    yield "tiny.json.bak", lambda: JSON
    yield "odd.gz", lambda: gz(b"\x07odd")
    yield "odd.zst", lambda: zst(b"\x07odd")


def _packed(folder: Path) -> Iterator[tuple[str, Build]]:
    """A structural fault that is there as JSON and as TOML, as MessagePack too."""
    for path in sorted(folder.glob("*.json")):
        if path.with_suffix(".toml").exists():
            yield (
                path.with_suffix(".msgpack").name,
                lambda path=path: msgspec.msgpack.encode(json.loads(path.read_bytes())),
            )


_FAMILIES: dict[str, Callable[[], Iterator[tuple[str, Build]]]] = {
    "KIX003": _too_large,
    "KIX004": _syntax,
    "KIX005": _duplicates,
    "KIX006": _depth,
    "KIX008": _encodings,
    "KIX009": _non_finite,
    "KIX010": _unknown_formats,
    "KIX011": _nothing,
    "KIX012": _archives,
    "KIX013": _large_submissions,
    "KIX014": _marks,
    "KIX105": _wrong_types,
}


def generated() -> dict[str, Build]:
    """Every file, by its name below ``invalid/``."""
    found = {f"{rule}/{name}": build for rule, family in _FAMILIES.items() for name, build in family()}
    for folder in sorted(INVALID.glob("KIX1*")):
        found |= {f"{folder.name}/{name}": build for name, build in _packed(folder)}
    return found
