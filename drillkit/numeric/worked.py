"""The worked solution of a problem: the formula that gives the unknown, its steps with numbers.

An equation that defines the unknown is used as its author wrote it; any other is turned over by
`solve`, with sympy. Each formula is evaluated and must give the value that the exact arithmetic
found.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.expression import (
    Expression,
    evaluate,
    names,
)
from drillkit.algebra.format import describe, singular, write_expression
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import NO_UNIT, Unit
from drillkit.errors import DrillkitError, UsageError
from drillkit.numeric.arithmetic import EXACT, Unsolvable
from drillkit.numeric.family import Family, family_of
from drillkit.numeric.judge import Question, tolerance
from drillkit.numeric.route import Route, Step, follow, plan
from drillkit.numeric.solve import isolate
from drillkit.numeric.variant import Variant, rounding_of
from drillkit.numeric.wording import (
    ANSWER_FIGURES,
    MOST_FIGURES,
    answered,
    letter,
    number_text,
    put_in,
    rounded,
    suited,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.content.problem import Find, Problem

AGREES = Fraction(1, 10**6)


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
    if not asked:
        told = " or ".join(f"--find {each.symbol}" for each in problem.find)
        raise UsageError("every symbol has a value", hint=f"say what to find: {told}")
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
        if value < 0 and step.symbol == find.symbol and not (find.negative or find.fit):
            shown = answered(value, family.units[step.symbol], exact=False, within=Fraction(1, 100))
            raise DrillkitError(
                f"{step.symbol} comes out as {shown}: these numbers have no solution"
            )
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
    """The value in base units, then in its own, then rounded as asked.

    Dollars stand in their own unit alone; what is rounded shows the figures that are lost by it.
    """
    figures = ANSWER_FIGURES
    target = value
    if find is not None and find.round:
        target = Question(value, unit, rounding=rounding_of(find)).target
        while figures < MOST_FIGURES and rounded(value, figures) == target != value:
            figures += 1
    text = suited(value, unit, figures)
    if not unit.text.startswith("$"):
        word = unit.text if unit.factor == 1 else describe(unit.dimension)
        number = number_text(value, figures)
        base = singular(f"{number} {word if unit.dimension else ''}".rstrip())
        text = base if unit.factor == 1 else f"{base} = {text}"
    if find is not None and target != value:
        words = {"up": "rounded up", "down": "rounded down"}.get(find.round, "rounded")
        text += f", {words}: {answered(target, unit, exact=True, within=Fraction(0))}"
    return text


def formula_of(step: Step, known: Mapping[str, Fraction], value: Fraction) -> Expression:
    """Return the formula by which a step gives its symbol: of several branches the one that holds.

    Raises `DrillkitError` where none gives `value` at these numbers.
    """
    trees = (step.equation.right,) if step.direct else isolate(step.equation, step.symbol)
    for tree in trees:
        try:
            if abs(evaluate(tree, known) - value) <= abs(value) * AGREES:
                return tree
        except UnreadableError:
            continue
    raise DrillkitError(
        f"no solution of {write_expression(step.equation.left)} ="
        f" {write_expression(step.equation.right)} for {step.symbol} gives the value found"
    )
