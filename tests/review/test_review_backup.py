"""Backups: whole, once a day, seven kept, and restored with the present file put aside."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from review_desk import GOOD, PLAIN, Desk, numbered

from drillkit.clock import day_of
from drillkit.errors import DrillkitError, UsageError
from drillkit.review.backup import backup, daily_backup, restore
from drillkit.review.collection import Collection
from drillkit.review.doctor import examine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def worked(make_desk):
    """A desk at which five cards were answered."""
    desk = make_desk(numbered(20), PLAIN)
    desk.sit(limit=5)
    return desk


def states_in(path: Path):
    with Collection.open(path) as collection:
        return {state.item: state for state in collection.states()}


def test_a_backup_holds_everything_though_the_collection_is_open(worked, tmp_path):
    target = backup(worked.path, tmp_path / "copy.db")
    assert states_in(target) == worked.held()
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]


def test_a_backup_replaces_an_older_one_only_when_it_is_complete(worked, tmp_path):
    target = tmp_path / "copy.db"
    backup(worked.path, target)
    worked.sit(limit=1)
    backup(worked.path, target)
    assert len(states_in(target)) == 6
    with pytest.raises(DrillkitError, match="no collection to back up"):
        backup(tmp_path / "missing.db", target)
    assert len(states_in(target)) == 6


def test_a_backup_to_a_senseless_place_is_refused(worked, tmp_path):
    with pytest.raises(UsageError, match="replace the collection itself"):
        backup(worked.path, worked.path)
    with pytest.raises(UsageError, match="is a folder"):
        backup(worked.path, tmp_path)
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(UsageError, match="no backup and would be lost"):
        backup(worked.path, notes)
    assert notes.read_text() == "mine"
    (tmp_path / "file").write_text("")
    with pytest.raises(DrillkitError, match="cannot make the backup"):
        backup(worked.path, tmp_path / "file" / "copy.db")


def test_a_daily_backup_is_made_once_a_day_and_seven_are_kept(worked):
    folder = worked.collection.backups
    first = daily_backup(worked.path, folder, worked.day)
    assert first.name == "collection-2026-12-01.db"
    assert daily_backup(worked.path, folder, worked.day) is None
    for later in range(1, 10):
        assert daily_backup(worked.path, folder, worked.day + later) is not None
    names = sorted(path.name for path in folder.iterdir())
    expected = [f"collection-{day_of(worked.day + later).isoformat()}.db" for later in range(3, 10)]
    assert names == expected


def test_rolling_removes_no_file_of_ones_own(worked):
    folder = worked.collection.backups
    folder.mkdir()
    for name in ("before-form-2.db", "collection-mine.db", "notes.txt"):
        (folder / name).write_text("mine")
    for later in range(9):
        daily_backup(worked.path, folder, worked.day + later)
    assert {"before-form-2.db", "collection-mine.db", "notes.txt"} <= {
        path.name for path in folder.iterdir()
    }


def test_a_damaged_collection_does_not_push_good_backups_out(worked):
    folder = worked.collection.backups
    good = daily_backup(worked.path, folder, worked.day)
    worked.close()
    raw = bytearray(worked.path.read_bytes())
    for offset in range(8192, len(raw), 4096):
        raw[offset : offset + 64] = b"\xff" * 64
    worked.path.write_bytes(bytes(raw))
    with pytest.raises(DrillkitError, match=r"damaged|cannot"):
        daily_backup(worked.path, folder, worked.day + 1)
    assert [path.name for path in folder.iterdir()] == [good.name]


def test_a_daily_backup_runs_in_a_thread_while_cards_are_rated(make_desk):
    desk = make_desk(numbered(300), PLAIN)
    desk.sit(limit=10)
    session = desk.session()
    made: list[Path] = []
    thread = threading.Thread(
        target=lambda: made.append(daily_backup(desk.path, desk.collection.backups, desk.day))
    )
    thread.start()
    for _ in range(10):
        desk.answer(session)
    thread.join()
    with Collection.open(made[0]) as copy:
        assert examine(copy).clean
        assert len(copy.states()) >= 10


def test_no_collection_needs_no_daily_backup(tmp_path):
    assert daily_backup(tmp_path / "collection.db", tmp_path / "backups", 739_000) is None


def test_restoring_brings_the_old_state_back_and_keeps_the_present_file(worked, tmp_path):
    target = backup(worked.path, tmp_path / "copy.db")
    then = worked.held()
    worked.sit(limit=3)
    now = worked.held()
    worked.close()
    aside = restore(target, worked.path, worked.clock.now())
    assert states_in(worked.path) == then
    assert aside.name == "collection-replaced-2026-12-01-080032.db"
    assert states_in(aside) == now


def test_a_running_window_sees_a_restored_collection(worked, tmp_path):
    target = backup(worked.path, tmp_path / "copy.db")
    session = worked.session()
    worked.answer(session)
    done = session.current.item
    restore(target, worked.path, worked.clock.now())
    session.poll()
    assert len(worked.held()) == 5
    assert session.counts.new == 15
    assert done == "d/c6"
    worked.answer(session, GOOD)
    session.undo()
    session.undo()
    assert len(worked.held()) == 4
    assert examine(worked.collection, recompute=True).findings == ()


def test_a_window_holds_on_to_nothing_that_a_restored_file_does_not_have(make_desk, tmp_path):
    """Its sitting and the parameters in force are written down again where they are missing."""
    desk = make_desk(numbered(9), PLAIN)
    target = backup(desk.path, tmp_path / "empty.db")
    session = desk.session()
    desk.answer(session)
    restore(target, desk.path, desk.clock.now())
    session.poll()
    assert (session.current.item, session.done, session.counts.new) == ("d/c1", 0, 9)
    desk.answer(session)
    kinds = [event.action.kind for event in desk.collection.events()]
    assert sorted(kinds) == ["configured", "rated", "sitting_started"]
    assert examine(desk.collection, recompute=True).findings == ()


def test_restoring_over_a_damaged_file_keeps_it_too(worked, tmp_path):
    target = backup(worked.path, tmp_path / "copy.db")
    then = worked.held()
    worked.close()
    worked.path.write_bytes(b"rubbish" * 1000)
    aside = restore(target, worked.path, worked.clock.now())
    assert aside.read_bytes() == b"rubbish" * 1000
    assert states_in(worked.path) == then


def test_restoring_into_an_empty_place(worked, tmp_path):
    target = backup(worked.path, tmp_path / "copy.db")
    assert restore(target, tmp_path / "new" / "collection.db", worked.clock.now()) is None
    assert states_in(tmp_path / "new" / "collection.db") == worked.held()


def test_a_bad_backup_is_refused_and_changes_nothing(worked, tmp_path):
    held = worked.held()
    bad = tmp_path / "bad.db"
    cases = [None, b"", b"some text", backup(worked.path, tmp_path / "x.db").read_bytes()[:9000]]
    for content in cases:
        if content is not None:
            bad.write_bytes(content)
        with pytest.raises(DrillkitError) as caught:
            restore(bad, worked.path, worked.clock.now())
        assert str(bad) in caught.value.where
        assert worked.held() == held
    with pytest.raises(UsageError, match="collection itself"):
        restore(worked.path, worked.path, worked.clock.now())
    assert not list(tmp_path.glob("**/*replaced*"))


def test_two_restores_in_a_second_keep_two_files(make_desk, tmp_path):
    desk: Desk = make_desk(numbered(3), PLAIN)
    target = backup(desk.path, tmp_path / "copy.db")
    names = {restore(target, desk.path, desk.clock.now()) for _ in range(2)}
    assert len(names) == 2
