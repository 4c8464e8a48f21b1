"""The formulas of a round, read once: what each symbol is measured in and how it follows."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast, get_args

from drillkit.algebra.answer import parse_unit, read_value
from drillkit.algebra.expression import holds, names
from drillkit.algebra.formula import parse_condition, parse_formula
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import NO_UNIT
from drillkit.content.problem_rules import read_number
from drillkit.errors import DrillkitError
from drillkit.numeric.arithmetic import EXACT
from drillkit.numeric.judge import Question, Rounding, tolerance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from drillkit.algebra.expression import Condition, Expression
    from drillkit.algebra.units import Unit
    from drillkit.content.round import Check, Round


class Formulas:
    """A round with everything in it parsed. Raises `DrillkitError` for what cannot be read.

    `units` holds the unit of every fact with a number, assumption, derived value and check;
    `written` the facts as the author wrote them, `varied` what a seed may draw in their place and
    `cases` the values that vary together; `trees` how derived values and checks follow.
    """

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self._formulas: dict[str, Expression] = {}
        self._conditions: dict[tuple[str, frozenset[str]], Condition] = {}
        self.units: dict[str, Unit] = {}
        self.written: dict[str, Fraction] = {}
        self.varied: dict[str, tuple[Fraction, ...]] = {}
        self.defaults: dict[str, Fraction] = {}
        self.checks: dict[str, Check] = {check.id: check for check in round_.checks}
        filled = {symbol for case in round_.cases for symbol, _ in case.values}
        for fact in round_.facts:
            if fact.value or fact.vary or fact.symbol in filled:
                unit = _unit(fact.unit, fact.value)
                self.units[fact.symbol] = unit
                if fact.value:
                    self.written[fact.symbol] = read_number(fact.value, unit)
                if fact.vary:
                    self.varied[fact.symbol] = tuple(read_number(text, unit) for text in fact.vary)
        for one in round_.assume:
            self.units[one.symbol] = unit = _unit(one.unit, one.default)
            self.defaults[one.symbol] = read_number(one.default, unit)
        self.cases = tuple(
            (case.name, {s: read_number(text, self.units[s]) for s, text in case.values})
            for case in round_.cases
        )
        self.words = {case.name: dict(case.words) for case in round_.cases}
        follow = [(one.symbol, one.expr, one.unit) for one in round_.derive]
        follow += [(check.id, check.expr, check.unit) for check in round_.checks]
        for symbol, _, unit_text in follow:
            self.units[symbol] = parse_unit(unit_text)
        self.trees = {symbol: self.formula(expr) for symbol, expr, _ in follow}
        # In an order of its own, so that a fault is told the same each time.
        self._follows = {symbol: sorted(names(tree)) for symbol, tree in self.trees.items()}
        self.where = tuple((text, self.condition(text)) for text in round_.where)

    def formula(self, text: str) -> Expression:
        """The tree of a formula over the round's symbols. Raises `UnreadableError`."""
        if text not in self._formulas:
            self._formulas[text] = parse_formula(text, self.units.keys())
        return self._formulas[text]

    def condition(self, text: str, more: frozenset[str] = frozenset()) -> Condition:
        """The tree of a condition over the round's symbols and `more`. Raises `UnreadableError`."""
        if (text, more) not in self._conditions:
            self._conditions[text, more] = parse_condition(text, self.units.keys() | more)
        return self._conditions[text, more]

    def tolerance(self, check: str) -> Fraction:
        """The relative tolerance of a check, 0 for exact."""
        return tolerance(self.checks[check].tol)

    def rounding(self, check: str) -> Rounding:
        """How a check comes whole, in its own unit; nothing where it does not."""
        written = self.checks[check].round
        if written not in get_args(Rounding):
            raise DrillkitError(f"`round` of {check} is {written!r}", hint="up, down or nearest")
        return cast("Rounding", written)

    def whole(self, check: str, value: Fraction) -> Fraction:
        """The value of a check, whole where its author says so."""
        return Question(value, self.units[check], rounding=self.rounding(check)).target

    def value(self, tree: Expression, known: Mapping[str, Fraction]) -> Fraction:
        """The value of a formula. Raises `UnreadableError` where it has none.

        `known` holds facts and assumptions, and what stands for derived values and checks.
        """
        return EXACT.value(tree, self._settled(tree, known))

    def holds(self, condition: Condition, known: Mapping[str, Fraction]) -> bool:
        """Whether a condition is met. Raises as `value`."""
        return holds(condition, self._settled(condition, known))

    def rests_on(self, symbol: str) -> frozenset[str]:
        """The facts and assumptions from which a symbol follows."""
        found: set[str] = set()
        waiting, seen = [symbol], set[str]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            if name in self.trees:
                waiting += self._follows[name]
            else:
                found.add(name)
        return frozenset(found)

    def values(self, symbols: Iterable[str], known: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """What is known with these symbols, and all that they follow from. Raises as `value`."""
        values = dict(known)
        for name in symbols:
            self._settle(name, values, ())
        return values

    def _settled(
        self, tree: Expression | Condition, known: Mapping[str, Fraction]
    ) -> dict[str, Fraction]:
        return self.values(sorted(names(tree)), known)

    def _settle(self, symbol: str, values: dict[str, Fraction], above: tuple[str, ...]) -> None:
        """Put the value of a symbol, and of what it follows from, among the values."""
        if symbol in values:
            return
        if symbol in above:
            circle = " → ".join((*above[above.index(symbol) :], symbol))
            raise DrillkitError(f"{self.round.id}: {circle} goes in a circle")
        if symbol not in self.trees:
            raise UnreadableError(f"{symbol} has no value here", hint="give it one in the round")
        tree = self.trees[symbol]
        for name in self._follows[symbol]:
            self._settle(name, values, (*above, symbol))
        value = EXACT.value(tree, values)
        values[symbol] = self.whole(symbol, value) if symbol in self.checks else value


def _unit(unit: str, value: str) -> Unit:
    """The unit of a value; one that is not declared is the one written, as in `40%`."""
    if unit:
        return parse_unit(unit)
    try:
        return read_value(value).unit or NO_UNIT
    except UnreadableError:
        return NO_UNIT


@lru_cache(maxsize=32)
def formulas_of(round_: Round) -> Formulas:
    """The formulas of a round, made ready once. Raises `DrillkitError`."""
    return Formulas(round_)
