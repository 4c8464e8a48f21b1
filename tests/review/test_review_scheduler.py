"""Fuzz, previews, the interview's cap, predicted recall, and how intervals read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from review_desk import AGAIN, EASY, GOOD, HARD, MORNING, PLAIN, at

from drillkit.clock import day_number
from drillkit.errors import DrillkitError
from drillkit.review.scheduler import (
    check_weights,
    configured_by,
    draw,
    fuzz_reach,
    fuzzed,
    interval_text,
    longest_days,
    schedule,
)
from drillkit.review.state import Learning, Relearning, Reviewing, State, predicted_recall
from drillkit.settings import Settings

NOW = at(MORNING)
TODAY = day_number(date(2026, 12, 1))
STEPS = Settings()

states = st.builds(
    State,
    item=st.sampled_from(["d/a", "d/b", "d/c"]),
    memory=st.builds(
        Reviewing,
        stability=st.floats(0.1, 3000),
        difficulty=st.floats(1, 10),
        days=st.integers(1, 3000),
        due_day=st.just(TODAY),
    )
    | st.builds(
        Learning,
        step=st.integers(0, 3),
        stability=st.floats(0.1, 20),
        difficulty=st.floats(1, 10),
        due_ms=st.just(NOW.utc_ms),
    )
    | st.builds(
        Relearning,
        step=st.integers(0, 2),
        stability=st.floats(0.1, 20),
        difficulty=st.floats(1, 10),
        due_ms=st.just(NOW.utc_ms),
    ),
    reps=st.integers(1, 400),
    last_day=st.integers(TODAY - 3000, TODAY + 3),
)


def four(state: State, settings: Settings = STEPS, max_days: int = 36_500):
    return schedule(configured_by(settings), state, NOW, TODAY, retention=0.9, max_days=max_days)


@given(st.integers(1, 36_500), st.integers(1, 36_500))
def test_fuzz_moves_an_interval_as_often_up_as_down(days, max_days):
    """The mean over evenly spread luck is the interval itself, also next to the longest one."""
    reach = min(fuzz_reach(days), max(0, max_days - days))
    count = 2 * reach + 1
    moved = [fuzzed(days, (index + 0.5) / count, max_days) for index in range(count)]
    assert sum(moved) == count * min(days, max_days)
    assert max(moved) <= max_days
    assert min(moved) >= 1
    assert len(set(moved)) == count


def test_the_draw_is_even_over_items_and_repetitions():
    draws = [draw(f"deck/card-{number}", reps) for number in range(100) for reps in range(100)]
    assert abs(sum(draws) / len(draws) - 0.5) < 0.01
    moved = [fuzzed(100, luck, 36_500) for luck in draws]
    assert abs(sum(moved) / len(moved) - 100) < 0.15


def test_short_intervals_are_not_fuzzed():
    assert [fuzzed(days, luck, 99) for days in (1, 2) for luck in (0.0, 0.999)] == [1, 1, 2, 2]


@given(states, st.sampled_from([STEPS, PLAIN]))
def test_hard_good_and_easy_rise_strictly_and_never_pass_the_cap(state, settings):
    for max_days in (36_500, 30, 1):
        found = four(state, settings, max_days)
        days = [found[rating].days for rating in (HARD, GOOD, EASY) if found[rating].days]
        assert all(day <= max_days for day in days)
        for shorter, longer in pairwise(days):
            assert shorter < longer or max_days < 3


@given(states)
def test_the_same_state_is_scheduled_the_same_again(state):
    assert four(state) == four(state)


@given(states)
def test_good_is_within_fuzz_of_what_fsrs_gives(state):
    plain = four(state, replace(STEPS, fuzz=False))[GOOD]
    moved = four(state)[GOOD]
    assert abs(moved.days - plain.days) <= fuzz_reach(plain.days) + 1


def test_a_clock_set_back_counts_as_the_same_day():
    ahead = State(item="d/a", memory=Reviewing(10, 5, 10, TODAY + 1), reps=3, last_day=TODAY + 1)
    level = State(item="d/a", memory=Reviewing(10, 5, 10, TODAY), reps=3, last_day=TODAY)
    for rating in (HARD, GOOD, EASY):
        back, same = four(ahead)[rating].memory, four(level)[rating].memory
        assert (back.stability, back.days) == (same.stability, same.days)
        assert back.due_day == same.due_day + 1


def test_the_study_day_decides_what_is_the_same_day():
    """Twenty minutes across four in the morning are a day; twenty hours within it are none."""
    known = State(item="d/a", memory=Reviewing(5, 5, 5, TODAY), reps=3, last_day=TODAY - 1)
    same = State(item="d/a", memory=Reviewing(5, 5, 5, TODAY), reps=3, last_day=TODAY)
    assert four(known)[GOOD].memory.stability > 1.05 * four(same)[GOOD].memory.stability


@pytest.mark.parametrize(
    ("interview", "longest"),
    [
        (None, 36_500),
        (date(2026, 11, 1), 36_500),  # gone by
        (date(2026, 12, 1), 36_500),  # today: nothing can come before it
        (date(2026, 12, 2), 1),
        (date(2026, 12, 3), 1),
        (date(2026, 12, 4), 2),
        (date(2026, 12, 31), 29),
    ],
)
def test_an_interview_ahead_caps_intervals_to_the_day_before_it(interview, longest):
    settings = Settings(interview=interview, fuzz=False)
    assert longest_days(settings, TODAY) == longest


def test_with_fuzz_capped_items_are_spread_over_the_last_week_before_the_interview():
    settings = Settings(interview=date(2026, 12, 31))
    caps = [longest_days(settings, TODAY, draw(f"d/c{number}", 4)) for number in range(500)]
    assert set(caps) == set(range(23, 30))
    assert all(longest_days(Settings(interview=date(2026, 12, 3)), TODAY, 0.99) == 1 for _ in "a")


def test_a_long_interval_comes_back_before_the_interview():
    known = State(item="d/a", memory=Reviewing(100, 5, 100, TODAY), reps=5, last_day=TODAY - 100)
    found = four(known, max_days=12)
    assert [found[rating].days for rating in (HARD, GOOD, EASY)] == [10, 11, 12]
    assert found[GOOD].plain_days > 100


@given(st.floats(0.1, 5000), st.integers(0, 2000))
def test_predicted_recall_is_that_of_fsrs(stability, elapsed):
    state = State(item="d/a", memory=Reviewing(stability, 5, 1, 1), last_day=TODAY - elapsed)
    now = datetime(2026, 12, 1, tzinfo=UTC)
    theirs = fsrs.Scheduler().get_card_retrievability(
        fsrs.Card(
            card_id=1,
            state=fsrs.State.Review,
            stability=stability,
            difficulty=5,
            due=now,
            last_review=now - timedelta(days=elapsed),
        ),
        now,
    )
    assert predicted_recall(state, TODAY) == pytest.approx(theirs)


def test_recall_is_nine_tenths_when_the_stability_has_passed_and_nothing_for_a_new_card():
    state = State(item="d/a", memory=Reviewing(20, 5, 20, TODAY), last_day=TODAY - 20)
    assert predicted_recall(state, TODAY) == pytest.approx(0.9)
    assert predicted_recall(state, TODAY - 50) == pytest.approx(1.0)
    assert predicted_recall(State(item="d/b"), TODAY) == 0.0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (30, "30 s"),
        (60, "1 min"),
        (330, "5.5 min"),
        (600, "10 min"),
        (5400, "1.5 h"),
        (86_400, "1 d"),
        (2 * 86_400, "2 d"),
        (30 * 86_400, "30 d"),
        (46 * 86_400, "1.5 mo"),
        (61 * 86_400, "2 mo"),
        (366 * 86_400, "1 y"),
        (840 * 86_400, "2.3 y"),
    ],
)
def test_intervals_read_as_people_say_them(seconds, text):
    assert interval_text(seconds) == text


def test_weights_that_fsrs_refuses_are_told_with_the_setting_to_mend():
    with pytest.raises(DrillkitError, match="weights cannot be used") as caught:
        check_weights(Settings(weights=(-1.0,) * 21))
    assert caught.value.where == "review.weights"
    assert check_weights(Settings()) is None


def test_a_new_card_takes_the_configured_steps():
    found = four(State(item="d/a"))
    assert [found[rating].text for rating in (AGAIN, HARD, GOOD)] == ["1 min", "5.5 min", "10 min"]
    assert found[EASY].days > 2
    assert [
        four(State(item="d/a"), PLAIN)[rating].days for rating in (AGAIN, HARD, GOOD, EASY)
    ] == [
        1,
        1,
        2,
        8,
    ]
