"""A typed number: what was read, and how near it is to what follows from the candidate's own.

The rules of reading, on top of those of `algebra.answer`:

- what stands after `@` is assumed or is a confidence: `28.7 GB @mfu=.4 goodput=90%`, `@80%`;
- `100..130 GB 80%`, `100 to 130 GB`, `100-130 GB` are a range; its value is the geometric middle;
- facts, assumptions and one's own recorded numbers may stand in a formula, by their names;
- a number without a unit is in the unit asked for or in the base unit, whichever is nearer.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from drillkit.algebra.answer import read_answer
from drillkit.algebra.exact import root
from drillkit.algebra.expression import Quantity
from drillkit.algebra.format import format_quantity
from drillkit.algebra.outcome import Outcome, RejectedError, UnclearError, UnreadableError
from drillkit.algebra.units import hard
from drillkit.content.problem_rules import read_number
from drillkit.numeric.wording import shown
from drillkit.rounds.diagnosis import Miss, diagnose
from drillkit.rounds.solve import expected, known_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from drillkit.algebra.answer import Reading
    from drillkit.content.round import Assumption
    from drillkit.rounds.draw import Draw
    from drillkit.rounds.solve import Situation

Band = Literal["exact", "close", "ballpark", "order", "off"]
"""How near a number is: within the check's tolerance, 10 %, a factor 1.5, a factor 3, or not."""

BANDS: tuple[Band, ...] = get_args(Band)
CLOSE, BALLPARK, ORDER = 0.1, math.log(1.5), math.log(3)
EDGE = 1e-9
"""The edge of a band is inside."""

CONFIDENCES = (50, 80, 90)
USUAL_CONFIDENCE = 80
MOST_TEXT = 160

_NOTHING: Mapping[str, Fraction] = {}
_SURE = re.compile(r"(.*\S)\s+(\d{1,3})\s*%\s*")
_SAID_SURE = re.compile(r"\s*(\d{1,3})\s*%?(?=[\s,;]|$)")
_ASSUMES = re.compile(r"[\s,;]*([A-Za-z]\w*)\s*=\s*([^=]*?)(?=[\s,;]+[A-Za-z]\w*\s*=|[\s,;]*$)")
_BETWEEN = re.compile(r"\s*(?:\.{2,3}|…|\bto\b)\s*", re.IGNORECASE)
_NUMBER = r"(?:\d[\d,_]*(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_DASHED = re.compile(
    rf"({_NUMBER}(?![eE][-+]?\d)\s*[A-Za-z%]*)\s*[-–—]\s*({_NUMBER}(?![\w.]*\s*[-+*/×^(]).*)"
)
_PLAIN = re.compile(_NUMBER)


class Typed(NamedTuple):
    """What was understood of a typed number.

    `message` says what was read, or what is wrong and what to do; only with outcome `value` is
    there a `value`, in base units. `low`, `high` and `confidence` (in percent) belong to a range,
    `assumed` to what was typed after `@`.
    """

    outcome: Outcome
    message: str
    value: Fraction | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    confidence: int | None = None
    assumed: Mapping[str, Fraction] = _NOTHING
    reading: Reading | None = None


@dataclass(frozen=True)
class NumberVerdict:
    """The judgement of a number.

    `ratio` is value / expected; `follows` says that it is right by the candidate's own earlier
    numbers alone; `covered` whether a range holds the truth (None without a range).
    """

    band: Band
    value: Fraction
    expected: Fraction
    ratio: float
    follows: bool
    reading: str
    covered: bool | None
    explain: Callable[[], tuple[str, ...]] = field(compare=False, repr=False)

    @cached_property
    def diagnosis(self) -> tuple[str, ...]:
        """What explains it, the likeliest first.

        It is looked for when it is asked for: a year of journals is read without it.
        """
        return self.explain()


# --- reading ---


def read_typed(draw: Draw, check: str, text: str, situation: Situation) -> Typed:
    """Return what was typed for a check; never raises on any text."""
    try:
        return _Reader(draw, check, situation).typed(text)
    except UnreadableError as error:
        return Typed(error.outcome, error.message)


def read_assumption(draw: Draw, symbol: str, text: str) -> Fraction:
    """Return the value that a candidate states for an assumption.

    Raises `UnreadableError` for a symbol that is none, and for a value that is unreadable or
    outside of what passes.
    """
    found = _assumption(draw, symbol)
    unit = draw.units[found.symbol]
    reading = read_answer(text, unit)
    if not reading.ok:
        raise UnreadableError(f"{found.symbol}: {reading.message}")
    values = [reading.quantity.value, *(other.value for other in reading.others)]
    if len(found.range) == 2:
        low, high = (read_number(end, unit) for end in found.range)
        values = [value for value in values if low <= value <= high]
        if not values:
            told = shown(reading.quantity.value, unit)
            raise UnreadableError(
                f"{found.name or found.symbol} {told} is not plausible",
                hint=f"assume {shown(low, unit)} to {shown(high, unit)}",
            )
    return values[0]


class _Reader:
    """Reads one number, in the unit of its check and with the names of its round."""

    def __init__(self, draw: Draw, check: str, situation: Situation) -> None:
        self.draw = draw
        self.check = check
        self.situation = situation
        self.unit = draw.units[check]

    def typed(self, text: str) -> Typed:
        if len(text) > MOST_TEXT:
            raise RejectedError(f"longer than {MOST_TEXT} characters", hint="give the last value")
        body, *said = text.split("@")
        assumed: dict[str, Fraction] = {}
        confidence: int | None = None
        for part in said:
            sure, more = self._said(part)
            confidence = sure if confidence is None else confidence
            assumed |= more
        self.situation = _with(self.situation, assumed)
        typed = self._range(body, confidence) or self._one(body, confidence)
        if not assumed:
            return typed
        told = ", ".join(f"{s} {shown(v, self.draw.units[s])}" for s, v in assumed.items())
        return typed._replace(message=f"{typed.message}, with {told}", assumed=assumed)

    def _said(self, text: str) -> tuple[int | None, dict[str, Fraction]]:
        """The confidence and the assumptions of what stands after @."""
        sure = _SAID_SURE.match(text)
        at = sure.end() if sure else 0
        assumed: dict[str, Fraction] = {}
        while found := _ASSUMES.match(text, at):
            symbol = _assumption(self.draw, found[1]).symbol
            assumed[symbol] = read_assumption(self.draw, symbol, found[2])
            at = found.end()
        rest = text[at:].strip(" ,;\t")
        if rest or not (sure or assumed):
            raise UnreadableError(
                "what stands after @ is not read", hint="write @mfu=40% or, for a range, @80%"
            )
        return (int(sure[1]) if sure else None), assumed

    def _one(self, text: str, confidence: int | None) -> Typed:
        if confidence is not None:
            raise UnclearError("a confidence belongs to a range", hint="100..130 GB 80%")
        reading = self._reading(text)
        value = self._meant(reading)
        message = "; ".join((reading.message, *reading.remarks))
        if value != reading.quantity.value:
            quantity = Quantity(value, self.unit.dimension, self.unit)
            reading = reading._replace(quantity=quantity)
            message = f"read as {format_quantity(quantity)}"
        return Typed("value", message, value, reading=reading)

    def _range(self, text: str, confidence: int | None) -> Typed | None:
        """The range that a text is, or None for one that is a single value."""
        ends = _ends(text)
        if confidence is None and (sure := _SURE.fullmatch(text)) and _ends(sure[1]):
            ends, confidence = _ends(sure[1]), int(sure[2])
        if ends is None:
            return None
        usual = confidence is None
        confidence = USUAL_CONFIDENCE if confidence is None else confidence
        if confidence not in CONFIDENCES:
            raise UnclearError(f"{confidence} % sure", hint="be 50, 80 or 90 % sure")
        low, high = (self._meant(self._reading(end)) for end in ends)
        if not 0 < low <= high:
            raise UnclearError("a range runs from a low to a high value above zero", hint="turn it")
        shown_ends = " to ".join(
            format_quantity(Quantity(end, self.unit.dimension, self.unit)) for end in (low, high)
        )
        sure_text = f"{confidence} % sure" + (" (taken)" if usual else "")
        middle = root(low * high)
        return Typed("value", f"read as {shown_ends}, {sure_text}", middle, low, high, confidence)

    def _reading(self, text: str) -> Reading:
        known = known_values(self.draw, self.situation, carried=True)
        known.pop(self.check, None)
        carriers = frozenset(name for name in known if hard(self.draw.units[name].dimension))
        reading = read_answer(text, self.unit, values=known, carriers=carriers)
        if not reading.ok:
            error = UnreadableError(reading.message)
            error.outcome = reading.outcome
            raise error
        return reading

    def _meant(self, reading: Reading) -> Fraction:
        """The value that was meant: a bare number is in the unit asked for, or in the base unit."""
        natural = reading.quantity.value
        others = [other.value for other in reading.others]
        others += [other.value * self.unit.factor for other in reading.others if other.bare]
        truths = _truths(self.draw, self.check, self.situation)

        def distance(value: Fraction) -> float:
            return min(abs(_log(value, truth)) for truth in truths)

        if reading.bare:
            return min((natural, *others), key=distance)
        within = math.log1p(float(self.draw.formulas.tolerance(self.check))) + EDGE
        if distance(natural) > within and any(distance(other) <= within for other in others):
            raise UnclearError(
                "this can be read in two ways", hint="spell the unit or the number out"
            )
        return natural


def _assumption(draw: Draw, name: str) -> Assumption:
    """The assumption of that symbol or name, in any case."""
    for one in draw.round.assume:
        if name.lower() in {one.symbol.lower(), (one.name or one.symbol).lower()}:
            return one
    known = ", ".join(one.symbol for one in draw.round.assume) or "nothing"
    raise UnreadableError(f"{name[:24]} is not assumed here", hint=f"known: {known}")


def _ends(text: str) -> tuple[str, str] | None:
    """The two ends of a range as typed, the first with the unit of the second where it has none."""
    parts = _BETWEEN.split(text.strip())
    dashed = _DASHED.fullmatch(text.strip()) if len(parts) == 1 else None
    if dashed:
        parts = [dashed[1], dashed[2]]
    if len(parts) != 2 or not all(parts):
        return None
    low, high = (part.strip() for part in parts)
    number = _PLAIN.match(high)
    if number and _PLAIN.fullmatch(low):
        if dashed and _size(low) >= _size(number[0]):
            return None  # a difference
        low += high[number.end() :]
    return low, high


def _size(number: str) -> float:
    return float(number.replace(",", ""))


# --- judging ---


def judge_number(draw: Draw, check: str, typed: Typed, situation: Situation) -> NumberVerdict:
    """Return the verdict on a number that was read.

    It is held against the truth and against what follows from the candidate's own earlier numbers;
    the better of the two counts. Raises `ValueError` for what has no value.
    """
    value = typed.value
    if value is None:
        raise ValueError("there is no value to judge")
    situation = _with(situation, typed.assumed)
    tolerance = float(draw.formulas.tolerance(check))
    truth, own = _truths(draw, check, situation)
    bands = [_band(value, one, tolerance) for one in (truth, own)]
    carried = (_rank(bands[1]), abs(_log(value, own))) < (_rank(bands[0]), abs(_log(value, truth)))
    target, band = (own, bands[1]) if carried else (truth, bands[0])
    covered = None
    if typed.low is not None and typed.high is not None:
        covered = any(typed.low <= one <= typed.high for one in (truth, own))
    miss = Miss(value, target, typed.reading, carried=carried, inside=band == "exact")
    return NumberVerdict(
        band,
        value,
        target,
        _ratio(value, target),
        carried and _rank(bands[1]) < _rank(bands[0]) and band in {"exact", "close"},
        typed.message,
        covered,
        partial(diagnose, draw, draw.formulas.checks[check], miss, situation),
    )


def _with(situation: Situation, assumed: Mapping[str, Fraction]) -> Situation:
    return situation._replace(assumed={**situation.assumed, **assumed})


def _truths(draw: Draw, check: str, situation: Situation) -> tuple[Fraction, Fraction]:
    """What a check comes to from the facts, and from the candidate's earlier numbers."""
    return expected(draw, check, situation, carried=False), expected(draw, check, situation)


def _rank(band: Band) -> int:
    return BANDS.index(band)


def _ratio(value: Fraction, truth: Fraction) -> float:
    if not truth:
        return 1.0 if not value else math.inf
    return float(value / truth)


def _log(value: Fraction, truth: Fraction) -> float:
    """ln(value / truth); infinite where the two have no ratio above zero."""
    ratio = _ratio(value, truth)
    return math.log(ratio) if 0 < ratio < math.inf else math.inf


def _band(value: Fraction, truth: Fraction, tolerance: float) -> Band:
    ratio, distance = _ratio(value, truth), abs(_log(value, truth))
    if min(distance, abs(ratio - 1)) <= tolerance + EDGE:
        return "exact"
    if min(distance, abs(ratio - 1)) <= CLOSE + EDGE:
        return "close"
    if distance <= BALLPARK + EDGE:
        return "ballpark"
    return "order" if distance <= ORDER + EDGE else "off"
