"""Where a person's rounds are kept: a folder a round, a journal each time it is played.

`rounds/<round>/<date>.jsonl` is the journal, `<date>.md` beside it the export. A journal that was
discarded lies there as `<date>.jsonl.discarded`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from drillkit.errors import DrillkitError
from drillkit.rounds.journal import is_played, read_journal
from drillkit.rounds.state import State, replay

if TYPE_CHECKING:
    from pathlib import Path

    from drillkit.clock import Moment
    from drillkit.rounds.trends import Summary


def state_of(path: Path) -> State:
    """Return what the round of a journal came to. Raises `DrillkitError` that names the file."""
    events = read_journal(path)
    try:
        return replay(events)
    except DrillkitError as error:
        raise DrillkitError(error.what, where=str(path), hint=error.hint) from None


@dataclass(frozen=True)
class Kept:
    """One time that a round was played."""

    path: Path
    state: State

    @property
    def export(self) -> Path:
        """Where its Markdown belongs."""
        return self.path.with_suffix(".md")

    @cached_property
    def summary(self) -> Summary:
        """What is kept in mind of it: it takes longer than the reading."""
        from drillkit.rounds.trends import summary  # noqa: PLC0415 a list of rounds needs it not

        return summary(self.state)

    @property
    def number(self) -> str:
        """Its name among the times that this round was played: the date of its start."""
        return self.path.stem


class _Stamp(NamedTuple):
    """Tells whether a journal is the one that was read."""

    modified_ns: int
    size: int


@dataclass(frozen=True)
class Archive:
    """All rounds that were played, below one folder. A journal that did not change is read once."""

    folder: Path
    _known: dict[Path, tuple[_Stamp, Kept]] = field(default_factory=dict, repr=False)

    def new_journal(self, round_id: str, now: Moment) -> Path:
        """Return a path for a round that starts now; the second one of a minute gets a number."""
        stem = now.local.strftime("%Y-%m-%d-%H%M")
        path = self.folder / round_id / f"{stem}.jsonl"
        number = 2
        while path.exists():
            path = self.folder / round_id / f"{stem}-{number}.jsonl"
            number += 1
        return path

    def read(self, round_id: str = "") -> tuple[list[Kept], list[DrillkitError]]:
        """Return what was played, the oldest first, and the journals that cannot be read."""
        kept: list[Kept] = []
        faults: list[DrillkitError] = []
        for path in sorted(self.folder.glob("*/*.jsonl"), key=lambda p: p.stem):
            # A name that was typed is no pattern, and leads to no other folder.
            if round_id and path.parent.name != round_id:
                continue
            try:
                kept.append(self._read_one(path))
            except DrillkitError as error:
                faults.append(error)
        # The names follow the wall clock, which travel and summer time set back.
        kept.sort(key=lambda one: one.state.started.at.utc_ms)
        return kept, faults

    def _read_one(self, path: Path) -> Kept:
        try:
            about = path.stat()
        except OSError as error:
            told = f"cannot be read: {error.strerror or error}"
            raise DrillkitError(told, where=str(path)) from None
        if not S_ISREG(about.st_mode):
            # To read a pipe would wait for whoever writes to it.
            raise DrillkitError("is no plain file", where=str(path), hint="move it away")
        # Taken before the reading: what is written meanwhile is read the next time.
        stamp = _Stamp(about.st_mtime_ns, about.st_size)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        kept = Kept(path, state_of(path))
        self._known[path] = (stamp, kept)
        return kept

    def discard(self, kept: Kept) -> Path:
        """Put a round aside, and return where its journal is now. Raises `DrillkitError`."""
        aside = kept.path.with_name(f"{kept.path.name}.discarded")
        number = 2
        while aside.exists():
            aside = kept.path.with_name(f"{kept.path.name}.discarded-{number}")
            number += 1
        try:
            kept.path.rename(aside)
        except OSError as error:
            raise DrillkitError(
                f"cannot be put aside: {error.strerror or error}", where=str(kept.path)
            ) from None
        return aside

    def is_played(self, round_id: str) -> bool:
        """Tell whether another drillkit is in this round now."""
        folder = self.folder / round_id
        return folder.is_dir() and is_played(folder)
