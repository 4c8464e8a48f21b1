"""settings.toml as it is changed from the settings screen."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomlkit

from drillkit.content.library import Place
from drillkit.errors import DrillkitError
from drillkit.settings import READERS, Settings, read_settings, settings_of
from drillkit.settings_file import ABOUT, SettingsFile

TEXT = """\
# mine
day_starts = 5   # I rise late

[review]
fuzz = false     # no surprises
# less is more
new_per_day = 10
"""


@pytest.fixture
def file(tmp_path):
    return SettingsFile(tmp_path / "config" / "settings.toml")


@pytest.fixture
def written(file):
    file.path.parent.mkdir()
    file.path.write_text(TEXT)
    return file


def test_every_setting_is_listed_with_its_default():
    assert set(ABOUT) == set(READERS)
    table = {}
    for key, (about, default) in ABOUT.items():
        assert about
        section, _, name = key.rpartition(".")
        place = table.setdefault(section, {}) if section else table
        place[name] = tomlkit.value(default).unwrap()
    assert settings_of(table) == Settings()


def test_entries_show_what_the_file_says_and_the_defaults(written):
    shown = {entry.key: entry.text for entry in written.entries()}
    assert shown["day_starts"] == "5"
    assert shown["review.fuzz"] == "false"
    assert shown["review.retention"] == "0.9"
    assert list(shown) == list(ABOUT)


def test_missing_file_shows_the_defaults(file):
    assert [entry.text for entry in file.entries()] == [default for _, default in ABOUT.values()]
    assert not file.path.exists()


def test_change_touches_one_value_and_keeps_comments_and_order(written):
    written.change("review.new_per_day", "25")
    assert written.path.read_text() == TEXT.replace("new_per_day = 10", "new_per_day = 25")


def test_new_key_goes_into_its_section(written):
    written.change("review.retention", "0.95")
    assert written.path.read_text() == TEXT + "retention = 0.95\n"
    assert read_settings(written.path).retention.default == 0.95


def test_first_change_makes_the_file_its_folder_and_the_section(file):
    file.change("review.retention", "0.95")
    assert file.path.read_text() == "[review]\nretention = 0.95\n"


def test_nothing_typed_gives_the_default_back(written):
    written.change("review.fuzz", "")
    assert read_settings(written.path).fuzz
    assert "fuzz" not in written.path.read_text()
    written.change("review.fuzz", "")


@pytest.mark.parametrize(
    ("key", "typed", "name", "value"),
    [
        ("theme", "light", "theme", "light"),
        ("theme", '"light"', "theme", "light"),
        ("editor", 'code -w "x"', "editor", 'code -w "x"'),
        ("editor", "C:\\vim", "editor", "C:\\vim"),
        ("interview", "2026-12-20", "interview", None),
        ("review.learning_steps", '["5m"]', "learning_steps_s", (300,)),
    ],
)
def test_value_may_be_typed_as_toml_or_as_a_bare_text(file, key, typed, name, value):
    file.change(key, typed)
    read = getattr(read_settings(file.path), name)
    assert read == value if value is not None else str(read) == typed


@pytest.mark.parametrize(
    ("key", "typed", "what"),
    [
        ("theme", "drak", "theme = 'drak': theme is one of dark, light, ansi"),
        (
            "review.retention",
            "90%",
            "review.retention = '90%': review.retention is a number from 0.70 to 0.99",
        ),
        ("day_starts", "[", "day_starts = '[': day_starts is a whole number from 0 to 23"),
        ("review.fuzzy", "1", "unknown key 'review.fuzzy'; did you mean 'review.fuzz'?"),
        ("editor", "a\nb", None),
    ],
)
def test_wrong_value_is_told_and_not_written(written, key, typed, what):
    with pytest.raises(DrillkitError) as caught:
        written.change(key, typed)
    assert what is None or caught.value.what == what
    assert written.path.read_text() == TEXT


def test_other_faults_of_the_file_stop_a_change(written):
    broken = TEXT.replace("false", "'maybe'")
    written.path.write_text(broken)
    with pytest.raises(DrillkitError, match=r"review\.fuzz is true or false"):
        written.change("theme", "light")
    assert written.path.read_text() == broken
    written.change("review.fuzz", "true")
    assert read_settings(written.path).fuzz


def test_section_that_is_a_value_is_told(written):
    written.path.write_text("review = 3\n")
    with pytest.raises(DrillkitError, match="'review' is a section"):
        written.entries()
    with pytest.raises(DrillkitError, match="'review' is a section"):
        written.change("review.fuzz", "true")


@pytest.mark.parametrize("raw", [b"theme = \n", b'editor = "caf\xe9"\n'])
def test_file_that_cannot_be_read_is_told(written, raw):
    written.path.write_bytes(raw)
    with pytest.raises(DrillkitError, match="cannot be read") as caught:
        written.entries()
    assert caught.value.where == str(written.path)


def test_windows_line_ends_are_kept_and_a_byte_order_mark_is_read(written):
    written.path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    written.change("day_starts", "6")
    assert written.path.read_bytes() == (
        TEXT.replace("\n", "\r\n").replace("day_starts = 5", "day_starts = 6").encode()
    )


def test_link_stays_a_link(written, tmp_path):
    link = SettingsFile(tmp_path / "link.toml")
    link.path.symlink_to(written.path)
    link.change("day_starts", "6")
    assert link.path.is_symlink()
    assert read_settings(written.path).day_starts == 6


def test_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DrillkitError, match="cannot be "):
        SettingsFile(tmp_path / "file" / "settings.toml").change("theme", "light")


def test_failed_write_leaves_the_old_file(written, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(DrillkitError, match="No space left on device"):
        written.change("theme", "light")
    assert written.path.read_text() == TEXT


def test_editor_opens_at_the_first_line_of_a_file_that_is_there(file):
    assert file.place() == Place(file.path, 1)
    assert read_settings(file.path) == Settings()
    file.path.write_text(TEXT)
    file.place()
    assert file.path.read_text() == TEXT
