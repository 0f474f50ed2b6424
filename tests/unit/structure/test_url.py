"""URLs: the short cut takes nothing that the WHATWG parser refuses."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelindex_schema.structure import url
from kernelindex_schema.structure.url import is_https_url

PARTS = st.sampled_from([*"abcxyzXYZ0129-./~_:@?#%[] \t\\", "xn--", "0x1", "1.2.3", "com", "https://", "..", "é", "٣"])


@given(st.lists(PARTS, max_size=12).map(lambda parts: "https://" + "".join(parts)))
def test_the_parser_and_the_short_cut_agree(text: str) -> None:
    try:
        parsed = ada_url.URL(text).protocol == "https:"
    except ValueError:
        parsed = False
    assert is_https_url(text) is parsed


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("https://github.com/linkedin/Liger-Kernel", True),
        ("HTTPS://EXAMPLE.ORG", True),
        ("https://1.2.3.256", False),
        ("https://example.0x", False),
        ("http://example.org", False),
        ("https://", False),
        ("https:/example.org", True),
        ("example.org", False),
        ("https://example.org\n", True),
    ],
)
def test_whatwg_verdicts(text: str, good: bool) -> None:
    assert is_https_url(text) is good


def test_the_short_cut_is_taken() -> None:
    assert url._BEYOND_DOUBT.fullmatch("https://github.com/linkedin/Liger-Kernel")
    assert not url._BEYOND_DOUBT.fullmatch("https://127.0.0.1/x")
