"""YAML: the core schema of YAML 1.2, read through libyaml and refused where libyaml reads something else.

The file is cut into documents before libyaml sees it, so that a stream of any length is read in bounded memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from kernelindex_schema.codecs.document import Examined, Piece, Refused
from kernelindex_schema.codecs.yaml_source import Broken, Source
from kernelindex_schema.codecs.yaml_stream import split_documents
from kernelindex_schema.errors import UnreadableDocument

if TYPE_CHECKING:
    from kernelindex_schema.codecs.yaml_composer import Composer

__all__ = ["YamlCodec"]


class YamlCodec:
    """Documents as YAML text, parted by lines ``---``."""

    def split(self, stream: BinaryIO) -> Iterator[Piece]:
        """The documents of a stream in bounded memory; a file without any is one empty piece."""
        return split_documents(stream)

    def decode(self, piece: Piece) -> Any:
        """The value of a piece that is beyond doubt.

        Raises:
            Refused: there is a doubt, or a fault.
            UnreadableDocument: PyYAML lacks libyaml.
        """
        if piece.faults:
            raise Refused
        try:
            source = Source(piece)
            if source.has_mark:
                raise Refused
            return _read(source, careful=False)[1]
        except Broken:
            raise Refused from None

    def examine(self, piece: Piece) -> Examined:
        """Every reading fault of a piece, its value and its positions.

        Raises:
            UnreadableDocument: PyYAML lacks libyaml.
        """
        if piece.faults:
            return Examined(readable=False, faults=list(piece.faults))
        try:
            source = Source(piece)
            composer, value = _read(source, careful=True)
        except Broken as broken:
            return Examined(readable=False, faults=[broken.fault])
        mark = source.mark()
        faults = composer.faults if mark is None else [mark, *composer.faults]
        return Examined(value=value, faults=faults, locate=composer.locate)

    def encode(self, values: Sequence[Any], *, title: str | None = None) -> bytes:
        """The values in block style, keys in the order given, parted by ``---``; every text that could be read as
        something else is quoted.

        Raises:
            UnencodableValue: a value that YAML, or its reader here, has no form for.
        """
        from kernelindex_schema.codecs.yaml_writer import write_documents

        return write_documents(values)


def _read(source: Source, *, careful: bool) -> tuple[Composer, Any]:
    try:
        from kernelindex_schema.codecs.yaml_composer import Composer
        from kernelindex_schema.codecs.yaml_layout import may_be_read_otherwise, refuse_other_readings
    except ImportError as error:
        raise UnreadableDocument(
            "YAML needs PyYAML with libyaml, which is not there; "
            'install it with: python -m pip install --upgrade --force-reinstall "PyYAML>=6.0.2"'
        ) from error
    composer = Composer(source, careful=careful)
    value = composer.compose()
    if composer.spans_lines or not isinstance(value, dict | list) or may_be_read_otherwise(source.text):
        refuse_other_readings(source)
    return composer, value
