"""Where a given symbol's value comes from: the values it can take, and one of them by chance."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from drillkit.content.problem_rules import read_number
from drillkit.numeric.wording import counted, rounded

if TYPE_CHECKING:
    from random import Random

    from drillkit.algebra.units import Unit
    from drillkit.content.problem import Given

NICE = tuple(Fraction(text) for text in ["1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8"])
"""The mantissas of numbers that are easy to work with in one's head."""

LOG_FIGURES = 2


def choose(random: Random, count: int) -> int:
    """An index below `count`. Only `Random.random` gives the same numbers on every Python."""
    return min(int(random.random() * count), count - 1)


class Source(Protocol):
    """Gives a value in base units."""

    low: Fraction
    high: Fraction

    def draw(self, random: Random) -> Fraction:
        """Return one value."""


class Listed:
    """One of these values."""

    def __init__(self, values: tuple[Fraction, ...]) -> None:
        self.values = values
        self.low = min(values)
        self.high = max(values)

    def draw(self, random: Random) -> Fraction:
        return self.values[choose(random, len(self.values))]


class Spread:
    """Two-digit numbers, spread evenly over the orders of magnitude."""

    def __init__(
        self, low: Fraction, high: Fraction, unit: Unit, exclude: frozenset[Fraction]
    ) -> None:
        self.low = low
        self.high = high
        self.unit = unit
        self.exclude = exclude

    def draw(self, random: Random) -> Fraction:
        low, ratio = self.low / self.unit.factor, float(self.high / self.low)
        for _ in range(50):
            value = rounded(Fraction(float(low) * ratio ** random.random()), LOG_FIGURES)
            if counted(self.unit):
                value = Fraction(max(round(value), math.ceil(low)))
            value *= self.unit.factor
            if self.low <= value <= self.high and value not in self.exclude:
                return value
        return self.low


def source_of(given: Given, unit: Unit) -> Source | None:
    """The source of a given symbol; None where it has none of its own, or nothing is left of it."""
    exclude = frozenset(read_number(text, unit) for text in given.exclude)
    if given.values:
        values = tuple(read_number(text, unit) for text in given.values)
    elif given.powers_of_2:
        low, high = (read_number(text, unit) / unit.factor for text in given.powers_of_2)
        values = tuple(unit.factor * 2**power for power in range(61) if low <= 2**power <= high)
    elif given.range:
        low, high = (read_number(text, unit) for text in given.range)
        if given.log:
            return Spread(low, high, unit, exclude)
        values = _grid(low, high, given, unit)
    else:
        return None
    left = tuple(value for value in values if value not in exclude)
    return Listed(left) if left else None


def _grid(low: Fraction, high: Fraction, given: Given, unit: Unit) -> tuple[Fraction, ...]:
    if given.step:
        step = read_number(given.step, unit)
        return tuple(low + step * number for number in range(int((high - low) / step) + 1))
    first, last = low / unit.factor, high / unit.factor
    start = math.floor(math.log10(float(first)))
    end = math.floor(math.log10(float(last)))
    numbers = (
        mantissa * Fraction(10) ** power for power in range(start, end + 1) for mantissa in NICE
    )
    whole = counted(unit)
    return tuple(
        number * unit.factor
        for number in numbers
        if first <= number <= last and not (whole and number.denominator != 1)
    )
