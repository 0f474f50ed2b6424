from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from kernelindex_schema.codecs.yaml_scalars import NON_FINITE, NOT_PLAIN_TEXT, resolve


@given(st.integers())
def test_integers_are_exact(number: int) -> None:
    assert resolve(str(number)) == number
    assert type(resolve(str(number))) is int


@given(st.floats())
def test_floats_as_python_writes_them(number: float) -> None:
    text = repr(number)
    if math.isfinite(number):
        assert repr(resolve(text)) == text
    else:
        # "nan" and "inf" are text, ".nan" and ".inf" are not.
        assert resolve(text) == text
        assert resolve(text.replace("nan", ".nan").replace("inf", ".inf")) is NON_FINITE


@given(st.text(max_size=6) | st.from_regex(r"[-+.0-9eExobnNtTfF~_: ]{0,8}", fullmatch=True))
def test_text_that_may_be_passed_by_unread(text: str) -> None:
    if text[:1] not in NOT_PLAIN_TEXT:
        assert resolve(text) == text
        assert isinstance(resolve(text), str)
