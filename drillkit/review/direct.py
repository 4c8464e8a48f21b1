"""One action on one item, outside a sitting: what the command line and lists of cards do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.errors import UsageError
from drillkit.review import answering
from drillkit.review.answering import Answer
from drillkit.review.events import (
    AnyAction,
    Buried,
    Flagged,
    Suspended,
    Unburied,
    Unflagged,
    Unsuspended,
)
from drillkit.review.today import study_day
from drillkit.review.turn import Outcome
from drillkit.review.undoing import take_back

if TYPE_CHECKING:
    from drillkit.clock import Clock
    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.review.rating import Rating
    from drillkit.review.scheduler import Scheduled
    from drillkit.review.state import State
    from drillkit.settings import Settings

MARKS = ("suspend", "unsuspend", "bury", "unbury", "flag", "unflag")


def rate_item(
    collection: Collection,
    library: Library,
    clock: Clock,
    settings: Settings,
    item: str,
    rating: Rating,
) -> Outcome:
    """Write one answer down, as a sitting does. Raises `UsageError` for an unknown item."""
    card = _card(library, item)
    now = clock.now()
    day = study_day(now, settings)
    with collection.writing(now, day) as writing:
        state = answering.state_of_card(collection, library, item, card)
        state = answering.begin(writing, state, item)
        config, _ = answering.config_of(collection, writing, settings, None)
        answer = Answer(rating)
        recorded = answering.rate(writing, card, state, answer, settings, (now, day), config, "")
    return Outcome("rated", item, rating, recorded.scheduled.text, recorded.state, recorded.leech)


def practise_item(
    collection: Collection,
    library: Library,
    clock: Clock,
    settings: Settings,
    item: str,
    answer: Answer,
) -> None:
    """Write down an answer given outside the schedule. Raises `UsageError` for an unknown item."""
    _card(library, item)
    now = clock.now()
    with collection.writing(now, study_day(now, settings)) as writing:
        answering.cram(writing, item, answer, "")


def next_intervals(
    collection: Collection, library: Library, clock: Clock, settings: Settings, item: str
) -> dict[Rating, Scheduled]:
    """Return what each rating would lead to now. Raises `UsageError` for an unknown item."""
    card = _card(library, item)
    now = clock.now()
    state = answering.state_of_card(collection, library, item, card)
    return answering.intervals(settings, card, item, state, now, study_day(now, settings))[0]


def undo_last(
    collection: Collection, library: Library, clock: Clock, settings: Settings
) -> Outcome | None:
    """Take the log's last action back; None when there is nothing to undo."""
    now = clock.now()
    undone = take_back(collection, library, [], now, study_day(now, settings))
    if undone is None:
        return None
    return Outcome("undone", undone.item, state=collection.state(undone.item))


def mark_item(
    collection: Collection,
    library: Library,
    clock: Clock,
    settings: Settings,
    item: str,
    mark: str,
) -> State:
    """Suspend, bury or flag an item or take that back; `mark` is one of `MARKS`.

    Returns the item's state after it. Raises `UsageError` for an unknown item or mark.
    """
    card = _card(library, item)
    now = clock.now()
    day = study_day(now, settings)
    actions: dict[str, AnyAction] = {
        "suspend": Suspended(item=item),
        "unsuspend": Unsuspended(item=item),
        "bury": Buried(item=item, until=day + 1),
        "unbury": Unburied(item=item),
        "flag": Flagged(item=item),
        "unflag": Unflagged(item=item),
    }
    if mark not in actions:
        raise UsageError(f"{mark!r} cannot be done to an item", hint="use " + ", ".join(MARKS))
    with collection.writing(now, day) as writing:
        state = answering.state_of_card(collection, library, item, card)
        answering.begin(writing, state, item)
        writing.append(actions[mark])
    return collection.state(item)


def _card(library: Library, item: str) -> AnyCard:
    card = library.items.get(item)
    if card is None:
        import difflib  # noqa: PLC0415 only for a wrong call

        near = difflib.get_close_matches(item, library.items, n=1)
        hint = f"did you mean {near[0]}?" if near else "an item is written deck/card"
        raise UsageError(f"there is no item {item!r}", hint=hint)
    return card
