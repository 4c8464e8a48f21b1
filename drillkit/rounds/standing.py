"""How a person stands with each round: played, left in the middle, to be graded; and the week."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from drillkit.clock import Moment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drillkit.rounds.archive import Kept
    from drillkit.rounds.events import Stamp

A_WEEK = 2
"""Design rounds of full length that a week of practice holds."""


def moment_of(stamp: Stamp) -> Moment:
    """Return the instant of a stamp, with the offset of that place and day."""
    return Moment(stamp.utc_ms, stamp.offset_min)


def day_of(kept: Kept) -> date:
    """Return the day on the wall on which a round began."""
    return moment_of(kept.state.started.at).local.date()


def is_whole(kept: Kept) -> bool:
    """Tell whether a round was played to its last phase, in the time that it is written for."""
    state = kept.state
    last = state.index == len(state.plan) - 1
    return state.over and state.started.mode != "sprint" and (last or state.overtime)


@dataclass(frozen=True)
class Standing:
    """What became of the times that one round was played, the oldest first."""

    attempts: tuple[Kept, ...] = ()

    @property
    def unfinished(self) -> Kept | None:
        """The latest one that was left before its end."""
        return next((one for one in reversed(self.attempts) if not one.state.over), None)

    @property
    def ungraded(self) -> Kept | None:
        """The latest one whose debrief waits."""
        found = (one for one in reversed(self.attempts) if one.state.over)
        return next((one for one in found if not one.state.finished), None)

    @property
    def ended(self) -> tuple[Kept, ...]:
        return tuple(one for one in self.attempts if one.state.over)


def standings(kept: Iterable[Kept]) -> dict[str, Standing]:
    """Return how each round stands that was ever begun."""
    by_round: defaultdict[str, list[Kept]] = defaultdict(list)
    for one in kept:
        by_round[one.state.round_id].append(one)
    return {name: Standing(tuple(attempts)) for name, attempts in by_round.items()}


def times(count: int) -> str:
    """Say how often something was done: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def week_text(kept: Iterable[Kept], today: date) -> str:
    """Say how many full rounds this week holds so far, and when the last one was."""
    days = sorted(day_of(one) for one in kept if is_whole(one))
    if not days:
        return "Two full rounds a week are enough: none was played yet."
    last = days[-1]
    since = (today - last).days
    ago = {0: "today", 1: "yesterday"}.get(since, f"{since} days ago")
    monday = today - timedelta(days=today.weekday())
    done = sum(monday <= day <= today for day in days)
    sunday = monday + timedelta(days=6)
    if done >= A_WEEK:
        left = f"{done} of {A_WEEK} this week are done"
    elif done:
        by = "today" if sunday == today else f"by {sunday:%A}"
        left = f"1 of {A_WEEK} this week, the second {by}"
    else:
        left = f"none of {A_WEEK} this week yet"
    return f"Last full round {ago} ({last:%a %d %b}); {left}."
