"""What a round showed to be missing, as cards to be: the dearest first, and never too many.

The same miss has the same id in every round, so that nothing is written twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from drillkit.algebra.formula import parse_formula
from drillkit.algebra.units import NO_DIMENSION
from drillkit.errors import DrillkitError
from drillkit.numeric.wording import written
from drillkit.rounds.debrief import fact_rows, model_text
from drillkit.rounds.evidence import marks_of
from drillkit.rounds.findings import WORTH_BAND
from drillkit.rounds.pace import minutes_of
from drillkit.rounds.rubric import rubric
from drillkit.rounds.timing import OVERRUN_S, left_at, phase_times, reached_phases, situation_at
from drillkit.rounds.variation import family_of_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.content.problem import Problem
    from drillkit.content.round import Check, Phase, Row
    from drillkit.rounds.records import Thrown
    from drillkit.rounds.state import State

MissKind = Literal["point", "curveball", "facts", "check", "sprint"]

WEIGHT_FACTS, WEIGHT_CHECK = 2.0, 1.5
FACT_KINDS = {
    "shape": "the shape of the model",
    "data": "the data",
    "tokens": "the tokens to train on",
    "deadline": "the deadline",
    "hardware": "the hardware",
    "done": "what done means",
}


class Miss(NamedTuple):
    """Something that was missed, and the card that it becomes; a `sprint` is to be played instead.

    `points` is the answer as a list, `answer` as a sentence. A missed check has a `family` where it
    can be practised with other numbers, and may name the `drill` that trains it already.
    """

    id: str
    kind: MissKind
    phase: str
    score: float
    ask: str
    answer: str = ""
    points: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    family: Problem | None = None
    drill: str = ""


def misses(state: State) -> tuple[Miss, ...]:
    """Return what was missed, ranked by weight times miss: cards at most as the round allows.

    Proposals of a sprint come after them. Raises `DrillkitError` before the model answer is open.
    """
    if not state.opened:
        raise DrillkitError("cards come after the grading", hint="grade the rows first")
    weights = {row.row: row.weight for row in rubric(state.started.round, state.started.level)}
    found = [
        *_points(state, weights),
        *_checks(state, weights),
        *_curveballs(state, weights),
        *_facts(state, weights),
    ]
    found.sort(key=lambda miss: (-miss.score, miss.id))
    return (*found[: state.started.round.cards_max], *_sprints(state))


def _name(state: State, part: str) -> str:
    return f"{state.round_id}-{part}"


def _source(state: State) -> tuple[str, ...]:
    return (state.started.round.title,)


def _phases(state: State) -> Iterator[Phase]:
    """The phases that were reached: nobody misses what was never asked."""
    reached = reached_phases(state)
    return (planned.phase for planned in state.plan if planned.phase.id in reached)


def _points(state: State, weights: dict[Row, int]) -> Iterator[Miss]:
    marks = marks_of(state)
    for phase in _phases(state):
        left_s = left_at(state, phase.id)
        for point in phase.points:
            if marks[f"{phase.id}/{point.id}"] == "miss":
                yield Miss(
                    _name(state, point.id),
                    "point",
                    phase.id,
                    weights[phase.row] * point.weight,
                    model_text(state, point.ask, left_s),
                    model_text(state, point.say, left_s),
                    source=_source(state),
                )


def _curveballs(state: State, weights: dict[Row, int]) -> Iterator[Miss]:
    marks = marks_of(state)
    for thrown in state.curveballs:
        points = thrown.curveball.points
        if not points or not _missed(thrown, [marks[_mark_name(thrown, p.id)] for p in points]):
            continue
        yield Miss(
            _name(state, _curveball_id(state, thrown)),
            "curveball",
            thrown.phase,
            float(weights["communication"] * sum(point.weight for point in points)),
            f"“{thrown.said}” What do you say?",
            points=tuple(model_text(state, point.say, thrown.at_s) for point in points),
            source=_source(state),
        )


def _mark_name(thrown: Thrown, point: str) -> str:
    return f"{thrown.curveball.id}/{point}"


def _curveball_id(state: State, thrown: Thrown) -> str:
    """The curveball's id, told apart from a point that goes by the same."""
    round_ = state.started.round
    points = {point.id for phase in round_.phases for point in phase.points}
    points |= {point.id for one in round_.curveballs for point in one.points}
    return f"asked-{thrown.curveball.id}" if thrown.curveball.id in points else thrown.curveball.id


def _missed(thrown: Thrown, marks: list[str]) -> bool:
    """Whether an answer was not given, or made no point."""
    return thrown.outcome in {"late", "skipped"} or all(mark == "miss" for mark in marks)


def _facts(state: State, weights: dict[Row, int]) -> Iterator[Miss]:
    rows = fact_rows(state)
    unasked = [row for row in rows if not row.asked]
    if not unasked:
        return
    needed = (
        row.fact.name or FACT_KINDS.get(row.fact.kind, row.fact.symbol.replace("_", " "))
        for row in rows
    )
    yield Miss(
        _name(state, "ask-first"),
        "facts",
        next(planned.phase.id for planned in state.plan if planned.phase.row == "scope"),
        weights["scope"] * WEIGHT_FACTS * len(unasked) / len(rows),
        f"“{state.started.round.title}”: what do you ask before anything else?",
        points=tuple(dict.fromkeys(needed)),
        source=_source(state),
    )


def _checks(state: State, weights: dict[Row, int]) -> Iterator[Miss]:
    for phase in _phases(state):
        for check in phase.checks:
            number = state.judged_number(check.id)
            if number is not None and number.good:
                continue
            worth = WORTH_BAND[number.verdict.band] if number else 0.0
            score = WEIGHT_CHECK * weights[phase.row] * check.weight * (1 - worth)
            yield _check(state, phase, check, score)


def _check(state: State, phase: Phase, check: Check, score: float) -> Miss:
    identity = _name(state, check.id.lower().replace("_", "-"))
    facts = situation_at(state, left_at(state, phase.id))
    ask = model_text(state, check.ask, left_at(state, phase.id))
    unit = state.draw.units[check.id]
    told = f" in {unit.text}" if unit.text and unit.dimension != NO_DIMENSION else ""
    hint = f" {model_text(state, check.hint, left_at(state, phase.id))}" if check.hint else ""
    return Miss(
        identity,
        "check",
        phase.id,
        score,
        f"How do you work out {ask}{told}?",
        f"{written(parse_formula(check.expr))}.{hint}",
        source=_source(state),
        family=family_of_check(state.draw, check, identity, facts),
        drill=check.drill,
    )


def _sprints(state: State) -> Iterator[Miss]:
    """A phase that ran over by more than a minute is worth a sprint; the longest comes first."""
    late = [time for time in phase_times(state) if time.over_s > OVERRUN_S]
    for time in sorted(late, key=lambda one: -one.over_s):
        phase = time.planned.phase
        yield Miss(
            _name(state, f"sprint-{phase.id}"),
            "sprint",
            phase.id,
            time.over_s / 60,
            f"Play {phase.title or phase.id} alone, {minutes_of(time.planned.length_s)}:"
            f" it ran over by {minutes_of(time.over_s)}.",
            source=_source(state),
        )
