"""`drillkit due` without the command line's library says what it says with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from drillkit.cli.app import run
from drillkit.cli.due import quick_due

DECK = """\
deck: own
order: 1
cards:
  - {id: a, ask: A?, answer: x}
  - {id: b, ask: B?, answer: y}
"""
AT = ["--at", "2026-12-01T08:00+01:00"]


@pytest.fixture
def home(tmp_path):
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "own.yaml").write_text(DECK)
    return ["--home", str(tmp_path)]


@pytest.mark.parametrize("words", [["due"], ["due", "--json"]])
def test_it_prints_what_the_full_command_prints(home, words, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["drillkit", *home, *AT, *words])
    assert run() == 0
    full = capsys.readouterr().out
    assert quick_due([*home, *AT, *words]) == 0
    assert capsys.readouterr().out == full
    assert "own" in full


def test_a_further_content_folder_counts(home, tmp_path, capsys):
    more = tmp_path / "more"
    more.mkdir()
    (more / "more.yaml").write_text(DECK.replace("own", "further"))
    assert quick_due([*home, "--content", str(more), "due", "--json"]) == 0
    assert '"further"' in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["due", "--help"],
        ["due", "more"],
        ["review"],
        ["--content", "/nowhere/at/all", "due"],
        ["--at", "yesterday", "due"],
        ["--home"],
    ],
)
def test_everything_else_is_left_to_the_full_command_line(words, capsys):
    assert quick_due(words) is None
    assert capsys.readouterr().out == ""


def test_a_damaged_collection_is_told_by_the_full_command_line(home, tmp_path, capsys):
    (tmp_path / "collection.db").write_bytes(b"no database at all")
    assert quick_due([*home, "due"]) is None
    assert capsys.readouterr().out == ""


def test_the_process_loads_no_command_line_library(home):
    command = [sys.executable, "-X", "importtime", "-m", "drillkit", *home, "due"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]
    )
    assert "own: 0 due, 2 new" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "drillkit.cli.due" in loaded
    assert not loaded & {"typer", "pydantic", "textual", "sympy", "numpy"}
