"""A round as lines of text: its debrief, and its course from the first second to the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.rounds.debrief import debrief
from drillkit.rounds.pace import minutes_of
from drillkit.rounds.timing import phase_times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.rounds.debrief import CheckRow, CurveballRow, Debrief, PointMark
    from drillkit.rounds.layout import RuleResult
    from drillkit.rounds.state import State
    from drillkit.rounds.verdict import Verdict

SIGNS = {"hit": "[x]", "partial": "[~]", "miss": "[ ]"}


def debrief_lines(state: State) -> Iterator[str]:
    """Yield the debrief of a graded round. Raises `DrillkitError` before it is graded."""
    told = debrief(state)
    started = state.started
    yield f"{started.round.title} ({started.mode}, {started.level}, seed {started.seed})"
    for who, verdict in (("own", told.own_verdict), ("by the board", told.suggested_verdict)):
        if verdict is not None:
            yield f"verdict, {who}: {verdict.name}. {verdict.reason}"
    yield ""
    yield from _grades(told)
    yield ""
    yield from timeline_lines(state)
    if told.checks:
        yield ""
        yield "numbers"
        for row in told.checks:
            yield from _check(state, row)
    for pair in told.layouts:
        yield ""
        fields = pair.laid.fields if pair.laid else {}
        told_fields = " ".join(f"{name}={value}" for name, value in fields.items())
        yield f"layout ({pair.phase}): {told_fields or 'none in time'}"
        if pair.laid is not None:
            for rule in pair.laid.verdict.rules:
                said = "" if rule.met else f"{rule.says} "
                yield f"  [{'x' if rule.met else ' '}] {rule.holds}: {said}{rule.margin}".rstrip(
                    ": "
                )
    for model in told.phases:
        yield ""
        yield f"model answer, {model.phase.title or model.phase.id}"
        yield from (f"  {text}" for text in model.lines)
        yield from _points(model.points)
    for curveball in told.curveballs:
        yield ""
        yield from _curveball(curveball)
    yield ""
    yield f"next step: {told.next_step.told}"


def _grades(told: Debrief) -> Iterator[str]:
    yield "grades: own, by the board"
    for row in told.rubric:
        own, suggested = told.own.get(row.row), told.suggested.get(row.row)
        if own or suggested:
            yield f"  {own or '-'} {suggested or '-'}  {row.title} (weight {row.weight})"


def _check(state: State, row: CheckRow) -> Iterator[str]:
    ratio = "" if row.ratio is None else f", {row.ratio:.3g} ×"
    asked = state.filled(row.check.ask)
    yield f"  {asked}: {row.mine} for {row.expected}{ratio}: {row.band or 'no number'}"
    yield from (f"    {text}" for text in row.diagnosis)


def _rule(rule: RuleResult) -> str:
    said = [part for part in ("" if rule.met else rule.says, rule.margin) if part]
    return f"  [{'x' if rule.met else ' '}] {': '.join((rule.holds, *said))}"


def _points(points: tuple[PointMark, ...]) -> Iterator[str]:
    yield from (f"  {SIGNS[point.mark]} {point.says}" for point in points)


def _curveball(row: CurveballRow) -> Iterator[str]:
    thrown = row.thrown
    yield f"interruption at {minutes_of(thrown.at_s)} in {thrown.phase}: {thrown.said}"
    latency = "" if row.latency_s is None else f" after {minutes_of(row.latency_s)}"
    challenged = f"; the doubted number: {thrown.challenged}" if thrown.challenged else ""
    yield f"  {thrown.outcome}{latency if thrown.outcome == 'answered' else ''}{challenged}"
    yield f"  a strong answer: {row.model}"
    yield from _points(row.points)


def timeline_lines(state: State) -> Iterator[str]:
    """Yield when each phase began and how long it took, beside its plan."""
    yield "timeline: planned, began, took"
    for time in phase_times(state):
        planned = minutes_of(time.planned.start_s)
        phase = time.planned.phase
        if time.entered_s is None:
            yield f"  {planned:>5}  not reached  {phase.title or phase.id}"
            continue
        took = f"{minutes_of(time.spent_s)} of {minutes_of(time.planned.length_s)}"
        yield f"  {planned:>5} {minutes_of(time.entered_s):>5}  {took}  {phase.title or phase.id}"


def replay_lines(state: State) -> Iterator[str]:
    """Yield a round as it went: its timeline, then the talk, then the board."""
    started = state.started
    yield f"{started.round.title} ({started.mode}, {started.level}, seed {started.seed})"
    yield state.prompt.strip()
    yield ""
    yield from timeline_lines(state)
    for absence in state.absences:
        counted = "counted" if absence.counted else "not counted"
        yield f"  away at {minutes_of(absence.at_s)} for {minutes_of(absence.seconds)}, {counted}"
    yield ""
    for said in state.talk:
        yield f"{minutes_of(said.at_s):>5} {said.who}: {said.text}"
    for at_s, text in state.notes:
        yield f"{minutes_of(at_s):>5} note: {text}"
    yield ""
    yield state.board.strip()


def verdict_document(verdict: Verdict | None) -> dict[str, object] | None:
    """Return a verdict as JSON, or nothing."""
    if verdict is None:
        return None
    return {"verdict": verdict.name, "mean": round(verdict.mean, 4), "reason": verdict.reason}


def debrief_document(state: State) -> dict[str, object]:
    """Return the debrief of a graded round as JSON. Raises as `debrief_lines`."""
    told = debrief(state)
    started = state.started
    return {
        "round": started.round.id,
        "seed": started.seed,
        "level": started.level,
        "mode": started.mode,
        "interrupted": state.interrupted,
        "own": verdict_document(told.own_verdict),
        "suggested": verdict_document(told.suggested_verdict),
        "rows": [
            {
                "row": row.row,
                "own": told.own.get(row.row),
                "suggested": row.suggested,
                "score": round(row.score, 4),
                "evidence": row.lines,
            }
            for row in told.evidence.rows
        ],
        "checks": [
            {
                "check": row.check.id,
                "mine": row.mine,
                "expected": row.expected,
                "ratio": row.ratio,
                "band": row.band,
                "diagnosis": row.diagnosis,
            }
            for row in told.checks
        ],
        "layouts": [
            {
                "phase": pair.phase,
                "fields": pair.laid.fields if pair.laid else None,
                "right": pair.laid.verdict.right if pair.laid else None,
                "told": pair.laid.verdict.told if pair.laid else (),
            }
            for pair in told.layouts
        ],
        "curveballs": [
            {
                "curveball": row.thrown.curveball.id,
                "at_s": row.thrown.at_s,
                "said": row.thrown.said,
                "outcome": row.thrown.outcome,
                "latency_s": row.latency_s,
            }
            for row in told.curveballs
        ],
        "points": {point.name: point.mark for point in _all_points(told)},
        "next_step": told.next_step.told,
    }


def _all_points(told: Debrief) -> Iterator[PointMark]:
    for phase in told.phases:
        yield from phase.points
    for curveball in told.curveballs:
        yield from curveball.points


def replay_document(state: State) -> dict[str, object]:
    """Return a round as it went, as JSON."""
    return {
        "round": state.round_id,
        "seed": state.started.seed,
        "level": state.started.level,
        "mode": state.started.mode,
        "over": state.over,
        "interrupted": state.interrupted,
        "elapsed_s": round(state.elapsed_s, 1),
        "timeline": [
            {
                "phase": time.planned.phase.id,
                "planned_s": time.planned.start_s,
                "began_s": time.entered_s,
                "took_s": round(time.spent_s, 1),
            }
            for time in phase_times(state)
        ],
        "talk": [
            {"at_s": round(said.at_s, 1), "who": said.who, "text": said.text} for said in state.talk
        ],
        "board": state.board,
    }
