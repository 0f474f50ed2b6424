from __future__ import annotations

import gzip
import io
import random
import sys

import pytest

from kernelindex_schema.codecs.archive import DamagedArchive, compress, open_expanded
from kernelindex_schema.codecs.document import Piece
from kernelindex_schema.codecs.formats import FORMATS, pieces

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DATA = b"".join(b'{"a":%d}\n' % each for each in range(20_000))
NOISE = random.Random(1).randbytes(300_000)
SKIPPABLE = b"\x5a\x2a\x4d\x18\x03\x00\x00\x00abc"
TITLES = {"gz": "gzip", "zst": "Zstandard"}


def expand(data: bytes, compression: str, limit: int | None = None) -> bytes:
    return open_expanded(io.BytesIO(data), compression, limit=limit).read()


@pytest.mark.parametrize("compression", ["gz", "zst"])
@pytest.mark.parametrize("data", [b"", b"x", DATA, NOISE])
def test_what_is_packed_comes_out_again(compression: str, data: bytes) -> None:
    packed = compress(data, compression)
    assert packed == compress(data, compression)
    assert expand(packed, compression) == data
    assert expand(packed * 3, compression) == data * 3
    assert expand(packed, compression, limit=len(data)) == data
    if compression == "gz":
        assert gzip.decompress(packed) == data
        assert packed[4:8] == bytes(4)
    else:
        assert zstd.decompress(packed) == data


def test_padding_of_gzip_and_skippable_frames_of_zstandard_are_passed_over() -> None:
    member = compress(DATA, "gz")
    assert expand(member + bytes(700) + member + bytes(3), "gz") == DATA * 2
    frame = compress(DATA, "zst")
    assert expand(SKIPPABLE + frame + SKIPPABLE * 2 + frame + SKIPPABLE, "zst") == DATA * 2
    assert expand(SKIPPABLE, "zst") == b""


def test_frames_of_a_streaming_writer_need_no_content_size() -> None:
    writer = zstd.ZstdCompressor()
    assert expand(writer.compress(DATA) + writer.flush(), "zst") == DATA


@pytest.mark.parametrize("compression", ["gz", "zst"])
def test_damage_is_told(compression: str) -> None:
    packed = compress(DATA, compression)
    title = TITLES[compression]
    flipped = bytearray(packed)
    flipped[len(packed) // 2] ^= 0xFF
    wrong_checksum = packed[:-6] + bytes([packed[-6] ^ 1, packed[-5] ^ 1]) + packed[-4:]
    if compression == "zst":
        wrong_checksum = packed[:-1] + bytes([packed[-1] ^ 1])
    cut = f"the {title} archive is cut: it ends before its data does"
    for data, message in [
        (b"", f"the {title} archive is empty"),
        (b"h", f"this is no {title} archive"),
        (b'{"a": 1}', f"this is no {title} archive"),
        (packed[:1], cut),
        (packed[:-1], cut),
        (packed[:-9], cut),
        (packed[:30], cut),
        (packed + b"x", f"other bytes follow the end of the {title} archive"),
        (packed + b"\n\n\n\n\n\n", f"other bytes follow the end of the {title} archive"),
        (packed + packed[:20], cut),
        (wrong_checksum, f"the {title} archive is damaged: its checksum does not fit what it holds"),
    ]:
        with pytest.raises(DamagedArchive) as caught:
            expand(data, compression)
        assert str(caught.value) == message
    with pytest.raises(DamagedArchive, match=r"damaged|cut|window"):
        expand(bytes(flipped), compression)


@pytest.mark.parametrize("compression", ["gz", "zst"])
def test_expansion_stops_at_the_limit(compression: str) -> None:
    bomb = compress(bytes(50_000_000), compression)
    with pytest.raises(DamagedArchive, match=r"expands past the bound of 1,048,576 bytes"):
        expand(bomb, compression, limit=1_048_576)
    stream, given = open_expanded(io.BytesIO(bomb), compression, limit=1_048_576), 0
    with pytest.raises(DamagedArchive):  # noqa: PT012
        while part := stream.read(65_536):
            given += len(part)
    assert given <= 1_048_576


def test_a_frame_that_asks_for_a_huge_window_is_refused() -> None:
    writer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 30})
    with pytest.raises(DamagedArchive, match="window over 134,217,728 bytes"):
        expand(writer.compress(DATA) + writer.flush(), "zst")


@pytest.mark.parametrize("compression", ["gz", "zst"])
def test_packed_bytes_may_come_slowly(compression: str) -> None:
    class OneByOne(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(1)

    packed = compress(DATA[:500], compression)
    assert open_expanded(OneByOne(packed * 2), compression, limit=None).read() == DATA[:500] * 2


@pytest.mark.parametrize("compression", ["gz", "zst"])
@pytest.mark.parametrize("tail", [b"", b"xyz"])
def test_documents_before_the_damage_are_given_and_the_last_piece_tells_of_it(compression: str, tail: bytes) -> None:
    packed = compress(DATA, compression)
    stream = open_expanded(io.BytesIO(packed + tail if tail else packed[:-2]), compression, limit=None)
    found = list(pieces(FORMATS["jsonl"], stream))
    assert [each.data for each in found[:-1]] == DATA.splitlines()
    last = found[-1]
    assert (last.index, last.data, [fault.rule for fault in last.faults]) == (20_000, b"", ["KIX012"])


@pytest.mark.parametrize("form", ["json", "page", "toml", "msgpack", "yaml"])
def test_one_document_in_a_damaged_archive_is_not_given(form: str) -> None:
    stream = open_expanded(io.BytesIO(compress(b"{}", "gz") + b"x"), "gz", limit=FORMATS[form].limit)
    (piece,) = pieces(FORMATS[form], stream)
    assert isinstance(piece, Piece)
    assert [fault.rule for fault in piece.faults] == ["KIX012"]


def test_the_packed_file_stays_open_for_who_opened_it() -> None:
    file = io.BytesIO(compress(DATA, "gz"))
    with open_expanded(file, "gz", limit=None) as stream:
        stream.read()
    assert not file.closed
