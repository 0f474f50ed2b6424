from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from kernelindex_schema.axes import names
from kernelindex_schema.errors import UnreadableDocument
from kernelindex_schema.sources.imported import import_file
from kernelindex_schema.sources.liger import LigerSource, known_operation, known_slugs
from kernelindex_schema.sources.liger_row import COLUMNS
from kernelindex_schema.sources.liger_table import load_table, parse_table
from kernelindex_schema.sources.source import SOURCES, brief, recognised, source_class
from kernelindex_schema.structure.acceptance import doubt

HEADER = ",".join(COLUMNS).encode()


def test_every_source_can_be_had_by_its_name():
    for name in SOURCES:
        found = source_class(name)
        assert found.name == name
        assert found.title


def test_recognising():
    assert recognised(HEADER + b"\r\n") is LigerSource
    assert LigerSource.recognise(b"\xef\xbb\xbf" + b",".join(reversed(HEADER.split(b","))) + b",more\n")
    for head in (b"", b"kernel_name,x\n", b'{"a": 1}', b"\xff\xfe\x00", b'"unclosed\n'):
        assert not LigerSource.recognise(head)
        with pytest.raises(UnreadableDocument, match="liger"):
            recognised(head)


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(UnreadableDocument, match="No such file"):
        import_file(tmp_path / "missing.csv")
    with pytest.raises(UnreadableDocument):
        import_file(tmp_path)
    (tmp_path / "x.csv").touch()
    with pytest.raises(KeyError):
        import_file(tmp_path / "x.csv", "no-such-source")


def test_texts_in_messages_are_short_and_on_one_line():
    assert brief("a\nb") == r"'a\nb'"
    assert len(brief("x" * 500)) == 80


class TestTable:
    def test_what_is_in_it(self):
        table = load_table()
        assert (len(table.kernels), len(table.providers), len(table.projects), len(table.hardware)) == (35, 12, 5, 6)
        assert list(table.protocol.modes) == ["forward", "backward", "full"]
        assert len({kernel.description for kernel in table.kernels.values()}) == 35

    def test_digests_are_computed_and_never_stored(self):
        text = files("kernelindex_schema.sources").joinpath("liger_kernels.toml").read_text(encoding="utf-8")
        assert "sha256" not in text

    def test_every_operation_is_valid(self):
        assert len(known_slugs()) == 35
        for slug in known_slugs():
            operation = known_operation(slug)
            assert operation.metadata.name == slug
            assert doubt(operation) is None
        assert known_operation("no-such-operation") is None

    def test_derived_axes_compute_from_bound_ones(self):
        for kernel in load_table().kernels.values():
            for binding in kernel.bindings:
                for expression in kernel.derived.values():
                    assert names(expression) <= binding.axes.keys()

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ('project = "pytorch"', 'project = "torch"', "no project 'torch'"),
            ('name = "torch"', 'name = "liger"', "a name is there twice"),
            ('gpu_name = "NVIDIA B200"', 'gpu_name = "NVIDIA H100 PCIe"', "a gpu_name is there twice"),
            ('"x[rows,hidden]:cfg"', '"x[rows,width]:cfg"', "nothing gives the axis 'width'"),
            ('"x[rows,hidden]:cfg"', '"x(rows)"', "is not written NAME"),
            ('is = "positive"', 'is = "negative"', "Invalid enum value"),
            (', is = "positive"', "", "a guard is key"),
            ('eps = { key = "eps" }', 'eps = { key = "eps", value = 1 }', "either a key or a value"),
            ('language = "python"', 'langage = "python"', "unknown field"),
        ],
    )
    def test_a_slip_in_the_file_is_told(self, old, new, words):
        text = files("kernelindex_schema.sources").joinpath("liger_kernels.toml").read_text(encoding="utf-8")
        assert old in text
        with pytest.raises(ValueError, match=words):
            parse_table(text.replace(old, new, 1))

    def test_the_file_is_toml_alone(self):
        with pytest.raises(ValueError, match=r"."):
            parse_table("kernels = [")
        assert tomllib.TOMLDecodeError.__mro__[1] is ValueError
