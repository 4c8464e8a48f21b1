"""A collection, a library, a clock and settings to review with, for the tests of this folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from drillkit.clock import ManualClock, Moment
from drillkit.content.cards import Deck, Recall
from drillkit.content.files import Stamp
from drillkit.content.library import Held, Library, assemble
from drillkit.content.packed import pack_deck
from drillkit.review.collection import Collection
from drillkit.review.direct import rate_item
from drillkit.review.queue import Filter
from drillkit.review.rating import Rating
from drillkit.review.replay import replay
from drillkit.review.session import Session
from drillkit.review.today import study_day
from drillkit.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

AGAIN, HARD, GOOD, EASY = Rating
MORNING = "2026-12-01T08:00+01:00"
DAY_S = 86_400
# One review a card and no steps: for tests in which learning would only be in the way.
PLAIN = Settings(learning_steps_s=(), relearning_steps_s=(), fuzz=False)


def at(text: str) -> Moment:
    return Moment.of(datetime.fromisoformat(text))


def card(name: str, deck: str = "d", **more) -> Recall:
    return Recall(id=name, deck=deck, ask=f"{name}?", answer=name, **more)


def library(*cards) -> Library:
    decks = {}
    for one in cards:
        decks.setdefault(one.deck, []).append(one)
    return library_of(
        *(Deck(name, name, f"{name}.yaml", cards=tuple(held)) for name, held in decks.items())
    )


def library_of(*decks: Deck) -> Library:
    held = {deck.path: Held(Stamp(0, 0, 0), (), pack_deck(deck)) for deck in decks}
    return assemble(held, (), len(held))


def numbered(count: int, deck: str = "d") -> Library:
    return library(*(card(f"c{number}", deck) for number in range(count)))


@dataclass
class Desk:
    """Everything a sitting needs, with short ways to do what tests do often."""

    folder: Path
    library: Library = field(default_factory=lambda: numbered(3))
    settings: Settings = field(default_factory=Settings)
    clock: ManualClock = field(default_factory=lambda: ManualClock(at(MORNING)))
    chosen: Filter = field(default_factory=Filter)

    def __post_init__(self) -> None:
        self.path = self.folder / "collection.db"
        self.collection = Collection.open(self.path)

    def close(self) -> None:
        self.collection.close()

    @property
    def day(self) -> int:
        return study_day(self.clock.now(), self.settings)

    def session(self, chosen: Filter | None = None) -> Session:
        return Session.open(
            self.collection, self.library, self.clock, self.settings, chosen or self.chosen
        )

    def answer(self, session: Session, rating: Rating = GOOD, seconds: float = 4, **more):
        self.clock.advance(seconds)
        session.reveal()
        return session.rate(rating, **more)

    def sit(self, rating: Rating = GOOD, limit: int = 10_000) -> list[str]:
        """Answer everything that a sitting shows; return the items in the order they came."""
        session = self.session()
        shown = []
        while session.current is not None and len(shown) < limit:
            shown.append(session.current.item)
            self.answer(session, rating)
        return shown

    def learn(self, item: str, *ratings: Rating) -> None:
        """Give `ratings` to an item, each when it is due, outside any sitting."""
        for rating in ratings:
            rate_item(self.collection, self.library, self.clock, self.settings, item, rating)
            memory = self.collection.state(item).memory
            if hasattr(memory, "due_ms"):
                self.clock.advance((memory.due_ms - self.clock.now().utc_ms) / 1000)
            else:
                self.clock.advance((memory.due_day - self.day) * DAY_S)

    def replayed(self):
        return replay(self.collection.events(), self.collection.undone())

    def held(self):
        return {state.item: state for state in self.collection.states()}
