"""What the author of a problem family can get wrong: names, values, formulas, texts.

Each fault is told at its key. Whether the family can be drawn and solved is proved elsewhere
(`authoring.proofs`), since that takes its numbers.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra.answer import parse_unit, read_answer, read_value
from drillkit.algebra.expression import FUNCTIONS, names
from drillkit.algebra.formula import parse_condition, parse_equation, parse_formula
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import NO_UNIT, Unit
from drillkit.content.faults import Faults
from drillkit.content.schema import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drillkit.algebra.expression import Equation
    from drillkit.content.problem import Find, Given, Problem
    from drillkit.content.schema import Report
    from drillkit.content.tree import Mapping

SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}")
RESERVED = FUNCTIONS | {
    "and",
    "or",
    "not",
    "divides",
    "id",
    "says",
    "given",
    "source",
    "within",
    "only",
}
PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
ROUNDINGS = ("up", "down", "nearest")
SOURCES = ("from", "powers_of_2", "range", "formula")
MOST_GRID = 10_000
LARGEST_POWER = 2**60


def judge_problem(problem: Problem, node: Mapping, report: Report) -> None:
    """Report every fault of a family whose shape is right."""
    _Judge(problem, node, report).run()


def read_number(text: str, unit: Unit) -> Fraction:
    """An author's value in base units: bare numbers are in `unit`, others carry their own.

    Raises UnreadableError.
    """
    if PLAIN_NUMBER.fullmatch(text):
        return Fraction(text) * unit.factor
    reading = read_answer(text, unit)
    if not reading.ok:
        hint = f"write a number in {unit.text}" if unit.text else "write a number"
        raise UnreadableError(f"{text!r} is no value here: {reading.message}", hint=hint)
    return reading.quantity.value


PLAIN_NUMBER = re.compile(r"-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,2})?")


class _Judge(Faults):
    def __init__(self, problem: Problem, node: Mapping, report: Report) -> None:
        super().__init__(node, report)
        self.problem = problem
        self.given = {given.symbol: given for given in problem.given}
        self.asked = {find.symbol: find for find in problem.find}
        self.declared = tuple(dict.fromkeys((*self.given, *self.asked)))
        self.groups = {group.group for group in problem.presets}
        self.units: dict[str, Unit] = {}

    def run(self) -> None:
        for given in self.problem.given:
            self._symbol(given.symbol, "given")
            self._unit(given, "given")
        for find in self.problem.find:
            self._symbol(find.symbol, "find")
            self._unit(find, "find")
        filled = self._presets()
        for given in self.problem.given:
            self._source(given, preset=given.symbol in filled)
        defined = self._equations()
        self._conditions(self.problem.where, "where")
        for find in self.problem.find:
            self._find(find, defined)
        self._slips()
        self._examples()
        for number, hint in enumerate(self.problem.hints):
            self._text(hint, ("hints", number))
        self._text(self.problem.why, ("why",))
        if not 5 <= self.problem.seconds <= 3600:
            self.error(
                ("seconds",),
                "range",
                f"`seconds` is {self.problem.seconds}",
                "choose from 5 to 3600",
            )

    # --- symbols, units and where values come from ---

    def _symbol(self, symbol: str, key: str) -> None:
        if not SYMBOL.fullmatch(symbol):
            hint = "write up to 16 letters, digits and _; spell Greek letters out: delta"
            self.error((key, symbol), "bad-symbol", f"{symbol!r} is no name of a symbol", hint)
        elif symbol in RESERVED:
            self.error((key, symbol), "bad-symbol", f"`{symbol}` is taken", "choose another symbol")

    def _unit(self, part: Given | Find, key: str) -> None:
        unit = self.attempt(parse_unit, part.unit, (key, part.symbol, "unit"), "unit")
        known = self.units.setdefault(part.symbol, unit or NO_UNIT)
        if unit is not None and unit.dimension != known.dimension:
            self.error(
                (key, part.symbol, "unit"),
                "unit",
                f"`{part.symbol}` is in {known.text or 'no unit'} as given and in {unit.text} here",
                "give both the same kind of unit",
            )

    def _source(self, given: Given, *, preset: bool) -> None:
        written = (given.values, given.powers_of_2, given.range, given.formula)
        chosen = [name for name, value in zip(SOURCES, written, strict=True) if value]
        place = ("given", given.symbol)
        if len(chosen) > 1:
            told = " and ".join(f"`{name}`" for name in chosen)
            self.error(place, "source", f"`{given.symbol}` has {told}", "keep one of them")
        elif not chosen and not preset and (given.exclude or given.step or given.log or given.nice):
            self.error(place, "source", f"`{given.symbol}` has no `range`", "add `range: [1, 80]`")
        unit = self.units[given.symbol]
        for key, values in (("from", given.values), ("exclude", given.exclude)):
            for number, text in enumerate(values):
                self._value(text, unit, (*place, key, number))
        if given.formula:
            self._formula(given.formula, (*place, "formula"))
        if given.powers_of_2:
            self._powers(given, unit)
        if given.range:
            self._range(given, unit)

    def _powers(self, given: Given, unit: Unit) -> None:
        place = ("given", given.symbol, "powers_of_2")
        ends = self._ends(given.powers_of_2, unit, place)
        if ends is None:
            return
        low, high = (end / unit.factor for end in ends)
        if low < 1 or high > LARGEST_POWER or not _powers_between(low, high):
            self.error(place, "range", "there is no power of 2 between the ends", "[8, 1024]")

    def _range(self, given: Given, unit: Unit) -> None:
        place = ("given", given.symbol, "range")
        ends = self._ends(given.range, unit, place)
        if sum((bool(given.step), given.log, given.nice)) > 1:
            self.error(place, "source", "only one of `step`, `log` and `nice`", "keep one")
        if ends is None:
            return
        low, high = ends
        if given.step:
            step = self._value(given.step, unit, ("given", given.symbol, "step"))
            if step is not None and (step <= 0 or (high - low) / step > MOST_GRID):
                hint = f"`step` is positive and leaves at most {MOST_GRID:,} values"
                self.error(("given", given.symbol, "step"), "range", "the step does not fit", hint)
        elif low <= 0:
            self.error(
                place, "range", "the range starts at zero or below", "add `step`, or start above"
            )

    def _ends(
        self, texts: tuple[str, ...], unit: Unit, place: tuple[str, ...]
    ) -> tuple[Fraction, Fraction] | None:
        if len(texts) != 2:
            self.error(place, "range", f"{len(texts)} values; two are needed", "[low, high]")
            return None
        low, high = (self._value(text, unit, (*place, n)) for n, text in enumerate(texts))
        if low is None or high is None:
            return None
        if low >= high:
            self.error(place, "range", "the first value is not the lower one", "[low, high]")
            return None
        return low, high

    def _presets(self) -> set[str]:
        """Check the presets and return the symbols that some of them may fill."""
        filled: set[str] = set()
        for group in self.problem.presets:
            place = ("presets", group.group)
            if not group.known and not group.own:
                self.error(place, "preset", "the group is empty", "[llama-2-7b, llama-3-70b]")
            if group.group in self.declared or not SYMBOL.fullmatch(group.group):
                hint = "name the group otherwise, for example model or gpu"
                self.error(place, "preset", f"`{group.group}` cannot name a group", hint)
            for preset in group.own:
                for symbol, text in preset.values:
                    if symbol in self.given:
                        self._value(text, self.units[symbol], (*place, preset.name, symbol))
                        filled.add(symbol)
            if group.known:
                # Which symbols these fill is known to `numeric.presets` alone.
                filled |= set(self.given)
        return filled

    # --- formulas ---

    def _equations(self) -> set[str]:
        """Check the equations and return all names that occur in them."""
        seen: set[str] = set()
        for number, text in enumerate(self.problem.equations):
            tree = self.attempt(self._parse_equation, text, ("equations", number), "formula")
            if tree is not None:
                seen |= names(tree)
        for given in self.problem.given:
            seen |= {given.symbol} if given.formula else set()
        return seen

    def _parse_equation(self, text: str) -> Equation:
        return parse_equation(text, self.declared)

    def _conditions(self, texts: tuple[str, ...], *place: str) -> None:
        for number, text in enumerate(texts):
            self.attempt(
                lambda each: parse_condition(each, self.declared),
                text,
                (*place, number),
                "formula",
            )

    def _formula(self, text: str, place: tuple[str | int, ...]) -> None:
        self.attempt(lambda each: parse_formula(each, self.declared), text, place, "formula")

    # --- questions, slips and examples ---

    def _find(self, find: Find, defined: set[str]) -> None:
        place = ("find", find.symbol)
        if find.symbol not in defined:
            hint = f'add an equation with {find.symbol}, such as "{find.symbol} = …"'
            self.error(place, "unused", f"no equation has the symbol {find.symbol}", hint)
        if find.round and find.round not in ROUNDINGS:
            near = nearest(find.round, ROUNDINGS) or "up"
            told = f"`round` is {find.round!r}"
            self.error((*place, "round"), "range", told, f"did you mean `{near}`? up|down|nearest")
        within = find.tolerance
        if within != "exact":
            share = self.attempt(read_value, within, (*place, "within"), "within")
            if share is not None and (share.dimension or not 0 < share.value <= Fraction(1, 2)):
                hint = "write a percentage such as 2%, or exact"
                self.error((*place, "within"), "within", f"`within` is {within!r}", hint)
        if find.fit:
            self._formula(find.fit, (*place, "fit"))
        self._conditions(find.where, *place, "where")
        for number, hint in enumerate(find.hints):
            self._text(hint, (*place, "hints", number))
        for name in self._text(find.ask, (*place, "ask")):
            if name == find.symbol:
                self.error(
                    (*place, "ask"),
                    "placeholder",
                    f"the question tells its own answer {{{name}}}",
                    "leave it out",
                )

    def _text(self, text: str, place: tuple[str | int, ...]) -> Iterable[str]:
        found = PLACEHOLDER.findall(text)
        for name in found:
            if name in self.declared or name in self.groups:
                continue
            near = nearest(name, (*self.declared, *self.groups))
            guess = f"did you mean {{{near}}}?" if near else "declare it under `given`"
            self.error(place, "placeholder", f"{{{name}}} is not declared", guess)
        return found

    def _slips(self) -> None:
        taken: set[str] = set()
        for number, slip in enumerate(self.problem.slips):
            place = ("slips", number)
            if slip.id in taken:
                self.error(place, "duplicate-id", f"the slip {slip.id!r} stands twice", "rename")
            taken.add(slip.id)
            self._text(slip.says, (*place, "says"))
            for symbol in slip.only:
                if symbol not in self.asked:
                    hint = "name the symbols of `find` for which it is a mistake"
                    self.error((*place, "only"), "slip", f"{symbol!r} is not asked for", hint)
            for symbol, text in slip.formulas:
                if self._known(symbol, (*place, symbol)):
                    self._formula(text, (*place, symbol))

    def _examples(self) -> None:
        for number, example in enumerate(self.problem.examples):
            place: tuple[str | int, ...] = ("examples", number)
            for symbol, text in (*example.given, *example.expect):
                inner = (*place, "given") if symbol in dict(example.given) else place
                if self._known(symbol, (*inner, symbol)):
                    self._value(text, self.units[symbol], (*inner, symbol))
            for symbol, _ in example.expect:
                if symbol in self.given and symbol not in self.asked:
                    hint = f"ask for it under `find`, or put it into `given: {{{symbol}: …}}`"
                    self.error((*place, symbol), "example", f"{symbol} is not asked for", hint)
            if example.within:
                self.attempt(read_value, example.within, (*place, "within"), "within")

    def _known(self, symbol: str, place: tuple[str | int, ...]) -> bool:
        if symbol in self.declared:
            return True
        near = nearest(symbol, self.declared)
        if " " in symbol:
            hint = "a comma ends a text between { and }: put the text in quotes"
            self.error(place, "unknown-symbol", f"`{symbol}` is no symbol", hint)
            return False
        guess = f"did you mean `{near}`?" if near else "declare it under `given` or `find`"
        self.error(place, "unknown-symbol", f"the symbol `{symbol}` is not declared", guess)
        return False

    # --- reading and telling ---

    def _value(self, text: str, unit: Unit, place: tuple[str | int, ...]) -> Fraction | None:
        return self.attempt(lambda each: read_number(each, unit), text, place, "value")


def _powers_between(low: Fraction, high: Fraction) -> bool:
    return any(low <= 2**power <= high for power in range(61))
