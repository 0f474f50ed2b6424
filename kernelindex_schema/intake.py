"""One document in: from the piece that a codec cut to structs, or to every fault that keeps it from being one.

Two speeds, one verdict. The fast path takes the value of a piece that is beyond doubt and converts every manifest in
it. Only where it refuses does the slow path list the faults: of reading, of the shape, of each manifest's structure.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from kernelindex_schema.codecs.document import (
    MAX_DEPTH,
    MAX_MANIFEST_BYTES,
    Codec,
    Examined,
    Fault,
    Piece,
    Refused,
)
from kernelindex_schema.construction import plain_value
from kernelindex_schema.documents import Site, manifests_in, recognise, whole_document
from kernelindex_schema.findings import Path, Position, dotted_path, json_pointer
from kernelindex_schema.normalize import AuthoringNote, normalize
from kernelindex_schema.rules.telling import unit_slip
from kernelindex_schema.structure.acceptance import REPEATED_KINDS, accept, accept_again
from kernelindex_schema.v1alpha1 import KINDS, Manifest

if TYPE_CHECKING:
    from kernelindex_schema.assembly import Assembled

__all__ = ["MAX_SHOWN", "Loaded", "first_faults", "load", "load_value"]

MAX_SHOWN = 100
"""Findings of reading and structure shown of one document; one more says that there are others."""

_MOST_LISTED = 10_000
"""Structural faults of a manifest that are looked at for those of selected rules."""

_MOST_ORDERED = 1_200
"""Faults of which the places are looked up to find the first ones; it takes a millisecond for each in a long list."""

REGISTRY_FORM_BYTES = 262_144
"""The largest submission that the registry's own form takes."""

_HARMLESS = frozenset({"KIX013", "KIX014"})
_BLOCKING = frozenset({"KIX003", "KIX004", "KIX008", "KIX012"})
_UNUSABLE = frozenset({"KIX007", "KIX008", "KIX009", "KIX105"})


class Loaded(msgspec.Struct, kw_only=True, gc=False):
    """A document as far as it could be understood."""

    shape: str | None = None
    plain: Any = None
    """The value as read."""
    manifests: list[tuple[Path, Manifest]] = []
    """The manifests that are valid, with their places. Those of a bench record are assembled."""
    sites: list[Site] = []
    """Where manifests stand, or ought to."""
    faults: list[Fault] = []
    complete: bool = False
    """Whether nothing is at fault, so that there is a struct of the whole document."""
    locate: Callable[[Path, bool], Position | None] | None = None
    assembled: Assembled | None = None
    """What a bench record came to."""

    @property
    def value(self) -> Any:
        """The normalised struct of the whole document; None where anything is at fault."""
        if not self.complete:
            return None
        if self.assembled is not None:
            return self.assembled.record
        return whole_document(self.shape or "", self.plain, self.manifests)


Selects = Callable[[str], bool]


def _every_rule(rule_id: str) -> bool:
    return True


def load(codec: Codec, piece: Piece, selects: Selects = _every_rule) -> Loaded:
    """Understand one document: fast where it is beyond doubt, else with every fault. Never raises for bad data.

    Faults of rules that are not selected are left out before the first ones are chosen, so that they hide no others.
    """
    if not piece.faults and len(piece.data) <= MAX_MANIFEST_BYTES:
        try:
            value = codec.decode(piece)
        except Refused:
            return _load_with_faults(codec, piece, selects)
        loaded = _load_fast(value) if type(value) is dict else None
        if loaded is not None:
            loaded.locate = _lazily(codec, piece)
            if loaded.shape == "submission":
                loaded.faults.extend(_size_faults(piece, "submission"))
            return loaded
    return _load_with_faults(codec, piece, selects)


def load_value(value: Any) -> Loaded:
    """Understand a struct that was built in Python: strictly, since an authoring form has no place in a struct."""
    plain, faults = plain_value(value)
    shape = recognise(plain) if isinstance(plain, dict) else None
    if shape is None:
        return Loaded(faults=faults or [_no_manifest(plain)])
    loaded = Loaded(shape=shape.name, plain=plain, sites=shape.sites)
    structural = [*shape.faults]
    if shape.name == "bench record":
        structural += _assemble(loaded, plain, whole=not faults)
    for site in shape.sites:
        manifest, found = _examine_site(site, authored=False)
        structural += found
        if manifest is not None:
            loaded.manifests.append((site.path, manifest))
    loaded.faults = first_faults(faults + _told_apart(structural, [fault.path for fault in faults]))
    loaded.complete = not loaded.faults
    return loaded


def _assemble(loaded: Loaded, value: Any, *, whole: bool) -> list[Fault]:
    """The faults of a bench record; where it has none and is read ``whole``, what it comes to stands for it."""
    from kernelindex_schema.assembly import examine

    loaded.assembled = examine(value)
    if whole and loaded.assembled.submission is not None:
        loaded.manifests = list(manifests_in(loaded.assembled.submission))
    return loaded.assembled.faults


def _told_apart(structural: list[Fault], unusable: list[Path]) -> list[Fault]:
    """The structural faults but those at or below a value that a reading fault speaks of."""
    return [fault for fault in structural if not any(fault.path[: len(at)] == at for at in unusable)]


def _lazily(codec: Codec, piece: Piece) -> Callable[[Path, bool], Position | None]:
    examined: list[Examined] = []

    def locate(path: Path, at_key: bool) -> Position | None:
        if not examined:
            examined.append(codec.examine(piece))
        return examined[0].locate(path, at_key)

    return locate


def _load_fast(value: dict[str, Any]) -> Loaded | None:
    shape = recognise(value)
    if shape is None or shape.faults or shape.name == "bench record":
        return None
    if shape.name == "catalog row" and not _within_bounds(value["row"], 2):
        return None
    manifests = []
    for site in shape.sites:
        plain, kinds = site.value, site.kinds
        kind = plain.get("kind") if type(plain) is dict else None
        if type(kind) is not str or kind not in KINDS or (kinds and kind not in kinds):
            return None
        manifest = accept_again(kind, plain) if kind in REPEATED_KINDS else accept(kind, plain)
        if manifest is None:
            return None
        manifests.append((site.path, manifest))
    return Loaded(shape=shape.name, plain=value, manifests=manifests, sites=shape.sites, complete=True)


def _within_bounds(value: Any, level: int) -> bool:
    """Whether nesting and integers keep to what a codec lets in, in a part of a document that no kind describes."""
    if isinstance(value, dict):
        return level <= MAX_DEPTH and all(_within_bounds(each, level + 1) for each in value.values())
    if isinstance(value, list):
        return level <= MAX_DEPTH and all(_within_bounds(each, level + 1) for each in value)
    return not isinstance(value, int) or abs(value) <= sys.float_info.max


def _size_faults(piece: Piece, shape: str | None) -> Iterator[Fault]:
    size = len(piece.data)
    if shape == "submission":
        if size > REGISTRY_FORM_BYTES:
            message = f"the submission has {size:,} bytes, and the registry's form takes {REGISTRY_FORM_BYTES:,}"
            yield Fault(rule="KIX013", message=message, hint="split it into several submissions")
    elif size > MAX_MANIFEST_BYTES:
        message = f"the document has {size:,} bytes, expected at most {MAX_MANIFEST_BYTES:,}"
        yield Fault(rule="KIX003", message=message)


def _load_with_faults(codec: Codec, piece: Piece, selects: Selects) -> Loaded:
    loaded = _load_carefully(codec, piece, selects)
    loaded.faults = first_faults([fault for fault in loaded.faults if selects(fault.rule)], loaded.locate)
    return loaded


def _load_carefully(codec: Codec, piece: Piece, selects: Selects) -> Loaded:
    if any(fault.rule in _BLOCKING for fault in piece.faults):
        return Loaded(faults=list(piece.faults))
    examined = codec.examine(piece)
    faults = [*piece.faults, *examined.faults]
    if not examined.readable:
        return Loaded(faults=faults, locate=examined.locate)
    value = examined.value
    shape = recognise(value) if isinstance(value, dict) else None
    size = list(_size_faults(piece, shape.name if shape else None))
    faults += size
    loaded = Loaded(plain=value, faults=faults, locate=examined.locate)
    if any(fault.rule == "KIX003" for fault in size):
        return loaded
    if shape is None:
        faults.append(_no_manifest(value))
        return loaded
    loaded.shape, loaded.sites = shape.name, shape.sites
    unusable = [fault.path for fault in faults if fault.rule in _UNUSABLE]
    # A key that holds half a surrogate pair stays in the value, and nothing that has it can be digested.
    no_text = [fault.path for fault in faults if fault.rule == "KIX008"]
    structural = [*shape.faults]
    errors = len(structural)
    complete = not any(fault.rule not in _HARMLESS for fault in faults) and not shape.faults
    if shape.name == "bench record" and not no_text:
        structural += _assemble(loaded, value, whole=complete)
        complete = complete and bool(loaded.manifests)
    for site in shape.sites:
        if errors > MAX_SHOWN:
            complete = False
            break
        manifest, found = _examine_site(site, selects=selects)
        structural += found
        if manifest is None:
            errors += len(found)
            complete = False
        elif not any(path[: len(site.path)] == site.path for path in no_text):
            loaded.manifests.append((site.path, manifest))
    faults += _told_apart(structural, unusable)
    loaded.complete = complete
    return loaded


def first_faults(
    faults: list[Fault], locate: Callable[[Path, bool], Position | None] | None = None, most: int = MAX_SHOWN
) -> list[Fault]:
    """The first faults of a document in the order of their places, and one more that says that there are others.

    Errors come first: a document must not pass because warnings took their room.
    """
    if len(faults) <= most:
        return faults
    from kernelindex_schema.rules import RULES

    def rank(fault: Fault) -> int:
        return -RULES[fault.rule].severity.rank

    def order(fault: Fault) -> tuple[int, Position, str, str]:
        position = fault.position or (locate(fault.path, fault.at_key) if locate else None)
        return rank(fault), position or Position(0, 0, 0, 0), fault.rule, json_pointer(fault.path)

    *first, more = sorted(sorted(faults, key=rank)[:_MOST_ORDERED], key=order)[: most + 1]
    rest = msgspec.structs.replace(
        more,
        message="more faults of this document are not shown",
        hint=f"mend these {most} and check again",
        related=(),
    )
    return [*first, rest]


def _no_manifest(value: Any) -> Fault:
    known = "expected a manifest, a record, a submission, a bench record or a catalog row"
    if value is None:
        return Fault(rule="KIX011", message=f"the document is empty, {known}")
    if isinstance(value, list):
        hint = "write one document a line (.jsonl), or several YAML documents with --- between them"
        return Fault(rule="KIX011", message=f"the document is a list, {known}", hint=hint)
    if isinstance(value, dict):
        return Fault(rule="KIX011", message=f"nothing in the document says what it is, {known}")
    return Fault(rule="KIX011", message=f"the document is no mapping, {known}")


def _examine_site(
    site: Site, *, authored: bool = True, selects: Selects = _every_rule
) -> tuple[Manifest | None, list[Fault]]:
    """The manifest at a site, or every selected structural fault of it (one more than is shown, at most).

    What was not ``authored`` but built in Python must be in canonical form already.
    """
    from kernelindex_schema.structure.faults import ENVELOPE, schema_faults, with_article, wrong_type

    value = site.value
    if not isinstance(value, dict):
        return None, [wrong_type(site.path, value, "a manifest")]
    named = value.get("kind")
    kind = named if isinstance(named, str) and named in KINDS else None
    faults: list[Fault] = []
    if kind and site.kinds and kind not in site.kinds:
        wanted = " or ".join(with_article(each) for each in site.kinds)
        path = (*site.path, "kind")
        message = f"{with_article(kind)} stands where {wanted} belongs"
        faults.append(Fault(rule="KIX114", message=message, path=path))
    elif kind and (manifest := accept(kind, value)) is not None:
        return manifest, []
    normal = value
    if kind:
        normal, notes = normalize(KINDS[kind].manifest, value)
        faults += [_note_fault(note, site.path, value) for note in notes]
    listed = itertools.islice(schema_faults(kind or ENVELOPE, value, site.path), _MOST_LISTED)
    first = next(listed, None)
    if first is not None:
        selected = (fault for fault in itertools.chain([first], listed) if selects(fault.rule))
        faults += itertools.islice(selected, MAX_SHOWN + 1)
    if kind is None or first is not None or any(fault.rule != "KIX203" for fault in faults):
        return None, faults
    manifest = accept(kind, normal)
    if manifest is not None and not authored:
        manifest = None
        reason = f"this {kind} holds an authoring form (a duration text, a float for an integer): decode it instead"
        faults.append(Fault(rule="KIX105", message=reason, path=site.path))
    elif manifest is None:
        reason = f"the fast and the slow path disagree on this {kind}; please report it"
        faults.append(Fault(rule="KIX002", message=reason, path=site.path))
    return manifest, faults


def _note_fault(note: AuthoringNote, base: Path, manifest: dict[str, Any]) -> Fault:
    path = (*base, *note.path)
    hint = note.hint
    if note.rule == "KIX110":
        hint = unit_slip(note.path, manifest) or hint
    return Fault(rule=note.rule, message=f"{dotted_path(path)} is {note.message}", path=path, hint=hint)
