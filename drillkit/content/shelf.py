"""The content folders, read again and again: an unchanged file comes from memory or the cache.

What was read of a file is used again while its size, time and inode agree. A file that was written
within the last seconds before it was read is read again, since such a stamp can hide a second edit.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from drillkit import __version__
from drillkit.content.files import each_file, unreadable
from drillkit.content.library import Held, Library, assemble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.files import Stamp

# Grows whenever the shape or the meaning of what is cached changes.
CACHE_FORM = f"{__version__}/8"
UNSETTLED_NS = 2_000_000_000


class _Cached(msgspec.Struct, frozen=True, array_like=True):
    form: str
    path: str
    cached_ns: int
    held: Held


class Shelf:
    """Reads the content folders, again and again, and only what changed."""

    def __init__(self, folders: Iterable[Path], cache: Path | None) -> None:
        self._folders = tuple(folders)
        self._cache = cache / "content" if cache is not None else None
        self._held: dict[str, Held] = {}
        self._library = Library()
        self._scan_faults: list[Diagnostic] = []
        self._unsettled: set[str] = set()

    def read(self) -> Library:
        """Return the library as the files are now; the same object while nothing changed."""
        faults: list[Diagnostic] = []
        stamps = {str(path): stamp for path, stamp in each_file(self._folders, faults).items()}
        same_files = stamps == self._library.stamps and faults == self._scan_faults
        if same_files and not self._unsettled:
            return self._library
        with _collector_paused():
            found, files_read = self._take(stamps)
            if same_files and found == self._held:
                return self._library
            self._held, self._scan_faults = found, faults
            self._library = assemble(found, faults, files_read)
        return self._library

    def _take(self, stamps: dict[str, Stamp]) -> tuple[dict[str, Held], int]:
        """Return what each file holds, and how many of them had to be read."""
        unsettled, self._unsettled = self._unsettled, set()
        files_read = 0
        found: dict[str, Held] = {}
        for path, stamp in stamps.items():
            held = self._held.get(path)
            if held is None or held.stamp != stamp:
                held = self._from_cache(path, stamp)
            if held is None:
                held = self._from_file(path, stamp)
                files_read += 1
            elif path in unsettled:
                again = self._from_file(path, stamp)
                held = held if held == again else again
            found[path] = held
        return found, files_read

    def _entry(self, path: str) -> Path | None:
        if self._cache is None:
            return None
        name = hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        return self._cache / f"{name}.msgpack"

    def _from_cache(self, path: str, stamp: Stamp) -> Held | None:
        entry = self._entry(path)
        if entry is None:
            return None
        try:
            cached = msgspec.msgpack.decode(entry.read_bytes(), type=_Cached)
        except (OSError, msgspec.DecodeError):
            return None  # no entry, or one of another form: the file itself is read
        if (cached.form, cached.path, cached.held.stamp) != (CACHE_FORM, path, stamp):
            return None
        if cached.cached_ns - stamp.changed_ns < UNSETTLED_NS:
            return None
        return cached.held

    def _from_file(self, path: str, stamp: Stamp) -> Held:
        # Imported here: a library that comes whole from the cache needs no YAML.
        from drillkit.content.reading import read_content  # noqa: PLC0415
        from drillkit.content.text import MAX_FILE_BYTES  # noqa: PLC0415

        try:
            with Path(path).open("rb") as source:
                raw = source.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            return Held(stamp, (unreadable(path, error),))
        held = read_content(raw, path, stamp)
        read_ns = time.time_ns()
        # A time in the future never settles; such a file is only read again at the next start.
        if 0 <= read_ns - stamp.changed_ns < UNSETTLED_NS:
            self._unsettled.add(path)
        self._keep(_Cached(CACHE_FORM, path, read_ns, held))
        return held

    def _keep(self, cached: _Cached) -> None:
        entry = self._entry(cached.path)
        if entry is None:
            return
        # The cache is a convenience: a full or read-only disk, or a file name that is no text,
        # must not stop a review.
        with contextlib.suppress(OSError, UnicodeEncodeError):
            entry.parent.mkdir(parents=True, exist_ok=True)
            draft = entry.with_suffix(f".{os.getpid()}")
            draft.write_bytes(msgspec.msgpack.encode(cached))
            draft.replace(entry)


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Let no search for garbage interrupt: what is read is kept, so it would search in vain."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
