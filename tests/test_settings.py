"""settings.toml as it is read, and the folders."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

from drillkit.errors import DrillkitError
from drillkit.settings import (
    READERS,
    Folders,
    Retention,
    Settings,
    bundled_content,
    home_from_environment,
    read_settings,
)


@pytest.fixture
def read(tmp_path):
    def read_text(text: str | bytes) -> Settings:
        path = tmp_path / "settings.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_settings(path)

    return read_text


def test_missing_and_empty_files_give_the_defaults(tmp_path, read):
    assert read_settings(tmp_path / "nowhere.toml") == Settings()
    assert read("") == Settings()
    assert read("\n# nothing yet\n[review]\n") == Settings()


def test_every_setting_is_read(read):
    weights = ", ".join(["0.5"] * 21)
    assert read(
        f"""
        day_starts = 5
        interview = 2026-12-20
        theme = "light"
        editor = "vim -n"
        content = ["~/decks", "/srv/decks"]
        keys = {{ "review.undo" = "z" }}
        [review]
        retention = 0.85
        retention_by_deck = {{ zero = 0.95 }}
        retention_by_tag = {{ ring = 0.92 }}
        new_per_day = 0
        reviews_per_day = 9999
        learning_steps = ["30s", "10m", "2h", "1d"]
        relearning_steps = []
        max_interval_days = 180
        fuzz = false
        weights = [{weights}]
        leech_lapses = 4
        leech_action = "suspend"
        """
    ) == Settings(
        day_starts=5,
        interview=date(2026, 12, 20),
        theme="light",
        editor="vim -n",
        content=(Path("~/decks").expanduser(), Path("/srv/decks")),
        keys={"review.undo": "z"},
        retention=Retention(0.85, {"zero": 0.95}, {"ring": 0.92}),
        new_per_day=0,
        reviews_per_day=9999,
        learning_steps_s=(30, 600, 7200, 86_400),
        relearning_steps_s=(),
        max_interval_days=180,
        fuzz=False,
        weights=(0.5,) * 21,
        leech_lapses=4,
        leech_action="suspend",
    )


def test_byte_order_mark_and_windows_line_ends_are_no_matter(read):
    assert read(b'\xef\xbb\xbftheme = "light"\r\nday_starts = 3\r\n') == Settings(
        theme="light", day_starts=3
    )


@pytest.mark.parametrize("text", ['"2026-12-20"', "2026-12-20"])
def test_day_of_the_interview_is_a_date_or_a_text(read, text):
    assert read(f"interview = {text}").interview == date(2026, 12, 20)


def test_empty_day_of_the_interview_is_none(read):
    assert read('interview = ""').interview is None


WRONG = [
    ('theme = "drak"', "theme = 'drak': theme is one of dark, light, ansi"),
    ("day_starts = 24", "day_starts = 24: day_starts is a whole number from 0 to 23"),
    ("day_starts = true", "day_starts = True: day_starts is a whole number from 0 to 23"),
    ("day_starts = 4.0", "day_starts = 4.0: day_starts is a whole number from 0 to 23"),
    ("interview = 5", "interview = 5: interview is a date such as 2026-12-20"),
    ('interview = "soon"', "interview = 'soon': interview is a date such as 2026-12-20"),
    (
        "interview = 2026-12-20T10:00:00",
        (
            "interview = datetime.datetime(2026, 12, 20, 10, 0): "
            "interview is a date such as 2026-12-20"
        ),
    ),
    ("editor = 1", "editor = 1: editor is a text"),
    ('content = "x"', "content = 'x': content is a list of folders"),
    ('content = ["a\\u0000"]', "content = ['a\\x00']: content holds a NUL character"),
    ("keys = { undo = 1 }", "keys = {'undo': 1}: keys is a table such as { undo = \"u\" }"),
    (
        "review.retention = 0.5",
        "review.retention = 0.5: review.retention is a number from 0.70 to 0.99",
    ),
    (
        "review.retention = nan",
        "review.retention = nan: review.retention is a number from 0.70 to 0.99",
    ),
    (
        "review.retention_by_deck = 0.9",
        (
            "review.retention_by_deck = 0.9: review.retention_by_deck is a table such as "
            "{ collectives = 0.92 }"
        ),
    ),
    (
        "review.new_per_day = -1",
        "review.new_per_day = -1: review.new_per_day is a whole number from 0 to 9,999",
    ),
    (
        'review.learning_steps = "1m"',
        (
            "review.learning_steps = '1m': review.learning_steps is a list of steps such as "
            '["1m", "10m"]'
        ),
    ),
    (
        'review.learning_steps = ["0m"]',
        (
            "review.learning_steps = ['0m']: review.learning_steps is a list of steps such as "
            '["1m", "10m"]; units are s, m, h, d'
        ),
    ),
    ('review.fuzz = "yes"', "review.fuzz = 'yes': review.fuzz is true or false"),
    (
        "review.weights = [1, 2]",
        (
            "review.weights = [1, 2]: review.weights is a list of the 21 FSRS-6 weights, or empty "
            "for the defaults"
        ),
    ),
    (
        'review.leech_action = "bury"',
        "review.leech_action = 'bury': review.leech_action is one of flag, suspend",
    ),
    ('thme = "dark"', "unknown key 'thme'; did you mean 'theme'?"),
    ("retention = 0.9", "unknown key 'retention'; did you mean 'review.retention'?"),
    ("review.retenton = 0.9", "unknown key 'review.retenton'; did you mean 'review.retention'?"),
    ("[reveiw]\nfuzz = true", "unknown key 'reveiw'; did you mean 'review'?"),
    ("review = 3", "'review' is a section: write [review] and its keys below"),
    ("zzzzzz = 1", "unknown key 'zzzzzz'"),
]


@pytest.mark.parametrize(("text", "what"), WRONG, ids=[row[0] for row in WRONG])
def test_wrong_setting_is_told_with_what_it_may_be(tmp_path, read, text, what):
    with pytest.raises(DrillkitError) as caught:
        read(text)
    assert caught.value.what == what
    assert caught.value.where == str(tmp_path / "settings.toml")
    assert caught.value.hint == "remove a line to get its default back"


def test_all_problems_are_told_at_once(read):
    with pytest.raises(DrillkitError) as caught:
        read('thme = "dark"\nday_starts = 99\n[review]\nfuzz = 1\n')
    assert caught.value.what.count(";") == 3
    for name in ("'theme'", "day_starts", "review.fuzz"):
        assert name in caught.value.what


def test_text_that_is_not_toml_is_told_with_its_line(read):
    with pytest.raises(DrillkitError, match=r"not TOML: .*line 2") as caught:
        read('theme = "dark"\neditor = vim\n')
    assert caught.value.hint == "values of text stand in quotes"


def test_bytes_that_are_no_text_are_told(read):
    with pytest.raises(DrillkitError, match="the file is not UTF-8 text"):
        read(b'editor = "caf\xe9"')


def test_folder_in_the_files_place_is_told(tmp_path):
    with pytest.raises(DrillkitError, match="cannot read the settings: Is a directory"):
        read_settings(tmp_path)


def test_every_reader_names_a_setting():
    names = {name.partition(".")[0] for name, _ in READERS.values()}
    assert names == set(Settings.__dataclass_fields__)


@pytest.mark.parametrize(
    ("deck", "tags", "expected"),
    [
        ("zero", ("ring",), 0.95),  # the deck's stands before any tag's
        ("other", ("ring", "net"), 0.97),  # of several tags the strictest
        ("other", ("none",), 0.9),
        ("other", (), 0.9),
    ],
)
def test_retention_of_an_item(deck, tags, expected):
    chosen = Retention(0.9, {"zero": 0.95}, {"ring": 0.8, "net": 0.97})
    assert chosen.of(deck, tags) == expected


# --- the folders ---------------------------------------------------------------------------------


def test_home_holds_everything(tmp_path):
    folders = Folders.at(tmp_path)
    assert {
        folders.collection,
        folders.backups,
        folders.decks,
        folders.problems,
        folders.settings,
        folders.cache,
    } == {
        tmp_path / name
        for name in ("collection.db", "backups", "decks", "problems", "settings.toml", "cache")
    }


def test_without_a_home_the_platforms_places_are_used(monkeypatch):
    for name, place in (("DATA", "/d"), ("CONFIG", "/c"), ("CACHE", "/k")):
        monkeypatch.setenv(f"XDG_{name}_HOME", place)
    folders = Folders.at(None)
    if os.uname().sysname == "Linux":
        assert folders.collection == Path("/d/drillkit/collection.db")
        assert folders.settings == Path("/c/drillkit/settings.toml")
        assert folders.cache == Path("/k/drillkit")
    assert "drillkit" in str(folders.data)


def test_home_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("DRILLKIT_HOME", "~/study")
    assert home_from_environment() == Path("~/study").expanduser()
    monkeypatch.setenv("DRILLKIT_HOME", "")
    assert home_from_environment() is None
    monkeypatch.delenv("DRILLKIT_HOME")
    assert home_from_environment() is None


def test_bundled_decks_are_found():
    assert list((bundled_content() / "decks").glob("*.yaml"))
