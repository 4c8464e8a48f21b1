"""What every front end needs: folders, settings, the clock, the library, the collection."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

from drillkit.clock import ShiftedClock, SystemClock
from drillkit.content.shelf import Shelf
from drillkit.settings import Folders, Settings, bundled_content, read_settings

if TYPE_CHECKING:
    from pathlib import Path

    from drillkit.clock import Clock, Moment
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.rounds.archive import Archive

NUMERIC = "problems/numeric"
ROUNDS = "problems/rounds"


class Workspace:
    """One person's drillkit: made once by a front end, handed to whatever needs a part of it."""

    def __init__(
        self,
        home: Path | None = None,
        content: tuple[Path, ...] = (),
        at: Moment | None = None,
    ) -> None:
        self.folders = Folders.at(home)
        self.clock: Clock = ShiftedClock(at) if at is not None else SystemClock()
        self._more_content = content
        self._reading = threading.Lock()

    @cached_property
    def settings(self) -> Settings:
        """The settings as the file is now; raises `DrillkitError` if it has faults."""
        return read_settings(self.folders.settings)

    def reread_settings(self) -> Settings:
        """Forget the settings that were read, and read the file again."""
        self.__dict__.pop("settings", None)
        return self.settings

    @property
    def content_folders(self) -> tuple[Path, ...]:
        """Where content lies: ours, the person's, that of the settings and the call."""
        ours, own = bundled_content(), self.folders
        folders = [ours / "decks", ours / NUMERIC, ours / ROUNDS]
        folders += [own.decks, own.data / NUMERIC, own.data / ROUNDS]
        for given in (*self.settings.content, *self._more_content):
            parts = [given / "decks", given / NUMERIC, given / ROUNDS]
            # A content folder holds decks/ and problems/, or the files themselves.
            folders += [part for part in parts if part.is_dir()] or [given]
        return tuple(folders)

    @cached_property
    def _shelf(self) -> Shelf:
        return Shelf(self.content_folders, self.folders.cache)

    def library(self) -> Library:
        """Return the library as the files are now. Safe to call from any thread."""
        with self._reading:
            return self._shelf.read()

    @cached_property
    def rounds(self) -> Archive:
        """The design rounds that were played."""
        from drillkit.rounds.archive import Archive  # noqa: PLC0415 only rounds need algebra

        return Archive(self.folders.rounds)

    def collection(self) -> Collection:
        """Open the collection: a connection for the calling thread alone."""
        from drillkit.review.collection import Collection  # noqa: PLC0415 `check` and `new` need no database

        return Collection.open(self.folders.collection, self.folders.backups)
