"""The envelope that all kinds share: the base of every struct, and the metadata.

Annotations in this package are values, not texts (no ``from __future__ import annotations``): msgspec reads each of
them, and to evaluate texts one by one would cost a start of the command 5 ms.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.scalars import HttpsUrl, ManifestName, Token

__all__ = ["Author", "Manifest", "Metadata", "Object", "SourceRef"]


class Object(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True, gc=False):
    """Base of every object of the contract: immutable, camelCase on the wire, unknown fields rejected.

    An absent optional field is ``UNSET`` and never ``None``: null is no stand-in for absence.
    """


class Author(Object, frozen=True, kw_only=True):
    """Somebody who wrote a manifest."""

    name: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """The author's name as they write it. Absent: not told."""
    github: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """The author's GitHub account, without ``@``. Absent: none, or not told."""


class SourceRef(Object, frozen=True, kw_only=True):
    """A page that the manifest was written from."""

    url: HttpsUrl
    """Absolute https URL of the page."""


class Metadata(Object, frozen=True, kw_only=True):
    """Editorial facts about a manifest. They are never part of its identity: changing them keeps the digest."""

    name: ManifestName
    """Name of the manifest, for people and for references in prose; another manifest may have the same."""
    title: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """One line for people. Absent: readers show the name."""
    description: Annotated[str, Meta(max_length=2000)] | UnsetType = UNSET
    """A few sentences for people. Absent: nothing to add to the title."""
    labels: dict[Token, Annotated[str, Meta(max_length=200)]] | UnsetType = UNSET
    """Free key and value pairs for searching and grouping. Absent: none."""
    authors: tuple[Author, ...] | UnsetType = UNSET
    """Who wrote the manifest. Absent: not told."""
    source_refs: tuple[SourceRef, ...] | UnsetType = UNSET
    """Pages that the manifest was written from. Absent: none given."""


class Manifest(Object, frozen=True, kw_only=True):
    """What the thirteen kinds share besides their spec."""

    api_version: Literal["kernelindex.dev/v1alpha1"] = "kernelindex.dev/v1alpha1"
    """Version of the format, always ``kernelindex.dev/v1alpha1``."""
    metadata: Metadata
    """Editorial facts; never part of the digest."""

    if TYPE_CHECKING:
        spec: Any  # each kind declares its own

    @property
    def kind(self) -> str:
        """The kind, as written in the document."""
        return type(self).__name__
