"""Today's queue, built from the collection and the library: what is due, new, and waiting."""

from __future__ import annotations

import hashlib
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

from drillkit.clock import Moment, day_number
from drillkit.review.names import carried, claims
from drillkit.review.queue import Counts, Entry, Filter, Queue, due_ms
from drillkit.review.state import State, day_start_ms, decay_of, predicted_recall

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.settings import Settings

EVERYTHING = Filter()
NOTHING = Counts()


class Today(msgspec.Struct, frozen=True):
    """What was answered on a study day: items by how they were met."""

    reviewed: frozenset[str] = frozenset()
    introduced: frozenset[str] = frozenset()
    studied: frozenset[str] = frozenset()


class Overview(msgspec.Struct, frozen=True):
    """What waits, for Home and for `drillkit due`.

    `by_deck` has a row for every deck and sums to `counts`; `unseen` counts the cards never
    studied, more than today's new ones; `next_due_at` is the next moment at which something more
    comes due, None when nothing ever will; `orphans` are ids with a history and without a card.
    """

    counts: Counts = NOTHING
    by_deck: dict[str, Counts] = {}
    unseen: dict[str, int] = {}
    next_due_at: Moment | None = None
    orphans: tuple[str, ...] = ()


def study_day(now: Moment, settings: Settings) -> int:
    """Return the study day of a moment as a number."""
    return day_number(now.study_day(settings.day_starts))


def day_start(day: int, now: Moment, settings: Settings) -> Moment:
    """Return the moment at which the study day `day` begins on the wall clock where `now` is."""
    return Moment(day_start_ms(day, now.offset_min, settings.day_starts), now.offset_min)


def overview(
    collection: Collection,
    library: Library,
    settings: Settings,
    now: Moment,
    chosen: Filter = EVERYTHING,
) -> Overview:
    """Return what waits, by deck, and when more comes. Imports no scheduler."""
    builder = _Builder(collection, library, settings, now, chosen)
    queue = builder.queue()
    rows = {deck: [0, 0, 0] for deck in library.decks}
    for entry in queue.entries():
        kind = {"review": 0, "new": 1}.get(entry.state.phase, 2)
        rows.setdefault(entry.card.deck, [0, 0, 0])[kind] += 1
    return Overview(
        counts=queue.counts,
        by_deck={deck: Counts(*counts) for deck, counts in rows.items()},
        unseen=queue.unseen,
        next_due_at=builder.next_due_at(queue),
        orphans=queue.orphans,
    )


def next_due_at(
    collection: Collection,
    library: Library,
    settings: Settings,
    now: Moment,
    chosen: Filter = EVERYTHING,
) -> Moment | None:
    """Return the next moment at which something more comes due, None when nothing ever will."""
    builder = _Builder(collection, library, settings, now, chosen)
    return builder.next_due_at(builder.queue())


def today(collection: Collection, day: int, claimed: dict[str, str]) -> Today:
    """Return what was answered on a study day, by present ids; what was undone does not count."""
    rows = [
        (claimed.get(str(item), str(item)), phase)
        for item, phase in collection.select(
            "SELECT item, phase FROM answers WHERE study_day = ?", day
        )
    ]
    return Today(
        reviewed=frozenset(item for item, phase in rows if phase == "review"),
        introduced=frozenset(item for item, phase in rows if phase == "new"),
        studied=frozenset(item for item, _ in rows),
    )


def build(
    collection: Collection,
    library: Library,
    settings: Settings,
    now: Moment,
    chosen: Filter = EVERYTHING,
) -> Queue:
    """Return today's queue: what is due first by how little of it is likely to be recalled.

    Suspended, buried and unknown items are left out, the daily limits count what was done today,
    of a group of siblings only one is taken a day, a follow-up waits for its parent's first answer.
    """
    return _Builder(collection, library, settings, now, chosen).queue()


class _Builder:
    def __init__(
        self,
        collection: Collection,
        library: Library,
        settings: Settings,
        now: Moment,
        chosen: Filter,
    ) -> None:
        self.collection = collection
        self.library = library
        self.settings = settings
        self.chosen = chosen
        self.now = now
        self.day = study_day(now, settings)
        self.decay = decay_of(settings.weights)
        self.learned = collection.items("phase != 'new'")
        # Few: what was marked before its first answer, and what is suspended or buried.
        marked = collection.select(
            "SELECT item, phase = 'new', suspended, buried_until FROM items"
            " WHERE phase = 'new' OR suspended OR buried_until > ?",
            self.day,
        )
        self.buried = {
            str(item): int(until or 0) for item, _, hidden, until in marked if not hidden
        }
        self.suspended = {str(item) for item, _, hidden, _ in marked if hidden}
        self.only_marked = {str(item) for item, new, _, _ in marked if new}
        claimed = claims(library)
        self.new_name = carried(claimed, self.learned | self.only_marked, self.learned)
        self.old_name = {item: old for old, item in self.new_name.items()}
        self.today = today(collection, self.day, claimed)
        self._new_room = max(0, settings.new_per_day - len(self.today.introduced))
        self.taken: dict[tuple[str, str], str] = {}
        self.postponed = False

    def queue(self) -> Queue:
        for item in self.today.studied:
            card = self.library.items.get(item)
            if card is not None and card.group:
                self.taken[(card.deck, card.group)] = item
        learning = {entry.item: entry for entry in self._learning()}
        for entry in learning.values():
            if entry.card.group:
                self.taken.setdefault((entry.card.deck, entry.card.group), entry.item)
        reviews = self._reviews()
        news, unseen = self._news()
        return Queue(
            day=self.day,
            filter=self.chosen,
            reviews=reviews,
            news=news,
            learning=learning,
            day_ends_ms=day_start(self.day + 1, self.now, self.settings).utc_ms,
            postponed=self.postponed,
            orphans=tuple(sorted(self._orphans())),
            unseen=unseen,
        )

    def _orphans(self) -> set[str]:
        cards = self.library.items.keys()
        known = chain(self.learned, self.only_marked)
        return {item for item in known if item not in cards and item not in self.new_name}

    def _entry(self, state: State) -> Entry | None:
        item = self.new_name.get(state.item, state.item)
        card = self.library.items.get(item)
        if card is None or not self.chosen.takes(card):
            return None
        target = self.settings.retention.of(card.deck, card.tags)
        return Entry(item, card, state, predicted_recall(state, self.day, self.decay), target)

    def _entries(self, states: Iterable[State]) -> list[Entry]:
        found = [self._entry(state) for state in states if not state.hidden_on(self.day)]
        return [entry for entry in found if entry is not None]

    def _learning(self) -> list[Entry]:
        return self._entries(
            self.collection.states("due_ms IS NOT NULL AND suspended = 0 ORDER BY due_ms")
        )

    def _reviews(self) -> list[Entry]:
        due = self.collection.states(
            "due_day IS NOT NULL AND suspended = 0 AND due_day <= ?", self.day
        )
        entries = self._entries(due)
        entries.sort(key=lambda entry: (entry.recall / entry.target, self._luck(entry.item)))
        room = max(0, self.settings.reviews_per_day - len(self.today.reviewed))
        kept: list[Entry] = []
        for entry in entries:
            if len(kept) >= room or not self._take(entry.item, entry.card):
                self.postponed = True
            else:
                kept.append(entry)
        return kept

    def _luck(self, item: str) -> bytes:
        # Neighbours in a file should not come in a row just because they were learned in a row.
        text = f"{item}\0{self.day}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=8).digest()

    def _take(self, item: str, card: AnyCard) -> bool:
        """Take the item for its group, unless a sibling has been taken today."""
        if not card.group:
            return True
        return self.taken.setdefault((card.deck, card.group), item) == item

    def _news(self) -> tuple[list[Entry], dict[str, int]]:
        cards = self.library.items
        fresh = {
            item
            for item in cards
            if item not in self.learned and self._is_fresh(self.old_name.get(item, item))
        }
        # Of all cards only the names are looked at: to unpack them takes longer than the rest.
        unseen = dict.fromkeys(self.library.decks, 0)
        for item in fresh:
            unseen[item.partition("/")[0]] += 1
        parents = {item: parent for item, parent in cards.parents.items() if parent in cards}
        children: dict[str, list[str]] = {}
        for item, parent in parents.items():
            children.setdefault(parent, []).append(item)
        kept: list[Entry] = []
        for item in cards:
            if item in parents:
                continue  # it comes with its parent
            if self.postponed and len(kept) >= self._new_room:
                break
            if item in fresh or item in children:
                self._take_family(item, fresh, children, kept)
        return kept, unseen

    def _take_family(
        self,
        root: str,
        fresh: set[str],
        children: dict[str, list[str]],
        kept: list[Entry],
    ) -> None:
        """Take a new card, then its new follow-ups: those whose parent is answered or taken."""
        waiting = [root]
        while waiting:
            item = waiting.pop()
            if item in fresh:
                answered = self._take_new(item, kept)
            else:
                answered = self.old_name.get(item, item) in self.learned
            if answered:
                waiting += reversed(children.get(item, []))

    def _take_new(self, item: str, kept: list[Entry]) -> bool:
        card = self.library.items[item]
        if not self.chosen.takes(card):
            return False
        if len(kept) >= self._new_room or not self._take(item, card):
            self.postponed = True
            return False
        target = self.settings.retention.of(card.deck, card.tags)
        kept.append(Entry(item, card, State(item=item), 0.0, target))
        return True

    def _is_fresh(self, name: str) -> bool:
        """Tell whether what is kept under `name` is new and may be shown today."""
        return (
            name not in self.learned
            and name not in self.suspended
            and self.buried.get(name, 0) <= self.day
        )

    def next_due_at(self, queue: Queue) -> Moment | None:
        moments = [
            Moment(due_ms(entry.state), self.now.offset_min)
            for entry in queue.learning.values()
            if due_ms(entry.state) > self.now.utc_ms
        ]
        days: list[int] = [self.day + 1] if self.postponed else []
        later = self.collection.stream(
            "SELECT item, max(due_day, buried_until) FROM items"
            " WHERE due_day IS NOT NULL AND suspended = 0 AND due_day > ? ORDER BY due_day",
            self.day,
        )
        with closing(later):
            days += islice((int(day or 0) for item, day in later if self._is_ours(str(item))), 1)
        days += [
            until for item, until in self.buried.items() if until > self.day and self._is_ours(item)
        ]
        moments += [day_start(day, self.now, self.settings) for day in days]
        return min(moments, default=None)

    def _is_ours(self, item: str) -> bool:
        card = self.library.items.get(self.new_name.get(item, item))
        return card is not None and self.chosen.takes(card)
