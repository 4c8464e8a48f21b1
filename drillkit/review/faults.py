"""What SQLite and the disk can refuse, as sentences a person can act on."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAILY_PREFIX = "collection-"


def newest_backup(folder: Path | None) -> Path | None:
    """Return the newest daily backup in `folder`, or None."""
    if folder is None:
        return None
    try:
        return max(folder.glob(f"{DAILY_PREFIX}????-??-??.db"), default=None)
    except OSError:
        return None


def restore_hint(backups: Path | None) -> str:
    """Say how to get back to the newest backup, by name."""
    newest = newest_backup(backups)
    if newest is None:
        return "no backup was found; keep a copy of the file, then move it away to start anew"
    return f"put the newest backup in its place: drillkit restore {newest}"


def damaged(what: str, path: Path, backups: Path | None) -> DrillkitError:
    """Return the error for a file that cannot be trusted; drillkit never writes over it."""
    return DrillkitError(what, where=str(path), hint=restore_hint(backups))


@contextmanager
def explained(path: Path, backups: Path | None, doing: str) -> Iterator[None]:
    """Turn what SQLite or the system raises inside into a `DrillkitError` about `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, path, backups, doing) from error
    except OSError as error:
        raise explain_os(error, path, doing) from error


def explain(error: sqlite3.Error, path: Path, backups: Path | None, doing: str) -> DrillkitError:
    """Say what an error of SQLite means and what to do."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    where = str(path)
    match code & 0xFF:
        case sqlite3.SQLITE_NOTADB:
            return damaged(f"cannot {doing}: this is no drillkit collection", path, backups)
        case sqlite3.SQLITE_CORRUPT:
            return damaged(f"cannot {doing}: the collection is damaged", path, backups)
        case sqlite3.SQLITE_FULL:
            return DrillkitError(
                f"cannot {doing}: the disk is full",
                where=where,
                hint="free some space and try again; everything answered before is safe",
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return DrillkitError(
                f"cannot {doing}: the collection is read-only",
                where=where,
                hint="make the file and its folder writable, or choose another with --home",
            )
        case sqlite3.SQLITE_CANTOPEN:
            return DrillkitError(
                f"cannot {doing}: the file cannot be opened",
                where=where,
                hint="check that the folder exists and is writable, or choose another with --home",
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DrillkitError(
                f"cannot {doing}: another program holds the collection",
                where=where,
                hint="close the other drillkit, or wait a moment and try again",
            )
        case sqlite3.SQLITE_IOERR:
            return DrillkitError(
                f"cannot {doing}: the disk does not answer as it should ({error})",
                where=where,
                hint="check the disk and its free space, then try again; nothing was half written",
            )
        case _:
            return DrillkitError(
                f"cannot {doing}: {error}", where=where, hint="try drillkit doctor"
            )


def explain_os(error: OSError, path: Path, doing: str) -> DrillkitError:
    """Say what an error of the file system means and what to do."""
    place = error.filename or path
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return DrillkitError(
            f"cannot {doing}: the disk is full",
            where=str(place),
            hint="free some space and try again",
        )
    return DrillkitError(
        f"cannot {doing}: {(error.strerror or str(error)).lower()}",
        where=str(place),
        hint="check the folder and its permissions, or choose another with --home",
    )
