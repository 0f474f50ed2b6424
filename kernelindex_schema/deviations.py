"""Where this package means to differ from the registry, and nowhere else: one table, with an example of each.

The documentation page is generated from it, and the tests check every example.
"""

from __future__ import annotations

import msgspec

__all__ = ["DEVIATIONS", "Deviation"]


class Deviation(msgspec.Struct, frozen=True, kw_only=True):
    """An input that the registry and this package judge differently."""

    input: str
    """What is written, in words."""
    registry: str
    """What the registry does with it."""
    here: str
    """What this package does with it."""
    rules: tuple[str, ...]
    """The findings of the example, in the order of their places; empty: it is accepted without a word."""
    format: str
    example: bytes

    @property
    def stricter(self) -> bool:
        """Whether this package rejects what the registry takes."""
        from kernelindex_schema.findings import Severity
        from kernelindex_schema.rules import RULES

        return any(RULES[rule].severity is Severity.ERROR for rule in self.rules)


def _project(name: str = "Kernels", head: str = "", metadata: str = "") -> bytes:
    """A SoftwareProject in YAML, with something odd in it."""
    text = (
        f"{head}apiVersion: kernelindex.dev/v1alpha1\n"
        f"kind: SoftwareProject\nmetadata: {{name: kernels{metadata}}}\nspec:\n  name: {name}\n"
    )
    return text.encode("utf-8", "surrogateescape")


def _json(metadata: str = "", spec: str = "") -> bytes:
    return (
        '{"apiVersion": "kernelindex.dev/v1alpha1", "kind": "SoftwareProject", '
        f'"metadata": {{"name": "kernels"{metadata}}}, "spec": {{"name": "Kernels"{spec}}}}}'
    ).encode()


def _warmup(duration: str) -> bytes:
    return (
        "apiVersion: kernelindex.dev/v1alpha1\nkind: BenchmarkProtocol\nmetadata: {name: do-bench}\nspec:\n"
        "  harness: {name: do-bench}\n"
        f'  measurement: {{timer: cuda_events, primaryStatistic: median, warmupDuration: "{duration}"}}\n'
    ).encode()


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        input="the key `__proto__`, at any level",
        registry="drops it without a word",
        here="rejects it as an unknown field",
        rules=("KIX103",),
        format="json",
        example=_json(spec=', "__proto__": {}'),
    ),
    Deviation(
        input="a lone surrogate in a text",
        registry="accepts it in metadata, cannot digest it in spec",
        here="rejects it: it is no interchangeable text",
        rules=("KIX008",),
        format="json",
        example=_json(metadata=', "title": "\\ud800"'),
    ),
    Deviation(
        input="a duration with a fraction of a nanosecond that binary arithmetic loses, as `1.00000000000000001 s`",
        registry="accepts it, rounded",
        here="rejects it as ambiguous",
        rules=("KIX110",),
        format="yaml",
        example=_warmup("1.00000000000000001 s"),
    ),
    Deviation(
        input="a tab, a no-break space or a line break between the number and the unit of a duration",
        registry="accepts it",
        here="accepts nothing or one space there",
        rules=("KIX106",),
        format="yaml",
        example=_warmup("25\\tms"),
    ),
    Deviation(
        input="a duration that is whole in decimal but not after a binary multiplication, as `64.1 ms`",
        registry="rejects it as ambiguous",
        here="accepts it exactly, with the advice to write the integer",
        rules=("KIX203",),
        format="yaml",
        example=_warmup("64.1 ms"),
    ),
    Deviation(
        input="two equal keys in JSON",
        registry="keeps the last (in YAML it rejects them)",
        here="rejects them",
        rules=("KIX005",),
        format="json",
        example=_json(spec=', "name": "Other"'),
    ),
    Deviation(
        input="bytes that are no UTF-8, in YAML",
        registry="reads U+FFFD in their place",
        here="rejects them",
        rules=("KIX008",),
        format="yaml",
        example=_project("Kernels\udcff"),
    ),
    Deviation(
        input="raw U+0085, U+2028, U+2029, control characters, or U+FEFF after the start, in YAML",
        registry="takes them as ordinary characters",
        here="rejects them, since YAML readers disagree on them: write an escape",
        rules=("KIX004",),
        format="yaml",
        example=_project("Ker\u2028nels"),
    ),
    Deviation(
        input="a tag other than those of the core schema, in YAML",
        registry="warns and keeps the node",
        here="rejects it",
        rules=("KIX007",),
        format="yaml",
        example=_project("!vendor Kernels"),
    ),
    Deviation(
        input="a key that is no text, in YAML and MessagePack",
        registry="makes a text of it",
        here="rejects it",
        rules=("KIX105",),
        format="yaml",
        example=_project(metadata=", labels: {1: x}"),
    ),
    Deviation(
        input="a `%YAML` directive of another version than 1.1 and 1.2, or an unknown directive",
        registry="passes over it",
        here="rejects it",
        rules=("KIX004",),
        format="yaml",
        example=_project(head="%YAML 2.0\n---\n"),
    ),
    Deviation(
        input="nesting of more than 64 levels (the contract needs fewer than 12)",
        registry="fails somewhere near 800 levels",
        here="rejects it",
        rules=("KIX006",),
        format="json",
        example=_json(spec=', "host": ' + "[" * 70 + "]" * 70),
    ),
    Deviation(
        input="aliases in YAML",
        registry="rejects an alias where (its uses + 1) times the aliases inside it is over 100",
        here="counts each alias as one plus those inside what it refers to: 99 at most, and 100,000 nodes",
        rules=(),
        format="yaml",
        example=_project("&kernels Kernels\n  packages: [{ecosystem: pypi, name: *kernels}]"),
    ),
    Deviation(
        input="a file with several YAML documents",
        registry="takes one manifest only",
        here="takes each document by itself",
        rules=(),
        format="yaml",
        example=_project() + b"---\n" + _project("Other").replace(b"name: kernels", b"name: other"),
    ),
    Deviation(
        input="a byte order mark at the start of JSON and other text",
        registry="passes over it",
        here="passes over it too, with a warning: other readers refuse it",
        rules=("KIX014",),
        format="json",
        example=b"\xef\xbb\xbf" + _json(),
    ),
)
"""Every intended deviation. Whatever else differs from the registry's verdict or digest is a fault of this package."""
