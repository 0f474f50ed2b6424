"""Reports merge: however work is split, the whole is the same."""

from __future__ import annotations

import functools
import random

from hypothesis import given
from hypothesis import strategies as st

from kernelindex_schema import Finding, Report, Severity
from kernelindex_schema.findings import Related

OPTIONAL_TEXTS = st.none() | st.text(max_size=3)
OPTIONAL_NUMBERS = st.none() | st.integers(1, 3)

findings = st.builds(
    Finding,
    rule=st.sampled_from(["KIX004", "KIX103", "KIX401"]),
    name=st.just("a-rule"),
    severity=st.sampled_from(list(Severity)),
    message=st.text(max_size=3),
    file=OPTIONAL_TEXTS,
    document=st.none() | st.integers(0, 3),
    pointer=OPTIONAL_TEXTS,
    line=OPTIONAL_NUMBERS,
    column=OPTIONAL_NUMBERS,
    hint=OPTIONAL_TEXTS,
    related=st.lists(st.builds(Related, message=st.text(max_size=3), line=OPTIONAL_NUMBERS), max_size=1).map(tuple),
)
counts = st.integers(0, 5)
reports = st.builds(
    lambda found, *counted: Report(
        findings=tuple(sorted(found, key=Finding.sort_key)),
        **dict(zip(("files", "documents", "manifests", "passed_over"), counted, strict=True)),
    ),
    st.lists(findings, max_size=5),
    *[counts] * 4,
)


def content(report: Report) -> tuple[object, ...]:
    """A report but for the order of findings that are at one place and say the same."""
    return (
        sorted(map(repr, report.findings)),
        [finding.sort_key() for finding in report.findings],
        report.files,
        report.documents,
        report.manifests,
        report.passed_over,
    )


@given(one=reports, two=reports, three=reports)
def test_merging_is_associative(one: Report, two: Report, three: Report) -> None:
    assert content(one.merge(two).merge(three)) == content(one.merge(two.merge(three)))


@given(one=reports, two=reports)
def test_merging_is_commutative(one: Report, two: Report) -> None:
    assert content(one.merge(two)) == content(two.merge(one))


@given(one=reports)
def test_an_empty_report_changes_nothing(one: Report) -> None:
    assert one.merge(Report()) == Report().merge(one) == one


@given(some=st.lists(reports, max_size=6), seed=st.integers(0, 9))
def test_any_order_of_merging_gives_the_same(some: list[Report], seed: int) -> None:
    shuffled = some[:]
    random.Random(seed).shuffle(shuffled)
    merged = functools.reduce(Report.merge, some, Report())
    assert content(functools.reduce(Report.merge, shuffled, Report())) == content(merged)
    assert merged.count(Severity.ERROR) == sum(report.count(Severity.ERROR) for report in some)
    assert merged.ok is all(report.ok for report in some)
    assert list(merged.findings) == sorted(merged.findings, key=Finding.sort_key)


@given(one=reports)
def test_severities_weigh_in_order(one: Report) -> None:
    present = {finding.severity for finding in one.findings}
    assert one.at_least(Severity.NOTE) is bool(present)
    assert one.at_least(Severity.WARNING) is bool(present - {Severity.NOTE})
    assert one.at_least(Severity.ERROR) is (not one.ok) is (Severity.ERROR in present)
