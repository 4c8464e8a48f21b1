"""The debrief of a round: own grades beside what happened, and the model answer.

The model answer stays shut until the round is over and the candidate has graded it blind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.outcome import UnreadableError
from drillkit.errors import DrillkitError
from drillkit.numeric.wording import ANSWER_FIGURES, PLACEHOLDER, suited
from drillkit.rounds.evidence import evidence, marks_of
from drillkit.rounds.findings import asked_facts
from drillkit.rounds.layout import judge_layout, model_layout
from drillkit.rounds.rubric import rubric
from drillkit.rounds.solve import expected, fill_text
from drillkit.rounds.timing import left_at, phase_times, situation_at
from drillkit.rounds.verdict import verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from drillkit.content.round import Check, Fact, Phase, Point, Row
    from drillkit.rounds.events import Mark
    from drillkit.rounds.evidence import Evidence
    from drillkit.rounds.layout import LayoutVerdict
    from drillkit.rounds.number import Band
    from drillkit.rounds.records import Laid, Thrown
    from drillkit.rounds.rubric import RowRubric
    from drillkit.rounds.state import State
    from drillkit.rounds.timing import PhaseTime
    from drillkit.rounds.verdict import Verdict

NO_NUMBER = "—"


class PointMark(NamedTuple):
    """A point of the model answer; `name` is its place, `own` says who marked it."""

    name: str
    point: Point
    says: str
    mark: Mark
    own: bool


class LayoutPair(NamedTuple):
    """The candidate's layout of a phase and the model's, each with its rules and margins."""

    phase: str
    laid: Laid | None
    model: dict[str, int]
    model_verdict: LayoutVerdict


class PhaseModel(NamedTuple):
    """What a strong engineer writes in a phase, and its points."""

    phase: Phase
    lines: tuple[str, ...]
    points: tuple[PointMark, ...]


class CheckRow(NamedTuple):
    """A number that was asked for. Without one that was given in time `mine` is a dash."""

    check: Check
    phase: str
    ask: str
    mine: str
    expected: str
    ratio: float | None = None
    band: Band | None = None
    diagnosis: tuple[str, ...] = ()
    follows: bool = False
    revised: bool = False


class CurveballRow(NamedTuple):
    """A curveball that came: what was said, answered, how late, and what a strong answer says."""

    thrown: Thrown
    latency_s: float | None
    model: str
    points: tuple[PointMark, ...]


class FactRow(NamedTuple):
    """A required fact, and whether it was asked for or had to be told."""

    fact: Fact
    asked: bool


class Difference(NamedTuple):
    """A row on which the candidate and the evidence differ by a grade or more."""

    row: RowRubric
    own: int
    suggested: int


class Drift(NamedTuple):
    """A row that was graded again on another day."""

    row: RowRubric
    first: int
    again: int


class NextStep(NamedTuple):
    """What to do next; `sprint` is the phase to play alone, "" for all of them, None for none."""

    told: str
    sprint: str | None = None


@dataclass(frozen=True)
class Debrief:
    """All that is told after a round. Verdicts are None where nothing is graded."""

    rubric: tuple[RowRubric, ...]
    evidence: Evidence
    own: Mapping[Row, int]
    own_verdict: Verdict | None
    suggested: Mapping[Row, int]
    suggested_verdict: Verdict | None
    differences: tuple[Difference, ...]
    phases: tuple[PhaseModel, ...]
    checks: tuple[CheckRow, ...]
    layouts: tuple[LayoutPair, ...]
    curveballs: tuple[CurveballRow, ...]
    facts: tuple[FactRow, ...]
    timeline: tuple[PhaseTime, ...]
    drift: tuple[Drift, ...]
    next_step: NextStep


def debrief(state: State) -> Debrief:
    """Return the debrief of a round.

    Raises `DrillkitError` while the round goes on, and before it was graded blind.
    """
    if not state.over:
        raise DrillkitError("the round goes on", hint="end it first")
    if not state.opened:
        raise DrillkitError(
            "the model answer is shut until you have graded yourself", hint="grade the rows first"
        )
    rows = rubric(state.started.round, state.started.level)
    shown = evidence(state)
    own = own_grades(state)
    marks = marks_of(state)
    return Debrief(
        rubric=rows,
        evidence=shown,
        own=own,
        own_verdict=verdict_or_none(own, rows),
        suggested=shown.suggested,
        suggested_verdict=verdict_or_none(shown.suggested, rows),
        differences=differences(own, shown, rows),
        phases=tuple(_phase_model(state, planned.phase, marks) for planned in state.plan),
        checks=tuple(
            _check_row(state, planned.phase, check)
            for planned in state.plan
            for check in planned.phase.checks
        ),
        layouts=tuple(
            _layout_pair(state, planned.phase)
            for planned in state.plan
            if planned.phase.plan is not None
        ),
        curveballs=tuple(_curveball_row(state, thrown, marks) for thrown in state.curveballs),
        facts=fact_rows(state),
        timeline=phase_times(state),
        drift=_drift(state, rows),
        next_step=_next_step(state, own or shown.suggested, rows),
    )


# --- grades --------------------------------------------------------------------------------------


def own_grades(state: State) -> dict[Row, int]:
    """Return the grades that the candidate gave on the day of the round."""
    return {row: graded.grade for row, graded in state.grades.items()}


def verdict_or_none(grades: Mapping[Row, int], rows: tuple[RowRubric, ...]) -> Verdict | None:
    """Return the verdict of grades, or None where there are none."""
    return verdict_of(grades, rows) if grades else None


def differences(
    own: Mapping[Row, int], shown: Evidence, rows: tuple[RowRubric, ...]
) -> tuple[Difference, ...]:
    """Return the rows on which own grades and evidence differ by one or more."""
    suggested = shown.suggested
    return tuple(
        Difference(row, own[row.row], suggested[row.row])
        for row in rows
        if row.row in own and row.row in suggested and own[row.row] != suggested[row.row]
    )


def _drift(state: State, rows: tuple[RowRubric, ...]) -> tuple[Drift, ...]:
    return tuple(
        Drift(row, state.grades[row.row].grade, state.regrades[row.row].grade)
        for row in rows
        if row.row in state.grades and row.row in state.regrades
    )


# --- the model answer ----------------------------------------------------------------------------


def _phase_model(state: State, phase: Phase, marks: Mapping[str, Mark]) -> PhaseModel:
    left_s = left_at(state, phase.id)
    lines = tuple(model_text(state, line, left_s) for line in phase.model)
    return PhaseModel(phase, lines, _points(state, phase.id, phase.points, left_s, marks))


def model_text(state: State, text: str, at_s: float) -> str:
    """Return a text of the model answer with its numbers, as facts stood at that second."""
    facts = situation_at(state, at_s)
    claims = (thrown.claim for thrown in state.curveballs if thrown.at_s == at_s and thrown.claim)
    text = text.replace("{claim}", next(claims, "the claim"))
    fields: dict[str, int] = {}
    if set(PLACEHOLDER.findall(text)) - state.draw.units.keys():
        for phase in state.started.round.phases:
            if phase.plan is not None:
                fields |= model_layout(state.draw, phase.id, facts)
    return fill_text(state.draw, text, facts, fields)


def _points(
    state: State,
    place: str,
    points: tuple[Point, ...],
    at_s: float,
    marks: Mapping[str, Mark],
) -> tuple[PointMark, ...]:
    rows: list[PointMark] = []
    for point in points:
        name = f"{place}/{point.id}"
        says = model_text(state, point.say, at_s)
        rows.append(PointMark(name, point, says, marks[name], name in state.marks))
    return tuple(rows)


def _check_row(state: State, phase: Phase, check: Check) -> CheckRow:
    unit = state.draw.units[check.id]
    ask = model_text(state, check.ask, left_at(state, phase.id))
    number = state.judged_number(check.id)
    if number is None:
        try:
            truth = suited(_truth(state, phase, check), unit, ANSWER_FIGURES)
        except UnreadableError:
            truth = NO_NUMBER
        return CheckRow(check, phase.id, ask, NO_NUMBER, truth)
    verdict = number.verdict
    return CheckRow(
        check,
        phase.id,
        ask,
        number.text,
        suited(verdict.expected, unit, ANSWER_FIGURES),
        verdict.ratio,
        verdict.band,
        verdict.diagnosis,
        verdict.follows,
        number.revised,
    )


def _truth(state: State, phase: Phase, check: Check) -> Fraction:
    facts = situation_at(state, left_at(state, phase.id))
    return expected(state.draw, check.id, facts, carried=False)


def _layout_pair(state: State, phase: Phase) -> LayoutPair:
    facts = situation_at(state, left_at(state, phase.id))
    model = model_layout(state.draw, phase.id, facts)
    verdict = judge_layout(state.draw, phase.id, model, facts)
    return LayoutPair(phase.id, state.judged_layout(phase.id), model, verdict)


def _curveball_row(state: State, thrown: Thrown, marks: Mapping[str, Mark]) -> CurveballRow:
    latency = None if thrown.answered_s is None else thrown.answered_s - thrown.at_s
    model = model_text(state, thrown.curveball.model, thrown.at_s)
    curveball = thrown.curveball
    points = _points(state, curveball.id, curveball.points, thrown.at_s, marks)
    return CurveballRow(thrown, latency, model, points)


def fact_rows(state: State) -> tuple[FactRow, ...]:
    """Return the facts that the plan needs, asked for or told; none where all were told at once."""
    if not any(planned.phase.row == "scope" for planned in state.plan):
        return ()
    asked = asked_facts(state)
    return tuple(
        FactRow(fact, fact.symbol in asked) for fact in state.started.round.facts if fact.required
    )


# --- what to do next -----------------------------------------------------------------------------


def _next_step(state: State, grades: Mapping[Row, int], rows: tuple[RowRubric, ...]) -> NextStep:
    """Name the row that costs most, and what to do about it."""
    graded = [row for row in rows if row.row in grades]
    if not graded:
        return NextStep("Grade yourself first: the weakest row says what to do next.")
    weakest = max(graded, key=lambda row: row.weight * (4 - grades[row.row]))
    grade = grades[weakest.row]
    if grade == 4:
        told = "Every row is a 4: play this round again at the next level, or another one."
        return NextStep(told)
    told = f"{weakest.title} ({grade} of 4, weight {weakest.weight}) costs most"
    phases = [planned.phase for planned in state.plan if planned.phase.row == weakest.row]
    if not phases:
        advice = "play a sprint of all phases and say each decision with its reason."
        return NextStep(f"{told}: {advice}", "")
    names = " and ".join(phase.title or phase.id for phase in phases)
    drills = sorted({check.drill for phase in phases for check in phase.checks if check.drill})
    also = f", and drill {', '.join(drills)}" if drills else ""
    # What a 2 is told is still a fault; nobody aims there.
    aim = weakest.anchors[max(grade, 2)]
    return NextStep(f"{told}: play a sprint of {names}{also}; aim at: {aim}", phases[0].id)
