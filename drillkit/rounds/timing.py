"""How each phase went in time, beside its plan, and what held at a second of the round.

Overtime is left out: it is not graded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drillkit.rounds.pace import DEAD_BAND_S
from drillkit.rounds.solve import set_facts, start

if TYPE_CHECKING:
    from drillkit.rounds.pace import Planned
    from drillkit.rounds.solve import Situation
    from drillkit.rounds.state import State

HEADING_WORDS = 3
"""The heading that each phase gets on the board, `== memory ==`, is nobody's own words."""

OVERRUN_S = 60
"""A phase that takes more than a minute too long is worth a sprint."""


class PhaseTime(NamedTuple):
    """A phase as it was planned and as it went, in seconds of the round.

    `entered_s` and `left_s` are None for a phase that was not reached in time. `words` of one's
    own were written in it.
    """

    planned: Planned
    entered_s: float | None
    left_s: float | None
    words: int

    @property
    def reached(self) -> bool:
        return self.entered_s is not None

    @property
    def spent_s(self) -> float:
        """The seconds that were spent in it."""
        if self.entered_s is None or self.left_s is None:
            return 0.0
        return self.left_s - self.entered_s

    @property
    def late_s(self) -> float:
        """By how much it began later than planned; below zero: earlier."""
        return 0.0 if self.entered_s is None else self.entered_s - self.planned.start_s

    @property
    def on_plan(self) -> bool:
        """Whether it began no later than planned, a minute aside."""
        return self.entered_s is not None and self.late_s <= DEAD_BAND_S

    @property
    def over_s(self) -> float:
        """By how much it took longer than planned."""
        return max(0.0, self.spent_s - self.planned.length_s)


def phase_times(state: State) -> tuple[PhaseTime, ...]:
    """Return the times of all phases of the plan, in turn."""
    now = min(state.elapsed_s, state.total_s)
    found: list[PhaseTime] = []
    for planned in state.plan:
        name = planned.phase.id
        visit = next((one for one in state.visits if one.phase == name), None)
        words = max(0, state.words[name] - HEADING_WORDS)
        if visit is None or (visit.entered_s >= state.total_s and visit.entered_s > 0):
            found.append(PhaseTime(planned, None, None, words))
            continue
        left = now if visit.left_s is None else min(visit.left_s, state.total_s)
        found.append(PhaseTime(planned, visit.entered_s, left, words))
    return tuple(found)


def reached_phases(state: State) -> frozenset[str]:
    """Return the ids of the phases that were reached in time."""
    return frozenset(one.planned.phase.id for one in phase_times(state) if one.reached)


def overrun_s(state: State) -> float:
    """Return the seconds that all phases together took too long."""
    return sum(one.over_s for one in phase_times(state))


def left_at(state: State, phase: str) -> float:
    """Return the second at which a phase was left, or the round ended without it."""
    visit = next((one for one in state.visits if one.phase == phase), None)
    return state.elapsed_s if visit is None or visit.left_s is None else visit.left_s


def situation_at(state: State, at_s: float) -> Situation:
    """Return the facts as they stood at a second of the round, with all that was assumed."""
    facts = start(state.draw)._replace(assumed=state.situation.assumed)
    for thrown in state.curveballs:
        if thrown.at_s <= at_s:
            facts = set_facts(state.draw, facts, thrown.curveball)
    return facts
