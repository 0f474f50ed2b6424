"""The formats that a document may have, and how a name or the first bytes of a file tell which one it is.

Everything that speaks of formats (command choices, messages, the documentation) reads the table :data:`FORMATS`.
Codecs are imported when they are first asked for: YAML and TOML are slow to load and seldom both needed.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import BinaryIO, cast

import msgspec

from kernelindex_schema.codecs.document import MAX_MANIFEST_BYTES, MAX_SUBMISSION_BYTES, Codec, Fault, Piece

__all__ = [
    "COMPRESSIONS",
    "FORMATS",
    "HEAD_BYTES",
    "KNOWN_SUFFIXES",
    "Compression",
    "Format",
    "format_of",
    "other_format",
    "pieces",
    "sniff",
]

HEAD_BYTES = 65_536
"""How much of a file :func:`sniff` is best given."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One format."""

    name: str
    """What ``--input-format`` and the functions of the library call it."""
    suffixes: tuple[str, ...]
    """The endings of file names that mean it, the usual one first; they count in any case."""
    title: str
    """What people call it."""
    summary: str
    """One sentence for help texts and the documentation."""
    is_text: bool
    """Whether it is text, so that lines and columns mean something."""
    holds_streams: bool
    """Whether one file may hold several documents."""
    limit: int | None
    """The most bytes a whole file may have, also after it is expanded; None where only its documents are bounded."""
    room: str
    """Module and class of the codec."""

    def codec(self) -> Codec:
        """The codec, always the same instance; the first call imports it."""
        found = _codecs.get(self.name)
        if found is None:
            module, _, name = self.room.partition(":")
            found = _codecs[self.name] = cast("Codec", getattr(importlib.import_module(module), name)())
        return found


class Compression(msgspec.Struct, frozen=True, kw_only=True):
    """One way to pack a file of any format."""

    name: str
    suffix: str
    title: str


_codecs: dict[str, Codec] = {}

FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format(
            name="json",
            suffixes=(".json",),
            title="JSON",
            summary="One document as strict RFC 8259 text in UTF-8",
            is_text=True,
            holds_streams=False,
            limit=MAX_SUBMISSION_BYTES,
            room="kernelindex_schema.codecs.json:JsonCodec",
        ),
        Format(
            name="jsonl",
            suffixes=(".jsonl", ".ndjson"),
            title="JSON Lines",
            summary="One JSON document a line; blank lines are passed over",
            is_text=True,
            holds_streams=True,
            limit=None,
            room="kernelindex_schema.codecs.jsonl:JsonlCodec",
        ),
        Format(
            name="yaml",
            suffixes=(".yaml", ".yml"),
            title="YAML",
            summary="YAML 1.2 core schema; several documents are parted by '---'",
            is_text=True,
            holds_streams=True,
            limit=None,
            room="kernelindex_schema.codecs.yaml:YamlCodec",
        ),
        Format(
            name="toml",
            suffixes=(".toml",),
            title="TOML",
            summary="One document as TOML 1.0; a date-time stands for the text of an instant",
            is_text=True,
            holds_streams=False,
            limit=MAX_MANIFEST_BYTES,
            room="kernelindex_schema.codecs.toml:TomlCodec",
        ),
        Format(
            name="msgpack",
            suffixes=(".msgpack",),
            title="MessagePack",
            summary="One document as MessagePack, without extension types and binary strings",
            is_text=False,
            holds_streams=False,
            limit=MAX_SUBMISSION_BYTES,
            room="kernelindex_schema.codecs.messagepack:MessagePackCodec",
        ),
        Format(
            name="page",
            suffixes=(".txt",),
            title="record page",
            summary="A title line, an empty line, then a record as JSON",
            is_text=True,
            holds_streams=False,
            limit=MAX_MANIFEST_BYTES,
            room="kernelindex_schema.codecs.page:PageCodec",
        ),
    )
}

COMPRESSIONS: dict[str, Compression] = {
    "gz": Compression(name="gz", suffix=".gz", title="gzip"),
    "zst": Compression(name="zst", suffix=".zst", title="Zstandard"),
}

_BY_SUFFIX = {suffix: each for each in FORMATS.values() for suffix in each.suffixes}
_BY_PACKED_SUFFIX = {each.suffix: each.name for each in COMPRESSIONS.values()}

KNOWN_SUFFIXES = (
    " ".join(suffix for each in FORMATS.values() for suffix in each.suffixes)
    + ", each also with "
    + " or ".join(each.suffix for each in COMPRESSIONS.values())
)
"""The suffixes as a message lists them."""


def format_of(name: str) -> tuple[Format | None, str | None]:
    """What the name of a file says: its format, and how it is packed (``"gz"``, ``"zst"``), each None if it does not.

    Letter case does not matter, and folders in the name do not either.
    """
    stem, suffix = _cut_suffix(name)
    compression = _BY_PACKED_SUFFIX.get(suffix)
    if compression is not None:
        _, suffix = _cut_suffix(stem)
    return _BY_SUFFIX.get(suffix), compression


def _cut_suffix(name: str) -> tuple[str, str]:
    # A name that is nothing but a suffix, such as ".json", still says what it holds.
    stem, dot, suffix = name.rpartition(".")
    if not dot or "/" in suffix or "\\" in suffix:
        return name, ""
    return stem, "." + suffix.lower()


_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"  # RFC 8878, section 3.1.1
_ZSTD_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")  # section 3.1.2

_COMMENTS = rb"(?:\#[^\n]*+(?:\n\s*+|\Z))*+"
_PAGE = rb"[^\r\n{\[][^\r\n]*+\r?\n[ \t]*+\r?\n\s*+\{"
_TOML = (
    _COMMENTS
    + rb"""(?:
        [A-Za-z0-9_.-]++[ \t]*+=(?!=)                              # key =
      | "[^"\r\n]*+"[ \t]*+=(?!=)                                 # "key" =
      | \[\[?+[A-Za-z0-9_."' \t-]++\]\]?+[ \t]*+(?:\#[^\n]*+)?\r?\n  # [table]
    )"""
)
_YAML = (
    _COMMENTS
    + rb"""(?:
        ["']?[^\s"'\#{}\[\],&*!|>%@`:]                                          # key:
        (?:[^\r\n"':]++|:(?![ \t\r\n]|\Z))*+(?:["'][ \t]*+)?:(?:[ \t]|\r?\n|\Z)
      | ---(?:\s|\Z)
      | %YAML[ \t]
      | -[ \t]
      | [!&*]
    )"""
)


def sniff(head: bytes) -> tuple[Format | None, str | None]:
    """What the first bytes of a file say: its format, and how it is packed, each None if they do not tell.

    Meant for standard input and for an archive whose name has no inner suffix. ``head`` should hold the first
    :data:`HEAD_BYTES`; of a packed file only the packing is told, and the caller asks again with what it expands to.
    """
    if head.startswith(_GZIP_MAGIC):
        return None, "gz"
    if head.startswith(_ZSTD_MAGIC) or _ZSTD_SKIPPABLE.match(head):
        return None, "zst"
    text = head.removeprefix(b"\xef\xbb\xbf")
    name = _sniffed_text(text) if text else None
    return (FORMATS[name] if name else None), None


def _sniffed_text(head: bytes) -> str | None:
    if head[0] in b"\xde\xdf" or 0x80 <= head[0] <= 0x8F:
        # A map of up to 15 entries, or one of 16 or 32 bits length: no UTF-8 text begins so.
        return "msgpack"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        # UTF-16, which every text codec refuses by its name.
        return "json"
    text = head.lstrip(b" \t\r\n")
    if text.startswith(b"{"):
        return "jsonl" if _holds_json_lines(text) else "json"
    if re.match(_TOML, text, re.VERBOSE):
        return "toml"
    if text.startswith(b"["):
        return "json"
    if re.match(_PAGE, head):
        return "page"
    if re.match(_YAML, text, re.VERBOSE):
        return "yaml"
    return None


def _holds_json_lines(text: bytes) -> bool:
    """Whether one line looks like a whole object and another one begins after it."""
    line, _, rest = text.partition(b"\n")
    return line.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")


def other_format(data: bytes, claimed: str) -> str | None:
    """The hint that a text which is not of the format claimed looks like another one."""
    found, _ = sniff(data[:HEAD_BYTES])
    if found is None or found.name == claimed or {found.name, claimed} <= {"json", "jsonl"}:
        return None
    title = f"a {found.title}" if found.name == "page" else found.title
    return f"it looks like {title}: name the file {found.suffixes[0]}, or say --input-format {found.name}"


def pieces(form: Format, stream: BinaryIO) -> Iterator[Piece]:
    """The documents of a file, as its codec splits it; where the archive it lies in is damaged, the last piece says so.

    What came whole out of the archive before the damage is still given. Errors of the operating system pass.
    """
    from kernelindex_schema.codecs.archive import DamagedArchive

    following, line = 0, 1
    try:
        for piece in form.codec().split(stream):
            following, line = piece.index + 1, piece.first_line
            yield piece
    except DamagedArchive as damage:
        fault = Fault(rule="KIX012", message=str(damage), hint=damage.hint)
        yield Piece(index=following, data=b"", first_line=line, faults=(fault,))
