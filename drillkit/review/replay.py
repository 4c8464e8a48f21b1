"""From events to states: the one way in which the log is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from drillkit.review.events import (
    Buried,
    Event,
    Flagged,
    Rated,
    Renamed,
    Suspended,
    Unburied,
    Unflagged,
    Unsuspended,
)
from drillkit.review.rating import Rating
from drillkit.review.state import State

if TYPE_CHECKING:
    from collections.abc import Container, Iterable


def apply(state: State, event: Event) -> State:
    """Return the item's state after one event about it; events that say nothing change nothing."""
    action, seq = event.action, event.seq
    match action:
        case Rated():
            lapsed = action.phase == "review" and action.rating is Rating.AGAIN
            return replace(
                state,
                memory=action.after,
                reps=state.reps + 1,
                lapses=state.lapses + lapsed,
                first_day=state.first_day or event.study_day,
                # A clock that was set back must not make the next span negative.
                last_day=max(state.last_day, event.study_day),
                buried_until=0,
                seq=seq,
            )
        case Suspended():
            return replace(state, suspended=True, leech=state.leech or action.leech, seq=seq)
        case Unsuspended():
            return replace(state, suspended=False, seq=seq)
        case Buried():
            return replace(state, buried_until=action.until, seq=seq)
        case Unburied():
            return replace(state, buried_until=0, seq=seq)
        case Flagged():
            return replace(state, flagged=True, leech=state.leech or action.leech, seq=seq)
        case Unflagged():
            return replace(state, flagged=False, seq=seq)
        case _:
            return state


def inherited(old: State, own: State, seq: int) -> State:
    """Return the state of a renamed item: the old id's memory, and the flags of both."""
    return replace(
        old,
        item=own.item,
        suspended=old.suspended or own.suspended,
        buried_until=max(old.buried_until, own.buried_until),
        flagged=old.flagged or own.flagged,
        leech=old.leech or own.leech,
        seq=seq,
    )


def step(states: dict[str, State], event: Event) -> None:
    """Take one event that still stands into `states`."""
    action = event.action
    item = getattr(action, "item", "")
    if not item:
        return
    own = states.get(item) or State(item=item)
    if isinstance(action, Renamed):
        old = states.pop(action.old, None)
        if old is not None:
            states[item] = inherited(old, own, event.seq)
        return
    after = apply(own, event)
    if after is not own:
        states[item] = after


def replay(events: Iterable[Event], undone: Container[str]) -> dict[str, State]:
    """Return every item's state from a log in order; `undone` are the batches taken back.

    Items of which nothing remains known are left out.
    """
    states: dict[str, State] = {}
    for event in events:
        if event.batch not in undone:
            step(states, event)
    return {item: state for item, state in states.items() if not state.is_blank}
