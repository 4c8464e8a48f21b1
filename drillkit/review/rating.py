"""The four ratings a person gives to a recall."""

from __future__ import annotations

from enum import IntEnum

from drillkit.errors import UsageError


class Rating(IntEnum):
    """How a recall went, from forgotten to effortless; the numbers are the keys that give it."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4

    @property
    def label(self) -> str:
        """The rating in a word: again, hard, good or easy."""
        return self.name.lower()

    @classmethod
    def named(cls, text: str) -> Rating:
        """Read a rating from its word or its digit; raise `UsageError` for anything else."""
        for rating in cls:
            if text.strip().lower() in (rating.label, str(rating.value)):
                return rating
        told = f"{text!r} is no rating" if text.strip() else "no rating was given"
        raise UsageError(told, hint="use again, hard, good or easy")
