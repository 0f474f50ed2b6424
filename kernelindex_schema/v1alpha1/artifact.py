"""Content outside the manifests, bound to the bytes that were meant."""

from typing import Annotated

from msgspec import Meta

from kernelindex_schema.v1alpha1.envelope import Object
from kernelindex_schema.v1alpha1.scalars import Digest

__all__ = ["ArtifactRef"]


class ArtifactRef(Object, frozen=True, kw_only=True):
    """A file outside the manifest: where it can be had, and which bytes are meant.

    An address alone would be no reference, since what it serves can change; the digest settles what was meant.
    """

    uri: Annotated[str, Meta(max_length=2000)]
    """Where the file can be had; any URI scheme, such as ``https:``, ``s3:`` or ``hf:``."""
    digest: Digest
    """SHA-256 of the file's bytes, as ``sha256:`` and 64 lowercase hexadecimal digits (``sha256sum FILE``)."""
