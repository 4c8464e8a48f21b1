"""An equation turned over by sympy, so that one symbol stands alone.

sympy is handed trees of ours node by node and never a text; it is imported when it is first needed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
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
from drillkit.errors import DrillkitError
from drillkit.numeric.arithmetic import Unsolvable, count
from drillkit.numeric.route import substitute
from drillkit.numeric.wording import written

if TYPE_CHECKING:
    import sympy  # type: ignore[import-untyped]

HIGHEST_DEGREE = 2
MOST_OPERATIONS = 120
"""Equations with more operations than this are not solved: no family is near it."""


@lru_cache(maxsize=1024)
def isolate(equation: Equation, symbol: str) -> tuple[Expression, ...]:
    """Return the formulas for `symbol` that an equation gives, one a branch.

    Raises `DrillkitError` where it cannot be isolated within our bounds.
    """
    import sympy  # noqa: PLC0415 the first question is on screen before this is needed

    left, right = equation
    names_of = _Symbols(symbol)
    try:
        # Every part gets its number here, from left to right.
        whole = names_of.translate(left) - names_of.translate(right)
        if count(left, symbol) + count(right, symbol) == 1:
            side, other = (left, right) if count(left, symbol) else (right, left)
            roots = [_peeled(side, names_of.translate(other), names_of)]
        else:
            roots = _polynomial_roots(whole, names_of.unknown)
        joined = [sympy.powsimp(root, combine="base") for root in roots]
        return tuple(substitute(from_sympy(root), names_of.meanings) for root in joined)
    except (Unsolvable, sympy.PolynomialError, NotImplementedError):
        raise DrillkitError(
            f"{symbol} cannot be isolated in {written(left)} = {written(right)}",
            hint=f"add an equation `{symbol} = …`, or do not ask for it",
        ) from None


class _Symbols:
    """The unknown, and one sympy symbol for each part of an equation that is free of it.

    So sympy never multiplies out what has nothing to do with the unknown, and the parts come back
    as their author wrote them. They are numbered in the order of the equation, which is the order
    in which sympy writes terms and factors.
    """

    def __init__(self, unknown: str) -> None:
        import sympy  # noqa: PLC0415 as above

        self.name = unknown
        self.unknown = sympy.Symbol("x", positive=True)
        self.meanings: dict[str, Expression] = {"x": Name(unknown)}
        self._known: dict[Expression, sympy.Symbol] = {}

    def translate(self, tree: Expression) -> sympy.Expr:
        """Return our tree as sympy's; nothing is parsed."""
        import sympy  # noqa: PLC0415 as above

        if isinstance(tree, Number):
            return _rational(tree.value)
        if count(tree, self.name):
            return self._node(tree)
        if tree not in self._known:
            label = f"v{len(self._known):03d}"
            sign = {"positive": True} if _positive(tree) else {"real": True}
            self._known[tree] = sympy.Symbol(label, **sign)
            self.meanings[label] = tree
        return self._known[tree]

    def _node(self, tree: Expression) -> sympy.Expr:
        import sympy  # noqa: PLC0415 as above

        match tree:
            case Negative(term):
                return -self.translate(term)
            case Measured(term, unit):
                return self.translate(term) * _rational(unit.factor)
            case Binary(sign, left, right):
                return _pair(sign, self.translate(left), self.translate(right))
            case Call("sqrt", (inner,)):
                return sympy.sqrt(self.translate(inner))
            case Name():
                return self.unknown
            case _:
                # A function that sympy leaves alone: only peeling can undo it.
                return sympy.Function("f")(self.unknown)


def _positive(tree: Expression) -> bool:
    """Whether a part is positive for sure when every symbol is."""
    match tree:
        case Name():
            return True
        case Number(value):
            return value > 0
        case Binary(sign, left, right):
            return sign != "-" and _positive(left) and _positive(right)
        case _:
            return False


def _polynomial_roots(difference: sympy.Expr, unknown: sympy.Symbol) -> list[sympy.Expr]:
    import sympy  # noqa: PLC0415 as above

    if difference.count_ops() > MOST_OPERATIONS:
        raise Unsolvable
    above = sympy.numer(sympy.together(difference))
    degree = sympy.degree(above, unknown)
    if not 1 <= degree <= HIGHEST_DEGREE:
        raise Unsolvable
    return [sympy.factor_terms(sympy.cancel(root)) for root in sympy.solve(above, unknown)]


def _peeled(side: Expression, target: sympy.Expr, symbols: _Symbols) -> sympy.Expr:
    """Undo what is done to the one occurrence of the symbol, from the outside in."""
    import sympy  # noqa: PLC0415 as above

    while side != Name(symbols.name):
        match side:
            case Negative(term):
                side, target = term, -target
            case Measured(term, unit):
                side, target = term, target / _rational(unit.factor)
            case Binary(sign, left, right) if count(left, symbols.name):
                side, target = left, _undone_left(sign, target, symbols.translate(right))
            case Binary(sign, left, right):
                side, target = right, _undone_right(sign, target, symbols.translate(left))
            case Call("sqrt", (inner,)):
                side, target = inner, target**2
            case Call("ln", (inner,)):
                side, target = inner, sympy.exp(target)
            case Call("exp", (inner,)):
                side, target = inner, sympy.log(target)
            case Call("log2", (inner,)):
                side, target = inner, sympy.Integer(2) ** target
            case _:
                raise Unsolvable(symbols.name)
    return target


def _undone_left(sign: str, target: sympy.Expr, known: sympy.Expr) -> sympy.Expr:
    """Solve `left sign known = target` for the left side."""
    if sign == "^":
        return target ** (1 / known)
    return _pair({"+": "-", "-": "+", "*": "/", "/": "*"}[sign], target, known)


def _undone_right(sign: str, target: sympy.Expr, known: sympy.Expr) -> sympy.Expr:
    """Solve `known sign right = target` for the right side."""
    import sympy  # noqa: PLC0415 as above

    if sign == "^":
        return sympy.log(target) / sympy.log(known)
    if sign in {"-", "/"}:
        return _pair(sign, known, target)
    return _pair({"+": "-", "*": "/"}[sign], target, known)


def _rational(value: Fraction) -> sympy.Rational:
    import sympy  # noqa: PLC0415 as above

    return sympy.Rational(value.numerator, value.denominator)


def _pair(sign: str, left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
    return left**right


def from_sympy(tree: sympy.Expr) -> Expression:
    """Return sympy's tree as ours. Raises `Unsolvable` for what our language has no word for."""
    import sympy  # noqa: PLC0415 as above

    if isinstance(tree, sympy.Rational):
        value = Fraction(int(tree.p), int(tree.q))
        return Negative(Number(-value)) if value < 0 else Number(value)
    if isinstance(tree, sympy.Symbol):
        return Name(tree.name)
    if isinstance(tree, sympy.Add):
        return _sum(tree)
    if isinstance(tree, sympy.Mul):
        return _product(tree)
    if isinstance(tree, sympy.Pow):
        base, exponent = tree.as_base_exp()
        if exponent.is_negative:
            return Binary("/", Number(Fraction(1)), from_sympy(base**-exponent))
        if exponent == sympy.Rational(1, 2):
            return Call("sqrt", (from_sympy(base),))
        return Binary("^", from_sympy(base), from_sympy(exponent))
    known: dict[type, str] = {
        sympy.ceiling: "ceil",
        sympy.floor: "floor",
        sympy.Min: "min",
        sympy.Max: "max",
        sympy.log: "ln",
        sympy.exp: "exp",
    }
    if tree.func in known:
        return Call(known[tree.func], tuple(from_sympy(part) for part in tree.args))
    raise Unsolvable(str(tree.func))


def _sum(tree: sympy.Expr) -> Expression:
    # Positive terms first: M − 4P reads better than −4P + M.
    terms = sorted(tree.as_ordered_terms(), key=lambda term: term.could_extract_minus_sign())
    joined: Expression | None = None
    for term in terms:
        if joined is None:
            joined = from_sympy(term)
        elif term.could_extract_minus_sign():
            joined = Binary("-", joined, from_sympy(-term))
        else:
            joined = Binary("+", joined, from_sympy(term))
    if joined is None:
        raise Unsolvable
    return joined


def _product(tree: sympy.Expr) -> Expression:
    import sympy  # noqa: PLC0415 as above

    above, below = sympy.fraction(tree)
    if below.is_Add and (tree.could_extract_minus_sign() or _mostly_negative(above)):
        # a/(1 − x) reads better than −a/(x − 1).
        above, below = -above, -below
    elif tree.could_extract_minus_sign():
        return Negative(from_sympy(-tree))
    if below != 1:
        return Binary("/", from_sympy(above), from_sympy(below))
    joined: Expression | None = None
    for factor in tree.as_ordered_factors():
        part = from_sympy(factor)
        joined = part if joined is None else Binary("*", joined, part)
    if joined is None:
        raise Unsolvable
    return joined


def _mostly_negative(tree: sympy.Expr) -> bool:
    negative = sum(term.could_extract_minus_sign() for term in tree.as_ordered_terms())
    return bool(2 * negative > len(tree.as_ordered_terms()))
