"""Rounds and their scripts in the library: kept packed, told of when edited or written twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drillkit.content.library import Change
from drillkit.content.shelf import Shelf
from drillkit.workspace import Workspace

SMALL = (Path(__file__).parent.parent / "cases" / "small_round.yaml").read_text(encoding="utf-8")
SCRIPT = 'script: strong\nround: small\nverdict: [hire]\nsteps:\n  - {at: "1:00", phase: compute}\n'


@pytest.fixture
def write(tmp_path):
    def written(text: str, name: str = "small.yaml", written_s: int = 1_600_000_000) -> Path:
        path = tmp_path / "problems" / "rounds" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (written_s, written_s))
        return path

    return written


def test_library_holds_rounds_and_their_scripts(tmp_path, write):
    path = write(SMALL)
    write(SCRIPT, "small.strong.yaml")
    write(SCRIPT.replace("strong", "weak"), "small.weak.yaml")
    library = Shelf([tmp_path], None).read()
    assert library.diagnostics == ()
    assert list(library.rounds) == ["small"]
    assert library.rounds["small"].path == str(path)
    assert [script.name for script in library.scripts["small"]] == ["strong", "weak"]
    assert (library.items, library.decks) == ({}, {})


def test_rounds_come_in_their_order(tmp_path, write):
    write(SMALL.replace("round: small", "round: late").replace("order: 7", "order: 9"), "a.yaml")
    write(SMALL, "b.yaml")
    assert list(Shelf([tmp_path], None).read().rounds) == ["small", "late"]


def test_unchanged_round_comes_from_the_cache_as_it_was_read(tmp_path, write):
    write(SMALL)
    write(SCRIPT, "small.strong.yaml")
    write(SMALL.replace("minutes: 14", "minutes: 15"), "broken.yaml")
    first = Shelf([tmp_path], tmp_path / "cache").read()
    again = Shelf([tmp_path], tmp_path / "cache").read()
    assert (first.files_read, again.files_read) == (3, 0)
    assert (again.rounds, again.scripts) == (first.rounds, first.scripts)
    assert [found.code for found in again.diagnostics] == ["minutes"]


def test_library_from_the_cache_unpacks_no_round_before_it_is_asked_for(tmp_path, write):
    """The first screen of the morning needs none of them."""
    write(SMALL)
    Shelf([tmp_path], tmp_path / "cache").read()
    code = (
        "import sys; from pathlib import Path; from drillkit.content.shelf import Shelf;"
        f"library = Shelf([Path({str(tmp_path)!r})], Path({str(tmp_path / 'cache')!r})).read();"
        "assert library.files_read == 0; print('drillkit.content.round' in sys.modules);"
        "print(list(library.rounds))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split("\n")[:2] == ["False", "['small']"]


def test_edit_of_a_round_is_told_and_one_that_only_moved_is_none(tmp_path, write):
    write(SMALL)
    shelf = Shelf([tmp_path], None)
    before = shelf.read()
    write("# moved\n\n" + SMALL, written_s=1_600_000_001)
    moved = shelf.read()
    assert not moved.change_from(before)
    write(SMALL.replace("order: 7", "order: 8"), written_s=1_600_000_002)
    edited = shelf.read()
    assert edited.change_from(moved) == Change(edited=("round:small",))
    assert str(edited.change_from(moved)) == "1 round edited"
    write(SMALL.replace("round: small", "round: second"), "second.yaml")
    added = shelf.read()
    assert str(added.change_from(edited)) == "1 round added"
    write("deck: d\ncards:\n  - {id: a, ask: q, answer: x}\n", "d.yaml")
    write("", written_s=1_600_000_003)
    gone = shelf.read().change_from(added)
    assert str(gone).startswith("1 card added, 1 round removed, errors in ")


def test_round_that_stands_in_two_files_is_told_and_the_first_is_used(tmp_path, write):
    first = write(SMALL, "a.yaml")
    second = write(SMALL.replace("order: 7", "order: 1"), "b.yaml")
    library = Shelf([tmp_path], None).read()
    (found,) = library.diagnostics
    assert (found.file, found.line, found.code) == (str(second), 2, "duplicate-id")
    assert f"stands in {first}:2 and again in {second}:2" in found.message
    assert library.rounds["small"].order == 7


def test_rounds_are_found_in_every_content_folder(tmp_path, write):
    write(SMALL)
    own = tmp_path / "home" / "problems" / "rounds" / "mine.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(SMALL.replace("round: small", "round: mine"), encoding="utf-8")
    workspace = Workspace(home=tmp_path / "home", content=(tmp_path,))
    assert {"small", "mine"} <= set(workspace.library().rounds)
