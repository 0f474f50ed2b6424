from __future__ import annotations

import pytest

VARIABLE = {"role": "variable", "type": "integer"}


def derived(expression: str) -> dict[str, str]:
    return {"role": "derived", "type": "integer", "expression": expression}


def tensor(name: str, *shape: object, dtype: str = "fp32") -> dict[str, object]:
    return {"name": name, "tensor": {"shape": list(shape), "dtype": dtype}}


def test_an_undeclared_axis_is_told_once(desk) -> None:
    operation = desk.manifest(
        "OperationSpec",
        axes={"rows": VARIABLE},
        inputs=[tensor("x", "rows", 1, "hidden"), tensor("w", "hidden", "width")],
        outputs=[tensor("y", "rows", "hidden")],
    )
    assert desk.told(operation) == [
        ("KIX601", "spec.inputs[0].tensor.shape[2]"),
        ("KIX601", "spec.inputs[1].tensor.shape[1]"),
    ]


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        ("hidden / 32", "'/' is no operator; floor division is '//' at column 8"),
        ("hidden //", "expected an integer, an axis name or '(', found the end at column 10"),
        ("hidden // 0", "division by zero at column 8"),
        ("-hidden", "expected an integer, an axis name or '(', found '-' at column 1"),
        ("2 hidden", "expected an operator, found 'hidden' at column 3"),
    ],
)
def test_a_bad_expression(desk, expression: str, fault: str) -> None:
    operation = desk.manifest("OperationSpec", axes={"hidden": VARIABLE, "head": derived(expression)})
    place = "spec.axes.head.expression"
    assert desk.told(operation) == [("KIX602", place)]
    assert desk.messages(operation) == [f'{place} is "{expression}": {fault}']


@pytest.mark.parametrize(
    ("axes", "circles"),
    [
        ({"a": "a + 1"}, ["a needs a"]),
        ({"a": "b", "b": "a"}, ["a needs b needs a"]),
        ({"a": "b", "b": "c", "c": "b"}, ["b needs c needs b"]),
        ({"a": "a", "b": "b"}, ["a needs a", "b needs b"]),
        ({"a": "b + c", "b": "d", "c": "d", "d": "2"}, []),
        ({"a": "b", "b": "c"}, []),
    ],
)
def test_circles(desk, axes: dict[str, str], circles: list[str]) -> None:
    operation = desk.manifest("OperationSpec", axes={name: derived(text) for name, text in axes.items()})
    hits = desk.only("KIX603", operation)
    assert [hit.values["circle"] for hit in hits] == circles


def test_long_chains_are_walked_in_time(desk) -> None:
    axes = {f"a{number}": derived(f"a{number + 1} + 1") for number in range(5000)}
    operation = desk.manifest("OperationSpec", axes=axes | {"a5000": VARIABLE})
    assert desk.told(operation) == []


@pytest.mark.parametrize(
    ("axis", "path"),
    [
        (VARIABLE | {"minimum": 5, "maximum": 4}, "minimum"),
        ({"role": "constant", "type": "integer", "value": 3, "minimum": 4}, "value"),
        ({"role": "constant", "type": "integer", "value": 9, "maximum": 8}, "value"),
        ({"role": "constant", "type": "integer", "value": 9, "minimum": 10, "maximum": 8}, "minimum"),
    ],
)
def test_impossible_bounds(desk, axis, path: str) -> None:
    operation = desk.manifest("OperationSpec", axes={"rows": axis})
    assert desk.told(operation) == [("KIX604", f"spec.axes.rows.{path}")]


@pytest.mark.parametrize(
    "axis",
    [
        VARIABLE | {"minimum": 4, "maximum": 4},
        VARIABLE | {"minimum": -4},
        {"role": "constant", "type": "integer", "value": 4, "minimum": 4, "maximum": 4},
    ],
)
def test_possible_bounds(desk, axis) -> None:
    assert desk.told(desk.manifest("OperationSpec", axes={"rows": axis})) == []


def test_repeated_arguments(desk) -> None:
    outputs = [tensor("y", 1), {"name": "y", "scalar": {"dtype": "fp32"}}]
    assert desk.told(desk.manifest("OperationSpec", outputs=outputs)) == [("KIX605", "spec.outputs[1].name")]
    in_place = desk.manifest(
        "OperationSpec",
        inputs=[tensor("x", 1)],
        outputs=[tensor("x", 1)],
        semantics={"mutation": "in_place", "determinism": "unspecified"},
    )
    assert desk.told(in_place) == []


@pytest.mark.parametrize(("strides", "told"), [([128, 1], 0), ([128], 1), ([], 1), ([1, 2, 3], 1), ([0, -1], 0)])
def test_strides(desk, strides: list[int], told: int) -> None:
    workload = desk.manifest("WorkloadCase", tensors={"x": {"shape": [16, 128], "dtype": "fp32", "strides": strides}})
    assert desk.told(workload) == [("KIX611", "spec.tensors.x.strides")] * told


def test_an_expression_over_undeclared_axes(desk) -> None:
    operation = desk.manifest("OperationSpec", axes={"head": derived("hidden // heads"), "half": derived("head // 2")})
    assert desk.told(operation) == [("KIX612", "spec.axes.head.expression")]
    assert desk.messages(operation) == [
        "spec.axes.head.expression computes from heads and hidden, which spec.axes does not declare"
    ]
