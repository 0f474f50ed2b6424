"""What an editor shows beside a schema: hover text, examples, snippets and plain words for a grammar.

All of it is annotation: validators pass over these keywords. ``markdownDescription``, ``defaultSnippets``,
``enumDescriptions`` and ``patternErrorMessage`` are those of the JSON and YAML language servers. Examples are taken
from the field's own text ("such as ``triton``"), so that there is one place to keep them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kernelindex_schema.v1alpha1 import KINDS, scalars
from kernelindex_schema.v1alpha1.scalars import Grammar

__all__ = [
    "GRAMMARS",
    "PATTERN_EXAMPLES",
    "annotate",
    "enum_texts",
    "examples_in",
    "explain_patterns",
    "heading",
    "offer",
    "ordered",
    "plain",
    "readable",
    "repeated",
    "snippet",
]

# The grammar of a pattern that stands in a schema.
GRAMMARS = {each.pattern: each for each in vars(scalars).values() if isinstance(each, Grammar)}

PATTERN_EXAMPLES: dict[str, list[Any]] = {
    scalars.DIGEST.pattern: ["sha256:" + "0" * 64],
    scalars.GIT_COMMIT.pattern: ["0" * 40],
    scalars.INSTANT.pattern: ["2026-01-31T12:00:00Z"],
    scalars.DURATION.pattern: [410240, "410.24 us"],
}

_SUCH_AS = re.compile(r"such\s+as((?:(?:,|\s|or|and)*``[^`]+``)+)")
_QUOTED = re.compile(r"``([^`]+)``")


def plain(text: str) -> str:
    """Docstring markup as plain text: editors show ``description`` as it stands."""
    return " ".join(text.replace("``", "'").split())


def readable(text: str) -> str:
    """Docstring markup as Markdown, paragraphs kept."""
    paragraphs = re.split(r"\n\s*\n", re.sub(r":\w+:`~?([^`]+)`", r"``\1``", text.strip()))
    return "\n\n".join(" ".join(paragraph.replace("``", "`").split()) for paragraph in paragraphs)


def examples_in(text: str) -> list[str]:
    """The values that a field's text gives as examples."""
    return [word for group in _SUCH_AS.findall(text) for word in _QUOTED.findall(group)]


def enum_texts(text: str, values: list[str]) -> list[str] | None:
    """What each value of an enumeration means, where the field's text says so of all (``value``: sentence)."""
    parts = re.split(r"``(\w+)``: ", " ".join(text.split()))
    told = {word: sentence.strip() for word, sentence in zip(parts[1::2], parts[2::2], strict=True)}
    if not set(values) <= set(told):
        return None
    return [plain(told[value])[:1].upper() + plain(told[value])[1:] for value in values]


def annotate(schema: dict[str, Any], text: str) -> None:
    """Add to the schema of a field, in place, what an editor shows of it; ``text`` is the field's documentation."""
    if "``" in text:
        schema["markdownDescription"] = readable(text)
    if values := schema.get("enum"):
        if (texts := enum_texts(text, values)) is not None:
            schema["enumDescriptions"] = texts
        return
    target = schema["items"] if isinstance(schema.get("items"), dict) else schema
    if examples := _examples(target, text):
        target["examples"] = examples


def _examples(schema: dict[str, Any], text: str) -> list[Any]:
    kinds = schema.get("type")
    if "$ref" in schema or "const" in schema or kinds not in ("string", ["integer", "string"]):
        return []
    pattern = schema.get("pattern", "")
    own = [each for each in examples_in(text) if re.search(pattern, each)]
    if schema.get("format") == "uri":
        own = own or ["https://github.com/owner/repository"]
    return own or PATTERN_EXAMPLES.get(pattern, [])


def explain_patterns(schema: Any) -> None:
    """Give every pattern, in place, the words that an editor shows instead of the regular expression."""
    if isinstance(schema, list):
        for each in schema:
            explain_patterns(each)
    if not isinstance(schema, dict):
        return
    if isinstance(pattern := schema.get("pattern"), str) and pattern in GRAMMARS:
        schema["patternErrorMessage"] = f"Expected {GRAMMARS[pattern].wanted}."
    if schema.get("format") == "uri":
        schema["patternErrorMessage"] = "Expected an absolute https URL."
    for key, value in schema.items():
        if key not in ("examples", "defaultSnippets", "enum"):
            explain_patterns(value)


# What somebody wants to know of a value first; everything not named stands at the dots.
_ORDER = (
    *("$schema", "$id", "$ref", "title", "description", "markdownDescription", "type", "const", "enum"),
    *("enumDescriptions", "pattern", "patternErrorMessage", "required", "…", "examples", "properties"),
    *("defaultSnippets", "$defs"),
)


def ordered(schema: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a schema in the order in which somebody reads them."""
    return {key: schema[key] for key in sorted(schema, key=_keyword_order)}


def _keyword_order(key: str) -> int:
    return _ORDER.index(key) if key in _ORDER else _ORDER.index("…")


def heading(name: str) -> str:
    """A class name in words, as a heading of hover text: the names of kinds stay as they are."""
    if name in KINDS:
        return name
    if name.endswith("Spec") and name.removesuffix("Spec") in KINDS:
        return f"{name.removesuffix('Spec')} spec"
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return words[:1].upper() + words[1:]


class _Tabs:
    """Numbers the places that the tab key visits in a snippet.

    A body is JSON; a caret at the start of a text says that what follows is to be written without the quotes.
    """

    def __init__(self) -> None:
        self.last = 0

    def stop(self, text: str = "") -> str:
        self.last += 1
        return f"${{{self.last}:{text}}}" if text else f"${{{self.last}}}"

    def choice(self, values: list[str]) -> str:
        self.last += 1
        return f"${{{self.last}|{','.join(values)}|}}"


def snippet(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any] | None:
    """A body with every field that must be there, ready for the tab key; None where nothing must be."""
    body = _body(schema, parts, _Tabs())
    return body if isinstance(body, dict) and body else None


def _wanted(schema: dict[str, Any]) -> list[str]:
    alternatives = schema.get("anyOf", schema.get("oneOf", []))
    return [*schema.get("required", []), *(alternatives[0]["required"] if alternatives else [])]


def _body(schema: dict[str, Any], parts: dict[str, Any], tabs: _Tabs) -> Any:
    if "$ref" in schema:
        return _body(parts[schema["$ref"].rpartition("/")[2]], parts, tabs)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return tabs.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        return {key: _body(properties[key], parts, tabs) for key in _wanted(schema)} or "^{}"
    if kind == "array":
        return [_body(schema["items"], parts, tabs)]
    if kind == "boolean":
        return "^" + tabs.choice(["true", "false"])
    if kind == "string":
        return tabs.stop((schema.get("examples") or [""])[0])
    return "^" + tabs.stop(str(max(0, schema.get("minimum", 0))))


def repeated(schema: Any) -> Iterator[str]:
    """Names of the structs that stand in lists and maps: the ones that somebody writes again and again."""
    if isinstance(schema, list):
        for each in schema:
            yield from repeated(each)
    if isinstance(schema, dict):
        for key in ("items", "additionalProperties"):
            if isinstance(inner := schema.get(key), dict) and "$ref" in inner:
                yield inner["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from repeated(value)


def offer(target: dict[str, Any], shape: dict[str, Any], parts: dict[str, Any]) -> None:
    """Add a snippet of ``shape`` to those that an editor offers at ``target``."""
    if (body := snippet(shape, parts)) is not None:
        entry = {"label": shape["title"], "description": shape["description"], "body": body}
        target.setdefault("defaultSnippets", []).append(entry)
