"""The plan of a round in seconds: who is behind, by how much, and which phase pays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.content.round import Phase
from drillkit.rounds.events import Stamp, change_of
from drillkit.rounds.pace import Visit, debts, minutes_of, over_s, pace_s, phase_at, plan_of

NAMES = ("clarify", "compute", "memory", "layout", "roofline", "reliability", "eval", "monitor")
MINUTES = (5, 5, 5, 7, 5, 6, 6, 6)
PHASES = tuple(
    Phase(id=name, minutes=minutes, row="scope")
    for name, minutes in zip(NAMES, MINUTES, strict=True)
)
PLAN = plan_of(PHASES, 45)
LAYOUT, MONITOR = 3, 7


def test_the_eight_phases_start_at_the_minutes_of_the_plan() -> None:
    # Source: the lesson's table of a 45-minute round.
    assert [one.start_s / 60 for one in PLAN] == [0, 5, 10, 15, 22, 27, 33, 39]
    assert PLAN[-1].end_s == 45 * 60


def test_a_sprint_of_35_minutes_scales_every_phase() -> None:
    plan = plan_of(PHASES, 35)
    assert plan[-1].end_s == pytest.approx(35 * 60)
    assert plan[LAYOUT].length_s == pytest.approx(7 * 60 * 35 / 45)


def test_one_phase_alone_takes_its_own_time() -> None:
    (alone,) = plan_of(PHASES[LAYOUT : LAYOUT + 1], 7)
    assert (alone.start_s, alone.end_s) == (0, 420)


def test_the_pace_is_the_late_start_until_the_phase_itself_is_late() -> None:
    entered = 15 * 60 + 35
    assert pace_s(PLAN[LAYOUT], entered, 17 * 60 + 18) == -35
    assert pace_s(PLAN[LAYOUT], entered, 22 * 60 + 20) == -35
    assert pace_s(PLAN[LAYOUT], entered, 24 * 60) == -120
    assert pace_s(PLAN[LAYOUT], 14 * 60, 15 * 60) == 60


def test_an_overrun_is_paid_by_the_last_phases() -> None:
    assert debts(PLAN, LAYOUT, 21 * 60) == ()
    (debt,) = debts(PLAN, LAYOUT, 22 * 60 + 130)
    assert (debt.phase.id, debt.seconds) == ("monitor", 130)
    whole, part = debts(PLAN, LAYOUT, 22 * 60 + 400)
    assert (whole.phase.id, whole.seconds) == ("monitor", 360)
    assert (part.phase.id, part.seconds) == ("eval", 40)


def test_the_last_phase_takes_from_nobody() -> None:
    assert debts(PLAN, MONITOR, 46 * 60) == ()
    assert over_s(PLAN[MONITOR], 39 * 60, 46 * 60) == 60


def test_the_ghost_is_where_the_earlier_run_was() -> None:
    visits = (Visit("clarify", 0, 300), Visit("compute", 300, 700), Visit("memory", 700, None))
    assert [phase_at(visits, second) for second in (0, 299, 300, 699, 9_999)] == [
        "clarify",
        "clarify",
        "compute",
        "compute",
        "memory",
    ]
    assert phase_at((), 10) == ""


def test_times_are_told_in_minutes_and_seconds() -> None:
    assert [minutes_of(s) for s in (0, 59.6, 65, -35, -0.2)] == [
        "0:00",
        "1:00",
        "1:05",
        "-0:35",
        "0:00",
    ]


@given(st.text(), st.text())
def test_a_change_of_the_board_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    start, removed, text = change_of(before, after)
    assert before[:start] + text + before[start + removed :] == after


def test_a_change_in_the_middle_keeps_only_the_middle() -> None:
    assert change_of("16*13 = 208 GB", "16*13 = 210 GB") == (9, 2, "10")


def test_time_is_counted_on_the_running_clock_within_a_boot_and_by_the_wall_across_one() -> None:
    before = Stamp(100.0, 1_000_000, 60, "a")
    assert Stamp(103.5, 9_000_000, 60, "a").since(before) == 3.5
    assert Stamp(2.0, 1_060_000, 60, "b").since(before) == 60
    assert Stamp(2.0, 400_000, 60, "b").since(before) == 0
