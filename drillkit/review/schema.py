"""The collection's tables, and how an older file becomes a newer one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from pathlib import Path

# "drkt": tells our files from other programs' databases.
APPLICATION_ID = 0x64726B74

Migration = tuple[str, ...]

# One entry a version: the statements that lead to it. Entries are never edited, only added, since
# files in the world were made by them. The body of an event is the truth; the columns beside it
# are taken from it by SQLite, for the indexes and for statistics.
FIRST: Migration = (
    """CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        batch TEXT NOT NULL,
        device TEXT NOT NULL,
        utc_ms INTEGER NOT NULL,
        offset_min INTEGER NOT NULL,
        study_day INTEGER NOT NULL,
        body TEXT NOT NULL,
        kind TEXT AS (json_extract(body, '$.kind')) STORED,
        item TEXT AS (json_extract(body, '$.item')) STORED,
        other TEXT AS (coalesce(json_extract(body, '$.target'), json_extract(body, '$.old')))
            STORED,
        phase TEXT AS (json_extract(body, '$.phase')) STORED,
        rating INTEGER AS (json_extract(body, '$.rating')) STORED,
        spent_ms INTEGER AS (
            coalesce(json_extract(body, '$.think_ms'), 0)
            + coalesce(json_extract(body, '$.read_ms'), 0)
        ) STORED,
        sitting TEXT AS (json_extract(body, '$.sitting')) STORED
    )""",
    "CREATE INDEX events_batch ON events (batch)",
    "CREATE INDEX events_item ON events (item) WHERE item IS NOT NULL",
    "CREATE INDEX events_other ON events (other) WHERE other IS NOT NULL",
    "CREATE INDEX events_day ON events (study_day, kind)",
    "CREATE INDEX events_configured ON events (seq) WHERE kind = 'configured'",
    """CREATE TRIGGER events_keep_update BEFORE UPDATE ON events
        BEGIN SELECT raise(ABORT, 'the log is append-only'); END""",
    """CREATE TRIGGER events_keep_delete BEFORE DELETE ON events
        BEGIN SELECT raise(ABORT, 'the log is append-only'); END""",
    # Without it INSERT OR REPLACE would pass by the trigger above and write over an event.
    """CREATE TRIGGER events_keep_insert BEFORE INSERT ON events
        WHEN EXISTS (SELECT 1 FROM events WHERE seq = new.seq OR id = new.id)
        BEGIN SELECT raise(ABORT, 'the log is append-only'); END""",
    """CREATE VIEW answers AS
        SELECT * FROM events WHERE kind = 'rated' AND batch NOT IN
            (SELECT other FROM events WHERE other IS NOT NULL AND kind = 'undone')""",
    """CREATE TABLE items (
        item TEXT PRIMARY KEY,
        phase TEXT NOT NULL,
        step INTEGER,
        stability REAL,
        difficulty REAL,
        days INTEGER,
        due_day INTEGER,
        due_ms INTEGER,
        reps INTEGER NOT NULL,
        lapses INTEGER NOT NULL,
        first_day INTEGER NOT NULL,
        last_day INTEGER NOT NULL,
        suspended INTEGER NOT NULL,
        buried_until INTEGER NOT NULL,
        flagged INTEGER NOT NULL,
        leech INTEGER NOT NULL,
        seq INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE INDEX items_due ON items (due_day)
        WHERE due_day IS NOT NULL AND suspended = 0""",
    """CREATE INDEX items_learning ON items (due_ms)
        WHERE due_ms IS NOT NULL AND suspended = 0""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    "INSERT INTO meta VALUES ('device', lower(hex(randomblob(4))))",
)
MIGRATIONS: tuple[Migration, ...] = (FIRST,)


def version_of(db: sqlite3.Connection) -> int:
    """Return the file's version: 0 for a new one."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def check_owner(db: sqlite3.Connection, path: Path, latest: int) -> int:
    """Return the version of a file that is ours and not too new; raise `DrillkitError` else."""
    owner = int(db.execute("PRAGMA application_id").fetchone()[0])
    version = version_of(db)
    tables = int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if owner != APPLICATION_ID and (owner or version or tables):
        raise DrillkitError(
            "this is another program's database, not a drillkit collection",
            where=str(path),
            hint="move it away, or choose another folder with --home",
        )
    if version > latest:
        raise DrillkitError(
            f"the collection is of a newer drillkit (form {version}; this one knows {latest})",
            where=str(path),
            hint="update drillkit; the file was not touched",
        )
    return version


def migrate(
    db: sqlite3.Connection,
    path: Path,
    keep: Callable[[int], object],
    migrations: Sequence[Migration] = MIGRATIONS,
) -> int:
    """Bring the file to the newest version and return the version it had.

    `keep(version)` backs an older file up before anything is changed. All steps are one
    transaction: they happen wholly or not at all. Raises `DrillkitError` for a file that is not
    ours or is too new.
    """
    found = check_owner(db, path, len(migrations))
    if found == len(migrations):
        return found
    if found > 0:
        keep(found)
    db.execute("BEGIN IMMEDIATE")
    try:
        # Another drillkit may have done it while we waited for the lock.
        for number in range(check_owner(db, path, len(migrations)), len(migrations)):
            for statement in migrations[number]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {number + 1}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return found
