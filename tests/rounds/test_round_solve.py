"""What the numbers of a round come to, also after an error of the candidate's and a curveball."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from design_rounds import THIRTEEN

from drillkit.algebra.outcome import UnreadableError
from drillkit.content.round import Derived, Fact
from drillkit.errors import DrillkitError
from drillkit.mlsys.budget import flops_per_token, gpu_seconds, wall_s
from drillkit.mlsys.memory import GB, model_states
from drillkit.rounds.draw import draw
from drillkit.rounds.solve import (
    expected,
    fact_text,
    fill_text,
    set_facts,
    start,
    value_of,
)

DRAWN = draw(THIRTEEN, 0)
START = start(DRAWN)


def recorded(**numbers):
    return START._replace(numbers={name: Fraction(value) for name, value in numbers.items()})


def test_13b_on_96_gpus_comes_to_the_designs_numbers():
    """Entered twice: by the round's formulas and by the planner's."""
    worked = {check.id: float(expected(DRAWN, check.id, START)) for check in THIRTEEN.checks}
    per_token = flops_per_token(13e9, 40, 4096, 5120)
    assert worked["flops_tok"] == pytest.approx(per_token)
    assert worked["flops_tok"] == pytest.approx(8.30e10, rel=1e-3)
    gpu_s = gpu_seconds(600e9 * per_token, 989e12, 0.4)
    assert worked["gpu_hours"] == pytest.approx(gpu_s)
    assert worked["gpu_hours"] / 3600 == pytest.approx(34_980, rel=1e-3)
    assert worked["wall"] == pytest.approx(wall_s(gpu_s, 96, 0.9))
    assert worked["wall"] / 86_400 == pytest.approx(16.9, abs=0.05)
    assert worked["states"] == pytest.approx(model_states(13e9).total_bytes)
    assert worked["states"] == 208 * GB
    assert worked["act"] / GB == pytest.approx(28.5, abs=0.05)
    assert worked["fewest"] == 54


def test_a_number_follows_what_the_candidate_assumed():
    half = START._replace(assumed={"mfu": Fraction(1, 2)})
    ratio = expected(DRAWN, "gpu_hours", half) / expected(DRAWN, "gpu_hours", START)
    assert ratio == Fraction(4, 5)


def test_an_error_is_carried_forward():
    mine = recorded(flops_tok=166 * 10**9)
    right = expected(DRAWN, "gpu_hours", mine, carried=False)
    assert right == expected(DRAWN, "gpu_hours", START)
    assert expected(DRAWN, "gpu_hours", mine) / right == pytest.approx(2, rel=1e-3)
    assert expected(DRAWN, "flops_tok", mine) == expected(DRAWN, "flops_tok", START)


def test_the_last_number_recorded_before_counts_and_not_what_led_to_it():
    mine = recorded(flops_tok=1, gpu_hours=3600 * 96)
    assert expected(DRAWN, "wall", mine) == Fraction(3600) / Fraction(9, 10)


def test_numbers_that_lead_nowhere_are_not_carried():
    divides = msgspec.structs.replace(
        THIRTEEN, derive=(*THIRTEEN.derive, Derived(symbol="rate", expr="tokens/gpu_hours"))
    )
    zero = recorded(gpu_hours=0, flops_tok=0)
    assert expected(DRAWN, "fewest", zero) == 0
    drawn = draw(divides, 0)
    with pytest.raises(UnreadableError):
        value_of(drawn, "rate", zero, carried=True)
    assert value_of(drawn, "rate", zero) > 0


def test_a_curveball_changes_facts_at_once_and_from_then_on():
    after = set_facts(DRAWN, START, THIRTEEN.curveballs[0])
    assert (after.values["gpus"], after.values["batch"]) == (64, 96 * 16)
    assert value_of(DRAWN, "sharded", after) == Fraction(208 * 10**9, 64)
    assert expected(DRAWN, "wall", after) / 86_400 == pytest.approx(25.3, abs=0.05)
    again = set_facts(DRAWN, after, THIRTEEN.curveballs[0])
    assert again.values["gpus"] == 64 - Fraction(64, 3)
    assert START.values["gpus"] == 96


def test_texts_tell_facts_exactly_and_what_follows_to_three_figures():
    text = "{params} on {gpus} GPUs ({lost} lost), {mfu}: {gpu_hours}, {act}, TP {tp}, {nothing}."
    told = fill_text(DRAWN, text, START, {"tp": 8})
    assert told == ("13B on 96 GPUs (32 lost), 40 %: 35,000 GPU-h, 28.5 GB, TP 8, {nothing}.")


def test_texts_tell_the_truth_and_not_the_candidates_numbers():
    assert fill_text(DRAWN, "{gpu_hours}", recorded(flops_tok=1)) == "35,000 GPU-h"


@pytest.mark.parametrize(
    ("symbol", "told"),
    [
        ("inter", "Each GPU has 50 GB/s between nodes."),
        ("params", "parameters: 13B"),
        ("hbm", "hbm: 80 GB"),
        ("done", "Done means a lower loss than the last one."),
    ],
)
def test_the_interviewer_tells_a_fact(symbol, told):
    fact = next(one for one in THIRTEEN.facts if one.symbol == symbol)
    assert fact_text(DRAWN, fact, START) == told


def test_a_fact_is_told_as_it_stands_after_a_curveball():
    after = set_facts(DRAWN, START, THIRTEEN.curveballs[0])
    gpus = next(one for one in THIRTEEN.facts if one.symbol == "gpus")
    assert fact_text(DRAWN, gpus, after) == "GPUs: 64"


def test_formulas_in_a_circle_are_told():
    circle = (Derived(symbol="one", expr="other"), Derived(symbol="other", expr="2*one"))
    drawn = draw(msgspec.structs.replace(THIRTEEN, derive=circle, curveballs=()), 0)
    with pytest.raises(DrillkitError, match="one → other → one goes in a circle"):
        value_of(drawn, "one", START)


def test_a_fact_without_a_number_is_no_symbol():
    with pytest.raises(UnreadableError):
        draw(
            msgspec.structs.replace(
                THIRTEEN,
                facts=(*THIRTEEN.facts, Fact(symbol="goal", say="Lower.")),
                where=("goal > 1",),
            ),
            0,
        )
