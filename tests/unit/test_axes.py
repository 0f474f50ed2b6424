from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelindex_schema.axes import MAX_LENGTH, AxisExpressionError, axis_values, evaluate, names, parse
from kernelindex_schema.v1alpha1 import Axis
from kernelindex_schema.v1alpha1.scalars import MAX_SAFE_INTEGER

VALUES = {"hidden": 8192, "q_heads": 32, "seq": 16384, "a": 7, "b": -3, "zero": 0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("007", 7),
        ("hidden // q_heads", 256),
        ("seq + 1", 16385),
        ("hidden//q_heads*2", 512),
        ("1 - 2 - 3", -4),
        ("1 - (2 - 3)", 2),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("100 // 7 // 2", 7),
        ("100 // (7 // 2)", 33),
        ("100 % 7 * 3", 6),
        ("a // 2", 3),
        ("(0 - a) // 2", -4),
        ("(0 - a) % 3", 2),
        ("a % b", -2),
        ("a // b", -3),
        ("((((a))))", 7),
        (" a ", 7),
        ("zero // a", 0),
    ],
)
def test_values(text: str, value: int) -> None:
    assert evaluate(text, VALUES) == value


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "found the end"),
        ("   ", 4, "found the end"),
        ("a +", 4, "found the end"),
        ("a / b", 3, "floor division is '//'"),
        ("a /", 3, "floor division is '//'"),
        ("a /// b", 5, "floor division is '//'"),
        ("-a", 1, "found '-'"),
        ("+1", 1, "found '+'"),
        ("a * -1", 5, "found '-'"),
        ("a ** b", 4, "found '*'"),
        ("a b", 3, "expected an operator, found 'b'"),
        ("2a", 2, "expected an operator, found 'a'"),
        ("a 2", 3, "expected an operator, found '2'"),
        ("a(b)", 2, "expected an operator, found '('"),
        ("()", 2, "found ')'"),
        ("(a", 1, "'(' is not closed"),
        ("((a)", 1, "'(' is not closed"),
        ("a)", 2, "')' closes nothing"),
        ("(a))", 4, "')' closes nothing"),
        ("_a", 1, "unexpected '_'"),
        ("A", 1, "unexpected 'A'"),
        ("a\n", 2, "unexpected '\\n'"),
        ("a\t+ b", 2, "unexpected '\\t'"),
        ("1.5", 2, "unexpected '.'"),
        ("a ^ b", 3, "unexpected '^'"),
        ("\u0663", 1, "unexpected"),
        ("a // 0", 3, "division by zero"),
        ("a % (0)", 3, "division by zero"),
        ("9007199254740992", 1, "safe integers"),
        ("1" * 5000, 201, "longer than 200"),
    ],
)
def test_what_is_no_expression(text: str, column: int, says: str) -> None:
    with pytest.raises(AxisExpressionError) as caught:
        parse(text)
    assert caught.value.column == column
    assert says in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("a // zero", 3, "division by zero"),
        ("a % zero", 3, "division by zero"),
        ("a // (b + 3)", 3, "division by zero"),
        ("unknown * 2", 1, "axis unknown has no value"),
        ("9007199254740991 + 1", 18, "safe integers"),
        ("9007199254740991 * 9007199254740991 // 9007199254740991", 18, "safe integers"),
        ("0 - 9007199254740991 - 1", 22, "safe integers"),
    ],
)
def test_expressions_without_a_value(text: str, column: int, says: str) -> None:
    expression = parse(text)
    with pytest.raises(AxisExpressionError) as caught:
        expression.evaluate(VALUES)
    assert caught.value.column == column
    assert says in str(caught.value)


def test_names() -> None:
    assert names("(hidden // q_heads) * 2 + hidden") == {"hidden", "q_heads"}
    assert names("1 + 2") == frozenset()


def test_an_expression_is_parsed_once() -> None:
    assert parse("hidden // q_heads") is parse("hidden // q_heads")


def test_nesting_is_bounded_by_the_length_alone() -> None:
    half = (MAX_LENGTH - 1) // 2
    assert evaluate("(" * half + "1" + ")" * half, {}) == 1


operands = st.one_of(st.integers(0, 40).map(str), st.sampled_from(sorted(VALUES)))
expressions = st.recursive(
    operands,
    lambda inner: st.one_of(
        st.builds("{} {} {}".format, inner, st.sampled_from(["+", "-", "*", "%", "//"]), inner),
        inner.map("({})".format),
    ),
    max_leaves=12,
)


@given(expressions)
def test_values_are_those_of_python(text: str) -> None:
    try:
        wanted = eval(text, {"__builtins__": {}}, dict(VALUES))
    except ZeroDivisionError:
        wanted = None
    try:
        value = evaluate(text, VALUES)
    except AxisExpressionError as error:
        value = None
        if "safe integers" in str(error) or len(text) > MAX_LENGTH:
            return
    assert value == wanted


@given(st.text(alphabet="ab01 +-*/%()_", max_size=30), st.dictionaries(st.sampled_from("ab"), st.integers(-9, 9)))
def test_any_text_has_a_value_or_an_error(text: str, values: dict[str, int]) -> None:
    try:
        value, column = evaluate(text, values), 1
    except AxisExpressionError as error:
        value, column = 0, error.column
    assert abs(value) <= MAX_SAFE_INTEGER
    assert 1 <= column <= len(text) + 1


def axis(role: str, **fields: object) -> Axis:
    return Axis(role=role, type="integer", **fields)


def test_all_values_that_can_be_known() -> None:
    axes = {
        "quarter": axis("derived", expression="half // 2"),
        "half": axis("derived", expression="hidden // two"),
        "two": axis("constant", value=2),
        "hidden": axis("variable"),
        "rows": axis("variable"),
        "area": axis("derived", expression="rows * hidden"),
        "broken": axis("derived", expression="hidden /"),
        "circle": axis("derived", expression="circle + 1"),
        "nothing": axis("derived", expression="hidden // (two - 2)"),
        "after": axis("derived", expression="nothing + 1"),
    }
    values = axis_values(axes, {"hidden": 8, "extra": 5, "two": 3, "half": 99})
    assert values == {"hidden": 8, "extra": 5, "two": 2, "half": 4, "quarter": 2}


def test_long_chains_are_computed_in_time() -> None:
    axes = {f"a{n}": axis("derived", expression=f"a{n + 1} + 1") for n in range(5000)}
    assert axis_values(axes, {"a5000": 0})["a0"] == 5000
