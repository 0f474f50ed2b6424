"""Rows of a collection: what is kept of every manifest for what is asked of all documents together."""

from __future__ import annotations

from typing import Any

import msgspec

from kernelindex_schema.findings import Path
from kernelindex_schema.v1alpha1 import KINDS, Manifest

__all__ = ["Batch", "Definition", "Pending", "Sighting", "packed_manifest", "unpacked_manifest"]


class Sighting(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A manifest that was met: what it is, and where."""

    kind: str
    name: str
    digest: str
    file: str
    document: int
    path: Path
    inside_record: bool = False
    """Whether it is the protocol or environment of a record, which every record repeats."""
    identity: str | None = None
    """Of a run: 16 digits of each of its four digests, for KIX507."""
    provenance: tuple[str, str, str] | None = None
    """Of a run: source, benchmark and case, as far as it tells them."""
    references: tuple[str, ...] = ()
    """The digests that it refers to, in the order of its kind's references, where they are to be looked up."""


class Definition(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A manifest that others are compared with: an operation, a serving configuration."""

    kind: str
    digest: str
    manifest: bytes


class Pending(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A manifest that is compared with the one that it refers to, as soon as all documents were met."""

    sighting: Sighting
    kind: str
    wanted: str
    """Kind and digest of its counterpart."""
    manifest: bytes


class Batch(msgspec.Struct, array_like=True):
    """Some rows on their way between processes."""

    sightings: list[Sighting] = []
    definitions: list[Definition] = []
    pending: list[Pending] = []


packed_manifest = msgspec.msgpack.Encoder().encode
"""A manifest as bytes: a hundred objects less for every one that is kept."""


def unpacked_manifest(kind: str, data: bytes) -> Any:
    """The manifest again."""
    manifest: Manifest = msgspec.msgpack.decode(data, type=KINDS[kind].manifest)
    return manifest
