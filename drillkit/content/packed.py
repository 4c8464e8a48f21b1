"""Cards as bytes: a start unpacks those that it shows, not all ten thousand.

What a start asks of every card (its id, which card it follows, its former ids) stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping, Sequence
from functools import cache

import msgspec

from drillkit.content.cards import AnyCard, Deck


class PackedDeck(msgspec.Struct, frozen=True, array_like=True):
    """A deck as one file holds it. `cards` are bytes by card id.

    `parents` and `was` hold those fields of the cards that have them, by card id.
    """

    id: str
    title: str
    path: str
    tags: tuple[str, ...]
    order: int
    cards: dict[str, msgspec.Raw]
    parents: dict[str, str]
    was: dict[str, tuple[str, ...]]


def pack_deck(deck: Deck) -> PackedDeck:
    """Return a deck that was read, packed."""
    return PackedDeck(
        id=deck.id,
        title=deck.title,
        path=deck.path,
        tags=deck.tags,
        order=deck.order,
        cards={card.id: pack(card) for card in deck.cards},
        parents={card.id: card.after for card in deck.cards if card.after},
        was={card.id: card.was for card in deck.cards if card.was},
    )


def pack(card: AnyCard) -> msgspec.Raw:
    """Return a card as bytes."""
    return msgspec.Raw(msgspec.msgpack.encode(card))


def unpack(packed: msgspec.Raw) -> AnyCard:
    """Return the card that was packed."""
    return _decoder().decode(packed)


@cache
def _decoder() -> msgspec.msgpack.Decoder[AnyCard]:
    return msgspec.msgpack.Decoder(AnyCard)


class Cards(Mapping[str, AnyCard]):
    """Cards by item id, in the order of the library; each is unpacked when it is first asked for.

    `parents` tells which item a card follows, `was` its former ids, both for the cards that have
    them. It may be read from any thread.
    """

    def __init__(self) -> None:
        self.parents: dict[str, str] = {}
        self.was: dict[str, tuple[str, ...]] = {}
        self._packed: dict[str, msgspec.Raw] = {}
        self._unpacked: dict[str, AnyCard] = {}

    def add(
        self, item: str, packed: msgspec.Raw, parent: str = "", was: tuple[str, ...] = ()
    ) -> None:
        """Take in one card."""
        self._packed[item] = packed
        if parent:
            self.parents[item] = parent
        if was:
            self.was[item] = was

    def add_deck(self, deck: PackedDeck) -> list[str]:
        """Take in all cards of a deck and return their item ids."""
        items = [f"{deck.id}/{name}" for name in deck.cards]
        self._packed.update(zip(items, deck.cards.values(), strict=True))
        self.parents.update({f"{deck.id}/{name}": item for name, item in deck.parents.items()})
        self.was.update({f"{deck.id}/{name}": former for name, former in deck.was.items()})
        return items

    def __getitem__(self, item: str) -> AnyCard:
        card = self._unpacked.get(item)
        if card is None:
            # Of two threads that ask at once, both get the card of the first.
            card = self._unpacked.setdefault(item, unpack(self._packed[item]))
        return card

    def __contains__(self, item: object) -> bool:
        return item in self._packed

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def keys(self) -> KeysView[str]:
        return self._packed.keys()

    def unlike(self, other: Cards) -> dict[str, AnyCard]:
        """Return the cards that `other` does not hold just so. Unpacks no others."""
        theirs = other._packed
        return {
            item: self[item] for item, packed in self._packed.items() if theirs.get(item) != packed
        }


class DeckCards(msgspec.Struct, frozen=True):
    """The cards of one deck of a library."""

    cards: Cards
    items: Sequence[str]

    def __iter__(self) -> Iterator[AnyCard]:
        return (self.cards[item] for item in self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, card: object) -> bool:
        return any(card == own for own in self)
