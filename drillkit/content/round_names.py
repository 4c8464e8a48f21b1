"""The symbols of a round: what they are, their units, and which texts and formulas may use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from drillkit.algebra.answer import parse_unit, read_value
from drillkit.algebra.expression import FUNCTIONS, names
from drillkit.algebra.formula import parse_condition, parse_formula
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import NO_UNIT, Unit
from drillkit.content.deck import ID, slug
from drillkit.content.faults import Faults
from drillkit.content.problem_rules import PLACEHOLDER, SYMBOL, read_number
from drillkit.content.round import PlanField
from drillkit.content.schema import nearest

if TYPE_CHECKING:
    from collections.abc import Collection
    from fractions import Fraction

    from drillkit.content.round import Round
    from drillkit.content.schema import Report
    from drillkit.content.tree import Mapping

Place = tuple[str | int, ...]

PLAN_OUTCOMES = (
    *("states", "activations", "memory", "bubble", "exposed", "step", "mfu", "micro_batches"),
)
"""What the planner works out of a layout, for the conditions of a plan."""

RESERVED = FUNCTIONS | {"and", "or", "not", "divides", "name", "source", "within", "claim"}
# An assumed MFU may keep its name: in a plan's conditions `mfu` is what the planner works out.
_PLAN_NAMES = {*get_args(PlanField), *PLAN_OUTCOMES} - {"mfu"}

LARGEST_WEIGHT = 10


class RoundFaults(Faults):
    """The faults of one round, with all its symbols.

    `numbers` are facts with a number and assumptions, `stated` those and what is derived, `known`
    also the checks; `fields` are those of the layout, `words` the texts that a case brings.
    """

    def __init__(self, drawn: Round, node: Mapping, report: Report) -> None:
        super().__init__(node, report)
        self.round = drawn
        filled = {symbol for case in drawn.cases for symbol, _ in case.values}
        facts = [fact for fact in drawn.facts if fact.value or fact.vary or fact.symbol in filled]
        self.silent = {fact.symbol for fact in drawn.facts} - {fact.symbol for fact in facts}
        self.facts = {fact.symbol: fact for fact in facts}
        self.words = {name for case in drawn.cases for name, _ in case.words}
        self.derived = {one.symbol: one for one in drawn.derive}
        self.checks = {check.id: check for check in drawn.checks}
        self.numbers = (*self.facts, *(stated.symbol for stated in drawn.assume))
        self.stated = (*self.numbers, *self.derived)
        self.known = (*self.stated, *self.checks)
        plans = [phase.plan for phase in drawn.phases if phase.plan is not None]
        self.fields = tuple(dict.fromkeys(name for plan in plans for name in plan.fields))
        self.units: dict[str, Unit] = {}
        self._taken: dict[str, str] = {}
        self._reserved = RESERVED | (_PLAN_NAMES if plans else set())

    # --- names ---

    def symbol(self, symbol: str, place: Place, what: str) -> None:
        """Judge the name of a number; `what` says what it stands for, such as `a fact`."""
        if not SYMBOL.fullmatch(symbol):
            hint = "write up to 16 letters, digits and _; spell Greek letters out: delta"
            self.error(place, "bad-symbol", f"{symbol!r} is no name of a symbol", hint)
        elif symbol in self._reserved:
            hint = "the planner has a value of this name" if symbol in _PLAN_NAMES else ""
            hint = hint or "choose another symbol"
            self.error(place, "bad-symbol", f"`{symbol}` is taken", hint)
        elif symbol in self._taken:
            told = f"`{symbol}` is {self._taken[symbol]} and again {what}"
            self.error(place, "duplicate-symbol", told, "give one of the two another symbol")
        self._taken.setdefault(symbol, what)

    def identity(self, name: str, place: Place, taken: set[str], what: str) -> None:
        """Judge an id in lowercase letters, digits and hyphens, and that it stands once."""
        if not ID.fullmatch(name):
            told = f"the id {name!r} is not in lowercase letters, digits and hyphens"
            self.error(place, "bad-id", told, f"write `id: {slug(name) or 'a-name'}`")
        elif name in taken:
            self.error(place, "duplicate-id", f"{what} {name!r} stands twice", "rename one")
        taken.add(name)

    def is_known(self, name: str, known: Collection[str], place: Place, what: str) -> bool:
        """Tell whether `name` is one of `known`, which `what` names; report it where it is not."""
        if name in known:
            return True
        near = nearest(name, known)
        guess = f"did you mean `{near}`?" if near else "known: " + ", ".join(list(known)[:12])
        code = "unknown-" + what.rsplit(maxsplit=1)[-1]
        self.error(place, code, f"`{name}` is no {what} of this round", guess)
        return False

    # --- values and formulas ---

    def unit(self, symbol: str, text: str, place: Place, value: str = "") -> None:
        """Read the unit of a symbol; one that is not declared is that of its value, as in `40%`."""
        if text or not value:
            unit = self.attempt(parse_unit, text, place, "unit")
        else:
            unit = _unit_of(value)
        self.units.setdefault(symbol, unit or NO_UNIT)

    def value(self, symbol: str, text: str, place: Place) -> Fraction | None:
        """Read a value of a symbol, in base units."""
        unit = self.units.get(symbol, NO_UNIT)
        return self.attempt(lambda each: read_number(each, unit), text, place, "value")

    def formula(self, text: str, place: Place, known: Collection[str]) -> frozenset[str]:
        """Read a formula of the `known` symbols; return the names in it."""
        tree = self.attempt(lambda each: parse_formula(each, known), text, place, "formula")
        return frozenset() if tree is None else frozenset(names(tree))

    def condition(self, text: str, place: Place, known: Collection[str]) -> None:
        """Read a condition on the `known` symbols."""
        self.attempt(lambda each: parse_condition(each, known), text, place, "formula")

    def share(self, text: str, place: Place, code: str) -> None:
        """Read a tolerance: above 0 and at most one half, or exact."""
        if text == "exact":
            return
        share = self.attempt(read_value, text, place, code)
        if share is not None and (share.dimension or not 0 < share.value <= 0.5):
            self.error(place, code, f"`{code}` is {text!r}", "write a percentage such as 5%")

    def ratio(self, text: str, place: Place, code: str) -> None:
        """Read a plain number above zero."""
        ratio = self.attempt(read_value, text, place, code)
        if ratio is not None and (ratio.dimension or ratio.value <= 0):
            self.error(place, code, f"{text!r} is no ratio", "write a number above 0, such as 0.5")

    def between(self, number: int, least: int, most: int, place: Place) -> None:
        """Judge a whole number."""
        if not least <= number <= most:
            told = f"`{place[-1]}` is {number}"
            self.error(place, "range", told, f"choose from {least} to {most}")

    # --- texts ---

    def text(self, text: str, place: Place, known: Collection[str]) -> None:
        """Judge the `{symbols}` of a text, of which it may use the `known` ones."""
        for name in PLACEHOLDER.findall(text):
            if name in known or name in self.words:
                continue
            if name in self.silent:
                told, hint = f"the fact `{name}` has no number", "write its text out"
            elif name in self.checks:
                told = f"{{{name}}} tells the answer of a check"
                hint = "leave it out; model answers, points and slips may tell it"
            elif name in self.fields or name == "claim":
                told = f"{{{name}}} has no value here"
                hint = "leave it out"
            else:
                near = nearest(name, known)
                told = f"{{{name}}} names nothing in this round"
                hint = (
                    f"did you mean {{{near}}}?" if near else "declare it as a fact or `derive` it"
                )
            self.error(place, "placeholder", told, hint)


def _unit_of(value: str) -> Unit:
    try:
        return read_value(value).unit or NO_UNIT
    except UnreadableError:
        return NO_UNIT
