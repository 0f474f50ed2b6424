"""WHATWG URLs: the only user of ada_url."""

from __future__ import annotations

import re

__all__ = ["is_https_url"]

_BEYOND_DOUBT = re.compile(r"https://(?:[a-z0-9-]+\.)*[a-z][a-z0-9]*(?:/[A-Za-z0-9._~/-]*)?")
"""URLs that any parser takes: a host of plain letters and digits that ends in no number and has no Punycode in it.

Most are of this kind, and loading the parser costs a start of the command more than checking a record does.
"""


def is_https_url(text: str) -> bool:
    """Whether a text parses as an absolute URL (WHATWG URL standard) whose scheme is https."""
    if _BEYOND_DOUBT.fullmatch(text) and "xn--" not in text:
        return True
    import ada_url

    try:
        return bool(ada_url.URL(text).protocol == "https:")
    except (ValueError, UnicodeError):
        return False
