"""The axis-expression grammar (contract, OperationSpec): parsed once, evaluated exactly, bounded.

::

    sum     = product (("+" | "-") product)*
    product = operand (("*" | "//" | "%") operand)*
    operand = integer | axis name | "(" sum ")"

There is no sign: ``-1`` is no operand. ``//`` and ``%`` round towards minus infinity, as in Python. Neither parsing nor
evaluation recurses, so nesting is bounded by the length alone; every value on the way must be a safe integer.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import msgspec

from kernelindex_schema.v1alpha1.operation import Axis
from kernelindex_schema.v1alpha1.scalars import MAX_SAFE_INTEGER

__all__ = ["MAX_LENGTH", "AxisExpressionError", "Expression", "axis_values", "evaluate", "names", "parse"]

MAX_LENGTH = 200
"""Bound of an expression, in characters (contract, OperationSpec)."""

_LEVELS = {"+": 1, "-": 1, "*": 2, "//": 2, "%": 2}
_DIGITS = frozenset("0123456789")
_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz")
_NEXT = _FIRST | _DIGITS | {"_"}
_OPERAND = "an integer, an axis name or '('"


class AxisExpressionError(ValueError):
    """The expression is malformed, or has no value for the axes given.

    Attributes:
        column: where, counted from 1 in characters of the expression.
    """

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


class _Step(msgspec.Struct, frozen=True, gc=False):
    """One entry of the postfix form: an integer, an axis name, or an operator on the two values before it."""

    text: str
    column: int
    value: int | None = None

    @property
    def operator(self) -> bool:
        return self.text in _LEVELS


class Expression(msgspec.Struct, frozen=True):
    """A parsed expression."""

    text: str
    steps: tuple[_Step, ...]
    """The postfix form."""
    names: frozenset[str]
    """The axes that it computes from."""

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The exact value for these axes.

        Raises:
            AxisExpressionError: an axis has no value, a division by zero, or a value beyond the safe integers.
        """
        stack: list[int] = []
        for step in self.steps:
            if step.operator:
                right, left = stack.pop(), stack.pop()
                result = _apply(step, left, right)
            elif step.value is not None:
                result = step.value
            elif step.text in values:
                result = values[step.text]
            else:
                raise AxisExpressionError(f"axis {step.text} has no value", step.column)
            if not -MAX_SAFE_INTEGER <= result <= MAX_SAFE_INTEGER:
                raise AxisExpressionError("a value is beyond the safe integers, 2^53 - 1", step.column)
            stack.append(result)
        return stack.pop()


def _apply(step: _Step, left: int, right: int) -> int:
    match step.text:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    if right == 0:
        raise AxisExpressionError("division by zero", step.column)
    return left // right if step.text == "//" else left % right


@functools.lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """The expression in a form that can be evaluated.

    Raises:
        AxisExpressionError: it does not follow the grammar, or divides by the integer 0.
    """
    if len(text) > MAX_LENGTH:
        raise AxisExpressionError(f"longer than {MAX_LENGTH} characters", MAX_LENGTH + 1)
    output: list[_Step] = []
    waiting: list[_Step] = []  # operators and opening parentheses
    after_operand = False
    for token in _tokens(text):
        if token.text == "(":
            if after_operand:
                raise AxisExpressionError("expected an operator, found '('", token.column)
            waiting.append(token)
        elif token.text == ")":
            if not after_operand:
                raise AxisExpressionError(f"expected {_OPERAND}, found ')'", token.column)
            _unwind(output, waiting, 0)
            if not waiting:
                raise AxisExpressionError("')' closes nothing", token.column)
            waiting.pop()
        elif token.operator:
            if not after_operand:
                raise AxisExpressionError(f"expected {_OPERAND}, found '{token.text}'", token.column)
            _unwind(output, waiting, _LEVELS[token.text])
            waiting.append(token)
            after_operand = False
        else:
            if after_operand:
                raise AxisExpressionError(f"expected an operator, found '{token.text}'", token.column)
            output.append(token)
            after_operand = True
    if not after_operand:
        raise AxisExpressionError(f"expected {_OPERAND}, found the end", len(text) + 1)
    _unwind(output, waiting, 0)
    if waiting:
        raise AxisExpressionError("'(' is not closed", waiting[-1].column)
    found = frozenset(step.text for step in output if step.value is None and not step.operator)
    return Expression(text, tuple(output), found)


def _unwind(output: list[_Step], waiting: list[_Step], level: int) -> None:
    """Move operators that bind at least as tightly as ``level`` to the output, up to an opening parenthesis."""
    while waiting and waiting[-1].text != "(" and _LEVELS[waiting[-1].text] >= level:
        operator = waiting.pop()
        if operator.text in ("//", "%") and output[-1].value == 0:
            raise AxisExpressionError("division by zero", operator.column)
        output.append(operator)


def _tokens(text: str) -> list[_Step]:
    tokens = []
    position = 0
    while position < len(text):
        start, character = position, text[position]
        position += 1
        if character == " ":
            continue
        if character in _DIGITS or character in _FIRST:
            wanted = _DIGITS if character in _DIGITS else _NEXT
            while position < len(text) and text[position] in wanted:
                position += 1
            word = text[start:position]
            tokens.append(_Step(word, start + 1, _integer(word, start + 1) if character in _DIGITS else None))
        elif character == "/" and text[position : position + 1] == "/":
            position += 1
            tokens.append(_Step("//", start + 1))
        elif character == "/":
            raise AxisExpressionError("'/' is no operator; floor division is '//'", start + 1)
        elif character in "+-*%()":
            tokens.append(_Step(character, start + 1))
        else:
            raise AxisExpressionError(f"unexpected {character!r}", start + 1)
    return tokens


def _integer(digits: str, column: int) -> int:
    value = int(digits)
    if value > MAX_SAFE_INTEGER:
        raise AxisExpressionError("an integer is beyond the safe integers, 2^53 - 1", column)
    return value


def names(expression: str) -> frozenset[str]:
    """The axes that an expression computes from.

    Raises:
        AxisExpressionError: the expression is malformed.
    """
    return parse(expression).names


def evaluate(expression: str, values: Mapping[str, int]) -> int:
    """The exact value of an expression.

    Raises:
        AxisExpressionError: the expression is malformed, or has no value for these axes.
    """
    return parse(expression).evaluate(values)


def axis_values(axes: Mapping[str, Axis], bound: Mapping[str, int]) -> dict[str, int]:
    """The values of all axes that can be known: bound ones, constants, and derived ones computed from these.

    A constant or derived axis has the value that the operation gives it, whatever ``bound`` says of it. Derived axes
    that are circular, malformed or without a value are left out.
    """
    values = dict(bound)
    expressions: dict[str, Expression] = {}
    for name, axis in axes.items():
        if axis.role == "constant" and axis.value is not msgspec.UNSET:
            values[name] = axis.value
        elif axis.role == "derived" and axis.expression is not msgspec.UNSET:
            values.pop(name, None)
            try:
                expressions[name] = parse(axis.expression)
            except AxisExpressionError:
                continue
    needed_by: dict[str, list[str]] = {}
    waits = {name: set(expression.names - values.keys()) for name, expression in expressions.items()}
    for name, needs in waits.items():
        for need in needs:
            needed_by.setdefault(need, []).append(name)
    # Kahn's order: each axis is computed once, as soon as the last one that it needs has a value.
    ready = [name for name, needs in waits.items() if not needs]
    while ready:
        name = ready.pop()
        try:
            values[name] = expressions[name].evaluate(values)
        except AxisExpressionError:
            continue
        for waiting in needed_by.get(name, ()):
            waits[waiting].discard(name)
            if not waits[waiting]:
                ready.append(waiting)
    return values
