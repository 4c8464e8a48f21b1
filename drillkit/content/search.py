"""Finding a card by its words."""

from __future__ import annotations

import heapq
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library

LEAST_LETTERS = 2


class Index:
    """A library's texts, folded once, to be searched at every key press."""

    def __init__(self, library: Library) -> None:
        titles = {deck.id: deck.title for deck in library.decks.values()}
        self._entries = [
            (_folded(card.question), _rest(card, titles[card.deck]), card)
            for card in library.items.values()
        ]

    def find(self, query: str, most: int = 50) -> list[AnyCard]:
        """Return the cards that hold every word of `query`, the closest first.

        A word in the question counts more than one in the answer, the start of a word more than
        its middle. Fewer than two letters find nothing.
        """
        words = _folded(query).split()
        if sum(len(word) for word in words) < LEAST_LETTERS:
            return []
        scored = []
        for number, (question, rest, card) in enumerate(self._entries):
            score = 0
            for word in words:
                gain = _gain(word, question, 4) or _gain(word, rest, 1)
                if not gain:
                    break
                score += gain
            else:
                scored.append((-score, number, card))
        return [card for _, _, card in heapq.nsmallest(most, scored)]


def _gain(word: str, text: str, weight: int) -> int:
    at = text.find(word)
    if at < 0:
        return 0
    starts = at == 0 or not text[at - 1].isalnum() or f" {word}" in text
    return weight * (2 if starts else 1)


def _rest(card: AnyCard, title: str) -> str:
    parts = (card.item, title, *card.tags, *card.answer_lines(), card.why, *card.source)
    material = (getattr(card, "claim", ""), *getattr(card, "prompts", ()))
    choices = (option.text for option in getattr(card, "choices", ()))
    return _folded(" ".join((*parts, *material, *choices)))


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))
