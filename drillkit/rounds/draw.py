"""A seed -> the numbers with which a round is played: its case and its facts.

The same seed gives the same numbers on every machine and Python, as with numeric problems.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from drillkit.algebra.outcome import UnreadableError
from drillkit.errors import DrillkitError
from drillkit.numeric.source import choose
from drillkit.rounds.formulas import Formulas, formulas_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from drillkit.algebra.units import Unit
    from drillkit.content.round import Round

MOST_TRIES = 400
_NOTHING: Mapping[str, Fraction] = {}


@dataclass(frozen=True)
class Draw:
    """A round with numbers: the drawn case's name (or nothing), and facts in base units."""

    round: Round
    seed: int
    case: str
    values: Mapping[str, Fraction] = field(hash=False)
    formulas: Formulas = field(compare=False, repr=False)

    @property
    def defaults(self) -> Mapping[str, Fraction]:
        """What each assumption is taken as where the candidate says nothing."""
        return self.formulas.defaults

    @property
    def units(self) -> Mapping[str, Unit]:
        """The unit of every fact with a number, assumption, derived value and check."""
        return self.formulas.units

    @property
    def words(self) -> Mapping[str, str]:
        """The texts that the drawn case brings."""
        return self.formulas.words.get(self.case, {})

    def random(self, about: str) -> Random:
        """Return chance of its own for one thing; only its `.random()` is the same everywhere."""
        return _random(self.round.id, self.seed, about)


def draw(round_: Round, seed: int) -> Draw:
    """Return the round with the numbers of that seed; seed 0 is the round as written.

    Raises `DrillkitError` where the round cannot be read, where the numbers as written break one of
    its conditions, and where no draw meets them.
    """
    formulas = formulas_of(round_)
    failed = ""
    random = _random(round_.id, seed, "")
    for _ in range(1 if seed == 0 else MOST_TRIES):
        case, values = _drawn(formulas, random if seed else None)
        failed = _broken(formulas, values)
        if not failed:
            return Draw(round_, seed, case, values, formulas)
    tried = f"{MOST_TRIES} draws of seed {seed} gave no numbers that meet" if seed else "it breaks"
    raise DrillkitError(
        f"{round_.id}: {tried} its condition {failed}", hint="change `where`, `cases` or `vary`"
    )


def _random(identity: str, seed: int, about: str) -> Random:
    text = f"{identity}\n{seed}\n{about}".encode("utf-8", "surrogatepass")
    return Random(int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big"))


def _drawn(formulas: Formulas, random: Random | None) -> tuple[str, dict[str, Fraction]]:
    """One case and the facts; as written where there is no chance."""
    case, fixed = "", _NOTHING
    if formulas.cases:
        at = choose(random, len(formulas.cases)) if random else 0
        case, fixed = formulas.cases[at]
    values: dict[str, Fraction] = {}
    for fact in formulas.round.facts:
        symbol = fact.symbol
        if symbol in fixed:
            values[symbol] = fixed[symbol]
        elif symbol in formulas.varied and (random or symbol not in formulas.written):
            choices = formulas.varied[symbol]
            values[symbol] = choices[choose(random, len(choices)) if random else 0]
        elif symbol in formulas.written:
            values[symbol] = formulas.written[symbol]
    return case, values


def _broken(formulas: Formulas, values: Mapping[str, Fraction]) -> str:
    """The first condition that is not met, or nothing."""
    known = {**formulas.defaults, **values}
    for text, condition in formulas.where:
        try:
            met = formulas.holds(condition, known)
        except (UnreadableError, ArithmeticError):
            met = False
        if not met:
            return text
    return ""
