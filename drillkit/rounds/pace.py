"""The plan of a round in seconds, and how a candidate keeps to it."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drillkit.content.round import Phase

OVERTIME_S = 300
DEAD_BAND_S = 60
"""So far from the plan nobody is called behind or ahead."""


class Planned(NamedTuple):
    """A phase with its place in the plan; both in seconds of the round."""

    phase: Phase
    start_s: float
    length_s: float

    @property
    def end_s(self) -> float:
        return self.start_s + self.length_s


class Visit(NamedTuple):
    """The time a candidate spent in a phase, in seconds of the round; `left_s` None while in it."""

    phase: str
    entered_s: float
    left_s: float | None = None


class Debt(NamedTuple):
    """The seconds that an overrun takes from a later phase."""

    phase: Phase
    seconds: float


def plan_of(phases: Iterable[Phase], minutes: float) -> tuple[Planned, ...]:
    """Return the phases in turn, scaled so that together they take `minutes`."""
    chosen = tuple(phases)
    scale = 60 * minutes / sum(phase.minutes for phase in chosen)
    ends = list(accumulate(phase.minutes * scale for phase in chosen))
    starts = [0.0, *ends[:-1]]
    return tuple(
        Planned(phase, start, end - start)
        for phase, start, end in zip(chosen, starts, ends, strict=True)
    )


def pace_s(planned: Planned, entered_s: float, elapsed_s: float) -> float:
    """Return how far ahead of the plan (behind: below zero) the candidate is, in seconds.

    That is the planned start of the phase less the real one; past the phase's planned end, the
    time since then where that is worse.
    """
    late_start = planned.start_s - entered_s
    return late_start if elapsed_s <= planned.end_s else min(late_start, planned.end_s - elapsed_s)


def over_s(planned: Planned, entered_s: float, elapsed_s: float) -> float:
    """Return by how many seconds a phase takes longer than it is planned to, or zero."""
    return max(0.0, elapsed_s - entered_s - planned.length_s)


def debts(plan: Sequence[Planned], index: int, elapsed_s: float) -> tuple[Debt, ...]:
    """Return which later phases pay, and how much, when phase `index` goes on to `elapsed_s`.

    The last phases pay first, since the round ends when it ends.
    """
    owed = elapsed_s - plan[index].end_s
    found: list[Debt] = []
    for planned in reversed(plan[index + 1 :]):
        if owed < 1:
            break
        paid = min(owed, planned.length_s)
        found.append(Debt(planned.phase, paid))
        owed -= paid
    return tuple(found)


def phase_at(visits: Sequence[Visit], elapsed_s: float) -> str:
    """Return the phase in which those visits were at that second, or nothing."""
    at = ""
    for visit in visits:
        if visit.entered_s <= elapsed_s:
            at = visit.phase
    return at


def minutes_of(seconds: float) -> str:
    """A time of a round: `7:05`, `-0:35`."""
    whole = round(abs(seconds))
    sign = "-" if seconds < 0 and whole else ""
    return f"{sign}{whole // 60}:{whole % 60:02d}"
