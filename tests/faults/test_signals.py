"""Signals, closed windows and wild resizing: it ends or goes on, and the terminal is as it was."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest
from terminal import PATIENCE_S, Terminal, assert_sound, ratings, write_home


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path / "home", 12)


def review(home):
    return Terminal("review", "--deck", "drill", home=home)


def wait_stopped(terminal):
    give_up = time.monotonic() + PATIENCE_S
    while True:
        terminal.read(0.02)
        pid, status = os.waitpid(terminal.process.pid, os.WUNTRACED | os.WNOHANG)
        if pid and os.WIFSTOPPED(status):
            terminal.read(0)
            return
        assert not pid, "it ended instead of stopping"
        assert time.monotonic() < give_up, "it does not stop"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["TERM", "HUP"])
@pytest.mark.parametrize("place", ["question", "answer", "dialog", "home"])
def test_a_signal_to_end_is_heeded_everywhere(home, number, place):
    with review(home) as terminal:
        rated = [terminal.rate(), terminal.rate()]
        if place == "answer":
            terminal.reveal()
        elif place == "dialog":
            terminal.press("i")
            terminal.wait_for("memory", "drill/c2")
        elif place == "home":
            terminal.press("q")
            terminal.wait_for("All decks")
        terminal.signal(number)
        terminal.wait_exit()
        terminal.assert_restored()
        assert "Traceback" not in terminal.text
    assert ratings(home) == rated
    assert_sound(home)


def test_a_signal_while_it_starts_leaves_a_usable_terminal(home):
    chance = random.Random(3)
    for _ in range(5):
        with review(home) as terminal:
            give_up = time.monotonic() + chance.uniform(0.1, 1.2)
            while time.monotonic() < give_up:
                terminal.read(0.01)
            terminal.signal(signal.SIGTERM)
            terminal.wait_exit()
            terminal.assert_restored()
            assert "Traceback" not in terminal.text
    assert_sound(home)


def test_a_closed_window_ends_it_and_keeps_every_rating(home):
    with review(home) as terminal:
        rated = [terminal.rate(), terminal.rate()]
        terminal.reveal()
        terminal.hang_up()
        assert terminal.process.wait(PATIENCE_S) is not None
    assert ratings(home) == rated
    assert_sound(home)


def test_a_rating_given_while_the_window_closes_is_kept_whole_or_not_at_all(home):
    rated = []
    for _ in range(3):
        with review(home) as terminal:
            terminal.wait_until(lambda: terminal.question != "", "a question")
            question = terminal.question
            terminal.reveal()
            terminal.press("4")
            terminal.hang_up()
            terminal.process.wait(PATIENCE_S)
        logged = ratings(home)
        assert logged in (rated, [*rated, question])
        rated = logged
        assert_sound(home)


@pytest.mark.parametrize("how", ["signal", "key"])
def test_suspended_it_gives_the_terminal_back_and_goes_on_where_it_was(home, how):
    with review(home) as terminal:
        first = terminal.rate()
        question = terminal.question
        for _ in range(2):
            if how == "signal":
                terminal.signal(signal.SIGTSTP)
            else:
                terminal.press("\x1a")
            wait_stopped(terminal)
            terminal.assert_restored()
            terminal.signal(signal.SIGCONT)
            terminal.wait_for(question, "1 done")
        terminal.rate()
        assert ratings(home) == [first, question]
        terminal.press("q")
        terminal.wait_for("All decks")
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.assert_restored()
    assert_sound(home)


def test_a_storm_of_resizes_down_to_one_cell_is_survived(home):
    chance = random.Random(7)
    with review(home) as terminal:
        rated = [terminal.rate()]
        for storm in range(3):
            for _ in range(100):
                terminal.resize(chance.randint(1, 300), chance.randint(1, 100))
                terminal.read(0)
            # Of two sizes within a few milliseconds Textual now and then misses the second.
            terminal.read(0.3)
            terminal.resize(*((1, 1), (300, 100), (60, 15))[storm])
            if storm == 1:
                terminal.wait_for("Question", "1 done")
                terminal.reveal()
            terminal.read(0.05)
        terminal.wait_for("Question", "1 done", "1 Again")
        terminal.press("4")
        terminal.wait_for("2 done")
        rated.append("Question 1?")
        terminal.press("q")
        terminal.wait_for("All decks")
        terminal.resize(1, 1)
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.assert_restored()
    assert ratings(home) == rated
    assert_sound(home)


@pytest.mark.parametrize("size", [(59, 15), (60, 14), (20, 5)])
def test_a_window_that_is_too_small_says_what_it_needs(home, size):
    with Terminal(home=home, size=size) as terminal:
        terminal.wait_until(
            lambda: "drillkit needs 60 columns and 15 rows" in " ".join(terminal.text.split()),
            "what it needs",
        )
        terminal.resize(60, 15)
        terminal.wait_for("All decks", "Review")
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.assert_restored()


def reveal_patiently(terminal):
    give_up = time.monotonic() + PATIENCE_S
    while "1 to 4 rate" not in terminal.text:
        assert time.monotonic() < give_up, f"no key is heard any more:\n{terminal.text}"
        terminal.press(" ")
        terminal.read(0.3)


@pytest.mark.parametrize("stopped", [True, False], ids=["after STOP", "out of the blue"])
def test_going_on_after_a_stop_that_cannot_be_caught(home, stopped):
    """SIGSTOP leaves no time to tidy up; the SIGCONT after it must not tangle the terminal."""
    with review(home) as terminal:
        rated = [terminal.rate()]
        for _ in range(2):
            if stopped:
                terminal.signal(signal.SIGSTOP)
                wait_stopped(terminal)
            terminal.signal(signal.SIGCONT)
            # A key that arrives while the modes are being set again is lost, like any typed ahead.
            reveal_patiently(terminal)
            rated.append(terminal.rate())
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        terminal.assert_restored()
    assert ratings(home) == rated
    assert_sound(home)
