"""Checkpoint intervals: first order, Daly, exact and simulated; and how often a job fails."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.mlsys.reliability import (
    checkpoint_bytes,
    daly_interval_s,
    exact_interval_s,
    exact_overhead,
    expected_failures,
    first_order_overhead,
    goodput,
    interval_rng,
    job_mtbf_s,
    mtbf_from_count_s,
    simulate_overhead,
    simulate_overheads,
    young_interval_s,
    young_overhead,
)

DAY_S, HOUR_S, MINUTE_S = 86_400, 3600, 60
GPU_MTBF_S = 16_384 * mtbf_from_count_s(54 * DAY_S, 419)

# The lesson's figure, in hours.
M, DELTA, R = 24.0, 0.05, 0.1
TAUS = (0.25, 0.5, 1.0, 1.55, 2.5, 4.0, 8.0)


def test_llama_3_was_interrupted_every_3_09_hours_and_a_gpu_every_5_8_years():
    """C14."""
    assert job_mtbf_s(GPU_MTBF_S, 16_384) / HOUR_S == pytest.approx(3.09, abs=0.005)
    assert pytest.approx(2111, abs=1) == GPU_MTBF_S / DAY_S
    assert pytest.approx(5.78, abs=0.005) == GPU_MTBF_S / (365.25 * DAY_S)
    assert expected_failures(54 * DAY_S, job_mtbf_s(GPU_MTBF_S, 16_384)) == pytest.approx(419)


@pytest.mark.parametrize(
    ("gpus", "save_s", "mtbf_h", "interval_min", "percent"),
    [
        (128, 30, 395.9, 154.1, 0.65),
        (128, 5, 395.9, 62.9, 0.26),
        (16_384, 30, 3.1, 13.6, 7.34),
        (16_384, 5, 3.1, 5.6, 3.0),
    ],
)
def test_the_lessons_table_of_youngs_intervals(gpus, save_s, mtbf_h, interval_min, percent):
    mtbf_s = job_mtbf_s(GPU_MTBF_S, gpus)
    assert mtbf_s / HOUR_S == pytest.approx(mtbf_h, abs=0.05)
    assert young_interval_s(save_s, mtbf_s) / MINUTE_S == pytest.approx(interval_min, abs=0.05)
    assert 100 * young_overhead(save_s, mtbf_s) == pytest.approx(percent, abs=0.006)


def test_1024_gpus_with_a_minutes_save_and_ten_to_restart():
    mtbf_s = job_mtbf_s(2111 * DAY_S, 1024)
    assert mtbf_s / HOUR_S == pytest.approx(49.5, abs=0.05)
    assert young_interval_s(60, mtbf_s) / MINUTE_S == pytest.approx(77, abs=0.5)
    assert 100 * young_overhead(60, mtbf_s) == pytest.approx(2.6, abs=0.05)
    assert 100 * young_overhead(60, mtbf_s, 600) == pytest.approx(2.9, abs=0.05)


def test_16_times_the_gpus_make_the_save_part_4_times_and_the_restart_part_16_times():
    """F5c."""
    small, large = (job_mtbf_s(GPU_MTBF_S, gpus) for gpus in (1024, 16_384))
    assert 100 * young_overhead(30, small) == pytest.approx(1.84, abs=0.005)
    assert 100 * young_overhead(30, large) == pytest.approx(7.34, abs=0.005)
    assert young_overhead(30, large) / young_overhead(30, small) == pytest.approx(4)
    restart = [young_overhead(30, m, 600) - young_overhead(30, m) for m in (small, large)]
    assert [100 * part for part in restart] == pytest.approx([0.34, 5.4], abs=0.015)
    assert restart[1] / restart[0] == pytest.approx(16)


def test_the_lessons_figure_has_its_minimum_at_1_55_hours():
    """F5a."""
    assert young_interval_s(DELTA, M) == pytest.approx(1.55, abs=0.005)
    assert 100 * young_overhead(DELTA, M, R) == pytest.approx(6.9, abs=0.05)
    curve = [100 * first_order_overhead(tau, DELTA, M, R) for tau in TAUS]
    assert curve == pytest.approx([20.9, 11.5, 7.5, 6.9, 7.6, 10.0, 17.7], abs=0.06)


def test_the_exact_model_is_above_the_first_order_one_far_from_the_optimum():
    """ERR6: 20.06 % where the formula says 17.7 % at 8 hours."""
    assert 100 * exact_overhead(1.55, DELTA, M, R) == pytest.approx(7.19, abs=0.005)
    assert 100 * exact_overhead(8, DELTA, M, R) == pytest.approx(20.06, abs=0.005)
    assert 100 * first_order_overhead(8, DELTA, M, R) == pytest.approx(17.7, abs=0.05)


@given(save=st.floats(1e-4, 1e-2), tau=st.floats(0.01, 0.05), restart=st.floats(0, 0.01))
def test_the_first_order_model_is_right_while_the_interval_is_short(save, tau, restart):
    exact = exact_overhead(tau, save, 1, restart)
    first = first_order_overhead(tau, save, 1, restart)
    # The next order: products and squares of the three small ratios.
    assert exact == pytest.approx(first, abs=3 * (tau + save + restart + save / tau) ** 2)


@given(save=st.floats(1e-6, 1.9), mtbf=st.floats(0.1, 1e7))
def test_the_exact_interval_has_the_least_overhead(save, mtbf):
    delta = save * mtbf
    best = exact_interval_s(delta, mtbf)
    least = exact_overhead(best, delta, mtbf)
    assert 0 < best < mtbf
    for factor in (0.97, 1.03):
        assert exact_overhead(factor * best, delta, mtbf) > least
    # W₀(−e^(−1 − δ/M)) = τ/M − 1 in its own defining equation.
    lambert = best / mtbf - 1
    assert lambert * math.exp(lambert) == pytest.approx(-math.exp(-1 - save), rel=1e-9)


@pytest.mark.parametrize(
    ("save_s", "mtbf_s", "young", "daly", "exact"),
    [
        (30, 11_135, 817.4, 797.5, 797.5),
        (300, 3600, 1469.7, 1276.5, 1276.5),
        (300, 86_400, 7200, 7001.4, 7001.4),
    ],
)
def test_daly_corrects_young_towards_the_exact_interval(save_s, mtbf_s, young, daly, exact):
    assert young_interval_s(save_s, mtbf_s) == pytest.approx(young, rel=5e-4)
    assert daly_interval_s(save_s, mtbf_s) == pytest.approx(daly, rel=1e-3)
    assert exact_interval_s(save_s, mtbf_s) == pytest.approx(exact, rel=1e-3)


def test_daly_saves_once_an_mtbf_when_a_save_takes_two():
    assert daly_interval_s(200, 100) == 100


def test_the_simulation_lies_within_three_standard_errors_of_the_exact_model():
    """F5b."""
    dots = simulate_overheads(TAUS, DELTA, M, R, work_s=2000, runs=40, seed=0)
    for dot in dots:
        exact = exact_overhead(dot.interval_s, DELTA, M, R)
        assert abs(dot.mean - exact) < 3 * dot.standard_error
    assert dots[-1].mean > first_order_overhead(8, DELTA, M, R)
    assert min(dots, key=lambda dot: dot.mean).interval_s == 1.55


def test_a_seed_draws_the_same_dots_one_at_a_time_or_together():
    together = simulate_overheads(TAUS, DELTA, M, R, work_s=2000, runs=40, seed=7)
    alone = [
        simulate_overhead(tau, DELTA, M, R, work_s=2000, runs=40, rng=interval_rng(7, place))
        for place, tau in enumerate(TAUS)
    ]
    assert together == alone
    assert together != simulate_overheads(TAUS, DELTA, M, R, work_s=2000, runs=40, seed=8)


def one_by_one(tau, work, rng):
    """Return the overhead of one job, event by event: the slow twin of the vectorised draw."""
    elapsed, done, next_failure = 0.0, 0.0, rng.exponential(M)
    while done < work:
        piece = min(tau, work - done)
        if elapsed + piece + DELTA <= next_failure:
            elapsed, done = elapsed + piece + DELTA, done + piece
        else:
            elapsed = next_failure + R
            next_failure = elapsed + rng.exponential(M)
    return elapsed / work - 1


def test_the_vectorised_draw_has_the_distribution_of_the_event_loop():
    """Mean and spread over 400 short jobs with a shorter last segment."""
    runs, work, tau = 400, 50.0, 7.0
    rng = interval_rng(3, 0)
    slow = [one_by_one(tau, work, rng) for _ in range(runs)]
    mean = sum(slow) / runs
    spread = math.sqrt(sum((one - mean) ** 2 for one in slow) / (runs - 1))
    fast = simulate_overhead(tau, DELTA, M, R, work_s=work, runs=runs, rng=interval_rng(3, 1))
    both_errors = math.hypot(spread / math.sqrt(runs), fast.standard_error)
    assert abs(fast.mean - mean) < 3 * both_errors
    assert fast.standard_error * math.sqrt(runs) == pytest.approx(spread, rel=0.15)


def test_a_job_shorter_than_its_interval_is_one_segment():
    dot = simulate_overhead(100, DELTA, M, R, work_s=20, runs=4000, rng=interval_rng(1, 0))
    exact = exact_overhead(20, DELTA, M, R)
    assert abs(dot.mean - exact) < 3 * dot.standard_error
    assert dot.standard_error < 0.05 * exact


def test_without_failures_the_overhead_is_the_saves_alone():
    quiet = simulate_overhead(4, 0.1, 1e12, 1, work_s=10, runs=5, rng=interval_rng(0, 0))
    # Three saves: after 4, 8 and 10 hours of work.
    assert quiet.mean == pytest.approx(0.03)
    assert quiet.standard_error == 0


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"interval_s": 0}, "interval_s"),
        ({"mtbf_s": -1}, "mtbf_s"),
        ({"save_s": -1}, "save_s"),
        ({"runs": 1}, "runs"),
        ({"interval_s": 600}, "too often"),
    ],
)
def test_a_simulation_that_cannot_be_is_refused_with_the_reason(change, names):
    case = {"interval_s": 1, "save_s": DELTA, "mtbf_s": M, "work_s": 2000, "runs": 40}
    with pytest.raises(ValueError, match=names):
        simulate_overhead(**case | change, rng=interval_rng(0, 0))


def test_an_interval_beyond_all_hope_is_refused():
    with pytest.raises(ValueError, match="no save ends"):
        exact_overhead(1e6, 1, 1)


def test_goodput_is_useful_over_elapsed():
    assert goodput(0.0734) == pytest.approx(0.9316, abs=0.00005)
    assert goodput(0) == 1


def test_a_7b_checkpoint_is_84_gb_or_two_thirds_of_one_a_rank():
    assert checkpoint_bytes(7e9) == 84e9
    assert checkpoint_bytes(7e9, ranks=128) / 1e9 == pytest.approx(0.656, abs=0.001)


def test_only_a_simulation_loads_numpy():
    rooms = ["activations", "budget", "collectives", "hardware", "layout", "memory", "pipeline"]
    rooms += ["reliability", "roofline", "traffic", "transformer"]
    script = f"""
import sys
for room in {rooms!r}:
    __import__("drillkit.mlsys." + room)
sys.exit("numpy" in sys.modules or "sympy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
