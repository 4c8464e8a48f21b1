"""Rounds over the weeks: compared within a level, without those that were interrupted."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import pytest
from candidates import graded, strong, weak
from rounds_table import Table, small_round

from drillkit.rounds.trends import (
    MOST_LOG_RATIO,
    Calibration,
    next_round,
    sparkline,
    summary,
    trends,
)

DAY_MS = 86_400_000


@pytest.fixture(scope="module")
def good():
    return summary(graded(strong(), 4).sitting.state)


@pytest.fixture(scope="module")
def bad():
    return summary(graded(weak(), 2).sitting.state)


def days(*summaries):
    """The same rounds, a day apart."""
    return [replace(one, when=one.when.plus(at * DAY_MS)) for at, one in enumerate(summaries)]


def test_a_summary_says_what_a_round_came_to(good, bad):
    assert (good.round_id, good.level, good.over, good.interrupted) == (
        "small", "senior", True, False,
    )  # fmt: skip
    assert good.own["numbers"] == 4
    assert set(good.phases) == {"clarify", "compute", "layout", "monitor"}
    assert (good.asked, good.required) == (5, 5)
    assert (bad.asked, bad.required) == (0, 5)
    assert max(good.log_ratios) < 0.01
    assert bad.log_ratios == (pytest.approx(math.log(31750 / 1700), rel=0.01),)
    assert bad.overrun_s == 140
    assert (good.verdict, bad.verdict) == ("strong hire", "lean no hire")


def test_three_rounds_make_a_trend_for_each_row_and_phase(good, bad):
    found = trends(days(bad, good, good), "senior")
    assert found.remarks == ()
    rows = {series.name: series.values for series in found.rows}
    assert rows["numbers"] == (2, 4, 4)
    assert rows["memory"] == (None, None, None)
    phases = {series.name: series.values for series in found.phases}
    assert set(phases) == {"clarify", "compute", "layout", "monitor"}
    assert phases["compute"][0] < phases["compute"][1]
    assert found.clarify.values == (0, 1, 1)
    assert found.overrun_min.values[0] == pytest.approx(140 / 60)
    assert found.log_ratios.values[0] > 1 > found.log_ratios.values[1]
    assert found.gap.values[0] > 0


def test_rounds_stand_in_the_order_in_which_they_were_played(good, bad):
    first, second = days(bad, good)
    assert trends([second, first], "senior").rounds == (first, second)


def test_interrupted_rounds_are_left_out_and_counted_unless_they_are_wanted(good):
    broken = replace(good, interrupted=True)
    found = trends(days(good, broken, good, good), "senior")
    assert (len(found.rounds), found.interrupted) == (3, 1)
    assert found.remarks == ("1 interrupted: left out.",)
    both = trends(days(good, broken, good, good), "senior", with_interrupted=True)
    assert (len(both.rounds), both.interrupted) == (4, 1)
    assert both.remarks == ("1 interrupted: counted with the others.",)


def test_an_interview_that_was_left_for_more_than_a_minute_is_interrupted():
    table = Table()
    table.clock.advance(61)
    table.sitting.tick()
    table.sitting.finish()
    assert summary(table.sitting.state).interrupted


def test_other_levels_and_unfinished_rounds_are_left_out_and_counted(good):
    found = trends(days(good, replace(good, level="staff"), replace(good, over=False)), "senior")
    assert (len(found.rounds), found.other_level, found.unfinished) == (1, 1, 1)
    assert len(found.remarks) == 3


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_rounds_are_told_plainly(good, count):
    found = trends(days(*[good] * count), "senior")
    assert "too few to see a trend" in found.remarks[0]
    assert trends([], "mid").weakest is None


def test_ranges_are_held_against_how_sure_they_were_said_to_be():
    table = Table()
    table.go_to("compute")
    for text in ("30000..33000 GPU-h 80%", "1..2 GPU-h 80%", "31000..32000 GPU-h 50%"):
        table.sitting.number("gpu_hours", text)
    table.sitting.number("flops_tok", "4.52e10 FLOP")
    table.sitting.finish()
    found = trends([summary(table.sitting.state)], "senior")
    assert found.calibration == (
        Calibration(50, 1, 1), Calibration(80, 2, 1), Calibration(90, 0, 0),
    )  # fmt: skip
    assert [one.rate for one in found.calibration] == [1, 0.5, 0]


def test_a_number_without_sense_counts_as_far_off_and_not_without_end():
    table = Table()
    table.go_to("compute")
    table.sitting.number("gpu_hours", "1e-20 GPU-h")
    table.sitting.finish()
    assert summary(table.sitting.state).log_ratios == (MOST_LOG_RATIO,)


def test_the_next_round_is_the_one_where_the_weakest_row_weighs_most(good):
    round_ = small_round()
    other = msgspec.structs.replace(round_, id="other", rubric=())
    low = replace(good, own={**good.own, "numbers": 1})
    found = trends(days(low, low, low), "senior")
    assert found.weakest == "numbers"
    assert next_round(found, [other, round_]) == "small"
    less = replace(good, own={**good.own, "evaluation": 1})
    assert next_round(trends(days(less), "senior"), [other, round_]) == "other"
    assert next_round(found, []) == ""


def test_among_equals_the_round_played_longest_ago_comes_next(good):
    other = msgspec.structs.replace(small_round(), id="other")
    found = trends(days(replace(good, round_id="other"), good), "senior")
    assert next_round(found, [small_round(), other]) == "other"


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ((1, 2, 3, 4), "▁▃▆█"),
        ((1, None, 4), "▁·█"),
        ((9, -9), "█▁"),
        ((), ""),
    ],
)
def test_a_sparkline_stays_within_its_bars(values, bars):
    assert sparkline(values, 1, 4) == bars
    assert sparkline((1, 1), 1, 1) == "▁▁"
