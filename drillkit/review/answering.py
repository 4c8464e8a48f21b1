"""Writing down an answer: the one place where a rating becomes events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from drillkit.review.events import (
    Configured,
    Crammed,
    Flagged,
    Rated,
    Renamed,
    Suspended,
    plain,
)
from drillkit.review.scheduler import Scheduled, configured_by, draw, longest_days, schedule
from drillkit.review.turn import sitting_over

if TYPE_CHECKING:
    from drillkit.clock import Moment
    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.review.queue import Filter
    from drillkit.review.rating import Rating
    from drillkit.review.state import State
    from drillkit.review.writing import Writing
    from drillkit.settings import Settings


@dataclass(frozen=True)
class Answer:
    """What a person did with a card: the rating, the times in milliseconds, what was typed."""

    rating: Rating
    think_ms: int = 0
    read_ms: int = 0
    response: dict[str, Any] | None = None


@dataclass(frozen=True)
class Recorded:
    """What an answer led to."""

    state: State
    scheduled: Scheduled
    leech: bool


def state_of_card(collection: Collection, library: Library, item: str, card: AnyCard) -> State:
    """Return what is known of a card, under its id or, before its first event, an older one."""
    own = collection.state(item)
    if own.phase != "new" or not card.was:
        return own
    for old in card.was:
        if old not in library.items:
            state = collection.state(old)
            if state.seq:
                return state
    return own


def intervals(
    settings: Settings, card: AnyCard, item: str, state: State, now: Moment, day: int
) -> tuple[dict[Rating, Scheduled], float, int]:
    """Return what each rating leads to, with the target and the longest interval in force."""
    retention = settings.retention.of(card.deck, card.tags)
    own = state if state.item == item else _as(state, item)
    max_days = longest_days(settings, day, draw(item, own.reps))
    found = schedule(configured_by(settings), own, now, day, retention=retention, max_days=max_days)
    return found, retention, max_days


def _as(state: State, item: str) -> State:
    from msgspec.structs import replace  # noqa: PLC0415 only for a renamed item

    return replace(state, item=item)


def begin(writing: Writing, state: State, item: str) -> State:
    """Make sure that the item is as `state` has it, carry a renamed history over, return the state.

    Raises `StaleError` when it was changed meanwhile.
    """
    writing.expect(state)
    if state.item == item:
        return state
    writing.note(Renamed(item=item, old=state.item))
    return writing.state(item)


def sitting_of(writing: Writing, sitting: str, chosen: Filter) -> str:
    """Return the sitting's id, of a sitting that starts now when there is none."""
    if sitting:
        return sitting
    return writing.note(sitting_over(chosen)).id


def config_of(
    collection: Collection,
    writing: Writing,
    settings: Settings,
    held: tuple[str, Configured] | None,
) -> tuple[str, Configured]:
    """Return (id, parameters) of the `configured` event in force, written when they changed."""
    wanted = configured_by(settings)
    if held is None:
        held = collection.configuration()
    if held is not None and held[1] == wanted:
        return held
    return writing.note(wanted).id, wanted


def rate(
    writing: Writing,
    card: AnyCard,
    state: State,
    answer: Answer,
    settings: Settings,
    moment: tuple[Moment, int],
    config: str,
    sitting: str,
) -> Recorded:
    """Append a rating that counts, and what follows when the item is a leech."""
    now, day = moment
    item, rating = state.item, answer.rating
    found, retention, max_days = intervals(settings, card, item, state, now, day)
    scheduled = found[rating]
    writing.append(
        Rated(
            item=item,
            rating=rating,
            phase=state.phase,
            after=scheduled.memory,
            plain_days=scheduled.plain_days,
            retention=retention,
            max_days=max_days,
            think_ms=answer.think_ms,
            read_ms=answer.read_ms,
            config=config,
            sitting=sitting,
            response=plain(answer.response),
        )
    )
    after = writing.state(item)
    leech = after.lapses > state.lapses and is_leech(after.lapses, settings.leech_lapses)
    if leech:
        mark = Suspended if settings.leech_action == "suspend" else Flagged
        writing.append(mark(item=item, leech=True))
        after = writing.state(item)
    return Recorded(after, scheduled, leech)


def cram(writing: Writing, item: str, answer: Answer, sitting: str) -> None:
    """Append an answer that leaves the schedule alone."""
    writing.append(
        Crammed(
            item=item,
            rating=answer.rating,
            think_ms=answer.think_ms,
            read_ms=answer.read_ms,
            sitting=sitting,
            response=plain(answer.response),
        )
    )


def is_leech(lapses: int, limit: int) -> bool:
    """Tell whether this lapse is one to speak up at: the limit-th, then every half of it."""
    return lapses >= limit and (lapses - limit) % max(1, (limit + 1) // 2) == 0
