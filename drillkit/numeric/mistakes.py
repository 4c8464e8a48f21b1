"""What a named mistake leads to, for the numbers at hand.

A mistake that comes within three tolerances of the truth makes the numbers useless; one that looks
like another mistake, or like a slip of unit that any problem can meet, is left out for them.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import Unit, has
from drillkit.numeric.arithmetic import EXACT, FLOATING, Arithmetic, N, Unsolvable
from drillkit.numeric.judge import Slip
from drillkit.numeric.route import follow
from drillkit.numeric.slips import SCALE_EXCHANGES, exchanges_of_unit
from drillkit.numeric.variant import target_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.numeric.family import Asking, SlipPlan
    from drillkit.numeric.source import Source

APART = 3
"""A mistake lies this many tolerances from the truth, and from other mistakes."""

EQUAL = 1e-9


class Numbers(NamedTuple):
    """All that is known of a draw, exact and as floats; `limit` is that of a fit question."""

    exact: Mapping[str, Fraction]
    floats: Mapping[str, float]
    truth: Fraction
    limit: Fraction | None
    sources: Mapping[str, Source]


class TooClose(NamedTuple):
    """The mistake that could be taken for the truth."""

    id: str


def slips_of(asking: Asking, numbers: Numbers) -> list[Slip] | TooClose:
    """Return the mistakes that can be told apart at these numbers, in the author's order."""
    target = float(target_of(numbers.truth, asking))
    gap = _gap(asking, numbers, target)
    # What is left of a limit has no slips of unit: its tolerance is too wide to tell them.
    factors = () if numbers.limit is not None else _unit_factors(asking.unit)
    unit_slips = [target * factor for factor in factors]
    found: list[Slip] = []
    taken: list[float] = []
    for plan in asking.slips:
        value = slip_value(plan, asking, numbers)
        if value is None:
            continue
        number = float(value)
        if abs(number - target) <= max(gap(number), gap(target)):
            return TooClose(plan.slip.id)
        same = any(math.isclose(number, other, rel_tol=EQUAL) for other in taken)
        near = any(abs(number - other) <= gap(number) for other in (*taken, *unit_slips))
        if same or not near:
            taken.append(number)
            found.append(Slip(plan.slip.id, Fraction(value), plan.slip.says))
    return found


class _Gap(NamedTuple):
    relative: float
    absolute: float

    def __call__(self, value: float) -> float:
        return self.relative * abs(value) + self.absolute


def _gap(asking: Asking, numbers: Numbers, target: float) -> _Gap:
    within = APART * float(asking.within)
    if numbers.limit is not None:
        return _Gap(0.0, within * abs(float(numbers.limit)))
    return _Gap(within, abs(target) * EQUAL)


@lru_cache(maxsize=256)
def _unit_factors(unit: Unit) -> tuple[float, ...]:
    """By how much an answer is off that is right in a sibling of the unit."""
    exchanges = list(exchanges_of_unit(unit))
    if has(unit.dimension, "param") or has(unit.dimension, "token"):
        exchanges += SCALE_EXCHANGES
    return tuple(float(1 / one.factor) for one in exchanges)


def slip_value(plan: SlipPlan, asking: Asking, numbers: Numbers) -> Fraction | float | None:
    """Return what the mistake leads to; None where that has no value or no sense.

    It has no sense where it leads to the truth itself, before rounding: for these numbers it is no
    mistake (all is sharded, under stage 3).
    """
    rounding, exact = asking.find.round, asking.exact or bool(asking.find.round)
    try:
        if exact:
            target = target_of(numbers.truth, asking)
            raw = _worked(plan, asking, EXACT, numbers, numbers.exact, target)
            same = raw == numbers.truth
            value: Fraction | float = raw
            if rounding and not plan.rounds:
                value = target_of(raw, asking)
        else:
            truth = float(numbers.truth)
            value = _worked(plan, asking, FLOATING, numbers, numbers.floats, truth)
            same = math.isclose(value, truth, rel_tol=EQUAL)
    except (UnreadableError, ArithmeticError, Unsolvable, KeyError):
        return None
    negative = asking.find.negative or asking.limit is not None
    if same or not value or not math.isfinite(value) or (value < 0 and not negative):
        return None
    return value


def _worked(
    plan: SlipPlan,
    asking: Asking,
    arithmetic: Arithmetic[N],
    numbers: Numbers,
    known: Mapping[str, N],
    truth: N,
) -> N:
    unknown = asking.find.symbol
    if plan.direct is not None:
        values = {**known, unknown: truth}
        values |= follow(plan.before, values, arithmetic, numbers.sources)
        return arithmetic.value(plan.direct, values)
    stated = {symbol: value for symbol, value in known.items() if symbol in plan.known}
    stated |= {symbol: arithmetic.value(tree, known) for symbol, tree in plan.replaced.items()}
    return follow(plan.route, stated, arithmetic, numbers.sources)[unknown]
