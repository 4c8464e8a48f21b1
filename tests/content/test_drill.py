"""What a card sends to for practice, by the name that its author gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from drillkit.content.cards import FIGURES
from drillkit.content.deck import read_deck
from drillkit.content.drill import Drill, drill_named, drills_of
from drillkit.content.shelf import Shelf
from drillkit.figures.catalogue import figure

SMALL = (Path(__file__).parent.parent / "cases" / "small_round.yaml").read_text(encoding="utf-8")
FAMILY = """\
problems:
  - id: {name}
    title: A family
    given: {{P: {{name: parameters, unit: params, from: [7e9, 8e9]}}}}
    equations: ['M = 2*P']
    find: {{M: {{unit: GB, ask: 'Weights of {{P}} parameters?'}}}}
"""


@pytest.fixture
def library(tmp_path):
    """Return the library of one family and one round, each under the given name."""

    def read(family: str = "weights", round_: str = "small"):
        (tmp_path / "family.yaml").write_text(FAMILY.format(name=family))
        (tmp_path / "round.yaml").write_text(SMALL.replace("round: small", f"round: {round_}"))
        found = Shelf([tmp_path], None).read()
        assert found.diagnostics == ()
        return found

    return read


def card(more: str):
    reading = read_deck(f"deck: d\ncards:\n  - {{id: a, ask: q, answer: x{more}}}\n".encode(), "d")
    assert reading.diagnostics == []
    return reading.deck.cards[0]


def test_card_names_one_drill_or_several():
    assert card("").drill == ()
    assert card(", drill: ring").drill == ("ring",)
    assert card(", drill: [fit-check, zero]").drill == ("fit-check", "zero")


def test_drill_is_a_problem_a_round_or_a_figure_and_tells_its_title(library):
    found = drills_of(card(", drill: [ring, small, weights]"), library())
    assert [(one.kind, one.title) for one in found] == [
        ("figure", "Ring all-reduce"),
        ("round", "Pretrain a 7B decoder in two weeks"),
        ("problem", "A family"),
    ]
    assert [one.command for one in found] == [
        "drillkit figure ring",
        "drillkit round small",
        "drillkit practice weights",
    ]


def test_problem_goes_before_a_round_and_a_round_before_a_figure(library):
    assert drill_named("ring", library("ring", "ring")) == Drill("problem", "ring", "A family")
    found = drill_named("ring", library("weights", "ring"))
    assert found is not None
    assert found.kind == "round"


def test_drill_that_is_not_there_is_left_out(library):
    assert drills_of(card(", drill: [wieghts, ring]"), library()) == (
        Drill("figure", "ring", "Ring all-reduce"),
    )


def test_every_figure_has_a_title():
    assert [figure(name).title for name in FIGURES] == list(FIGURES.values())
