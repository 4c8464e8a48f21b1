"""A disk that fills up between question and answer."""

from __future__ import annotations

import os
import resource
import subprocess

import pytest
from terminal import Terminal, assert_sound, ratings, write_home

UNLIMITED = resource.RLIM_INFINITY


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of 4 MB, where the tests may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "drillkit-test", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder):
    """Leave no byte free; return the file that takes the room."""
    path = folder / "filler"
    with path.open("wb", buffering=0) as file:
        for size in (65_536, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return path


def rate_on_a_full_disk(terminal, home, fill_disk, free_disk):
    first = terminal.rate()
    question = terminal.question
    terminal.reveal()
    fill_disk()
    terminal.press("4")
    terminal.wait_for("Not saved", "try again")
    assert terminal.question == question, "the same card stays"
    assert terminal.done == 1
    terminal.press("3")
    # The rest of the app goes on.
    terminal.press("i")
    terminal.wait_for("memory", "Esc Close")
    free_disk()
    terminal.press("q")
    terminal.wait_until(lambda: "Esc Close" not in terminal.text, "the card")
    terminal.press("4")
    terminal.wait_until(lambda: terminal.question not in {"", question}, "the next card")
    assert terminal.done == 2
    assert ratings(home) == [first, question]
    assert_sound(home)
    terminal.press("q")
    terminal.wait_for("All decks")
    terminal.press("q")
    assert terminal.wait_exit() == 0
    terminal.assert_restored()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux's prlimit")
def test_a_rating_refused_by_a_file_limit_is_told_and_can_be_repeated(tmp_path):
    home = write_home(tmp_path / "home", 5)
    with Terminal("review", "--deck", "drill", home=home) as terminal:
        pid = terminal.process.pid
        hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
        rate_on_a_full_disk(
            terminal,
            home,
            lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard)),
            lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard)),
        )


def test_a_rating_refused_by_a_full_disk_is_told_and_can_be_repeated(tiny_disk):
    home = write_home(tiny_disk / "home", 5)
    with Terminal("review", "--deck", "drill", home=home) as terminal:
        rate_on_a_full_disk(terminal, home, lambda: fill(tiny_disk), (tiny_disk / "filler").unlink)


def test_undo_refused_by_a_full_disk_changes_nothing(tiny_disk):
    home = write_home(tiny_disk / "home", 5)
    with Terminal("review", "--deck", "drill", home=home) as terminal:
        first = terminal.rate()
        filler = fill(tiny_disk)
        terminal.press("u")
        terminal.wait_for("Not saved")
        assert terminal.done == 1
        filler.unlink()
        terminal.press("u")
        terminal.wait_until(lambda: terminal.question == first, "the undone card")
        assert ratings(home) == []
        assert_sound(home)


def test_a_start_on_a_full_disk_says_so_and_leaves_the_terminal_alone(tiny_disk):
    home = write_home(tiny_disk / "home", 5)
    fill(tiny_disk)
    with Terminal(home=home) as terminal:
        assert terminal.wait_exit() == 1
        terminal.assert_restored()
        assert "full" in terminal.text, terminal.text
        assert "Traceback" not in terminal.text
