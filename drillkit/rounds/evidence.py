"""What happened in a round, row by row of the rubric: the grade it suggests, and why.

Only what a phase asked for counts: a row's score is the weighted share of what was to be done in
the phases that were played, and of the signals that strong candidates show; `ceilings` hold down
what it suggests. Words are found, not understood, so a grade is suggested and never given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from drillkit.content.round import ROWS
from drillkit.rounds.ceilings import Ceiling, ceilings, written_in
from drillkit.rounds.findings import findings
from drillkit.rounds.mentions import HEADING, Said, own_lines, says_something
from drillkit.rounds.pace import phase_at
from drillkit.rounds.rubric import signals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from drillkit.content.round import Level, Phase, Row
    from drillkit.rounds.events import Mark
    from drillkit.rounds.findings import Finding
    from drillkit.rounds.records import Thrown
    from drillkit.rounds.rubric import Signal
    from drillkit.rounds.state import State

THRESHOLDS: Mapping[Level, tuple[float, float, float]] = {
    "mid": (0.20, 0.45, 0.75),
    "senior": (0.25, 0.55, 0.85),
    "staff": (0.35, 0.65, 0.92),
}
"""From which score on a row suggests a 2, a 3 and a 4."""

SIGNAL_SHARE: Mapping[Level, float] = {"mid": 0.05, "senior": 0.10, "staff": 0.15}
"""What part of a row's score its signal has."""

ROWS_OF_SIGNAL: Mapping[str, tuple[Row, ...]] = {
    "derives": ("numbers", "memory"),
    "decides": ("layout", "bottlenecks"),
    "runs": ("reliability", "evaluation"),
}
FULL_SIGNAL = 3
"""So many groups of its words show a signal in full."""


class RowEvidence(NamedTuple):
    """What happened on a row, its score from 0 to 1, and the grade that this suggests."""

    row: Row
    lines: tuple[str, ...]
    score: float
    suggested: int


class SignalEvidence(NamedTuple):
    """One of the three signals of a strong candidate, how far it shows, and its best line."""

    signal: Signal
    mark: Mark
    value: float
    line: str


@dataclass(frozen=True)
class Evidence:
    """All rows that were touched, the signals, and what all was made of."""

    rows: tuple[RowEvidence, ...]
    signals: tuple[SignalEvidence, ...]
    findings: tuple[Finding, ...]

    def row(self, row: Row) -> RowEvidence | None:
        """Return a row's evidence, or None for one that was not touched."""
        return next((one for one in self.rows if one.row == row), None)

    @property
    def suggested(self) -> dict[Row, int]:
        """The suggested grades."""
        return {one.row: one.suggested for one in self.rows}

    def phase_score(self, phase: str) -> float | None:
        """Return the score of a phase, from 0 to 1, or None for one that was not played."""
        found = [one for one in self.findings if one.phase == phase]
        return _mean(found) if found else None


def evidence(state: State) -> Evidence:
    """Return what a round shows so far, by its in-time part alone."""
    marks = marks_of(state)
    found = findings(state, marks)
    text = said_in_time(state)
    shown = tuple(_signal(state, text, signal) for signal in signals())
    rows = tuple(
        _row(
            state.started.level,
            [one for one in found if one.row == row],
            shown,
            list(ceilings(state, row, marks)),
        )
        for row in ROWS
        if any(one.row == row for one in found)
    )
    return Evidence(rows, shown, found)


def grade_of(score: float, level: Level) -> int:
    """Return the grade, 1 to 4, that a score from 0 to 1 suggests at a level."""
    return 1 + sum(score >= least for least in THRESHOLDS[level])


def _row(
    level: Level, found: list[Finding], shown: tuple[SignalEvidence, ...], held: list[Ceiling]
) -> RowEvidence:
    row = found[0].row
    score = _mean(found)
    lines = [one.line for one in found if one.line]
    for one in shown:
        if row in ROWS_OF_SIGNAL.get(one.signal.id, ()):
            share = SIGNAL_SHARE[level]
            score = (1 - share) * score + share * one.value
            line = f": {one.line}" if one.line else ""
            lines.append(f"{one.signal.title}: {_SHOWN[one.mark]}{line}")
            if one.mark != "hit" and level != "mid":
                held.append(Ceiling(3, f"a 4 also wants: {one.signal.title.lower()}"))
    grade = grade_of(score, level)
    binding = sorted(one for one in held if one.grade < grade)
    lines += [f"no more than {one.grade}: {one.why}" for one in binding]
    return RowEvidence(row, tuple(lines), score, min([grade, *(one.grade for one in binding)]))


_SHOWN: Mapping[Mark, str] = {"hit": "yes", "partial": "in part", "miss": "not found"}


def _mean(found: list[Finding]) -> float:
    total = sum(one.weight for one in found)
    return sum(one.value * one.weight for one in found) / total if total else 0.0


# --- what was said -------------------------------------------------------------------------------


def said_in_time(state: State) -> Said:
    """Return all that the candidate said before the time was over: board, answers and notes."""
    return Said(_texts_in_time(state))


def _texts_in_time(state: State) -> Iterator[str]:
    yield state.judged_board
    for thrown in state.curveballs:
        if _in_time(state, thrown):
            yield thrown.text
    for at_s, text in state.notes:
        if at_s <= state.total_s:
            yield text
    for symbol, at_s in state.assumed_at.items():
        if at_s <= state.total_s:
            yield f"assume {symbol}"


def _in_time(state: State, thrown: Thrown) -> bool:
    return thrown.answered_s is not None and thrown.answered_s <= state.total_s


def marks_of(state: State) -> dict[str, Mark]:
    """Return the mark of each point: the candidate's own, else the suggested one."""
    return {**suggested_marks(state), **state.marks}


def suggested_marks(state: State) -> dict[str, Mark]:
    """Return a mark for each point of the phases played and of the curveballs that came.

    The names are `phase/point` and `curveball/point`. A point is looked for where it belongs: under
    the heading of its phase, and in what was answered or noted meanwhile. Elsewhere on the board it
    is said in part at most. What was asked for or said first does not count when it is repeated.
    """
    everywhere = said_in_time(state)
    marks: dict[str, Mark] = {}
    for planned in state.plan:
        phase = planned.phase
        here = Said(_texts_of(state, phase))
        for point in phase.points:
            mark = here.mark(point.keys)
            if mark == "miss" and everywhere.mark(point.keys) == "hit":
                mark = "partial"
            marks[f"{phase.id}/{point.id}"] = mark
    for thrown in state.curveballs:
        answer, heard = Said((thrown.text,)), Said((thrown.said,))
        told = thrown.outcome == "answered" and says_something(thrown.text)
        for point in thrown.curveball.points:
            name = f"{thrown.curveball.id}/{point.id}"
            marks[name] = answer.mark(point.keys, heard) if told else "miss"
    return marks


def _texts_of(state: State, phase: Phase) -> Iterator[str]:
    """What was said in a phase: under its heading, and answered, noted or assumed meanwhile.

    Lines of the board that only copy what was asked for are left out.
    """
    asked = (state.prompt, phase.say, *phase.write, *(check.ask for check in phase.checks))
    yield own_lines(written_in(state, phase.id), "\n".join(asked))
    for thrown in state.curveballs:
        if thrown.phase == phase.id and _in_time(state, thrown):
            yield thrown.text
    for at_s, text in state.notes:
        if at_s <= state.total_s and phase_at(state.visits, at_s) == phase.id:
            yield text
    for symbol, at_s in state.assumed_at.items():
        if at_s <= state.total_s and phase_at(state.visits, at_s) == phase.id:
            yield f"assume {symbol}"


# --- signals and lines ---------------------------------------------------------------------------


def _signal(state: State, text: Said, signal: Signal) -> SignalEvidence:
    met = sum(text.has(group) for group in signal.keys)
    value = min(1.0, met / min(FULL_SIGNAL, len(signal.keys)))
    mark: Mark = "hit" if value >= 1 else "partial" if met else "miss"
    line = _best_line(state, signal.keys) if met else ""
    return SignalEvidence(signal, mark, value, line)


def evidence_line(state: State, row: Row) -> str:
    """Return the line of the board that best shows a row, or nothing."""
    keys = [
        key
        for planned in state.plan
        if planned.phase.row == row
        for point in planned.phase.points
        for key in point.keys
    ]
    for signal in signals():
        if row in ROWS_OF_SIGNAL.get(signal.id, ()):
            keys += signal.keys
    if row == "communication":
        keys = [k for one in state.curveballs for p in one.curveball.points for k in p.keys]
    phases = {planned.phase.id for planned in state.plan if planned.phase.row == row}
    return _best_line(state, tuple(keys), phases)


def _best_line(state: State, keys: tuple[str, ...], phases: set[str] | None = None) -> str:
    """The line with the most of these words; one written under those phases counts for more."""
    best, most = "", 0.0
    section_name = ""
    for line in state.judged_board.splitlines():
        heading = HEADING.fullmatch(line)
        if heading is not None:
            section_name = heading[1]
            continue
        said = Said((line,))
        met = float(sum(said.has(key) for key in keys))
        if phases and section_name in phases and line.strip():
            met += 0.5 + 0.4 * any(sign.isdigit() for sign in line)
        if met > most:
            best, most = line.strip(), met
    return best
