"""Whether the sides of a formula are of one kind: seconds, dollars and joules, bytes and FLOP.

A plain number in a formula may stand for bytes a parameter or FLOP a token, so bytes and FLOP are
compared only where no number could carry them; time, money and energy always.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra.expression import (
    Binary,
    Call,
    Equation,
    Expression,
    Measured,
    Name,
    Negative,
    Number,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.algebra.units import Unit

STRICT = {"time": "time", "usd": "money", "energy": "energy"}
LOOSE = {"data": "bytes", "op": "FLOP"}


class _MixedError(Exception):
    pass


def mismatch(equation: Equation, units: Mapping[str, Unit]) -> str:
    """Return which kind of quantity does not agree between the sides or terms, or nothing."""
    for base, word in (STRICT | LOOSE).items():
        try:
            left = _exponent(equation.left, base, units)
            right = _exponent(equation.right, base, units)
        except _MixedError:
            return word
        if left is not None and right is not None and left != right:
            return word
    return ""


def _exponent(tree: Expression, base: str, units: Mapping[str, Unit]) -> Fraction | None:
    """The exponent of one base unit; None where a number may carry any."""
    match tree:
        case Number(value):
            return None if base in LOOSE or not value else Fraction(0)
        case Name(name):
            return Fraction(dict(units[name].dimension).get(base, 0))
        case Measured(term, unit):
            inner = _exponent(term, base, units)
            return None if inner is None else inner + dict(unit.dimension).get(base, 0)
        case Negative(term):
            return _exponent(term, base, units)
        case Call("sqrt", (inner,)):
            power = _exponent(inner, base, units)
            return None if power is None else power / 2
        case Call(function, parts):
            powers = [_exponent(part, base, units) for part in parts]
            return _same(powers) if function in {"min", "max", "ceil", "floor"} else Fraction(0)
        case Binary():
            return _exponent_of_pair(tree, base, units)


def _exponent_of_pair(tree: Binary, base: str, units: Mapping[str, Unit]) -> Fraction | None:
    above, below = _exponent(tree.left, base, units), _exponent(tree.right, base, units)
    if tree.sign in {"+", "-"}:
        return _same([above, below])
    if tree.sign == "^":
        if isinstance(tree.right, Number) and above is not None:
            return above * tree.right.value
        return above if above == 0 else None
    if above is None or below is None:
        return None
    return above + below if tree.sign == "*" else above - below


def _same(powers: list[Fraction | None]) -> Fraction | None:
    known = {power for power in powers if power is not None}
    if len(known) > 1:
        raise _MixedError
    return known.pop() if known else None
