"""What a round asked for and what came of it, one finding a thing that was to be done."""

from __future__ import annotations

from textwrap import shorten
from typing import TYPE_CHECKING, NamedTuple

from drillkit.rounds.mentions import says_something
from drillkit.rounds.pace import minutes_of
from drillkit.rounds.solve import fill_text
from drillkit.rounds.timing import left_at, phase_times, situation_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from drillkit.content.round import Check, Phase, Point, Row
    from drillkit.rounds.events import Mark
    from drillkit.rounds.number import Band
    from drillkit.rounds.records import Challenged, Laid, Outcome, Thrown
    from drillkit.rounds.state import State

WORTH_BAND: Mapping[Band, float] = {
    "exact": 1.0,
    "close": 0.85,
    "ballpark": 0.4,
    "order": 0.1,
    "off": 0.0,
}
WORTH_MARK: Mapping[Mark, float] = {"hit": 1.0, "partial": 0.5, "miss": 0.0}
WORTH_OUTCOME: Mapping[Outcome, float] = {
    "answered": 1.0,
    "open": 0.0,
    "late": 0.0,
    "skipped": 0.0,
}
WORTH_CHALLENGED: Mapping[Challenged, float] = {
    "held": 1.0,
    "corrected": 1.0,
    "gave in": 0.0,
    "stood by a wrong number": 0.0,
}
HELD_WITHOUT_A_REASON = 0.5
HALF_A_LAYOUT = 0.5
"""What a layout is worth that breaks a rule, at most: half, by the rules that it keeps."""

WEIGHT_CHECK, WEIGHT_LAYOUT, WEIGHT_POINT = 1.5, 1.5, 1.0
WEIGHT_FACTS, WEIGHT_ASSUMED = 3.0, 1.0
WEIGHT_REACHED, WEIGHT_ON_PLAN, WEIGHT_WRITTEN = 1.5, 1.5, 1.0
WEIGHT_ANSWER, WEIGHT_ANSWER_POINTS, WEIGHT_CHALLENGE, WEIGHT_CORRECTED = 1.0, 1.0, 1.0, 1.0
HEARD = 48
"""So many characters of what the interviewer said stand for it."""

FEW_WORDS = 5
"""A phase with fewer words was not written down."""


class Finding(NamedTuple):
    """One thing that was to be done: how well it was, from 0 to 1, and how much that counts.

    `phase` is the phase that asked for it, or nothing.
    """

    row: Row
    line: str
    value: float
    weight: float
    phase: str = ""


def findings(state: State, marks: Mapping[str, Mark]) -> tuple[Finding, ...]:
    """Return what was to be done in the phases of a round, and how well it was done in time.

    `marks` say which points were made.
    """
    return (*_of_phases(state, marks), *_of_facts(state), *_of_conduct(state, marks))


# --- phases --------------------------------------------------------------------------------------


def _of_phases(state: State, marks: Mapping[str, Mark]) -> Iterator[Finding]:
    for planned in state.plan:
        phase = planned.phase
        for check in phase.checks:
            yield _of_check(state, phase, check)
        if phase.plan is not None:
            yield _of_layout(phase, state.judged_layout(phase.id), phase.plan.weight)
        yield from _of_points(state, phase, marks)


def _of_points(state: State, phase: Phase, marks: Mapping[str, Mark]) -> Iterator[Finding]:
    """One finding a point; until the model answer is open only their number is told."""
    found = [(point, marks[f"{phase.id}/{point.id}"]) for point in phase.points]
    for point, mark in found:
        line = ""
        if state.opened:
            line = f"{_MARKED[mark]}: {_then(state, phase, point.say)}"
        weight = WEIGHT_POINT * point.weight
        yield Finding(phase.row, line, WORTH_MARK[mark], weight, phase.id)
    if found and not state.opened:
        hits = sum(mark == "hit" for _, mark in found)
        line = f"{phase.title or phase.id}: {hits} of {len(found)} points of a good answer"
        yield Finding(phase.row, line, 0.0, 0.0, phase.id)


def _then(state: State, phase: Phase, text: str) -> str:
    """A text of a phase with its numbers, as they were when it was left."""
    return fill_text(state.draw, text, situation_at(state, left_at(state, phase.id)))


_MARKED: Mapping[Mark, str] = {"hit": "said", "partial": "in part", "miss": "not found"}


def _of_check(state: State, phase: Phase, check: Check) -> Finding:
    number = state.judged_number(check.id)
    weight = WEIGHT_CHECK * check.weight
    ask = _then(state, phase, check.ask)
    if number is None:
        return Finding(phase.row, f"{ask}: no number", 0.0, weight, phase.id)
    verdict = number.verdict
    told = f"{ask}: {number.text}, {verdict.band}"
    if state.opened and not number.good and 0 < verdict.ratio < float("inf"):
        told += f" ({verdict.ratio:.3g} × what it comes to)"
    if verdict.follows:
        told += ", right by your own numbers"
    return Finding(phase.row, told, WORTH_BAND[verdict.band], weight, phase.id)


def _of_layout(phase: Phase, laid: Laid | None, weight: int) -> Finding:
    weighted = WEIGHT_LAYOUT * weight
    if laid is None:
        return Finding(phase.row, "no layout", 0.0, weighted, phase.id)
    fields = " ".join(f"{name}={value}" for name, value in laid.fields.items())
    kept = sum(rule.met for rule in laid.verdict.rules)
    rules = len(laid.verdict.rules)
    if laid.verdict.right:
        return Finding(phase.row, f"layout {fields}: meets all rules", 1.0, weighted, phase.id)
    value = HALF_A_LAYOUT * kept / rules if rules else 0.0
    line = f"layout {fields}: meets {kept} of {rules} rules"
    return Finding(phase.row, line, value, weighted, phase.id)


# --- facts and assumptions -----------------------------------------------------------------------


def asked_facts(state: State) -> tuple[str, ...]:
    """Return the required facts that were asked for before they had to be told."""
    return tuple(
        fact.symbol
        for fact in state.started.round.facts
        if fact.required and fact.symbol in state.asked and fact.symbol not in state.unasked
    )


def _of_facts(state: State) -> Iterator[Finding]:
    clarify = next((one.phase for one in state.plan if one.phase.row == "scope"), None)
    if clarify is None:
        return
    required = [fact.symbol for fact in state.started.round.facts if fact.required]
    if required:
        asked = asked_facts(state)
        line = f"asked for {len(asked)} of {len(required)} facts that the plan needs"
        value = len(asked) / len(required)
        yield Finding("scope", line, value, WEIGHT_FACTS, clarify.id)
    assumptions = [one.symbol for one in state.started.round.assume]
    if assumptions:
        stated = [one for one in assumptions if state.assumed_at.get(one, 1e9) <= state.total_s]
        told = f" ({', '.join(stated)})" if stated else ""
        line = f"stated {len(stated)} of {len(assumptions)} assumptions{told}"
        yield Finding("scope", line, len(stated) / len(assumptions), WEIGHT_ASSUMED, clarify.id)


# --- communication, pace and recovery ------------------------------------------------------------


def _of_conduct(state: State, marks: Mapping[str, Mark]) -> Iterator[Finding]:
    if len(state.plan) > 1:
        yield from _of_pace(state)
    for thrown in state.curveballs:
        yield from _of_curveball(thrown, marks)
    corrected = self_corrected(state)
    if corrected:
        line = f"corrected by yourself: {', '.join(corrected)}"
        yield Finding("communication", line, 1.0, WEIGHT_CORRECTED)


def _of_pace(state: State) -> Iterator[Finding]:
    times = phase_times(state)
    reached = [one for one in times if one.reached]
    line = f"reached {len(reached)} of {len(times)} phases in time"
    yield Finding("communication", line, len(reached) / len(times), WEIGHT_REACHED)
    later = times[1:]
    on_plan = sum(one.on_plan for one in later)
    over = sum(one.over_s for one in times)
    line = f"began {on_plan} of {len(later)} phases on plan, {minutes_of(over)} of overrun in all"
    yield Finding("communication", line, on_plan / len(later), WEIGHT_ON_PLAN)
    written = [one for one in reached if one.words >= FEW_WORDS]
    line = "words written: " + ", ".join(f"{one.planned.phase.id} {one.words}" for one in reached)
    yield Finding("communication", line, len(written) / max(1, len(reached)), WEIGHT_WRITTEN)


def _of_curveball(thrown: Thrown, marks: Mapping[str, Mark]) -> Iterator[Finding]:
    name = thrown.curveball.id
    # As the candidate heard it; the id is the author's.
    heard = f"“{shorten(thrown.said, HEARD, placeholder=' …')}”"
    latency = "" if thrown.answered_s is None else minutes_of(thrown.answered_s - thrown.at_s)
    line, value = f"{heard}: {thrown.outcome}", WORTH_OUTCOME[thrown.outcome]
    if thrown.outcome == "answered":
        line += f" after {latency}"
        if not says_something(thrown.text):
            line, value = f"{line}, in a word that says nothing", 0.0
    yield Finding("communication", line, value, WEIGHT_ANSWER)
    points = thrown.curveball.points
    weight = sum(point.weight for point in points)
    if weight:
        worth = sum(WORTH_MARK[marks[f"{name}/{one.id}"]] * one.weight for one in points)
        told = _points_told(heard, name, points, marks)
        yield Finding("communication", told, worth / weight, WEIGHT_ANSWER_POINTS)
    if thrown.challenged:
        line, value = f"{heard}: {thrown.challenged}", WORTH_CHALLENGED[thrown.challenged]
        silent = all(marks[f"{name}/{one.id}"] == "miss" for one in points)
        if thrown.challenged == "held" and silent:
            line, value = f"{line}, without a reason", HELD_WITHOUT_A_REASON
        yield Finding("communication", line, value, WEIGHT_CHALLENGE)


def _points_told(
    heard: str, name: str, points: tuple[Point, ...], marks: Mapping[str, Mark]
) -> str:
    hits = sum(marks[f"{name}/{one.id}"] == "hit" for one in points)
    return f"{heard}: {hits} of {len(points)} points in the answer"


def self_corrected(state: State) -> tuple[str, ...]:
    """Return the checks at which a number that was not good gave way to a good one in time."""
    found: list[str] = []
    for check in state.started.round.checks:
        given = [one for one in state.numbers if one.check == check.id and not one.late]
        if given and given[-1].good and not all(one.good for one in given):
            found.append(check.id)
    return tuple(found)
