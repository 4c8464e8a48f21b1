"""Cards made by drillkit itself, from what was missed: drafts for the person to edit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from drillkit.content.deck import read_deck
from drillkit.content.replacing import replace_file
from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from drillkit.content.cards import AnyCard
    from drillkit.content.diagnostic import Diagnostic

ORDER = 1
"""What was missed is learned before what was never asked: the bundled decks begin at 5."""


@dataclass(frozen=True)
class Draft:
    """A card to be, for recall or, with `points`, of a list: no id is ever written twice."""

    id: str
    ask: str
    answer: str = ""
    source: tuple[str, ...] = ()
    points: tuple[str, ...] = ()


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


def add_drafts(path: Path, deck: str, title: str, drafts: list[Draft]) -> tuple[str, ...]:
    """Append drafts to the deck file at `path`, making it if need be; return the ids that are new.

    Raises `DrillkitError` when the file cannot be read as a deck or not be written.
    """
    entries = {draft.id: _written(draft) for draft in drafts}
    head = f"deck: {deck}\ntitle: {quoted(title)}\norder: {ORDER}\ncards:\n"
    return add_entries(path, head, _deck_entries, entries)


class Entries(NamedTuple):
    """What a file lists: each entry's id with what it says, the errors, and its list's indent."""

    held: dict[str, object]
    faults: tuple[Diagnostic, ...]
    first_line: int


def add_entries(
    path: Path,
    head: str,
    reading: Callable[[bytes, str], Entries],
    entries: Mapping[str, list[str]],
) -> tuple[str, ...]:
    """Append the entries whose id a file does not list yet; return the ids that are new.

    `head` begins a file that is not there; `reading` says what a file lists. Nothing that stands in
    the file changes. Raises `DrillkitError` where it has errors, cannot take the entries at its
    end, or cannot be written; it is left as it was.
    """
    try:
        old = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise DrillkitError(f"cannot be read: {error.strerror}", where=str(path)) from None
    before = Entries({}, (), 0)
    if old.strip():
        before = reading(old, str(path))
        if before.faults:
            told = f"the file has errors: {before.faults[0].message}"
            raise DrillkitError(told, where=str(path), hint="mend it first")
    else:
        old = head.encode()
    fresh = {name: lines for name, lines in entries.items() if name not in before.held}
    if not fresh:
        return ()
    indent = _indent(old, before.first_line)
    text = "".join(f"{indent}{line}\n" for lines in fresh.values() for line in lines)
    new = old + (b"" if old.endswith(b"\n") else b"\n") + text.encode()
    after = reading(new, str(path))
    kept = {name: after.held.get(name) for name in before.held}
    if after.faults or kept != before.held or not fresh.keys() <= after.held.keys():
        raise DrillkitError(
            "nothing can be added at the end of the file",
            where=str(path),
            hint="let its list come last, one `- id: …` under the other",
        )
    try:
        replace_file(path, new)
    except OSError as error:
        raise DrillkitError(f"cannot be written: {error.strerror}", where=str(path)) from None
    return tuple(fresh)


def _indent(raw: bytes, line: int) -> str:
    """How far the entries of a list stand in, by the line of its first one."""
    lines = raw.decode("utf-8", "replace").splitlines()
    first = lines[line - 1] if 0 < line <= len(lines) else "  -"
    return first[: len(first) - len(first.lstrip())]


def _deck_entries(raw: bytes, file: str) -> Entries:
    reading = read_deck(raw, file)
    return Entries(
        {card.id: (card.question, card.answer_lines()) for card in reading.deck.cards},
        tuple(found for found in reading.diagnostics if found.severity == "error"),
        min((card.line for card in reading.deck.cards), default=0),
    )


def _written(draft: Draft) -> list[str]:
    lines = [f"- id: {draft.id}"]
    if draft.points:
        lines.append("  kind: points")
    lines.append(f"  ask: {quoted(draft.ask)}")
    if draft.points:
        lines.append("  points:")
        lines += [f"    - {quoted(point)}" for point in draft.points]
    else:
        lines.append(f"  answer: {quoted(draft.answer)}")
    if draft.source:
        lines.append(f"  source: [{', '.join(quoted(text) for text in draft.source)}]")
    return lines


def quoted(text: str) -> str:
    """Return a text as YAML: a JSON text is one in double quotes, whatever it holds."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f")
