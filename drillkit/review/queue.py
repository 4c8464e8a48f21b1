"""What to study now, in which order, and what comes later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from drillkit.review.state import Learning, Relearning, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library

# Learning items are shown this much ahead of their time when nothing else is left, as Anki does.
AHEAD_MS = 20 * 60_000


class Filter(msgspec.Struct, frozen=True):
    """Which cards a sitting is about; "" is any. `cram`: regardless of the schedule."""

    deck: str = ""
    tag: str = ""
    kind: str = ""
    cram: bool = False

    def takes(self, card: AnyCard) -> bool:
        return (
            (not self.deck or card.deck == self.deck)
            and (not self.tag or self.tag in card.tags)
            and (not self.kind or card.kind == self.kind)
        )

    def __str__(self) -> str:
        parts = (self.deck, self.tag and f"tag {self.tag}", self.kind, "cram" * self.cram)
        return ", ".join(part for part in parts if part)


class Counts(msgspec.Struct, frozen=True):
    """How many reviews are due, new cards are to come and items are on a learning step today."""

    due: int = 0
    new: int = 0
    learning: int = 0

    @property
    def total(self) -> int:
        return self.due + self.new + self.learning


class Entry(msgspec.Struct, frozen=True):
    """One item that waits: what is known of it, its recall now and the recall aimed at (0 to 1)."""

    item: str
    card: AnyCard
    state: State
    recall: float = 0.0
    target: float = 0.9


class Queue(msgspec.Struct):
    """Today's items in order. `pick` names the next one, `settle` takes an answer into account."""

    day: int
    filter: Filter
    reviews: list[Entry] = []
    news: list[Entry] = []
    learning: dict[str, Entry] = {}
    day_ends_ms: int = 0
    done_reviews: int = 0
    done_new: int = 0
    postponed: bool = False
    orphans: tuple[str, ...] = ()
    unseen: dict[str, int] = {}
    _left: dict[str, Entry] = {}
    _review_at: int = 0
    _new_at: int = 0
    _reviews_left: int = 0
    _news_left: int = 0
    _learning_today: int = 0
    _children: dict[str, list[str]] = {}

    def __post_init__(self) -> None:
        for entry in (*self.reviews, *self.news):
            self._left[entry.item] = entry
            if entry.card.after:
                self._children.setdefault(entry.card.after, []).append(entry.item)
        self._reviews_left, self._news_left = len(self.reviews), len(self.news)
        self._learning_today = sum(map(self._is_today, self.learning.values()))

    def _is_today(self, entry: Entry) -> bool:
        return due_ms(entry.state) < self.day_ends_ms

    @property
    def counts(self) -> Counts:
        return Counts(self._reviews_left, self._news_left, self._learning_today)

    def entries(self) -> Iterator[Entry]:
        """Yield everything that is left for today, in no particular order."""
        yield from self._left.values()
        yield from filter(self._is_today, self.learning.values())

    def find(self, item: str) -> Entry | None:
        return self._left.get(item) or self.learning.get(item)

    def pick(self, now_ms: int, last: str, library: Library) -> Entry | None:
        """Return the next item to show, None when nothing can be shown yet.

        The follow-ups of what was just answered (`last`, "" for nothing) come first, then learning
        items whose time has come, then reviews and new cards evenly mixed, then learning items up
        to 20 minutes ahead of their time. It depends only on what is left and what was done, so
        a sitting that is left and continued goes on with the same item.
        """
        follow_up = self._follow_up(last, library)
        if follow_up is not None:
            return follow_up
        first = min(self.learning.values(), key=lambda entry: due_ms(entry.state), default=None)
        if first is not None and due_ms(first.state) <= now_ms:
            return first
        entry = self._new_or_review()
        if entry is not None:
            return entry
        if first is not None and due_ms(first.state) <= now_ms + AHEAD_MS:
            return first
        return None

    def _follow_up(self, last: str, library: Library) -> Entry | None:
        seen: set[str] = set()
        while last and last not in seen:
            seen.add(last)
            for child in self._children.get(last, ()):
                if child in self._left:
                    return self._left[child]
            card = library.items.get(last)
            last = card.after if card is not None else ""
        return None

    def _new_or_review(self) -> Entry | None:
        self._review_at = self._skip_done(self.reviews, self._review_at)
        self._new_at = self._skip_done(self.news, self._new_at)
        review = self._first_ready(self.reviews, self._review_at)
        new = self._first_ready(self.news, self._new_at)
        if review is None and new is None:
            # Follow-ups that wait for each other in a circle: any of them may start.
            return next(iter(self._left.values()), None)
        if review is None or new is None:
            return review or new
        # Each kind is spread evenly over the sitting: the one that lags behind comes next.
        new_share = (self.done_new + 0.5) / (self.done_new + self._news_left)
        review_share = (self.done_reviews + 0.5) / (self.done_reviews + self._reviews_left)
        return new if new_share < review_share else review

    def _skip_done(self, entries: list[Entry], at: int) -> int:
        while at < len(entries) and entries[at].item not in self._left:
            at += 1
        return at

    def _first_ready(self, entries: list[Entry], at: int) -> Entry | None:
        # A follow-up whose parent is still to come is passed over: it comes right after it.
        for index in range(at, len(entries)):
            entry = entries[index]
            if entry.item in self._left and entry.card.after not in self._left:
                return entry
        return None

    def settle(self, entry: Entry, state: State) -> None:
        """Take an answer into account: `state` is the item's state after it."""
        if self._left.pop(entry.item, None) is not None:
            if entry.state.phase == "new":
                self.done_new += 1
                self._news_left -= 1
            else:
                self.done_reviews += 1
                self._reviews_left -= 1
        held = self.learning.pop(entry.item, None)
        if held is not None:
            self._learning_today -= self._is_today(held)
        if isinstance(state.memory, Learning | Relearning) and not state.hidden_on(self.day):
            moved = Entry(entry.item, entry.card, state, 1.0, entry.target)
            self.learning[entry.item] = moved
            self._learning_today += self._is_today(moved)

    def wait_ms(self, now_ms: int) -> int | None:
        """Return milliseconds until a learning item can be shown today, None when none will."""
        waits = [
            due_ms(entry.state) - AHEAD_MS - now_ms
            for entry in self.learning.values()
            if self._is_today(entry)
        ]
        return max(0, min(waits)) if waits else None


def due_ms(state: State) -> int:
    """Return the instant a learning item comes back, in UTC milliseconds; 0 for any other."""
    memory = state.memory
    return memory.due_ms if isinstance(memory, Learning | Relearning) else 0
