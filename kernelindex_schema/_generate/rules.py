"""``docs/reference/rules/``: the index, and a page a rule made of the rule's own text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelindex_schema._generate.kinds import page_name
from kernelindex_schema._generate.markdown import GENERATED, prose, wide_table
from kernelindex_schema._generate.try_it import CHECKED_IN_THE_PAGE
from kernelindex_schema.rules import RULES, Rule
from kernelindex_schema.v1alpha1 import KINDS

__all__ = ["rule_pages"]

_GROUPS = {
    "0": "Reading",
    "1": "Structure",
    "2": "Units",
    "3": "Statistics",
    "4": "The source's own figures",
    "5": "Digests and references",
    "6": "Axes, shapes and workloads",
    "7": "Wording and provenance",
    "8": "Serving",
}


def _sentence(text: str) -> str:
    return text if text.endswith(".") else text + "."


def _subjects(rule: Rule) -> str:
    told = []
    for subject in rule.subjects:
        if subject in KINDS:
            told.append(f"[{subject}](../kinds/{page_name(subject)}.md)")
        elif subject == "manifest":
            told.append("a manifest of [any kind](../kinds/index.md)")
        elif subject in ("record", "submission"):
            told.append(f"a [{subject}](../documents.md#{subject})")
        elif subject == "collection":
            told.append("all documents of one check together")
        elif subject == "text":
            told.append("any document, while it is read" if rule.id < "KIX1" else "any document")
        else:
            told.append(f"a {subject}")
    return ", ".join(told)


def _examples(section: str) -> str:
    """The blocks of a rule's text. The words after a language tell the tests how to run it: readers need none."""
    return re.sub(r"^(```\w+)[^\n]*$", r"\1", section, flags=re.M)


def _page(rule: Rule) -> str:
    parts = [
        f"{GENERATED}# {rule.id} {rule.name}\n",
        prose(rule.summary) + "\n",
        f"**Severity:** {rule.severity.value} <br>\n**Looks at:** {_subjects(rule)} <br>\n"
        f"**Source:** {prose(rule.source)}\n",
        f"## Why\n\n{prose(rule.why[:1].upper() + rule.why[1:])}\n",
        f"## Bad\n\n{_examples(rule.bad)}\n",
        f"## Good\n\n{_examples(rule.good)}\n",
    ]
    if rule.hint:
        hint = rule.hint[:1].upper() + rule.hint[1:]
        parts.append(f"## Mend it\n\n{_sentence(prose(hint))}\n")
    family = rule.id[3]
    digits = (
        ""
        if family == "0"
        else f"\n\nTo leave it out: `kix-schema check --ignore {rule.id}`, or `ignore` in the settings."
    )
    always = "\n\nA reading fault always counts: it cannot be left out." if family == "0" else ""
    page = (
        "also checked by the [try-it page](../../try-it/index.md)"
        if rule.id in CHECKED_IN_THE_PAGE
        else "checked by the command only"
    )
    parts.append(
        f"---\n\n`kix-schema explain {rule.id}` shows this page in a terminal. The rule is {page}.{digits}{always}\n"
    )
    return "\n".join(parts)


def _index() -> str:
    parts = [
        f"{GENERATED}# Rules\n\n"
        "What `kix-schema check` tells. Ids are stable and say the stage, never the severity. An *error* breaks the\n"
        "promise that a registry accepts the record and that it means what it says; a *warning* is likely a slip; a\n"
        "*note* is worth knowing. [How to fix a finding](../../how-to/fix-a-finding.md) begins with a report.\n\n"
        "Sources: *contract* is the format as the public registry accepts it, *edge cases* its exact behaviour (see\n"
        "[where we differ](../../explanation/two-languages.md)), *design* a decision of this project, *reported* a\n"
        "mistake that was met in published records.\n"
    ]
    for digit, title in _GROUPS.items():
        own = [rule for rule in RULES.values() if rule.id[3] == digit]
        rows = [
            (f"[{rule.id}]({rule.id}.md)", f"`{rule.name}`", rule.severity.value, prose(rule.summary)) for rule in own
        ]
        if rows:
            parts.append(f"## KIX{digit}: {title}\n\n{wide_table(('Rule', 'Name', 'Severity', 'When'), rows)}")
    pages = "\n".join(RULES)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{pages}\n```\n")
    return "\n".join(parts)


def _for_try_it() -> str:
    """The part of the try-it page that says what it leaves to the command."""
    left = [rule for rule in RULES.values() if rule.id not in CHECKED_IN_THE_PAGE]
    rows = [(f"[{rule.id}](../reference/rules/{rule.id}.md)", prose(rule.summary)) for rule in left]
    return (
        f"{GENERATED}**Only the command checks** these {len(left)} rules; a record without a fault here can still\n"
        f"break one of them:\n\n{wide_table(('Rule', 'When'), rows)}"
    )


def rule_pages() -> Iterator[tuple[str, str]]:
    """The index, a page a rule, and the list for the try-it page."""
    yield "docs/reference/rules/index.md", _index()
    yield "docs/try-it/rules.inc", _for_try_it()
    for rule in RULES.values():
        yield f"docs/reference/rules/{rule.id}.md", _page(rule)
