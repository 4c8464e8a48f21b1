"""Judging an answer to a variant; a fit question takes yes or no and by how much."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from drillkit.numeric.judge import Question, Slip, judge
from drillkit.numeric.verdict import Verdict

if TYPE_CHECKING:
    from fractions import Fraction

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
    word, said = no or yes, no is None
    if word is None:
        return Verdict("unclear", "say yes or no first, then by how much: yes, 12 GB to spare")
    rest = _TRAILER.sub("", text[word.end() :])
    if not rest.strip():
        return Verdict("unclear", f"read as {'yes' if said else 'no'}; say also by how much")
    # The tolerance is one of the limit: who is 1 % off in the total may be 10 % off in the rest.
    size = abs(room)
    within = variant.asking.within * abs(limit) / size
    slips = tuple(
        Slip(slip.id, abs(slip.value), slip.says)
        for slip in variant.question.slips
        if (slip.value > 0) == said
    )
    if said != fits:
        # Only a mistake leads to the other answer: nothing is right on this side.
        verdict = judge(rest, Question(-size, variant.asking.unit, within, slips, generic=False))
        if verdict.kind in {"misconception", "unclear", "invalid", "rejected", "wrong_unit"}:
            return verdict
        note = "it does not fit" if said else "it fits"
        return Verdict("wrong", verdict.reading, note, slips=())
    return judge(rest, Question(size, variant.asking.unit, within, slips, dict(variant.values)))
