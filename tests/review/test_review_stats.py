"""Statistics over the log: undone answers never count."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from review_desk import AGAIN, DAY_S, EASY, GOOD, HARD, PLAIN, card, library, library_of, numbered

from drillkit.clock import day_of
from drillkit.content.cards import Deck, Wording
from drillkit.review.direct import mark_item, rate_item, undo_last
from drillkit.review.queue import Filter
from drillkit.review.stats import (
    Recalled,
    confusion,
    forecast,
    leeches,
    recall_on,
    retention,
    retention_by_period,
    time_spent,
    weakest,
)
from drillkit.review.streak import streak
from drillkit.settings import Settings


def place(desk):
    return desk.collection, desk.library, desk.clock, desk.settings


def rate(desk, item, *ratings):
    for rating in ratings:
        rate_item(*place(desk), item, rating)


def test_retention_counts_reviews_recalled_and_no_learning_steps(make_desk):
    desk = make_desk(numbered(4), Settings(fuzz=False))
    assert retention(desk.collection, desk.day, desk.day) == Recalled(0, 0)
    assert Recalled().rate == 0
    for number in range(4):
        rate(desk, f"d/c{number}", GOOD, GOOD)
    desk.clock.advance(2 * DAY_S)
    first = desk.day
    for number, rating in enumerate((AGAIN, HARD, GOOD, EASY)):
        rate(desk, f"d/c{number}", rating)
    rate(desk, "d/c0", GOOD)  # relearning
    assert retention(desk.collection, first, first) == Recalled(3, 4)
    assert retention(desk.collection, first, first).rate == 0.75
    undo_last(*place(desk))
    undo_last(*place(desk))
    assert retention(desk.collection, first, first) == Recalled(2, 3)
    assert retention(desk.collection, first + 1, first + 9) == Recalled(0, 0)


def test_retention_by_week(make_desk):
    desk = make_desk(numbered(1), PLAIN)
    start = desk.day
    desk.learn("d/c0", GOOD, GOOD, AGAIN, GOOD)  # days 0, 2, 13, 14 or so
    found = retention_by_period(desk.collection, start, start + 20)
    assert list(found) == [start, start + 7, start + 14]
    assert [recalled.total for recalled in found.values()] == [1, 1, 1]
    assert [recalled.passed for recalled in found.values()] == [1, 0, 1]


def test_the_weakest_topics_come_first_by_deck_and_tag(make_desk):
    cards = library(
        card("a", "x", tags=("hot",)), card("b", "x"), card("c", "y", tags=("hot",)), card("e", "z")
    )
    desk = make_desk(cards, PLAIN)
    start = desk.day
    desk.learn("x/a", GOOD, AGAIN, AGAIN)
    desk.learn("x/b", GOOD, GOOD, GOOD)
    desk.learn("y/c", GOOD, GOOD, GOOD)
    desk.learn("z/e", GOOD, AGAIN)
    found = weakest(desk.collection, desk.library, start, desk.day, least=2)
    assert [(topic.kind, topic.name, topic.recalled) for topic in found] == [
        ("deck", "x", Recalled(2, 4)),
        ("tag", "hot", Recalled(2, 4)),
        ("deck", "y", Recalled(2, 2)),
    ]


def test_the_forecast_puts_overdue_items_on_today(make_desk):
    desk = make_desk(numbered(5), PLAIN)
    for number, rating in enumerate((AGAIN, GOOD, EASY, GOOD, GOOD)):
        rate(desk, f"d/c{number}", rating)
    assert forecast(desk.collection, desk.library, desk.day, 10) == [0, 1, 3, 0, 0, 0, 0, 0, 1, 0]
    mark_item(*place(desk), "d/c3", "suspend")
    desk.library = numbered(4)
    assert forecast(desk.collection, desk.library, desk.day + 5, 4) == [2, 0, 0, 1]


def test_a_streak_is_of_study_days_and_today_may_still_come(make_desk):
    desk = make_desk(numbered(9), PLAIN)
    assert streak(desk.collection, desk.day) == 0
    for number in range(3):
        rate(desk, f"d/c{number}", GOOD)
        desk.clock.advance(DAY_S)
    assert streak(desk.collection, desk.day) == 3
    rate(desk, "d/c4", GOOD)
    assert streak(desk.collection, desk.day) == 4
    undo_last(*place(desk))
    assert streak(desk.collection, desk.day) == 3
    desk.answer(desk.session(Filter(cram=True)))
    assert streak(desk.collection, desk.day) == 4
    assert streak(desk.collection, desk.day + 2) == 0


def test_recall_is_predicted_for_the_interview_by_deck(make_desk):
    cards = library(card("a", "x"), card("b", "y"), card("c", "y"))
    desk = make_desk(cards, PLAIN)
    rate(desk, "x/a", GOOD)
    rate(desk, "y/b", EASY)
    interview = day_of(desk.day) + timedelta(days=20)
    found = recall_on(desk.collection, desk.library, desk.settings, interview)
    assert (found.studied, found.unseen) == (2, 1)
    assert found.by_deck["x"] < found.by_deck["y"] < 1
    assert found.recall == pytest.approx((found.by_deck["x"] + found.by_deck["y"]) / 2)
    soon = recall_on(desk.collection, desk.library, desk.settings, day_of(desk.day))
    assert soon.recall == 1


def test_time_spent_is_summed_by_day_with_an_end_to_each_card(make_desk):
    desk = make_desk(numbered(3), PLAIN)
    first = desk.day
    session = desk.session()
    desk.answer(session, seconds=12)
    desk.answer(session, seconds=8 * 3600)  # the lid was closed
    desk.clock.advance(DAY_S)
    desk.answer(desk.session(), seconds=3)
    assert time_spent(desk.collection, first, first + 5) == {first: 612.0, first + 1: 3.0}


def test_confusion_tells_what_was_picked_for_what(make_desk):
    cards = tuple(
        Wording(id=name, deck="w", prompts=("p",), answer=name) for name in ("memory", "compute")
    )
    desk = make_desk(library_of(Deck("w", "w", "w.yaml", cards=cards)), PLAIN)
    session = desk.session()
    desk.answer(session, GOOD, response={"picked": "memory"})
    desk.answer(session, AGAIN, response={"picked": "network"})
    desk.clock.advance(DAY_S * 30)
    session = desk.session()
    truth = session.current.card.answer
    desk.answer(session, response={"picked": truth})
    desk.answer(session, response=None)
    found = confusion(desk.collection, desk.library, "w")
    assert found.labels == ("memory", "compute", "network")
    expected = {("memory", "memory"): 1, ("compute", "network"): 1}
    expected[truth, truth] = expected.get((truth, truth), 0) + 1
    assert found.counts == expected
    assert found.total == 3


def test_leeches_are_listed_worst_first(make_desk):
    desk = make_desk(numbered(3), replace(PLAIN, leech_lapses=1))
    desk.learn("d/c1", GOOD, AGAIN)
    desk.learn("d/c2", GOOD, AGAIN, AGAIN)
    assert [state.item for state in leeches(desk.collection, desk.library)] == ["d/c2", "d/c1"]
