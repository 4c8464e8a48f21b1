"""A scripted candidate on a clock of its own: the test of a round, without a screen.

Scripts are stored beside the round. `right` stands for the right number, so that one script plays
every seed; `right * 2` is a mistake.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.clock import ManualClock, Moment
from drillkit.content.round import LEVELS
from drillkit.errors import DrillkitError, UsageError
from drillkit.numeric.wording import suited
from drillkit.rounds.layout import model_layout
from drillkit.rounds.sitting import Sitting
from drillkit.rounds.solve import expected

if TYPE_CHECKING:
    from drillkit.content.round import Level, Round, Script, ScriptStep
    from drillkit.rounds.events import Mode
    from drillkit.rounds.state import State

START = Moment(1_767_258_000_000)
"""Scripts begin at nine o'clock on 1 January 2026, in UTC, wherever and whenever they run."""

END = "end"
_RIGHT = re.compile(r"right\s*(?:([*/])\s*(\d{1,15}(?:\.\d{1,15})?))?")


def run_script(round_: Round, script: Script, seed: int | None = None) -> State:
    """Return what comes of a scripted round, ended and graded as the script says.

    Raises `DrillkitError` with the script's place for a step that cannot be done.
    """
    clock = ManualClock(START)
    sitting = Sitting.begin(
        None,
        clock,
        round_,
        seed=script.seeds[0] if seed is None else seed,
        mode=_mode(script),
        level=_level(script, round_),
    )
    candidate = _Candidate(sitting, clock, script)
    for step in script.steps:
        candidate.wait_until(step.at_s)
        try:
            candidate.do(step)
        except DrillkitError as error:
            minute = f"{step.at_s // 60}:{step.at_s % 60:02d}"
            raise DrillkitError(
                f"script {script.name} at {minute}: {error.what}",
                where=script.path,
                hint=error.hint,
            ) from None
    candidate.wait_until(int(sitting.state.total_s))
    sitting.finish()
    for row, grade in script.grades:
        sitting.grade(row, grade)
    sitting.open_model()
    return sitting.state


def _mode(script: Script) -> Mode:
    match script.mode:
        case "interview" | "practice" | "sprint" as mode:
            return mode
    raise UsageError(f"there is no mode {script.mode!r}", hint="interview, practice or sprint")


def _level(script: Script, round_: Round) -> Level:
    return next((level for level in LEVELS if level == script.level), round_.level)


class _Candidate:
    def __init__(self, sitting: Sitting, clock: ManualClock, script: Script) -> None:
        self.sitting = sitting
        self.clock = clock
        self.script = script
        self.answers = dict(script.answers)

    def wait_until(self, second: int) -> None:
        """Let the seconds pass one by one, and answer what the interviewer asks meanwhile."""
        while self.sitting.elapsed_s < second and not self.sitting.state.over:
            self.clock.advance(1)
            self.sitting.tick()
            thrown = self.sitting.state.open_curveball
            if thrown is None or thrown.curveball.id not in self.answers:
                continue
            if self.sitting.elapsed_s >= thrown.at_s + self.script.answer_after_s:
                self.sitting.answer(self.answers[thrown.curveball.id])

    def do(self, step: ScriptStep) -> None:
        sitting = self.sitting
        for words in step.ask:
            sitting.ask(words)
        if step.write:
            sitting.write(f"{sitting.state.board.rstrip()}\n{step.write.rstrip()}\n")
        for symbol, text in step.assume:
            sitting.assume(symbol, text)
        for check, text in step.number:
            sitting.number(check, self._number(check, text))
        if step.layout or step.model_layout:
            sitting.layout(self._layout(step))
        if step.answer and sitting.state.open_curveball is not None:
            sitting.answer(step.answer)
        if step.away_s:
            self.clock.advance(step.away_s)
            sitting.tick()
            sitting.settle_away(counted=False)
        if step.phase:
            self._move(step.phase)

    def _number(self, check: str, text: str) -> str:
        found = _RIGHT.fullmatch(text.strip())
        if found is None:
            return text
        state = self.sitting.state
        value = expected(state.draw, check, state.situation)
        sign, factor = found.groups()
        if sign and not Fraction(factor):
            raise UsageError(f"{text!r} is no mistake of anybody", hint="right * 2, right / 1024")
        if sign:
            value = value * Fraction(factor) if sign == "*" else value / Fraction(factor)
        return suited(value, state.draw.units[check])

    def _layout(self, step: ScriptStep) -> dict[str, int]:
        state = self.sitting.state
        if step.model_layout:
            return model_layout(state.draw, state.phase.id, state.situation)
        return {name: int(value) for name, value in step.layout}

    def _move(self, phase: str) -> None:
        state = self.sitting.state
        last = state.index == len(state.plan) - 1
        following = END if last else state.plan[state.index + 1].phase.id
        if phase != following:
            raise UsageError(f"the phase after {state.phase.id} is {following}, not {phase}")
        self.sitting.next_phase()
