"""What is said about an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from drillkit.algebra.format import format_number

VerdictKind = Literal[
    "correct",
    "correct_note",
    "misconception",
    "close",
    "wrong",
    "wrong_unit",
    "unclear",
    "invalid",
    "rejected",
]

FREE: frozenset[VerdictKind] = frozenset({"unclear", "invalid", "rejected"})
"""Verdicts that cost no attempt: the answer was not understood."""


WORDS: dict[VerdictKind, str] = {
    "correct": "Right.",
    "correct_note": "Right.",
    "misconception": "Not right.",
    "close": "Close, but outside the tolerance.",
    "wrong": "Not right.",
    "wrong_unit": "Not in the unit that is asked for.",
    "unclear": "Unclear; this costs no try.",
    "invalid": "Not readable; this costs no try.",
    "rejected": "Too long; this costs no try.",
}


class Named(NamedTuple):
    """A mistake with a name: its stable id, and one sentence on it."""

    id: str
    says: str


class Verdict(NamedTuple):
    """The judgement of one answer.

    `reading` says what was understood or why nothing was, `note` what to remark, `distance` how far
    off the value is; `slips` are the mistakes that explain it, the nearest first.
    """

    kind: VerdictKind
    reading: str
    note: str = ""
    distance: str = ""
    slips: tuple[Named, ...] = ()

    @property
    def id(self) -> str:
        """The stable id: `correct`, `misconception:gb_gib` and so on."""
        return f"misconception:{self.slips[0].id}" if self.kind == "misconception" else self.kind

    @property
    def right(self) -> bool:
        """Whether the answer counts as right."""
        return self.kind in {"correct", "correct_note"}

    @property
    def told(self) -> str:
        """The judgement in words: how it was read, what it is, which mistake explains it."""
        far = self.distance and f"It is {self.distance}."
        parts = (self.reading, WORDS[self.kind], far, self.note, *(one.says for one in self.slips))
        sentences = (part[:1].upper() + part[1:] for part in parts if part)
        return " ".join(one if one.endswith((".", ")")) else f"{one}." for one in sentences)

    @property
    def costs_attempt(self) -> bool:
        """Whether an attempt is used up."""
        return self.kind not in FREE


def told_distance(value: Fraction, truth: Fraction) -> str:
    """How far a value is off in words: `3.6 % too large`, `8 times too small`."""
    if abs(value - truth) <= abs(truth) / 10**9:
        return "exact"
    if not truth:
        return "not zero"
    if not value:
        return "zero"
    ratio = value / truth
    if ratio < 0:
        return "of the opposite sign"
    if Fraction(1, 2) < ratio < 2:
        side = "large" if ratio > 1 else "small"
        return f"{format_number(abs(ratio - 1) * 100, 2)} % too {side}"
    if ratio >= 2:
        return f"{format_number(ratio, 3)} times too large"
    return f"{format_number(1 / ratio, 3)} times too small"
