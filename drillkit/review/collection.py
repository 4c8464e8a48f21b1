"""The collection: one SQLite file with the log of events and the states replayed from it."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

import msgspec

from drillkit.errors import DrillkitError
from drillkit.review.events import UNDOABLE, Configured, Event, Renamed
from drillkit.review.faults import damaged, explained
from drillkit.review.rows import EVENT_COLUMNS, ITEM_COLUMNS, event_of, state_of
from drillkit.review.schema import MIGRATIONS, migrate
from drillkit.review.state import State
from drillkit.review.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from drillkit.clock import Moment
    from drillkit.review.rows import Row, Value
    from drillkit.review.schema import Migration

BUSY_S = 5.0
MAGIC = b"SQLite format 3\0"
STANDS = (
    "NOT EXISTS (SELECT 1 FROM events AS u"
    " WHERE u.other = e.batch AND u.other IS NOT NULL AND u.kind = 'undone')"
)


class Collection:
    """An open collection. It belongs to the thread that opened it; open another for another."""

    def __init__(self, db: sqlite3.Connection, path: Path, backups: Path) -> None:
        self._db = db
        self.path = path
        self.backups = backups
        self._seen_version = self._data_version()
        self.device = str(self.one("SELECT value FROM meta WHERE name = 'device'"))

    @classmethod
    def open(
        cls,
        path: Path,
        backups: Path | None = None,
        *,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Collection:
        """Open the collection at `path`; make it when there is none, renew it when it is older.

        `backups` (a folder `backups` beside the file by default) is where an older file is kept
        before it is renewed, and where help is looked for when the file is damaged. Raises
        `DrillkitError` when it cannot be opened or trusted; an existing file is never overwritten.
        """
        backups = backups if backups is not None else path.parent / "backups"
        with explained(path, backups, "open the collection"):
            path.parent.mkdir(parents=True, exist_ok=True)
            _look_at(path, backups)
            db = connect(path)
            try:
                # Asked first: journal_mode would already write to a file that is not ours.
                migrate(db, path, lambda version: _keep_old(path, backups, version), migrations)
                _set_journal(db)
                return cls(db, path, backups)
            except BaseException:
                db.close()
                raise

    def close(self) -> None:
        """Close the file; nothing is pending, so nothing can be lost."""
        with explained(self.path, self.backups, "close the collection"):
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- reading ---------------------------------------------------------------------------------

    def select(self, sql: str, *values: Value) -> list[Row]:
        """Return the rows of a query. Raises `DrillkitError`."""
        with explained(self.path, self.backups, "read the collection"):
            return self._db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: Value) -> Value:
        """Return the first value of a query's first row, or None."""
        rows = self.select(sql, *values)
        return rows[0][0] if rows else None

    def stream(self, sql: str, *values: Value) -> Generator[Row]:
        """Yield the rows of a query one by one, however many there are."""
        with explained(self.path, self.backups, "read the collection"):
            yield from self._db.execute(sql, values)

    def state(self, item: str) -> State:
        """Return what is known of an item; a new state for one without events."""
        rows = self.select(f"SELECT {ITEM_COLUMNS} FROM items WHERE item = ?", item)  # noqa: S608 fixed names
        return state_of(rows[0]) if rows else State(item=item)

    def states(self, where: str = "1", *values: Value) -> list[State]:
        """Return the states of the items that the SQL condition `where` holds for."""
        sql = f"SELECT {ITEM_COLUMNS} FROM items WHERE {where}"  # noqa: S608 conditions are ours
        return [state_of(row) for row in self.select(sql, *values)]

    def items(self, where: str) -> set[str]:
        """Return the ids of the items that the SQL condition `where` holds for."""
        # As one row: a row for each of ten thousand items takes three times as long, and at each of
        # them SQLite lets the other threads run.
        found = self.one(f"SELECT json_group_array(item) FROM items WHERE {where}")  # noqa: S608 conditions are ours
        return msgspec.json.decode(str(found), type=set[str])

    def events(self, where: str = "1", *values: Value) -> Iterator[Event]:
        """Yield the events that the SQL condition `where` holds for, in the order of the log."""
        sql = f"SELECT {EVENT_COLUMNS} FROM events AS e WHERE {where} ORDER BY seq"  # noqa: S608 conditions are ours
        return map(event_of, self.stream(sql, *values))

    def standing_events(self, item: str) -> list[Event]:
        """Return the item's events, without those that were undone."""
        return list(self.events(f"item = ? AND kind != 'undone' AND {STANDS}", item))

    def history(self, item: str, before: int | None = None) -> list[Event]:
        """Return the standing events that made the item's state, those under older ids included."""
        events = [
            event for event in self.standing_events(item) if before is None or event.seq < before
        ]
        older = [
            self.history(event.action.old, event.seq)
            for event in events
            if isinstance(event.action, Renamed)
        ]
        return sorted(
            (event for part in (*older, events) for event in part), key=lambda event: event.seq
        )

    def undone(self) -> frozenset[str]:
        """Return the batches that were taken back."""
        rows = self.stream("SELECT other FROM events WHERE other IS NOT NULL AND kind = 'undone'")
        return frozenset(str(row[0]) for row in rows)

    def last_undoable(self) -> tuple[str, str] | None:
        """Return (batch, item) of the newest action that can be taken back, or None."""
        kinds = ", ".join(f"'{kind}'" for kind in UNDOABLE)
        sql = (
            f"SELECT batch, item FROM events AS e WHERE kind IN ({kinds}) AND {STANDS}"  # noqa: S608 fixed names
            " ORDER BY seq DESC LIMIT 1"
        )
        rows = self.select(sql)
        return (str(rows[0][0]), str(rows[0][1])) if rows else None

    def configuration(self) -> tuple[str, Configured] | None:
        """Return (id, parameters) of the newest `configured` event, or None."""
        found = self.one("SELECT max(seq) FROM events WHERE kind = 'configured'")
        for event in self.events("seq = ?", found):
            if isinstance(event.action, Configured):
                return event.id, event.action
        return None

    def changed_outside(self) -> bool:
        """Tell whether another connection has written since this was last asked."""
        version = self._data_version()
        changed = version != self._seen_version
        self._seen_version = version
        return changed

    def _data_version(self) -> Value:
        return self.one("PRAGMA data_version")

    # --- writing ---------------------------------------------------------------------------------

    @contextmanager
    def transaction(self, doing: str, *, write: bool = True) -> Iterator[sqlite3.Connection]:
        """See one state of the file throughout the block; what is written happens wholly or not.

        Raises `DrillkitError` when it cannot be done.
        """
        with explained(self.path, self.backups, doing):
            self._db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                # A full disk ends the transaction by itself.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def writing(
        self,
        now: Moment,
        study_day: int,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> Iterator[Writing]:
        """Write one action; it is on the disk when the block has ended, or nothing of it is.

        Raises `DrillkitError` when it cannot be written; the collection is then as it was before.
        """
        with self.transaction("write to the collection") as db:
            yield Writing(self, db, now, study_day, entropy)


# --- opening -------------------------------------------------------------------------------------


def connect(path: Path) -> sqlite3.Connection:
    """Open a database with our settings: every commit is on the disk before it returns."""
    db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = FULL")
    except BaseException:
        db.close()
        raise
    return db


def _set_journal(db: sqlite3.Connection) -> None:
    # SQLite does not wait for a lock here, so two programs that start at once would collide.
    give_up = time.monotonic() + BUSY_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return


def _look_at(path: Path, backups: Path) -> None:
    if not path.exists():
        return
    if not path.is_file():
        raise DrillkitError(
            "the collection is not a file", where=str(path), hint="move what is there away"
        )
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
    if start == MAGIC:
        return
    wal = path.with_name(path.name + "-wal")
    if not start and not wal.exists():
        # SQLite would silently start anew in an empty file, and the history would seem gone.
        with suppress(OSError):
            if not any(backups.glob("*.db")):
                return
        raise damaged("the collection is empty, yet there are backups of it", path, backups)
    raise damaged("this is no drillkit collection, or its first bytes are damaged", path, backups)


def _keep_old(path: Path, backups: Path, version: int) -> None:
    from drillkit.review.backup import backup  # noqa: PLC0415 it builds on this module

    target = backups / f"before-form-{version + 1}.db"
    number = 1
    while target.exists():
        number += 1
        target = backups / f"before-form-{version + 1}-{number}.db"
    backup(path, target)
