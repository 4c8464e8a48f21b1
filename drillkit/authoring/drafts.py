"""Cards made by drillkit itself, from what was missed: drafts for the person to edit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drillkit.content.deck import read_deck
from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from pathlib import Path

    from drillkit.content.cards import AnyCard


@dataclass(frozen=True)
class Draft:
    """A recall card to be: the same id is never written twice."""

    id: str
    ask: str
    answer: str
    source: tuple[str, ...] = ()


def drafts_of_misses(card: AnyCard, missed: list[str]) -> list[Draft]:
    """Make one draft for each missed point of a list, named by its place in the list."""
    points = card.answer_lines()
    return [
        Draft(
            f"{card.deck}-{card.id}-{points.index(point) + 1}",
            f"{card.question} One point was missed: number {points.index(point) + 1} of "
            f"{len(points)}.",
            point,
            card.source,
        )
        for point in missed
        if point in points
    ]


def add_drafts(path: Path, deck: str, title: str, drafts: list[Draft]) -> int:
    """Append drafts to the deck file at `path`, making it if need be; return how many are new.

    Raises `DrillkitError` when the file cannot be read as a deck or not be written.
    """
    try:
        old = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise DrillkitError(f"cannot be read: {error.strerror}", where=str(path)) from None
    if old:
        reading = read_deck(old, str(path))
        errors = [found for found in reading.diagnostics if found.severity == "error"]
        if errors:
            raise DrillkitError(
                f"the deck has errors: {errors[0].message}", where=str(path), hint="mend it first"
            )
        known = {card.id for card in reading.deck.cards}
    else:
        known = set()
        old = f"deck: {deck}\ntitle: {title}\ncards:\n".encode()
    fresh = [draft for draft in drafts if draft.id not in known]
    if not fresh:
        return 0
    ending = b"" if old.endswith(b"\n") else b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(old + ending + "".join(_written(draft) for draft in fresh).encode())
    except OSError as error:
        raise DrillkitError(f"cannot be written: {error.strerror}", where=str(path)) from None
    return len(fresh)


def _written(draft: Draft) -> str:
    # A JSON text is a YAML text in double quotes, whatever it holds.
    lines = [
        f"  - id: {draft.id}",
        f"    ask: {_quoted(draft.ask)}",
        f"    answer: {_quoted(draft.answer)}",
    ]
    if draft.source:
        lines.append(f"    source: [{', '.join(_quoted(text) for text in draft.source)}]")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f")
