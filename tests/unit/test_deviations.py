"""Every intended deviation from the registry is what the table says."""

from __future__ import annotations

import pytest

import kernelindex_schema as kix
from kernelindex_schema.deviations import DEVIATIONS, Deviation


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda deviation: deviation.input)
def test_the_example_is_judged_as_the_table_says(deviation: Deviation) -> None:
    report = kix.check_data(deviation.example, deviation.format)
    assert tuple(finding.rule for finding in report.findings) == deviation.rules
    assert report.ok is not deviation.stricter


def test_the_table_is_whole() -> None:
    assert len(DEVIATIONS) >= 15
    assert len({deviation.input for deviation in DEVIATIONS}) == len(DEVIATIONS)
