"""The pipeline Gantt: F3 and the chapter's exercise 4."""

from __future__ import annotations

from fractions import Fraction

import pytest
from drawn import draw, text, value

from drillkit.figures.drawing import Size
from drillkit.mlsys.pipeline import held_micro_batches

THIRDS = {"tf": 1, "tb": 1, "tw": 1}


@pytest.mark.parametrize(
    ("micro", "makespan", "bubble"), [(4, 21, "3/7"), (8, 33, "3/11"), (16, 57, "3/19")]
)
def test_gpipe(micro, makespan, bubble):
    """F3a."""
    figure = draw("pipeline", schedule="gpipe", p=4, m=micro, tf=1, tb=2)
    assert figure.numbers["makespan"].value == makespan
    assert figure.numbers["bubble"].value == pytest.approx(float(Fraction(bubble)))
    assert bubble in figure.reading


def test_1f1b_takes_as_long_and_holds_less():
    """F3b."""
    gpipe, other = (draw("pipeline", schedule=name, p=4, m=8).numbers for name in ("gpipe", "1f1b"))
    assert gpipe["makespan"].value == other["makespan"].value == 33
    assert gpipe["in_flight"].value == [8, 8, 8, 8]
    assert other["in_flight"].value == [4, 3, 2, 1]
    few = draw("pipeline", schedule="1f1b", p=4, m=2)
    assert few.numbers["makespan"].value == 15
    assert few.numbers["bubble"].value == pytest.approx(0.6)
    assert few.numbers["in_flight"].value == [2, 2, 2, 1]
    assert "most stages wait" in few.reading


def test_interleaving_by_both_definitions():
    """F3c: 3/19 of the step, 3/16 of the ideal; v = 4 leaves 8.6 % of the step."""
    two = draw("pipeline", schedule="interleaved", p=4, m=8, v=2)
    assert two.numbers["bubble"].text == "3/19 (15.8 %)"
    assert two.numbers["bubble_over_ideal"].text == "3/16 (18.8 %)"
    assert "3/19" in two.reading
    assert "3/16" in two.reading
    four = value("pipeline", "bubble", schedule="interleaved", p=4, m=8, v=4)
    assert four == pytest.approx(0.086, abs=0.0005)


@pytest.mark.parametrize("micro", [1, 3, 5, 6, 7, 9, 11])
@pytest.mark.parametrize("chunks", [2, 3, 4])
def test_a_ragged_interleaved_plan_is_drawn_and_explained(micro, chunks):
    """F3c."""
    figure = draw("pipeline", schedule="interleaved", p=4, m=micro, v=chunks)
    assert "does not divide" in figure.reading
    assert 0 < figure.numbers["bubble"].value < 1


def test_zero_bubble_schedules_and_what_they_cost():
    """F3d. ZB-H2 holds 2p − 1 = 7 of 8 micro-batches: table 2 of Qi et al. 2023, not 8."""
    plain = draw("pipeline", schedule="1f1b", p=4, m=8, **THIRDS).numbers
    first = draw("pipeline", schedule="zb-h1", p=4, m=8, **THIRDS).numbers
    second = draw("pipeline", schedule="zb-h2", p=4, m=8, **THIRDS)
    assert plain["makespan"].value == 33
    assert first["makespan"].value == second.numbers["makespan"].value == 27
    assert first["bubble"].text == "1/9 (11.1 %)"
    assert second.numbers["internal_bubble"].value == 0
    assert max(second.numbers["in_flight"].value) == held_micro_batches("zb-h2", 4, 8) == 7
    assert max(first["in_flight"].value) == max(plain["in_flight"].value) == 4
    assert "price is memory" in second.reading


def test_a_zero_bubble_schedule_splits_a_whole_backward_pass():
    figure = draw("pipeline", schedule="zb-h1", p=4, m=8, tb=2)
    same = draw("pipeline", schedule="zb-h1", p=4, m=8, **THIRDS)
    assert figure.numbers["makespan"].value == same.numbers["makespan"].value


@pytest.mark.parametrize(("micro", "step"), [(8, 15), (16, 23), (32, 39), (64, 71)])
@pytest.mark.parametrize("backward", [2, 3])
def test_the_bubble_does_not_depend_on_backward_over_forward(micro, step, backward):
    """F3e, ERR1: 7/15, 7/23, 7/39, 7/71."""
    bubble = value("pipeline", "bubble", schedule="1f1b", p=8, m=micro, tb=backward)
    assert bubble == pytest.approx(7 / step)


def test_slots_carry_their_micro_batch_and_differ_without_colour():
    lanes = text("pipeline", schedule="gpipe", p=4, m=4).splitlines()[2:6]
    first, last = lanes[0], lanes[3]
    assert first.index("F0") < first.index("F3") < first.index("░") < first.index("B0")
    assert last.index("F3") < last.index("B0=")
    assert all(f"{kind}{micro}" in lane for lane in lanes for kind in "FB" for micro in range(4))


def test_the_time_shown_counts_what_each_stage_holds():
    now = draw("pipeline", schedule="1f1b", p=4, m=8, at=10).numbers["in_flight_now"]
    assert now.value == [4, 3, 2, 1]
    assert draw("pipeline", p=4, m=8, at=0).numbers["in_flight_now"].value == [1, 0, 0, 0]


def test_a_wide_chart_shows_the_part_around_the_time():
    start, later = (text("pipeline", schedule="1f1b", p=4, m=32, at=at) for at in (0, 50))
    assert "F0" in start
    assert "F0" not in later
    assert "▼ t = 50" in later
    assert "shown: t = 0 to" in start
    narrow = text("pipeline", Size(80), schedule="1f1b", p=4, m=32, at=50)
    assert max(map(len, narrow.splitlines())) <= 80
    whole = text("pipeline", Size(400), schedule="1f1b", p=4, m=32)
    assert "shown" not in whole


def test_the_largest_pipeline_has_its_numbers():
    figure = draw("pipeline", schedule="1f1b", p=64, m=1024)
    assert figure.numbers["makespan"].value == 3 * (1024 + 63)
    assert figure.numbers["in_flight"].value[0] == 64
