"""The roofline and the checkpoint interval: F4 and F5."""

from __future__ import annotations

import pytest
from drawn import draw, text, value

from drillkit.figures.catalogue import figure
from drillkit.figures.checkpoint import simulations
from drillkit.figures.drawing import Size
from drillkit.mlsys.reliability import exact_overhead

LESSON = {"M": "24 h", "delta": "0.05 h", "R": "0.1 h"}
HOUR = 3600.0


def test_one_row_is_bound_by_memory():
    """F4a."""
    numbers = draw("roofline", gpu="h100", B=1, D=4096, F=4096).numbers
    assert numbers["intensity"].value == pytest.approx(1, abs=0.001)
    assert numbers["bound"].value == "memory"
    assert numbers["peak_fraction"].text == "0.339 %"


def test_where_each_gpu_turns_compute_bound():
    """F4b."""
    assert value("roofline", "intensity", B=256) == pytest.approx(227.6, abs=0.05)
    assert value("roofline", "intensity", B=512) == pytest.approx(409.6, abs=0.05)
    assert value("roofline", "bound", B=256) == "memory"
    assert value("roofline", "bound", B=512) == "compute"
    assert value("roofline", "crossing") == pytest.approx(345, abs=0.5)
    assert value("roofline", "ridge") == pytest.approx(295, abs=0.5)
    assert value("roofline", "crossing", gpu="a100") == pytest.approx(165, abs=0.5)
    assert value("roofline", "ridge", gpu="a100") == pytest.approx(153, abs=0.5)


def test_switching_the_gpu_moves_the_ridge():
    h100, a100 = (text("roofline", gpu=gpu) for gpu in ("h100", "a100"))
    assert "ridge 295" in h100
    assert "ridge 153" in a100
    column = [rows.splitlines()[-5].index("┊") for rows in (h100, a100)]
    assert column[1] < column[0]


def test_a_matrix_too_small_to_ever_be_compute_bound():
    assert "no B makes it compute-bound" in draw("roofline", D=128, F=128).reading


def test_young_s_curve():
    """F5a."""
    figure_ = draw("checkpoint", **LESSON)
    assert figure_.numbers["best_interval"].value / HOUR == pytest.approx(1.55, abs=0.005)
    assert figure_.numbers["best_overhead"].value == pytest.approx(0.069, abs=0.0005)
    picture = text("checkpoint", **LESSON)
    for label in ("τ* = 1.55 h", "saving δ/τ", "lost work τ/2M", "sum", "+"):
        assert label in picture


def test_simulated_dots_follow_the_exact_model_and_leave_the_first_order_one():
    """F5b: within 3 standard errors of the exact overhead, above the first-order 17.7 % at 8 h."""
    kind = figure("checkpoint")
    values = kind.read({**LESSON, "tau": "8 h", "simulate": "yes", "seed": "0"})
    found = list(simulations(values))
    assert len(found) == kind.simulations
    for one in found:
        exact = exact_overhead(one.interval_s, 180, 24 * HOUR, 360)
        assert abs(one.mean - exact) <= 3 * one.standard_error
    at_eight = found[-1]
    assert at_eight.interval_s == 8 * HOUR
    assert at_eight.mean > 0.177 + 3 * at_eight.standard_error
    assert found == list(simulations(values))
    assert found != list(simulations(values | {"seed": 1.0}))


def test_the_figure_says_where_the_first_order_parts_from_the_exact_model_and_why():
    """F5b, ERR6."""
    drawn = draw("checkpoint", **LESSON, tau="8 h", simulate="yes")
    assert "17.7 % is too low, exactly 20.1 %" in drawn.reading
    assert "work done again" in drawn.reading
    assert "◆" in text("checkpoint", **LESSON, simulate="yes")
    assert "◆" not in text("checkpoint", **LESSON)


def test_16_times_the_gpus_make_the_root_4_times_and_the_restarts_16_times():
    """F5c: 1.84 % to 7.34 %, and 0.34 % to 5.4 %."""
    few, many = (
        draw("checkpoint", M=f"{mtbf} h", delta="30 s", R="600 s").numbers
        for mtbf in (49.45, 49.45 / 16)
    )
    assert few["saving_and_lost_work"].value == pytest.approx(0.0184, abs=5e-5)
    assert many["saving_and_lost_work"].value == pytest.approx(0.0734, abs=5e-5)
    assert few["restarts"].value == pytest.approx(0.0034, abs=5e-5)
    assert many["restarts"].value == pytest.approx(0.054, abs=5e-4)


def test_an_interval_at_which_no_save_ends_is_told_and_drawn():
    drawn = draw("checkpoint", M="10 min", tau="48 h", simulate="yes")
    assert drawn.numbers["exact_overhead"].text == "never ends"


@pytest.mark.parametrize("name", ["roofline", "checkpoint"])
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_plots_keep_to_their_width(name, columns):
    rows = text(name, Size(columns, 16)).splitlines()
    picture = rows[1:-2] if name == "checkpoint" else rows[1:-1]
    assert max(map(len, picture)) <= columns
    assert len(rows) <= 17
