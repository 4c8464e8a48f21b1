"""The queue of a cram: every card asked for, the least known first, whatever the schedule says."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drillkit.review.names import carried, claims
from drillkit.review.queue import Counts, Entry
from drillkit.review.rating import Rating
from drillkit.review.state import State, decay_of, predicted_recall
from drillkit.review.today import study_day

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.clock import Moment
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.review.queue import Filter
    from drillkit.settings import Settings


@dataclass
class CramQueue:
    """Cards to go through once; one that was forgotten comes again at the end."""

    day: int
    waiting: deque[Entry] = field(default_factory=deque)

    @property
    def counts(self) -> Counts:
        new = sum(entry.state.phase == "new" for entry in self.waiting)
        return Counts(due=len(self.waiting) - new, new=new)

    def find(self, item: str) -> Entry | None:
        return next((entry for entry in self.waiting if entry.item == item), None)

    def entries(self) -> Iterator[Entry]:
        yield from self.waiting

    def pick(self, now_ms: int, last: str, library: Library) -> Entry | None:  # noqa: ARG002 as Queue.pick
        return self.waiting[0] if self.waiting else None

    def answered(self, entry: Entry, rating: Rating) -> None:
        """Take an answer into account."""
        if self.waiting and self.waiting[0].item == entry.item:
            self.waiting.popleft()
        if rating is Rating.AGAIN:
            self.waiting.append(entry)

    def wait_ms(self, now_ms: int) -> int | None:  # noqa: ARG002 as Queue.wait_ms
        return None


def build_cram(
    collection: Collection,
    library: Library,
    settings: Settings,
    now: Moment,
    chosen: Filter,
    answers: dict[str, Rating],
) -> CramQueue:
    """Return the cards of a cram, lowest predicted recall first, suspended ones left out.

    `answers` holds the last answer that this sitting gave to each item, in order: what was known is
    done, what was forgotten waits at the end.
    """
    day = study_day(now, settings)
    decay = decay_of(settings.weights)
    states = {state.item: state for state in collection.states()}
    learned = {item for item, state in states.items() if state.phase != "new"}
    names = carried(claims(library), states, learned)
    old_name = {item: old for old, item in names.items()}
    found: list[Entry] = []
    for item, card in library.items.items():
        state = states.get(old_name.get(item, item)) or State(item=item)
        if chosen.takes(card) and not state.suspended:
            target = settings.retention.of(card.deck, card.tags)
            found.append(Entry(item, card, state, predicted_recall(state, day, decay), target))
    found.sort(key=lambda entry: entry.recall)
    by_item = {entry.item: entry for entry in found}
    again = [item for item, rating in answers.items() if rating is Rating.AGAIN and item in by_item]
    fresh = [entry for entry in found if entry.item not in answers]
    return CramQueue(day, deque([*fresh, *(by_item[item] for item in again)]))
