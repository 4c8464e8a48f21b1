"""The worked solution of a problem: the formula that gives the unknown, its steps with numbers.

An equation that defines the unknown is used as its author wrote it. Any other is turned over by
sympy, which is handed trees of ours symbol by symbol and never a text; it is imported only then.
Each formula is evaluated and must give the value that the exact arithmetic found.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.expression import (
    Binary,
    Call,
    Equation,
    Expression,
    Measured,
    Name,
    Negative,
    Number,
    evaluate,
    names,
)
from drillkit.algebra.format import describe, write_expression
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import NO_UNIT, Unit
from drillkit.errors import DrillkitError, UsageError
from drillkit.numeric.arithmetic import EXACT, Unsolvable, count
from drillkit.numeric.family import Family, family_of
from drillkit.numeric.judge import Question, tolerance
from drillkit.numeric.route import Route, Step, follow, plan
from drillkit.numeric.variant import Variant, rounding_of
from drillkit.numeric.wording import answered, letter, number_text, put_in, suited, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sympy  # type: ignore[import-untyped]

    from drillkit.content.problem import Find, Problem

AGREES = Fraction(1, 10**6)
HIGHEST_DEGREE = 2
LARGEST_TURNED = 120
"""Equations with more nodes than this are not handed to sympy: no family is near it."""


class Line(NamedTuple):
    """One step of a solution: `symbol = formula = numbers = result`, from an equation turned over.

    `turned` is the equation as written where it had to be turned over, else empty.
    """

    symbol: str
    name: str
    turned: str
    formula: str
    numbers: str
    result: str
    value: Fraction

    def __str__(self) -> str:
        pad = " " * len(self.symbol)
        head = [f"{self.turned}, so"] if self.turned else []
        lines = [*head, f"{self.symbol} = {self.formula}"]
        if self.numbers != self.formula:
            lines.append(f"{pad} = {self.numbers}")
        return "\n".join([*lines, f"{pad} = {self.result}"])


class Solution(NamedTuple):
    """What was asked for, in base units and rounded as asked; as text in its unit; and the way."""

    find: str
    value: Fraction
    unit: Unit
    text: str
    formula: str
    lines: tuple[Line, ...]

    @property
    def steps(self) -> list[str]:
        """The solution line by line, in Unicode maths."""
        return [text for line in self.lines for text in str(line).split("\n")]


def solve_variant(variant: Variant) -> Solution:
    """Return the worked solution of a variant. Raises `DrillkitError` if it does not hold."""
    asking = variant.asking
    solution = _solution(variant.family, variant.find, asking.route, variant.values)
    if abs(solution.lines[-1].value - variant.truth) > abs(variant.truth) * AGREES:
        raise DrillkitError(f"{variant.problem.id}: two ways to {variant.find.symbol} disagree")
    return solution._replace(text=variant.answer)


def solve_problem(problem: Problem, given: Mapping[str, Fraction], find: str = "") -> Solution:
    """Return the solution for numbers of one's own, in base units.

    Without `find` the first unknown that follows is solved for. Raises `UsageError` where a number
    is missing, and `DrillkitError` where there is no solution.
    """
    family = family_of(problem)
    asked = [f for f in problem.find if f.symbol == find or (not find and f.symbol not in given)]
    if find and not asked:
        told = ", ".join(each.symbol for each in problem.find)
        raise UsageError(f"{problem.id} does not ask for {find!r}", hint=f"it asks for: {told}")
    for each in asked:
        known = set(given) - {each.symbol}
        route = plan(family.equations, known, each.symbol)
        if route is not None:
            values = {symbol: value for symbol, value in given.items() if symbol in known}
            return _solution(family, each, route, values)
    missing = [s for s in family.symbols if s not in given and s != find]
    raise UsageError(
        f"{find or 'the unknown'} does not follow from these numbers",
        hint="give " + " ".join(f"{symbol}=…" for symbol in missing),
    )


def _solution(family: Family, find: Find, route: Route, values: Mapping[str, Fraction]) -> Solution:
    known = dict(values)
    lines: list[Line] = []
    for step in route:
        try:
            value = follow((step,), known, EXACT, family.sources)[step.symbol]
        except (UnreadableError, ArithmeticError, Unsolvable) as error:
            told = getattr(error, "what", "") or "it cannot be isolated"
            raise DrillkitError(f"{step.symbol} has no value here: {told}") from None
        formula = formula_of(step, known, value)
        lines.append(_line(family, find, step, formula, known, value))
        known[step.symbol] = value
    unit = family.units[find.symbol]
    truth = known[find.symbol]
    within = tolerance(find.tolerance)
    target = Question(truth, unit, rounding=rounding_of(find)).target
    text = answered(target, unit, exact=not within, within=within)
    if find.fit:
        word, rest = ("yes", "to spare") if target >= 0 else ("no", "too much")
        text = f"{word}, {answered(abs(target), unit, exact=not within, within=within)} {rest}"
    return Solution(find.symbol, target, unit, text, lines[-1].formula, tuple(lines))


def _line(
    family: Family,
    find: Find,
    step: Step,
    formula: Expression,
    known: Mapping[str, Fraction],
    value: Fraction,
) -> Line:
    unit = family.units.get(step.symbol, NO_UNIT)
    turned = ""
    if not step.direct:
        left, right = (written(side) for side in step.equation)
        turned = f"{left} = {right}"
    return Line(
        letter(step.symbol),
        family.names.get(step.symbol, ""),
        turned,
        written(formula),
        put_in(formula, {name: number_text(known[name]) for name in names(formula)}),
        _result(value, unit, find if step.symbol == find.symbol else None),
        value,
    )


def _result(value: Fraction, unit: Unit, find: Find | None) -> str:
    """The value in base units, then in its own, then rounded as asked."""
    word = unit.text if unit.factor == 1 else describe(unit.dimension)
    base = f"{number_text(value)} {word if unit.dimension else ''}".rstrip()
    own = suited(value, unit)
    text = base if unit.factor == 1 else f"{base} = {own}"
    if find is not None and find.round:
        target = Question(value, unit, rounding=rounding_of(find)).target
        words = {"up": "rounded up", "down": "rounded down"}.get(find.round, "rounded")
        if target != value:
            text += f", {words}: {answered(target, unit, exact=True, within=Fraction(0))}"
    return text


def formula_of(step: Step, known: Mapping[str, Fraction], value: Fraction) -> Expression:
    """Return the formula by which a step gives its symbol: of several branches the one that holds.

    Raises `DrillkitError` where none gives `value` at these numbers.
    """
    if step.direct:
        return step.equation.right
    for tree in isolate(step.equation, step.symbol):
        try:
            if abs(evaluate(tree, known) - value) <= abs(value) * AGREES:
                return tree
        except UnreadableError:
            continue
    raise DrillkitError(
        f"no solution of {write_expression(step.equation.left)} ="
        f" {write_expression(step.equation.right)} for {step.symbol} gives the value found"
    )


# --- sympy ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def isolate(equation: Equation, symbol: str) -> tuple[Expression, ...]:
    """Return the formulas for `symbol` that an equation gives, one a branch.

    Raises `DrillkitError` where it cannot be isolated within our bounds.
    """
    import sympy  # noqa: PLC0415 the first question is on screen before this is needed

    from drillkit.numeric.route import size  # noqa: PLC0415

    left, right = equation
    if size(left) + size(right) > LARGEST_TURNED:
        raise DrillkitError(f"an equation is too long to be solved for {symbol}")
    unknown = sympy.Symbol(symbol, positive=True)
    try:
        if count(left, symbol) + count(right, symbol) == 1:
            side, other = (left, right) if count(left, symbol) else (right, left)
            roots = [_peeled(side, to_sympy(other), symbol)]
        else:
            roots = _polynomial_roots(to_sympy(left) - to_sympy(right), unknown)
        return tuple(from_sympy(root) for root in roots)
    except (Unsolvable, sympy.PolynomialError, NotImplementedError):
        raise DrillkitError(
            f"{symbol} cannot be isolated in {write_expression(left)} = {write_expression(right)}",
            hint=f"add an equation `{symbol} = …`, or do not ask for it",
        ) from None


def _polynomial_roots(difference: sympy.Expr, unknown: sympy.Symbol) -> list[sympy.Expr]:
    import sympy  # noqa: PLC0415 as above

    above = sympy.numer(sympy.together(difference))
    degree = sympy.degree(above, unknown)
    if not 1 <= degree <= HIGHEST_DEGREE:
        raise Unsolvable
    return [sympy.factor_terms(sympy.cancel(root)) for root in sympy.solve(above, unknown)]


def _peeled(side: Expression, target: sympy.Expr, symbol: str) -> sympy.Expr:
    """Undo what is done to the one occurrence of the symbol, from the outside in."""
    import sympy  # noqa: PLC0415 as above

    while side != Name(symbol):
        match side:
            case Negative(term):
                side, target = term, -target
            case Measured(term, unit):
                side, target = term, target / _rational(unit.factor)
            case Binary(sign, left, right) if count(left, symbol):
                known = to_sympy(right)
                undone = {
                    "+": lambda t, k: t - k,
                    "-": lambda t, k: t + k,
                    "*": lambda t, k: t / k,
                    "/": lambda t, k: t * k,
                    "^": lambda t, k: t ** (1 / k),
                }
                side, target = left, undone[sign](target, known)
            case Binary(sign, left, right):
                known = to_sympy(left)
                undone = {
                    "+": lambda t, k: t - k,
                    "-": lambda t, k: k - t,
                    "*": lambda t, k: t / k,
                    "/": lambda t, k: k / t,
                    "^": lambda t, k: sympy.log(t) / sympy.log(k),
                }
                side, target = right, undone[sign](target, known)
            case Call("sqrt", (inner,)):
                side, target = inner, target**2
            case Call("ln", (inner,)):
                side, target = inner, sympy.exp(target)
            case Call("exp", (inner,)):
                side, target = inner, sympy.log(target)
            case Call("log2", (inner,)):
                side, target = inner, sympy.Integer(2) ** target
            case _:
                raise Unsolvable(symbol)
    return target


def _rational(value: Fraction) -> sympy.Rational:
    import sympy  # noqa: PLC0415 as above

    return sympy.Rational(value.numerator, value.denominator)


def to_sympy(tree: Expression) -> sympy.Expr:
    """Return our tree as sympy's, every symbol positive; nothing is parsed."""
    import sympy  # noqa: PLC0415 as above

    match tree:
        case Number(value):
            return _rational(value)
        case Name(name):
            return sympy.Symbol(name, positive=True)
        case Negative(term):
            return -to_sympy(term)
        case Measured(term, unit):
            return to_sympy(term) * _rational(unit.factor)
        case Binary(sign, left, right):
            return _pair(sign, to_sympy(left), to_sympy(right))
        case Call("log2", (inner,)):
            return sympy.log(to_sympy(inner), 2)
        case Call(function, parts):
            known = {
                "sqrt": sympy.sqrt,
                "min": sympy.Min,
                "max": sympy.Max,
                "ceil": sympy.ceiling,
                "floor": sympy.floor,
                "ln": sympy.log,
                "exp": sympy.exp,
            }
            return known[function](*(to_sympy(part) for part in parts))


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

    if tree.could_extract_minus_sign():
        return Negative(from_sympy(-tree))
    above, below = sympy.fraction(tree)
    if below != 1:
        return Binary("/", from_sympy(above), from_sympy(below))
    joined: Expression | None = None
    for factor in tree.as_ordered_factors():
        part = from_sympy(factor)
        joined = part if joined is None else Binary("*", joined, part)
    if joined is None:
        raise Unsolvable
    return joined
