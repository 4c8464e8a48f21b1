"""A month of mornings at the desk, with a memory that forgets as FSRS says it does."""

from __future__ import annotations

import random
from datetime import date

from review_desk import AGAIN, DAY_S, GOOD, HARD, card, library

from drillkit.review.doctor import examine
from drillkit.review.state import predicted_recall
from drillkit.review.stats import recall_on, retention
from drillkit.review.streak import streak
from drillkit.settings import Settings

INTERVIEW = date(2026, 12, 31)


def test_a_month_of_mornings_holds_the_retention_and_ends_before_the_interview(make_desk):
    cards = library(
        *(card(f"c{number}", f"deck{number % 4}") for number in range(150)),
    )
    desk = make_desk(cards, Settings(interview=INTERVIEW, new_per_day=8))
    start = desk.day
    luck = random.Random(1)
    for _ in range(30):
        session = desk.session()
        for _ in range(400):
            if session.current is None:
                if session.next_wait_ms is None:
                    break
                desk.clock.advance(session.next_wait_ms / 1000)
                session.poll()
                continue
            turn = session.current
            recall = predicted_recall(turn.state, desk.day) if turn.state.reps else 0.6
            known = luck.random() < (recall if turn.state.phase == "review" else 0.85)
            desk.answer(session, (GOOD if luck.random() < 0.8 else HARD) if known else AGAIN, 8)
        assert session.current is None
        assert session.counts.total == 0
        # The next morning at eight, an hour east of Greenwich.
        passed_s = desk.clock.now().utc_ms / 1000 % DAY_S
        desk.clock.advance(DAY_S + 7 * 3600 - passed_s)
    assert streak(desk.collection, desk.day - 1) == 30
    held = desk.held()
    assert len(held) == 150
    recalled = retention(desk.collection, start, desk.day)
    assert recalled.total > 400
    assert 0.85 < recalled.rate < 0.96
    # Whatever was answered before the eve is back by then.
    assert all(
        state.memory.due_day < INTERVIEW.toordinal()
        for state in held.values()
        if state.phase == "review" and state.last_day < INTERVIEW.toordinal() - 1
    )
    assert recall_on(desk.collection, desk.library, desk.settings, INTERVIEW).recall > 0.9
    report = examine(desk.collection, library=desk.library, recompute=True)
    assert report.findings == ()
