"""One variant in front of a person: hints taken, answers tried, what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from drillkit.numeric.fit import judge_variant

if TYPE_CHECKING:
    from drillkit.numeric.variant import Variant
    from drillkit.numeric.verdict import Verdict

MOST_ATTEMPTS = 3
CONFIDENCES = (50, 70, 90)


class Result(NamedTuple):
    """How an attempt went: its verdict, a score from 0 to 1, and why in one sentence."""

    verdict: Literal["right", "close", "wrong"]
    score: float
    remark: str


class Attempt:
    """Tries at one variant. It is over once an answer is right, or all tries are used, or given up.

    `confidence` is what the person said before the first verdict, in percent, or None.
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.verdicts: list[Verdict] = []
        self.typed: list[str] = []
        self.hints_shown = 0
        self.confidence: int | None = None
        self.given_up = False

    @property
    def tries_left(self) -> int:
        return MOST_ATTEMPTS - sum(verdict.costs_attempt for verdict in self.verdicts)

    @property
    def solved(self) -> bool:
        return any(verdict.right for verdict in self.verdicts)

    @property
    def over(self) -> bool:
        return self.solved or self.given_up or self.tries_left <= 0

    def hint(self) -> str:
        """Return the next hint, or nothing when all are shown."""
        hints = self.variant.hints
        if self.hints_shown >= len(hints):
            return ""
        self.hints_shown += 1
        return hints[self.hints_shown - 1]

    def submit(self, text: str) -> Verdict:
        """Judge an answer; one that cannot be understood costs no try."""
        verdict = judge_variant(text, self.variant)
        self.verdicts.append(verdict)
        self.typed.append(text)
        return verdict

    def give_up(self) -> None:
        """End it without a (further) answer."""
        self.given_up = True

    def result(self, think_s: float) -> Result:
        """Return how it went.

        Right at the first try, without hints and in the family's time is right; right some other
        way is close; anything else is wrong.
        """
        if not self.solved:
            return Result("wrong", 0.0, "Given up." if self.given_up else "Not solved.")
        but = []
        tries = sum(verdict.costs_attempt for verdict in self.verdicts)
        if tries > 1:
            but.append(f"at try {tries}")
        if self.hints_shown:
            but.append(f"with {self.hints_shown} hint" + ("s" if self.hints_shown > 1 else ""))
        seconds = self.variant.problem.seconds
        if think_s > seconds:
            but.append(f"in {think_s:.0f} s, {seconds} s was the aim")
        if but:
            return Result("close", 0.7, f"Right, {', '.join(but)}.")
        return Result("right", 1.0, "Right.")

    def record(self) -> dict[str, Any]:
        """Return what happened, for the log."""
        return {
            "find": self.variant.find.symbol,
            "seed": self.variant.seed,
            "typed": self.typed,
            "verdicts": [verdict.id for verdict in self.verdicts],
            "hints": self.hints_shown,
            "confidence": self.confidence,
            "given_up": self.given_up,
        }
