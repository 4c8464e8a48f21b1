"""What a row's grade does not exceed, and why: what no number of good words makes up for.

A score adds up what was done, so a board full of the right words could outweigh numbers that are
missing, and right numbers without a word on how they came about. No interviewer grades like that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drillkit.counted import counted
from drillkit.rounds.findings import FEW_WORDS, WORTH_MARK
from drillkit.rounds.mentions import HEADING, says_something, sections
from drillkit.rounds.pace import minutes_of
from drillkit.rounds.solve import fill_text
from drillkit.rounds.timing import left_at, phase_times, reached_phases, situation_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from drillkit.content.round import Phase, Row
    from drillkit.rounds.events import Mark
    from drillkit.rounds.state import State

LEAST_RIGHT = 1 / 3
"""With a smaller part of its numbers right, a row's words decide nothing."""

POOR_ANSWERS, GOOD_ANSWERS = 1 / 4, 3 / 4
"""From so large a part of their points on, answers to interruptions are fair, and good."""

LEAST_TIME = 2 / 3
"""Who ends a round sooner has left out what the time is for."""

MOST_UNREACHED = 1 / 4
"""So large a part of the phases may be left out before the pace is what the round hangs on."""


class Ceiling(NamedTuple):
    """The best grade that a row can get, and why."""

    grade: int
    why: str


def ceilings(state: State, row: Row, marks: Mapping[str, Mark]) -> Iterator[Ceiling]:
    """Yield what holds a row's grade down, given which points were made.

    Only what was in time counts.
    """
    phases = [planned.phase for planned in state.plan if planned.phase.row == row]
    if row == "communication":
        yield from _of_conduct(state, marks)
    if row in {"scope", "communication"} or not phases:
        return
    if not {phase.id for phase in phases} & reached_phases(state):
        yield Ceiling(1, "not reached in time")
    yield from _of_numbers(state, phases)
    if sum(_words_in(state, phase) for phase in phases) < FEW_WORDS * len(phases):
        yield Ceiling(2, "next to nothing on the board, so nobody can follow the numbers")


def written_in(state: State, phase: str) -> str:
    """Return what the board has under the heading of a phase.

    That is the whole board where a phase was reached and its heading is gone.
    """
    found = sections(state.judged_board).get(phase)
    if found is None and phase in reached_phases(state):
        return HEADING.sub("", state.judged_board)
    return found or ""


def _words_in(state: State, phase: Phase) -> int:
    """The words of a phase: those typed in it, or those on the board under its heading."""
    typed = next((one.words for one in phase_times(state) if one.planned.phase is phase), 0)
    return max(typed, len(written_in(state, phase.id).split()))


class _Asked(NamedTuple):
    """A number or a layout that was asked for; `right` is None where none was given in time."""

    told: str
    weight: int
    right: bool | None


def _asked(state: State, phase: Phase) -> Iterator[_Asked]:
    facts = situation_at(state, left_at(state, phase.id))
    for check in phase.checks:
        number = state.judged_number(check.id)
        right = None if number is None else number.good
        yield _Asked(fill_text(state.draw, check.ask, facts), check.weight, right)
    if phase.plan is not None:
        laid = state.judged_layout(phase.id)
        right = None if laid is None else laid.verdict.right
        yield _Asked("a layout that breaks a rule", phase.plan.weight, right)


def _of_numbers(state: State, phases: list[Phase]) -> Iterator[Ceiling]:
    asked = [one for phase in phases for one in _asked(state, phase)]
    right = sum(one.weight for one in asked if one.right)
    wrong = [one.told for one in asked if one.right is False]
    if asked and right < LEAST_RIGHT * sum(one.weight for one in asked):
        yield Ceiling(2, "less than a third of its numbers is right, and words do not replace them")
    elif wrong:
        yield Ceiling(3, f"left uncorrected: {'; '.join(wrong)}")
    written = "".join(written_in(state, phase.id) for phase in phases)
    if not asked and not any(sign.isdigit() for sign in written):
        yield Ceiling(3, "words without a single figure")


def _of_conduct(state: State, marks: Mapping[str, Mark]) -> Iterator[Ceiling]:
    for thrown in state.curveballs:
        if thrown.challenged == "gave in":
            yield Ceiling(2, "gave up a right number because somebody doubted it")
        if thrown.challenged == "stood by a wrong number":
            yield Ceiling(2, "stood by a wrong number when it was doubted")
    answers = [thrown.text for thrown in state.curveballs if thrown.outcome == "answered"]
    told = sum(says_something(text) for text in answers)
    if told * 2 < len(state.curveballs):
        why = f"{told} of {counted(len(state.curveballs), 'interruption')} got an answer"
        yield Ceiling(2, why)
    elif state.curveballs and not any(sign.isdigit() for text in answers for sign in text):
        yield Ceiling(3, "no answer to an interruption has a number in it")
    made = [
        WORTH_MARK[marks[f"{thrown.curveball.id}/{point.id}"]]
        for thrown in state.curveballs
        for point in thrown.curveball.points
    ]
    if sum(made) < POOR_ANSWERS * len(made):
        yield Ceiling(2, "the answers to interruptions miss the point")
    elif sum(made) < GOOD_ANSWERS * len(made):
        yield Ceiling(3, "the answers to interruptions leave out too much")
    ended_s = state.elapsed_s if state.ended_s is None else state.ended_s
    if ended_s < LEAST_TIME * state.total_s:
        yield Ceiling(2, f"ended at {minutes_of(ended_s)} of {minutes_of(state.total_s)}")
    times = phase_times(state)
    missed = sum(not one.reached for one in times)
    if missed:
        least = 2 if missed >= MOST_UNREACHED * len(times) else 3
        yield Ceiling(least, f"{counted(missed, 'phase')} not reached in time")
