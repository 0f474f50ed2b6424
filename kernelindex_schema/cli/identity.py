"""``kix-schema digest`` and ``kix-schema canonicalize``: what a manifest is identified by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
import msgspec

from kernelindex_schema.cli.inputs import STDIN, expand_globs, find_inputs, load_documents, plain_values
from kernelindex_schema.cli.options import input_format_option
from kernelindex_schema.cli.streams import say, tell, tell_bytes
from kernelindex_schema.cli.usage import OneOf, command
from kernelindex_schema.errors import UnreadableDocument
from kernelindex_schema.findings import Path, Severity, json_pointer
from kernelindex_schema.reports.escape import decoded_name, file_name, printable

if TYPE_CHECKING:
    from kernelindex_schema.intake import Loaded
    from kernelindex_schema.v1alpha1 import Manifest


class Identified(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a manifest stands or should stand: the manifest, or why there is none."""

    file: str
    document: int | None
    path: Path = ()
    manifest: Manifest | None = None
    kind: str | None = None
    name: str | None = None
    error: str | None = None
    rule: str | None = None


@command("digest", "Print the digest of every manifest.")
@click.argument("paths", metavar="PATHS...", nargs=-1, required=True)
@click.option(
    "--format", "form", type=OneOf(["text", "jsonl"]), default="text", show_default=True, help="Form of the output."
)
@input_format_option
def digest(paths: tuple[str, ...], form: str, input_format: str | None) -> int:
    """Print the digest of every manifest: digest, kind, name and place, one a line.

    PATHS are files, folders, globs, or - for standard input. With --format jsonl a manifest without digest gives a line
    with "error"; in text it is told on standard error.
    """
    code = 0
    for each in identified(paths, input_format):
        if each.error is not None:
            code = max(code, 2 if each.rule in ("KIX001", "KIX002") else 1)
        if form == "jsonl":
            tell(_object(each))
        elif each.error is not None:
            say(f"{_place(each)}: {printable(each.error)}")
        else:
            tell(f"{_digest(each)}  {each.kind}  {each.name}  {_place(each)}\n")
    return code


@command("canonicalize", "Print the bytes that digests are taken over.")
@click.argument("paths", metavar="PATHS...", nargs=-1, required=True)
@click.option("--pointer", help="Only the manifest at this place of each document, such as /run.")
@click.option("--any", "anything", is_flag=True, help="Take any JSON value, and not only manifests.")
@input_format_option
@click.pass_context
def canonicalize(
    ctx: click.Context, paths: tuple[str, ...], pointer: str | None, anything: bool, input_format: str | None
) -> int:
    """Print the bytes that a digest is taken over: RFC 8785 of apiVersion, kind and spec.

    One manifest is printed exactly, with no newline added, so that its SHA-256 is the digest. Several are printed one a
    line, each ended by a newline.
    """
    from kernelindex_schema.identity import canonical_bytes

    if anything:
        if pointer is not None:
            raise click.UsageError("--pointer chooses a manifest, which --any does not look for", ctx)
        texts = [text for path in expand_globs(paths) for text in _canonical_values(path, input_format)]
    else:
        texts = []
        for each in identified(paths, input_format):
            if pointer is not None and json_pointer(each.path) != pointer and each.document is not None:
                continue
            if each.manifest is None:
                say(f"{_place(each)}: {printable(str(each.error))}")
                return 2 if each.rule in ("KIX001", "KIX002") else 1
            texts.append(canonical_bytes(each.manifest))
        if not texts:
            raise click.UsageError(f"no manifest stands at '{pointer}'", ctx)
    tell_bytes(texts[0] if len(texts) == 1 else b"".join(text + b"\n" for text in texts))
    return 0


def identified(paths: tuple[str, ...], input_format: str | None) -> Iterator[Identified]:
    """Every manifest of the inputs, and every place where one should be and is not."""
    found = find_inputs(paths)
    for folder, reason in found.missing:
        yield Identified(file=folder, document=None, error=reason, rule="KIX001")
    for path in found.files:
        name = STDIN if path == "-" else path
        try:
            any_document = False
            for index, loaded in load_documents(path, input_format):
                any_document = True
                yield from _sites(loaded, name, index)
            if not any_document:
                yield Identified(file=name, document=None, error="the file holds no document", rule="KIX011")
        except UnreadableDocument as unreadable:
            yield Identified(file=name, document=None, error=str(unreadable), rule=unreadable.rule)


def _sites(loaded: Loaded, name: str, index: int) -> Iterator[Identified]:
    faults = [fault for fault in loaded.faults if _is_error(fault.rule)]
    valid = dict(loaded.manifests)
    for site in loaded.sites:
        concerning = [
            fault for fault in faults
            if fault.path[: len(site.path)] == site.path
            or (fault.rule < "KIX1" and site.path[: len(fault.path)] == fault.path)
        ]  # fmt: skip
        manifest = valid.get(site.path)
        metadata = site.value.get("metadata") if isinstance(site.value, dict) else None
        told = metadata.get("name") if isinstance(metadata, dict) else None
        kind = site.value.get("kind") if isinstance(site.value, dict) else None
        found = Identified(
            file=name,
            document=index,
            path=site.path,
            kind=kind if isinstance(kind, str) else None,
            name=told if isinstance(told, str) else None,
        )
        if manifest is not None and not concerning:
            yield msgspec.structs.replace(found, manifest=manifest)
        else:
            first = concerning[0] if concerning else None
            error = first.message if first else "not looked at, since other faults of the document come first"
            yield msgspec.structs.replace(found, error=error, rule=first.rule if first else None)
    if not loaded.sites:
        if faults:
            yield Identified(file=name, document=index, error=faults[0].message, rule=faults[0].rule)
        elif loaded.shape == "bench record":
            error = "a bench record holds no manifest yet; kix-schema assemble makes them"
            yield Identified(file=name, document=index, error=error, rule="KIX011")


def _is_error(rule: str) -> bool:
    from kernelindex_schema.rules import RULES

    return RULES[rule].severity is Severity.ERROR


def _digest(each: Identified) -> str:
    from kernelindex_schema.identity import digest_of

    assert each.manifest is not None
    return digest_of(each.manifest)


def _place(each: Identified) -> str:
    """File, document where it is not the first, and the place in it: ``runs.jsonl[4]#/run``."""
    place = file_name(each.file)
    if each.document:
        place += f"[{each.document}]"
    return place + (f"#{printable(json_pointer(each.path))}" if each.path else "")


def _object(each: Identified) -> str:
    from kernelindex_schema.reports.json import compact

    value: dict[str, Any] = {
        "file": decoded_name(each.file),
        "document": each.document,
        "pointer": json_pointer(each.path) if each.document is not None else None,
        "kind": each.kind,
        "name": each.name,
    }
    value |= {"error": each.error} if each.manifest is None else {"digest": _digest(each)}
    return compact(value)


def _canonical_values(path: str, input_format: str | None) -> Iterator[bytes]:
    from kernelindex_schema.identity import canonical_json

    for value in plain_values(path, input_format):
        yield canonical_json(_as_doubles(value))


def _as_doubles(value: Any) -> Any:
    """Numbers as IEEE doubles (RFC 8785, section 3.2.2.3): an integer beyond the safe ones becomes the nearest."""
    if isinstance(value, dict):
        return {key: _as_doubles(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_doubles(item) for item in value]
    if type(value) is int and abs(value) > 2**53 - 1:
        return float(value)
    return value
