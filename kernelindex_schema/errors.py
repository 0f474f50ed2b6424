"""Exceptions that a caller of the library may catch.

Bad input is told by a :class:`~kernelindex_schema.findings.Report`; an exception says that the call itself
could not do what it was asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernelindex_schema.findings import Report

__all__ = ["InvalidDocument", "KernelIndexError", "SettingsError", "UnencodableValue", "UnreadableDocument"]


class KernelIndexError(Exception):
    """Base of every exception that this package raises on purpose."""


class UnreadableDocument(KernelIndexError):
    """The input could not be opened, or nothing tells which format it has.

    Attributes:
        rule: the id of the rule that says so in a report: KIX001, or KIX010 for an unknown format.
    """

    def __init__(self, message: str, *, rule: str = "KIX001") -> None:
        super().__init__(message)
        self.rule = rule


class InvalidDocument(KernelIndexError):
    """The document was read and is at fault.

    Attributes:
        report: every finding of the document, ordered by place.
    """

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


class UnencodableValue(KernelIndexError):
    """The value is not valid, or the format asked for cannot hold it."""


class SettingsError(KernelIndexError):
    """A settings file is malformed, or names a setting or a value that does not exist."""


def note_crash(error: Exception) -> None:
    """Log the traceback of a fault of ours that becomes a finding (KIX002), at debug level: ``--debug`` shows it."""
    import logging

    logging.getLogger("kernelindex_schema").debug("internal fault", exc_info=error)
