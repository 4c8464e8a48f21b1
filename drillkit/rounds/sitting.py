"""A round that is being played: what the candidate can do, and what a second brings.

Each command writes an event to the journal and applies it to the state; front ends show the state
and pass on the notices. The clock is handed in, so a round of 45 minutes is tested in a moment.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Literal, NamedTuple

from drillkit.errors import DrillkitError, UsageError
from drillkit.rounds import events as happened
from drillkit.rounds.archive import state_of
from drillkit.rounds.events import Stamp, Started, change_of
from drillkit.rounds.interviewer import (
    ANSWER_S,
    facts_meant,
    in_store,
    next_curveball,
    reminders,
)
from drillkit.rounds.journal import Journal, Kept, Unkept
from drillkit.rounds.layout import LARGEST, judge_layout
from drillkit.rounds.number import judge_number, read_assumption, read_typed
from drillkit.rounds.pace import OVERTIME_S
from drillkit.rounds.solve import has_values, set_facts
from drillkit.rounds.state import OVERTIME, REMINDERS, State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction
    from pathlib import Path

    from drillkit.clock import Clock
    from drillkit.content.round import Curveball, Level, Round, Row
    from drillkit.rounds.events import AnyEvent, Mark, Mode
    from drillkit.rounds.number import Typed
    from drillkit.rounds.records import Recorded

AWAY_S = 5
BEAT_S = 10
MOST_BOARD = 100_000
MOST_ANSWER = 4_000

NoticeKind = Literal["phase", "curveball", "reminder", "away", "time-up", "ended", "late"]


class Notice(NamedTuple):
    """Something that happened by itself. `seconds` of an absence; `asks` if it is to be counted."""

    kind: NoticeKind
    text: str
    seconds: float = 0.0
    asks: bool = False


class Sitting:
    """One candidate in one round. Every command raises `DrillkitError` when the disk refuses it."""

    def __init__(self, journal: Kept, state: State, clock: Clock) -> None:
        self.state = state
        self._journal = journal
        self._clock = clock
        self._store = in_store(state.draw, state.plan)
        self._ticked = clock.elapsed_s()
        self._away: float | None = None
        self._waiting: list[Notice] = []

    @classmethod
    def begin(  # noqa: PLR0913 each is a choice of its own
        cls,
        path: Path | None,
        clock: Clock,
        round_: Round,
        *,
        seed: int,
        mode: Mode = "interview",
        level: Level | None = None,
        phases: tuple[str, ...] = (),
        minutes: float | None = None,
        hard: bool = False,
    ) -> Sitting:
        """Start a round with its journal at `path`; `phases` and `minutes` are those of a sprint.

        Without a path nothing is kept, for a round that nobody plays.
        Raises `UsageError` for a phase that the round has not, `DrillkitError` when it is being
        played elsewhere or cannot be written.
        """
        known = [phase.id for phase in round_.phases]
        for name in phases:
            if name not in known:
                raise UsageError(
                    f"{round_.id} has no phase {name!r}", hint="it has " + ", ".join(known)
                )
        chosen = tuple(name for name in known if not phases or name in phases)
        planned = sum(round_.phase(name).minutes for name in chosen)
        started = Started(
            at=Stamp.of(clock),
            round=round_,
            seed=seed,
            level=level or round_.level,
            mode=mode,
            phases=chosen,
            minutes=minutes or planned,
            hard=hard,
        )
        state = State.begin(started)
        heading = happened.Wrote(at=started.at, start=0, removed=0, text=_heading(state.phase.id))
        sitting = cls(_journal(path, started, heading), state, clock)
        state.apply(heading)
        return sitting

    @classmethod
    def resume(cls, path: Path, clock: Clock, *, counted: bool | None = None) -> Sitting:
        """Go on with a round that was left or killed. The time away counts in an interview.

        `counted` decides for the other modes. Raises `DrillkitError` as `begin`, and where the
        journal cannot be read.
        """
        journal = Journal.reopen(path)
        try:
            state = state_of(path)
            sitting = cls(journal, state, clock)
            sitting._return(
                counted=state.started.mode == "interview" if counted is None else counted
            )
        except BaseException:
            journal.close()
            raise
        return sitting

    def _return(self, *, counted: bool) -> None:
        if self.state.over:
            return
        now = Stamp.of(self._clock)
        gap = now.since(self.state.last)
        self._do(happened.Away(at=now, seconds=gap, counted=counted, resumed=True))
        if self.state.paused:
            self._do(happened.WentOn(at=now))

    def close(self) -> None:
        """Leave the round; it can be resumed."""
        self._journal.close()

    @property
    def path(self) -> Path | None:
        """Where the journal is; None for a round that is not kept."""
        return self._journal.path if isinstance(self._journal, Journal) else None

    @property
    def elapsed_s(self) -> float:
        """The second of the round."""
        return self.state.elapsed_at(self._now())

    @property
    def answer_left_s(self) -> float:
        """The seconds left for the answer to the open curveball, zero without one."""
        thrown = self.state.open_curveball
        return max(0.0, thrown.at_s + ANSWER_S - self.elapsed_s) if thrown else 0.0

    def _now(self) -> Stamp:
        return Stamp.of(self._clock)

    def _do(self, *events: AnyEvent) -> None:
        # First on the disk, then in memory: what is shown was kept.
        self._journal.append(*events)
        for event in events:
            self.state.apply(event)

    # --- each second ----------------------------------------------------------------------------

    def tick(self) -> list[Notice]:
        """Let time do its work; call it about once a second. Time itself goes on without it."""
        self._look_up()
        notices, self._waiting = self._waiting, []
        if self.state.over or self.state.paused or self._away is not None:
            return notices
        notices += self._time_up()
        if not self.state.over:
            notices += self._phase_over()
            notices += self._expire()
            notices += self._remind()
            notices += self._throw()
            if self._now().since(self.state.last) >= BEAT_S:
                self._do(happened.Beat(at=self._now()))
        return notices

    def _look_up(self) -> None:
        """Notice an absence since the last second or command, whichever of the two comes first."""
        running = self._clock.elapsed_s()
        gap, self._ticked = running - self._ticked, running
        if gap > AWAY_S and not (self.state.over or self.state.paused or self._away is not None):
            self._waiting += self._was_away(gap)

    def _was_away(self, gap: float) -> list[Notice]:
        told = f"Away for {gap:.0f} s"
        if self.state.started.mode == "interview":
            self._do(happened.Away(at=self._now(), seconds=gap, counted=True))
            return [Notice("away", f"{told}: an interview does not wait.", gap)]
        self._away = gap
        return [Notice("away", f"{told}: does it count?", gap, asks=True)]

    def settle_away(self, *, counted: bool) -> None:
        """Say whether the absence that was noticed counts."""
        if self._away is not None:
            seconds, self._away = self._away, None
            self._do(happened.Away(at=self._now(), seconds=seconds, counted=counted))

    def _time_up(self) -> list[Notice]:
        elapsed, state = self.elapsed_s, self.state
        notices: list[Notice] = []
        if elapsed >= state.total_s and not state.overtime:
            now = self._now()
            self._do(happened.TimeUp(at=now), self._headed(f"== {OVERTIME} ==\n", now))
            notices.append(Notice("time-up", "Time is up: the board is taken as it is."))
        if elapsed >= state.total_s + OVERTIME_S:
            self.finish()
            notices.append(Notice("ended", "The overtime is over."))
        return notices

    def _phase_over(self) -> list[Notice]:
        """In hard mode the interviewer moves on when a phase is over."""
        state = self.state
        last = state.index == len(state.plan) - 1
        if state.started.hard and not last and self.elapsed_s >= state.planned.end_s:
            self.next_phase()
            return [Notice("phase", f"On to {state.phase.title}.")]
        return []

    def _expire(self) -> list[Notice]:
        thrown = self.state.open_curveball
        if thrown is None or self.elapsed_s < thrown.at_s + ANSWER_S:
            return []
        self._do(happened.Expired(at=self._now(), curveball=thrown.curveball.id))
        return [Notice("late", "No answer in two minutes: the interviewer goes on.")]

    def _remind(self) -> list[Notice]:
        found = list(reminders(self.state, self.elapsed_s))
        for reminder, phase in found:
            self._do(happened.Reminded(at=self._now(), reminder=reminder, phase=phase))
        return [Notice("reminder", REMINDERS[reminder]) for reminder, _ in found]

    def _throw(self) -> list[Notice]:
        curveball = next_curveball(self.state, self._store, self.elapsed_s)
        if curveball is None:
            return []
        if not self._bears(curveball):
            # With what came before it, or was assumed, it would leave numbers without a value.
            self._store = tuple(one for one in self._store if one[0] is not curveball)
            return []
        self._do(happened.Threw(at=self._now(), curveball=curveball.id))
        return [Notice("curveball", self.state.curveballs[-1].said)]

    def _bears(self, curveball: Curveball) -> bool:
        """Whether everything still has a value after a curveball."""
        draw = self.state.draw
        try:
            return has_values(draw, set_facts(draw, self.state.situation, curveball))
        except (DrillkitError, ArithmeticError):
            return False

    def _assumable(self, assumed: Mapping[str, Fraction]) -> None:
        """Raise `UsageError` where something has no value any more by what is assumed."""
        situation = self.state.situation
        changed = situation._replace(assumed={**situation.assumed, **assumed})
        if assumed and not has_values(self.state.draw, changed):
            raise UsageError(
                "nothing can be worked out with that", hint="assume another " + ", ".join(assumed)
            )

    # --- what the candidate does ------------------------------------------------------------------

    def write(self, board: str) -> None:
        """Keep the whole board as it is now; only what changed is written."""
        self._open()
        self._put(_kept(board, MOST_BOARD))

    def _put(self, board: str) -> None:
        if board != self.state.board:
            self._do(self._wrote(board, self._now()))

    def _wrote(self, board: str, now: Stamp) -> happened.Wrote:
        start, removed, text = change_of(self.state.board, board)
        return happened.Wrote(at=now, start=start, removed=removed, text=text)

    def _headed(self, heading: str, now: Stamp) -> happened.Wrote:
        """The board with a heading below what is on it."""
        return self._wrote(f"{self.state.board.rstrip()}\n\n{heading}".lstrip(), now)

    def ask(self, words: str) -> tuple[str, ...]:
        """Ask the interviewer; return what he says, line by line."""
        self._playing()
        meant = facts_meant(self.state.started.round.facts, words)
        before = len(self.state.talk)
        self._do(happened.Asked(at=self._now(), words=_kept(words), facts=meant))
        return tuple(said.text for said in self.state.talk[before:] if said.who == "interviewer")

    def assume(self, symbol: str, text: str) -> None:
        """State an assumption.

        Raises `UsageError` for an unknown one, `UnreadableError` for a value that cannot be read or
        is not plausible.
        """
        self._playing()
        known = [one.symbol for one in self.state.started.round.assume]
        if symbol not in known:
            raise UsageError(
                f"nothing is assumed as {symbol!r} here", hint="known: " + ", ".join(known)
            )
        self._assumable({symbol: read_assumption(self.state.draw, symbol, text)})
        self._do(happened.Assumed(at=self._now(), symbol=symbol, text=_kept(text)))

    def read(self, check: str, text: str) -> Typed:
        """What is understood of a typed number; nothing is recorded."""
        return read_typed(self.state.draw, check, text, self.state.situation)

    def number(self, check: str, text: str) -> Recorded:
        """Record a number. Raises `UsageError` where the text cannot be read: it costs nothing."""
        self._playing()
        checks = self.state.draw.formulas.checks
        if check not in checks:
            raise UsageError(
                f"no number is asked for as {check!r}", hint="known: " + ", ".join(checks)
            )
        typed = self.read(check, text)
        if typed.value is None:
            raise UsageError(typed.message)
        # First judged, then kept: what has no verdict must not be in the journal.
        self._assumable(typed.assumed)
        judge_number(self.state.draw, check, typed, self.state.situation)
        self._do(happened.Numbered(at=self._now(), check=check, text=_kept(text)))
        return self.state.numbers[-1]

    def layout(self, fields: Mapping[str, int], phase: str = "") -> None:
        """Record the layout for the present phase, or another. Raises `UsageError`."""
        self._playing()
        name = phase or self.state.phase.id
        plan = self.state.started.round.phase(name).plan
        if plan is None:
            raise UsageError(f"no layout is asked for in {name}")
        # A name of the round, such as `gpus`, is not the candidate's to choose.
        unknown = [one for one in fields if one not in plan.fields]
        if unknown:
            raise UsageError("not asked for here: " + ", ".join(unknown))
        missing = [
            one
            for one in plan.fields
            if fields.get(one, -1) < (0 if one in {"zero", "recompute"} else 1)
        ]
        if missing:
            raise UsageError("still to be said: " + ", ".join(missing))
        given = {one: min(value, LARGEST) for one, value in fields.items()}
        judge_layout(self.state.draw, name, given, self.state.situation)
        self._do(happened.LaidOut(at=self._now(), phase=name, fields=given))

    def answer(self, text: str = "") -> None:
        """Answer the open curveball; without a text, by what was written since it came."""
        self._reply(text, skipped=False)

    def skip(self) -> None:
        """Leave the open curveball without an answer."""
        self._reply("", skipped=True)

    def _reply(self, text: str, *, skipped: bool) -> None:
        self._playing()
        thrown = self.state.open_curveball
        if thrown is None:
            raise UsageError("the interviewer asked nothing")
        self._do(
            happened.Answered(
                at=self._now(),
                curveball=thrown.curveball.id,
                text=_kept(text),
                skipped=skipped,
            )
        )

    def note(self, text: str) -> None:
        """Park an idea for later."""
        self._playing()
        self._do(happened.Noted(at=self._now(), text=_kept(text)))

    def next_phase(self) -> None:
        """Move on; from the last phase, end the round."""
        self._playing()
        state = self.state
        if state.index == len(state.plan) - 1:
            self.finish()
            return
        now, following = self._now(), state.plan[state.index + 1].phase.id
        moved = happened.Moved(at=now, phase=following)
        self._do(moved, self._headed(_heading(following), now))

    def pause(self) -> None:
        """Stop the clock. Raises `UsageError` outside of practice mode."""
        self._playing()
        if self.state.started.mode != "practice":
            raise UsageError("only practice mode can be paused")
        if not self.state.paused:
            self._do(happened.Paused(at=self._now()))

    def go_on(self) -> None:
        """Let the clock run again."""
        if self.state.paused:
            self._do(happened.WentOn(at=self._now()))
            self._ticked = self._clock.elapsed_s()

    def finish(self) -> None:
        """End the round; the debrief begins."""
        if not self.state.over:
            self._do(happened.Ended(at=self._now()))

    def _playing(self) -> None:
        self._open()
        self._look_up()
        if self._away is not None:
            # What happens now would be dated by a time that may not count.
            raise UsageError("you were away: say first whether that counts")

    def _open(self) -> None:
        if self.state.over:
            raise UsageError("the round is over")
        if self.state.paused:
            raise UsageError("the round is paused")

    # --- the debrief ---------------------------------------------------------------------------

    def grade(self, row: Row, grade: int, evidence: str = "", *, again: bool = False) -> None:
        """Grade oneself on a row, from 1 to 4."""
        if not 1 <= grade <= 4:
            raise UsageError(f"{grade} is no grade", hint="grades are 1, 2, 3 and 4")
        self._do(
            happened.Graded(
                at=self._now(), row=row, grade=grade, evidence=_kept(evidence), again=again
            )
        )

    def open_model(self) -> None:
        """Show the model answer; from here on the first grading is no longer blind."""
        if not self.state.opened:
            self._do(happened.Opened(at=self._now()))

    def mark(self, point: str, mark: Mark) -> None:
        """Say whether a point of the model answer was made."""
        self._do(happened.Marked(at=self._now(), point=point, mark=mark))

    def settle(self, cards: tuple[str, ...] = ()) -> None:
        """End the debrief, with the cards that were made."""
        self._do(happened.Finished(at=self._now(), cards=cards))


def _journal(path: Path | None, *first: AnyEvent) -> Kept:
    if path is None:
        return Unkept()
    journal = Journal.create(path)
    try:
        journal.append(*first)
    except DrillkitError:
        journal.close()
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return journal


def _kept(text: str, most: int = MOST_ANSWER) -> str:
    """Return what is kept of a text: so much of it, and no half of a sign, which no file takes."""
    return text[:most].encode("utf-8", "replace").decode()


def _heading(phase: str) -> str:
    return f"== {phase} ==\n"
