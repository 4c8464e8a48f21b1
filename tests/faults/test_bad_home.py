"""Starts that cannot go well: what the person reads, and that nothing is written over."""

from __future__ import annotations

import sqlite3

import pytest
from terminal import LIKE_A_PERSON, Terminal, assert_sound, ratings, run, write_home


def start_and_read(home, *args, **more):
    """Start in a terminal, expect that it ends; return (exit code, everything it showed)."""
    with Terminal(*args, home=home, size=(200, 24), **more) as terminal:
        code = terminal.wait_exit()
        terminal.assert_restored()
        assert "Traceback" not in terminal.text
        assert "error:" in terminal.text
        return code, terminal.text


def rate_one(home):
    with Terminal("review", "--deck", "drill", home=home) as terminal:
        question = terminal.rate()
        terminal.press("q")
        terminal.wait_for("All decks")
        terminal.press("q")
        assert terminal.wait_exit() == 0
    return question


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path / "home", 5)


def test_a_home_that_is_a_file_is_named(tmp_path):
    home = tmp_path / "home"
    home.write_text("mine", encoding="utf-8")
    code, text = start_and_read(home)
    assert code == 1
    assert str(home) in text
    assert home.read_text(encoding="utf-8") == "mine"


def test_a_new_home_in_a_closed_folder_is_told(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    code, text = start_and_read(closed / "home", before=LIKE_A_PERSON)
    assert code == 1
    assert "permission denied" in text
    assert "--home" in text


def test_a_read_only_home_is_told_and_left_alone(home):
    question = rate_one(home)
    before = (home / "collection.db").read_bytes()
    for path in home.iterdir():
        path.chmod(0o555 if path.is_dir() else 0o444)
    home.chmod(0o555)
    try:
        code, text = start_and_read(home, before=LIKE_A_PERSON)
        assert code == 1
        assert "hint:" in text
        assert (home / "collection.db").read_bytes() == before
    finally:
        home.chmod(0o755)
        for path in home.iterdir():
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert ratings(home) == [question]
    assert_sound(home)


@pytest.mark.parametrize("at", [0, 100, 8192], ids=["magic", "header", "page"])
def test_a_damaged_collection_names_the_newest_backup_and_is_not_written_over(home, at):
    rate_one(home)
    assert (
        run("backup", str(home / "backups" / "collection-2020-01-01.db"), home=home).returncode == 0
    )
    newest = max((home / "backups").glob("collection-*.db"))
    whole = (home / "collection.db").read_bytes()
    broken = whole[:at] + b"\xde\xad" * 2048 + whole[at + 4096 :]
    (home / "collection.db").write_bytes(broken)
    for side in ("-wal", "-shm"):
        (home / f"collection.db{side}").unlink(missing_ok=True)
    code, text = start_and_read(home)
    assert code == 1
    assert f"drillkit restore {newest}" in text
    assert (home / "collection.db").read_bytes() == broken

    assert run("restore", str(newest), home=home).returncode == 0
    assert_sound(home)


def test_an_empty_collection_beside_backups_is_not_taken_for_a_new_one(home):
    rate_one(home)
    (home / "collection.db").write_bytes(b"")
    code, text = start_and_read(home)
    assert code == 1
    assert "drillkit restore" in text
    assert (home / "collection.db").read_bytes() == b""


def test_a_collection_of_a_newer_drillkit_is_told_and_left_alone(home):
    rate_one(home)
    with sqlite3.connect(home / "collection.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = (home / "collection.db").read_bytes()
    code, text = start_and_read(home)
    assert code == 1
    assert "newer drillkit" in text
    assert (home / "collection.db").read_bytes() == before


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("theme = dark\n", "line 1"),
        ("day_starts = 31\n", "day_starts"),
        ("[review]\nnew_per_dya = 3\n", "new_per_day"),
        ("[keys]\n'[/x]' = 3\n", "keys"),
        ("\xff", "UTF-8"),
        ("theme = '\x1b[31m'\n", "settings.toml"),
    ],
)
def test_broken_settings_name_the_place_and_end_with_1(home, settings, told):
    (home / "settings.toml").write_text(settings, encoding="latin-1")
    code, text = start_and_read(home)
    assert code == 1
    assert "settings.toml" in text
    assert told in text


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(home):
    (home / "cache").mkdir(mode=0o555)
    with Terminal("review", "--deck", "drill", home=home, before=LIKE_A_PERSON) as terminal:
        question = terminal.rate()
    assert ratings(home) == [question]
    assert not any((home / "cache").iterdir())


def test_a_cache_of_rubbish_is_read_anew(home):
    rate_one(home)
    held = [path for path in (home / "cache").rglob("*") if path.is_file()]
    assert held
    for path in held:
        path.write_bytes(b"\xde\xad\xbe\xef" * 300)
    rate_one(home)
    assert len(ratings(home)) == 2


def test_a_backup_folder_that_cannot_be_written_is_told_and_reviewing_goes_on(home):
    (home / "backups").mkdir(mode=0o555)
    with Terminal("review", "--deck", "drill", home=home, before=LIKE_A_PERSON) as terminal:
        terminal.wait_for("cannot copy")  # the path before it decides where the line is broken
        question = terminal.rate()
    assert ratings(home) == [question]
