"""The one clock: the instant, elapsed time that survives sleep, and the study day.

Nothing else in drillkit asks the machine for the time. What needs it is handed a `Clock` (or a
`Moment`), so a week of reviews can be tested in a millisecond.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Protocol

from drillkit.errors import UsageError

DAY_MS = 86_400_000
# Outside these years a date could not be reckoned on from.
FIRST_YEAR, LAST_YEAR = 1970, 2999


@dataclass(frozen=True, order=True)
class Moment:
    """An instant and the local offset in force where and when it happened.

    `utc_ms` is milliseconds since 1970 in UTC; `offset_min` is local time minus UTC in minutes, so
    that a log read on another continent still knows which morning it was.
    """

    utc_ms: int
    offset_min: int = 0

    @property
    def local(self) -> datetime:
        zone = timezone(timedelta(minutes=self.offset_min))
        return datetime.fromtimestamp(self.utc_ms / 1000, tz=zone)

    def study_day(self, day_starts: int = 4) -> date:
        """Return the calendar day this moment counts towards; days turn at `day_starts` o'clock.

        It reads the wall clock (UTC plus offset), so the turn stays at the same hour on the wall
        through daylight saving and travel: a day then lasts 23, 25 or any number of hours.
        """
        return (self.local - timedelta(hours=day_starts)).date()

    def plus(self, ms: int) -> Moment:
        """Return the moment `ms` milliseconds later, at the same offset."""
        return Moment(self.utc_ms + ms, self.offset_min)

    @classmethod
    def of(cls, when: datetime) -> Moment:
        """Make a moment of an aware datetime, keeping its offset."""
        offset = when.utcoffset()
        if offset is None:
            raise UsageError(
                f"the time {when.isoformat()} has no offset",
                hint="write it as 2026-12-01T08:00+01:00",
            )
        return cls(round(when.timestamp() * 1000), round(offset.total_seconds() / 60))


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> Moment:
        """Return the present instant with its local offset."""
        ...

    def elapsed_s(self) -> float:
        """Return seconds on a clock that never steps and goes on while the machine sleeps."""
        ...

    def boot(self) -> str:
        """Return a name of this run of the machine: readings of `elapsed_s` compare within it."""
        ...


def _running_s() -> float:
    # Both count the time asleep: CLOCK_BOOTTIME on Linux, CLOCK_MONOTONIC on macOS (where
    # Python's own monotonic() does not). Elsewhere monotonic is the next best.
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        # To the minute, the moment at which the running clock stood at zero tells boots apart.
        return str(round((time.time() - _running_s()) / 60))


class SystemClock:
    """The machine's own clock."""

    def now(self) -> Moment:
        return Moment.of(datetime.now(UTC).astimezone())

    def elapsed_s(self) -> float:
        return _running_s()

    def boot(self) -> str:
        return _boot()


class ShiftedClock:
    """A clock that was set to `start` when it was made and runs on from there (`--at`)."""

    def __init__(self, start: Moment) -> None:
        self._start = start
        self._set_at_s = _running_s()

    def now(self) -> Moment:
        return self._start.plus(round((_running_s() - self._set_at_s) * 1000))

    def elapsed_s(self) -> float:
        return _running_s()

    def boot(self) -> str:
        return _boot()


class ManualClock:
    """A clock that moves only when told to: for tests and simulated weeks."""

    def __init__(self, start: Moment) -> None:
        self.moment = start
        self.running_s = 0.0

    def now(self) -> Moment:
        return self.moment

    def elapsed_s(self) -> float:
        return self.running_s

    def boot(self) -> str:
        return "manual"

    def advance(self, seconds: float) -> None:
        self.moment = self.moment.plus(round(seconds * 1000))
        self.running_s += seconds


def parse_moment(text: str) -> Moment:
    """Read `2026-12-01T08:00+01:00`; raise `UsageError` for anything else."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"cannot read the time {text!r}", hint="write it as 2026-12-01T08:00+01:00"
        ) from None
    if not FIRST_YEAR <= when.year <= LAST_YEAR:
        raise UsageError(
            f"the year {when.year} is out of reach", hint=f"from {FIRST_YEAR} to {LAST_YEAR}"
        )
    return Moment.of(when)


def day_number(day: date) -> int:
    """Return the day as an integer that grows by one a day (the database's form of a study day)."""
    return day.toordinal()


def day_of(number: int) -> date:
    """Return the date of a `day_number`."""
    return date.fromordinal(number)
