"""Packs with the libraries themselves, so that what is tested reads what others write."""

from __future__ import annotations

import gzip
from collections.abc import Callable

try:
    from compression import zstd  # type: ignore[import-not-found]  # Python 3.14
except ImportError:
    from backports import zstd

__all__ = ["PACKINGS", "gz", "zst"]


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def zst(data: bytes) -> bytes:
    """One frame, with a checksum."""
    packed: bytes = zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})
    return packed


PACKINGS: dict[str, Callable[[bytes], bytes]] = {"gz": gz, "zst": zst}
