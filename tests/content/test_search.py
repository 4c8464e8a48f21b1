"""Finding cards by their words."""

from __future__ import annotations

import pytest

from drillkit.content.files import Stamp
from drillkit.content.library import assemble
from drillkit.content.reading import read_content
from drillkit.content.search import Index

DECK = """\
deck: net
title: Collectives and traffic
tags: [communication]
cards:
  - {id: ring, ask: What does a ring all-reduce send?, answer: just under 2n, why: two halves}
  - {id: cost, ask: What does latency cost?, answer: The ring pays it p times., source: A survey}
  - {id: stringy, ask: Which string starts the log?, answer: the header}
  - {id: spot, kind: spot, claim: Naïve trees always win., flaw: they do not, right: Rings win.}
  - id: words
    kind: wording
    prompts: [Why is my GPU idle?]
    answer: measure first
  - id: pick
    kind: choice
    ask: Which one?
    choices: [{text: the zebra, right: true}, {text: the okapi}]
  - {id: gap, kind: cloze, text: "{{sixteen}} bytes a parameter"}
"""


@pytest.fixture(scope="module")
def index():
    held = read_content(DECK.encode(), "net.yaml", Stamp(0, 0, 0))
    return Index(assemble({"net.yaml": held}, (), 1))


def found(index, query, **more):
    return [card.id for card in index.find(query, **more)]


def test_word_in_the_question_comes_before_one_in_the_answer_and_a_start_before_a_middle(index):
    assert found(index, "ring") == ["ring", "stringy", "cost", "spot"]


def test_every_word_must_be_there_in_any_order(index):
    assert found(index, "send ring") == ["ring"]
    assert found(index, "ring zebra") == []


@pytest.mark.parametrize(
    ("query", "card"),
    [
        ("header", "stringy"),  # the answer
        ("halves", "ring"),  # the reason
        ("survey", "cost"),  # the source
        ("naive", "spot"),  # the claim, without its accent
        ("IDLE", "words"),  # a prompt, in capitals
        ("okapi", "pick"),  # a wrong choice
        ("sixteen", "gap"),  # a gap
        ("net/words", "words"),  # the item
    ],
)
def test_everything_written_on_a_card_is_searched(index, query, card):
    assert found(index, query) == [card]


@pytest.mark.parametrize("query", ["communication", "collectives"])
def test_tags_and_the_decks_title_find_all_its_cards(index, query):
    assert len(found(index, query)) == 7


@pytest.mark.parametrize("query", ["", " ", "r", " r "])
def test_fewer_than_two_letters_find_nothing(index, query):
    assert found(index, query) == []


def test_two_single_letters_are_enough(index):
    assert "ring" in found(index, "2 n")


def test_no_more_are_returned_than_were_asked_for(index):
    assert found(index, "ring", most=2) == ["ring", "stringy"]


@pytest.mark.parametrize("query", ["[b]", "\\", ".*", "\x1b[31m", "ring\0"])
def test_signs_mean_themselves(index, query):
    assert found(index, query) == []
