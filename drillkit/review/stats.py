"""What the log tells about a person's memory: retention, forecast, streak, weak topics."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drillkit.clock import day_number
from drillkit.content.cards import Wording
from drillkit.review.names import carried, claims
from drillkit.review.state import State, decay_of, predicted_recall
from drillkit.review.summary import LONGEST_MS, STANDING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.settings import Settings


@dataclass(frozen=True)
class Recalled:
    """How many of `total` reviews were recalled (rated hard, good or easy)."""

    passed: int = 0
    total: int = 0

    @property
    def rate(self) -> float:
        """The share recalled, 0 to 1; 0 when nothing was reviewed."""
        return self.passed / self.total if self.total else 0.0

    def plus(self, passed: int, total: int) -> Recalled:
        return Recalled(self.passed + passed, self.total + total)


@dataclass(frozen=True)
class Topic:
    """A deck or a tag and how well it is recalled."""

    kind: str
    name: str
    recalled: Recalled


@dataclass(frozen=True)
class Readiness:
    """What is likely to be recalled on a day, if nothing is studied until then.

    `recall` is the mean over the cards studied so far, `by_deck` the same for each deck; `studied`
    and `unseen` count cards. All shares run from 0 to 1.
    """

    recall: float
    studied: int
    unseen: int
    by_deck: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Confusion:
    """What was picked where: `counts[truth, picked]`, over the classes `labels`."""

    labels: tuple[str, ...]
    counts: dict[tuple[str, str], int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def retention(collection: Collection, since_day: int, until_day: int) -> Recalled:
    """Return the true retention: reviews recalled of all reviews in the study days given, both in.

    Answers on learning steps do not count: they ask for what was seen minutes ago.
    """
    return next(iter(retention_by_period(collection, since_day, until_day, None).values()))


def retention_by_period(
    collection: Collection, since_day: int, until_day: int, days: int | None = 7
) -> dict[int, Recalled]:
    """Return first study day -> retention, in periods of `days` (None: all as one)."""
    span = days or max(1, until_day - since_day + 1)
    found = {start: Recalled() for start in range(since_day, until_day + 1, span)} or {
        since_day: Recalled()
    }
    rows = collection.select(
        "SELECT (study_day - ?) / ?, sum(rating > 1), count(*) FROM answers"
        " WHERE phase = 'review' AND study_day BETWEEN ? AND ? GROUP BY 1",
        since_day,
        span,
        since_day,
        until_day,
    )
    for period, passed, total in rows:
        found[since_day + int(period or 0) * span] = Recalled(int(passed or 0), int(total or 0))
    return found


def topics(collection: Collection, library: Library, since_day: int, until_day: int) -> list[Topic]:
    """Return the retention of every deck and tag that was reviewed, weakest first."""
    rows = collection.select(
        "SELECT item, sum(rating > 1), count(*) FROM answers"
        " WHERE phase = 'review' AND study_day BETWEEN ? AND ? GROUP BY item",
        since_day,
        until_day,
    )
    claimed = claims(library)
    found: dict[tuple[str, str], Recalled] = {}
    for item, passed, total in rows:
        card = library.items.get(claimed.get(str(item), str(item)))
        if card is None:
            continue
        for key in (("deck", card.deck), *(("tag", tag) for tag in card.tags)):
            held = found.get(key, Recalled())
            found[key] = held.plus(int(passed or 0), int(total or 0))
    ordered = sorted(found.items(), key=lambda pair: (pair[1].rate, -pair[1].total, pair[0]))
    return [Topic(kind, name, recalled) for (kind, name), recalled in ordered]


def weakest(
    collection: Collection, library: Library, since_day: int, until_day: int, least: int = 5
) -> list[Topic]:
    """Return the decks and tags recalled worst, of those with at least `least` reviews."""
    found = topics(collection, library, since_day, until_day)
    return [topic for topic in found if topic.recalled.total >= least]


def forecast(collection: Collection, library: Library, today: int, days: int = 14) -> list[int]:
    """Return how many items come due today (with what is overdue) and on each day after it."""
    due = [0] * days
    rows = collection.select(
        "SELECT item, max(due_day, buried_until) FROM items"
        " WHERE due_day IS NOT NULL AND suspended = 0 AND due_day < ?",
        today + days,
    )
    claimed = claims(library)
    for item, day in rows:
        ahead = max(0, int(day or 0) - today)
        if ahead < days and claimed.get(str(item), str(item)) in library.items:
            due[ahead] += 1
    return due


def time_spent(collection: Collection, since_day: int, until_day: int) -> dict[int, float]:
    """Return study day -> seconds spent on cards, at most ten minutes on one."""
    rows = collection.select(
        f"SELECT study_day, sum(min(spent_ms, {LONGEST_MS})) FROM events"  # noqa: S608 fixed text
        f" WHERE study_day BETWEEN ? AND ? AND {STANDING} GROUP BY study_day",
        since_day,
        until_day,
    )
    return {int(day or 0): int(spent or 0) / 1000 for day, spent in rows}


def recall_on(
    collection: Collection, library: Library, settings: Settings, when: date
) -> Readiness:
    """Return what is likely to be recalled on a date, such as the interview's."""
    day, decay = day_number(when), decay_of(settings.weights)
    by_deck: dict[str, list[float]] = {}
    for card, state in _studied(collection, library):
        by_deck.setdefault(card.deck, []).append(predicted_recall(state, day, decay))
    every = [recall for recalls in by_deck.values() for recall in recalls]
    return Readiness(
        recall=sum(every) / len(every) if every else 0.0,
        studied=len(every),
        unseen=len(library.items) - len(every),
        by_deck={deck: sum(recalls) / len(recalls) for deck, recalls in by_deck.items()},
    )


def leeches(collection: Collection, library: Library) -> list[State]:
    """Return the items that lapse again and again, worst first."""
    found = [state for state in collection.states("leech = 1") if state.item in library.items]
    return sorted(found, key=lambda state: (-state.lapses, state.item))


def confusion(collection: Collection, library: Library, deck: str) -> Confusion:
    """Return which class was picked for which on the `wording` cards of a deck.

    It reads what `response["picked"]` was: the text of the class.
    """
    counts: Counter[tuple[str, str]] = Counter()
    classes = {
        item: card.answer
        for item, card in library.items.items()
        if isinstance(card, Wording) and card.deck == deck
    }
    labels = dict.fromkeys(classes.values())
    claimed = claims(library)
    rows = collection.select(
        "SELECT item, json_extract(body, '$.response.picked') FROM events"  # noqa: S608 fixed text
        f" WHERE item >= ? AND item < ? AND item IS NOT NULL AND {STANDING}",
        f"{deck}/",
        f"{deck}0",  # the letter after the slash: every item of the deck lies between
    )
    for item, picked in rows:
        truth = classes.get(claimed.get(str(item), str(item)))
        if truth is not None and isinstance(picked, str):
            counts[truth, picked] += 1
            labels.setdefault(picked)
    return Confusion(tuple(labels), dict(counts))


def _studied(collection: Collection, library: Library) -> Iterator[tuple[AnyCard, State]]:
    states = {state.item: state for state in collection.states("phase != 'new'")}
    names = carried(claims(library), states, states)
    for item, state in states.items():
        card = library.items.get(names.get(item, item))
        if card is not None:
            yield card, state
