"""One question with its numbers, its answer and its named mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.units import hard
from drillkit.numeric.judge import Question, Rounding, Slip
from drillkit.numeric.wording import PLACEHOLDER, answered, fill, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from drillkit.algebra.units import Unit
    from drillkit.content.problem import Find, Problem
    from drillkit.numeric.family import Asking, Family


class Stated(NamedTuple):
    """A value that the question states, in base units; `text` is how it is shown."""

    symbol: str
    name: str
    value: Fraction
    unit: Unit
    text: str


@dataclass(frozen=True)
class Variant:
    """One question with its numbers. All values are in base units.

    `truth` is not yet rounded; `worked` holds what the equations give on the way to it; `presets`
    are the names drawn; `tries` counts the draws that it took.
    """

    family: Family
    asking: Asking
    seed: int | str
    values: Mapping[str, Fraction]
    presets: Mapping[str, str]
    truth: Fraction
    worked: Mapping[str, Fraction]
    slips: tuple[Slip, ...]
    limit: Fraction | None = None
    tries: int = 1

    @property
    def problem(self) -> Problem:
        return self.family.problem

    @property
    def find(self) -> Find:
        return self.asking.find

    @cached_property
    def stated(self) -> tuple[Stated, ...]:
        """The values that the question states, in the order of the file.

        What a preset named in the question fills counts as stated. Other numbers may have been
        drawn as well, for a mistake or a condition.
        """
        family = self.family
        said = set(PLACEHOLDER.findall(self.find.ask))
        for group in said & self.presets.keys():
            said |= family.filled(group)
        return tuple(
            Stated(s, family.names[s], self.values[s], family.units[s], self._words[s])
            for s in family.symbols
            if s in self.values and s in said
        )

    @cached_property
    def _words(self) -> dict[str, str]:
        units = self.family.units
        words = {s: shown(value, units[s]) for s, value in self.values.items()}
        return words | dict(self.presets)

    @property
    def ask(self) -> str:
        """The question with its numbers."""
        return fill(self.find.ask, self._words)

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints for this question, the first one first."""
        return tuple(fill(hint, self._words) for hint in (*self.find.hints, *self.problem.hints))

    @property
    def why(self) -> str:
        """The reason behind the answer."""
        return fill(self.problem.why, self._words)

    @property
    def question(self) -> Question:
        """What `judge` needs to know (for a fit question, `fit.judge_fit` asks on)."""
        return Question(
            truth=self.truth,
            unit=self.asking.unit,
            within=self.asking.within,
            slips=tuple(slip._replace(says=fill(slip.says, self._words)) for slip in self.slips),
            values={one.symbol: one.value for one in self.stated},
            rounding=rounding_of(self.find),
            carriers=self.carriers,
        )

    @property
    def carriers(self) -> frozenset[str]:
        """The given symbols that stand for bytes, seconds, FLOPs, dollars: not for plain counts."""
        return frozenset(one.symbol for one in self.stated if hard(one.unit.dimension))

    @property
    def answer(self) -> str:
        """The right answer as text."""
        asking = self.asking
        value = self.question.target
        if self.limit is None:
            return answered(value, asking.unit, exact=asking.exact, within=asking.within)
        text = answered(abs(value), asking.unit, exact=asking.exact, within=asking.within)
        return f"yes, {text} to spare" if value >= 0 else f"no, {text} too much"


def rounding_of(find: Find) -> Rounding:
    """How the answer is rounded."""
    match find.round:
        case "up" | "down" | "nearest" as rounding:
            return rounding
    return ""


def target_of(truth: Fraction, asking: Asking) -> Fraction:
    """The truth as it is to be answered: rounded where the answer must come whole."""
    return Question(truth, asking.unit, rounding=rounding_of(asking.find)).target
