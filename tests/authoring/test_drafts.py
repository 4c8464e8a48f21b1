"""Cards made of what was missed."""

from __future__ import annotations

import pytest

from drillkit.authoring.drafts import Draft, add_drafts, drafts_of_misses
from drillkit.content.cards import Points
from drillkit.content.deck import read_deck
from drillkit.errors import DrillkitError
from drillkit.settings import bundled_content

BUNDLED = tuple((bundled_content() / "decks").glob("*.yaml"))
CARD = Points(
    id="say", deck="zero", ask="Why?", points=("one", 'two: "quoted" # [x]'), source=("s",)
)


def test_a_missed_point_becomes_a_card_once(tmp_path):
    path = tmp_path / "decks" / "missed.yaml"
    drafts = drafts_of_misses(CARD, ['two: "quoted" # [x]'])
    assert add_drafts(path, "missed", "What I missed", drafts) == ("zero-say-2",)
    assert add_drafts(path, "missed", "What I missed", drafts) == ()
    reading = read_deck(path.read_bytes(), "missed.yaml")
    assert reading.diagnostics == []
    assert [(c.item, c.answer_lines(), c.source) for c in reading.deck.cards] == [
        ("missed/zero-say-2", ('two: "quoted" # [x]',), ("s",))
    ]


def test_a_text_that_is_no_point_of_the_card_makes_no_card():
    assert drafts_of_misses(CARD, ["three"]) == []


def test_a_made_deck_comes_before_the_bundled_ones(tmp_path):
    path = tmp_path / "missed.yaml"
    add_drafts(path, "missed", "What I missed", [Draft("new", "q", "a")])
    first = min(read_deck(file.read_bytes(), file.name).deck.order for file in BUNDLED)
    assert read_deck(path.read_bytes(), "x").deck.order < first


def test_hand_written_cards_in_the_file_are_kept(tmp_path):
    path = tmp_path / "missed.yaml"
    path.write_text("deck: missed\ncards:\n  - {id: mine, ask: q, answer: a}", "utf-8")
    assert add_drafts(path, "missed", "", [Draft("new", "q2", "a2")]) == ("new",)
    cards = read_deck(path.read_bytes(), "x").deck.cards
    assert [card.id for card in cards] == ["mine", "new"]


def test_a_broken_file_is_left_as_it_is(tmp_path):
    path = tmp_path / "missed.yaml"
    path.write_text("deck: missed\ncards:\n  - id: a\n    ask: b: c\n", "utf-8")
    before = path.read_bytes()
    with pytest.raises(DrillkitError, match="has errors"):
        add_drafts(path, "missed", "", [Draft("new", "q", "a")])
    assert path.read_bytes() == before


@pytest.mark.parametrize("indent", ["", "  ", "    "])
def test_cards_are_added_as_far_in_as_those_that_stand_there(tmp_path, indent):
    path = tmp_path / "missed.yaml"
    path.write_text(f"deck: missed\ncards:\n{indent}- {{id: mine, ask: q, answer: a}}\n", "utf-8")
    add_drafts(
        path, "missed", "", [Draft("new", "q2", "a2"), Draft("two", "q3", points=("a", "b"))]
    )
    reading = read_deck(path.read_bytes(), "x")
    assert not reading.diagnostics
    assert [(card.id, card.kind) for card in reading.deck.cards] == [
        ("mine", "recall"), ("new", "recall"), ("two", "points"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "deck: missed\ncards:\n  - {id: mine, ask: q, answer: a}\ntitle: Last\n",
        "deck: missed\ncards: [{id: mine, ask: q, answer: a}]\n",
    ],
)
def test_a_file_that_does_not_end_with_its_list_is_left_as_it_is(tmp_path, text):
    path = tmp_path / "missed.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(DrillkitError, match="nothing can be added"):
        add_drafts(path, "missed", "", [Draft("new", "q", "a")])
    assert path.read_text("utf-8") == text
