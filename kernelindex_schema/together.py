"""Findings over all documents of a check, each placed by reading its document once more."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from kernelindex_schema.codecs.document import Codec, Fault, Piece
from kernelindex_schema.collection import Collection, Sighting
from kernelindex_schema.errors import UnreadableDocument, note_crash
from kernelindex_schema.findings import Finding, Path, Position
from kernelindex_schema.meaning import Bench, judge_pairs
from kernelindex_schema.placement import Place, finding_of

__all__ = ["Again", "findings_together"]

Again = Callable[[str], Iterator[tuple[Codec, Piece]]]
"""Gives the documents of a file once more, as far as it can be read again."""

Locate = Callable[[Path, bool], Position | None]


def findings_together(
    collection: Collection, bench_of: Callable[[str], Bench], again: Again, registry: Collection | None = None
) -> list[Finding]:
    """What is wrong with the documents together; ``registry`` is where the rest of a collection lies."""
    try:
        return list(_findings(collection, bench_of, again, registry))
    except Exception as error:
        note_crash(error)
        message = f"the documents could not be compared with each other: {type(error).__name__}: {error}"
        return [finding_of(Fault(rule="KIX002", message=message), Place())]


def _findings(
    collection: Collection, bench_of: Callable[[str], Bench], again: Again, registry: Collection | None
) -> Iterator[Finding]:
    wanted: dict[str, dict[int, list[tuple[Sighting, Fault]]]] = {}
    for sighting, fault in (*collection.faults(registry), *judge_pairs(collection, bench_of, registry)):
        if bench_of(sighting.file).selects(fault.rule):
            wanted.setdefault(sighting.file, {}).setdefault(sighting.document, []).append((sighting, fault))
    for file, documents in wanted.items():
        for document, locate in _located(again(file), set(documents)):
            for sighting, fault in documents[document]:
                manifests = [(sighting.path, sighting.kind, sighting.name)]
                yield finding_of(fault, Place(file=file, document=document, locate=locate, manifests=manifests))


def _located(pieces: Iterator[tuple[Codec, Piece]], documents: set[int]) -> Iterator[tuple[int, Locate | None]]:
    """Each of some documents of a file, and how to find places in it where it was found again."""
    with contextlib.suppress(OSError, UnreadableDocument):
        for codec, piece in pieces:
            if piece.index in documents:
                documents.remove(piece.index)
                yield piece.index, codec.examine(piece).locate
                if not documents:
                    return
    for document in documents:
        yield document, None
