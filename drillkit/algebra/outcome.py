"""Why a text could not be read: the one exception of this room."""

from __future__ import annotations

from typing import Literal

from drillkit.errors import DrillkitError

Outcome = Literal["value", "unclear", "invalid", "rejected", "wrong_unit"]
"""How reading an answer ended; only `value` and `wrong_unit` can cost an attempt."""


class UnreadableError(DrillkitError):
    """A text with no reading (`invalid`), with several (`unclear`) or past a bound (`rejected`).

    `at` is the position in the text where the trouble was noticed, counted from 0.
    """

    outcome: Outcome = "invalid"

    def __init__(self, what: str, *, hint: str = "", at: int = 0) -> None:
        super().__init__(what, hint=hint)
        self.at = at

    @property
    def message(self) -> str:
        """Both sentences on one line: what is wrong, then what to do."""
        return f"{self.what}: {self.hint}" if self.hint else self.what


class UnclearError(UnreadableError):
    """Two readings that differ."""

    outcome: Outcome = "unclear"


class RejectedError(UnreadableError):
    """Past the reader's bounds: too long, too deep, too large."""

    outcome: Outcome = "rejected"


class UndefinedError(UnreadableError):
    """An expression without a value: a division by zero, the root of a negative number."""
