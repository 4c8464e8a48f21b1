"""`check` and the drills of cards: each leads to something that is there."""

from __future__ import annotations

import pytest

from drillkit.authoring.check import check
from drillkit.authoring.drills import bundled_families, bundled_rounds
from drillkit.workspace import Workspace

FAMILY = (
    "problems:\n  - id: {name}\n    title: t\n"
    "    given: {{P: {{name: parameters, unit: params, from: [7e9, 8e9]}}}}\n"
    "    equations: ['M = 2*P']\n"
    "    find: {{M: {{unit: GB, ask: 'Weights of {{P}} parameters?'}}}}\n"
)


@pytest.fixture
def look(tmp_path):
    """Check a deck whose one card has this drill; return (line, column, code, message, hint)."""

    def checked(drill: str, *beside: str):
        path = tmp_path / "deck.yaml"
        path.write_text(
            f"deck: d\ncards:\n  - id: a\n    ask: q\n    answer: x\n    drill: {drill}\n"
        )
        paths = [path, *(tmp_path / name for name in beside)]
        found = [one for one in check(paths).diagnostics if one.severity == "error"]
        return [(one.line, one.column, one.code, one.message, one.hint) for one in found]

    return checked


def test_bundled_problem_round_or_figure_will_do(look):
    assert look("zero3-memory") == []
    assert look("[pretrain-7b-1t, ring, fit-check]") == []


def test_drill_of_no_name_known_is_an_error_at_its_place(look):
    told = "no numeric problem, round or figure has the id 'zero3-memori'"
    hint = "did you mean `zero3-memory`?"
    assert look("zero3-memori") == [(6, 12, "unknown-drill", told, hint)]
    assert look("[ring, zero3-memori]") == [(6, 19, "unknown-drill", told, hint)]
    assert [code for _, _, code, *_ in look('[ring, ""]')] == ["unknown-drill"]


@pytest.mark.parametrize(
    ("written", "near"), [("pretrain-7b-2t", "pretrain-7b-1t"), ("collectivs", "collectives")]
)
def test_nearest_round_or_figure_is_offered_too(look, written, near):
    ((*_, hint),) = look(written)
    assert hint == f"did you mean `{near}`?"


def test_where_nothing_is_near_the_commands_that_list_are_named(look):
    ((*_, hint),) = look("qqqq")
    assert hint == "`drillkit practice`, `round` and `figure` list them"


def test_settings_of_a_figure_are_no_part_of_its_name(look):
    assert [code for _, _, code, *_ in look("ring p=4")] == ["unknown-drill"]


def test_problem_beside_the_deck_will_do(look, tmp_path):
    (tmp_path / "own.yaml").write_text(FAMILY.format(name="own-one"))
    assert [code for _, _, code, *_ in look("own-one")] == ["unknown-drill"]
    assert "unknown-drill" not in {code for _, _, code, *_ in look("own-one", "own.yaml")}


def test_round_beside_the_deck_will_do_even_with_faults_of_its_own(look, tmp_path):
    (tmp_path / "own.yaml").write_text("round: own-round\ntitle: t\n")
    assert "unknown-drill" not in {code for _, _, code, *_ in look("own-round", "own.yaml")}


def test_bundled_ids_are_those_of_the_bundled_library(tmp_path):
    library = Workspace(tmp_path).library()
    assert bundled_families() == set(library.problems)
    assert bundled_rounds() == set(library.rounds)
