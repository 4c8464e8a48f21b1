"""The log and the state: what is written stays, and the state is what the log says."""

from __future__ import annotations

import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from review_desk import AGAIN, DAY_S, GOOD, Desk, card, library

from drillkit.errors import UsageError
from drillkit.review.direct import MARKS, mark_item, rate_item, undo_last
from drillkit.review.events import Rated, Suspended, Unknown, decode, encode, new_id, plain
from drillkit.review.rating import Rating
from drillkit.review.state import Reviewing

NAMES = ("a", "b", "c")
actions = st.one_of(
    st.tuples(st.just("rate"), st.sampled_from(NAMES), st.sampled_from(list(Rating))),
    st.tuples(st.just("mark"), st.sampled_from(NAMES), st.sampled_from(MARKS)),
    st.tuples(st.just("undo"), st.just(""), st.just(0)),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.just(0)),
    st.tuples(st.just("wait"), st.just(""), st.sampled_from([-30, 0.2, 5, 24, 24 * 40])),
    st.tuples(st.just("sit"), st.just(""), st.sampled_from(list(Rating))),
)


class Names:
    """Cards whose ids change: each new id names its former ones in `was`."""

    def __init__(self) -> None:
        self.versions = dict.fromkeys(NAMES, 0)

    def item(self, name: str) -> str:
        return f"d/{name}{self.versions[name]}"

    def library(self):
        return library(
            *(
                card(
                    f"{name}{version}",
                    was=tuple(f"d/{name}{old}" for old in reversed(range(version))),
                )
                for name, version in self.versions.items()
            )
        )


def perform(desk: Desk, names: Names, action) -> None:
    kind, name, value = action
    place = (desk.collection, desk.library, desk.clock, desk.settings)
    match kind:
        case "rate":
            rate_item(*place, names.item(name), value)
        case "mark":
            mark_item(*place, names.item(name), value)
        case "undo":
            undo_last(*place)
        case "rename":
            names.versions[name] += 1
            desk.library = names.library()
        case "wait":
            desk.clock.advance(value * 3600)
        case "sit":
            session = desk.session()
            if session.current is not None:
                desk.answer(session, value)


@settings(deadline=None, max_examples=60)
@given(st.lists(actions, max_size=40))
def test_the_state_is_always_what_a_replay_of_the_log_gives(steps):
    """Whatever happens, undone and renamed items included, both ways lead to the same state."""
    names = Names()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), names.library())
        desk.collection._db.execute("PRAGMA synchronous = OFF")
        for step in steps:
            perform(desk, names, step)
            assert desk.held() == desk.replayed()
        desk.close()


@settings(deadline=None, max_examples=40)
@given(st.lists(actions, max_size=30))
def test_undoing_everything_returns_every_item_to_new(steps):
    names = Names()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), names.library())
        desk.collection._db.execute("PRAGMA synchronous = OFF")
        for step in steps:
            perform(desk, names, step)
        while undo_last(desk.collection, desk.library, desk.clock, desk.settings):
            assert desk.held() == desk.replayed()
        assert desk.held() == {}
        desk.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events",
        "UPDATE events SET study_day = 0",
        """INSERT OR REPLACE INTO events
            (seq, id, batch, device, utc_ms, offset_min, study_day, body)
            SELECT seq, id, batch, device, utc_ms, offset_min, study_day, '{}' FROM events""",
    ],
    ids=["delete", "update", "replace"],
)
def test_an_event_can_be_neither_changed_nor_removed(desk, statement):
    desk.sit()
    before = list(desk.collection.events())
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        desk.collection._db.execute(statement)
    assert list(desk.collection.events()) == before


def test_a_rating_says_everything_about_itself(desk):
    """The event names what was in force, how long it took and what the machine saw."""
    session = desk.session()
    desk.clock.advance(7)
    session.reveal()
    desk.clock.advance(3)
    session.rate(GOOD, {"verdict": "right", "picked": "memory", "score": 0.5})
    config, sitting, event = desk.collection.events()
    # The config's place in the log relative to the sitting's is of no matter.
    ids = {event.action.kind: event.id for event in (config, sitting)}
    rated = event.action
    assert isinstance(rated, Rated)
    assert (rated.item, rated.rating, rated.phase) == ("d/c0", GOOD, "new")
    assert (rated.think_ms, rated.read_ms) == (7000, 3000)
    assert (rated.retention, rated.max_days) == (0.9, 36_500)
    assert (rated.config, rated.sitting) == (ids["configured"], ids["sitting_started"])
    assert rated.response == {"verdict": "right", "picked": "memory", "score": 0.5}
    assert (event.offset_min, event.study_day) == (60, desk.day)
    assert event.batch not in {config.batch, sitting.batch}


def test_parameters_are_logged_again_only_when_they_change(make_desk):
    desk = make_desk()
    desk.sit(limit=2)
    desk.settings = replace(desk.settings, fuzz=False)
    desk.sit(limit=2)
    kinds = [event.action.kind for event in desk.collection.events()]
    assert kinds.count("configured") == 2


def test_what_was_answered_is_there_after_closing_and_opening(make_desk):
    desk = make_desk()
    desk.sit(limit=2)
    held = desk.held()
    desk.close()
    again = make_desk()
    assert again.held() == held
    assert again.collection.device == desk.collection.device


def test_ids_sort_by_time_and_differ():
    ids = [new_id(ms, bytes) for ms in (1, 2, 1_700_000_000_000)]
    assert ids == sorted(ids)
    assert {len(name) for name in ids} == {26}
    assert new_id(5, lambda count: b"\1" * count) != new_id(5, lambda count: b"\2" * count)


def test_an_event_of_an_unknown_kind_is_kept_and_changes_nothing(desk):
    desk.sit(limit=1)
    held = desk.held()
    desk.collection._db.execute(
        "INSERT INTO events (id, batch, device, utc_ms, offset_min, study_day, body)"
        " VALUES ('x', 'x', 'd', 0, 0, 0, '{\"kind\": \"dreamt\", \"item\": \"d/c0\"}')"
    )
    *_, last = desk.collection.events()
    assert isinstance(last.action, Unknown)
    assert "dreamt" in last.action.body
    assert desk.replayed() == held


def test_hostile_text_in_a_response_is_logged_harmlessly(desk):
    session = desk.session()
    text = "\ud800 \x1b[31m \0 [/foo] 'quoted\" " + "é" * 50_000
    desk.answer(session, response={"text": text, "nan": float("nan"), "odd": {1, 2}})
    rated = next(e.action for e in desk.collection.events() if e.action.kind == "rated")
    assert rated.response["text"].startswith("? \x1b[31m \0 [/foo]")
    assert len(rated.response["text"]) == 10_000
    assert rated.response["nan"] is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # its table of letters is made at first use
@given(st.dictionaries(st.text(st.characters(), max_size=5), json_values, max_size=4))
def test_any_response_survives_the_log(response):
    memory = Reviewing(1.5, 5.0, 2, 100)
    kept = plain(response)
    rated = Rated(
        item="d/a",
        rating=AGAIN,
        phase="new",
        after=memory,
        retention=0.9,
        max_days=9,
        response=kept,
    )
    read = decode(encode(rated))
    assert isinstance(read, Rated)
    assert (read.item, read.rating, read.after) == ("d/a", AGAIN, memory)
    assert read.response is not None
    assert set(read.response) == set(kept)


def test_times_and_places_are_kept_with_each_event(desk):
    """A log read on another continent still knows which morning it was."""
    desk.sit(limit=1)
    desk.clock.moment = desk.clock.moment.__class__(desk.clock.moment.utc_ms, -480)
    desk.clock.advance(DAY_S)
    rate_item(desk.collection, desk.library, desk.clock, desk.settings, "d/c1", GOOD)
    first, *_, last = desk.collection.events()
    assert (first.offset_min, last.offset_min) == (60, -480)
    assert last.study_day == desk.day


def test_a_failed_action_leaves_nothing_behind(desk):
    """Whatever goes wrong in the middle of an action, all of it is taken away."""

    def fail() -> None:
        with desk.collection.writing(desk.clock.now(), desk.day) as writing:
            writing.append(Suspended(item="d/c0"))
            assert desk.collection.state("d/c0").suspended
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fail()
    assert list(desk.collection.events()) == []
    assert desk.held() == {}


def test_an_unknown_item_is_told_with_the_nearest_one(desk):
    with pytest.raises(UsageError, match="there is no item 'd/c00'") as caught:
        rate_item(desk.collection, desk.library, desk.clock, desk.settings, "d/c00", GOOD)
    assert caught.value.hint == "did you mean d/c0?"
    with pytest.raises(UsageError, match="cannot be done"):
        mark_item(desk.collection, desk.library, desk.clock, desk.settings, "d/c0", "eat")
    with pytest.raises(UsageError, match="no rating"):
        Rating.named("superb")
    assert [Rating.named(text) for text in ("again", "2", " Good ", "EASY")] == list(Rating)
