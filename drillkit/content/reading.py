"""A content file's bytes, of whatever kind, read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.content import deck as decks
from drillkit.content.kind import kind_of
from drillkit.content.library import Held

if TYPE_CHECKING:
    from drillkit.content.files import Stamp


def read_content(raw: bytes, path: str, stamp: Stamp) -> Held:
    """Read a deck or a file of problems. It never raises: what cannot be read is a diagnostic."""
    if kind_of(raw, path) == "problems":
        # Imported here: formulas are read with it, which decks do without.
        from drillkit.content.problem_reading import read_problems  # noqa: PLC0415

        reading = read_problems(raw, path)
        return Held(stamp, tuple(reading.diagnostics), problems=reading.problems)
    deck_reading = decks.read_deck(raw, path)
    return Held(stamp, tuple(deck_reading.diagnostics), deck=deck_reading.deck)
