"""Names and ids that are made of other texts."""

from __future__ import annotations

import re

__all__ = ["github_id", "kebab"]

_OUTSIDE_KEBAB = re.compile(r"[^a-z0-9]+")
_GITHUB = re.compile(r"https://github\.com/([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)")


def kebab(text: str) -> str:
    """A name made of a text: lower case, one hyphen for every run of characters other than a-z and 0-9.

    Hyphens at the ends are dropped and then 100 characters kept, so that a cut name can end in a hyphen.
    """
    return _OUTSIDE_KEBAB.sub("-", text.lower()).strip("-")[:100]


def github_id(repository: str) -> str | None:
    """``owner/repository`` of a plain address at GitHub, without a final ``.git``; None for any other address."""
    match = _GITHUB.fullmatch(repository)
    if match is None:
        return None
    name = match[2].removesuffix(".git")
    return f"{match[1]}/{name}" if name else None
