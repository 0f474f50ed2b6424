from __future__ import annotations

import gzip

from kernelindex_schema.cli.source_lines import LONGEST, SourceLines


def test_lines_in_any_order(tmp_path):
    first, second = tmp_path / "a.yaml", tmp_path / "b.json"
    first.write_bytes(b"\xef\xbb\xbfone: 1\r\ntwo: \xff\nlast")
    second.write_bytes(b"{}\n")
    lines = SourceLines()
    assert [lines(str(first), number) for number in (1, 1, 2, 3, 4, 9)] == [
        "one: 1",
        "one: 1",
        "two: �",
        "last",
        None,
        None,
    ]
    assert lines(str(first), 2) == "two: �"
    assert lines(str(second), 1) == "{}"
    assert lines(str(first), 3) == "last"
    lines.close()


def test_what_has_no_lines_to_show(tmp_path):
    packed = tmp_path / "a.json.gz"
    packed.write_bytes(gzip.compress(b"{}\n"))
    binary = tmp_path / "a.msgpack"
    binary.write_bytes(b"\x80\n")
    lines = SourceLines()
    for name in (str(packed), str(binary), str(tmp_path), "<stdin>", "gone.yaml", "a\0b.yaml"):
        assert lines(name, 1) is None


def test_a_line_that_is_too_long_is_passed_over(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"x" * (3 * LONGEST) + b"\nshort\n")
    lines = SourceLines()
    assert lines(str(file), 1) is None
    assert lines(str(file), 2) == "short"
    lines.close()
