"""How rounds go over the weeks: row by row, phase by phase, in numbers and in judgement of oneself.

Only rounds of one level are compared, and by default only those that nothing interrupted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from drillkit.content.round import ROWS
from drillkit.counted import counted
from drillkit.rounds.debrief import own_grades, verdict_or_none
from drillkit.rounds.evidence import evidence
from drillkit.rounds.findings import asked_facts
from drillkit.rounds.number import CONFIDENCES
from drillkit.rounds.rubric import row_title, rubric
from drillkit.rounds.standing import moment_of
from drillkit.rounds.timing import overrun_s, phase_times

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from drillkit.clock import Moment
    from drillkit.content.round import Level, Round, Row
    from drillkit.rounds.events import Mode
    from drillkit.rounds.state import State
    from drillkit.rounds.verdict import VerdictName

FEW = 3
"""With fewer rounds a line through them says nothing."""

MOST_LOG_RATIO = math.log(1000)
"""A number that is further off than this counts as this far, also one of the wrong sign."""

BLOCKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Summary:
    """What is kept in mind of one round. Scores are 0 to 1, times in seconds, grades 1 to 4.

    `intervals` are the ranges that were given, as (confidence in percent, whether it held).
    """

    round_id: str
    title: str
    when: Moment
    level: Level
    mode: Mode
    over: bool
    interrupted: bool
    own: Mapping[Row, int]
    suggested: Mapping[Row, int]
    phases: Mapping[str, float]
    overruns: Mapping[str, float]
    log_ratios: tuple[float, ...] = ()
    intervals: tuple[tuple[int, bool], ...] = ()
    asked: int = 0
    required: int = 0
    overrun_s: float = 0.0
    verdict: VerdictName | None = None

    def grade(self, row: Row) -> int | None:
        """The own grade of a row, else the one that the evidence suggests."""
        return self.own.get(row, self.suggested.get(row))


class Calibration(NamedTuple):
    """How often ranges held that were given with a confidence, in percent."""

    confidence: int
    given: int
    held: int

    @property
    def rate(self) -> float:
        return self.held / self.given if self.given else 0.0


class Series(NamedTuple):
    """Values in the order of the rounds; None where a round says nothing."""

    name: str
    title: str
    values: tuple[float | None, ...]

    @property
    def known(self) -> tuple[float, ...]:
        return tuple(value for value in self.values if value is not None)


@dataclass(frozen=True)
class Trends:
    """How the rounds of a level go. `gap` is own less suggested grades, on average.

    The left-out ones were interrupted, of another level, or not played to the end.
    """

    level: Level
    rounds: tuple[Summary, ...]
    interrupted: int
    other_level: int
    unfinished: int
    rows: tuple[Series, ...]
    phases: tuple[Series, ...]
    log_ratios: Series
    clarify: Series
    overrun_min: Series
    gap: Series
    calibration: tuple[Calibration, ...]
    weakest: Row | None
    remarks: tuple[str, ...] = field(default=())


def summary(state: State) -> Summary:
    """Return what is kept in mind of a round."""
    started = state.started
    shown = evidence(state)
    own = own_grades(state)
    numbers = [state.judged_number(check.id) for check in started.round.checks]
    given = [one.verdict for one in numbers if one is not None]
    ranges = [
        (one.typed.confidence, one.verdict.covered)
        for one in state.numbers
        if not one.late and one.typed.confidence is not None and one.verdict.covered is not None
    ]
    clarified = any(planned.phase.row == "scope" for planned in state.plan)
    verdict = verdict_or_none(own or shown.suggested, rubric(started.round, started.level))
    scores = ((phase, shown.phase_score(phase)) for phase in started.phases)
    return Summary(
        round_id=started.round.id,
        title=started.round.title,
        when=moment_of(started.at),
        level=started.level,
        mode=started.mode,
        over=state.over,
        interrupted=state.interrupted,
        own=own,
        suggested=shown.suggested,
        phases={phase: score for phase, score in scores if score is not None},
        overruns={one.planned.phase.id: one.over_s for one in phase_times(state)},
        log_ratios=tuple(_log(verdict.ratio) for verdict in given),
        intervals=tuple(ranges),
        asked=len(asked_facts(state)) if clarified else 0,
        required=sum(fact.required for fact in started.round.facts) if clarified else 0,
        overrun_s=overrun_s(state),
        verdict=verdict.name if verdict else None,
    )


def _log(ratio: float) -> float:
    """|ln ratio| of a number to what it comes to."""
    if not 0 < ratio < math.inf:
        return MOST_LOG_RATIO
    return min(abs(math.log(ratio)), MOST_LOG_RATIO)


def trends(summaries: Iterable[Summary], level: Level, *, with_interrupted: bool = False) -> Trends:
    """Return how the rounds of a level go, the oldest first."""
    played = sorted(summaries, key=lambda one: one.when.utc_ms)
    ended = [one for one in played if one.over]
    of_level = [one for one in ended if one.level == level]
    kept = tuple(one for one in of_level if with_interrupted or not one.interrupted)
    found = Trends(
        level=level,
        rounds=kept,
        interrupted=sum(one.interrupted for one in of_level),
        other_level=len(ended) - len(of_level),
        unfinished=len(played) - len(ended),
        rows=tuple(
            Series(row, row_title(row), tuple(one.grade(row) for one in kept)) for row in ROWS
        ),
        phases=_phases(kept),
        log_ratios=Series(
            "checks",
            "off by a factor, in the middle",
            tuple(median(one.log_ratios) if one.log_ratios else None for one in kept),
        ),
        clarify=Series(
            "clarify",
            "facts asked for",
            tuple(one.asked / one.required if one.required else None for one in kept),
        ),
        overrun_min=Series(
            "overrun", "minutes of overrun", tuple(one.overrun_s / 60 for one in kept)
        ),
        gap=Series("gap", "own less suggested grade", tuple(_gap(one) for one in kept)),
        calibration=_calibration(kept),
        weakest=_weakest(kept),
    )
    return Trends(**{**vars(found), "remarks": tuple(_remarks(found, with_interrupted))})


def _phases(kept: Sequence[Summary]) -> tuple[Series, ...]:
    names = dict.fromkeys(name for one in kept for name in one.phases)
    return tuple(Series(name, name, tuple(one.phases.get(name) for one in kept)) for name in names)


def _gap(one: Summary) -> float | None:
    both = [row for row in one.own if row in one.suggested]
    if not both:
        return None
    return sum(one.own[row] - one.suggested[row] for row in both) / len(both)


def _calibration(kept: Sequence[Summary]) -> tuple[Calibration, ...]:
    given = [interval for one in kept for interval in one.intervals]
    return tuple(
        Calibration(
            confidence,
            sum(sure == confidence for sure, _ in given),
            sum(held for sure, held in given if sure == confidence),
        )
        for confidence in CONFIDENCES
    )


def _weakest(kept: Sequence[Summary]) -> Row | None:
    """The row with the lowest mean of its last three grades."""
    means: dict[Row, float] = {}
    for row in ROWS:
        grades = [grade for one in kept if (grade := one.grade(row)) is not None][-FEW:]
        if grades:
            means[row] = sum(grades) / len(grades)
    return min(means, key=lambda row: means[row], default=None)


def _remarks(found: Trends, with_interrupted: bool) -> Iterable[str]:  # noqa: FBT001 private
    count = len(found.rounds)
    if count < FEW:
        rounds = counted(count, "round")
        yield f"{rounds} of level {found.level}: too few to see a trend, {FEW} are needed."
    if found.interrupted:
        left = "counted with the others" if with_interrupted else "left out"
        yield f"{found.interrupted} interrupted: {left}."
    if found.other_level:
        yield f"{found.other_level} of another level: left out."
    if found.unfinished:
        yield f"{found.unfinished} not played to the end: left out."


def next_round(found: Trends, rounds: Iterable[Round]) -> str:
    """Return the id of the round to play next: the one where the weakest row weighs most.

    Among equals it is the one that was not played for the longest time; nothing without rounds.
    """
    last = {one.round_id: one.when.utc_ms for one in found.rounds}

    def rank(round_: Round) -> tuple[float, int, int]:
        weights = {row.row: row.weight for row in rubric(round_, found.level)}
        share = weights[found.weakest] / sum(weights.values()) if found.weakest else 0.0
        return (-share, last.get(round_.id, 0), round_.order)

    return min(rounds, key=rank).id if (rounds := tuple(rounds)) else ""


def sparkline(values: Iterable[float | None], low: float, high: float) -> str:
    """Return values as a line of small bars between `low` and `high`; a gap is a dot."""
    bars: list[str] = []
    for value in values:
        if value is None:
            bars.append("·")
            continue
        share = (value - low) / (high - low) if high > low else 0.0
        at = min(len(BLOCKS) - 1, max(0, int(share * len(BLOCKS))))
        bars.append(BLOCKS[at])
    return "".join(bars)
