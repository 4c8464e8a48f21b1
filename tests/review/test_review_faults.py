"""Disks, folders and files that refuse: what is told, and what stays as it was."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from review_desk import GOOD, PLAIN, Desk, numbered

from drillkit.errors import DrillkitError
from drillkit.review.backup import daily_backup
from drillkit.review.collection import Collection
from drillkit.review.doctor import examine
from drillkit.review.schema import FIRST, MIGRATIONS

ROOT = Path(__file__).parents[2]


def refused(path: Path, **more) -> DrillkitError:
    with pytest.raises(DrillkitError) as caught:
        Collection.open(path, **more)
    assert caught.value.hint
    return caught.value


def test_a_file_in_place_of_the_folder_is_told(tmp_path):
    (tmp_path / "home").write_text("not a folder")
    error = refused(tmp_path / "home" / "collection.db")
    assert "cannot open the collection" in str(error)
    assert "home" in error.where


def test_a_folder_in_place_of_the_file_is_told(tmp_path):
    (tmp_path / "collection.db").mkdir()
    assert "not a file" in str(refused(tmp_path / "collection.db"))


def test_a_missing_folder_is_made(tmp_path):
    with Collection.open(tmp_path / "a" / "b" / "collection.db") as made:
        assert made.states() == []


@pytest.mark.parametrize(
    "content",
    [
        b"just some text, longer than a header would be",
        b"\0" * 4096,
        b"SQLite format 3\0" + b"x" * 90,
    ],
    ids=["text", "zeros", "a header and rubbish"],
)
def test_a_file_that_is_no_collection_is_told_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "collection.db"
    path.write_bytes(content)
    error = refused(path)
    assert error.where == str(path)
    assert path.read_bytes() == content


def test_the_hint_names_the_newest_backup(make_desk, tmp_path):
    desk = make_desk()
    desk.sit(limit=1)
    for day in (desk.day, desk.day + 1):
        daily_backup(desk.path, desk.collection.backups, day)
    desk.close()
    desk.path.write_bytes(b"rubbish " * 1000)
    error = refused(desk.path)
    assert "drillkit restore" in error.hint
    assert "collection-2026-12-02.db" in error.hint


def test_an_emptied_file_is_not_silently_begun_anew(make_desk):
    """SQLite takes an empty file for a new one; with backups beside it something was lost."""
    desk = make_desk()
    desk.sit(limit=1)
    daily_backup(desk.path, desk.collection.backups, desk.day)
    desk.close()
    desk.path.write_bytes(b"")
    assert "empty" in str(refused(desk.path))
    assert desk.path.read_bytes() == b""


def test_another_programs_database_is_left_alone(tmp_path):
    path = tmp_path / "collection.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE songs (name TEXT)")
    db.close()
    before = path.read_bytes()
    assert "another program" in str(refused(path))
    assert path.read_bytes() == before


def test_a_file_of_a_newer_drillkit_is_left_alone(make_desk):
    desk = make_desk()
    desk.collection._db.execute("PRAGMA user_version = 99")
    desk.close()
    before = desk.path.read_bytes()
    error = refused(desk.path)
    assert "newer drillkit" in str(error)
    assert "update" in error.hint
    assert desk.path.read_bytes() == before


def test_damage_in_the_middle_is_told_with_a_way_out(make_desk):
    desk = make_desk(numbered(200), PLAIN)
    for number in range(100):
        desk.learn(f"d/c{number}", GOOD)
    desk.close()
    raw = bytearray(desk.path.read_bytes())
    for offset in range(4096, len(raw) - 200, 4096):
        raw[offset : offset + 200] = b"\xff" * 200
    desk.path.write_bytes(bytes(raw))
    with (
        pytest.raises(DrillkitError, match=r"damaged|disk does not answer"),
        Collection.open(desk.path) as collection,
    ):
        examine(collection)
    assert desk.path.read_bytes() == bytes(raw)


def told(act) -> DrillkitError | None:
    """Do something; return the error it was refused with, if any."""
    try:
        act()
    except DrillkitError as error:
        return error
    return None


def fill_up(desk: Desk) -> None:
    pages = desk.collection.one("PRAGMA page_count")
    desk.collection._db.execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_loses_nothing_and_the_same_card_can_be_rated_again(make_desk):
    desk = make_desk(numbered(400), PLAIN)
    session = desk.session()
    desk.answer(session)
    fill_up(desk)
    acknowledged, refusal = 1, None
    while refusal is None:
        refusal = told(lambda: desk.answer(session, response={"text": "x" * 3000}))
        acknowledged += refusal is None
    assert "disk is full" in refusal.what
    assert "free some space" in refusal.hint
    turn = session.current
    assert turn.phase == "answer"
    rated = [e for e in desk.collection.events() if e.action.kind == "rated"]
    assert len(rated) == acknowledged == session.done
    assert desk.held() == desk.replayed()
    desk.collection._db.execute("PRAGMA max_page_count = 1000000")
    assert session.rate(GOOD).item == turn.item
    assert examine(desk.collection).clean


def test_a_full_disk_refuses_marks_and_undo_alike(make_desk):
    desk = make_desk(numbered(900), replace(PLAIN, new_per_day=900))
    session = desk.session()
    desk.answer(session, response={"text": "x" * 9000})
    fill_up(desk)
    refusals = [
        refusal
        for _ in range(200)
        for act in (session.flag, session.undo, session.bury)
        if (refusal := told(act)) is not None
    ]
    assert {refusal.what for refusal in refusals} == {
        "cannot write to the collection: the disk is full"
    }
    assert desk.held() == desk.replayed()


def test_a_read_only_collection_is_told(make_desk):
    desk = make_desk()
    session = desk.session()
    session.reveal()
    desk.collection._db.execute("PRAGMA query_only = ON")
    with pytest.raises(DrillkitError, match="read-only") as caught:
        session.rate(GOOD)
    assert "--home" in caught.value.hint
    assert session.current.phase == "answer"
    desk.collection._db.execute("PRAGMA query_only = OFF")
    assert session.rate(GOOD).kind == "rated"


def test_a_disk_limit_met_for_real_loses_nothing(tmp_path):
    """A process that may write only so much to a file: the system itself refuses, not SQLite."""
    code = textwrap.dedent(
        """
        import resource, signal, sys
        from pathlib import Path
        sys.path.insert(0, "tests/review")
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        from review_desk import PLAIN, Desk, numbered
        from drillkit.errors import DrillkitError
        desk = Desk(Path(sys.argv[1]), numbered(9999), PLAIN.__class__(new_per_day=9999))
        session = desk.session()
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
        done = 0
        try:
            while done < 5000:
                desk.answer(session)
                done += 1
        except DrillkitError as error:
            print(done, error.what, sep="|")
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    acknowledged, what = done.stdout.strip().split("|")
    assert "cannot write" in what
    with Collection.open(tmp_path / "collection.db") as collection:
        rated = [event for event in collection.events() if event.action.kind == "rated"]
        assert len(rated) == int(acknowledged) > 0
        assert examine(collection).clean


def test_a_collection_held_by_another_program_is_told(make_desk):
    desk = make_desk()
    session = desk.session()
    session.reveal()
    other = sqlite3.connect(desk.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    desk.collection._db.execute("PRAGMA busy_timeout = 50")
    with pytest.raises(DrillkitError, match="another program holds") as caught:
        session.rate(GOOD)
    assert "try again" in caught.value.hint
    other.execute("ROLLBACK")
    other.close()
    assert session.rate(GOOD).kind == "rated"


# --- migrations ----------------------------------------------------------------------------------

NEXT = ("ALTER TABLE items ADD COLUMN mood TEXT", "INSERT INTO meta VALUES ('moved', 'yes')")
BROKEN = ("ALTER TABLE items ADD COLUMN mood TEXT", "INSERT INTO nowhere VALUES (1)")


def test_an_older_file_is_backed_up_and_then_renewed(make_desk):
    desk = make_desk()
    desk.sit(limit=2)
    held = desk.held()
    desk.close()
    with Collection.open(desk.path, migrations=(FIRST, NEXT)) as newer:
        assert newer.one("SELECT value FROM meta WHERE name = 'moved'") == "yes"
        assert {state.item: state for state in newer.states()} == held
        kept = newer.backups / "before-form-2.db"
    with Collection.open(kept) as older:
        assert older.one("PRAGMA user_version") == 1
        assert {state.item: state for state in older.states()} == held
    assert "newer drillkit" in str(refused(desk.path))


def test_a_migration_that_fails_changes_nothing(make_desk):
    desk = make_desk()
    desk.sit(limit=2)
    held = desk.held()
    desk.close()
    refused(desk.path, migrations=(FIRST, BROKEN))
    with Collection.open(desk.path) as same:
        assert same.one("PRAGMA user_version") == len(MIGRATIONS)
        assert {state.item: state for state in same.states()} == held
        assert same.one("SELECT count(*) FROM pragma_table_info('items') WHERE name = 'mood'") == 0


def test_a_backup_that_cannot_be_made_stops_the_migration(make_desk):
    desk = make_desk()
    desk.sit(limit=1)
    desk.close()
    (desk.path.parent / "backups").write_text("in the way")
    refused(desk.path, migrations=(FIRST, NEXT))
    with Collection.open(desk.path) as same:
        assert same.one("PRAGMA user_version") == 1


def test_a_new_collection_needs_no_backup(tmp_path):
    with Collection.open(tmp_path / "collection.db", migrations=(FIRST, NEXT)) as made:
        assert made.one("SELECT value FROM meta WHERE name = 'moved'") == "yes"
        assert not made.backups.exists()
