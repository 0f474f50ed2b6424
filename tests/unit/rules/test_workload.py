from __future__ import annotations

from typing import Any

import pytest

from kernelindex_schema.findings import dotted_path
from kernelindex_schema.rules import checks_for

VARIABLE = {"role": "variable", "type": "integer"}
AXES = {
    "batch": VARIABLE | {"minimum": 1, "maximum": 64},
    "heads": {"role": "constant", "type": "integer", "value": 32},
    "head": {"role": "derived", "type": "integer", "expression": "hidden // heads"},
}
INPUTS = [
    {"name": "x", "tensor": {"shape": ["batch", "heads", "head"], "dtype": "float"}},
    {"name": "index", "tensor": {"shape": ["batch"], "dtype": "int64"}},
    {"name": "eps", "scalar": {"dtype": "fp32"}},
]
BOUND = {"batch": 8, "hidden": 8192}
TENSORS = {"x": {"shape": [8, 32, 256], "dtype": "bf16"}, "index": {"shape": [8], "dtype": "int64"}}


@pytest.fixture
def told(desk):
    operation = desk.manifest("OperationSpec", axes=AXES, inputs=INPUTS)

    def ask(workload: Any) -> list[tuple[str, str]]:
        found = [
            (rule.id, dotted_path(hit.path), rule.sentence(hit, dotted_path(hit.path)))
            for rule in checks_for("workload with operation")
            for hit in rule.check((workload, operation), desk.Settings())
        ]
        assert all(sentence.startswith(path) for _, path, sentence in found)
        return sorted((rule_id, path) for rule_id, path, _ in found)

    return ask


@pytest.fixture
def case(desk):
    def build(axes: Any = None, tensors: Any = None) -> Any:
        tensors = TENSORS if tensors is None else {name: tensor for name, tensor in tensors.items() if tensor}
        return desk.manifest("WorkloadCase", axes=BOUND if axes is None else axes, tensors=tensors)

    return build


def test_a_workload_of_its_operation(told, case) -> None:
    assert told(case()) == []
    assert told(case(axes=BOUND | {"heads": 32, "head": 256})) == []
    assert told(case(tensors={})) == []


@pytest.mark.parametrize(
    ("axes", "wanted"),
    [
        ({"hidden": 8192}, [("KIX606", "spec.axes")]),
        (BOUND | {"heads": 64}, [("KIX607", "spec.axes.heads")]),
        (BOUND | {"head": 128}, [("KIX613", "spec.axes.head")]),
        (BOUND | {"hiden": 1}, [("KIX610", "spec.axes.hiden")]),
        (BOUND | {"batch": 0}, [("KIX614", "spec.axes.batch")]),
        (BOUND | {"batch": 65}, [("KIX614", "spec.axes.batch")]),
        (BOUND | {"batch": 64}, []),
    ],
)
def test_axes(told, case, axes: dict[str, int], wanted: list[tuple[str, str]]) -> None:
    assert told(case(axes=axes, tensors={})) == wanted


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"index": None}, [("KIX608", "spec.tensors")]),
        ({"weight": {"shape": [1], "dtype": "bf16"}}, [("KIX608", "spec.tensors.weight")]),
        ({"eps": {"shape": [1], "dtype": "fp32"}}, [("KIX608", "spec.tensors.eps")]),
        ({"y": {"shape": [128], "dtype": "fp32"}}, []),
        ({"y": {"shape": [64], "dtype": "fp32"}}, [("KIX609", "spec.tensors.y.shape[0]")]),
        ({"index": {"shape": [8], "dtype": "int32"}}, [("KIX608", "spec.tensors.index.dtype")]),
        ({"index": {"shape": [8], "dtype": "i64"}}, []),
        ({"index": {"shape": [8], "dtype": "packed_index"}}, []),
        ({"x": {"shape": [8, 32, 256], "dtype": "fp8_e4m3"}}, []),
        ({"x": {"shape": [8, 32, 128], "dtype": "bf16"}}, [("KIX609", "spec.tensors.x.shape[2]")]),
        ({"x": {"shape": [4, 16, 256], "dtype": "bf16"}}, [("KIX609", f"spec.tensors.x.shape[{i}]") for i in (0, 1)]),
        ({"x": {"shape": [8, 8192], "dtype": "bf16"}}, [("KIX609", "spec.tensors.x.shape")]),
    ],
)
def test_tensors(told, case, change: dict[str, Any], wanted: list[tuple[str, str]]) -> None:
    assert told(case(tensors=TENSORS | change)) == wanted


def test_an_open_axis_settles_no_shape(told, case) -> None:
    assert told(case(axes={"batch": 8})) == []
    assert told(case(axes={"hidden": 8192})) == [("KIX606", "spec.axes")]


def test_a_suite_binds_axes_case_by_case(told, desk) -> None:
    suite = desk.manifest(
        "WorkloadSuite",
        cases=[
            {"externalId": "good", "axes": BOUND},
            {"externalId": "open", "axes": {"hidden": 8192}},
            {"externalId": "wrong", "axes": BOUND | {"heads": 8, "cols": 4}},
        ],
    )
    assert told(suite) == [
        ("KIX606", "spec.cases[1].axes"),
        ("KIX607", "spec.cases[2].axes.heads"),
        ("KIX610", "spec.cases[2].axes.cols"),
    ]


def test_values_that_give_no_derived_axis(desk) -> None:
    derived = {"role": "derived", "type": "integer", "expression": "hidden // heads"}
    operation = desk.manifest("OperationSpec", axes={"hidden": VARIABLE, "heads": VARIABLE, "head": derived})
    workload = desk.manifest("WorkloadCase", axes={"hidden": 8192, "heads": 0})
    hits = desk.only("KIX613", (workload, operation))
    assert [hit.values["fault"] for hit in hits] == ["gives head = hidden // heads no value: division by zero"]
    malformed = desk.manifest("OperationSpec", axes={"head": derived | {"expression": "hidden /"}})
    assert desk.only("KIX613", (workload, malformed)) == []
    assert desk.only("KIX610", (desk.manifest("WorkloadCase"), malformed)) == []


def test_the_nearest_axis_is_suggested(desk) -> None:
    operation = desk.manifest("OperationSpec", axes={"hidden": VARIABLE, "rows": VARIABLE})
    workload = desk.manifest("WorkloadCase", axes={"hiden": 8, "rows": 1})
    (hit,) = desk.only("KIX610", (workload, operation))
    assert hit.values["nearest"] == "; did you mean hidden?"
    assert hit.at_key
