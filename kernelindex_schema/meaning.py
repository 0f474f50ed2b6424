"""What the rules of meaning say: about one document, and about pairs of manifests that are both at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from kernelindex_schema.codecs.document import Fault
from kernelindex_schema.collection import Collection, Sighting, unresolved
from kernelindex_schema.documents import CATALOG_DIGESTS, SECTIONS
from kernelindex_schema.errors import note_crash
from kernelindex_schema.findings import Path, dotted_path
from kernelindex_schema.identity import digest_of
from kernelindex_schema.intake import Loaded
from kernelindex_schema.rules import checks_for, settle, subject_of
from kernelindex_schema.rules.catalogue import Hit, Rule
from kernelindex_schema.structure.acceptance import REPEATED
from kernelindex_schema.v1alpha1 import KINDS, Manifest, Record

__all__ = ["Bench", "judge", "judge_pairs"]


Selects = Callable[[str], bool]


def _every_rule(rule_id: str) -> bool:
    return True


_KEPT = 512


class Bench:
    """What the documents of a file are judged by: the selected rules, and what rules may ask for.

    Digests are kept from one document to the next, and so is which protocol or environment no rule has anything to say
    about: record after record repeats them, and the fast path of structure gives the same struct for the same text.
    """

    def __init__(self, primary_statistics: Sequence[str] = ("median",), selects: Selects = _every_rule) -> None:
        self.primary_statistics = frozenset(primary_statistics)
        self.selects = selects
        self._rules: dict[str, tuple[Rule, ...]] = {}
        # By id; the manifest is kept beside what is known of it, so that its id stays its own.
        self._digests: dict[int, tuple[Manifest, str]] = {}
        self.sound: dict[int, Manifest] = {}
        """What no rule has anything to say about, of the kinds that come again and again."""
        self.noted: dict[int, Manifest] = {}
        """What was noted before, likewise."""

    def rules(self, subject: str) -> tuple[Rule, ...]:
        """The selected rules with a check of this subject. What is not shown silences nothing, so it is not asked."""
        known = self._rules.get(subject)
        if known is None:
            known = self._rules[subject] = tuple(rule for rule in checks_for(subject) if self.selects(rule.id))
        return known

    def digest(self, manifest: Manifest) -> str:
        """The digest of a valid manifest; computed once, as long as it is kept."""
        known = self._digests.get(id(manifest))
        if known is None:
            if len(self._digests) >= _KEPT:
                self._digests.clear()
            known = self._digests[id(manifest)] = (manifest, digest_of(manifest))
        return known[1]

    def judge(self, path: Path, manifest: Manifest, into: _Outcome) -> None:
        """Ask the rules of a manifest's kind about it."""
        said = len(into.hits) + len(into.faults)
        _apply(self.rules(subject_of(manifest)), path, manifest, self, into)
        if type(manifest) in REPEATED and said == len(into.hits) + len(into.faults):
            _keep(self.sound, manifest)

    def note(self, manifest: Manifest) -> None:
        """Remember that a manifest was noted, if it is of a kind that comes again and again."""
        if type(manifest) in REPEATED:
            _keep(self.noted, manifest)


def _keep(kept: dict[int, Manifest], manifest: Manifest) -> None:
    if len(kept) >= _KEPT:
        kept.clear()
    kept[id(manifest)] = manifest


class _Outcome(msgspec.Struct):
    """What the rules had to say about one document."""

    hits: list[tuple[Rule, Hit]] = []
    faults: list[Fault] = []

    def settled(self, origin: Callable[[Path], Path] | None = None) -> list[Fault]:
        """Every fault that no other one explains; ``origin`` gives the place that a place was made from."""
        if not self.hits:
            return self.faults
        kept = settle(self.hits)
        return self.faults + [_fault_of(rule, hit, origin or _same) for rule, hit in kept]


def _apply(rules: Sequence[Rule], base: Path, value: Any, bench: Bench, into: _Outcome) -> None:
    """Ask rules about a value that stands at ``base``; a rule that crashes must not hide the other findings."""
    for rule in rules:
        try:
            for hit in rule.check(value, bench):  # type: ignore[misc]
                into.hits.append((rule, hit.under(base)))
        except Exception as error:
            note_crash(error)
            where = dotted_path(base) or "the document"
            message = f"rule {rule.id} {rule.name} crashed at {where}: {type(error).__name__}: {error}"
            into.faults.append(Fault(rule="KIX002", message=message, path=base))


def _same(path: Path) -> Path:
    return path


def _fault_of(rule: Rule, hit: Hit, origin: Callable[[Path], Path]) -> Fault:
    path = origin(hit.path)
    return Fault(
        rule=rule.id,
        message=rule.sentence(hit, dotted_path(path)),
        path=path,
        at_key=hit.at_key,
        hint=hit.hint,
        related=tuple((origin(where), None, what) for where, what in hit.related),
    )


def _records(loaded: Loaded) -> Iterator[tuple[Path, Record]]:
    """Every record of a document whose three manifests are valid."""
    if loaded.shape == "record" and loaded.complete:
        (_, run), (_, protocol), (_, environment) = loaded.manifests
        yield (), Record(run=run, protocol=protocol, environment=environment)  # type: ignore[arg-type]
        return
    at = dict(loaded.manifests)
    for path, manifest in loaded.manifests:
        if path and path[-1] == "run" and manifest.kind == "BenchmarkRun":
            root = path[:-1]
            beside = at.get((*root, "protocol")), at.get((*root, "environment"))
            if None not in beside:
                yield root, Record(run=manifest, protocol=beside[0], environment=beside[1])  # type: ignore[arg-type]


def judge(loaded: Loaded, bench: Bench) -> list[Fault]:
    """What the rules say about one document."""
    outcome = _Outcome()
    for path, manifest in loaded.manifests:
        if id(manifest) not in bench.sound:
            bench.judge(path, manifest, outcome)
    if loaded.shape == "manifest":
        return outcome.settled()
    for root, record in _records(loaded):
        _apply(bench.rules("record"), root, record, bench, outcome)
    if loaded.shape == "submission" and loaded.complete:
        _apply(bench.rules("submission"), (), loaded.value, bench, outcome)
        outcome.faults += _unresolved_inside(loaded, bench)
    elif loaded.shape == "catalog row":
        outcome.faults += _recorded_digest(loaded, bench)
    # What is found in the submission that a bench record becomes is told of the bench record.
    return outcome.settled(loaded.assembled.origin if loaded.assembled else None)


def _unresolved_inside(loaded: Loaded, bench: Bench) -> Iterator[Fault]:
    """KIX503 inside a submission: a digest of a kind whose section is there, and that nothing there has."""
    sections = {kind for section, kinds in SECTIONS.items() if section in loaded.plain for kind in kinds}
    here = {bench.digest(manifest) for _, manifest in loaded.manifests}
    for path, manifest in loaded.manifests:
        for reference in KINDS[manifest.kind].references:
            digest = reference.digest_of(manifest)
            if digest not in here and sections.issuperset(reference.kinds):
                yield unresolved((*path, *reference.path), digest, reference.kinds, "of this submission")


def _recorded_digest(loaded: Loaded, bench: Bench) -> Iterator[Fault]:
    """KIX504: the digest that a catalog row carries against the digest of its manifest."""
    row, table = loaded.plain["row"], loaded.plain["table"]
    column = CATALOG_DIGESTS.get(table)
    recorded = row.get(column) if column else None
    at = dict(loaded.manifests)
    manifest = at.get(("row", "manifest")) or at.get(("row", "manifest", "run"))
    if recorded is None or manifest is None:
        return
    computed = bench.digest(manifest)
    if recorded != computed:
        message = f"row.{column} is {recorded}, the manifest beside it has {computed}"
        yield Fault(rule="KIX504", message=message, path=("row", str(column)))


def judge_pairs(
    collection: Collection, bench_of: Callable[[str], Bench], registry: Collection | None = None
) -> Iterator[tuple[Sighting, Fault]]:
    """What the rules say about a workload and its operation, and other pairs, each at the place of the first."""
    for sighting, subject, pair in collection.pairs(registry):
        bench, outcome = bench_of(sighting.file), _Outcome()
        _apply(bench.rules(subject), sighting.path, pair, bench, outcome)
        for fault in outcome.settled():
            yield sighting, fault
