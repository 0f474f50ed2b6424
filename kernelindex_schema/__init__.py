"""Read, check, digest and convert GPU-kernel benchmark records in the format ``kernelindex.dev/v1alpha1``.

The names below are the public surface. They are imported when they are first asked for, so that ``import
kernelindex_schema`` and the command start fast. The thirteen kinds are in :mod:`kernelindex_schema.v1alpha1`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernelindex_schema.assembly import assemble
    from kernelindex_schema.checking import check, check_data, check_paths, check_value
    from kernelindex_schema.comparison import comparison_key
    from kernelindex_schema.errors import (
        InvalidDocument,
        KernelIndexError,
        SettingsError,
        UnencodableValue,
        UnreadableDocument,
    )
    from kernelindex_schema.findings import Finding, Related, Report, Severity
    from kernelindex_schema.identity import canonical_bytes, digest
    from kernelindex_schema.loading import decode, encode, iter_documents, read, write
    from kernelindex_schema.rules import RULES, explain
    from kernelindex_schema.settings import Settings
    from kernelindex_schema.structure.published import json_schema
    from kernelindex_schema.v1alpha1 import KINDS

__version__ = "0.1.0"

__all__ = [
    "KINDS",
    "RULES",
    "Finding",
    "InvalidDocument",
    "KernelIndexError",
    "Related",
    "Report",
    "Settings",
    "SettingsError",
    "Severity",
    "UnencodableValue",
    "UnreadableDocument",
    "assemble",
    "canonical_bytes",
    "check",
    "check_data",
    "check_paths",
    "check_value",
    "comparison_key",
    "decode",
    "digest",
    "encode",
    "explain",
    "iter_documents",
    "json_schema",
    "read",
    "write",
]

_ROOMS = {
    "assembly": ("assemble",),
    "checking": ("check", "check_data", "check_paths", "check_value"),
    "comparison": ("comparison_key",),
    "errors": ("InvalidDocument", "KernelIndexError", "SettingsError", "UnencodableValue", "UnreadableDocument"),
    "findings": ("Finding", "Related", "Report", "Severity"),
    "identity": ("canonical_bytes", "digest"),
    "loading": ("decode", "encode", "iter_documents", "read", "write"),
    "rules": ("RULES", "explain"),
    "settings": ("Settings",),
    "structure.published": ("json_schema",),
    "v1alpha1": ("KINDS",),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
