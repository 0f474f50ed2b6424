"""Parting of the input: nothing is lost, nothing is read twice, and stretches give the pieces of the whole."""

from __future__ import annotations

import io
import itertools
import os
import random

import pytest

from kernelindex_schema import shares as module
from kernelindex_schema.codecs import jsonl
from kernelindex_schema.codecs.jsonl import JsonlCodec
from kernelindex_schema.shares import Share, Stretch, later_pieces, part_out

LINES = [
    b'{"a": 1}\n',
    b'{"a": [1, {"b": 2}], "text": "x}"}\n',
    b'{"a": 1}\r\n',
    b"\n",
    b" \t\r\n",
    b"no json\n",
    b"}\n",
    b'{"cut": \n',
    b'"' + b"x" * 700 + b'"}\n',
]


@pytest.fixture
def small(monkeypatch):
    """Cuts after some hundred bytes."""
    monkeypatch.setattr(module, "_MOST", 300)
    monkeypatch.setattr(module, "_LEAST", 200)
    monkeypatch.setattr(module, "_BLOCK", 97)


def pieces_of_stretches(name: str):
    found = []
    for share in part_out([name]):
        with open(name, "rb") as file:
            file.seek(share.start)
            stream = Stretch(file, share.end, None)
            split = (
                later_pieces(stream, share.first) if share.start else ((0, each) for each in JsonlCodec().split(stream))
            )
            found += [piece for _, piece in split]
    return found


def write(path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("seed", range(40))
def test_stretches_give_the_pieces_of_the_whole(tmp_path, small, seed):
    chance = random.Random(seed)
    data = b"".join(chance.choices(LINES, k=chance.randrange(200)))
    data = (b"\xef\xbb\xbf" if seed % 5 == 1 else b"") + (data[:-1] if seed % 3 else data)
    name = write(tmp_path / "a.jsonl", data)
    assert pieces_of_stretches(name) == list(JsonlCodec().split(io.BytesIO(data)))


def test_stretches_adjoin_and_are_counted(tmp_path, small):
    data = b"".join(random.Random(1).choices(LINES, k=300))
    name = write(tmp_path / "a.ndjson", data)
    parts = list(part_out([name]))
    assert len(parts) > 20
    assert [each.start for each in parts] == [0, *(each.end for each in parts[:-1])]
    assert parts[-1].end is None
    assert sum(each.size for each in parts) == len(data)
    for part in parts[1:]:
        assert part.first == data.count(b"\n", 0, part.start)
        assert data[: part.start].endswith((b"}\n", b"}\r\n"))


@pytest.mark.parametrize("endless", [b"x" * 5000 + b"\n", b"\n" * 5000, b" " * 5000 + b"\n", b"\r\n" * 2500])
def test_what_ends_the_reading_ends_it_in_stretches_too(tmp_path, small, monkeypatch, endless):
    monkeypatch.setattr(module, "_FAR", 2000)
    monkeypatch.setattr(jsonl, "MAX_SUBMISSION_BYTES", 4000)
    monkeypatch.setattr(jsonl, "_CHUNK", 512)
    data = LINES[0] * 100 + endless + LINES[1] * 100
    name = write(tmp_path / "a.jsonl", data)
    whole = list(JsonlCodec().split(io.BytesIO(data)))
    assert whole[-1].faults
    *stretched, end = pieces_of_stretches(name)
    assert stretched == whole[:-1]
    # Where among the blank lines patience ends depends on how they were read.
    assert [fault.message for fault in end.faults] == [fault.message for fault in whole[-1].faults]


def test_files_are_shared_out_by_bytes(tmp_path, small):
    sizes = [10, 5000, 10, 10, 10, 10, 4000, 20]
    names = [write(tmp_path / f"{number}.json", b"}\n" * (size // 2)) for number, size in enumerate(sizes)]
    parts = list(part_out(names))
    assert list(itertools.chain.from_iterable(each.files for each in parts)) == names
    assert [each.size for each in parts] == [sum(os.path.getsize(file) for file in each.files) for each in parts]
    assert not any(each.is_stretch or each.here for each in parts)
    assert len(list(part_out(names, "jsonl"))) > len(parts), "the format given decides what can be cut"


def test_many_small_files_make_few_shares(tmp_path):
    names = [write(tmp_path / f"{number}.yaml", b"x") for number in range(100)]
    assert 2 <= len(list(part_out(names))) <= 10


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst", "a.json", "a.yaml", "a"])
def test_packed_files_and_other_formats_are_not_cut(tmp_path, small, name):
    whole = write(tmp_path / name, LINES[0] * 1000)
    assert [(each.files, each.start, each.end) for each in part_out([whole])] == [((whole,), 0, None)]


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_utf_16_is_not_cut(tmp_path, small, mark):
    name = write(tmp_path / "a.jsonl", mark + "}\n".encode("utf-16-le") * 1000)
    assert [(each.start, each.end) for each in part_out([name])] == [(0, None)]


def test_what_is_not_there_is_a_share_all_the_same(tmp_path):
    assert [each.files for each in part_out(["nowhere.jsonl"])] == [("nowhere.jsonl",)]
    assert list(part_out([])) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_read_where_it_is_known(tmp_path):
    pipe = str(tmp_path / "pipe.jsonl")
    os.mkfifo(pipe)
    file = write(tmp_path / "a.json", b"{}")
    assert [(each.files, each.here) for each in part_out([file, pipe, file])] == [
        ((file,), False),
        ((pipe,), True),
        ((file,), False),
    ]


def test_shares_come_apart_into_files(tmp_path):
    names = tuple(write(tmp_path / f"{number}.json", b"x" * number) for number in range(3))
    parts = Share(files=names, size=3, attempt="a").apart()
    assert [(each.files, each.size) for each in parts] == [((name,), size) for size, name in enumerate(names)]
    assert {each.attempt for each in parts} == {"a+"}
    stretch = Share(files=names[:1], start=5, end=9, first=2, attempt="a")
    assert [(each.start, each.end, each.first, each.attempt) for each in stretch.apart()] == [(5, 9, 2, "a+")]


def test_a_stretch_tells_what_was_read():
    told = []
    file = io.BytesIO(bytes(range(100)))
    file.seek(10)
    stretch = Stretch(file, 60, told.append)
    assert stretch.read1(20) == bytes(range(10, 30))
    assert stretch.read(5) == bytes(range(30, 35))
    assert stretch.read() == bytes(range(35, 60))
    assert stretch.read() == stretch.read1(8) == b""
    assert sum(told) == 50
    assert Stretch(io.BytesIO(b"abc"), None, None).read() == b"abc"
