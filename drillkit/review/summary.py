"""What a sitting came to, for the finished screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drillkit.review.rating import Rating

if TYPE_CHECKING:
    from drillkit.clock import Moment
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection

# Nobody thinks about one card for longer: the person went away, or the lid was closed.
LONGEST_MS = 10 * 60_000

STANDING = (
    "batch NOT IN (SELECT other FROM events WHERE other IS NOT NULL AND kind = 'undone')"
    " AND kind IN ('rated', 'crammed')"
)


@dataclass(frozen=True)
class Summary:
    """A sitting in numbers: what was learned for the first time, what lapsed, what comes.

    `last` is the last rating that each item got, in the order in which they were met; `seconds` is
    the time spent on cards, at most ten minutes each; `waiting_ms` is how long until a learning
    item can be shown, None when today is done.
    """

    done: int = 0
    by_rating: dict[Rating, int] = field(default_factory=dict)
    learned: tuple[str, ...] = ()
    lapsed: tuple[str, ...] = ()
    last: dict[str, Rating] = field(default_factory=dict)
    seconds: float = 0.0
    due_tomorrow: int = 0
    next_due_at: Moment | None = None
    waiting_ms: int | None = None


@dataclass(frozen=True)
class Progress:
    """What the log says of a sitting so far."""

    done: int = 0
    reviews: int = 0
    new: int = 0
    last: str = ""
    answers: dict[str, Rating] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)


def progress(collection: Collection, sitting: str, since_day: int) -> Progress:
    """Return how far a sitting that goes on since the study day `since_day` has come."""
    if not sitting:
        return Progress()
    rows = _answers(collection, sitting, since_day)
    return Progress(
        done=len(rows),
        reviews=len({row[0] for row in rows if row[1] == "review"}),
        new=len({row[0] for row in rows if row[1] == "new"}),
        last=rows[-1][0] if rows else "",
        answers={item: rating for item, _, rating, _ in rows},
        times=Counter(item for item, *_ in rows),
    )


def _answers(
    collection: Collection, sitting: str, since_day: int
) -> list[tuple[str, str, Rating, int]]:
    rows = collection.select(
        "SELECT item, coalesce(phase, ''), rating, spent_ms FROM events"  # noqa: S608 fixed text
        f" WHERE study_day >= ? AND sitting = ? AND {STANDING} ORDER BY seq",
        since_day,
        sitting,
    )
    return [
        (str(item), str(phase), Rating(int(rating or 0)), int(spent or 0))
        for item, phase, rating, spent in rows
    ]


def summary(
    collection: Collection,
    library: Library,
    sitting: str,
    since_day: int,
    day: int,
    next_due_at: Moment | None,
    waiting_ms: int | None,
) -> Summary:
    """Return what the sitting came to, on the study day `day`."""
    rows = _answers(collection, sitting, since_day) if sitting else []
    by_rating = dict.fromkeys(Rating, 0)
    for _, _, rating, _ in rows:
        by_rating[rating] += 1
    tomorrow = collection.select(
        "SELECT item FROM items WHERE due_day IS NOT NULL AND suspended = 0 AND due_day <= ?",
        day + 1,
    )
    return Summary(
        done=len(rows),
        by_rating=by_rating,
        learned=tuple(dict.fromkeys(item for item, phase, _, _ in rows if phase == "new")),
        lapsed=tuple(
            dict.fromkeys(
                item
                for item, phase, rating, _ in rows
                if phase == "review" and rating is Rating.AGAIN
            )
        ),
        last={item: rating for item, _, rating, _ in rows},
        seconds=sum(min(spent, LONGEST_MS) for *_, spent in rows) / 1000,
        due_tomorrow=sum(str(row[0]) in library.items for row in tomorrow),
        next_due_at=next_due_at,
        waiting_ms=waiting_ms,
    )
