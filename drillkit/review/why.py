"""Why this item now, and why this interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drillkit.clock import day_of
from drillkit.review.events import Rated
from drillkit.review.scheduler import interval_text
from drillkit.review.state import Learning, New, Relearning, Reviewing, State, predicted_recall

if TYPE_CHECKING:
    from datetime import date

    from drillkit.review.collection import Collection
    from drillkit.review.rating import Rating


@dataclass(frozen=True)
class Past:
    """One earlier answer: `days` is the interval it led to (0 while learning), `text` its words."""

    day: date
    rating: Rating
    days: int
    text: str


@dataclass(frozen=True)
class Why:
    """What the schedule knows of an item.

    `stability_days` is the time after which recall has fallen to 90 %, `difficulty` runs from 1 to
    10, `recall` and `target` from 0 to 1. `plain_days` is the present interval before fuzz,
    `max_days` the longest one that was allowed then. All are 0 for a new item.
    """

    item: str
    reason: str
    memory: str
    stability_days: float
    difficulty: float
    recall: float
    target: float
    due: str
    days: int
    plain_days: int
    max_days: int
    reps: int
    lapses: int
    history: tuple[Past, ...]


def why(
    collection: Collection, state: State, reason: str, target: float, day: int, decay: float
) -> Why:
    """Return what the schedule knows of an item on the study day `day`."""
    memory = state.memory
    rated = [
        (event, event.action)
        for event in collection.history(state.item)
        if isinstance(event.action, Rated)
    ]
    newest = rated[-1][1] if rated else None
    return Why(
        item=state.item,
        reason=reason,
        memory=state.phase,
        stability_days=0.0 if isinstance(memory, New) else memory.stability,
        difficulty=0.0 if isinstance(memory, New) else memory.difficulty,
        recall=predicted_recall(state, day, decay),
        target=target,
        due=_due(state, day),
        days=memory.days if isinstance(memory, Reviewing) else 0,
        plain_days=newest.plain_days if newest else 0,
        max_days=newest.max_days if newest else 0,
        reps=state.reps,
        lapses=state.lapses,
        history=tuple(
            Past(day_of(event.study_day), action.rating, *_interval(action, event.utc_ms))
            for event, action in rated
        ),
    )


def _interval(action: Rated, utc_ms: int) -> tuple[int, str]:
    memory = action.after
    if isinstance(memory, Reviewing):
        return memory.days, interval_text(memory.days * 86_400)
    if isinstance(memory, Learning | Relearning):
        return 0, interval_text((memory.due_ms - utc_ms) / 1000)
    return 0, ""


def _due(state: State, day: int) -> str:
    match state.memory:
        case New():
            return "not yet learned"
        case Reviewing():
            return day_of(state.memory.due_day).isoformat()
        case _:
            return "today" if state.last_day >= day else day_of(state.last_day).isoformat()


def reason_for(state: State, recall: float, target: float, day: int, now_ms: int) -> str:
    """Say in one line why an item is shown."""
    match state.memory:
        case New():
            return "new card"
        case Reviewing(due_day=due_day):
            late = day - due_day
            when = "due today" if late <= 0 else f"{late} day{'s' * (late > 1)} overdue"
            return f"{when}: recall about {recall:.0%}, target {target:.0%}"
        case Learning(due_ms=due_ms) | Relearning(due_ms=due_ms):
            kind = "learning" if isinstance(state.memory, Learning) else "relearning"
            ahead = ", ahead of its time: nothing else is left" if due_ms > now_ms else ""
            return f"{kind} step{ahead}"
