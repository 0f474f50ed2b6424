"""Which finding tells a fault that several rules see: one fault, one finding.

The table is part of the catalogue. A rule silences another only for the same thing: a hit says with ``about`` what is
at fault (a figure, the two figures of a pair, a statistic), and hits that share none of it do not touch each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernelindex_schema.findings import Path
from kernelindex_schema.rules.catalogue import Hit, Rule

__all__ = ["SILENCES", "settle"]

SILENCES: dict[str, frozenset[str]] = {
    # In another unit a figure can neither be ordered among the others nor compared with its source.
    "KIX201": frozenset({"KIX304", "KIX401"}),
    # What holds for one statistic need not hold for the one that ought to stand there. A protocol whose digest fails
    # only by its statistic says so in `about` (KIX501).
    "KIX301": frozenset({"KIX302", "KIX303", "KIX501"}),
    # A figure that its source contradicts is out of order for that reason.
    "KIX401": frozenset({"KIX304"}),
}
"""Each rule, and the rules whose hits about the same thing it makes needless."""


def settle(hits: Sequence[tuple[Rule, Hit]]) -> list[tuple[Rule, Hit]]:
    """The hits of one document without those that another one tells, in the order given.

    Takes each rule with a hit whose paths begin at the root of the document (:meth:`Hit.under`), and only those of
    rules that are selected: what is not shown silences nothing.
    """
    told: dict[str, set[Path]] = {}
    for rule, found in hits:
        for silenced in SILENCES.get(rule.id, ()):
            told.setdefault(silenced, set()).update(_about(found))
    if not told:
        return list(hits)
    return [(rule, found) for rule, found in hits if told.get(rule.id, set()).isdisjoint(_about(found))]


def _about(found: Hit) -> tuple[Path, ...]:
    return found.about or (found.path,)
