"""Which document a value is, and where its manifests stand."""

from __future__ import annotations

from typing import Any

import pytest

from kernelindex_schema import check_data
from kernelindex_schema.documents import CATALOG_DIGESTS, SECTIONS, recognise
from kernelindex_schema.v1alpha1 import KINDS

MANIFEST = {"apiVersion": "kernelindex.dev/v1alpha1", "kind": "SoftwareProject"}


@pytest.mark.parametrize(
    ("value", "name", "sites"),
    [
        # In the order in which the contract asks.
        ({"apiVersion": 1}, "manifest", [()]),
        ({"kind": "X"}, "manifest", [()]),
        ({"kind": "X", "table": "t", "row": {}}, "manifest", [()]),
        ({"kind": "X", "run": {}, "workload": {}, "implementation": {}}, "manifest", [()]),
        ({"table": "projects", "row": {}}, "catalog row", []),
        ({"table": "projects", "row": {"manifest": MANIFEST}}, "catalog row", [("row", "manifest")]),
        ({"table": "projects", "row": {"manifest": None}}, "catalog row", []),
        ({"table": "t", "row": {}, "run": {}}, "catalog row", []),
        (
            {"table": "benchmark_runs", "row": {"manifest": {"run": 1, "protocol": 2, "environment": 3}}},
            "catalog row",
            [("row", "manifest", "run"), ("row", "manifest", "protocol"), ("row", "manifest", "environment")],
        ),
        ({"run": {}, "workload": {}, "implementation": {}}, "bench record", []),
        ({"run": {}, "workload": {}, "implementation": {}, "projects": []}, "bench record", []),
        ({"run": {}, "workload": {}, "implementation": {}, "runs": []}, "record", [("run",)]),
        ({"run": {}, "workload": {}}, "record", [("run",)]),
        ({"run": 1, "protocol": 2, "environment": 3}, "record", [("run",), ("protocol",), ("environment",)]),
        ({"run": {}, "runs": []}, "record", [("run",)]),
        ({"projects": [1, 2]}, "submission", [("projects", 0), ("projects", 1)]),
        ({"implementations": [{"manifest": 1}]}, "submission", [("implementations", 0, "manifest")]),
        ({"runs": [{"run": 1}]}, "submission", [("runs", 0, "run")]),
        ({"workloads": [], "other": 1}, "submission", []),
    ],
)
def test_the_shape_and_the_places_of_its_manifests(value: Any, name: str, sites: list[Any]) -> None:
    shape = recognise(value)
    assert shape is not None
    assert (shape.name, [site.path for site in shape.sites]) == (name, sites)


@pytest.mark.parametrize(
    "value", [{}, {"table": "t"}, {"row": {}}, {"workload": {}, "implementation": {}}, {"spec": {}}]
)
def test_what_is_none_of_the_known_documents(value: Any) -> None:
    assert recognise(value) is None


def test_the_kinds_that_belong_into_a_section() -> None:
    value: dict[str, Any] = {section: [{}] for section in SECTIONS}
    shape = recognise(value | {"runs": [{"run": 1}], "implementations": [{"manifest": 1}]})
    assert shape is not None
    assert {site.path[0]: site.kinds for site in shape.sites} == SECTIONS
    assert {kind for kinds in SECTIONS.values() for kind in kinds} <= set(KINDS)


def found(text: str) -> list[tuple[str, str]]:
    return [(finding.rule, finding.pointer or "") for finding in check_data(text, "json").findings]


RECORD_FAULTS = [
    ('{"run": {}, "protocol": {}}', ""),
    ('{"runs": [{"run": {}}]}', "/runs/0"),
]


@pytest.mark.parametrize(("text", "pointer"), RECORD_FAULTS)
def test_a_record_names_the_members_that_it_lacks(text: str, pointer: str) -> None:
    assert ("KIX104", pointer) in found(text)


def test_a_submission_holds_a_manifest_at_least() -> None:
    assert found('{"projects": [], "runs": []}') == [("KIX011", "")]
    assert found('{"projects": 5}') == [("KIX105", "/projects")]


def test_a_catalog_row_may_have_any_columns_and_no_manifest() -> None:
    assert found('{"table": "projects", "row": {"id": 1, "slug": "x", "manifest": null}}') == []
    assert found('{"table": "anything", "row": {"id": 1}}') == []


@pytest.mark.parametrize(("table", "column"), CATALOG_DIGESTS.items())
def test_the_digest_that_a_catalog_row_carries(table: str, column: str) -> None:
    manifest = (
        '{"apiVersion": "kernelindex.dev/v1alpha1", "kind": "SoftwareProject", "metadata": {"name": "a"}, '
        '"spec": {"name": "Vector Project", "repository": "https://example.invalid/vector/project"}}'
    )
    right = "sha256:bea60af06f12216679b113d6624c5293d59bef2104ccc27cd33c992d124e039d"
    row = f'{{"table": "{table}", "row": {{"{column}": "{right}", "manifest": {manifest}}}}}'
    assert found(row) == []
    assert found(row.replace(right, right[:-1] + "0")) == [("KIX504", f"/row/{column}")]


def test_a_hostile_submission_ends_early() -> None:
    assert len(found('{"runs": [' + ",".join(["{}"] * 100_000) + "]}")) == 101
    assert len(found('{"projects": [], ' + ",".join(f'"x{index}": 1' for index in range(20_000)) + "}")) == 101
