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

A ``yaml`` block with a top-level ``kind`` (or ``run``, ``runs``, ``table`` …) is laid over the smallest valid document
of that shape, so that it shows only what matters; an info string with ``verbatim`` (``json verbatim``) is a document
as it stands.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from kernelindex_schema.findings import Path, Severity

__all__ = ["Example", "Hit", "Rule", "example_blocks", "hit", "rule", "text_rule"]

RULE_URL_BASE = "https://kernelindex.dev/schema/rules/"

_BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.M | re.S)


class Example(msgspec.Struct, frozen=True):
    """A fenced block of a rule's text."""

    format: str
    verbatim: bool
    text: str


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


def hit(
    *path: str | int,
    at_key: bool = False,
    hint: str | None = None,
    related: tuple[tuple[Path, str], ...] = (),
    **values: Any,
) -> Hit:
    """A :class:`Hit` at ``path``; ``values`` fill the rule's message template."""
    return Hit(path=path, values=values, at_key=at_key, hint=hint, related=related)


Check = Callable[..., Iterator[Hit]]


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
    subject: str
    """What the check is given: a kind, ``manifest`` (any kind), ``record``, ``submission``, ``catalog row``,
    ``collection``; ``text`` for what the codecs and the structure stage find."""
    summary: str
    why: str
    bad: str
    good: str
    check: Check | None = None

    @property
    def url(self) -> str:
        """Address of the rule's page."""
        return f"{RULE_URL_BASE}{self.id}"


def example_blocks(section: str) -> tuple[Example, ...]:
    """The fenced blocks of a Bad or Good section."""
    blocks = []
    for match in _BLOCK.finditer(section):
        words = match["info"].split()
        blocks.append(Example(words[0] if words else "yaml", "verbatim" in words[1:], match["text"]))
    return tuple(blocks)


_SECTION = re.compile(r"^(Why|Bad|Good):[ \n]", re.M)


def _sections(doc: str) -> dict[str, str]:
    head, *rest = _SECTION.split(textwrap.dedent(doc).strip())
    parts = {"summary": head.strip()}
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        parts[title.lower()] = body.strip()
    return parts


def _make(id: str, name: str, severity: Severity, doc: str, **rest: Any) -> Rule:
    parts = _sections(doc)
    return Rule(
        id=id,
        name=name,
        severity=severity,
        summary=" ".join(parts["summary"].split()),
        why=" ".join(parts.get("why", "").split()),
        bad=parts.get("bad", ""),
        good=parts.get("good", ""),
        **rest,
    )


def rule(
    id: str,
    name: str,
    severity: Severity,
    *,
    on: str,
    message: str,
    source: str,
    hint: str | None = None,
) -> Callable[[Check], Rule]:
    """Turn a check function into a catalogue entry; its docstring is the rule's text."""

    def wrap(check: Check) -> Rule:
        doc = check.__doc__ or ""
        return _make(id, name, severity, doc, message=message, hint=hint, source=source, subject=on, check=check)

    return wrap


def text_rule(id: str, name: str, severity: Severity, text: str, *, source: str, hint: str | None = None) -> Rule:
    """A catalogue entry for what a codec or the structure stage finds; the finder writes the message itself."""
    return _make(id, name, severity, text, message="{message}", hint=hint, source=source, subject="text")
