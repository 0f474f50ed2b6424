from __future__ import annotations

import time

import pytest

from kernelindex_schema.codecs.formats import (
    COMPRESSIONS,
    FORMATS,
    HEAD_BYTES,
    KNOWN_SUFFIXES,
    format_of,
    other_format,
    sniff,
)


@pytest.mark.parametrize(
    ("name", "form", "compression"),
    [
        ("run.json", "json", None),
        ("run.Json", "json", None),
        ("run.jsonl.GZ", "jsonl", "gz"),
        ("run.ndjson", "jsonl", None),
        ("a/b.d/RUN.YAML", "yaml", None),
        ("run.yml.zst", "yaml", "zst"),
        ("a.v1.2.yaml", "yaml", None),
        ("run.toml.zst", "toml", "zst"),
        ("run.msgpack", "msgpack", None),
        ("000_d380.txt", "page", None),
        (".json", "json", None),
        ("run.gz", None, "gz"),
        (".zst", None, "zst"),
        ("run.tar.gz", None, "gz"),
        ("run.gz.gz", None, "gz"),
        ("run", None, None),
        ("json", None, None),
        ("run.yaml.bak", None, None),
        ("run.jsonc", None, None),
        ("a.json/run", None, None),
        ("a.json\\run", None, None),
        ("run.json/", None, None),
        ("run.", None, None),
        ("", None, None),
    ],
)
def test_the_name_of_a_file_tells_its_format(name: str, form: str | None, compression: str | None) -> None:
    found, packed = format_of(name)
    assert (found.name if found else None, packed) == (form, compression)


@pytest.mark.parametrize(
    ("head", "form"),
    [
        ('{"apiVersion":', "json"),
        ('\ufeff \n{"a": 1}\n', "json"),
        ("[{}]", "json"),
        ('{"a":1}\n{"b":2}\n', "jsonl"),
        ('{"a":1}\r\n\r\n{"b":2', "jsonl"),
        ('{"a":NaN}\n{"b":2}\n', "jsonl"),
        ('{\n"a": {}\n}', "json"),
        ("apiVersion: kernelindex.dev/v1alpha1\n", "yaml"),
        ("# a comment\n\nkind:\n  - x", "yaml"),
        ("---\n{}\n", "yaml"),
        ("%YAML 1.2\n---\n", "yaml"),
        ("- a\n- b\n", "yaml"),
        ('"a b": 1', "yaml"),
        ("url: http://x/?a=b\n", "yaml"),
        ('apiVersion = "kernelindex.dev/v1alpha1"\n', "toml"),
        ("# a comment\n[spec.timing]\n", "toml"),
        ("[[projects]] # one\n", "toml"),
        ('"a" = 1', "toml"),
        ("Liger\n\n{", "page"),
        ("Liger: rope\r\n\r\n{", "page"),
        (b"\x84\xaaapiVersion", "msgpack"),
        (b"\xde\x00\x04", "msgpack"),
        ("{}".encode("utf-16"), "json"),
        ("", None),
        (" \n", None),
        ("# nothing but a comment\n", None),
        ("some words", None),
        (b"\xff", None),
    ],
)
def test_content_tells_the_format_where_a_name_does_not(head: str | bytes, form: str | None) -> None:
    found, packed = sniff(head if isinstance(head, bytes) else head.encode())
    assert (found.name if found else None, packed) == (form, None)


@pytest.mark.parametrize(
    ("head", "packed"),
    [
        (b"\x1f\x8b\x08\x00", "gz"),
        (b"\x28\xb5\x2f\xfd\x00", "zst"),
        (b"\x50\x2a\x4d\x18\x04\x00", "zst"),
        (b"\x5f\x2a\x4d\x18\x04\x00", "zst"),
    ],
)
def test_content_tells_how_a_file_is_packed(head: bytes, packed: str) -> None:
    assert sniff(head) == (None, packed)


@pytest.mark.parametrize(
    "unit", [b"[a.", b"#\n", b"# \n \n", b"a:", b'"', b"T\n\n \n", b"'a", b"[", b"\n", b"a=", b"a"]
)
def test_looking_at_hostile_content_takes_no_time(unit: bytes) -> None:
    start = time.process_time()
    sniff((unit * HEAD_BYTES)[:HEAD_BYTES])
    sniff(b"[" + (unit * HEAD_BYTES)[:HEAD_BYTES])
    assert time.process_time() - start < 1


def test_every_format_has_one_codec_and_its_own_suffixes() -> None:
    suffixes = [suffix for each in FORMATS.values() for suffix in each.suffixes]
    assert len(set(suffixes)) == len(suffixes) >= 8
    for name, each in FORMATS.items():
        assert each.name == name
        assert each.codec() is each.codec()
        assert all(suffix in KNOWN_SUFFIXES for suffix in each.suffixes)
    assert all(each.suffix in KNOWN_SUFFIXES for each in COMPRESSIONS.values())
    assert len({type(each.codec()) for each in FORMATS.values()}) == len(FORMATS)


def test_a_hint_names_the_format_that_the_text_looks_like() -> None:
    assert other_format(b"a: 1\n", "json") == "it looks like YAML: name the file .yaml, or say --input-format yaml"
    assert (
        other_format(b"T\n\n{", "json") == "it looks like a record page: name the file .txt, or say --input-format page"
    )
    assert other_format(b"{}\n{}\n", "json") is None
    assert other_format(b"a = 1", "toml") is None
    assert other_format(b"words", "json") is None
