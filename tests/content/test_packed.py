"""Cards are unpacked when they are asked for, and a library of them is like any other."""

from __future__ import annotations

import threading
import time

import pytest

from drillkit.content import packed
from drillkit.content.cards import Deck, Recall
from drillkit.content.files import Stamp
from drillkit.content.library import Change, Held, assemble
from drillkit.content.packed import Cards, pack_deck


@pytest.fixture
def unpacked(monkeypatch):
    """The items that were unpacked, in order."""
    seen = []
    unpack = packed.unpack

    def counted(raw):
        card = unpack(raw)
        seen.append(card.item)
        return card

    monkeypatch.setattr(packed, "unpack", counted)
    return seen


def card(name, deck="d", **more):
    return Recall(id=name, deck=deck, ask=f"{name}?", answer=name, **more)


def library(**files):
    """Join files, each a list of cards of one deck."""
    held = {
        path: Held(Stamp(0, 0, 0), (), pack_deck(Deck(cards[0].deck, "", path, cards=cards)))
        for path, cards in files.items()
    }
    return assemble(held, (), 0)


def test_only_what_is_asked_for_is_unpacked_and_once(unpacked):
    items = library(a=[card("x"), card("y", after="d/x"), card("z", was=("d/old",))]).items
    assert (list(items), len(items), "d/y" in items, "d/w" in items) == (
        ["d/x", "d/y", "d/z"],
        3,
        True,
        False,
    )
    assert (items.parents, items.was) == ({"d/y": "d/x"}, {"d/z": ("d/old",)})
    assert unpacked == []
    assert items["d/y"] == card("y", after="d/x")
    assert items.get("d/y") is items["d/y"]
    assert unpacked == ["d/y"]
    with pytest.raises(KeyError):
        items["d/w"]


def test_change_unpacks_only_what_changed(unpacked):
    before = library(a=[card("x"), card("y")], b=[card("x", "e"), card("z", "e")])
    after = library(a=[card("x"), card("y")], b=[card("x", "e", why="so"), card("w", "e")])
    assert after.change_from(before) == Change(("e/w",), ("e/x",), ("e/z",))
    assert set(unpacked) == {"e/x", "e/w", "e/z"}
    unpacked.clear()
    assert not library(a=[card("x")]).change_from(library(a=[card("x")]))
    assert unpacked == []


def test_file_that_joins_a_deck_brings_its_links_even_under_another_id():
    joined = library(
        a=[card("x"), card("y")],
        b=[card("x", after="d/y", was=("d/old",)), card("z", after="d/x")],
    )
    assert joined.items.parents == {"d/x~2": "d/y", "d/z": "d/x"}
    assert joined.items.was == {"d/x~2": ("d/old",)}
    assert (joined.items["d/x~2"].id, joined.items["d/x~2"].ask) == ("x~2", "x?")
    deck = joined.decks["d"].cards
    assert [one.id for one in deck] == ["x", "y", "x~2", "z"]
    assert (len(deck), card("y") in deck, card("w") in deck) == (4, True, False)


def test_threads_that_ask_at_once_get_the_same_card(monkeypatch):
    unpack = packed.unpack

    def slow(raw):
        time.sleep(0.01)
        return unpack(raw)

    monkeypatch.setattr(packed, "unpack", slow)
    items = Cards()
    items.add_deck(pack_deck(Deck("d", "", "d.yaml", cards=[card("x")])))
    found = []
    threads = [threading.Thread(target=lambda: found.append(items["d/x"])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len({id(one) for one in found}) == 1
