"""A seed -> one variant of a problem: its numbers, its question, its answer and its named mistakes.

The same seed gives the same variant on every machine and Python: the generator is seeded with a
hash of problem, question and seed, and only `Random.random` is used. Numbers that break a
condition, or at which a mistake could be taken for the truth, are thrown away and drawn again. The
answer follows from the equations in exact fractions, without sympy.
"""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.expression import Compare, Divides, Logic, evaluate, holds
from drillkit.algebra.outcome import UnreadableError
from drillkit.errors import DrillkitError
from drillkit.numeric.arithmetic import EXACT, FLOATING, Unsolvable
from drillkit.numeric.family import family_of
from drillkit.numeric.mistakes import Numbers, TooClose, slips_of
from drillkit.numeric.route import follow
from drillkit.numeric.source import choose
from drillkit.numeric.variant import Variant, target_of
from drillkit.numeric.wording import SHOWN_FIGURES, rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from drillkit.algebra.expression import Condition
    from drillkit.content.problem import Problem
    from drillkit.numeric.family import Asking, Family, Rule
    from drillkit.numeric.judge import Slip

MOST_TRIES = 400
NEAR_WHOLE = Fraction(1, 50)
"""An answer that is rounded lies this far from where its rounding turns, or exactly there."""

ROOM = Fraction(1, 20)
"""What fits, or does not, does so by this share of the limit: GB or GiB must not decide it."""

BEYOND = 2
"""An unknown may lie this factor outside of the range that it is drawn from elsewhere."""


class Refusal(NamedTuple):
    """Why numbers were thrown away: `where`, `slip`, `rounding`, `range`, `fit` or `undefined`.

    `unsolvable` says that no numbers will do.
    """

    reason: str
    about: str = ""


def draw(problem: Problem, seed: int | str, find: str = "") -> Variant:
    """Return the variant of that seed; `find` names the unknown, else the seed chooses it.

    Raises `DrillkitError` where the family cannot be made ready, `UsageError` where it does not ask
    for `find`, and `DrillkitError` where no numbers meet its conditions.
    """
    family = family_of(problem)
    if not find:
        asked = problem.find
        find = asked[choose(_random(problem.id, "", seed), len(asked))].symbol
    asking = family.asking(find)
    for tries, found in enumerate(attempts(family, asking, seed), 1):
        if isinstance(found, Variant):
            return found
        if found.reason == "unsolvable":
            raise DrillkitError(f"{problem.id}: {found.about}")
        if tries >= MOST_TRIES:
            raise DrillkitError(
                f"{problem.id}: {MOST_TRIES} draws gave no numbers that meet its conditions"
                f" (the last one failed on {found.reason} {found.about})",
                hint="`drillkit check` tells which condition or slip refuses them",
            )
    raise AssertionError  # attempts never end


def attempts(family: Family, asking: Asking, seed: int | str) -> Iterator[Variant | Refusal]:
    """Yield what draw after draw of that seed comes to, without end."""
    random = _random(family.problem.id, asking.find.symbol, seed)
    tries = 0
    while True:
        tries += 1
        attempt = _Attempt(family, asking, random)
        try:
            refusal = attempt.run()
        except Unsolvable:
            told = f"{asking.find.symbol} cannot be isolated: add an equation for it"
            refusal = Refusal("unsolvable", told)
        except (UnreadableError, ArithmeticError) as error:
            refusal = Refusal("undefined", str(getattr(error, "what", error)))
        yield refusal or attempt.variant(seed, tries)


def _random(problem: str, find: str, seed: int | str) -> Random:
    text = f"{problem}\n{find}\n{seed}".encode("utf-8", "surrogatepass")
    return Random(int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big"))


class _Attempt:
    """One draw on its way to a variant."""

    def __init__(self, family: Family, asking: Asking, random: Random) -> None:
        self.family = family
        self.asking = asking
        self.random = random
        self.values: dict[str, Fraction] = {}
        self.floats: dict[str, float] = {}
        self.presets: dict[str, str] = {}
        self.worked: dict[str, Fraction] = {}
        self.slips: list[Slip] = []
        self.truth = Fraction(0)
        self.limit: Fraction | None = None
        self.pending = list(asking.rules)

    def run(self) -> Refusal | None:
        """Draw, work out, refuse what will not do."""
        self._draw()
        refusal = self._refused()
        if refusal:
            return refusal
        unknown = self.asking.find.symbol
        drawn = dict(self.values)
        for symbol, route in self.asking.stated:
            unit = self.family.units[symbol]
            value = follow(route, drawn, EXACT, self.family.sources)[symbol]
            if symbol not in self.family.computed:
                value = rounded(value / unit.factor, SHOWN_FIGURES) * unit.factor
            self._set(symbol, value)
            drawn[symbol] = self.values[symbol]
        for step in self.asking.route:
            # It was drawn to work out what is stated; from here on it follows from that.
            self.values.pop(step.symbol, None)
        self.worked = follow(self.asking.route, self.values, EXACT, self.family.sources)
        self.truth = self.worked.pop(unknown)
        for symbol, value in (*self.worked.items(), (unknown, self.truth)):
            self.floats[symbol] = float(value)
        return self._judged() or self._refused() or self._take_slips()

    def _take_slips(self) -> Refusal | None:
        unknown = self.asking.find.symbol
        found = slips_of(
            self.asking,
            Numbers(
                {**self.values, **self.worked, unknown: self.truth},
                self.floats,
                self.truth,
                self.limit,
                self.family.sources,
            ),
        )
        if isinstance(found, TooClose):
            return Refusal("slip", found.id)
        self.slips = found
        return None

    def variant(self, seed: int | str, tries: int) -> Variant:
        """The variant that a run without refusal stands for."""
        return Variant(
            self.family,
            self.asking,
            seed,
            self.values,
            self.presets,
            self.truth,
            self.worked,
            tuple(self.slips),
            self.limit,
            tries,
        )

    def _set(self, symbol: str, value: Fraction) -> None:
        self.values[symbol] = value
        self.floats[symbol] = value.numerator / value.denominator

    def _draw(self) -> None:
        preset: dict[str, Fraction] = {}
        for group in self.asking.groups:
            choices = self.family.groups[group]
            chosen = choices[choose(self.random, len(choices))]
            self.presets[group] = chosen.name
            preset |= chosen.values
        forward = {step.needs for _, route in self.asking.stated for step in route}
        first = frozenset[str]().union(*forward) & {self.asking.find.symbol}
        for symbol in (*self.asking.drawn, *first):
            if symbol in preset:
                self._set(symbol, preset[symbol])
            elif symbol in self.family.sources:
                self._set(symbol, self.family.sources[symbol].draw(self.random))

    def _refused(self) -> Refusal | None:
        """The first condition that can be checked by now and is not met."""
        waiting: list[Rule] = []
        for rule in self.pending:
            if not rule.needs <= self.floats.keys():
                waiting.append(rule)
            elif not self._meets(rule):
                return Refusal("where", rule.text)
        self.pending = waiting
        return None

    def _meets(self, rule: Rule) -> bool:
        if rule.exact:
            known = {**self.values, **self.worked, self.asking.find.symbol: self.truth}
            return holds(rule.tree, known)
        return _holds(rule.tree, self.floats)

    def _judged(self) -> Refusal | None:
        """Refuse a truth that is negative, out of range, hard to round or hard to tell."""
        asking, unknown = self.asking, self.asking.find.symbol
        if asking.limit is not None:
            self.limit = evaluate(asking.limit, {**self.values, **self.worked})
            if abs(self.truth) < ROOM * abs(self.limit):
                return Refusal("fit", "too close to the limit")
        elif self.truth < 0 and not asking.find.negative:
            return Refusal("range", f"{unknown} is negative")
        elif not self.truth:
            return Refusal("range", f"{unknown} is zero")
        source = self.family.sources.get(unknown)
        if source is not None and source.low > 0:
            low, high = source.low / BEYOND, source.high * BEYOND
            if not low <= self.truth <= high:
                return Refusal("range", f"{unknown} is far outside of its range")
        return self._rounding_refused()

    def _rounding_refused(self) -> Refusal | None:
        rounding = self.asking.find.round
        if not rounding:
            return None
        number = self.truth / self.asking.unit.factor
        part = number - math.floor(number)
        turn = Fraction(1, 2) if rounding == "nearest" else Fraction(0)
        distance = min(abs(part - turn), abs(part - turn - 1))
        if 0 < distance < NEAR_WHOLE or (rounding == "nearest" and not distance):
            return Refusal("rounding", "too close to where the rounding turns")
        if not target_of(self.truth, self.asking):
            return Refusal("range", "rounded down to zero")
        return None


def _holds(condition: Condition, values: Mapping[str, float]) -> bool:
    """Whether a condition without equalities is met, in floats."""
    match condition:
        case Compare(relation, left, right):
            below, above = FLOATING.value(left, values), FLOATING.value(right, values)
            if relation in {"<", "<="}:
                return below < above or (relation == "<=" and below == above)
            return below > above or (relation == ">=" and below == above)
        case Logic("and", parts):
            return all(_holds(part, values) for part in parts)
        case Logic("or", parts):
            return any(_holds(part, values) for part in parts)
        case Logic(_, parts):
            return not _holds(parts[0], values)
        case Divides():
            raise TypeError("divides() is decided on exact numbers")
