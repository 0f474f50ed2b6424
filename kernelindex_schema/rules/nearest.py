"""The nearest of the words that would have been right."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]

_CANDIDATES = 500
"""Words that are compared at most, so that a hostile document cannot make a message costly."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The word that this one was probably meant to be, if any comes near."""
    import difflib

    return next(iter(difflib.get_close_matches(word, sorted(known)[:_CANDIDATES], n=1)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message: ``; did you mean …?``, or nothing where no word comes near."""
    found = nearest(word, known)
    return "" if found is None else f"; did you mean {found}?"
