"""What is studied on a day, in which order, and what waits."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from review_desk import AGAIN, DAY_S, EASY, GOOD, HARD, PLAIN, Desk, at, card, library, numbered

from drillkit.clock import Moment
from drillkit.content import packed
from drillkit.review.direct import mark_item, rate_item, undo_last
from drillkit.review.queue import Counts, Filter
from drillkit.review.state import predicted_recall
from drillkit.review.today import build, overview
from drillkit.settings import Retention, Settings


def look(desk: Desk, chosen: Filter | None = None):
    return overview(
        desk.collection, desk.library, desk.settings, desk.clock.now(), chosen or Filter()
    )


def rate(desk: Desk, item: str, rating=GOOD):
    return rate_item(desk.collection, desk.library, desk.clock, desk.settings, item, rating)


def mark(desk: Desk, item: str, what: str):
    return mark_item(desk.collection, desk.library, desk.clock, desk.settings, item, what)


def days(desk: Desk, count: int = 1) -> None:
    desk.clock.advance(count * DAY_S)


# --- counts and limits ---------------------------------------------------------------------------


def test_a_fresh_collection_offers_new_cards_up_to_the_limit_in_library_order(make_desk):
    desk = make_desk(numbered(30), replace(PLAIN, new_per_day=7))
    assert look(desk).counts == Counts(new=7)
    assert look(desk).unseen == {"d": 30}
    assert desk.sit() == [f"d/c{number}" for number in range(7)]
    assert look(desk).counts == Counts()


def test_counting_unpacks_no_card_but_those_that_wait(make_desk, monkeypatch):
    """Ten thousand cards would take longer to unpack than all the rest of a start."""
    desk = make_desk(numbered(30), replace(PLAIN, new_per_day=3))
    desk.sit()
    days(desk, 100)
    desk.library = numbered(30)
    unpacked = []
    unpack = packed.unpack
    monkeypatch.setattr(packed, "unpack", lambda raw: unpacked.append(raw) or unpack(raw))
    assert look(desk).counts == Counts(due=3, new=3)
    # One more new card is looked at before the day is known to be full.
    assert len(unpacked) <= 7


def test_what_was_introduced_today_counts_against_the_limit_and_undo_gives_it_back(make_desk):
    desk = make_desk(numbered(30), replace(PLAIN, new_per_day=7))
    desk.sit(limit=3)
    assert look(desk).counts.new == 4
    undo_last(desk.collection, desk.library, desk.clock, desk.settings)
    assert look(desk).counts.new == 5
    days(desk)
    assert look(desk).counts.new == 7


def test_an_overdue_backlog_is_spread_and_the_least_known_comes_first(make_desk):
    """The daily limit holds, counts what was reviewed already, and takes the weakest."""
    desk = make_desk(numbered(20), replace(PLAIN, new_per_day=20, reviews_per_day=6))
    for number in range(20):
        rate(desk, f"d/c{number}", (HARD, GOOD, EASY)[number % 3])
    days(desk, 60)
    recall = {state.item: predicted_recall(state, desk.day) for state in desk.collection.states()}
    first = desk.sit(limit=2)
    assert look(desk).counts.due == 4
    rest = desk.sit()
    assert len(first + rest) == 6
    shown = [recall[item] for item in first + rest]
    assert shown == sorted(shown)
    assert max(shown) <= sorted(recall.values())[6]
    assert look(desk).counts.due == 0
    days(desk)
    assert look(desk).counts.due == 6


def test_recall_is_measured_against_each_decks_own_target(make_desk):
    """What should be known better comes first, though a little more of it is still known."""
    cards = library(card("low", "lax"), card("high", "strict"))
    desk = make_desk(cards, replace(PLAIN, retention=Retention(decks={"strict": 0.97, "lax": 0.8})))
    rate(desk, "lax/low")
    days(desk)
    rate(desk, "strict/high")
    days(desk, 40)
    lax, strict = (predicted_recall(state, desk.day) for state in desk.collection.states())
    assert lax < strict
    assert desk.sit() == ["strict/high", "lax/low"]


def test_new_cards_are_mixed_evenly_among_reviews(make_desk):
    desk = make_desk(numbered(40), replace(PLAIN, new_per_day=4))
    for number in range(8):
        rate(desk, f"d/c{number}")
    days(desk, 3)
    old = {f"d/c{number}" for number in range(8)}
    shown = desk.sit()
    assert [item in old for item in shown] == [True, False, True, True, False, True] * 2
    assert [item for item in shown if item not in old] == [f"d/c{n}" for n in range(8, 12)]


def test_suspended_and_buried_items_are_left_out(make_desk):
    desk = make_desk(numbered(4), PLAIN)
    rate(desk, "d/c0")
    rate(desk, "d/c1")
    days(desk, 3)
    mark(desk, "d/c0", "suspend")
    mark(desk, "d/c1", "bury")
    mark(desk, "d/c2", "bury")
    assert look(desk).counts == Counts(new=1)
    days(desk)
    assert look(desk).counts == Counts(due=1, new=2)
    mark(desk, "d/c0", "unsuspend")
    assert look(desk).counts == Counts(due=2, new=2)


def test_an_unburied_item_is_back_the_same_day(make_desk):
    desk = make_desk(numbered(1), PLAIN)
    mark(desk, "d/c0", "bury")
    assert look(desk).counts == Counts()
    mark(desk, "d/c0", "unbury")
    assert look(desk).counts == Counts(new=1)


def test_counts_by_deck_add_up_and_name_every_deck(make_desk):
    cards = library(card("a", "x"), card("b", "x"), card("c", "y"), card("d", "z"))
    desk = make_desk(cards, Settings())
    rate(desk, "x/a", EASY)
    rate(desk, "y/c", AGAIN)
    days(desk, 10)
    found = look(desk)
    assert found.by_deck == {
        "x": Counts(due=1, new=1),
        "y": Counts(learning=1),
        "z": Counts(new=1),
    }
    assert found.counts == Counts(1, 2, 1)


def test_orphans_are_counted_and_not_shown(make_desk):
    desk = make_desk(numbered(3), PLAIN)
    rate(desk, "d/c0")
    rate(desk, "d/c1")
    desk.library = numbered(1)
    days(desk, 5)
    found = look(desk)
    assert found.orphans == ("d/c1",)
    assert found.counts == Counts(due=1)


# --- filters -------------------------------------------------------------------------------------


def test_a_filter_takes_a_deck_a_tag_or_a_kind(make_desk):
    cards = library(card("a", "x", tags=("hot",)), card("b", "x"), card("c", "y", tags=("hot",)))
    desk = make_desk(cards, PLAIN)
    assert look(desk, Filter(deck="x")).counts.new == 2
    assert look(desk, Filter(tag="hot")).counts.new == 2
    assert look(desk, Filter(deck="x", tag="hot")).counts.new == 1
    assert look(desk, Filter(kind="recall")).counts.new == 3
    assert look(desk, Filter(kind="cloze")).counts.new == 0
    assert str(Filter(deck="x", tag="hot", cram=True)) == "x, tag hot, cram"


# --- siblings and follow-ups ---------------------------------------------------------------------


def test_of_a_group_one_is_studied_a_day(make_desk):
    cards = library(
        card("a", group="g"), card("b", group="g"), card("c"), card("e", "o", group="g")
    )
    desk = make_desk(cards, PLAIN)
    assert look(desk).counts.new == 3
    assert desk.sit() == ["d/a", "d/c", "o/e"]
    assert look(desk).counts == Counts()
    days(desk)
    assert desk.sit() == ["d/b"]


def test_a_due_review_goes_before_its_new_sibling(make_desk):
    desk = make_desk(library(card("a", group="g"), card("b", group="g")), PLAIN)
    rate(desk, "d/b")
    days(desk, 2)
    assert desk.sit() == ["d/b"]


def test_a_sibling_on_a_learning_step_still_comes_back(make_desk):
    desk = make_desk(library(card("a", group="g"), card("b", group="g")), Settings(fuzz=False))
    assert desk.sit() == ["d/a", "d/a"]


def test_a_follow_up_waits_for_its_parent_and_comes_right_after_it(make_desk):
    cards = library(
        card("child", after="d/parent"),
        card("other"),
        card("parent"),
        card("grandchild", after="d/child"),
        card("second", after="d/parent"),
    )
    desk = make_desk(cards, PLAIN)
    assert desk.sit() == ["d/other", "d/parent", "d/child", "d/grandchild", "d/second"]
    days(desk, 2)
    shown = desk.sit()
    assert shown[shown.index("d/parent") :][:4] == [
        "d/parent",
        "d/child",
        "d/grandchild",
        "d/second",
    ]


def test_a_follow_up_beyond_the_limit_comes_another_day(make_desk):
    cards = library(card("parent"), card("child", after="d/parent"), card("other"))
    desk = make_desk(cards, replace(PLAIN, new_per_day=1))
    assert desk.sit() == ["d/parent"]
    days(desk)
    assert desk.sit() == ["d/child"]


def test_a_follow_up_of_a_suspended_new_card_waits_and_of_an_unknown_one_does_not(make_desk):
    cards = library(card("p"), card("child", after="d/p"), card("lost", after="d/gone"))
    desk = make_desk(cards, PLAIN)
    mark(desk, "d/p", "suspend")
    assert desk.sit() == ["d/lost"]


def test_follow_ups_in_a_circle_do_not_hang_the_queue(make_desk):
    cards = library(card("a", after="d/b"), card("b", after="d/a"), card("c"))
    desk = make_desk(cards, PLAIN)
    assert desk.sit() == ["d/c"]
    rate(desk, "d/a")
    rate(desk, "d/b")
    days(desk, 5)
    assert sorted(desk.sit()) == ["d/a", "d/b", "d/c"]


# --- learning and what comes later ---------------------------------------------------------------


def test_learning_items_come_first_when_their_time_has_come(make_desk):
    desk = make_desk(numbered(5), Settings(fuzz=False))
    session = desk.session()
    desk.answer(session, AGAIN)
    assert session.current.item == "d/c1"
    desk.answer(session, GOOD, seconds=70)
    assert session.current.item == "d/c0"


def test_learning_items_come_up_to_twenty_minutes_early_only_when_nothing_else_is_left(make_desk):
    desk = make_desk(numbered(1), Settings(fuzz=False, learning_steps_s=(60, 1300)))
    session = desk.session()
    desk.answer(session, GOOD)
    assert session.current is None
    assert session.next_wait_ms == 100_000
    desk.clock.advance(99)
    assert session.poll() is None
    desk.clock.advance(1)
    assert session.poll().item == "d/c0"
    assert "ahead" in session.current.reason


def test_a_learning_step_of_days_ends_with_the_night(make_desk):
    desk = make_desk(numbered(1), Settings(fuzz=False, learning_steps_s=(600, 2 * DAY_S)))
    rate(desk, "d/c0")
    assert look(desk).next_due_at == at("2026-12-03T04:00+01:00")
    desk.clock.moment = at("2026-12-03T04:00+01:00")
    assert look(desk).counts == Counts(learning=1)
    assert desk.sit() == ["d/c0"]


@pytest.mark.parametrize(
    ("rating", "expected"),
    [
        (AGAIN, "2026-12-01T08:01+01:00"),
        (GOOD, "2026-12-01T08:10+01:00"),
        (EASY, "2026-12-09T04:00+01:00"),
    ],
)
def test_the_next_due_time_is_told_when_nothing_waits(make_desk, rating, expected):
    desk = make_desk(numbered(1), Settings(fuzz=False))
    rate(desk, "d/c0", rating)
    found = look(desk)
    assert found.next_due_at == at(expected)


def test_the_next_due_time_is_tomorrow_when_something_was_put_off(make_desk):
    tomorrow = at("2026-12-02T04:00+01:00")
    desk = make_desk(numbered(3), replace(PLAIN, new_per_day=1))
    desk.sit()
    assert look(desk).next_due_at == tomorrow
    other = make_desk(numbered(1), PLAIN, name="other")
    mark(other, "d/c0", "bury")
    assert look(other).next_due_at == tomorrow


def test_nothing_ever_comes_due_without_cards(make_desk):
    desk = make_desk(library(), PLAIN)
    assert look(desk).next_due_at is None
    assert look(desk).counts == Counts()


# --- renamed cards -------------------------------------------------------------------------------


def test_a_renamed_card_keeps_its_schedule_before_and_after_its_first_event(make_desk):
    desk = make_desk(library(card("old"), card("z")), PLAIN)
    desk.learn("d/old", GOOD, GOOD)
    before = desk.collection.state("d/old")
    desk.library = library(card("new", was=("d/gone", "d/old")), card("z"))
    found = look(desk)
    assert found.counts == Counts(due=1, new=1)
    assert found.orphans == ()
    assert desk.sit(limit=1) == ["d/new"]
    after = desk.collection.state("d/new")
    assert (after.reps, after.first_day) == (before.reps + 1, before.first_day)
    assert desk.collection.state("d/old").is_blank
    kinds = [event.action.kind for event in desk.collection.events()]
    assert kinds.index("renamed") == len(kinds) - 3


def test_an_old_id_that_is_still_a_card_keeps_its_own_history(make_desk):
    desk = make_desk(library(card("old")), PLAIN)
    rate(desk, "d/old")
    desk.library = library(card("old"), card("new", was=("d/old",)))
    days(desk, 3)
    assert look(desk).counts == Counts(due=1, new=1)


def test_a_card_with_a_history_of_its_own_does_not_take_another(make_desk):
    desk = make_desk(library(card("old"), card("new")), PLAIN)
    rate(desk, "d/old")
    rate(desk, "d/new", EASY)
    desk.library = library(card("new", was=("d/old",)))
    days(desk, 3)
    assert look(desk).orphans == ("d/old",)
    assert look(desk).counts == Counts()


def test_undoing_after_a_rename_keeps_what_was_carried_over(make_desk):
    desk = make_desk(library(card("old")), PLAIN)
    rate(desk, "d/old")
    before = desk.collection.state("d/old")
    desk.library = library(card("new", was=("d/old",)))
    days(desk, 3)
    desk.sit()
    outcome = undo_last(desk.collection, desk.library, desk.clock, desk.settings)
    assert outcome.item == "d/new"
    assert desk.collection.state("d/new").memory == before.memory
    outcome = undo_last(desk.collection, desk.library, desk.clock, desk.settings)
    assert outcome.item == "d/new"
    assert desk.held() == {}


# --- study days ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answered", "looked", "due"),
    [
        # The night is still yesterday; four in the morning is today.
        ("2026-12-01T23:50+01:00", "2026-12-02T03:59+01:00", 0),
        ("2026-12-01T23:50+01:00", "2026-12-02T04:00+01:00", 1),
        ("2026-12-02T03:59+01:00", "2026-12-02T04:00+01:00", 1),
        # The night on which clocks go back an hour is no longer study day than any other.
        ("2026-10-24T12:00+02:00", "2026-10-25T03:59+01:00", 0),
        ("2026-10-24T12:00+02:00", "2026-10-25T04:00+01:00", 1),
        ("2026-03-28T12:00+01:00", "2026-03-29T04:00+02:00", 1),
        # Westwards the day is longer on the wall; eastwards the next one begins sooner.
        ("2026-12-01T08:00+01:00", "2026-12-01T23:00-08:00", 0),
        ("2026-12-01T08:00+01:00", "2026-12-02T05:00+09:00", 1),
    ],
)
def test_a_day_turns_at_four_on_the_wall_wherever_one_is(make_desk, answered, looked, due):
    desk = make_desk(numbered(1), PLAIN)
    desk.clock.moment = at(answered)
    rate(desk, "d/c0", AGAIN)  # an interval of one day
    desk.clock.moment = at(looked)
    assert look(desk).counts.due == due


def test_a_clock_set_back_a_day_keeps_the_order_and_no_span_is_negative(make_desk):
    desk = make_desk(numbered(2), PLAIN)
    rate(desk, "d/c0")
    desk.clock.moment = Moment(desk.clock.moment.utc_ms - DAY_S * 1000, 60)
    rate(desk, "d/c0")
    rate(desk, "d/c1")
    state = desk.collection.state("d/c0")
    assert state.last_day == desk.day + 1
    assert state.memory.due_day > state.last_day
    assert [event.seq for event in desk.collection.events()] == [1, 2, 3, 4]
    assert look(desk).counts == Counts()
    assert desk.held() == desk.replayed()


# --- its cost ------------------------------------------------------------------------------------


def test_what_is_due_is_found_through_an_index(desk):
    for condition in (
        "due_day IS NOT NULL AND suspended = 0 AND due_day <= 5",
        "due_ms IS NOT NULL AND suspended = 0 ORDER BY due_ms",
    ):
        plan = desk.collection.select(f"EXPLAIN QUERY PLAN SELECT * FROM items WHERE {condition}")
        assert "USING INDEX items_" in str(plan)


def test_the_light_path_imports_no_scheduler_and_no_screen():
    code = (
        "import sys, drillkit.review.today, drillkit.review.collection, drillkit.review.session;"
        "print([m for m in ('fsrs', 'textual', 'numpy', 'sympy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_queue_kept_up_to_date_is_the_queue_built_anew(make_desk):
    """After each answer the counts and the next card are what a fresh start would give."""
    cards = library(
        *(card(f"c{number}", group="g" if number % 5 == 0 else "") for number in range(12)),
        card("f", after="d/c3"),
        card("g", after="d/c7"),
    )
    desk = make_desk(cards, Settings(new_per_day=6))
    for _ in range(8):
        session = desk.session()
        for turn in range(200):
            if session.current is None:
                break
            fresh = desk.session()
            assert (fresh.counts, fresh.current.item) == (session.counts, session.current.item)
            assert fresh.done == session.done
            desk.answer(session, (AGAIN, GOOD, EASY, HARD, GOOD)[turn % 5], seconds=40)
        built = build(desk.collection, desk.library, desk.settings, desk.clock.now())
        assert built.counts == session.counts
        days(desk)
