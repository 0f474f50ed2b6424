"""What a manifest must mean: the catalogue of rules, and how to find and show them."""

from __future__ import annotations

import functools

from kernelindex_schema.nearest import nearest
from kernelindex_schema.rules import (
    axis,
    context,
    licence,
    reading,
    reference,
    serving,
    source,
    statistics,
    structural,
    tensor,
    units,
    workload,
)
from kernelindex_schema.rules.catalogue import Context, Hit, Rule
from kernelindex_schema.rules.doubt import ALWAYS_ASKED, beyond_doubt
from kernelindex_schema.rules.precedence import settle
from kernelindex_schema.v1alpha1 import BenchmarkRun, Manifest

__all__ = [
    "RULES",
    "SOUND_RUN",
    "Context",
    "Hit",
    "Rule",
    "checks_for",
    "explain",
    "explain_text",
    "find_rule",
    "rule_as_dict",
    "settle",
    "subject_of",
]

_MODULES = (
    reading,
    structural,
    tensor,
    units,
    statistics,
    source,
    reference,
    axis,
    workload,
    tensor,
    context,
    licence,
    serving,
)

RULES: dict[str, Rule] = {
    entry.id: entry
    for entry in sorted(
        (entry for module in _MODULES for entry in vars(module).values() if isinstance(entry, Rule)),
        key=lambda entry: entry.id,
    )
}
"""Every rule by its id, in the order of the ids."""


SOUND_RUN = "sound run"
"""The subject of a BenchmarkRun that one look finds sound: only rules that depend on settings are left to ask."""


@functools.cache
def checks_for(subject: str) -> tuple[Rule, ...]:
    """The rules with a check of this subject, in the order of their ids: those of any manifest included for a kind.

    Subjects: the name of a kind, ``record``, ``submission``, ``workload with operation``, ``serving run with
    configuration`` (see :attr:`Rule.subjects`), and what :func:`subject_of` gives. Each check is called as
    ``check(value, context)``.
    """
    if subject == SOUND_RUN:
        return tuple(entry for entry in checks_for("BenchmarkRun") if entry.id in ALWAYS_ASKED)
    wanted = {subject, "manifest"} if subject[:1].isupper() else {subject}
    return tuple(entry for entry in RULES.values() if entry.check is not None and wanted.intersection(entry.subjects))


def subject_of(manifest: Manifest) -> str:
    """The subject to ask :func:`checks_for` about: the kind, or :data:`SOUND_RUN`, which spares most checks."""
    if type(manifest) is BenchmarkRun and beyond_doubt(manifest):
        return SOUND_RUN
    return manifest.kind


def find_rule(id_or_name: str) -> Rule:
    """The rule with this id (``KIX401``, also ``kix401`` or ``401``) or name (``source-time-disagrees``).

    Raises:
        KeyError: there is none; the message names the nearest.
    """
    written = id_or_name.strip()
    key = written.upper()
    entry = RULES.get(key) or RULES.get(f"KIX{key}")
    if entry is not None:
        return entry
    by_name = {entry.name: entry for entry in RULES.values()}
    if written.lower() in by_name:
        return by_name[written.lower()]
    near = nearest(key, RULES) or nearest(written.lower(), by_name)
    raise KeyError(f"there is no rule {written!r}" + (f"; did you mean {near}?" if near else ""))


def rule_as_dict(entry: Rule) -> dict[str, str | None]:
    """A rule as ``rules --format json`` shows it."""
    return {
        "id": entry.id,
        "name": entry.name,
        "severity": entry.severity.value,
        "summary": entry.summary,
        "why": entry.why,
        "bad": entry.bad,
        "good": entry.good,
        "hint": entry.hint,
        "source": entry.source,
    }


def explain(rule_id: str) -> str:
    """The whole text of a rule, named as :func:`find_rule` takes it.

    Raises:
        KeyError: there is none; the message names the nearest.
    """
    return explain_text(find_rule(rule_id))


def explain_text(entry: Rule) -> str:
    """A rule's whole text as ``explain`` shows it, ending in a line break."""
    import textwrap

    def paragraph(text: str) -> str:
        return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)

    parts = [f"{entry.id} {entry.name} ({entry.severity.value})", paragraph(entry.summary)]
    parts.append(paragraph(f"Why: {entry.why}"))
    for title, body in (("Bad", entry.bad), ("Good", entry.good)):
        parts.append(f"{title}:\n{textwrap.indent(body, '  ')}")
    if entry.hint:
        parts.append(f"Hint: {entry.hint}")
    parts.append(f"Source: {entry.source}\nPage: {entry.url}")
    return "\n\n".join(parts) + "\n"
