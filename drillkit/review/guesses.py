"""Guesses made before a figure is seen, kept in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.review.events import Predicted
from drillkit.review.today import study_day

if TYPE_CHECKING:
    from drillkit.clock import Moment
    from drillkit.review.collection import Collection
    from drillkit.settings import Settings


def keep_guess(collection: Collection, now: Moment, settings: Settings, guess: Predicted) -> None:
    """Write a guess; it is on the disk on return. Raises `DrillkitError` when it cannot be."""
    with collection.writing(now, study_day(now, settings)) as writing:
        writing.note(guess)


def guesses(collection: Collection) -> dict[str, Predicted]:
    """Return the first guess for each question: later ones may know the answer."""
    found: dict[str, Predicted] = {}
    for event in collection.events("kind = 'predicted'"):
        if isinstance(event.action, Predicted):
            found.setdefault(event.action.question, event.action)
    return found
