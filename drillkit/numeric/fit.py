"""Judging an answer to a variant; a fit question takes yes or no and by how much."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra.units import DATA
from drillkit.numeric.judge import CLOSE, judge
from drillkit.numeric.verdict import Named, Verdict, VerdictKind, told_distance
from drillkit.numeric.wording import answered

if TYPE_CHECKING:
    from drillkit.algebra.answer import Reading
    from drillkit.algebra.units import Unit
    from drillkit.numeric.variant import Variant

_YES = re.compile(r"\s*(?:yes|y|it fits|fits)\b[\s,;:.]*(?:by|with)?\s*", re.IGNORECASE)
_NO = re.compile(
    r"\s*(?:no|n|it does not fit|it doesn't fit|does not fit|doesn't fit)\b[\s,;:.]*"
    r"(?:by|with|is|it is)?\s*",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"\s*(?:to spare|left|free|spare|of room|too much|over|short|missing|too many)[\s.]*$",
    re.IGNORECASE,
)
_SIGN = re.compile(r"\s*([+\-−–])\s*(?=[\d.$])")
MOST_TEXT = 400


def judge_variant(text: str, variant: Variant) -> Verdict:
    """Return the verdict on an answer to a variant; it never raises on any text."""
    if variant.limit is None:
        return judge(text, variant.question)
    return _judge_fit(text, variant, variant.limit)


def _judge_fit(text: str, variant: Variant, limit: Fraction) -> Verdict:
    if len(text) > MOST_TEXT:
        return Verdict("rejected", f"longer than {MOST_TEXT} characters")
    room = variant.truth
    fits = room > 0
    no, yes = _NO.match(text), _YES.match(text)
    signed = None if no or yes else _SIGN.match(text)
    word = no or yes or signed
    unit = variant.asking.unit
    if word is None:
        example = answered(12 * unit.factor, unit, exact=True, within=Fraction(0))
        return Verdict("unclear", f"say yes or no first, then by how much: yes, {example}")
    said = signed[1] == "+" if signed else no is None
    rest = _TRAILER.sub("", text[word.end() :])
    if not rest.strip():
        return Verdict("unclear", f"read as {'yes' if said else 'no'}; say also by how much")
    reading = variant.question.read(rest)
    if reading.outcome != "value":
        return Verdict(reading.outcome, reading.message)
    if signed:
        reading = _with_word(reading, said=said)
    size = abs(reading.quantity.value)
    typed = size if said else -size
    # The tolerance is one of the limit: who is 1 % off in the total may be 10 % off in the rest.
    allowed = variant.asking.within * abs(limit)
    if signed and (reading.unit is None or (said != fits and abs(typed + room) <= allowed)):
        # Of what is left, or of what is too much? The other sign would be right.
        return Verdict("unclear", "a sign alone can mean either: say yes or no first")
    remarks = "; ".join(reading.remarks)
    distance = told_distance(typed, room)
    if said == fits and abs(typed - room) <= allowed:
        return Verdict("correct_note" if remarks else "correct", reading.message, remarks, distance)
    near = [one for one in variant.question.slips if abs(typed - one.value) <= allowed]
    if near:
        best = min(near, key=lambda one: abs(typed - one.value))
        named = tuple(Named(one.id, one.says) for one in near if one.value == best.value)
        return Verdict("misconception", reading.message, remarks, distance, named)
    if said != fits:
        return Verdict("wrong", reading.message, _truth(unit, fits=fits), distance)
    kind: VerdictKind = "close" if abs(typed - room) <= CLOSE * abs(limit) else "wrong"
    return Verdict(kind, reading.message, remarks, distance)


def _with_word(reading: Reading, *, said: bool) -> Reading:
    """A value with a sign alone, as the yes or no that it was read as."""
    word = "yes" if said else "no"
    return reading._replace(message=reading.message.replace("read as ", f"read as {word}, ", 1))


def _truth(unit: Unit, *, fits: bool) -> str:
    if unit.dimension == DATA:
        return "it fits" if fits else "it does not fit"
    return "the answer is yes" if fits else "the answer is no"
