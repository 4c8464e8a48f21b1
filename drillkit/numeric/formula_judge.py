"""A typed formula against the true one: equal where they agree at 8 exact rational points."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.answer import Reading, read_answer
from drillkit.algebra.expression import Expression, Number, Quantity, evaluate, measure
from drillkit.algebra.outcome import UnreadableError
from drillkit.numeric import slips
from drillkit.numeric.verdict import Named, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

POINTS = 8
_MOST_DRAWS = 64
_GRID = 9973
"""A prime; points lie on multiples of 1/9973 of each range, so they are never special numbers."""

_STRIDES = (3571, 7919, 1693, 5227, 8837, 2221, 6173, 4457, 9311, 947, 7057, 3163)
_AGREES = Fraction(1, 10**12)


class FormulaSlip(NamedTuple):
    """A wrong formula that an author expects, and what to say."""

    id: str
    tree: Expression
    says: str = ""


class FormulaQuestion(NamedTuple):
    """The true formula, the range of each symbol, and the wrong ones that have a name."""

    truth: Expression
    ranges: Mapping[str, tuple[Fraction, Fraction]]
    slips: tuple[FormulaSlip, ...] = ()
    generic: bool = True


def judge_formula(text: str, question: FormulaQuestion) -> Verdict:
    """The verdict on a typed formula; never raises on any text."""
    reading = read_answer(text, symbols=question.ranges)
    if reading.outcome != "value":
        return Verdict(reading.outcome, reading.message)
    try:
        pairs = _pairs(reading.tree or Number(Fraction(0)), question)
    except UnreadableError as error:
        said = f"{reading.message}, but {error.message}"
        return Verdict("rejected" if error.outcome == "rejected" else "invalid", said)
    if any(typed.dimension for typed, _, _ in pairs):
        return Verdict("wrong_unit", f"{reading.message}: a plain formula is asked for")
    return _judged(reading, question, pairs)


_Pair = tuple[Quantity, Fraction, Mapping[str, Fraction]]


def _judged(reading: Reading, question: FormulaQuestion, pairs: list[_Pair]) -> Verdict:
    remarks = "; ".join(reading.remarks)
    if all(_agree(typed.value, truth) for typed, truth, _ in pairs):
        return Verdict("correct_note" if remarks else "correct", reading.message, remarks)
    named = [
        Named(one.id, one.says)
        for one in question.slips
        if all(_agrees_with(one.tree, typed.value, point) for typed, _, point in pairs)
    ]
    if not named and question.generic:
        named = [
            found
            for found, turn in _turns()
            if all(truth and _agree(typed.value, turn(truth)) for typed, truth, _ in pairs)
        ][:1]
    if named:
        return Verdict("misconception", reading.message, remarks, slips=tuple(named))
    return Verdict("wrong", reading.message, remarks)


class _Scaled(NamedTuple):
    factor: Fraction

    def __call__(self, truth: Fraction) -> Fraction:
        return truth * self.factor


class _Complement(NamedTuple):
    def __call__(self, truth: Fraction) -> Fraction:
        return 1 - truth


class _Reciprocal(NamedTuple):
    def __call__(self, truth: Fraction) -> Fraction:
        return 1 / truth


def _turns() -> Iterator[tuple[Named, _Scaled | _Complement | _Reciprocal]]:
    yield slips.COMPLEMENT, _Complement()
    yield slips.RECIPROCAL, _Reciprocal()
    for named, factor in (
        (slips.SIGN, Fraction(-1)),
        (slips.FACTOR_TWO, Fraction(2)),
        (slips.PERCENT, Fraction(100)),
        (slips.BITS_BYTES, Fraction(8)),
        (slips.PREFIX, Fraction(10**3)),
        (slips.PREFIX, Fraction(10**6)),
        (slips.PREFIX, Fraction(10**9)),
    ):
        yield named, _Scaled(factor)
        yield named, _Scaled(1 / factor)


def _pairs(tree: Expression, question: FormulaQuestion) -> list[_Pair]:
    """Both values at 8 points where both are defined; raises UnreadableError without any."""
    found: list[_Pair] = []
    trouble: UnreadableError | None = None
    for draw in range(_MOST_DRAWS):
        point = _point(question.ranges, draw)
        try:
            found.append((measure(tree, point), evaluate(question.truth, point), point))
        except UnreadableError as error:
            trouble = trouble or error
            continue
        if len(found) == POINTS:
            return found
    raise trouble or UnreadableError("the formula has no value", hint="check its denominators")


def _point(ranges: Mapping[str, tuple[Fraction, Fraction]], draw: int) -> dict[str, Fraction]:
    point: dict[str, Fraction] = {}
    for place, (name, (low, high)) in enumerate(ranges.items()):
        stride = _STRIDES[place % len(_STRIDES)] + place
        share = Fraction((draw + 1) * stride % _GRID, _GRID)
        point[name] = low + (high - low) * share
    return point


def _agree(left: Fraction, right: Fraction) -> bool:
    return left == right or abs(left - right) <= _AGREES * abs(right)


def _agrees_with(tree: Expression, value: Fraction, point: Mapping[str, Fraction]) -> bool:
    """Whether a slip has that value there; a point where it is undefined never counts as equal."""
    try:
        return _agree(value, evaluate(tree, point))
    except UnreadableError:
        return False
