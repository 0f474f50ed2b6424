"""The word that was probably meant, among those that would have been right."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]

_CANDIDATES = 500
_LONGEST = 100
"""Words and letters that are compared at most, so that a hostile document cannot make a message costly."""
_SHORTEST = 3
"""Letters that a word must have to be taken for the beginning of another, as ``repo`` is of ``repository``."""


def _plain(word: str) -> str:
    return word[:_LONGEST].lower().replace("_", "").replace("-", "").strip()


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that comes nearest, if any comes near; case, hyphens and underscores do not count."""
    words = {_plain(each): each for each in sorted(known)[:_CANDIDATES]}
    plain = _plain(word)
    found = words.get(plain)
    if found is None and len(plain) >= _SHORTEST:
        longer = [each for begins, each in words.items() if begins.startswith(plain)]
        found = longer[0] if len(longer) == 1 else None
    if found is None:
        import difflib

        close = difflib.get_close_matches(plain, words, n=1, cutoff=0.65)
        found = words[close[0]] if close else None
    return found


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message: ``; did you mean …?``, or nothing where no word comes near."""
    found = nearest(word, known)
    return "" if found is None else f"; did you mean {found}?"
