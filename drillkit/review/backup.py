"""Copies of the collection: on demand, once a study day, and back again."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from drillkit.clock import day_of
from drillkit.errors import DrillkitError, UsageError
from drillkit.review.collection import connect
from drillkit.review.faults import DAILY_PREFIX, explain, explained
from drillkit.review.schema import MIGRATIONS, check_owner

if TYPE_CHECKING:
    from pathlib import Path

    from drillkit.clock import Moment

KEPT_DAYS = 7
SIDE_FILES = ("-wal", "-shm")
# The first bytes of every SQLite file.
SQLITE_MARK = b"SQLite format 3\0"


def backup(collection: Path, target: Path) -> Path:
    """Copy the collection to `target`, whole and checked, and return `target`.

    It is safe while drillkit runs. An existing `target` is only replaced when it is a database
    or empty, and once the copy is complete. Raises `DrillkitError` when the source is missing or
    damaged or the copy cannot be written.
    """
    if target.exists() and collection.exists() and target.samefile(collection):
        raise UsageError(
            "the backup would replace the collection itself",
            where=str(target),
            hint="choose another path",
        )
    if target.is_dir():
        raise UsageError("the target is a folder", where=str(target), hint="name a file in it")
    if not _may_be_replaced(target):
        raise UsageError(
            "this file is no backup and would be lost",
            where=str(target),
            hint="choose another path, or delete it first",
        )
    _need(collection, "there is no collection to back up")
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    with explained(target, None, "make the backup"):
        target.parent.mkdir(parents=True, exist_ok=True)
    try:
        _copy(collection, draft)
        with explained(target, None, "make the backup"):
            _sync(draft)
            draft.replace(target)
            _sync(target.parent)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return target


def daily_backup(collection: Path, backups: Path, day: int) -> Path | None:
    """Back up once a study day and keep the newest seven; None when today's is there already.

    It opens the file for itself, so it may run in a thread. A damaged collection raises
    `DrillkitError` and leaves the older backups as they are.
    """
    target = backups / f"{DAILY_PREFIX}{day_of(day).isoformat()}.db"
    if target.exists() or not collection.exists():
        return None
    backup(collection, target)
    with suppress(OSError):
        daily = sorted(backups.glob(f"{DAILY_PREFIX}????-??-??.db"))
        for old in daily[:-KEPT_DAYS]:
            if old != target:
                old.unlink()
    return target


def restore(source: Path, collection: Path, now: Moment) -> Path | None:
    """Put the backup `source` in the place of the collection.

    The backup is checked first, and what was in its place is kept beside it: its path is returned,
    None when there was nothing. Raises `DrillkitError` and changes nothing when the backup is
    missing, damaged or not a collection.
    """
    _need(source, "there is no such backup")
    if collection.exists() and source.samefile(collection):
        raise UsageError("this is the collection itself", where=str(source))
    check_whole(source)
    aside = _free_name(collection, now) if collection.exists() else None
    with explained(collection, None, "restore the backup"):
        collection.parent.mkdir(parents=True, exist_ok=True)
    if aside is not None and _is_whole(collection):
        # Written through SQLite, so that a drillkit that runs sees the change and no half of it.
        backup(collection, aside)
        _copy(source, collection, as_backup=False)
        return aside
    draft = collection.with_name(f"{collection.name}.{os.getpid()}.part")
    try:
        _copy(source, draft)
        with explained(collection, None, "restore the backup"):
            _sync(draft)
            if aside is not None:
                _move_aside(collection, aside)
            draft.replace(collection)
            _sync(collection.parent)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return aside


def check_whole(path: Path) -> None:
    """Raise `DrillkitError` unless the file is an undamaged collection of a known form."""
    with explained(path, None, "read the backup"):
        with closing(_reading(path)) as db:
            check_owner(db, path, len(MIGRATIONS))
            faults = [str(row[0]) for row in db.execute("PRAGMA integrity_check(5)")]
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
        if faults != ["ok"]:
            raise DrillkitError(
                f"the backup is damaged: {faults[0]}", where=str(path), hint="use an older one"
            )
        if not {"events", "items", "meta"} <= tables:
            raise DrillkitError(
                "this is no drillkit collection",
                where=str(path),
                hint="name a file that `drillkit backup` made",
            )


def _is_whole(path: Path) -> bool:
    try:
        check_whole(path)
    except DrillkitError:
        return False
    return True


def _may_be_replaced(target: Path) -> bool:
    """Whether nothing is at `target` but an earlier copy, be it damaged, or an empty file."""
    if not target.is_file():
        return True
    with explained(target, None, "make the backup"), target.open("rb") as file:
        return file.read(len(SQLITE_MARK)) in {b"", SQLITE_MARK}


def _need(path: Path, what: str) -> None:
    if not path.is_file():
        raise DrillkitError(what, where=str(path), hint="check the path")


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _copy(source: Path, target: Path, *, as_backup: bool = True) -> None:
    with explained(target, None, "copy the collection"), closing(_open_source(source)) as old:
        with closing(connect(target)) as new:
            old.backup(new)
            if not as_backup:
                return
            # One file, without a -wal beside it, that any SQLite can open.
            new.execute("PRAGMA journal_mode = DELETE")
            faults = [str(row[0]) for row in new.execute("PRAGMA quick_check(1)")]
        if faults != ["ok"]:
            target.unlink()
            raise DrillkitError(
                f"the collection is damaged, so no backup was made of it: {faults[0]}",
                where=str(source),
                hint="run drillkit doctor",
            )


def _open_source(source: Path) -> sqlite3.Connection:
    try:
        db = _reading(source)
        db.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        raise explain(error, source, None, "read the collection") from error
    return db


def _free_name(collection: Path, now: Moment) -> Path:
    stamp = now.local.strftime("%Y-%m-%d-%H%M%S")
    name = collection.with_name(f"{collection.stem}-replaced-{stamp}.db")
    number = 1
    while name.exists():
        number += 1
        name = collection.with_name(f"{collection.stem}-replaced-{stamp}-{number}.db")
    return name


def _move_aside(collection: Path, aside: Path) -> None:
    # A damaged file keeps its side files: they may hold what a repair needs.
    for side in SIDE_FILES:
        beside = collection.with_name(collection.name + side)
        if beside.exists():
            shutil.move(beside, aside.with_name(aside.name + side))
    collection.replace(aside)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
