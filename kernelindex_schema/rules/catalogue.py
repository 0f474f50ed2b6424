"""The catalogue of rules: one entry an id, from which code, command, reports, docs and tests are driven.

A rule's text lives in its docstring, in four parts that tests run::

    One sentence that states the fault.

    Why: why it matters.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec: {...}
    ```

    Good:
    ```yaml
    ...
    ```

A ``yaml`` block shows only what matters: it is laid over the smallest valid document of its shape (told by ``kind``,
``run``, ``runs``, ``table`` …), documents being separated by ``---``. Each member of ``metadata`` and ``spec`` that the
block names is taken whole, the others are those of the smallest document. Digests that chain the block are computed
unless it states them: a record's run names the manifests beside it, a submission's workloads its first operation, a
ServingRun the configuration before it. In the info string, ``verbatim`` (``json verbatim``) marks a document as it
stands, ``primary-statistics=mean,median`` states a setting other than the default, and ``console`` marks what can only
be shown.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from kernelindex_schema.findings import Path, Severity

if TYPE_CHECKING:
    from kernelindex_schema.v1alpha1 import Manifest

__all__ = ["Check", "Context", "Example", "Hit", "Rule", "example_blocks", "hit", "rule", "text_rule"]

RULE_URL_BASE = "https://kernelindex.dev/schema/rules/"


class Context(Protocol):
    """What a check may ask besides the value it is given."""

    @property
    def primary_statistics(self) -> frozenset[str]:
        """Statistics that a run or protocol may rest on (a setting)."""

    def digest(self, manifest: Manifest) -> str:
        """Identity of a manifest of the document; computed once."""


class Example(msgspec.Struct, frozen=True):
    """A fenced block of a rule's text."""

    format: str
    verbatim: bool
    text: str
    primary_statistics: frozenset[str] = frozenset({"median"})
    """The setting that the block is checked with."""

    @property
    def runs(self) -> bool:
        """Whether the block is a document, and not something that can only be shown."""
        return self.format != "console"


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a rule found its fault, and the values that its message needs."""

    path: Path
    """From the root of what the rule was given (manifest, record, submission)."""
    values: dict[str, Any] = {}
    at_key: bool = False
    """Marks the key at the end of ``path`` instead of the value."""
    hint: str | None = None
    """Takes the place of the rule's own hint."""
    related: tuple[tuple[Path, str], ...] = ()
    """Other places in the same document: path from the same root, and what is there."""
    about: tuple[Path, ...] = ()
    """What is at fault, for :mod:`kernelindex_schema.rules.precedence`; empty: ``path`` itself."""

    def under(self, prefix: Path) -> Hit:
        """The same hit seen from further up, where the value that the rule was given stands at ``prefix``."""
        if not prefix:
            return self
        return Hit(
            path=prefix + self.path,
            values=self.values,
            at_key=self.at_key,
            hint=self.hint,
            related=tuple((prefix + path, text) for path, text in self.related),
            about=tuple(prefix + path for path in self.about),
        )


def hit(
    *path: str | int,
    at_key: bool = False,
    hint: str | None = None,
    related: tuple[tuple[Path, str], ...] = (),
    about: tuple[Path, ...] = (),
    **values: Any,
) -> Hit:
    """A :class:`Hit` at ``path``; ``values`` fill the rule's message template."""
    return Hit(path=path, values=values, at_key=at_key, hint=hint, related=related, about=about)


Check = Callable[[Any, Context], Iterable[Hit]]
"""Given a value of the rule's subject and the context; yields a hit for each fault."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of the catalogue."""

    id: str
    name: str
    severity: Severity
    message: str
    """Template of the message; ``{path}`` is the dotted path of the place."""
    hint: str | None
    source: str
    """Where the rule comes from: a page of the contract, an RFC section, a reported fault."""
    subjects: tuple[str, ...]
    """What the check is given.

    A kind, ``manifest`` (any kind), ``record``, ``submission``; ``workload with operation`` and ``serving run with
    configuration``, which are pairs of manifests as a tuple, paths being those of the first; ``collection`` and
    ``text`` for what other stages find, whose rules have no check.
    """
    text: str
    """The rule's text, as it stands in its docstring."""
    check: Check | None = None

    @property
    def summary(self) -> str:
        """One sentence that states the fault."""
        return " ".join(_sections(self.text)["summary"].split())

    @property
    def why(self) -> str:
        """Why it matters."""
        return " ".join(_sections(self.text).get("why", "").split())

    @property
    def bad(self) -> str:
        """Documents with this fault, as fenced blocks."""
        return _sections(self.text).get("bad", "")

    @property
    def good(self) -> str:
        """The same documents without the fault."""
        return _sections(self.text).get("good", "")

    @property
    def url(self) -> str:
        """Address of the rule's page."""
        return f"{RULE_URL_BASE}{self.id}"

    def sentence(self, found: Hit, path: str) -> str:
        """The message of a hit, ``path`` being the dotted path of the place in its document."""
        return self.message.format(path=path or "the document", **found.values)


@functools.lru_cache(maxsize=256)
def _sections(doc: str) -> dict[str, str]:
    import re
    import textwrap

    first, _, rest = doc.partition("\n")
    head, *parts = re.split(r"^(Why|Bad|Good):[ \n]", f"{first.strip()}\n{textwrap.dedent(rest)}".strip(), flags=re.M)
    sections = {"summary": head.strip()}
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        sections[title.lower()] = body.strip()
    return sections


def example_blocks(section: str) -> tuple[Example, ...]:
    """The fenced blocks of a Bad or Good section."""
    import re

    blocks = []
    for match in re.finditer(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", section, re.M | re.S):
        words = match["info"].split()
        block = Example(words[0] if words else "yaml", "verbatim" in words[1:], match["text"])
        for word in words[1:]:
            if word.startswith("primary-statistics="):
                statistics = frozenset(word.partition("=")[2].split(","))
                block = msgspec.structs.replace(block, primary_statistics=statistics)
        blocks.append(block)
    return tuple(blocks)


def rule(
    id: str,
    name: str,
    severity: Severity,
    *,
    on: str | tuple[str, ...],
    message: str,
    source: str,
    hint: str | None = None,
) -> Callable[[Check], Rule]:
    """Turn a check function into a catalogue entry; its docstring is the rule's text."""

    def wrap(check: Check) -> Rule:
        return Rule(
            id=id,
            name=name,
            severity=severity,
            message=message,
            hint=hint,
            source=source,
            subjects=(on,) if isinstance(on, str) else on,
            text=check.__doc__ or "",
            check=check,
        )

    return wrap


def text_rule(
    id: str,
    name: str,
    severity: Severity,
    text: str,
    *,
    source: str,
    hint: str | None = None,
    subject: str = "text",
) -> Rule:
    """A catalogue entry for what another stage finds (codec, structure, collection); that stage writes the message."""
    return Rule(
        id=id,
        name=name,
        severity=severity,
        message="{message}",
        hint=hint,
        source=source,
        subjects=(subject,),
        text=text,
    )
