"""Read, write, decode and encode documents: files and formats on one side, structs on the other."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from kernelindex_schema.codecs.document import Codec, Piece
from kernelindex_schema.codecs.formats import COMPRESSIONS, FORMATS, KNOWN_SUFFIXES, Format, format_of, pieces, sniff
from kernelindex_schema.documents import CatalogRow
from kernelindex_schema.errors import InvalidDocument, UnencodableValue, UnreadableDocument
from kernelindex_schema.findings import Report
from kernelindex_schema.intake import Loaded, load
from kernelindex_schema.placement import Place, finding_of, named
from kernelindex_schema.structure.acceptance import doubt
from kernelindex_schema.v1alpha1 import BenchRecord, Manifest, Record, Submission

__all__ = ["decode", "encode", "iter_documents", "open_pieces", "place_of", "read", "write", "write_bytes"]

_SNIFFED = 65_536

Pieces = Iterator[tuple[Codec, Piece]]


def open_pieces(stream: BinaryIO, name: str, *, format: str | None = None, sniffed: bool = False) -> Pieces:
    """The documents of an open file, one by one, in bounded memory.

    ``format`` names the format inside (a compression suffix of ``name`` still holds); else the suffix of ``name``
    tells. Content decides only where ``sniffed`` is true and for an archive without an inner suffix.

    Raises:
        UnreadableDocument: nothing tells the format.
    """
    form, compression = format_of(name)
    if format is not None:
        form = _format(format)
    if sniffed and form is None:
        stream, (form, packed) = _sniff(stream)
        compression = compression or packed
    if compression is not None:
        yield from _expanded_pieces(stream, name, form, compression)
        return
    if form is None:
        raise UnreadableDocument(_unknown(name), rule="KIX010")
    for piece in pieces(form, stream):
        yield form.codec(), piece


def _expanded_pieces(stream: BinaryIO, name: str, form: Format | None, compression: str) -> Pieces:
    from kernelindex_schema.codecs.archive import DamagedArchive, open_expanded
    from kernelindex_schema.codecs.document import MAX_SUBMISSION_BYTES

    limit = MAX_SUBMISSION_BYTES if form is None else form.limit
    inner = open_expanded(stream, compression, limit=limit)
    if form is None:
        with contextlib.suppress(DamagedArchive):  # told when the pieces are read
            inner, (form, _) = _sniff(inner)
    if form is None:
        raise UnreadableDocument(_unknown(name), rule="KIX010")
    for piece in pieces(form, inner):
        yield form.codec(), piece


class _Rejoined(io.RawIOBase):
    """A stream whose first bytes were read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            size = min(len(buffer), len(self._head))
            buffer[:size], self._head = self._head[:size], self._head[size:]
            return size
        data = self._rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _sniff(stream: BinaryIO) -> tuple[BinaryIO, tuple[Format | None, str | None]]:
    head = stream.read(_SNIFFED)
    return io.BufferedReader(_Rejoined(head, stream), buffer_size=131_072), sniff(head)


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise UnreadableDocument(f"no format {name!r}; there are {', '.join(FORMATS)}", rule="KIX010")
    return FORMATS[name]


def _unknown(name: str) -> str:
    return f"nothing tells the format of {name}: expected a name that ends in {KNOWN_SUFFIXES}"


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    try:
        with open(path, "rb") as file:
            yield file
    except OSError as error:
        raise UnreadableDocument(f"{os.fsdecode(path)}: {error.strerror or error}") from error


def place_of(loaded: Loaded, file: str | None, document: int) -> Place:
    """What is known of a loaded document, for placing its findings."""
    manifests = [(site.path, *named(site.value)) for site in loaded.sites]
    return Place(file=file, document=document, locate=loaded.locate, manifests=manifests)


def report_of(loaded: Loaded, file: str | None, document: int) -> Report:
    """The findings of reading and structure of one document."""
    place = place_of(loaded, file, document)
    findings = sorted((finding_of(fault, place) for fault in loaded.faults), key=lambda each: each.sort_key())
    return Report(findings=tuple(findings), files=1, documents=1, manifests=len(loaded.sites))


def _value_or_report(codec: Codec, piece: Piece, file: str | None) -> Any:
    loaded = load(codec, piece)
    if loaded.value is not None:
        return loaded.value
    return report_of(loaded, file, piece.index)


def _only(documents: Pieces, name: str) -> Any:
    first = next(documents, None)
    if first is None:
        raise UnreadableDocument(f"{name} holds no document")
    value = _value_or_report(*first, name)
    if isinstance(value, Report):
        raise InvalidDocument(f"{name}: {value.findings[0].message}", value)
    if next(documents, None) is not None:
        raise UnreadableDocument(f"{name} holds several documents; read them with iter_documents")
    return value


def read(path: str | os.PathLike[str], *, format: str | None = None) -> Any:
    """The document of a file: a manifest struct, a Record, a Submission, a BenchRecord or a CatalogRow, normalised.

    Durations are integer nanoseconds and sets are sorted, so that ``digest`` may be taken of what comes back. The rules
    of meaning (KIX2 and up) are not asked: that is what ``check`` does.

    Raises:
        InvalidDocument: the document is at fault; ``.report`` has every finding.
        UnreadableDocument: no such file, no known format, or several documents.
    """
    name = os.fsdecode(path)
    with _opened(path) as file:
        return _only(open_pieces(file, name, format=format), name)


def decode(data: bytes | str, *, format: str, name: str = "<data>") -> Any:
    """The one document in ``data``, as :func:`read` gives it.

    Raises:
        InvalidDocument: the document is at fault; ``.report`` has every finding.
        UnreadableDocument: no such format, or several documents.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    _format(format)
    return _only(open_pieces(io.BytesIO(raw), "", format=format), name)


def iter_documents(path: str | os.PathLike[str], *, format: str | None = None) -> Iterator[tuple[Place, Any]]:
    """Every document of a file in constant memory: its place, and its value or the Report of its faults.

    Raises:
        UnreadableDocument: no such file, or no known format.
    """
    name = os.fsdecode(path)
    with _opened(path) as file:
        for codec, piece in open_pieces(file, name, format=format):
            loaded = load(codec, piece)
            place = place_of(loaded, name, piece.index)
            yield place, loaded.value if loaded.value is not None else report_of(loaded, name, piece.index)


def encode(value: Any, *, format: str, title: str | None = None) -> bytes:
    """A document, or a sequence of documents, as bytes of a format; the same value always gives the same bytes.

    ``title`` is the title line of a record page; absent, it is the run's ``metadata.title``.

    Raises:
        UnencodableValue: a struct with a wrong value, or a format that cannot hold this.
    """
    documents = list(value) if isinstance(value, list | tuple) else [value]
    if format not in FORMATS:
        raise UnencodableValue(f"no format {format!r}; there are {', '.join(FORMATS)}")
    form = FORMATS[format]
    if len(documents) != 1 and not form.holds_streams:
        streams = " and ".join(each.name for each in FORMATS.values() if each.holds_streams)
        raise UnencodableValue(f"{form.title} holds one document, not {len(documents)}; {streams} hold several")
    plain = [_plain(each) for each in documents]
    if title is None and format == "page":
        title = _title(plain[0])
    return form.codec().encode(plain, title=title)


def _title(document: Any) -> str | None:
    run = document.get("run") if isinstance(document, dict) else None
    title: str | None = run["metadata"].get("title") if isinstance(run, dict) and "metadata" in run else None
    return title


def _plain(value: Any) -> Any:
    if isinstance(value, CatalogRow):
        manifest = value.row.get("manifest")
        if isinstance(manifest, msgspec.Struct):
            return {"table": value.table, "row": {**value.row, "manifest": _plain(manifest)}}
        return {"table": value.table, "row": value.row}
    if not isinstance(value, Manifest | Record | Submission | BenchRecord):
        raise UnencodableValue(
            f"a document is a manifest, a Record, a Submission or a BenchRecord, not {type(value).__name__}"
        )
    if (reason := doubt(value)) is not None:
        raise UnencodableValue(f"this {type(value).__name__} is not valid: {reason}")
    plain = msgspec.to_builtins(value)
    if isinstance(value, Submission) and not any(plain.values()):
        raise UnencodableValue("this Submission holds no manifest, expected at least one")
    return _envelope_first(plain)


def _envelope_first(plain: Any) -> Any:
    """apiVersion before kind in every manifest: msgspec puts the tag first."""
    if isinstance(plain, dict):
        ordered = {key: plain[key] for key in ("apiVersion", "kind") if key in plain and "spec" in plain}
        return ordered | {key: _envelope_first(value) for key, value in plain.items()}
    if isinstance(plain, tuple | list):
        return [_envelope_first(each) for each in plain]
    return plain


def write(value: Any, path: str | os.PathLike[str], *, format: str | None = None, title: str | None = None) -> None:
    """Write a document, or a sequence of documents, to a file: whole, or not at all.

    The suffix tells the format and the compression, unless ``format`` names the format.

    Raises:
        UnencodableValue: a struct with a wrong value, or a format that cannot hold this.
        UnreadableDocument: no known format, or the file cannot be written.
    """
    name = os.fsdecode(path)
    form, compression = format_of(name)
    if format is None and form is None:
        raise UnreadableDocument(_unknown(name), rule="KIX010")
    data = encode(value, format=format or form.name, title=title)  # type: ignore[union-attr]
    if compression in COMPRESSIONS:
        from kernelindex_schema.codecs.archive import compress

        data = compress(data, compression)
    write_bytes(data, name)


def write_bytes(data: bytes, path: str) -> None:
    """Put bytes into a file through a temporary file beside it, so that no reader ever sees half of them.

    A link stays, and what it leads to is written. A device or a pipe cannot be replaced and is written to.

    Raises:
        UnreadableDocument: the file cannot be written.
    """
    import tempfile

    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as special:
                special.write(data)
            return
        target = os.path.realpath(path)
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".kix-", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(temporary, _mode(target))
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise UnreadableDocument(f"cannot write {path}: {error.strerror or error}") from error


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
