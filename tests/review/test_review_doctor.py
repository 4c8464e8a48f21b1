"""Doctor: the replay of the log against the state, and what is odd."""

from __future__ import annotations

import pytest
from review_desk import AGAIN, DAY_S, GOOD, PLAIN, numbered

from drillkit.review.direct import rate_item
from drillkit.review.doctor import examine
from drillkit.review.events import Rated, encode
from drillkit.review.state import Reviewing
from drillkit.settings import Settings


def codes(report):
    return [(finding.severity, finding.code) for finding in report.findings]


def put(desk, body: str, batch: str = "x", utc_ms: int = 0) -> None:
    desk.collection._db.execute(
        "INSERT INTO events (id, batch, device, utc_ms, offset_min, study_day, body)"
        " VALUES (?, ?, 'd', ?, 0, 0, ?)",
        (batch, batch, utc_ms or desk.clock.now().utc_ms, body),
    )


@pytest.fixture
def worked(make_desk):
    desk = make_desk(numbered(6), Settings())
    for _ in range(4):
        desk.sit()
        desk.clock.advance(20 * DAY_S)
    desk.learn("d/c0", GOOD)
    session = desk.session()
    desk.answer(session, AGAIN)
    session.undo()
    return desk


def test_a_sound_collection_is_clean_and_every_interval_can_be_recomputed(worked):
    report = examine(worked.collection, library=worked.library, recompute=True)
    assert report.clean
    assert report.findings == ()
    assert report.items == 6
    assert report.events == sum(1 for _ in worked.collection.events())


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE items SET reps = reps + 1 WHERE item = 'd/c1'",
        "DELETE FROM items WHERE item = 'd/c1'",
        "UPDATE items SET item = 'd/c9' WHERE item = 'd/c1'",
        "UPDATE items SET stability = stability + 1e-9 WHERE item = 'd/c1'",
    ],
)
def test_a_state_that_is_not_what_the_log_says_is_found_and_repaired(worked, damage):
    held = worked.held()
    worked.collection._db.execute(damage)
    report = examine(worked.collection)
    assert not report.clean
    assert set(codes(report)) == {("error", "state")}
    repaired = examine(worked.collection, repair=True)
    assert repaired.repaired
    assert repaired.clean
    assert worked.held() == held
    assert examine(worked.collection).findings == ()


def test_events_that_are_missing_are_found(worked):
    worked.collection._db.execute("DROP TRIGGER events_keep_delete")
    worked.collection._db.execute("DELETE FROM events WHERE seq IN (5, 6)")
    report = examine(worked.collection)
    assert ("error", "gap") in codes(report)
    assert "events 5 to 6 are missing" in str(report.findings)


def test_an_undo_of_nothing_is_found(worked):
    put(worked, '{"kind": "undone", "item": "d/c1", "target": "nowhere"}')
    assert codes(examine(worked.collection)) == [("error", "dangling-undo")]


def test_unknown_events_are_told_and_kept(worked):
    for number in range(8):
        put(worked, '{"kind": "dreamt", "item": "d/c1"}', f"x{number}")
    report = examine(worked.collection, repair=True)
    assert report.clean
    assert set(codes(report)) == {("warning", "unknown-event")}
    assert "3 more" in report.findings[-1].text
    assert worked.collection.one("SELECT count(*) FROM events WHERE kind = 'dreamt'") == 8


def test_a_clock_that_was_set_back_is_told(make_desk):
    desk = make_desk(numbered(3), PLAIN)
    place = (desk.collection, desk.library, desk.clock, desk.settings)
    rate_item(*place, "d/c0", GOOD)
    desk.clock.advance(-DAY_S)
    rate_item(*place, "d/c1", GOOD)
    desk.clock.advance(-30)  # the network corrects as much
    rate_item(*place, "d/c2", GOOD)
    report = examine(desk.collection)
    assert report.clean
    assert codes(report) == [("warning", "clock")]
    assert "24.0 h back" in report.findings[0].text


def test_orphans_are_told(worked):
    report = examine(worked.collection, library=numbered(5))
    assert report.clean
    assert codes(report) == [("note", "orphan")]


def test_an_interval_that_fsrs_would_not_give_is_noted(worked):
    rated = Rated(
        item="d/c1",
        rating=GOOD,
        phase="review",
        after=Reviewing(stability=3.0, difficulty=5.0, days=3, due_day=1),
        retention=0.9,
        max_days=36_500,
        config=worked.collection.configuration()[0],
    )
    put(worked, encode(rated))
    examine(worked.collection, repair=True)
    assert codes(examine(worked.collection)) == []
    assert codes(examine(worked.collection, recompute=True)) == [("note", "other-schedule")]


def test_progress_is_told_from_beginning_to_end(worked):
    told = []
    examine(worked.collection, progress=lambda *step: told.append(step))
    total = worked.collection.one("SELECT count(*) FROM events")
    assert told[0] == ("integrity", 0, 1)
    assert told[-1] == ("replay", total, total)
