"""The journal of a round: one file, one event a line, nothing ever rewritten.

A round is locked while it is played. A line that a crash left half-written is the last one, and is
left out on reading.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from typing import TYPE_CHECKING, Protocol

import msgspec

from drillkit.errors import DrillkitError
from drillkit.rounds.events import UNHURRIED, AnyEvent, Started, Wrote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_BYTES = 64 * 2**20
"""A journal that is longer is none of ours; a round of 45 minutes takes some 200 kB."""

RESERVED = 2**20
"""So much of that a board may not take: what is no board can be written to the end."""

LOCK = "lock"
MOVE_AWAY = "move the file away; the other rounds are not touched"


class Kept(Protocol):
    """Takes the events of a round."""

    def append(self, *events: AnyEvent) -> None:
        """Keep events, all of them or none. Raises `DrillkitError` when they cannot be kept."""
        ...

    def close(self) -> None:
        """Take no more."""
        ...


class Unkept:
    """Keeps nothing: for a round that nobody plays."""

    def append(self, *events: AnyEvent) -> None:
        """Let the events go."""

    def close(self) -> None:
        """Do nothing."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


class Journal:
    """An open journal that takes events. Close it to let another drillkit play the round."""

    def __init__(self, path: Path, file: int, lock: int) -> None:
        self.path = path
        self._file = file
        self._lock = lock
        self._size = os.fstat(file).st_size
        self._part_left = False

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Start the journal at `path`. Raises `DrillkitError`, as where it is played elsewhere."""
        return cls._open(path, os.O_CREAT | os.O_EXCL)

    @classmethod
    def reopen(cls, path: Path) -> Journal:
        """Go on with the journal at `path`. Raises as `create`."""
        return cls._open(path, 0)

    @classmethod
    def _open(cls, path: Path, flags: int) -> Journal:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = _locked(path.parent)
        except OSError as error:
            raise _unwritable(path, error) from None
        try:
            file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | flags, 0o644)
        except OSError as error:
            os.close(lock)
            raise _unwritable(path, error) from None
        try:
            _drop_half_line(file)
        except OSError as error:
            os.close(file)
            os.close(lock)
            raise _unwritable(path, error) from None
        return cls(path, file, lock)

    def append(self, *events: AnyEvent) -> None:
        """Write events, all of them or none. Raises `DrillkitError` when the disk refuses them."""
        lines = b"".join(_encoder.encode(event) + b"\n" for event in events)
        reserved = RESERVED if all(isinstance(event, Wrote) for event in events) else 0
        if self._size + len(lines) > MOST_BYTES - reserved:
            raise DrillkitError(
                "the journal is full: no more of the board is kept",
                where=str(self.path),
                hint="finish the round; what was written before is kept",
            )
        try:
            self._write(lines)
            if not all(isinstance(event, UNHURRIED) for event in events):
                os.fsync(self._file)
        except OSError as error:
            # What the caller is told was not kept must not be there at the next start.
            self._part_left = True
            with contextlib.suppress(OSError):
                self._take_back()
            raise _unwritable(self.path, error) from None
        self._size += len(lines)

    def _write(self, lines: bytes) -> None:
        if self._part_left:
            self._take_back()
        if os.write(self._file, lines) < len(lines):
            # A full disk takes a part.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _take_back(self) -> None:
        os.ftruncate(self._file, self._size)
        self._part_left = False

    def close(self) -> None:
        """Close the file and let go of the lock; a second call does nothing."""
        for handle in (self._file, self._lock):
            with contextlib.suppress(OSError):
                os.close(handle)
        self._file = self._lock = -1


def _drop_half_line(file: int) -> None:
    size = os.fstat(file).st_size
    tail = os.pread(file, min(size, MOST_BYTES), max(0, size - MOST_BYTES))
    end = tail.rfind(b"\n") + 1
    if end < len(tail):
        os.ftruncate(file, size - (len(tail) - end))


def _locked(folder: Path) -> int:
    """Take the folder's lock, which the system lets go when the process ends, however it ends."""
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise played_elsewhere(folder.name) from None
    except OSError:
        os.close(handle)
        raise
    return handle


def played_elsewhere(name: str) -> DrillkitError:
    """Return the error that says so of a round."""
    return DrillkitError(
        f"the round {name} is being played in another window",
        hint="go on there, or leave it there first",
    )


def is_played(folder: Path) -> bool:
    """Tell whether another drillkit holds the lock of a round's folder."""
    try:
        os.close(_locked(folder))
    except DrillkitError:
        return True
    except OSError:
        return False
    return False


def _unwritable(path: Path, error: OSError) -> DrillkitError:
    return DrillkitError(
        f"the journal cannot be written: {error.strerror or error}",
        where=str(path),
        hint="make room on the disk or check the permissions; what was written before is kept",
    )


def read_journal(path: Path) -> list[AnyEvent]:
    """Return the events of a journal. Raises `DrillkitError` where it is none or is damaged."""
    events = list(_events(path))
    if not events or not isinstance(events[0], Started):
        raise DrillkitError("no round begins in this journal", where=str(path))
    return events


def _events(path: Path) -> Iterator[AnyEvent]:
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DrillkitError(f"cannot be read: {error.strerror or error}", where=str(path)) from None
    if len(raw) > MOST_BYTES:
        told = f"longer than {MOST_BYTES // 2**20} MiB: this is no journal"
        raise DrillkitError(told, where=str(path), hint=MOVE_AWAY)
    lines = raw.split(b"\n")
    # What follows the last line end was cut off by a crash.
    for number, line in enumerate(lines[:-1], 1):
        try:
            yield _decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise DrillkitError(
                f"line {number} is damaged, or of a newer drillkit: {error}",
                where=str(path),
                hint=MOVE_AWAY,
            ) from None
