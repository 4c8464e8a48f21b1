"""One action being written: its events, and the states they lead to, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.review.events import Action, AnyAction, Event, Renamed, Undone, encode, new_id
from drillkit.review.replay import replay, step
from drillkit.review.rows import PUT_ITEM, row_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    from drillkit.clock import Moment
    from drillkit.review.collection import Collection
    from drillkit.review.state import State

PUT_EVENT = (
    "INSERT INTO events (id, batch, device, utc_ms, offset_min, study_day, body)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)


class StaleError(Exception):
    """The item was changed meanwhile, in another window; nothing was written."""


class Writing:
    """The inside of `Collection.writing`: what is appended here is committed together."""

    def __init__(
        self,
        collection: Collection,
        db: sqlite3.Connection,
        now: Moment,
        study_day: int,
        entropy: Callable[[int], bytes],
    ) -> None:
        self._collection = collection
        self._db = db
        self._now = now
        self._day = study_day
        self._entropy = entropy
        self.batch = self._new_id()

    def _new_id(self) -> str:
        return new_id(self._now.utc_ms, self._entropy)

    def state(self, item: str) -> State:
        """Return what is known of the item, this action's events included."""
        return self._collection.state(item)

    def expect(self, state: State) -> None:
        """Raise `StaleError` when the item is no longer as `state` has it."""
        if self.state(state.item).seq != state.seq:
            raise StaleError(state.item)

    def append(self, action: AnyAction) -> Event:
        """Add an event to this action."""
        return self._put(action, self.batch)

    def note(self, action: AnyAction) -> Event:
        """Add an event that only accompanies the action: undo does not take it back."""
        return self._put(action, self._new_id())

    def _put(self, action: AnyAction, batch: str) -> Event:
        now = self._now
        device = self._collection.device
        event_id = self._new_id() if batch == self.batch else batch
        envelope = (event_id, batch, device, now.utc_ms, now.offset_min, self._day)
        cursor = self._db.execute(PUT_EVENT, (*envelope, encode(action)))
        event = Event(cursor.lastrowid or 0, *envelope, action)
        self._take(event)
        return event

    def _take(self, event: Event) -> None:
        action = event.action
        if isinstance(action, Undone):
            self._recompute(self._items_of(action.target))
            return
        ids = _ids(action)
        if not ids:
            return
        before = {item: self.state(item) for item in ids}
        after = {item: state for item, state in before.items() if state.seq}
        step(after, event)
        self._store(ids, after)

    def undo(self, batch: str, item: str) -> bool:
        """Take a batch back; False when that was done already."""
        done = self._collection.one(
            "SELECT 1 FROM events WHERE other = ? AND other IS NOT NULL AND kind = 'undone'", batch
        )
        if done is not None:
            return False
        self.append(Undone(item=item, target=batch))
        return True

    def _items_of(self, batch: str) -> set[str]:
        rows = self._collection.select(
            "SELECT DISTINCT item FROM events WHERE batch = ? AND item IS NOT NULL", batch
        )
        return {str(row[0]) for row in rows}

    def _recompute(self, items: set[str]) -> None:
        # Everything that was ever one item, by renaming, is replayed together.
        family: set[str] = set()
        waiting = set(items)
        while waiting:
            item = waiting.pop()
            family.add(item)
            rows = self._collection.select(
                "SELECT item, other FROM events WHERE kind = 'renamed'"
                " AND item = ? AND item IS NOT NULL"
                " UNION SELECT item, other FROM events WHERE kind = 'renamed'"
                " AND other = ? AND other IS NOT NULL",
                item,
                item,
            )
            waiting |= {str(name) for row in rows for name in row} - family
        events: list[Event] = []
        for item in family:
            events += self._collection.standing_events(item)
        events.sort(key=lambda event: event.seq)
        self._store(family, replay(events, ()))

    def _store(self, items: Iterable[str], states: dict[str, State]) -> None:
        for item in items:
            state = states.get(item)
            if state is None or state.is_blank:
                self._db.execute("DELETE FROM items WHERE item = ?", (item,))
            else:
                self._db.execute(PUT_ITEM, row_of(state))


def _ids(action: Action) -> tuple[str, ...]:
    if isinstance(action, Renamed):
        return action.old, action.item
    item = getattr(action, "item", "")
    return (item,) if item else ()
