"""What is remembered of a round: each line of talk, number, layout, curveball and absence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from drillkit.content.round import Curveball
    from drillkit.rounds.layout import LayoutVerdict
    from drillkit.rounds.number import NumberVerdict, Typed

Speaker = Literal["interviewer", "you", "clock"]
Outcome = Literal["open", "answered", "late", "skipped"]
Challenged = Literal["", "held", "corrected", "gave in", "stood by a wrong number"]


class Said(NamedTuple):
    """A line of the talk, at a second of the round."""

    at_s: float
    who: Speaker
    text: str


class Recorded(NamedTuple):
    """A number that the candidate gave. `late` ones came after the time; `revised` replace one."""

    check: str
    text: str
    phase: str
    at_s: float
    typed: Typed
    verdict: NumberVerdict
    revised: bool
    late: bool

    @property
    def good(self) -> bool:
        return self.verdict.band in {"exact", "close"}


class Laid(NamedTuple):
    """A layout that the candidate gave."""

    phase: str
    fields: dict[str, int]
    at_s: float
    verdict: LayoutVerdict
    late: bool


@dataclass(frozen=True)
class Thrown:
    """A curveball that came; `text` is the answer: what was said, else what was written since.

    A challenge claims a number, `claim`; `challenged` says what came of it.
    """

    curveball: Curveball
    phase: str
    at_s: float
    said: str
    board: str
    was_good: bool = False
    outcome: Outcome = "open"
    answered_s: float | None = None
    text: str = ""
    claim: str = ""
    challenged: Challenged = ""


class Absence(NamedTuple):
    """A time when nobody was there."""

    at_s: float
    seconds: float
    counted: bool
