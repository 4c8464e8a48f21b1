"""What a machine can say of an answer: right or wrong, how near, and which rating that suggests.

A grade only proposes: the person rates.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from drillkit.errors import DrillkitError
from drillkit.review.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from drillkit.algebra.expression import Quantity
    from drillkit.algebra.units import Unit
    from drillkit.review.question import Arrange, Choose, Estimate, Fill

Verdict = Literal["right", "close", "wrong"]

# Two texts this alike differ by a slip of the fingers.
ALIKE = 0.84
# Within this factor an estimate is the right order of magnitude, if not the number.
NEAR_FACTOR = 1.5


@dataclass(frozen=True)
class Grade:
    """`score` is 0 to 1; `remark` says why in one sentence."""

    verdict: Verdict
    score: float
    remark: str

    @property
    def proposal(self) -> Rating:
        return {"right": Rating.GOOD, "close": Rating.HARD, "wrong": Rating.AGAIN}[self.verdict]


def grade_choice(form: Choose, picked: Collection[int]) -> Grade:
    """Judge the options picked (their indexes): the right set, no more and no less."""
    right, chosen = form.right, frozenset(picked)
    if chosen == right:
        return Grade("right", 1.0, "Right.")
    score = max(0.0, (len(chosen & right) - len(chosen - right)) / len(right))
    if form.several and chosen and chosen < right:
        return Grade("wrong", score, f"Right so far, but {len(right - chosen)} more are right.")
    return Grade("wrong", score, "Not right.")


def grade_ticks(ticked: int, total: int, over_s: float = 0.0) -> Grade:
    """Judge a recalled list by the share of its points; going over time makes it at most close."""
    share = ticked / total
    late = f", {over_s:.0f} s over time" if over_s >= 1 else ""
    remark = f"{ticked} of {total} points{late}."
    if ticked == total:
        return Grade("close" if late else "right", share, remark)
    return Grade("close" if share >= 0.6 else "wrong", share, remark)


def grade_order(form: Arrange, placed: Sequence[int]) -> Grade:
    """Judge an order: exact, nearly (one swap of neighbours), or not."""
    rank = {index: place for place, index in enumerate(form.right)}
    places = [rank[index] for index in placed]
    total = len(places) * (len(places) - 1) // 2
    swapped = sum(
        first > second for position, first in enumerate(places) for second in places[position + 1 :]
    )
    score = 1 - swapped / total
    if swapped == 0:
        return Grade("right", 1.0, "In order.")
    if swapped == 1:
        at = next(n for n, (one, two) in enumerate(pairwise(places), 1) if one > two)
        return Grade("close", score, f"One swap away: {at} and {at + 1} are the wrong way round.")
    return Grade("wrong", score, f"{swapped} of {total} pairs are the wrong way round.")


def grade_fill(form: Fill, typed: str) -> Grade:
    """Judge a typed gap: the same words and numbers, a slip of spelling, or something else."""
    grade = _grade_gap(form, typed)
    alone = _without_repeat(typed, form.after)
    if grade.verdict != "right" and alone != typed:
        return _grade_gap(form, alone)
    return grade


def _without_repeat(typed: str, after: str) -> str:
    """Return what was typed without the words that stand behind the gap anyway."""
    words = after.split()
    for count in range(min(3, len(words)), 0, -1):
        tail = " ".join(words[:count]).rstrip(".,;:")
        if tail and typed.casefold().rstrip().endswith(tail.casefold()):
            return typed.rstrip()[: -len(tail)].rstrip()
    return typed


def _grade_gap(form: Fill, typed: str) -> Grade:
    given = _plain(typed)
    if not given:
        return Grade("wrong", 0.0, "Nothing typed.")
    same = {text: _same_value(typed, text) for text in form.accepted}
    # Where both are values these decide: GB is neither Gb nor a misspelt GiB.
    wanted = [_plain(text) for text in form.accepted if same[text] is not False]
    if _joined(given) in map(_joined, wanted):
        return Grade("right", 1.0, "Right.")
    if any(same.values()):
        return Grade("right", 1.0, "Right: the same value.")
    if not wanted:
        return Grade("wrong", 0.0, "Another value.")
    # Digits do not forgive a slip: 18 is not nearly 16.
    score = max(
        SequenceMatcher(None, given, text).ratio() if _digits(given) == _digits(text) else 0.0
        for text in wanted
    )
    if score >= ALIKE:
        return Grade("close", score, "Nearly: check the spelling.")
    return Grade("wrong", score, "Not the same.")


def grade_estimate(form: Estimate, typed: str) -> Grade | str:
    """Judge a typed number on a log scale: a factor of ten off scores 0.

    Returns a sentence instead of a grade when the text cannot be read as such a number; that costs
    nothing.
    """
    # Imported here: a sitting without numbers needs no algebra.
    from drillkit.algebra.answer import read_answer, read_value  # noqa: PLC0415

    truth = read_value(form.value)
    reading = read_answer(typed, _asked_in(truth))
    if not reading.ok:
        return reading.message
    given, true = float(reading.quantity.value), float(truth.value)
    allowed = float(read_value(form.within).value)
    if given == true:
        return Grade("right", 1.0, f"{reading.message}: exact.")
    if given == 0 or true == 0 or (given < 0) != (true < 0):
        return Grade("wrong", 0.0, f"{reading.message}: not even the sign or size.")
    ratio = given / true
    score = max(0.0, 1 - abs(math.log10(ratio)))
    if abs(ratio - 1) <= allowed:
        return Grade("right", score, f"{reading.message}: within {form.within}.")
    factor = max(ratio, 1 / ratio)
    way = "high" if ratio > 1 else "low"
    off = f"{abs(ratio - 1):.0%} too {way}" if factor < 2 else f"{factor:,.3g} times too {way}"
    return Grade("close" if factor <= NEAR_FACTOR else "wrong", score, f"{reading.message}: {off}.")


def _asked_in(truth: Quantity) -> Unit:
    # "14 min 8 s" has a dimension but no one unit; the base unit of its dimension asks the same.
    from drillkit.algebra.units import Unit  # noqa: PLC0415 as above

    return truth.unit or Unit("", Fraction(1), truth.dimension)


# What is typed for what stands on a card.
SIGNS = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "·": "*", "×": "*", "’": "'", "≈": " ", "~": " "}
    | {"ψ": "psi", "α": "alpha", "β": "beta", "δ": "delta", "τ": "tau"}
)
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def _plain(text: str) -> str:
    """Fold what a typist cannot be asked to match: case, spaces, signs, hyphens in words."""
    powers = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda run: "^" + run[0].translate(POWERS), text)
    folded = powers.casefold().replace("**", "^").translate(SIGNS)
    folded = re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", " ", folded)
    folded = re.sub(r"\s*([-+*/=(),])\s*", r"\1", folded)
    return " ".join(folded.split()).strip(" .;")


def _joined(text: str) -> str:
    # "allgather", "all gather" and "all-gather" are one word.
    return text.replace(" ", "")


def _digits(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", text)


def _same_value(typed: str, wanted: str) -> bool | None:
    """Tell whether two values are the same; None where one of the texts is no value."""
    if not _digits(typed) or not _digits(wanted):
        return None
    # Imported here: a sitting without numbers needs no algebra.
    from drillkit.algebra.answer import read_answer, read_value  # noqa: PLC0415

    try:
        truth = read_value(wanted)
    except DrillkitError:
        return None
    reading = read_answer(typed, _asked_in(truth))
    return reading.quantity.value == truth.value if reading.ok else None
