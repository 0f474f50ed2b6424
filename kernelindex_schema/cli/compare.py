"""``kix-schema compare``: whether two records are of one cohort, and what keeps them apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
import msgspec

from kernelindex_schema.cli.inputs import find_inputs, valid_documents
from kernelindex_schema.cli.options import input_format_option, text_or_json
from kernelindex_schema.cli.streams import say, tell
from kernelindex_schema.cli.usage import command
from kernelindex_schema.errors import UnreadableDocument
from kernelindex_schema.reports.escape import file_name, printable

if TYPE_CHECKING:
    from kernelindex_schema.comparison import Comparison
    from kernelindex_schema.v1alpha1 import Record, WorkloadCase, WorkloadSuite


class Side(msgspec.Struct):
    """One of the two: its record, and the workload that the record runs, where that is at hand."""

    name: str
    record: Record
    workload: WorkloadCase | WorkloadSuite | None = None
    key: str | None = None


@command("compare", "Tell whether two records may be compared.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--workloads",
    metavar="PATH",
    multiple=True,
    help="File or folder with the workloads of the records; needed for keys, and to tell how two workloads differ.",
)
@text_or_json
@input_format_option
def compare(first: str, second: str, workloads: tuple[str, ...], form: str, input_format: str | None) -> int:
    """Tell whether the records A and B may be compared, and if not, every field that keeps them apart.

    A and B are files with one record each: a record, a record page, or a submission with one run. The ratio of their
    primary figures is told only where they may be compared. Exit code: 0 comparable, 1 not, 2 cannot be told.
    """
    from kernelindex_schema.comparison import compare as compare_records
    from kernelindex_schema.comparison import comparison_key

    known = list(_workloads(workloads))
    sides = [_side(path, input_format, known) for path in (first, second)]
    here, there = sides
    try:
        outcome = compare_records(here.record, there.record, here.workload, there.workload)
        for side in sides:
            side.key = comparison_key(side.record, side.workload) if side.workload is not None else None
    except ValueError as error:
        say(f"kix-schema compare: {file_name(here.name)} and {file_name(there.name)}: {printable(str(error))}")
        return 1
    tell(_as_json(outcome, sides) if form == "json" else _as_text(outcome, sides))
    return 0 if outcome.comparable else 1


def _workloads(paths: tuple[str, ...]) -> Iterator[Any]:
    from kernelindex_schema.v1alpha1 import Submission, WorkloadCase, WorkloadSuite

    found = find_inputs(paths)
    for folder, reason in found.missing:
        raise UnreadableDocument(f"{folder}: {reason}")
    for path in found.files:
        for document in valid_documents(path, None):
            for each in (document.workloads or ()) if isinstance(document, Submission) else (document,):
                if isinstance(each, WorkloadCase | WorkloadSuite):
                    yield each


def _side(path: str, input_format: str | None, known: list[Any]) -> Side:
    from kernelindex_schema.documents import CatalogRow
    from kernelindex_schema.identity import digest
    from kernelindex_schema.v1alpha1 import Record, Submission

    records: list[Record] = []
    beside: list[Any] = []
    for document in valid_documents(path, input_format):
        if isinstance(document, CatalogRow):
            document = document.row.get("manifest")
        if isinstance(document, Record):
            records.append(document)
        elif isinstance(document, Submission):
            records += document.runs or ()
            beside += document.workloads or ()
        else:
            beside.append(document)
    if len(records) != 1:
        raise UnreadableDocument(f"{path} holds {len(records)} records, expected one to compare")
    wanted = records[0].run.spec.workload_digest
    found = [
        each for each in beside + known if each.kind in ("WorkloadCase", "WorkloadSuite") and digest(each) == wanted
    ]
    return Side(path, records[0], found[0] if found else None)


def _as_text(outcome: Comparison, sides: list[Side]) -> str:
    lines = []
    if outcome.comparable:
        lines.append("comparable: both records are of one cohort")
    else:
        number = len(outcome.differences)
        lines.append(f"not comparable: {number} difference{'' if number == 1 else 's'}")
        lines += [f"  {printable(str(difference))}" for difference in outcome.differences]
    for letter, side, figure in zip("AB", sides, (outcome.first, outcome.second), strict=True):
        told = (
            "no primary figure"
            if figure is None
            else f"{figure.value} {figure.unit} ({figure.metric} {figure.statistic})"
        )
        lines.append(f"{letter}: {told}, {file_name(side.name)}" + (f", cohort {side.key}" if side.key else ""))
    if outcome.ratio is not None:
        lines.append(f"A / B: {outcome.ratio:.6g}")
    return "".join(f"{line}\n" for line in lines)


def _as_json(outcome: Comparison, sides: list[Side]) -> str:
    from kernelindex_schema.reports.escape import decoded_name
    from kernelindex_schema.reports.json import pretty

    return pretty(
        {
            "comparable": outcome.comparable,
            "differences": outcome.differences,
            "ratio": outcome.ratio,
            "records": [
                {"file": decoded_name(side.name), "comparisonKey": side.key, "primaryFigure": figure}
                for side, figure in zip(sides, (outcome.first, outcome.second), strict=True)
            ],
        }
    )
