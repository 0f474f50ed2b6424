"""Milliseconds as benchmark tools print them, to the whole nanoseconds of a record."""

from __future__ import annotations

import math

__all__ = ["nanoseconds"]

_NS_PER_MS = 1_000_000


def nanoseconds(milliseconds: float) -> int:
    """Whole nanoseconds of a finite number of milliseconds; exactly one half goes up.

    The product is taken in double arithmetic, as the registry's importer takes it, so that the same source text
    gives the same record there and here. ``round`` would send a half to the even neighbour instead.
    """
    product = milliseconds * _NS_PER_MS
    whole = math.floor(product)
    # Adding 0.5 before cutting would round twice; the difference of neighbours is exact.
    return whole + 1 if product - whole >= 0.5 else whole
