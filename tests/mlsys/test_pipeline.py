"""Pipeline schedules: closed forms against the simulator, and what every schedule must respect."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drillkit.mlsys.orders import SCHEDULES, micro_batch_groups
from drillkit.mlsys.pipeline import (
    bubble_fraction,
    bubble_over_ideal,
    held_micro_batches,
    micro_batches_for_bubble,
    pipeline_step_s,
    simulate,
    zero_bubble_idle_s,
)

sizes = st.integers(1, 9)
counts = st.integers(1, 24)
times = st.integers(1, 9)


@pytest.mark.parametrize(
    ("m", "makespan", "bubble"),
    [(4, 21, Fraction(3, 7)), (8, 33, Fraction(3, 11)), (16, 57, Fraction(3, 19))],
)
@pytest.mark.parametrize("name", ["gpipe", "1f1b"])
def test_four_stages_step_in_these_times(name, m, makespan, bubble):
    schedule = simulate(name, 4, m)
    assert schedule.makespan_s == makespan
    assert schedule.bubble_fraction == bubble == bubble_fraction(4, m)


def test_1f1b_holds_fewer_activations_in_the_same_time():
    assert simulate("gpipe", 4, 8).peaks == [8, 8, 8, 8]
    assert simulate("1f1b", 4, 8).peaks == [4, 3, 2, 1]
    short = simulate("1f1b", 4, 2)
    assert (short.makespan_s, short.bubble_fraction, short.peaks) == (
        15,
        Fraction(3, 5),
        [2, 2, 2, 1],
    )


@pytest.mark.parametrize(("m", "denominator"), [(8, 15), (16, 23), (32, 39), (64, 71)])
@pytest.mark.parametrize("backward", [2, 3])
def test_the_bubble_of_8_stages_does_not_depend_on_the_backward_time(m, denominator, backward):
    """ERR1: the chapter prints 7/14, 7/22, 7/38 and 7/70."""
    schedule = simulate("1f1b", 8, m, backward_s=backward)
    assert schedule.bubble_fraction == Fraction(7, denominator)


@pytest.mark.parametrize(
    ("v", "of_step", "of_ideal"),
    [(2, Fraction(3, 19), Fraction(3, 16)), (4, Fraction(3, 35), Fraction(3, 32))],
)
def test_interleaving_divides_the_bubble_by_v_only_against_the_ideal(v, of_step, of_ideal):
    """ERR5."""
    schedule = simulate("interleaved", 4, 8, chunks=v, forward_s=v, backward_s=2 * v)
    assert schedule.bubble_fraction == of_step == bubble_fraction(4, 8, v)
    assert schedule.bubble_over_ideal == of_ideal == bubble_over_ideal(4, 8, v)
    assert of_ideal * v == bubble_over_ideal(4, 8)
    assert of_step * v != bubble_fraction(4, 8)


def test_8_stages_and_32_micro_batches():
    assert bubble_fraction(8, 32) == Fraction(7, 39)
    assert bubble_fraction(8, 32, 2) == Fraction(7, 71)
    assert held_micro_batches("gpipe", 8, 32) == 32
    assert held_micro_batches("1f1b", 8, 32) == 8


def test_zero_bubble_schedules_pay_for_their_time_in_memory():
    plain, one, two = (
        simulate(name, 4, 8, forward_s=1, backward_s=1, weight_s=1)
        for name in ("1f1b", "zb-h1", "zb-h2")
    )
    assert [plain.makespan_s, one.makespan_s, two.makespan_s] == [33, 27, 27]
    assert one.bubble_fraction == Fraction(1, 9)
    assert two.internal_bubble_fraction == 0
    assert [plain.peaks[0], one.peaks[0], two.peaks[0]] == [4, 4, 7]
    assert max(one.peaks) == 4


@given(p=sizes, m=counts, forward=times, backward=times, name=st.sampled_from(["gpipe", "1f1b"]))
def test_gpipe_and_1f1b_take_the_closed_form(p, m, forward, backward, name):
    schedule = simulate(name, p, m, forward_s=forward, backward_s=backward)
    assert schedule.makespan_s == (m + p - 1) * (forward + backward)
    assert schedule.makespan_s == pipeline_step_s(p, m, forward, backward)
    assert schedule.bubble_fraction == bubble_fraction(p, m)
    assert schedule.bubble_over_ideal == bubble_over_ideal(p, m)


@given(p=sizes, rounds=st.integers(1, 4), v=st.integers(2, 4), forward=times, backward=times)
@settings(max_examples=50)
def test_interleaving_takes_the_closed_form_when_p_divides_m(p, rounds, v, forward, backward):
    m = p * rounds
    schedule = simulate(
        "interleaved", p, m, chunks=v, forward_s=v * forward, backward_s=v * backward
    )
    assert schedule.makespan_s == pipeline_step_s(p, m, v * forward, v * backward, v)
    assert schedule.bubble_fraction == bubble_fraction(p, m, v)


@given(p=sizes, m=counts, v=st.integers(2, 4))
@settings(max_examples=60)
def test_a_ragged_m_runs_and_idles_at_least_as_long(p, m, v):
    schedule = simulate("interleaved", p, m, chunks=v, forward_s=v, backward_s=2 * v)
    assert schedule.bubble_fraction >= bubble_fraction(p, m, v)
    groups = micro_batch_groups(p, m)
    assert sum(groups) == m
    assert len(groups) == 1 or min(groups) >= p


@given(p=sizes, rounds=st.integers(2, 4), unit=times, name=st.sampled_from(["zb-h1", "zb-h2"]))
@settings(max_examples=50)
def test_zero_bubble_idles_as_its_paper_says_for_equal_passes(p, rounds, unit, name):
    m = rounds * p
    schedule = simulate(name, p, m, forward_s=unit, backward_s=unit, weight_s=unit)
    idle = zero_bubble_idle_s(name, p, unit, unit, unit)
    assert schedule.internal_bubble_fraction == Fraction(idle) / (3 * m * unit + Fraction(idle))
    plain = simulate("1f1b", p, m, forward_s=unit, backward_s=unit, weight_s=unit)
    assert plain.makespan_s == 3 * m * unit + zero_bubble_idle_s("1f1b", p, unit, unit, unit)


@st.composite
def schedules(draw):
    name = draw(st.sampled_from(SCHEDULES))
    chunks = draw(st.integers(1, 4)) if name == "interleaved" else 1
    forward, backward, weight = (draw(times) for _ in range(3))
    return simulate(
        name,
        draw(sizes),
        draw(counts),
        forward_s=chunks * forward,
        backward_s=chunks * backward,
        weight_s=chunks * weight,
        chunks=chunks,
    )


@given(schedule=schedules())
@settings(max_examples=150)
def test_every_pass_runs_once_after_what_it_needs_and_one_at_a_time(schedule):
    p, v = schedule.stages, schedule.chunks
    lanes = [list(schedule.slots(stage)) for stage in range(p)]
    end = {slot[:4]: slot.end_s for lane in lanes for slot in lane}
    kinds = 3 if schedule.name.startswith("zb") else 2
    assert len(end) == sum(map(len, lanes)) == kinds * p * v * schedule.micro_batches
    for lane in lanes:
        free = 0
        for slot in lane:
            assert slot.start_s >= free
            assert slot.end_s > slot.start_s
            free = slot.end_s
            assert slot.start_s >= end.get(needed(slot, p, v), 0)
            if slot.kind != "F":
                own = (slot.stage, "F" if slot.kind == "B" else "B", slot.chunk, slot.micro)
                assert slot.start_s >= end[own]
    assert schedule.makespan_s == max(end.values())


def needed(slot, p, v):
    """Return the pass on the neighbouring stage of the model that this one takes its input from."""
    step = {"F": -1, "B": 1, "W": p * v}[slot.kind]
    chunk, stage = divmod(slot.chunk * p + slot.stage + step, p)
    return (stage, slot.kind, chunk, slot.micro)


@given(schedule=schedules())
@settings(max_examples=100)
def test_the_activations_held_are_the_closed_forms(schedule):
    for stage, peak in enumerate(schedule.peaks):
        held = held_micro_batches(
            schedule.name,
            schedule.stages,
            schedule.micro_batches,
            stage=stage,
            chunks=schedule.chunks,
        )
        assert Fraction(peak, schedule.chunks) == held
        assert schedule.in_flight(stage)[-1][1] == 0


@given(schedule=schedules())
@settings(max_examples=100)
def test_the_critical_path_fills_the_step_without_a_gap(schedule):
    path = schedule.critical_path()
    assert path[0].start_s == 0
    assert path[-1].end_s == schedule.makespan_s
    for before, after in pairwise(path):
        assert before.end_s == after.start_s
        neighbour = needed(after, schedule.stages, schedule.chunks) == before[:4]
        assert neighbour or before.stage == after.stage


def test_the_slowest_stage_sets_the_pace():
    even = simulate("1f1b", 4, 32, forward_s=1, backward_s=2)
    uneven = simulate("1f1b", 4, 32, forward_s=[1, 1, 1, 2], backward_s=[2, 2, 2, 4])
    # Every micro-batch waits for the last stage, six long; the other three ramp up and down.
    assert uneven.makespan_s == 32 * 6 + 3 * 3
    assert even.makespan_s == 32 * 3 + 3 * 3


def test_a_zero_bubble_backward_costs_the_same_undivided():
    assert simulate("1f1b", 4, 8, backward_s=1, weight_s=1).makespan_s == 33
    assert simulate("1f1b", 4, 8, backward_s=2).makespan_s == 33


@pytest.mark.parametrize(
    ("p", "largest", "v", "m"),
    [(8, 0.2, 1, 28), (8, 0.1, 1, 63), (8, 0.05, 1, 133), (4, 0.2, 2, 6)],
)
def test_the_fewest_micro_batches_for_a_bubble(p, largest, v, m):
    assert micro_batches_for_bubble(p, largest, v) == m
    assert bubble_fraction(p, m, v) <= Fraction(str(largest))
    assert bubble_fraction(p, m - 1, v) > Fraction(str(largest))


def test_four_times_the_stages_is_under_20_percent():
    assert all(bubble_fraction(p, 4 * p) < Fraction(1, 5) for p in range(1, 200))


def test_one_stage_has_no_bubble():
    assert bubble_fraction(1, 8) == 0
    assert simulate("1f1b", 1, 8).bubble_fraction == 0


@pytest.mark.parametrize(
    ("arguments", "options", "names"),
    [
        (("dualpipe", 4, 8), {}, "schedule must be one of"),
        (("1f1b", 0, 8), {}, "stages"),
        (("1f1b", 4, 0), {}, "micro_batches"),
        (("1f1b", 4, 8), {"chunks": 2}, "chunks are for"),
        (("zb-h1", 4, 8), {}, "weight_s"),
        (("1f1b", 4, 8), {"forward_s": [1, 1]}, "2 times for 4 stages"),
        (("1f1b", 4, 8), {"backward_s": 0}, "backward_s"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused_with_the_reason(arguments, options, names):
    with pytest.raises(ValueError, match=names):
        simulate(*arguments, **options)


def test_closed_forms_refuse_what_they_do_not_cover():
    with pytest.raises(ValueError, match="no row for interleaved"):
        zero_bubble_idle_s("interleaved", 4, 1, 1, 1)
    with pytest.raises(ValueError, match="stage must lie in"):
        held_micro_batches("1f1b", 4, 8, stage=4)
    with pytest.raises(ValueError, match="GPipe holds"):
        held_micro_batches("gpipe", 4)


def test_many_micro_batches_need_not_be_counted():
    for name in ("1f1b", "zb-h1", "zb-h2"):
        for stage in range(4):
            assert held_micro_batches(name, 4, stage=stage) == held_micro_batches(
                name, 4, 1000, stage=stage
            )
    assert held_micro_batches("interleaved", 4, chunks=2) == held_micro_batches(
        "interleaved", 4, 1000, chunks=2
    )
