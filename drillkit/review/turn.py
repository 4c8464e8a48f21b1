"""One card in front of a person, what an action on it did, and the sitting it belongs to."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from drillkit.review.events import SittingStarted

if TYPE_CHECKING:
    from drillkit.content.cards import AnyCard
    from drillkit.review.collection import Collection
    from drillkit.review.queue import Filter
    from drillkit.review.rating import Rating
    from drillkit.review.state import State


@dataclass(frozen=True)
class Turn:
    """The card in front of the person.

    `seed` is the same for the item all study day and another on the next, so that a retry shows
    the same draw; `times_seen` counts its earlier answers; `reason` says why it is shown.
    """

    item: str
    card: AnyCard
    state: State
    phase: Literal["question", "answer"]
    seed: int
    times_seen: int
    reason: str
    cram: bool = False


@dataclass(frozen=True)
class Outcome:
    """What an action did. `text` is the interval, if any; `notice` is for the person to read.

    `kind` is rated, crammed, suspended, buried, flagged, unflagged, undone, or moved: the item was
    changed in another window meanwhile, so nothing was written.
    """

    kind: str
    item: str
    rating: Rating | None = None
    text: str = ""
    state: State | None = None
    leech: bool = False
    notice: str = ""


def sitting_over(chosen: Filter) -> SittingStarted:
    """Return the event that starts a sitting over the cards of `chosen`."""
    return SittingStarted(deck=chosen.deck, tag=chosen.tag, of_kind=chosen.kind, cram=chosen.cram)


def open_sitting(collection: Collection, chosen: Filter, day: int) -> str:
    """Return the id of today's unfinished sitting over the same cards, "" when there is none."""
    wanted = sitting_over(chosen)
    started = collection.events("study_day = ? AND kind = 'sitting_started'", day)
    ids = [event.id for event in started if event.action == wanted]
    if not ids:
        return ""
    last = collection.one(
        "SELECT kind FROM events WHERE study_day >= ? AND sitting = ? ORDER BY seq DESC LIMIT 1",
        day,
        ids[-1],
    )
    return "" if last == "sitting_finished" else ids[-1]


def draw_seed(item: str, day: int) -> int:
    """Return the seed of an item's draw on a study day: 63 bits."""
    text = f"{item}\0{day}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 1
