"""A round from its file, played by hand: the source's numbers, one error, a curveball, a layout."""

from __future__ import annotations

from fractions import Fraction

import pytest
from rounds_table import small_round

from drillkit.content.problem_rules import read_number
from drillkit.mlsys.budget import flops_per_token, gpu_seconds
from drillkit.rounds.draw import draw
from drillkit.rounds.layout import judge_layout, model_layout
from drillkit.rounds.number import judge_number, read_typed
from drillkit.rounds.solve import fill_text, set_facts, start, value_of

ROUND = small_round()
DRAWN = draw(ROUND, 0)
START = start(DRAWN)


def test_seed_0_reproduces_the_source():
    """M2, entered twice: 4.52e10 FLOP a token and 31,750 GPU-hours."""
    (example,) = ROUND.examples
    for symbol, text in example.expect:
        expected = read_number(text, DRAWN.units[symbol])
        assert float(value_of(DRAWN, symbol, START) / expected) == pytest.approx(1, abs=0.005)
    per_token = flops_per_token(7e9, 32, 4096, 4096)
    assert float(value_of(DRAWN, "flops_tok", START)) == pytest.approx(per_token)
    assert float(value_of(DRAWN, "gpu_hours", START)) == pytest.approx(
        gpu_seconds(1e12 * per_token, 989e12, 0.4)
    )


def test_one_wrong_number_of_a_played_round_costs_once():
    wrong = read_typed(DRAWN, "flops_tok", "14e9", START)
    verdict = judge_number(DRAWN, "flops_tok", wrong, START)
    assert verdict.band == "off"
    assert verdict.diagnosis[0].startswith("2Ψ is the forward pass alone")
    mine = START._replace(numbers={"flops_tok": wrong.value})
    hours = read_typed(DRAWN, "gpu_hours", "tokens*flops_tok/(peak*mfu) @mfu=50%", mine)
    after = judge_number(DRAWN, "gpu_hours", hours, mine)
    assert (after.band, after.follows, after.ratio) == ("exact", True, 1.0)


def test_every_seeds_model_layout_is_right_before_and_after_the_curveballs():
    for seed in range(8):
        drawn = draw(ROUND, seed)
        before = start(drawn)
        for situation in (before, *(set_facts(drawn, before, one) for one in ROUND.curveballs)):
            fields = model_layout(drawn, "layout", situation)
            verdict = judge_layout(drawn, "layout", fields, situation)
            assert verdict.right, verdict.told


def test_texts_of_a_round_have_all_their_numbers():
    texts = [ROUND.prompt, *(one.say for one in ROUND.curveballs)]
    texts += [line for phase in ROUND.phases for line in phase.model]
    model = model_layout(DRAWN, "layout", START)
    filled = " ".join(fill_text(DRAWN, text, START, model) for text in texts)
    assert "7B" in filled
    assert filled.replace("{claim}", "").count("{") == 0
    assert value_of(DRAWN, "lost", START) == Fraction(32)
