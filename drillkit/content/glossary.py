"""What each symbol means, gathered from the cards that use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drillkit.content.library import Library


@dataclass(frozen=True)
class Meaning:
    """One meaning of a symbol and the items that use it so."""

    text: str
    items: tuple[str, ...]


def glossary(library: Library) -> dict[str, tuple[Meaning, ...]]:
    """Return symbol -> its meanings, the most used first; symbols in alphabetical order."""
    found: dict[str, dict[str, list[str]]] = {}
    for card in library.items.values():
        for symbol, text in card.symbols.items():
            found.setdefault(symbol, {}).setdefault(text, []).append(card.item)
    return {
        symbol: tuple(
            Meaning(text, tuple(items))
            for text, items in sorted(found[symbol].items(), key=lambda use: -len(use[1]))
        )
        for symbol in sorted(found, key=lambda name: (name.casefold(), name))
    }
