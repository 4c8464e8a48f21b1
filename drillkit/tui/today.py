"""What Home shows, computed off the screen's thread from the library and the collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from textual.message import Message

from drillkit.clock import DAY_MS, Moment
from drillkit.counted import counted
from drillkit.review.streak import streak
from drillkit.review.today import overview, study_day

if TYPE_CHECKING:
    from drillkit.content.library import Library
    from drillkit.settings import Settings
    from drillkit.workspace import Workspace


class Row(msgspec.Struct, frozen=True):
    """One deck's numbers (or all decks' together, with an empty `deck`)."""

    deck: str
    title: str
    due: int
    new: int
    learning: int
    unseen: int


class Today(msgspec.Struct, frozen=True):
    """Home's content: two lines of text, a row a deck, and the number of errors in the files."""

    headline: str
    note: str
    rows: tuple[Row, ...]
    faults: int
    library: Library


class Loaded(Message):
    """Decks and collection were read."""

    def __init__(self, today: Today) -> None:
        super().__init__()
        self.today = today


def look(workspace: Workspace) -> Today:
    """Read what waits now. Opens its own connection: call it from any thread."""
    library = workspace.library()
    now = workspace.clock.now()
    settings = workspace.settings
    with workspace.collection() as collection:
        waiting = overview(collection, library, settings, now)
        days = streak(collection, study_day(now, settings))
    rows = [
        Row(deck, library.decks[deck].title, c.due, c.new, c.learning, waiting.unseen.get(deck, 0))
        for deck, c in waiting.by_deck.items()
        if deck in library.decks
    ]
    counts = waiting.counts
    unseen = sum(waiting.unseen.values())
    rows.insert(0, Row("", "All decks", counts.due, counts.new, counts.learning, unseen))
    faults = sum(found.severity == "error" for found in library.diagnostics)
    return Today(
        headline=_headline(counts.due, counts.new, counts.learning, days, now, settings),
        note=_note(counts.total, waiting.next_due_at, now, settings, library, faults),
        rows=tuple(rows),
        faults=faults,
        library=library,
    )


def _headline(due: int, new: int, learning: int, days: int, now: Moment, settings: Settings) -> str:
    parts = [f"{due:,} due", f"{new:,} new"]
    if learning:
        parts.append(f"{learning:,} learning")
    parts.append(f"streak {counted(days, 'day')}")
    if settings.interview is not None:
        left = (settings.interview - now.study_day(settings.day_starts)).days
        if left >= 0:
            parts.append("interview today" if left == 0 else f"interview in {left} days")
    return " · ".join(parts)


def _note(
    waiting: int,
    next_due_at: Moment | None,
    now: Moment,
    settings: Settings,
    library: Library,
    faults: int,
) -> str:
    if not library.items:
        return "No cards yet. `drillkit new deck FILE` writes a deck to start from."
    parts = []
    if not waiting:
        when = when_text(next_due_at, now, settings) if next_due_at else ""
        parts.append(f"Nothing waits. The next card comes {when}." if when else "Nothing waits.")
    if faults:
        parts.append(f"{faults} error{'s' if faults > 1 else ''} in the deck files: press d.")
    return " ".join(parts) or "Press r to review what waits, Enter for one deck."


def when_text(when: Moment, now: Moment, settings: Settings) -> str:
    """Say when something comes due, as one would across a table."""
    wait_ms = when.utc_ms - now.utc_ms
    if wait_ms < 60_000:
        return "within a minute"
    if wait_ms < 90 * 60_000:
        return f"in {round(wait_ms / 60_000)} min"
    days = (when.study_day(settings.day_starts) - now.study_day(settings.day_starts)).days
    if days == 0:
        return f"today at {when.local:%H:%M}"
    if days == 1:
        return "tomorrow"
    if days < 7:
        return f"in {days} days"
    date = Moment(when.utc_ms - settings.day_starts * DAY_MS // 24, when.offset_min).local
    return f"on {date:%d %b}"
