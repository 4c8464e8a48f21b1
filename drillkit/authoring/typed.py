"""Answers to a variant as people would type them: the right one in several units, and mistakes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra.answer import parse_unit
from drillkit.numeric.wording import answered

if TYPE_CHECKING:
    from drillkit.algebra.units import Unit
    from drillkit.numeric.variant import Variant

_TIMES = ("ms", "s", "min", "h", "days")


def answers_in_units(variant: Variant) -> list[str]:
    """Return the right answer as people may write it: in its unit, and in siblings of that."""
    texts = [variant.answer]
    unit = variant.asking.unit
    if variant.limit is not None or variant.asking.exact:
        return texts
    value = variant.question.target
    for other in _siblings(unit):
        number = value / other.factor
        if Fraction(1, 100) <= abs(number) < 10**6:
            texts.append(answered(value, other, exact=False, within=variant.asking.within))
    return texts


def _siblings(unit: Unit) -> list[Unit]:
    if unit.dimension == (("data", 1),):
        names: tuple[str, ...] = ("MB", "GB", "GiB", "TB")
    elif unit.dimension == (("time", 1),):
        names = _TIMES
    elif unit.dimension == (("data", 1), ("time", -1)):
        names = ("GB/s", "Gb/s")
    elif unit.dimension == (("op", 1), ("time", -1)):
        names = ("TFLOP/s", "PFLOP/s")
    else:
        names = ()
    return [parse_unit(name) for name in names if name != unit.text]


def slip_text(variant: Variant, value: Fraction) -> str:
    """Return a mistaken answer as somebody who makes the mistake would type it."""
    asking = variant.asking
    exact = asking.exact and (value / asking.unit.factor).denominator == 1
    text = answered(abs(value), asking.unit, exact=exact, within=asking.within or Fraction(1, 100))
    if variant.limit is not None:
        return f"yes, {text}" if value > 0 else f"no, {text}"
    return text if value > 0 else f"−{text}"
