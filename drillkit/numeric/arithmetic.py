"""Values of formulas, and equations solved for one symbol whose companions have values.

Works on exact fractions (what is judged) and on floats (what is drawn and thrown away again), with
the same rules: the trees are those of `algebra`, nothing is compiled or called by name.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic, TypeVar

from drillkit.algebra import exact
from drillkit.algebra.expression import (
    Binary,
    Call,
    Expression,
    Measured,
    Name,
    Negative,
    Number,
)
from drillkit.algebra.outcome import UndefinedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.algebra.expression import Equation

N = TypeVar("N", Fraction, float)

HIGHEST_DEGREE = 4


class Unsolvable(Exception):  # noqa: N818 not an error of anybody: another way is tried
    """The symbol cannot be isolated by these rules."""


class Arithmetic(Generic[N]):
    """The operations that differ between exact and floating numbers."""

    def number(self, value: Fraction) -> N:
        raise NotImplementedError

    def power(self, base: N, exponent: N) -> N:
        raise NotImplementedError

    def divide(self, above: N, below: N) -> N:
        raise NotImplementedError

    def call(self, function: str, parts: list[N]) -> N:
        raise NotImplementedError

    def value(self, tree: Expression, values: Mapping[str, N]) -> N:
        """Return a formula's value. Raises UnreadableError or ArithmeticError without one."""
        # The three that make nine tenths of every formula; a draw evaluates a dozen formulas.
        if isinstance(tree, Name):
            return values[tree.name]
        if isinstance(tree, Binary):
            left, right = self.value(tree.left, values), self.value(tree.right, values)
            return self.operate(tree.sign, left, right)
        if isinstance(tree, Number):
            return self.number(tree.value)
        match tree:
            case Negative(term):
                return -self.value(term, values)
            case Call(function, arguments):
                return self.call(function, [self.value(part, values) for part in arguments])
            case Measured(term, unit):
                return self.value(term, values) * self.number(unit.factor)

    def operate(self, sign: str, left: N, right: N) -> N:
        if sign == "+":
            return left + right
        if sign == "-":
            return left - right
        if sign == "*":
            return left * right
        if sign == "/":
            return self.divide(left, right)
        return self.power(left, right)

    # --- one equation, one unknown ---

    def solve(self, equation: Equation, unknown: str, values: Mapping[str, N]) -> list[N]:
        """Return the real values of `unknown` that fulfil the equation, all others being known.

        Raises `Unsolvable` where neither peeling nor a polynomial up to degree 2 gives them, and
        what `value` raises.
        """
        left, right = equation
        on_left, on_right = count(left, unknown), count(right, unknown)
        if on_left + on_right == 1:
            side, other = (left, right) if on_left else (right, left)
            return [self._peel(side, self.value(other, values), unknown, values)]
        above, below = self._ratio(left, unknown, values)
        over, under = self._ratio(right, unknown, values)
        difference = self._minus(self._times(above, under), self._times(over, below))
        return self._roots(difference)

    def _peel(self, side: Expression, target: N, unknown: str, values: Mapping[str, N]) -> N:
        """Undo what is done to the one occurrence of the unknown, from the outside in."""
        while side != Name(unknown):
            match side:
                case Negative(term):
                    side, target = term, -target
                case Binary(sign, left, right) if count(left, unknown):
                    known = self.value(right, values)
                    side, target = left, self._undo_left(sign, target, known)
                case Binary(sign, left, right):
                    known = self.value(left, values)
                    side, target = right, self._undo_right(sign, target, known)
                case Call("sqrt", (inner,)):
                    if target < 0:
                        raise UndefinedError("a square root comes out negative")
                    side, target = inner, target * target
                case Call("ln", (inner,)):
                    side, target = inner, self.call("exp", [target])
                case Call("exp", (inner,)):
                    side, target = inner, self.call("ln", [target])
                case Call("log2", (inner,)):
                    side, target = inner, self.power(self.number(Fraction(2)), target)
                case _:
                    raise Unsolvable(unknown)
        return target

    def _undo_left(self, sign: str, target: N, known: N) -> N:
        if sign == "^":
            return self.power(target, self.divide(self.number(Fraction(1)), known))
        opposite = {"+": "-", "-": "+", "*": "/", "/": "*"}[sign]
        return self.operate(opposite, target, known)

    def _undo_right(self, sign: str, target: N, known: N) -> N:
        if sign == "^":
            return self.divide(self.call("ln", [target]), self.call("ln", [known]))
        if sign in {"-", "/"}:
            return self.operate(sign, known, target)
        return self.operate({"+": "-", "*": "/"}[sign], target, known)

    # --- rational functions of the unknown, as two lists of coefficients ---

    def _ratio(
        self, tree: Expression, unknown: str, values: Mapping[str, N]
    ) -> tuple[list[N], list[N]]:
        zero, unit = self.number(Fraction(0)), self.number(Fraction(1))
        one: list[N] = [unit]
        if not count(tree, unknown):
            return [self.value(tree, values)], one
        match tree:
            case Name():
                return [zero, unit], one
            case Negative(term):
                above, below = self._ratio(term, unknown, values)
                return self._minus([], above), below
            case Binary("^", base, Number(power)) if power.denominator == 1 and 0 < power < 5:
                above, below = self._ratio(base, unknown, values)
                over, under = one, one
                for _ in range(int(power)):
                    over, under = self._times(over, above), self._times(under, below)
                return over, under
            case Binary("+" | "-" | "*" | "/" as sign, left, right):
                above, below = self._ratio(left, unknown, values)
                over, under = self._ratio(right, unknown, values)
                if sign == "*":
                    return self._times(above, over), self._times(below, under)
                if sign == "/":
                    return self._times(above, under), self._times(below, over)
                if sign == "+":
                    over = self._minus([], over)
                joined = self._minus(self._times(above, under), self._times(over, below))
                return joined, self._times(below, under)
        raise Unsolvable(unknown)

    def _times(self, left: list[N], right: list[N]) -> list[N]:
        if len(left) + len(right) > HIGHEST_DEGREE + 6:
            raise Unsolvable
        product = [self.number(Fraction(0))] * (len(left) + len(right) - 1)
        for i, one in enumerate(left):
            for j, other in enumerate(right):
                product[i + j] += one * other
        return product

    def _minus(self, left: list[N], right: list[N]) -> list[N]:
        zero = self.number(Fraction(0))
        return [one - other for one, other in zip_longest(left, right, fillvalue=zero)]

    def _roots(self, coefficients: list[N]) -> list[N]:
        while coefficients and not coefficients[-1]:
            coefficients = coefficients[:-1]
        # A factor x of the whole polynomial stands for the root zero, which is nobody's answer.
        while coefficients and not coefficients[0]:
            coefficients = coefficients[1:]
        if len(coefficients) == 2:
            return [self.divide(-coefficients[0], coefficients[1])]
        if len(coefficients) != 3:
            raise Unsolvable
        c, b, a = coefficients
        discriminant = b * b - 4 * a * c
        if discriminant < 0:
            raise UndefinedError("the equation has no real solution")
        root = self.call("sqrt", [discriminant])
        return [self.divide(-b - root, 2 * a), self.divide(-b + root, 2 * a)]


class Exact(Arithmetic[Fraction]):
    """Fractions, bounded as everywhere in `algebra`."""

    def number(self, value: Fraction) -> Fraction:
        return value

    def operate(self, sign: str, left: Fraction, right: Fraction) -> Fraction:
        return exact.bounded(super().operate(sign, left, right))

    def divide(self, above: Fraction, below: Fraction) -> Fraction:
        return exact.divide(above, below)

    def power(self, base: Fraction, exponent: Fraction) -> Fraction:
        return exact.power(base, exponent)

    def call(self, function: str, parts: list[Fraction]) -> Fraction:
        match function:
            case "min":
                return min(parts)
            case "max":
                return max(parts)
            case "ceil":
                return Fraction(math.ceil(parts[0]))
            case "floor":
                return Fraction(math.floor(parts[0]))
            case "sqrt":
                return exact.root(parts[0])
            case "log2":
                return exact.log2(parts[0])
            case "ln":
                return Fraction(exact.log(parts[0]))
        return exact.from_log(float(parts[0]))


class Floating(Arithmetic[float]):
    """Floats: fast, and the same on every machine but for the last bits of ln and exp."""

    def number(self, value: Fraction) -> float:
        # Fraction.__float__ is slow, and constants are small.
        return value.numerator / value.denominator

    def divide(self, above: float, below: float) -> float:
        return above / below

    def power(self, base: float, exponent: float) -> float:
        result: float | complex = base**exponent
        if isinstance(result, complex):
            raise UndefinedError("a negative number has a fractional exponent")
        return result

    def call(self, function: str, parts: list[float]) -> float:
        match function:
            case "min":
                return min(parts)
            case "max":
                return max(parts)
            case "ceil":
                return float(math.ceil(_in_domain(math.isfinite(parts[0]), parts[0])))
            case "floor":
                return float(math.floor(_in_domain(math.isfinite(parts[0]), parts[0])))
            case "sqrt":
                return math.sqrt(_in_domain(parts[0] >= 0, parts[0]))
            case "log2":
                return math.log2(_in_domain(parts[0] > 0, parts[0]))
            case "ln":
                return math.log(_in_domain(parts[0] > 0, parts[0]))
        return math.exp(parts[0])


def _in_domain(inside: bool, value: float) -> float:  # noqa: FBT001 one condition, its value
    if not inside:
        raise UndefinedError("a function has no value there")
    return value


EXACT = Exact()
FLOATING = Floating()


def count(tree: Expression, name: str) -> int:
    """How often a symbol occurs."""
    match tree:
        case Name(own):
            return own == name
        case Negative(term) | Measured(term):
            return count(term, name)
        case Binary(_, left, right):
            return count(left, name) + count(right, name)
        case Call(_, parts):
            return sum(count(part, name) for part in parts)
        case Number():
            return 0
