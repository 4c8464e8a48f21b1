"""What a round has come to: the replay of its events.

The same events give the same state, live and a year later; nothing here asks for the time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod
from typing import TYPE_CHECKING

from drillkit.algebra.expression import Quantity
from drillkit.algebra.format import format_quantity
from drillkit.algebra.units import NO_UNIT
from drillkit.clock import FIRST_YEAR, LAST_YEAR, Moment
from drillkit.content.problem_rules import read_number
from drillkit.errors import DrillkitError
from drillkit.numeric.wording import PLACEHOLDER, rounded
from drillkit.rounds import events as happened
from drillkit.rounds.draw import Draw, draw
from drillkit.rounds.journal import MOVE_AWAY
from drillkit.rounds.layout import judge_layout
from drillkit.rounds.number import judge_number, read_assumption, read_typed
from drillkit.rounds.pace import Planned, Visit, plan_of
from drillkit.rounds.records import (
    Absence,
    Challenged,
    Laid,
    Outcome,
    Recorded,
    Said,
    Speaker,
    Thrown,
)
from drillkit.rounds.solve import Situation, expected, fact_text, fill_text, set_facts, start

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from drillkit.content.round import Curveball, Fact, Phase, Row
    from drillkit.rounds.events import AnyEvent, Graded, Mark, Stamp, Started

INTERRUPTED_S = 60
CLAIM_FIGURES = 3
OVERTIME = "overtime"

REMINDERS: dict[happened.Reminder, str] = {
    "over-30": "Keep an eye on the time.",
    "over-120": "Let us move on.",
    "five-minutes": "Five minutes left.",
    "one-minute": "One minute left.",
}


@dataclass
class State:
    """A round so far. Seconds are those of the round's own clock, which a pause stops."""

    started: Started
    draw: Draw
    plan: tuple[Planned, ...]
    situation: Situation
    last: Stamp
    elapsed_s: float = 0.0
    paused: bool = False
    index: int = 0
    visits: list[Visit] = field(default_factory=list)
    board: str = ""
    in_time_board: str | None = None
    words: Counter[str] = field(default_factory=Counter)
    asked: dict[str, float] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    unasked: tuple[str, ...] = ()
    unknown_questions: list[str] = field(default_factory=list)
    assumed_at: dict[str, float] = field(default_factory=dict)
    numbers: list[Recorded] = field(default_factory=list)
    layouts: list[Laid] = field(default_factory=list)
    curveballs: list[Thrown] = field(default_factory=list)
    reminded: set[tuple[str, str]] = field(default_factory=set)
    notes: list[tuple[float, str]] = field(default_factory=list)
    absences: list[Absence] = field(default_factory=list)
    pauses: int = 0
    talk: list[Said] = field(default_factory=list)
    ended_s: float | None = None
    grades: dict[Row, Graded] = field(default_factory=dict)
    regrades: dict[Row, Graded] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    opened: bool = False
    finished: bool = False
    cards: tuple[str, ...] = ()
    events: int = 0

    @classmethod
    def begin(cls, started: Started) -> State:
        """The state of a round that begins. Raises `DrillkitError` where it cannot be drawn."""
        drawn = draw(started.round, started.seed)
        phases = [started.round.phase(name) for name in started.phases]
        state = cls(
            started, drawn, plan_of(phases, started.minutes), start(drawn), started.at, events=1
        )
        if phases[0].row != "scope":
            # First what is known, then what is asked: the question stays in sight.
            state._tell_unasked()
            state.unasked = ()
        state._enter(0)
        return state

    # --- what is the case ----------------------------------------------------------------------

    @property
    def round_id(self) -> str:
        return self.started.round.id

    @property
    def planned(self) -> Planned:
        """The phase that goes on, and its place in the plan."""
        return self.plan[self.index]

    @property
    def phase(self) -> Phase:
        return self.planned.phase

    @property
    def entered_s(self) -> float:
        """The second at which the present phase began."""
        return self.visits[-1].entered_s

    @property
    def total_s(self) -> float:
        """The seconds that the round has."""
        return self.plan[-1].end_s

    @property
    def over(self) -> bool:
        """Whether the candidate is done, and the debrief goes on."""
        return self.ended_s is not None

    @property
    def overtime(self) -> bool:
        return self.in_time_board is not None

    @property
    def judged_board(self) -> str:
        """The board as far as it was in time."""
        return self.board if self.in_time_board is None else self.in_time_board

    @property
    def interrupted(self) -> bool:
        """Whether an interview was left for longer than a minute."""
        if self.started.mode != "interview":
            return False
        return sum(one.seconds for one in self.absences) > INTERRUPTED_S

    @property
    def open_curveball(self) -> Thrown | None:
        """The curveball that waits for an answer."""
        if self.curveballs and self.curveballs[-1].outcome == "open":
            return self.curveballs[-1]
        return None

    @property
    def live_checks(self) -> bool:
        """Whether verdicts on numbers are shown at once."""
        return self.started.mode != "interview" or self.over

    def elapsed_at(self, stamp: Stamp) -> float:
        """The seconds of the round at a later moment at which nothing has happened yet."""
        return self.elapsed_s if self.paused else self.elapsed_s + stamp.since(self.last)

    def number(self, check: str) -> Recorded | None:
        """The latest number given for a check."""
        return next((one for one in reversed(self.numbers) if one.check == check), None)

    def judged_number(self, check: str) -> Recorded | None:
        """The latest number given in time."""
        found = (one for one in reversed(self.numbers) if one.check == check and not one.late)
        return next(found, None)

    def layout(self, phase: str) -> Laid | None:
        """The latest layout given in a phase."""
        return next((one for one in reversed(self.layouts) if one.phase == phase), None)

    def judged_layout(self, phase: str) -> Laid | None:
        """The latest layout given for a phase in time."""
        found = (one for one in reversed(self.layouts) if one.phase == phase and not one.late)
        return next(found, None)

    def facts(self) -> list[tuple[Fact, str]]:
        """The facts that the candidate knows, with their text as things stand now."""
        return [
            (fact, fact_text(self.draw, fact, self.situation))
            for fact in self.started.round.facts
            if fact.symbol in self.told
        ]

    def filled(self, text: str) -> str:
        """A text of the round with its numbers, as things stand now."""
        return fill_text(self.draw, text, self.situation)

    @property
    def prompt(self) -> str:
        return fill_text(self.draw, self.started.round.prompt, start(self.draw))

    # --- what happens ---------------------------------------------------------------------------

    def apply(self, event: AnyEvent) -> None:
        """Go on by one event."""
        self._advance(event)
        self.last = event.at
        self.events += 1
        self._take(event)

    @singledispatchmethod
    def _take(self, event: AnyEvent) -> None:
        """Do what an event does. A beat, or an absence, only lets time pass."""

    def _advance(self, event: AnyEvent) -> None:
        if self.over:
            return
        passed = 0.0 if self.paused else event.at.since(self.last)
        if isinstance(event, happened.Away):
            if not event.counted and not self.paused:
                passed -= event.seconds
            self.absences.append(Absence(self.elapsed_s, event.seconds, event.counted))
        self.elapsed_s = max(0.0, self.elapsed_s + passed)

    def _say(self, who: Speaker, text: str) -> None:
        self.talk.append(Said(self.elapsed_s, who, text))

    def _enter(self, index: int) -> None:
        if self.visits:
            self.visits[-1] = self.visits[-1]._replace(left_s=self.elapsed_s)
        self.index = index
        self.visits.append(Visit(self.phase.id, self.elapsed_s))
        if self.phase.say:
            self._say("interviewer", self.filled(self.phase.say))

    @_take.register
    def _write(self, event: happened.Wrote) -> None:
        before, after = self.board[: event.start], self.board[event.start + event.removed :]
        self.board = before + event.text + after
        if not self.overtime:
            self.words[self.phase.id] += len(event.text.split())

    @_take.register
    def _ask(self, event: happened.Asked) -> None:
        self._say("you", f"?{event.words}")
        if not event.facts:
            self.unknown_questions.append(event.words)
            self._say("interviewer", "I do not know. Assume something and say it.")
        for symbol in event.facts:
            self.asked.setdefault(symbol, self.elapsed_s)
            self.told.add(symbol)
            self._say("interviewer", self._fact(symbol))

    def _fact(self, symbol: str) -> str:
        facts = self.started.round.facts
        fact = next(one for one in facts if one.symbol == symbol)
        return fact_text(self.draw, fact, self.situation)

    def _tell_unasked(self) -> None:
        """Tell the required facts that nobody asked for: without them nothing can be worked out."""
        required = [fact.symbol for fact in self.started.round.facts if fact.required]
        self.unasked = tuple(symbol for symbol in required if symbol not in self.told)
        for symbol in self.unasked:
            self.told.add(symbol)
            self._say("interviewer", self._fact(symbol))

    @_take.register
    def _assume(self, event: happened.Assumed) -> None:
        value = read_assumption(self.draw, event.symbol, event.text)
        self._take_assumed({event.symbol: value})
        self._say("you", f"{event.symbol} = {event.text}")

    def _take_assumed(self, assumed: dict[str, Fraction]) -> None:
        for symbol in assumed:
            self.assumed_at.setdefault(symbol, self.elapsed_s)
        self.situation = self.situation._replace(assumed={**self.situation.assumed, **assumed})

    @_take.register
    def _record(self, event: happened.Numbered) -> None:
        typed = read_typed(self.draw, event.check, event.text, self.situation)
        if typed.value is None:
            return
        self._take_assumed(dict(typed.assumed))
        verdict = judge_number(self.draw, event.check, typed, self.situation)
        revised = self.number(event.check) is not None
        self.numbers.append(
            Recorded(
                event.check,
                event.text,
                self.phase.id,
                self.elapsed_s,
                typed,
                verdict,
                revised,
                self.overtime,
            )
        )
        numbers = {**self.situation.numbers, event.check: typed.value}
        self.situation = self.situation._replace(numbers=numbers)
        self._say("you", f"{event.check} = {event.text}")

    @_take.register
    def _lay_out(self, event: happened.LaidOut) -> None:
        verdict = judge_layout(self.draw, event.phase, event.fields, self.situation)
        self.layouts.append(Laid(event.phase, event.fields, self.elapsed_s, verdict, self.overtime))
        told = " ".join(f"{name}={value}" for name, value in event.fields.items())
        self._say("you", f"layout: {told}")

    @_take.register
    def _move(self, event: happened.Moved) -> None:
        if self.phase.row == "scope" and self.index == 0:
            self._tell_unasked()
        names = [planned.phase.id for planned in self.plan]
        self._enter(names.index(event.phase))

    @_take.register
    def _answer(self, event: happened.Answered) -> None:
        self._say("you", event.text or ("(skipped)" if event.skipped else "(on the board)"))
        self._close("skipped" if event.skipped else "answered", event.text)

    @_take.register
    def _expire(self, _event: happened.Expired) -> None:
        self._close("late", "")

    @_take.register
    def _remind(self, event: happened.Reminded) -> None:
        self.reminded.add((event.reminder, event.phase))
        self._say("interviewer", REMINDERS[event.reminder])

    @_take.register
    def _note(self, event: happened.Noted) -> None:
        self.notes.append((self.elapsed_s, event.text))

    @_take.register
    def _pause(self, _event: happened.Paused) -> None:
        self.paused = True
        self.pauses += 1

    @_take.register
    def _go_on(self, _event: happened.WentOn) -> None:
        self.paused = False

    @_take.register
    def _time_up(self, _event: happened.TimeUp) -> None:
        self.in_time_board = self.board
        self._say("clock", "Time is up. What you write from here on is overtime.")

    @_take.register
    def _throw(self, event: happened.Threw) -> None:
        found = next(one for one in self.started.round.curveballs if one.id == event.curveball)
        claim, was_good = self._claim(found)
        self.situation = set_facts(self.draw, self.situation, found)
        facts = {fact.symbol for fact in self.started.round.facts}
        self.told |= {symbol for symbol, _ in found.set}
        self.told |= facts & set(PLACEHOLDER.findall(found.say))
        said = self.filled(found.say).replace("{claim}", claim)
        self.curveballs.append(
            Thrown(found, self.phase.id, self.elapsed_s, said, self.board, was_good, claim=claim)
        )
        self._say("interviewer", said)

    def _claim(self, curveball: Curveball) -> tuple[str, bool]:
        """What a challenge claims: the truth where the number missed it, else a false number."""
        number = self.number(curveball.check) if curveball.check else None
        if number is None:
            return "", False
        value = number.verdict.value * read_number(curveball.factor, NO_UNIT)
        if not number.good:
            value = expected(self.draw, number.check, self.situation, carried=False)
        unit = self.draw.units[number.check]
        # As many figures for the one as for the other, or they would give it away.
        value = rounded(value / unit.factor, CLAIM_FIGURES) * unit.factor
        return format_quantity(Quantity(value, unit.dimension, unit), unit), number.good

    def _close(self, outcome: Outcome, text: str) -> None:
        thrown = self.open_curveball
        if thrown is None:
            return
        # What is said is the answer; without a word it is what was written meanwhile.
        added = Counter(self.board.splitlines()) - Counter(thrown.board.splitlines())
        whole = text or "\n".join(line for line in added if line.strip())
        if outcome == "late" and whole:
            # Two minutes of writing about it are an answer, though nobody said "that is it".
            outcome = "answered"
        self.curveballs[-1] = replace(
            thrown,
            outcome=outcome,
            answered_s=self.elapsed_s,
            text=whole,
            challenged=self._challenged(thrown),
        )

    def _challenged(self, thrown: Thrown) -> Challenged:
        number = self.number(thrown.curveball.check) if thrown.curveball.check else None
        if thrown.curveball.kind != "challenge" or number is None:
            return ""
        if number.good:
            return "held" if thrown.was_good else "corrected"
        return "gave in" if thrown.was_good else "stood by a wrong number"

    @_take.register
    def _end(self, _event: happened.Ended) -> None:
        self._close("late", "")
        self.visits[-1] = self.visits[-1]._replace(left_s=self.elapsed_s)
        self.ended_s = self.elapsed_s

    # --- the debrief ---------------------------------------------------------------------------

    @_take.register
    def _grade(self, event: happened.Graded) -> None:
        (self.regrades if event.again else self.grades)[event.row] = event

    @_take.register
    def _mark(self, event: happened.Marked) -> None:
        self.marks[event.point] = event.mark

    @_take.register
    def _open(self, _event: happened.Opened) -> None:
        self.opened = True

    @_take.register
    def _finish(self, event: happened.Finished) -> None:
        self.finished = True
        self.cards = (*self.cards, *event.cards)


def replay(events: Sequence[AnyEvent]) -> State:
    """The state that a journal's events lead to; the first one starts the round.

    Raises `DrillkitError` for events that do not belong together, as in a journal that was edited.
    """
    if not events or not isinstance(events[0], happened.Started):
        raise DrillkitError("no round begins with these events")
    number = 1
    try:
        state = State.begin(events[0])
        _judge(events[0])
        for number, event in enumerate(events[1:], 2):  # noqa: B007 the fault is told with it
            state.apply(event)
    except (DrillkitError, LookupError, ValueError, ArithmeticError, StopIteration) as error:
        kind = type(events[number - 1]).__name__.lower()
        told = error.what if isinstance(error, DrillkitError) else str(error)
        raise DrillkitError(
            f"event {number}, {kind!r}, does not belong to this round: {told}", hint=MOVE_AWAY
        ) from None
    return state


def _judge(started: Started) -> None:
    """Raise `ValueError` for a round that no calendar and no clock has."""
    year = Moment(started.at.utc_ms, started.at.offset_min).local.year
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"it began in the year {year}")
    if started.minutes <= 0:
        raise ValueError(f"it takes {started.minutes} minutes")
