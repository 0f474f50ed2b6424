"""Packed files: gzip and Zstandard, read as streams and written so that the same bytes come out each time."""

from __future__ import annotations

import io
import sys
import zlib
from types import ModuleType
from typing import Any, BinaryIO

from kernelindex_schema.errors import UnreadableDocument

__all__ = ["DamagedArchive", "compress", "open_expanded"]

_CHUNK = 131_072
_GZIP_LEVEL = 9
_ZSTD_LEVEL = 10
_ZSTD_MAX_WINDOW_LOG = 27
"""128 MiB, which the zstd command accepts too: a frame may ask for far more, and the reader reserves it at once."""


class DamagedArchive(Exception):
    """A packed file is cut, has a bad checksum, is followed by other bytes, or expands past its bound.

    Attributes:
        hint: what to do about it, or None.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def open_expanded(file: BinaryIO, compression: str, *, limit: int | None) -> BinaryIO:
    """A stream of what a packed file holds, expanded bit by bit.

    Members of gzip and frames of Zstandard that lie end to end are read as one; skippable frames are passed over.
    ``read`` raises as soon as it meets damage; ``read1`` first gives what came out before it. ``file`` stays open.

    Args:
        file: the packed bytes, from their beginning.
        compression: ``"gz"`` or ``"zst"``.
        limit: the most bytes that may come out; None for no bound.

    Reading raises:
        DamagedArchive: the packed bytes are at fault, or hold more than ``limit``.
    """
    members: _Gzip | _Zstandard = _Gzip() if compression == "gz" else _Zstandard()
    return io.BufferedReader(_Expanded(file, members, limit), buffer_size=_CHUNK)


def compress(data: bytes, compression: str) -> bytes:
    """Packs; without a clock, a name or a system in the header, so that equal data gives equal bytes.

    (Another version of the compression library may still choose other bytes.)
    """
    if compression == "gz":
        deflater = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        packed = deflater.compress(data) + deflater.flush()
        # RFC 1952, section 2.3: no flags, no time, slowest deflate, unknown system; then checksum and length.
        checksum = zlib.crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
        return b"\x1f\x8b\x08\x00" + bytes(4) + b"\x02\xff" + packed + checksum
    zstd = _zstandard()
    options = {
        zstd.CompressionParameter.compression_level: _ZSTD_LEVEL,
        zstd.CompressionParameter.checksum_flag: 1,
    }
    whole: bytes = zstd.compress(data, options=options)
    return whole


def _zstandard() -> ModuleType:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        raise UnreadableDocument(
            "this Python cannot read Zstandard; below 3.14 install it with: pip install backports.zstd"
        ) from error
    module: ModuleType = zstd
    return module


class _Gzip:
    title = "gzip"

    def start(self) -> Any:
        return zlib.decompressobj(zlib.MAX_WBITS | 16)

    def expand(self, member: Any, data: bytes, room: int) -> tuple[bytes, bytes]:
        try:
            out = member.decompress(data, room)
        except zlib.error as error:
            raise DamagedArchive(_damage(self.title, str(error))) from None
        return out, member.unused_data if member.eof else member.unconsumed_tail

    def after_member(self, data: bytes) -> bytes:
        # Tapes and some writers pad with zeros; gzip itself passes them over.
        return data.lstrip(b"\0")

    def begins(self, data: bytes) -> bool:
        return b"\x1f\x8b".startswith(data[:2])


class _Zstandard:
    title = "Zstandard"

    def __init__(self) -> None:
        self._zstd = _zstandard()

    def start(self) -> Any:
        window = {self._zstd.DecompressionParameter.window_log_max: _ZSTD_MAX_WINDOW_LOG}
        return self._zstd.ZstdDecompressor(options=window)

    def expand(self, member: Any, data: bytes, room: int) -> tuple[bytes, bytes]:
        try:
            out = member.decompress(data, room)
        except self._zstd.ZstdError as error:
            raise DamagedArchive(_damage(self.title, str(error))) from None
        return out, member.unused_data if member.eof else b""

    def after_member(self, data: bytes) -> bytes:
        return data

    def begins(self, data: bytes) -> bool:
        # RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable one.
        magic = data[:4]
        return b"\x28\xb5\x2f\xfd".startswith(magic) or (
            0x50 <= magic[0] <= 0x5F and b"\x2a\x4d\x18".startswith(magic[1:])
        )


def _damage(title: str, told: str) -> str:
    if "check" in told.lower():
        return f"the {title} archive is damaged: its checksum does not fit what it holds"
    if "window" in told.lower() or "memory" in told.lower():
        return f"the {title} archive asks for a window over {1 << _ZSTD_MAX_WINDOW_LOG:,} bytes"
    return f"the {title} archive is damaged: its packed data makes no sense"


class _Expanded(io.RawIOBase):
    """What comes out of the members, one after the other."""

    def __init__(self, file: BinaryIO, members: _Gzip | _Zstandard, limit: int | None) -> None:
        self._file = file
        self._members = members
        self._limit = limit
        self._given = 0
        self._packed = b""
        self._member: Any = None
        self._any_member = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        out = self._next(min(len(buffer), _CHUNK))
        self._given += len(out)
        if self._limit is not None and self._given > self._limit:
            message = f"the {self._members.title} archive expands past the bound of {self._limit:,} bytes"
            raise DamagedArchive(message, "write one document a line (.jsonl): a stream has no bound as a whole")
        buffer[: len(out)] = out
        return len(out)

    def _next(self, room: int) -> bytes:
        """Some bytes, at most ``room``; empty only at the end."""
        while True:
            if self._member is None and not self._start_member():
                return b""
            out, self._packed = self._members.expand(self._member, self._packed, room)
            if self._member.eof:
                self._member = None
            elif not out and not self._packed and not self._fill():
                raise DamagedArchive(f"the {self._members.title} archive is cut: it ends before its data does")
            if out:
                return out

    def _fill(self) -> bool:
        more = self._file.read(_CHUNK)
        self._packed += more
        return bool(more)

    def _start_member(self) -> bool:
        title = self._members.title
        while True:
            if self._any_member:
                self._packed = self._members.after_member(self._packed)
            if len(self._packed) >= 4 or not self._fill():
                break
        if not self._packed:
            if not self._any_member:
                raise DamagedArchive(f"the {title} archive is empty")
            return False
        if not self._members.begins(self._packed):
            if self._any_member:
                raise DamagedArchive(f"other bytes follow the end of the {title} archive")
            raise DamagedArchive(f"this is no {title} archive", "the name of the file says that it is one")
        self._member = self._members.start()
        self._any_member = True
        return True
