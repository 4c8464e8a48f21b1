"""Guesses in the log: kept whole, the first one counts, and nothing else takes notice."""

from __future__ import annotations

from review_desk import GOOD, numbered

from drillkit.review.doctor import examine
from drillkit.review.events import Predicted, decode, encode
from drillkit.review.guesses import guesses, keep_guess

GUESS = Predicted(
    question="zero-memory", text="100 / 5", values=(100e9, 5e9), truths=(120e9, 1.875e9)
)


def test_a_guess_is_kept_and_the_first_one_counts(make_desk):
    desk = make_desk(numbered(1))
    later = Predicted(question="zero-memory", text="120 / 2", values=(120e9, 2e9), truths=(1, 2))
    for one in (GUESS, later):
        keep_guess(desk.collection, desk.clock.now(), desk.settings, one)
    assert guesses(desk.collection) == {"zero-memory": GUESS}
    assert decode(encode(GUESS)) == GUESS


def test_undo_passes_over_a_guess_and_doctor_finds_nothing(make_desk):
    desk = make_desk(numbered(2))
    session = desk.session()
    desk.answer(session, GOOD)
    keep_guess(desk.collection, desk.clock.now(), desk.settings, GUESS)
    undone = session.undo()
    assert undone is not None
    assert guesses(desk.collection) == {"zero-memory": GUESS}
    assert examine(desk.collection).clean
