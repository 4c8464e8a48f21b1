"""What a number that is off looks like: an author's slip, a lost unit, a factor of the trade."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.answer import Reading
from drillkit.algebra.expression import Quantity, evaluate
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import DATA, has
from drillkit.numeric.judge import Question, judge_reading
from drillkit.numeric.slips import FACTOR_TWO, GB_GIB
from drillkit.numeric.wording import exact_number
from drillkit.rounds.solve import fill_text, known_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.algebra.units import Dimension
    from drillkit.content.round import Check
    from drillkit.numeric.verdict import Named
    from drillkit.rounds.draw import Draw
    from drillkit.rounds.solve import Situation

NEAR_RATIO = 0.03
NEAR_SLIP = Fraction(2, 100)
NEAR_INSIDE = Fraction(1, 100)
"""How near a slip must be to a number that is inside of its tolerance, to be told at all."""

HALVES = (
    "A factor of 2: one of two halves is forgotten or counted twice (weights and gradients, keys"
    " and values), or fp32 stands for bf16."
)
FORWARD_ONLY = "A third of it: this is the forward pass alone, and training takes three times that."
RECOMPUTED = "A third too much: is the forward pass counted twice, as full recomputation does?"
ONE_DIRECTION = "A factor of 2: a link's rate is per direction, half of the sum that it is sold by."

_DATA_RATE: Dimension = (("data", 1), ("time", -1))
_OP_RATE: Dimension = (("op", 1), ("time", -1))
_OPS: Dimension = (("op", 1),)


class Miss(NamedTuple):
    """A number beside its target, both in base units.

    `carried` says that the target follows from the candidate's own numbers, `inside` that the
    number is within its tolerance.
    """

    value: Fraction
    target: Fraction
    reading: Reading | None
    carried: bool
    inside: bool

    @property
    def ratio(self) -> float:
        """Return value / target, or 0 where that is not a number above zero."""
        return float(self.value / self.target) if self.target and self.value else 0.0


def diagnose(draw: Draw, check: Check, miss: Miss, situation: Situation) -> tuple[str, ...]:
    """Return what explains a number, the likeliest first, or nothing.

    A number inside of a wide tolerance is told only what it is within 1 % of.
    """
    if miss.value == miss.target:
        return ()
    told = [*_authors_slips(draw, check, miss, situation), *_ratios(draw, check, miss)]
    said = tuple(dict.fromkeys(fill_text(draw, text, situation) for text in told))
    if said:
        return said
    named = _named(draw, check, miss, situation)
    if miss.inside:
        return tuple(one.says for one in named if one.id == GB_GIB.id)
    # On eight GPUs a factor of 8 may be bits or a number that is not one GPU's: both are told.
    found = [one.says for one in named if one.id != FACTOR_TWO.id]
    found += [
        text
        for factor, text in _of_the_trade(draw, check, situation)
        if _is_ratio(miss.ratio, factor, NEAR_RATIO)
    ]
    return tuple(found) or tuple(one.says for one in named)


def _authors_slips(draw: Draw, check: Check, miss: Miss, situation: Situation) -> Iterator[str]:
    """What the nearest of the author's wrong formulas says, and all with the same number."""
    near = NEAR_INSIDE if miss.inside else min(draw.formulas.tolerance(check.id), NEAR_SLIP)
    found: list[tuple[Fraction, str]] = []
    for slip in check.slips:
        for value in _slip_values(draw, check, slip.expr, situation):
            far = abs(miss.value - value)
            if far <= near * abs(value) and far < abs(miss.value - miss.target):
                found.append((far, slip.says))
    best = min((far for far, _ in found), default=Fraction(0))
    return (says for far, says in found if far == best)


def _slip_values(draw: Draw, check: Check, expr: str, situation: Situation) -> Iterator[Fraction]:
    """What a wrong formula comes to, from the facts and from the candidate's numbers."""
    tree = draw.formulas.formula(expr)
    for carried in (False, True):
        known = known_values(draw, situation, carried=carried)
        known.pop(check.id, None)
        try:
            value = draw.formulas.value(tree, known)
        except (UnreadableError, ArithmeticError):
            continue
        yield value
        yield draw.formulas.whole(check.id, value)


def _ratios(draw: Draw, check: Check, miss: Miss) -> Iterator[str]:
    near = float(NEAR_INSIDE) if miss.inside else NEAR_RATIO
    for text, says in check.diagnose:
        if _is_ratio(miss.ratio, float(evaluate(draw.formulas.formula(text))), near):
            yield says


def _is_ratio(ratio: float, factor: float, near: float) -> bool:
    """Whether a ratio is that factor and not rather 1."""
    if ratio <= 0 or factor <= 0:
        return False
    return abs(ratio / factor - 1) <= near and abs(math.log(ratio / factor)) < abs(math.log(ratio))


def _named(draw: Draw, check: Check, miss: Miss, situation: Situation) -> tuple[Named, ...]:
    """The mistakes that any number can meet."""
    unit = draw.units[check.id]
    known = known_values(draw, situation, carried=miss.carried)
    known.pop(check.id, None)
    near = NEAR_INSIDE if miss.inside else NEAR_SLIP
    question = Question(
        draw.formulas.value(draw.formulas.trees[check.id], known),
        unit,
        min(draw.formulas.tolerance(check.id), near),
        rounding=draw.formulas.rounding(check.id),
    )
    quantity = Quantity(miss.value, unit.dimension, unit)
    reading = miss.reading or Reading("value", "", quantity, unit=unit)
    return judge_reading(reading._replace(others=()), question).slips


def _of_the_trade(draw: Draw, check: Check, situation: Situation) -> Iterator[tuple[float, str]]:
    """The factors that numbers of this dimension are off by, and what each means."""
    dimension = draw.units[check.id].dimension
    made_of = {draw.units[name].dimension for name in draw.formulas.rests_on(check.id)}
    timed = has(dimension, "time")
    if dimension == DATA:
        yield from ((2.0, HALVES), (0.5, HALVES))
    if dimension == _OPS or (timed and _OP_RATE in made_of):
        yield from ((1 / 3, FORWARD_ONLY), (4 / 3, RECOMPUTED))
    if timed and (dimension == _DATA_RATE or _DATA_RATE in made_of):
        yield from ((2.0, ONE_DIRECTION), (0.5, ONE_DIRECTION))
    gpus = situation.values.get("gpus", Fraction(0))
    if gpus > 1 and (dimension in (DATA, _OPS) or timed):
        count = exact_number(gpus)
        yield float(gpus), f"{count} times too large: is it spread over the {count} GPUs?"
        yield float(1 / gpus), f"{count} times too small: it is not one of the {count} GPUs' share."
