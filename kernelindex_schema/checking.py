"""The order of the stages: read, structure, rules of meaning, rules over collections. The only module that knows it."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import msgspec

from kernelindex_schema.codecs.document import Codec, Fault, Piece
from kernelindex_schema.collection import Collection
from kernelindex_schema.discovery import find_files
from kernelindex_schema.errors import UnreadableDocument, note_crash
from kernelindex_schema.findings import Finding, Report
from kernelindex_schema.intake import Loaded, first_faults, load, load_value
from kernelindex_schema.loading import open_pieces, place_of
from kernelindex_schema.meaning import Bench, judge
from kernelindex_schema.placement import Place, finding_of
from kernelindex_schema.settings import DEFAULT_SETTINGS, Settings
from kernelindex_schema.shares import Share, Stretch, later_pieces, part_out
from kernelindex_schema.together import findings_together

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["check", "check_data", "check_paths", "check_stream", "check_value"]

MAX_JUDGED = 1_000
"""Findings of meaning shown of one document; one more says that there are others."""

Progress = Callable[[int], None]


MAX_FAULTY = 20_000
"""Findings of reading and structure after which a file is not read on (or a stretch of it, where it is shared out):
what holds no records from end to end is told soon, and in bounded memory."""

_MEANING = "KIX2"


class _Part(msgspec.Struct):
    """What one worker found: findings, counts, and the rows for what needs all documents."""

    findings: list[Finding] = []
    files: int = 0
    documents: int = 0
    manifests: int = 0
    collection: Collection = msgspec.field(default_factory=Collection)

    def pack(self) -> _Packed:
        return _Packed(self.findings, self.files, self.documents, self.manifests, self.collection.pack())

    def merge(self, other: _Packed) -> None:
        self.findings += other.findings
        self.files += other.files
        self.documents += other.documents
        self.manifests += other.manifests
        self.collection.merge_packed(other.rows)


class _Packed(msgspec.Struct, frozen=True):
    """A part on its way between processes."""

    findings: list[Finding]
    files: int
    documents: int
    manifests: int
    rows: list[bytes]


class _Task(msgspec.Struct, frozen=True, kw_only=True):
    """What every document of a check is checked with."""

    settings: Settings = DEFAULT_SETTINGS
    format: str | None = None
    sniffed: bool = False
    """Whether content may tell the format (standard input)."""
    references: bool = False
    """Whether references are kept, to be looked up in a registry."""
    folder: str = ""
    """The folder that file names are relative to, where that is not sure to be the current one."""

    def bench(self, file: str | None) -> Bench:
        """The rules that hold for a file."""
        settings = self.settings
        return Bench(settings.primary_statistics, lambda rule_id: settings.selects(rule_id, file))


def _check_piece(codec: Codec, piece: Piece, file: str, task: _Task, bench: Bench, part: _Part) -> None:
    """Every finding of one document, added to a part."""
    part.documents += 1
    try:
        loaded = load(codec, piece, bench.selects)
        faults = loaded.faults
        if loaded.manifests:
            if meant := judge(loaded, bench):
                faults = faults + first_faults(meant, loaded.locate, MAX_JUDGED)
            _note(loaded, bench, file, piece.index, task, part.collection)
    except Exception as error:  # whatever the input, a crash is a finding and not a traceback
        note_crash(error)
        loaded = Loaded()
        faults = [Fault(rule="KIX002", message=f"the check of this document crashed: {type(error).__name__}: {error}")]
    part.manifests += len(loaded.sites)
    if faults:
        place = place_of(loaded, file, piece.index)
        part.findings += [finding_of(fault, place) for fault in faults if bench.selects(fault.rule)]


def _note(loaded: Loaded, bench: Bench, file: str, document: int, task: _Task, collection: Collection) -> None:
    """Keep the rows of a document's manifests, for what is asked of all documents together."""
    origin = loaded.assembled.origin if loaded.assembled else None
    for place, manifest in loaded.manifests:
        if place and id(manifest) in bench.noted:
            continue
        if origin and manifest.kind != "BenchmarkRun":
            continue  # what a bench record says in passing stands for no manifest of its own
        path = origin(place) if origin else place
        digest = bench.digest(manifest)
        collection.add(manifest, digest, file, document, path, wants_references=task.references)
        bench.note(manifest)


def _check_open(stream: BinaryIO, name: str, task: _Task, part: _Part, share: Share | None = None) -> None:
    bench = task.bench(os.path.join(task.folder, name))
    if share is not None and share.start:
        pieces = later_pieces(stream, share.first)
    else:
        pieces = open_pieces(stream, name, format=task.format, sniffed=task.sniffed)
        part.files += 1
    seen, faulty = len(part.findings), 0
    try:
        for codec, piece in pieces:
            _check_piece(codec, piece, name, task, bench, part)
            if len(part.findings) > seen:
                faulty += sum(finding.rule < _MEANING for finding in part.findings[seen:])
                seen = len(part.findings)
                if faulty >= MAX_FAULTY:
                    message = f"the file was not read further, after {faulty:,} faults of reading and structure"
                    _tell(part, "KIX003", message, name, piece.index)
                    break
    except UnreadableDocument as error:
        _tell(part, error.rule, str(error), name)
    except OSError as error:
        _tell(part, "KIX001", _reason(error), name)
    except Exception as error:  # likewise for the cutting of the file
        note_crash(error)
        _tell(part, "KIX002", f"the reading of {name} crashed: {type(error).__name__}: {error}", name)


def _tell(part: _Part, rule: str, message: str, file: str, document: int | None = None) -> None:
    part.findings.append(finding_of(Fault(rule=rule, message=message), Place(file=file, document=document)))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _check_files(share: Share, task: _Task, part: _Part, progress: Progress | None = None) -> None:
    for name in share.files:
        try:
            with open(os.path.join(task.folder, name), "rb") as file:
                stream: BinaryIO = file
                if share.is_stretch or progress is not None:
                    file.seek(share.start)
                    stream = cast("BinaryIO", Stretch(file, share.end, progress))
                _check_open(stream, name, task, part, share)
        except OSError as error:
            part.files += not share.start
            _tell(part, "KIX001", _reason(error), name)


def _work(task: _Task, share: Share) -> _Packed:
    """The work of one worker."""
    part = _Part()
    _check_files(share, task, part)
    return part.pack()


def _check_spread(
    files: Sequence[str], task: _Task, part: _Part, executor: Executor, progress: Progress | None
) -> None:
    from functools import partial

    from kernelindex_schema.parallel import run

    # A worker may live in another folder, or on another machine that sees the same files.
    folder = os.getcwd()
    settings = msgspec.structs.replace(task.settings, folder=os.path.join(folder, task.settings.folder))
    away = msgspec.structs.replace(task, settings=settings, folder=folder)
    for share, outcome in run(executor, partial(_work, away), part_out(files, task.format)):
        if isinstance(outcome, _Packed):
            part.merge(outcome)
        else:
            _tell_lost(part, share, outcome)
        if progress is not None:
            progress(share.size)


def _tell_lost(part: _Part, share: Share, error: Exception) -> None:
    """A file, or a stretch of one, that no worker outlived."""
    part.files += not share.start
    (name,) = share.files
    what = f"{name} from line {share.first + 1} on, {share.size:,} bytes," if share.is_stretch else name
    _tell(part, "KIX002", f"{what} could not be checked, in two attempts: {type(error).__name__}: {error}", name)


Reopen = Callable[[str], contextlib.AbstractContextManager[BinaryIO]]


def _open_again(name: str) -> contextlib.AbstractContextManager[BinaryIO]:
    if not os.path.isfile(name):
        raise OSError("what a pipe held is gone, and to open it again would wait for somebody to write")
    return open(name, "rb")


def _report(
    part: _Part, task: _Task, *, passed_over: int = 0, registry: Collection | None = None, reopen: Reopen = _open_again
) -> Report:
    def again(name: str) -> Iterator[tuple[Codec, Piece]]:
        with reopen(name) as stream:
            yield from open_pieces(stream, name, format=task.format, sniffed=task.sniffed)

    findings = part.findings + findings_together(part.collection, task.bench, again, registry)
    return Report(
        findings=tuple(sorted(findings, key=Finding.sort_key)),
        files=part.files,
        documents=part.documents,
        manifests=part.manifests,
        passed_over=passed_over,
    )


def check_paths(
    paths: Sequence[str | os.PathLike[str]],
    *,
    executor: Executor | None = None,
    format: str | None = None,
    registry: str | os.PathLike[str] | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    streams: Sequence[tuple[BinaryIO, str]] = (),
    progress: Progress | None = None,
) -> Report:
    """All findings of files and folders, those over all of them together included. Never raises for bad data.

    Args:
        paths: files, and folders that stand for the files below them that hold records.
        executor: any ``concurrent.futures`` executor to spread the files over; None for this process alone.
        format: the format of every file, whatever its suffix.
        registry: a folder that holds the rest of a collection: digests are looked up there too (KIX503).
        settings: which rules and which bounds.
        streams: open binary streams, such as standard input, each with a name. Where that tells no format, the
            content does.
        progress: called now and then with the number of bytes that were read since.
    """
    found = find_files([os.fsdecode(path) for path in paths], excluded=settings.excludes)
    task = _Task(settings=settings, format=format, references=registry is not None)
    part = _Part()
    for path, reason in found.missing:
        _tell(part, "KIX001", reason, path)
    for stream, name in streams:
        if progress is not None:
            stream = cast("BinaryIO", Stretch(stream, None, progress))
        _check_open(stream, name, msgspec.structs.replace(task, sniffed=True), part)
    if executor is None:
        _check_files(Share(files=tuple(found.files)), task, part, progress)
    else:
        _check_spread(found.files, task, part, executor, progress)
    around = None
    if registry is not None:
        known = _Part()
        _check_files(Share(files=tuple(find_files([os.fsdecode(registry)]).files)), _Task(), known)
        around = known.collection
    # A stream was read to its end, and a file of its name is another one.
    spent = {name for _, name in streams}
    reopen = lambda name: contextlib.nullcontext(io.BytesIO()) if name in spent else _open_again(name)  # noqa: E731
    return _report(part, task, passed_over=found.passed_over, registry=around, reopen=reopen)


def check(path: str | os.PathLike[str], *, format: str | None = None, settings: Settings = DEFAULT_SETTINGS) -> Report:
    """All findings of a file or a folder. Never raises for bad data: what cannot be read is a finding too."""
    return check_paths([path], format=format, settings=settings)


def check_stream(
    stream: BinaryIO, name: str, *, format: str | None = None, settings: Settings = DEFAULT_SETTINGS
) -> Report:
    """All findings of an open binary stream, such as standard input. The name, else the content, tells the format."""
    task, part = _Task(settings=settings, format=format, sniffed=True), _Part()
    _check_open(stream, name, task, part)
    return _report(part, task, reopen=lambda name: contextlib.nullcontext(io.BytesIO()))


def check_data(
    data: bytes | str, format: str | None = None, name: str = "<data>", *, settings: Settings = DEFAULT_SETTINGS
) -> Report:
    """All findings of bytes or text. ``format`` names one of the formats; None lets ``name``, then content, tell."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    task, part = _Task(settings=settings, format=format, sniffed=True), _Part()
    _check_open(io.BytesIO(raw), name, task, part)
    return _report(part, task, reopen=lambda name: contextlib.nullcontext(io.BytesIO(raw)))


def check_value(value: Any, *, name: str | None = None, settings: Settings = DEFAULT_SETTINGS) -> Report:
    """All findings of a struct that was built in Python: a manifest, a Record or a Submission.

    Construction does not validate; this does. There are no lines to point at: findings have paths.
    """
    task, part = _Task(settings=settings), _Part(documents=1)
    loaded = load_value(value)
    bench = task.bench(name)
    faults = [*loaded.faults, *judge(loaded, bench)]
    _note(loaded, bench, name or "", 0, task, part.collection)
    part.manifests = len(loaded.sites)
    place = place_of(loaded, name, 0)
    part.findings += [finding_of(fault, place) for fault in faults if bench.selects(fault.rule)]
    return _report(part, task, reopen=lambda name: contextlib.nullcontext(io.BytesIO()))
