"""Why this matters: each kind of question that interviewers ask leads to something to drill."""

from __future__ import annotations

import pytest

from drillkit.content.drill import drills_of
from drillkit.numeric.sample import draw
from drillkit.workspace import Workspace

# Each kind of question that the openings of lesson and chapter name, and the card that asks it.
KINDS = {
    "will it fit": "interview-questions/13b-one-node",
    "memory of a 70B model": "interview-questions/memory-70b",
    "train on 1,000 GPUs": "wording/train-on-n",
    "code: a data-parallel step with all_reduce": "interview-questions/code-dp-step",
    "code: a simulated ring all-reduce": "interview-questions/code-ring",
    "code: a column-parallel linear layer": "interview-questions/code-column-linear",
    "code: a pipeline schedule": "interview-questions/code-schedule",
    "a full training plan": "interview-questions/full-plan",
    "wording: will it fit": "wording/will-it-fit",
    "wording: a step is slow": "wording/step-is-slow",
    "wording: communication-bound": "wording/communication-bound",
    "wording: how long": "wording/how-long",
    "wording: nodes fail": "wording/nodes-fail",
    "wording: long sequences": "wording/long-sequences",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return Workspace(tmp_path_factory.mktemp("home")).library()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_question_leads_to_something_to_drill(library, kind):
    card = library.items[KINDS[kind]]
    drills = drills_of(card, library)
    assert drills
    assert [one.id for one in drills] == list(card.drill), "none of them leads nowhere"
    assert card.source


def test_map_is_found_by_its_tag(library):
    tagged = {item for item, card in library.items.items() if "why-this-matters" in card.tags}
    assert tagged == {*KINDS.values(), "interview-questions/kinds"}


def test_every_wording_has_a_drill(library):
    wordings = [card for card in library.decks["wording"].cards if card.kind == "wording"]
    assert len(wordings) == 7
    assert all(drills_of(card, library) for card in wordings)


def test_bundled_cards_send_nowhere_else_than_to_what_runs(library):
    cards = [card for card in library.items.values() if card.drill]
    assert [c.item for c in cards if len(drills_of(c, library)) < len(c.drill)] == []
    named = {one for card in cards for one in drills_of(card, library) if one.kind == "problem"}
    assert all(draw(library.problems[one.id], 7).ask for one in named)
