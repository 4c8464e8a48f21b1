"""A seed gives a round its numbers, the same everywhere."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from design_rounds import THIRTEEN

from drillkit.content.round import Fact
from drillkit.errors import DrillkitError
from drillkit.rounds.draw import draw


def test_seed_0_is_the_round_as_written():
    drawn = draw(THIRTEEN, 0)
    assert drawn.case == "13B"
    assert drawn.values["params"] == 13 * 10**9
    assert drawn.values["gpus"] == 96
    assert drawn.values["inter"] == 50 * 10**9
    assert drawn.defaults["mfu"] == Fraction(2, 5)
    assert "done" not in drawn.values


def test_a_seed_gives_the_same_numbers_again_and_others_give_other_ones():
    seen = {
        (one.case, one.values["gpus"], one.values["inter"]) for one in map(_drawn, range(1, 60))
    }
    assert len(seen) == 2 * 3 * 2
    assert draw(THIRTEEN, 7) == draw(THIRTEEN, 7)


def _drawn(seed):
    return draw(THIRTEEN, seed)


def test_these_are_the_numbers_of_these_seeds_on_every_machine():
    assert [(one.case, int(one.values["gpus"])) for one in map(_drawn, range(1, 5))] == [
        ("7B", 96),
        ("7B", 128),
        ("13B", 96),
        ("13B", 96),
    ]


def test_every_draw_meets_the_conditions():
    narrow = msgspec.structs.replace(THIRTEEN, where=("gpus > 100", "params < 10e9"))
    for seed in range(1, 30):
        drawn = draw(narrow, seed)
        assert (drawn.case, drawn.values["gpus"]) == ("7B", 128)


def test_conditions_that_no_draw_meets_are_told():
    never = msgspec.structs.replace(THIRTEEN, where=("gpus > 1000",))
    with pytest.raises(DrillkitError, match=r"400 draws of seed 1 .* gpus > 1000"):
        draw(never, 1)
    with pytest.raises(DrillkitError, match="it breaks its condition gpus > 1000"):
        draw(never, 0)


def test_every_symbol_has_a_unit_and_a_percentage_keeps_its_own():
    units = draw(THIRTEEN, 0).units
    assert {s: units[s].text for s in ("mfu", "hbm", "lost", "gpu_hours", "width")} == {
        "mfu": "%", "hbm": "GB", "lost": "GPUs", "gpu_hours": "GPU-h", "width": "",
    }  # fmt: skip


def test_chance_is_of_its_own_for_each_thing_and_seed():
    drawn, other = draw(THIRTEEN, 3), draw(THIRTEEN, 4)
    assert drawn.random("order").random() == drawn.random("order").random()
    three = {drawn.random("order").random(), drawn.random("window").random()}
    assert len(three | {other.random("order").random()}) == 3


def test_a_fact_that_is_only_varied_takes_the_first_as_written():
    facts = (*THIRTEEN.facts, Fact(symbol="price", vary=("2 $/GPU-h", "3 $/GPU-h"), unit="$/GPU-h"))
    drawn = draw(msgspec.structs.replace(THIRTEEN, facts=facts), 0)
    assert drawn.values["price"] * 3600 == 2
