"""What can be changed in a figure: an amount with its unit, range and stops, or a choice.

Values are plain: a choice's is its text, an amount's a number in base units (bytes, seconds,
counts). Typed text is read in the language of answers, so `7B`, `7e9`, `30 s` and `2 GB` all serve;
a bare number is in the parameter's own unit.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra.answer import parse_unit, read_answer
from drillkit.algebra.format import format_count, format_duration, format_number
from drillkit.algebra.units import DATA, TIME
from drillkit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = float | str
Values = dict[str, Value]
_NEAR = 1e-9


@dataclass(frozen=True)
class Amount:
    """A number with a unit, from `low` to `high`, moved along `stops`; all are in base units.

    `title` says in a word or two what `name` stands for, or nothing where the name says it. `unit`
    is what a bare number is read in, `ending` what stands after a count, such as `GPUs`.
    """

    name: str
    title: str
    default: float
    stops: tuple[float, ...]
    low: float
    high: float
    unit: str = ""
    ending: str = ""
    whole: bool = True

    @property
    def base_unit(self) -> str:
        """Return the unit of a value: `byte`, `s`, or what is counted."""
        dimension = parse_unit(self.unit).dimension
        return {DATA: "byte", TIME: "s"}.get(dimension, self.unit)

    def read(self, text: str) -> float:
        """Return the value that `text` says. Raises `UsageError` for anything else."""
        reading = read_answer(text, self.unit)
        if reading.outcome != "value":
            raise UsageError(f"{self.name}={text.strip()}: {reading.message}")
        value = float(reading.quantity.value)
        if self.whole and value != int(value):
            raise UsageError(f"{self.name} must be a whole number, not {text.strip()}")
        if not self.low <= value <= self.high:
            raise UsageError(
                f"{self.name} must lie between {self.shown(self.low)} and "
                f"{self.shown(self.high)}, not at {self.shown(value)}"
            )
        return value

    def shown(self, value: Value) -> str:
        """Return a value as text with its unit, as it can be typed again."""
        number = Fraction(value)
        dimension = parse_unit(self.unit).dimension
        if dimension == DATA:
            return size_text(float(number))
        if dimension == TIME:
            return time_text(float(number))
        count = format_count(number, 4)
        ending = self.ending.removesuffix("s") if number == 1 else self.ending
        return f"{count} {ending}" if ending else count

    def moved(self, value: Value, by: int) -> float:
        """Return the stop that is `by` stops further, at most the first or the last."""
        here = float(value)
        if by > 0:
            at = bisect_right(self.stops, here * (1 + _NEAR) if here > 0 else here) + by - 1
        else:
            at = bisect_left(self.stops, here * (1 - _NEAR) if here > 0 else here) + by
        return self.stops[min(max(at, 0), len(self.stops) - 1)]

    def share(self, value: Value) -> float:
        """Return where a value lies along the stops, from 0 to 1."""
        here = float(value)
        at = bisect_left(self.stops, here * (1 - _NEAR) if here > 0 else here)
        return min(at / max(len(self.stops) - 1, 1), 1.0)

    def at_share(self, share: float) -> float:
        """Return the stop at a share of the way, from 0 to 1."""
        return self.stops[round(min(max(share, 0.0), 1.0) * (len(self.stops) - 1))]


@dataclass(frozen=True)
class Choice:
    """One of a few words. `also` maps other spellings to the word they stand for."""

    name: str
    title: str
    default: str
    options: tuple[str, ...]
    also: tuple[tuple[str, str], ...] = ()

    def read(self, text: str) -> str:
        """Return the option that `text` says. Raises `UsageError` for anything else."""
        word = text.strip().lower()
        word = dict(self.also).get(word, word)
        if word not in self.options:
            raise UsageError(
                f"{self.name} cannot be {text.strip()!r}", hint="one of " + ", ".join(self.options)
            )
        return word

    def shown(self, value: Value) -> str:
        """Return the option itself."""
        return str(value)

    def moved(self, value: Value, by: int) -> str:
        """Return the option that is `by` further, at most the first or the last."""
        at = self.options.index(str(value)) + by
        return self.options[min(max(at, 0), len(self.options) - 1)]

    def share(self, value: Value) -> float:
        """Return where an option lies among the others, from 0 to 1."""
        return self.options.index(str(value)) / max(len(self.options) - 1, 1)

    def at_share(self, share: float) -> str:
        """Return the option at a share of the way, from 0 to 1."""
        return self.options[round(min(max(share, 0.0), 1.0) * (len(self.options) - 1))]


Parameter = Amount | Choice

YES_NO = (("true", "yes"), ("on", "yes"), ("1", "yes"), ("false", "no"), ("off", "no"), ("0", "no"))


def doublings(low: int, high: int) -> tuple[float, ...]:
    """Return `low`, twice that, and so on up to `high`."""
    return tuple(float(low << shift) for shift in range((high // low).bit_length()))


def counting(low: int, high: int) -> tuple[float, ...]:
    """Return every whole number from `low` to `high`."""
    return tuple(map(float, range(low, high + 1)))


def round_stops(low: float, high: float, marks: tuple[float, ...] = (1, 2, 5)) -> tuple[float, ...]:
    """Return 1, 2, 5, 10, 20, 50 … (or other `marks` a decade) from `low` to `high`."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = (mark * 10.0**power for power in range(first, last + 1) for mark in marks)
    return tuple(one for one in every if low * (1 - _NEAR) <= one <= high * (1 + _NEAR))


def read_settings(
    parameters: tuple[Parameter, ...], given: Mapping[str, str], base: Values | None = None
) -> Values:
    """Return the value of every parameter: what `given` says, else that of `base` or the default.

    Raises `UsageError` for a name that is not there or a text that is no value of it.
    """
    known = {one.name: one for one in parameters}
    values: Values = {one.name: one.default for one in parameters} | (base or {})
    for name, text in given.items():
        if name not in known:
            raise UsageError(
                f"there is no parameter {name!r} here", hint="parameters: " + ", ".join(known)
            )
        values[name] = known[name].read(text)
    return values


def number(values: Values, name: str) -> float:
    """Return the value of an amount."""
    return float(values[name])


def whole(values: Values, name: str) -> int:
    """Return the value of an amount that is a whole number."""
    return int(float(values[name]))


def size_text(size_bytes: float) -> str:
    """Return bytes with the decimal prefix that suits them, to four figures: `26.25 GB`."""
    for limit, prefix in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size_bytes >= limit:
            return f"{format_number(size_bytes / limit, 4)} {prefix}B"
    return f"{format_number(size_bytes, 4)} B"


def time_text(seconds: float) -> str:
    """Return a duration for reading off: `1.55 h` from an hour on, else `13 min 36 s`, `50 ms`."""
    if 3600 <= seconds < 100 * 3600:
        return f"{format_number(seconds / 3600)} h"
    return format_duration(seconds)
