"""What happens in a round, one event a line of its journal.

A journal is append-only and holds everything: the round as it was written that day, each change of
the board, each word of the interviewer. What a round has come to is its replay (`state`).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from drillkit.clock import Clock  # noqa: TC001 msgspec reads the types of fields
from drillkit.content.round import Level, Round, Row  # noqa: TC001 msgspec reads the types of fields

Mode = Literal["interview", "practice", "sprint"]
Mark = Literal["hit", "partial", "miss"]
Reminder = Literal["over-30", "over-120", "five-minutes", "one-minute"]


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """When something happened, on both clocks.

    `running_s` counts on through sleep and never steps; it compares only within one `boot`. The
    wall clock (`utc_ms`, `offset_min`) dates the round and bridges a restart of the machine.
    """

    running_s: float
    utc_ms: int
    offset_min: int
    boot: str

    @classmethod
    def of(cls, clock: Clock) -> Stamp:
        now = clock.now()
        return cls(clock.elapsed_s(), now.utc_ms, now.offset_min, clock.boot())

    def since(self, before: Stamp) -> float:
        """Return the seconds from an earlier stamp to this one, never below zero."""
        if self.boot == before.boot:
            return max(0.0, self.running_s - before.running_s)
        return max(0.0, (self.utc_ms - before.utc_ms) / 1000)


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """Anything that happened, and when."""

    at: Stamp


class Started(Event, frozen=True, kw_only=True, omit_defaults=True, tag="started"):
    """The round begins. `phases` are those played, `minutes` what they share; `hard` moves on."""

    round: Round
    seed: int
    level: Level
    mode: Mode
    phases: tuple[str, ...]
    minutes: float
    hard: bool = False


class Beat(Event, frozen=True, kw_only=True, omit_defaults=True, tag="beat"):
    """Nothing happened, but drillkit was there."""


class Wrote(Event, frozen=True, kw_only=True, omit_defaults=True, tag="wrote"):
    """The board changed: from character `start` on, `removed` characters gave way to `text`."""

    start: int
    removed: int
    text: str


class Asked(Event, frozen=True, kw_only=True, omit_defaults=True, tag="asked"):
    """The candidate asked, and these facts were told."""

    words: str
    facts: tuple[str, ...] = ()


class Assumed(Event, frozen=True, kw_only=True, omit_defaults=True, tag="assumed"):
    """The candidate stated an assumption: its symbol, and the value as typed."""

    symbol: str
    text: str


class Numbered(Event, frozen=True, kw_only=True, omit_defaults=True, tag="number"):
    """The candidate recorded a number for a check, as typed."""

    check: str
    text: str


class LaidOut(Event, frozen=True, kw_only=True, omit_defaults=True, tag="layout"):
    """The candidate recorded a layout for a phase."""

    phase: str
    fields: dict[str, int]


class Moved(Event, frozen=True, kw_only=True, omit_defaults=True, tag="phase"):
    """The next phase begins."""

    phase: str


class Threw(Event, frozen=True, kw_only=True, omit_defaults=True, tag="curveball"):
    """The interviewer interrupts."""

    curveball: str


class Answered(Event, frozen=True, kw_only=True, omit_defaults=True, tag="answer"):
    """The candidate answers the open curveball; with `skipped` without a word."""

    curveball: str
    text: str = ""
    skipped: bool = False


class Expired(Event, frozen=True, kw_only=True, omit_defaults=True, tag="expired"):
    """The time for an answer is over."""

    curveball: str


class Reminded(Event, frozen=True, kw_only=True, omit_defaults=True, tag="reminded"):
    """The interviewer says something on the time."""

    reminder: Reminder
    phase: str = ""


class Noted(Event, frozen=True, kw_only=True, omit_defaults=True, tag="note"):
    """The candidate parks an idea."""

    text: str


class Away(Event, frozen=True, kw_only=True, omit_defaults=True, tag="away"):
    """Nobody was there for `seconds` until now: asleep, stopped or killed."""

    seconds: float
    counted: bool
    resumed: bool = False


class Paused(Event, frozen=True, kw_only=True, omit_defaults=True, tag="paused"):
    """The clock stops."""


class WentOn(Event, frozen=True, kw_only=True, omit_defaults=True, tag="went-on"):
    """The clock runs again."""


class TimeUp(Event, frozen=True, kw_only=True, omit_defaults=True, tag="time-up"):
    """The last minute is over: the board is in time up to here."""


class Ended(Event, frozen=True, kw_only=True, omit_defaults=True, tag="ended"):
    """The round is over; grading begins."""


class Graded(Event, frozen=True, kw_only=True, omit_defaults=True, tag="graded"):
    """The candidate's own grade of a row, 1 to 4, and the line of the board that shows it.

    `again` is the grading of another day, blind to the first.
    """

    row: Row
    grade: int
    evidence: str = ""
    again: bool = False


class Marked(Event, frozen=True, kw_only=True, omit_defaults=True, tag="marked"):
    """Whether a point of the model answer was made; the point is `phase/id` or `curveball/id`."""

    point: str
    mark: Mark


class Opened(Event, frozen=True, kw_only=True, omit_defaults=True, tag="opened"):
    """The model answer was opened: the blind grading is over."""


class Finished(Event, frozen=True, kw_only=True, omit_defaults=True, tag="finished"):
    """The debrief is done; the cards that were made of it."""

    cards: tuple[str, ...] = ()


AnyEvent = (
    Started
    | Beat
    | Wrote
    | Asked
    | Assumed
    | Numbered
    | LaidOut
    | Moved
    | Threw
    | Answered
    | Expired
    | Reminded
    | Noted
    | Away
    | Paused
    | WentOn
    | TimeUp
    | Ended
    | Graded
    | Marked
    | Opened
    | Finished
)

# A kill leaves these to the system to write; the others are on the disk before the next key.
UNHURRIED = (Beat, Wrote)


def change_of(before: str, after: str) -> tuple[int, int, str]:
    """Return (start, removed, text) by which `before` becomes `after`."""
    if before == after:
        return len(before), 0, ""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < shorter - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return start, len(before) - start - tail, after[start : len(after) - tail]
