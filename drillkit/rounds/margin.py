"""By how much a condition on a layout is met or missed, in words and with its units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.algebra.expression import (
    Binary,
    Call,
    Compare,
    Divides,
    Logic,
    Measured,
    Name,
    Negative,
    Number,
    Quantity,
    evaluate,
    holds,
    names,
)
from drillkit.algebra.format import format_number, format_quantity
from drillkit.algebra.units import DATA, NO_DIMENSION, PERCENT, combine, hard
from drillkit.mlsys.memory import GB, GIB

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from drillkit.algebra.expression import Condition, Expression
    from drillkit.algebra.units import Dimension, Unit


def margin(condition: Condition, values: Mapping[str, Fraction], units: Mapping[str, Unit]) -> str:
    """Return both sides of a condition and what is to spare or too much, as one clause.

    Bytes are told in GB and GiB. Raises `UnreadableError` for a condition without a value.
    """
    match condition:
        case Compare():
            return _compared(condition, values, units)
        case Divides(below, above):
            by, number = evaluate(below, values), evaluate(above, values)
            each = f"{_plain(number)} / {_plain(by)} = {_plain(number / by)}"
            return each if (number / by).denominator == 1 else f"{each}, not a whole number"
        case Logic("not", (inner,)):
            return margin(inner, values, units)
        case Logic("and", parts):
            failed = [part for part in parts if not holds(part, values)]
            return "; ".join(margin(part, values, units) for part in failed or parts)
        case Logic(_, parts):
            met = [part for part in parts if holds(part, values)]
            return " or ".join(margin(part, values, units) for part in met or parts)


def _compared(condition: Compare, values: Mapping[str, Fraction], units: Mapping[str, Unit]) -> str:
    left, right = evaluate(condition.left, values), evaluate(condition.right, values)
    sides = [_dimension(side, units) for side in (condition.left, condition.right)]
    dimension = sides[0] or sides[1]
    share = not dimension and any(
        name in units and units[name].parts == PERCENT.parts for name in names(condition)
    )
    told: Callable[[Fraction], str] = _percent if share else _plain
    gap = "points" if share else ""
    if dimension:
        told = _amount(dimension)
    size = abs(left - right)
    distance = f"{_plain(size * 100)} {gap}" if share else told(size).partition(" (")[0]
    much = "too much" if dimension or share else "too many"
    mine, limit = told(left), told(right)
    match condition.relation:
        case "==":
            if left == right:
                return mine
            return f"{mine}, not {limit}: {distance} {much if left > right else 'missing'}"
        case "!=":
            return mine
        case "<" | "<=":
            spare = f"{distance} to spare" if left < right else "nothing to spare"
            # "8 % of 30 %" would be a share of a share.
            joined = f"{mine} against {limit}" if share else f"{mine} of {limit}"
            return f"{joined}: {spare if left <= right else f'{distance} {much}'}"
        case _:
            spare = f"{distance} to spare" if left > right else "nothing to spare"
            asked = "more than" if condition.relation == ">" else "at least"
            missed = spare if left >= right else f"{distance} short"
            return f"{mine} where {asked} {limit} is asked: {missed}"


def _amount(dimension: Dimension) -> Callable[[Fraction], str]:
    if dimension == DATA:
        return _bytes
    return lambda value: format_quantity(Quantity(value, dimension))


def _bytes(value: Fraction) -> str:
    """Bytes in both units: `84.9 GB (79.0 GiB)`."""
    one, other = (_figures(value / size) for size in (GB, GIB))
    return f"{one} GB ({other} GiB)"


def _figures(number: Fraction) -> str:
    return format_number(number, padded=number.denominator != 1)


def _percent(value: Fraction) -> str:
    return f"{_plain(value * 100)} %"


def _plain(value: Fraction) -> str:
    return format_number(value)


def _dimension(tree: Expression, units: Mapping[str, Unit]) -> Dimension:
    """What a formula is measured in, by its symbols' units; constants and counts have none."""
    match tree:
        case Name(name):
            return hard(units[name].dimension) if name in units else NO_DIMENSION
        case Measured(term, unit):
            return combine(_dimension(term, units), hard(unit.dimension))
        case Negative(term):
            return _dimension(term, units)
        case Binary("*" | "/" as sign, left, right):
            power = 1 if sign == "*" else -1
            return combine(_dimension(left, units), _dimension(right, units), power)
        case Binary("^", _, _) | Number():
            return NO_DIMENSION
        case Binary(_, left, right):
            return _dimension(left, units) or _dimension(right, units)
        case Call("min" | "max", parts):
            return next((found for part in parts if (found := _dimension(part, units))), ())
        case Call():
            return NO_DIMENSION
