"""A typed answer against the truth.

The order of judging: inside the tolerance (its edge included); a slip of unit or prefix, that is,
the number is right and would be so with a sibling of the unit that stands there; the author's
slips, the nearest first, and all that give the same number; right to the two or more figures given;
the slips that any problem can meet; within 10 %; wrong. Where only a less natural reading is right,
the answer is unclear.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from drillkit.algebra.answer import Reading, parse_unit, read_answer, read_value
from drillkit.algebra.expression import Quantity, names
from drillkit.algebra.format import describe, format_quantity
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import NO_UNIT, Unit
from drillkit.numeric import slips
from drillkit.numeric.verdict import Named, Verdict, told_distance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Rounding = Literal["", "up", "down", "nearest"]

CLOSE = Fraction(1, 10)
_EDGE = 1 + Fraction(1, 10**9)
"""The edge of a tolerance is inside, also when the truth is a rounded root."""

_NOTHING: Mapping[str, Fraction] = {}


class Slip(NamedTuple):
    """A mistake that an author expects: its value in base units and what to say."""

    id: str
    value: Fraction
    says: str = ""


class Question(NamedTuple):
    """What an answer is judged against, in plain values.

    `truth` is in base units (byte, second, FLOP, count, share), not yet rounded; `within` is the
    relative tolerance, 0 for exact; `values` are the given symbols that an answer may use, of which
    `carriers` are in bytes, seconds or the like.
    """

    truth: Fraction
    unit: Unit = NO_UNIT
    within: Fraction = Fraction(1, 100)
    slips: tuple[Slip, ...] = ()
    values: Mapping[str, Fraction] = _NOTHING
    generic: bool = True
    rounding: Rounding = ""
    carriers: frozenset[str] = frozenset()

    @property
    def target(self) -> Fraction:
        """The truth in the unit's own counting, rounded when it must come whole."""
        if not self.rounding:
            return self.truth
        number = self.truth / self.unit.factor
        whole = {
            "up": math.ceil(number),
            "down": math.floor(number),
            "nearest": math.floor(number + Fraction(1, 2)),
        }[self.rounding]
        return whole * self.unit.factor

    def read(self, text: str) -> Reading:
        """Return what is understood of an answer to this question; never raises on any text."""
        return read_answer(text, self.unit, values=self.values, carriers=self.carriers)


def question_of(truth: str, within: str = "1%", unit: str = "") -> Question:
    """A question from texts: the truth as a value with its unit, the tolerance as a percentage.

    The answer is asked for in `unit`, else in the unit of the truth. Raises UnreadableError.
    """
    value = read_value(truth)
    base = Unit(describe(value.dimension), Fraction(1), value.dimension)
    asked = parse_unit(unit) if unit else value.unit or base
    if asked.dimension != value.dimension:
        raise UnreadableError(
            f"{truth} is no quantity in {asked.text}", hint="ask for a unit of the same kind"
        )
    return Question(value.value, asked, tolerance(within))


def tolerance(text: str) -> Fraction:
    """A relative tolerance: `2%`, `0.02` or `exact`; raises UnreadableError."""
    return Fraction(0) if text.strip() == "exact" else read_value(text).value


def judge(text: str, question: Question) -> Verdict:
    """The verdict on what was typed; never raises on any text."""
    reading = read_answer(text, question.unit, values=question.values, carriers=question.carriers)
    return judge_reading(reading, question)


def judge_reading(reading: Reading, question: Question) -> Verdict:
    """The verdict on an answer that was read already."""
    if reading.outcome != "value":
        return Verdict(reading.outcome, reading.message)
    ways = [_Judged(reading, question, reading.quantity.value, natural=True)]
    ways += [
        _Judged(reading, question, value, natural=False) for value in _others(reading, question)
    ]
    first = ways[0]
    if first.stage <= _RIGHT:
        return first.verdict()
    if reading.bare and (not question.unit.dimension or _carried(reading, question)):
        # A share and a percentage are both plain numbers, and a formula in given bytes may convert
        # by hand: the better one was meant.
        return min(ways, key=lambda way: way.stage).verdict()
    if any(way.stage <= _RIGHT or (way.stage == _AUTHORS < first.stage) for way in ways[1:]):
        return Verdict("unclear", reading.message, note=_unclear(reading, question))
    return first.verdict()


def _carried(reading: Reading, question: Question) -> bool:
    return reading.tree is not None and bool(names(reading.tree) & question.carriers)


def _others(reading: Reading, question: Question) -> Iterable[Fraction]:
    for other in reading.others:
        yield other.value
        if other.bare and question.unit.dimension:
            yield other.value * question.unit.factor


def _unclear(reading: Reading, question: Question) -> str:
    if reading.bare:
        return f"no unit was given and {question.unit.text} is asked for: write the unit"
    return "this can be read in two ways: spell the unit or the number out"


_RIGHT, _UNIT, _AUTHORS, _FIGURES, _GENERIC, _CLOSE, _WRONG = range(7)


class _Judged:
    """One value on its way through the stages."""

    def __init__(
        self, reading: Reading, question: Question, value: Fraction, *, natural: bool
    ) -> None:
        self.reading = reading
        self.question = question
        self.value = value
        self.natural = natural
        self.truth = question.target
        self.named: tuple[Named, ...] = ()
        self.stage = self._stage()

    def _stage(self) -> int:
        if self._is(self.truth):
            return _RIGHT
        for stage, found in (
            (_UNIT, self._unit_slips),
            (_AUTHORS, self._authors_slips),
            (_GENERIC, self._generic_slips),
        ):
            if stage == _GENERIC and self._right_to_its_figures():
                return _FIGURES
            self.named = tuple(found())
            if self.named:
                return stage
        near = abs(self.value - self.truth) <= CLOSE * abs(self.truth) * _EDGE
        return _CLOSE if near else _WRONG

    def verdict(self) -> Verdict:
        """The verdict that the stage reached stands for."""
        reading = self.reading
        if not self.natural:
            unit = self.question.unit
            other = Quantity(self.value, unit.dimension, unit)
            reading = reading._replace(message=f"read as {format_quantity(other)}")
        distance = told_distance(self.value, self.truth)
        remarks = "; ".join(reading.remarks)
        if not self.natural:
            remarks = ""
        if self.stage == _RIGHT:
            return Verdict(
                "correct_note" if remarks else "correct", reading.message, remarks, distance
            )
        if self.stage == _FIGURES:
            note = f"right to the {reading.figures} figures given"
            note = f"{remarks}; {note}" if remarks else note
            return Verdict("correct_note", reading.message, note, distance)
        if self.stage == _CLOSE:
            return Verdict("close", reading.message, remarks, distance)
        if self.stage == _WRONG:
            return Verdict("wrong", reading.message, remarks, distance)
        return Verdict("misconception", reading.message, remarks, distance, self.named)

    def _is(self, target: Fraction) -> bool:
        within = self.question.within
        return abs(self.value - target) <= within * abs(target) * _EDGE + abs(target) / 10**12

    def _nearer(self, target: Fraction) -> bool:
        """Whether the value is that slip and not rather the truth."""
        return self._is(target) and abs(self.value - target) < abs(self.value - self.truth)

    def _unit_slips(self) -> list[Named]:
        reading = self.reading
        unit = self.question.unit if reading.bare else reading.unit
        if not self.truth or not self.value or not self.natural or not self.question.generic:
            return []
        exchanges = list(slips.exchanges_of_unit(unit)) if unit else []
        if reading.scaled:
            exchanges += slips.SCALE_EXCHANGES
        return self._nearest((one.named, self.truth / one.factor) for one in exchanges)

    def _authors_slips(self) -> list[Named]:
        expected = ((Named(one.id, one.says), one.value) for one in self.question.slips)
        return self._nearest(expected)

    def _right_to_its_figures(self) -> bool:
        typed, figures = self.reading.typed, self.reading.figures
        if not typed or figures < 2 or not self.question.within or not self.truth:
            return False
        last_place = Fraction(10) ** (_power_of_ten(typed) - figures + 1)
        truth_as_typed = self.truth / self.value * typed
        return abs(truth_as_typed - typed) <= last_place / 2

    def _generic_slips(self) -> list[Named]:
        question = self.question
        if not self.truth or not self.value:
            return []
        found: list[tuple[Named, Fraction]] = []
        if question.rounding:
            raw = question.truth
            step = question.unit.factor
            if (self.value / step).denominator != 1 and abs(self.value - raw) <= raw / 100:
                return [slips.NOT_ROUNDED]
            other = math.floor(raw / step) if self.truth > raw else math.ceil(raw / step)
            found.append((slips.ROUNDED_WRONG_WAY, other * step))
        if question.generic:
            dimension = question.unit.dimension
            orders = (self.reading.unit or question.unit, question.unit)
            exchanges = slips.generic_exchanges(dimension, orders)
            found.extend((one.named, self.truth / one.factor) for one in exchanges)
            found += self._turned()
        return self._nearest(found)

    def _turned(self) -> Iterable[tuple[Named, Fraction]]:
        """1 − x and 1/x, of a plain number or of the number in front of the unit."""
        unit = self.question.unit
        if not unit.dimension:
            return slips.generic_values(self.truth, share=True)
        number = self.truth / unit.factor
        return (
            (named, value * unit.factor)
            for named, value in slips.generic_values(number, share=False)
        )

    def _nearest(self, expected: Iterable[tuple[Named, Fraction]]) -> list[Named]:
        """The nearest slip that fits and all others with the same number, each id once."""
        fitting = [
            (abs(self.value - value), named, value)
            for named, value in expected
            if self._nearer(value)
        ]
        if not fitting:
            return []
        fitting.sort(key=lambda one: one[0])
        best = fitting[0][2]
        same = [named for _, named, value in fitting if abs(value - best) <= abs(best) / 10**6]
        return list({named.id: named for named in reversed(same)}.values())[::-1]


def _power_of_ten(value: Fraction) -> int:
    power = len(str(abs(value.numerator))) - len(str(value.denominator))
    while abs(value) < Fraction(10) ** power:
        power -= 1
    return power
