"""A sitting: reveal, rate, undo, leave and come back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from review_desk import AGAIN, DAY_S, EASY, GOOD, HARD, PLAIN, Desk, card, library, numbered

from drillkit.errors import UsageError
from drillkit.review.collection import Collection
from drillkit.review.direct import mark_item, next_intervals, rate_item, undo_last
from drillkit.review.events import Rated
from drillkit.review.queue import Counts, Filter
from drillkit.review.rating import Rating
from drillkit.review.session import Session
from drillkit.settings import Settings

STEPS = Settings(fuzz=False)


def kinds(desk: Desk) -> list[str]:
    return [event.action.kind for event in desk.collection.events()]


# --- the flow ------------------------------------------------------------------------------------


def test_opening_a_sitting_writes_nothing(desk):
    session = desk.session()
    assert session.current.item == "d/c0"
    assert session.current.phase == "question"
    assert kinds(desk) == []


def test_a_card_is_revealed_then_rated_and_the_next_one_comes(desk):
    session = desk.session()
    with pytest.raises(UsageError, match="not shown"):
        session.rate(GOOD)
    assert session.reveal().phase == "answer"
    assert session.reveal() == session.current
    outcome = session.rate(GOOD)
    assert (outcome.kind, outcome.item, outcome.text) == ("rated", "d/c0", "10 min")
    assert (session.current.item, session.current.phase) == ("d/c1", "question")
    assert (session.done, session.counts) == (1, Counts(new=2, learning=1))


def test_a_rating_is_in_the_log_when_the_call_returns(desk):
    session = desk.session()
    session.reveal()
    session.rate(GOOD)
    with Collection.open(desk.path) as other:
        assert [event.action.kind for event in other.events()][-1] == "rated"


def test_what_is_previewed_is_what_happens(make_desk):
    desk = make_desk(numbered(8), Settings())
    for _ in range(6):
        session = desk.session()
        for turn in range(40):
            if session.current is None:
                break
            session.reveal()
            rating = Rating(turn % 4 + 1)
            promised = session.previews()[rating]
            item = session.current.item
            assert (
                next_intervals(desk.collection, desk.library, desk.clock, desk.settings, item)
                == session.previews()
            )
            outcome = session.rate(rating)
            assert outcome.text == promised.text
            assert outcome.state.memory == promised.memory
            desk.clock.advance(30)
        desk.clock.advance(DAY_S)


def test_thinking_stops_at_the_reveal_and_starts_when_the_question_is_shown(desk):
    session = desk.session()
    desk.clock.advance(60)  # the screen is still being painted, or the editor was open
    session.shown()
    desk.clock.advance(5)
    session.reveal()
    desk.clock.advance(2)
    session.rate(GOOD)
    rated = [e.action for e in desk.collection.events() if isinstance(e.action, Rated)]
    assert (rated[0].think_ms, rated[0].read_ms) == (5000, 2000)


def test_time_that_is_passed_over_is_neither_thinking_nor_reading(desk):
    session = desk.session()
    session.shown()
    desk.clock.advance(5)
    session.reveal()
    desk.clock.advance(302)
    session.pass_over(300)
    desk.clock.advance(1)
    session.rate(GOOD)
    session.shown()
    desk.clock.advance(60)
    session.pass_over(90)  # more than there was: the card came up meanwhile
    desk.clock.advance(4)
    session.reveal()
    session.rate(GOOD)
    rated = [e.action for e in desk.collection.events() if isinstance(e.action, Rated)]
    assert [(one.think_ms, one.read_ms) for one in rated] == [(5000, 3000), (4000, 0)]


def test_a_draw_is_the_same_on_a_retry_and_another_on_another_day(make_desk):
    desk = make_desk(numbered(1), STEPS)
    session = desk.session()
    seed = session.current.seed
    desk.answer(session, AGAIN)
    assert (session.current.item, session.current.seed) == ("d/c0", seed)
    assert session.current.times_seen == 1
    desk.clock.advance(DAY_S)
    assert desk.session().current.seed != seed
    other = make_desk(numbered(2), STEPS, name="other")
    assert other.session().current.seed == seed


def test_the_end_is_logged_once_and_summed_up(make_desk):
    desk = make_desk(numbered(3), PLAIN)
    desk.learn("d/c2", GOOD)  # comes due two days later
    session = desk.session()
    for _ in range(3):
        lapses = session.current.item == "d/c2"
        desk.answer(session, AGAIN if lapses else GOOD, seconds=1000 if lapses else 4)
    assert session.current is None
    found = session.summary()
    assert found.done == 3
    assert found.by_rating == {AGAIN: 1, HARD: 0, GOOD: 2, EASY: 0}
    assert found.lapsed == ("d/c2",)
    assert found.learned == ("d/c0", "d/c1")
    assert found.seconds == 608  # ten minutes at most for one card
    assert found.due_tomorrow == 1
    assert found.next_due_at is not None
    assert kinds(desk).count("sitting_finished") == 1
    session.poll()
    assert kinds(desk).count("sitting_finished") == 1


def test_why_this_card_and_this_interval(make_desk):
    desk = make_desk(numbered(2), STEPS)
    desk.learn("d/c0", GOOD, GOOD, GOOD)
    session = desk.session()
    while session.current.item != "d/c0":
        desk.answer(session, EASY)
    found = session.why()
    assert (found.memory, found.reps, found.days, found.plain_days) == ("review", 3, 11, 11)
    assert found.recall == pytest.approx(0.9, abs=0.01)
    assert found.target == 0.9
    assert "due today" in found.reason
    assert [(past.rating, past.text) for past in found.history] == [
        (GOOD, "10 min"),
        (GOOD, "2 d"),
        (GOOD, "11 d"),
    ]


def test_why_a_new_card_is_shown(desk):
    found = desk.session().why()
    assert (found.reason, found.memory, found.due) == ("new card", "new", "not yet learned")
    assert found.history == ()


def test_a_deck_or_tag_that_is_not_there_is_told(desk):
    with pytest.raises(UsageError, match="no deck 'nope'"):
        desk.session(Filter(deck="nope"))
    with pytest.raises(UsageError, match="no card has the tag"):
        desk.session(Filter(tag="nope"))


def test_without_a_card_nothing_can_be_done(make_desk):
    session = make_desk(library(), STEPS).session()
    assert session.current is None
    for act in (session.reveal, session.suspend, session.previews, session.why):
        with pytest.raises(UsageError, match="no card to study"):
            act()
    assert session.undo() is None


# --- undo ----------------------------------------------------------------------------------------


def test_undo_brings_the_card_back_as_it_was(desk):
    session = desk.session()
    before = session.current
    desk.answer(session, GOOD)
    outcome = session.undo()
    assert (outcome.kind, outcome.item) == ("undone", "d/c0")
    assert session.current == replace(before, reason=session.current.reason)
    assert (session.done, session.counts) == (0, Counts(new=3))
    assert kinds(desk)[-1] == "undone"


def test_undo_has_no_limit_and_outlives_a_restart(make_desk):
    desk = make_desk(numbered(5), PLAIN)
    desk.sit()
    desk.close()
    again = make_desk(numbered(5), PLAIN)
    session = again.session()
    assert session.current is None
    back = []
    while session.undo() is not None:
        back.append(session.current.item)
    assert back == [f"d/c{number}" for number in (4, 3, 2, 1, 0)]
    assert again.held() == {}
    assert session.counts == Counts(new=5)


def test_undo_works_on_the_finished_screen_and_the_sitting_goes_on(make_desk):
    desk = make_desk(numbered(2), PLAIN)
    session = desk.session()
    desk.answer(session)
    desk.answer(session)
    assert session.current is None
    session.undo()
    assert session.current.item == "d/c1"
    desk.answer(session, AGAIN)
    assert session.current is None
    assert session.summary().by_rating[AGAIN] == 1
    assert kinds(desk).count("sitting_started") == 1


@pytest.mark.parametrize("act", ["suspend", "bury"])
def test_suspending_and_burying_move_on_and_can_be_undone(desk, act):
    session = desk.session()
    outcome = getattr(session, act)()
    assert outcome.item == "d/c0"
    assert session.current.item == "d/c1"
    assert session.counts == Counts(new=2)
    session.undo()
    assert session.current.item == "d/c0"
    assert session.counts == Counts(new=3)
    assert desk.held() == {}


def test_a_flag_stays_on_the_card_and_toggles(desk):
    session = desk.session()
    session.reveal()
    assert session.flag().kind == "flagged"
    assert (session.current.item, session.current.phase) == ("d/c0", "answer")
    assert session.current.state.flagged
    assert session.flag().kind == "unflagged"
    assert not session.current.state.flagged
    session.flag()
    desk.answer(session)
    assert desk.collection.state("d/c0").flagged
    assert [session.undo().kind for _ in range(4)] == ["undone"] * 4
    assert session.undo() is None


def test_undo_of_what_the_command_line_did(desk):
    rate_item(desk.collection, desk.library, desk.clock, desk.settings, "d/c2", EASY)
    session = desk.session()
    session.undo()
    assert session.current.item == "d/c2"
    assert undo_last(desk.collection, desk.library, desk.clock, desk.settings) is None


def test_undo_of_a_card_that_is_gone_is_told(make_desk):
    desk = make_desk(numbered(2), PLAIN)
    session = desk.session()
    desk.answer(session)
    session.refresh(library(card("c1")))
    outcome = session.undo()
    assert "no longer in the decks" in outcome.notice
    assert session.current.item == "d/c1"
    assert desk.held() == {}


# --- leaving and coming back ---------------------------------------------------------------------


def test_leaving_and_coming_back_the_same_day_goes_on(make_desk):
    desk = make_desk(numbered(6), STEPS)
    session = desk.session()
    for rating in (GOOD, AGAIN, EASY):
        desk.answer(session, rating)
    left = (session.current.item, session.counts, session.done)
    desk.close()
    again = make_desk(numbered(6), STEPS, clock=desk.clock)
    back = again.session()
    assert (back.current.item, back.counts, back.done) == left
    again.answer(back)
    assert kinds(again).count("sitting_started") == 1
    assert back.summary().done == 4


def test_another_day_or_another_filter_is_another_sitting(make_desk):
    cards = library(card("a", "x"), card("b", "x"), card("c", "y"))
    desk = make_desk(cards, STEPS)
    session = desk.session()
    desk.answer(session)
    other = desk.session(Filter(deck="x"))
    assert other.done == 0
    desk.answer(other)
    desk.clock.advance(DAY_S)
    tomorrow = desk.session()
    assert tomorrow.done == 0
    desk.answer(tomorrow)
    assert kinds(desk).count("sitting_started") == 3


def test_a_sitting_that_was_finished_is_not_continued(make_desk):
    desk = make_desk(numbered(1), PLAIN)
    desk.sit()
    desk.library = numbered(2)
    session = desk.session()
    assert session.done == 0
    desk.answer(session)
    assert kinds(desk).count("sitting_started") == 2


def test_the_day_turns_in_the_middle_of_a_sitting(make_desk):
    desk = make_desk(numbered(4), replace(PLAIN, new_per_day=2))
    session = desk.session()
    desk.clock.advance(19.5 * 3600)  # half past three at night
    desk.answer(session)
    desk.clock.advance(3600)
    assert session.poll().item == "d/c1"
    desk.answer(session)
    days = [e.study_day for e in desk.collection.events() if isinstance(e.action, Rated)]
    assert days[1] == days[0] + 1
    assert session.counts == Counts(new=1)  # of today's two, one is done
    assert session.done == 2


# --- leeches and cram ----------------------------------------------------------------------------


def lapse(desk: Desk, item: str):
    """Forget an item that is due, and learn it again."""
    desk.learn(item, AGAIN)
    return desk.collection.state(item)


def test_a_leech_is_flagged_at_the_limit_and_then_at_every_half_of_it(make_desk):
    desk = make_desk(numbered(1), replace(PLAIN, leech_lapses=4))
    desk.learn("d/c0", GOOD)
    flagged_at = []
    for _ in range(10):
        state = lapse(desk, "d/c0")
        if state.flagged:
            flagged_at.append(state.lapses)
            mark_item(desk.collection, desk.library, desk.clock, desk.settings, "d/c0", "unflag")
    assert flagged_at == [4, 6, 8, 10]


def test_a_leech_is_suspended_when_so_set_and_undo_takes_both_back(make_desk):
    desk = make_desk(numbered(2), replace(PLAIN, leech_lapses=1, leech_action="suspend"))
    desk.learn("d/c0", GOOD)
    before = desk.collection.state("d/c0")
    session = desk.session()
    assert session.current.item == "d/c0"
    outcome = desk.answer(session, AGAIN)
    assert outcome.leech
    assert "suspended" in outcome.notice
    state = desk.collection.state("d/c0")
    assert (state.suspended, state.leech, state.lapses) == (True, True, 1)
    session.undo()
    assert desk.collection.state("d/c0") == before


def test_a_cram_leaves_the_schedule_alone_and_repeats_what_was_forgotten(make_desk):
    desk = make_desk(numbered(4), PLAIN)
    desk.learn("d/c0", GOOD, GOOD)
    desk.learn("d/c1", GOOD)
    mark_item(desk.collection, desk.library, desk.clock, desk.settings, "d/c3", "suspend")
    held = desk.held()
    session = desk.session(Filter(cram=True))
    assert session.previews() == {}
    shown, times = [], []
    for rating in (AGAIN, GOOD, GOOD, GOOD):
        shown.append(session.current.item)
        times.append(session.current.times_seen)
        assert desk.answer(session, rating).kind == "crammed"
    assert session.current is None
    assert shown[0] == shown[3] == "d/c2"
    assert times == [0, 2, 1, 1]  # what was forgotten is drawn anew
    assert sorted(shown[:3]) == ["d/c0", "d/c1", "d/c2"]
    assert desk.held() == held
    assert session.summary().done == 4
    session.undo()
    assert session.current.item == "d/c2"
    assert session.done == 3


def test_a_cram_is_continued(make_desk):
    desk = make_desk(numbered(4), PLAIN)
    session = desk.session(Filter(cram=True))
    desk.answer(session, AGAIN)
    desk.answer(session, GOOD)
    left = (session.current.item, session.counts, session.done)
    back = desk.session(Filter(cram=True))
    assert (back.current.item, back.counts, back.done) == left


# --- files that change, windows that meet --------------------------------------------------------


def test_an_edited_card_stays_current_with_its_new_text(desk):
    session = desk.session()
    session.reveal()
    session.refresh(library(card("c0", why="since edited"), card("c1"), card("c2"), card("c9")))
    assert session.current.card.why == "since edited"
    assert session.current.phase == "answer"
    assert session.counts == Counts(new=4)
    assert session.notice == ""
    assert session.rate(GOOD).item == "d/c0"


def test_a_deleted_current_card_makes_way(desk):
    session = desk.session()
    session.refresh(library(card("c1"), card("c2")))
    assert session.current.item == "d/c1"
    assert "no longer" in session.notice


def test_a_card_renamed_while_it_is_shown_stays_current(make_desk):
    desk = make_desk(numbered(1), PLAIN)
    desk.learn("d/c0", GOOD)
    session = desk.session()
    session.reveal()
    session.refresh(library(card("better", was=("d/c0",))))
    assert (session.current.item, session.current.phase) == ("d/better", "answer")
    session.rate(GOOD)
    assert desk.collection.state("d/better").reps == 2


def test_files_that_bring_cards_end_the_finished_screen(make_desk):
    desk = make_desk(numbered(1), PLAIN)
    session = desk.session()
    desk.answer(session)
    assert session.current is None
    session.refresh(numbered(2))
    assert session.current.item == "d/c1"


@pytest.fixture
def second(desk):
    """A second window onto the same collection."""
    with Collection.open(desk.path) as other:
        yield lambda: Session.open(other, desk.library, desk.clock, desk.settings)


def test_a_card_rated_in_another_window_is_not_rated_twice(desk, second):
    here, there = desk.session(), second()
    desk.answer(there, EASY)
    here.reveal()
    outcome = here.rate(AGAIN)
    assert outcome.kind == "moved"
    assert "another window" in outcome.notice
    assert here.current.item == "d/c1"
    state = desk.collection.state("d/c0")
    assert (state.reps, state.phase) == (1, "review")
    assert kinds(desk).count("rated") == 1


def test_a_card_suspended_in_another_window_moves_on_when_looked_at(desk, second):
    here, there = desk.session(), second()
    there.suspend()
    assert here.poll().item == "d/c1"
    assert "another window" in here.notice
    assert here.counts == Counts(new=2)
    here.poll()
    assert here.notice == ""


def test_undo_takes_back_ones_own_action_first(desk, second):
    here, there = desk.session(), second()
    desk.answer(here, EASY)
    there.poll()
    desk.answer(there, EASY)
    here.undo()
    assert here.current.item == "d/c0"
    assert desk.collection.state("d/c1").reps == 1
    assert desk.held() == desk.replayed()


def test_undo_leaves_alone_what_another_window_built_on(make_desk):
    desk = make_desk(numbered(1), STEPS)
    here = desk.session()
    desk.answer(here, GOOD)
    with Collection.open(desk.path) as other:
        rate_item(other, desk.library, desk.clock, desk.settings, "d/c0", EASY)
    outcome = here.undo()  # the newest action instead
    assert "that stays" in outcome.notice
    assert desk.collection.state("d/c0").phase == "learning"
    assert desk.held() == desk.replayed()
