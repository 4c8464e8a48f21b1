"""How it has gone and what lies ahead, in one document and in plain lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from drillkit.content.cards import Wording
from drillkit.review.stats import (
    confusion,
    forecast,
    leeches,
    recall_on,
    retention,
    time_spent,
    weakest,
)
from drillkit.review.streak import streak
from drillkit.review.today import study_day

if TYPE_CHECKING:
    from drillkit.clock import Clock
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.settings import Settings

MONTH = 30
FORECAST_DAYS = 14
# Of fewer picks than this no habit can be told.
LEAST_PICKS = 20


class Weak(msgspec.Struct, frozen=True):
    """A deck or tag and the share of its reviews that was recalled."""

    kind: str
    name: str
    recall: float
    reviews: int


class Mistaken(msgspec.Struct, frozen=True):
    """How often one class was picked where another was right, of all picks in its deck."""

    deck: str
    right: str
    picked: str
    times: int
    picks: int


class Report(msgspec.Struct, frozen=True):
    """Shares are 0 to 1, times in minutes; `forecast` counts cards due a day, from today on."""

    streak_days: int
    reviews: int
    retention: float | None
    minutes: float
    forecast: list[int]
    weakest: list[Weak]
    leeches: list[str]
    recall_at_interview: float | None = None
    mistaken: list[Mistaken] = []

    def lines(self) -> list[str]:
        """Return the report as plain text."""
        days = "day" if self.streak_days == 1 else "days"
        recalled = "" if self.retention is None else f", {self.retention:.0%} recalled"
        found = [
            f"streak: {self.streak_days} {days}",
            f"last {MONTH} days: {self.reviews:,} reviews" + recalled,
            f"time spent: {self.minutes:,.0f} min",
            "due, from today on: " + " ".join(str(count) for count in self.forecast),
        ]
        if self.recall_at_interview is not None:
            found.append(f"predicted recall at the interview: {self.recall_at_interview:.0%}")
        if self.weakest:
            found.append("weakest:")
            found += [
                f"  {weak.kind} {weak.name}: {weak.recall:.0%} of {weak.reviews}"
                for weak in self.weakest
            ]
        found += [
            f"{one.deck}: took {one.right!r} for {one.picked!r} {one.times} of {one.picks} times"
            for one in self.mistaken
        ]
        if self.leeches:
            found.append("leeches, to be rewritten: " + ", ".join(self.leeches))
        return found


def report_of(collection: Collection, library: Library, clock: Clock, settings: Settings) -> Report:
    """Put the report of the last month and the next fortnight together."""
    today = study_day(clock.now(), settings)
    since = today - MONTH + 1
    recalled = retention(collection, since, today)
    readiness = (
        recall_on(collection, library, settings, settings.interview).recall
        if settings.interview is not None
        else None
    )
    return Report(
        streak_days=streak(collection, today),
        reviews=recalled.total,
        retention=recalled.rate if recalled.total else None,
        minutes=sum(time_spent(collection, since, today).values()) / 60,
        forecast=forecast(collection, library, today, FORECAST_DAYS),
        weakest=[
            Weak(topic.kind, topic.name, topic.recalled.rate, topic.recalled.total)
            for topic in weakest(collection, library, since, today)
        ],
        leeches=[state.item for state in leeches(collection, library)],
        recall_at_interview=readiness,
        mistaken=_mistaken(collection, library),
    )


def _mistaken(collection: Collection, library: Library) -> list[Mistaken]:
    """Return the classes that are confused, in decks of which enough was recognised to tell."""
    decks = {card.deck for card in library.items.values() if isinstance(card, Wording)}
    found = []
    for deck in sorted(decks):
        matrix = confusion(collection, library, deck)
        if matrix.total >= LEAST_PICKS:
            found += [
                Mistaken(deck, right, picked, times, matrix.total)
                for (right, picked), times in matrix.counts.items()
                if right != picked
            ]
    return sorted(found, key=lambda one: -one.times)
