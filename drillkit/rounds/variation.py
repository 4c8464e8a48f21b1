"""A check of a round as a family of numeric problems: the same question, with other numbers.

What the check follows from is stated: facts with the values that the round may draw, earlier checks
with what they come to. Where these are too few to practise with, more are added at a multiple.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra.expression import names
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import has
from drillkit.content.problem import Find, Given, Problem, Slip
from drillkit.content.problem_rules import RESERVED, read_number
from drillkit.numeric.judge import tolerance
from drillkit.numeric.wording import PLACEHOLDER, counted, rounded
from drillkit.rounds.solve import expected, fill_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drillkit.algebra.units import Unit
    from drillkit.content.round import Check, Fact
    from drillkit.rounds.draw import Draw
    from drillkit.rounds.solve import Situation

ENOUGH = 120
"""So many combinations of values, and a question is not met twice in a month."""

MOST_VALUES = 28
MULTIPLES = tuple(
    Fraction(text)
    for text in ("2", "1/2", "4", "3/2", "3", "1/4", "5/2", "5", "8", "3/4", "6", "10", "7", "12")
)
STEPS_OF_RANGE = 6
SAID_FIGURES = 3
MOST_FORMULA = 160
MOST_STATED = 8
"""A question that states more values than these is no exercise but a table."""

NARROW = ("4%", "3%", "2%", "1%")
"""What a tolerance gives way to where it could not tell GB from GiB."""

_FIRST_WIDENED = ("tokens", "deadline", "", "data", "hardware", "done", "shape")
"""Kinds of fact in the order in which other values are tried: a deadline before a model's shape."""


def family_of_check(
    draw: Draw, check: Check, identity: str, situation: Situation
) -> Problem | None:
    """Return a check as a family of problems, or None where it cannot be one.

    Its id is `identity`. Whether it can be drawn and judged is for `authoring.proofs` to say.
    """
    try:
        return _Family(draw, check, identity, situation).problem()
    except _Inexpressible:
        return None


class _Inexpressible(Exception):  # noqa: N818 no fault of anybody: it ends the attempt
    """The check cannot be said in the language of problems."""


class _Family:
    def __init__(self, draw: Draw, check: Check, identity: str, situation: Situation) -> None:
        self.draw = draw
        self.check = check
        self.identity = identity
        self.situation = situation
        self.formulas = draw.formulas
        self.facts: dict[str, Fact] = {fact.symbol: fact for fact in draw.round.facts}
        self.assumed = {one.symbol: one for one in draw.round.assume}
        self.exprs = {one.symbol: one.expr for one in draw.round.derive}
        self.exprs |= {one.id: one.expr for one in draw.round.checks}

    def problem(self) -> Problem:
        target = self.check.id
        follows = [name for name in self._follows(target) if name != target]
        stated = self._leaves(target)
        if len(stated) > MOST_STATED:
            raise _Inexpressible
        slips = tuple(self._slips(stated, follows))
        for name in (*stated, *follows, target):
            if name in RESERVED:
                raise _Inexpressible
        values = self._values(stated)
        given = [self._stated(symbol, values[symbol]) for symbol in stated]
        given += [Given(symbol=name, unit=self._unit_text(name)) for name in follows]
        find = Find(
            symbol=target,
            ask=self._ask(stated),
            unit=self._unit_text(target),
            within=self._within(),
            round=self.check.round,
            hints=self._hints(stated),
        )
        return Problem(
            id=self.identity,
            title=_sentence(PLACEHOLDER.sub(lambda found: self._name(found[1]), self.check.ask)),
            given=tuple(given),
            find=(find,),
            equations=tuple(self._equation(name) for name in (*follows, target)),
            slips=slips,
            source=(self.draw.round.title,),
            tags=self.draw.round.tags,
        )

    # --- formulas ---

    def _follows(self, target: str) -> list[str]:
        """The derived values and checks that a symbol needs, the first ones first, and itself."""
        found: list[str] = []

        def visit(name: str) -> None:
            if name in found or (name != target and self._is_leaf(name)):
                return
            for other in sorted(names(self.formulas.trees[name])):
                visit(other)
            found.append(name)

        visit(target)
        return found

    def _is_leaf(self, name: str) -> bool:
        """Whether a symbol is stated, not worked out: also an earlier check is."""
        return name not in self.formulas.trees or name in self.formulas.checks

    def _leaves(self, target: str) -> list[str]:
        needed = frozenset[str]().union(
            *(names(self.formulas.trees[name]) for name in self._follows(target))
        )
        order = [*self.facts, *self.assumed, *self.formulas.checks]
        return sorted((name for name in needed if self._is_leaf(name)), key=order.index)

    def _equation(self, name: str) -> str:
        text = f"{name} = {self.exprs[name]}"
        if len(text) > MOST_FORMULA:
            raise _Inexpressible
        return text

    def _slips(self, stated: list[str], follows: list[str]) -> Iterator[Slip]:
        """The author's slips that need nothing but what the question states."""
        number = 0
        for slip in self.check.slips:
            tree = self.formulas.formula(slip.expr)
            known = {*stated, *follows}
            if names(tree) <= known and set(PLACEHOLDER.findall(slip.says)) <= set(stated):
                number += 1
                yield Slip(f"slip-{number}", slip.says, ((self.check.id, slip.expr),))

    # --- values ---

    def _values(self, stated: list[str]) -> dict[str, tuple[Fraction, ...]]:
        values = {symbol: self._drawn(symbol) for symbol in stated}
        order = sorted(stated, key=self._widened_at)
        for many in (3, 6, MOST_VALUES):
            for symbol in order:
                if math.prod(len(each) for each in values.values()) >= ENOUGH:
                    return values
                if symbol not in self.assumed:
                    values[symbol] = tuple(self._widened(symbol, values[symbol], many))
        return values

    def _widened_at(self, symbol: str) -> int:
        if symbol in self.assumed:
            return -1
        if symbol in self.formulas.checks:
            return 0
        kind = self.facts[symbol].kind
        return _FIRST_WIDENED.index(kind) if kind in _FIRST_WIDENED else 2

    def _drawn(self, symbol: str) -> tuple[Fraction, ...]:
        """What a seed may draw for a fact; for an assumption, the steps of its range."""
        if symbol in self.assumed:
            return self._steps(symbol)
        if symbol in self.formulas.checks:
            return (self._rounded(symbol),)
        found = [self.draw.values[symbol]]
        if symbol in self.formulas.written:
            found.append(self.formulas.written[symbol])
        found += self.formulas.varied.get(symbol, ())
        found += [case[symbol] for _, case in self.formulas.cases if symbol in case]
        return tuple(dict.fromkeys(found))

    def _rounded(self, check: str) -> Fraction:
        """What an earlier check comes to, in as few figures as one says it."""
        factor = self.draw.units[check].factor
        try:
            value = expected(self.draw, check, self.situation, carried=False)
        except UnreadableError:
            raise _Inexpressible from None
        if self.formulas.rounding(check):
            return value
        return rounded(value / factor, SAID_FIGURES) * factor

    def _steps(self, symbol: str) -> tuple[Fraction, ...]:
        default = self.formulas.defaults[symbol]
        if len(self.assumed[symbol].range) != 2:
            return (default,)
        unit = self.draw.units[symbol]
        low, high = (read_number(text, unit) for text in self.assumed[symbol].range)
        steps = (low + (high - low) * n / STEPS_OF_RANGE for n in range(STEPS_OF_RANGE + 1))
        return tuple(dict.fromkeys((default, *(s for s in steps if _decimal(s / unit.factor)))))

    def _widened(self, symbol: str, known: tuple[Fraction, ...], many: int) -> Iterable[Fraction]:
        unit = self.draw.units[symbol]
        whole = counted(unit) or not unit.dimension
        found = dict.fromkeys(known)
        for multiple in MULTIPLES:
            for value in known:
                if len(found) >= max(many, len(known)):
                    return found
                other = value * multiple
                kept_whole = not whole or value.denominator > 1 or other.denominator == 1
                if kept_whole and len(_decimal(other / unit.factor)) <= 14:
                    found[other] = None
        return found

    def _stated(self, symbol: str, values: tuple[Fraction, ...]) -> Given:
        unit = self.draw.units[symbol]
        texts = tuple(_decimal(value / unit.factor) for value in sorted(values))
        if not all(texts):
            raise _Inexpressible
        return Given(
            symbol=symbol, name=self._name(symbol), unit=self._unit_text(symbol), values=texts
        )

    # --- words ---

    def _name(self, symbol: str) -> str:
        if symbol in self.formulas.checks:
            return self._filled(self.formulas.checks[symbol].ask, ()).rstrip(".?")
        one = self.facts.get(symbol) or self.assumed.get(symbol)
        return one.name or symbol if one else symbol

    def _unit_text(self, symbol: str) -> str:
        return self.draw.units[symbol].text

    def _ask(self, stated: list[str]) -> str:
        said = set(PLACEHOLDER.findall(self.check.ask))
        told = "; ".join(f"{self._name(s)} = {{{s}}}" for s in stated if s not in said)
        ask = _sentence(self._filled(self.check.ask, stated))
        unit = self.draw.units[self.check.id]
        wanted = f"{ask}, in {unit.text}." if unit.text and not counted(unit) else f"{ask}."
        return f"{wanted} Given: {told}." if told else wanted

    def _hints(self, stated: list[str]) -> tuple[str, ...]:
        return (self._filled(self.check.hint, stated),) if self.check.hint else ()

    def _filled(self, text: str, stated: Iterable[str]) -> str:
        """A text in which what the question does not state has the numbers of the round."""
        kept = {name: f"{{{name}}}" for name in stated}
        found = set(PLACEHOLDER.findall(text)) - kept.keys()
        for name in found:
            value = fill_text(self.draw, f"{{{name}}}", self.situation)
            text = text.replace(f"{{{name}}}", value)
        return text

    def _within(self) -> str:
        unit = self.draw.units[self.check.id]
        if self.check.tol == "exact":
            return "exact" if self.check.round else "1%"
        most = _most_within(unit)
        fitting = (text for text in (self.check.tol, *NARROW) if tolerance(text) < most)
        return next(fitting, NARROW[-1])


def _most_within(unit: Unit) -> Fraction:
    """The tolerance that no longer tells a unit of bytes from its binary sibling."""
    if not has(unit.dimension, "data"):
        return Fraction(1)
    prefixes = [atom.prefix[:1] for atom, _ in unit.parts if atom.kind in {"byte", "bit"}]
    orders = ["kMGTPE".find(prefix) + 1 for prefix in prefixes if prefix]
    order = max(orders, default=0)
    return (1 - Fraction(1000, 1024) ** order) / 2 if order else Fraction(1)


def _decimal(value: Fraction) -> str:
    """A number in full as an author types it, or nothing where it has no end."""
    if value.denominator == 1:
        return str(value.numerator)
    places = 0
    while value.denominator > 1 and places < 12:
        places += 1
        if (value * 10**places).denominator == 1:
            return f"{float(value):.{places}f}"
    return ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".?")
