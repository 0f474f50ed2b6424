"""WHATWG URLs: the only user of ada_url."""

from __future__ import annotations

__all__ = ["is_https_url"]


def is_https_url(text: str) -> bool:
    """Whether a text parses as an absolute URL (WHATWG URL standard) whose scheme is https."""
    import ada_url

    try:
        return bool(ada_url.URL(text).protocol == "https:")
    except (ValueError, UnicodeError):
        return False
