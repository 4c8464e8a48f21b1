"""The tree that a formula or an answer becomes, and its value.

The tree is immutable and holds numbers, names, operations and units: nothing in it can call code.
Sizes are bounded by the reader (depth 25, 60 tokens) and values by `exact` (1e±60). The nodes are
named tuples: frozen dataclasses take four times as long to define, and much imports this room.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from drillkit.algebra import exact
from drillkit.algebra.outcome import UndefinedError, UnreadableError
from drillkit.algebra.units import (
    NO_DIMENSION,
    Dimension,
    Unit,
    combine,
    hard,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Sign = Literal["+", "-", "*", "/", "^"]
Relation = Literal["<", "<=", "==", "!=", ">=", ">"]

ONE_ARGUMENT = frozenset({"sqrt", "ceil", "floor", "log2", "ln", "exp"})
MANY_ARGUMENTS = frozenset({"min", "max"})
FUNCTIONS = ONE_ARGUMENT | MANY_ARGUMENTS
"""The closed list of what can be called; conditions add `divides(t, a)`."""


class Number(NamedTuple):
    """A constant."""

    value: Fraction


class Name(NamedTuple):
    """A symbol of the problem."""

    name: str


class Negative(NamedTuple):
    """Minus a term."""

    term: Expression


class Binary(NamedTuple):
    """A sum, difference, product, quotient or power."""

    sign: Sign
    left: Expression
    right: Expression


class Call(NamedTuple):
    """One of the listed functions."""

    function: str
    arguments: tuple[Expression, ...]


class Measured(NamedTuple):
    """A term with a unit after it; occurs in answers only."""

    term: Expression
    unit: Unit


class Compare(NamedTuple):
    """A condition on two terms."""

    relation: Relation
    left: Expression
    right: Expression


class Logic(NamedTuple):
    """Conditions joined by `and` or `or`, or one under `not`."""

    word: Literal["and", "or", "not"]
    parts: tuple[Condition, ...]


class Divides(NamedTuple):
    """True where the first term is not zero and divides the second with nothing left over."""

    divisor: Expression
    dividend: Expression


Expression = Number | Name | Negative | Binary | Call | Measured
Condition = Compare | Logic | Divides


class Equation(NamedTuple):
    """Two terms that an author declares equal."""

    left: Expression
    right: Expression


class Quantity(NamedTuple):
    """A value in base units, with its dimension and the unit it is shown in (or none)."""

    value: Fraction
    dimension: Dimension = NO_DIMENSION
    unit: Unit | None = None


def names(tree: Expression | Condition | Equation) -> frozenset[str]:
    """The symbols that occur in a tree."""
    match tree:
        case Name(name):
            return frozenset({name})
        case Number():
            return frozenset()
        case Negative(term) | Measured(term):
            return names(term)
        case Call(_, parts) | Logic(_, parts):
            return frozenset[str]().union(*(names(part) for part in parts))
        case Divides(left, right):
            return names(left) | names(right)
        case Binary() | Compare() | Equation():
            return names(tree.left) | names(tree.right)


def evaluate(tree: Expression, values: Mapping[str, Fraction] | None = None) -> Fraction:
    """The value of a tree for these values of its symbols, in base units.

    Raises UndefinedError where there is none, RejectedError outside 1e±60, and UnreadableError for
    a symbol without a value or for units that do not go together.
    """
    return measure(tree, values or {}).value


def measure(tree: Expression, values: Mapping[str, Fraction]) -> Quantity:
    """The value and the dimension of a tree; symbols are plain numbers. Raises as `evaluate`."""
    match tree:
        case Number(value):
            return Quantity(value)
        case Name(name):
            if name not in values:
                raise UnreadableError(f"{name} has no value here", hint="put a number in its place")
            return Quantity(values[name])
        case Measured(term, unit):
            inner = measure(term, values)
            value = exact.bounded(inner.value * unit.factor)
            return Quantity(value, combine(inner.dimension, unit.dimension))
        case Negative(term):
            inner = measure(term, values)
            return Quantity(-inner.value, inner.dimension)
        case Binary(sign, left, right):
            return _operate(sign, measure(left, values), measure(right, values))
        case Call(function, arguments):
            return _call(function, [measure(part, values) for part in arguments])


def _operate(sign: Sign, left: Quantity, right: Quantity) -> Quantity:
    if sign == "*":
        dimension = combine(left.dimension, right.dimension)
        return Quantity(exact.bounded(left.value * right.value), dimension)
    if sign == "/":
        dimension = combine(left.dimension, right.dimension, -1)
        return Quantity(exact.divide(left.value, right.value), dimension)
    if sign == "^":
        return _raise(left, right)
    _require_same([left, right], "added" if sign == "+" else "subtracted")
    value = left.value + right.value if sign == "+" else left.value - right.value
    return Quantity(exact.bounded(value), left.dimension)


def _raise(base: Quantity, exponent: Quantity) -> Quantity:
    if exponent.dimension:
        raise UnreadableError("an exponent has a unit", hint="write the unit outside of the power")
    value = exact.power(base.value, exponent.value)
    if not base.dimension:
        return Quantity(value)
    scaled = tuple((name, power * exponent.value) for name, power in base.dimension)
    if any(power.denominator != 1 for _, power in scaled):
        raise UnreadableError(
            "a unit has a fractional exponent", hint="check the root or the power"
        )
    return Quantity(value, tuple((name, int(power)) for name, power in scaled if power))


def _require_same(parts: list[Quantity], done: str) -> None:
    if any(part.dimension != parts[0].dimension for part in parts):
        raise UnreadableError(
            f"different units are {done}", hint="give every term the same kind of unit"
        )


def _call(function: str, parts: list[Quantity]) -> Quantity:
    first = parts[0]
    if function in MANY_ARGUMENTS:
        _require_same(parts, "compared")
        pick: Callable[..., Fraction] = min if function == "min" else max
        return Quantity(pick(part.value for part in parts), first.dimension)
    if function == "sqrt":
        if any(power % 2 for _, power in first.dimension):
            raise UnreadableError(
                "a unit has a fractional exponent", hint="check what is in the root"
            )
        halves = tuple((name, power // 2) for name, power in first.dimension)
        return Quantity(exact.root(first.value), halves)
    if function in {"ceil", "floor"}:
        if hard(first.dimension):
            raise UnreadableError(
                f"{function} of a measured quantity depends on its unit",
                hint="round the plain number, then write the unit",
            )
        rounded = math.ceil(first.value) if function == "ceil" else math.floor(first.value)
        return Quantity(Fraction(rounded), first.dimension)
    if first.dimension:
        raise UnreadableError(f"{function} takes a plain number", hint="divide the unit out first")
    if function == "log2":
        return Quantity(exact.log2(first.value))
    if function == "ln":
        return Quantity(Fraction(exact.log(first.value)))
    return Quantity(exact.from_log(float(first.value)))


_RELATIONS: dict[Relation, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


def holds(condition: Condition, values: Mapping[str, Fraction]) -> bool:
    """Whether a condition is met for these values; raises as `evaluate`."""
    match condition:
        case Compare(relation, left, right):
            return _RELATIONS[relation](evaluate(left, values), evaluate(right, values))
        case Divides(divisor, dividend):
            below = evaluate(divisor, values)
            if not below:
                raise UndefinedError(
                    "divides() has a zero divisor", hint="exclude zero from its range"
                )
            return (evaluate(dividend, values) / below).denominator == 1
        case Logic("and", parts):
            return all(holds(part, values) for part in parts)
        case Logic("or", parts):
            return any(holds(part, values) for part in parts)
        case Logic(_, parts):
            return not holds(parts[0], values)
