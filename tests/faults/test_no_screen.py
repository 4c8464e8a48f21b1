"""Where no screens can be drawn: a plain message or the plain front end, never a hang."""

from __future__ import annotations

import subprocess
import sys

import pytest
from terminal import PATIENCE_S, Terminal, environment, ratings, run, write_home


@pytest.fixture
def home(tmp_path):
    return write_home(tmp_path / "home", 5)


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_dumb_terminal_is_told_what_to_use_instead(home, term):
    with Terminal(home=home, env={"TERM": term}) as terminal:
        assert terminal.wait_exit() == 2
        assert "need a terminal" in terminal.text
        assert "review --plain" in terminal.text
        assert b"\x1b" not in terminal.raw


def test_review_on_a_dumb_terminal_asks_line_by_line(home):
    with Terminal("review", "--deck", "drill", home=home, env={"TERM": "dumb"}) as terminal:
        terminal.wait_for("Question 0?")
        terminal.press("\n")
        terminal.wait_for("Answer 0.")
        terminal.press("4\n")
        terminal.wait_for("Question 1?")
        terminal.press("q\n")
        assert terminal.wait_exit() == 0
        assert b"\x1b" not in terminal.raw
        terminal.assert_restored()
    assert ratings(home) == ["Question 0?"]


def test_without_a_terminal_the_app_says_so(home):
    told = run(home=home)
    assert told.returncode == 2
    assert "need a terminal" in told.stderr
    assert told.stdout == ""


def test_review_in_a_pipe_asks_line_by_line_and_ends_with_its_input(home):
    told = run("review", "--deck", "drill", home=home, typed="\n3\n\n")
    assert told.returncode == 0, told.stderr
    assert "Answer 0." in told.stdout
    assert "\x1b" not in told.stdout
    assert ratings(home) == ["Question 0?"]


def test_review_with_closed_streams_does_not_hang(home):
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        command = f'exec "{sys.executable}" -m drillkit review --deck drill {closed}'
        ended = subprocess.run(
            ["sh", "-c", command],
            env=environment(home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert ended.returncode in (0, 1, 2), (closed, ended.stderr.decode())
        assert b"Traceback" not in ended.stderr, (closed, ended.stderr.decode())


def test_a_reader_that_has_enough_ends_it_quietly(home):
    command = f'"{sys.executable}" -m drillkit review --plain --deck drill | head -n 1'
    ended = subprocess.run(
        ["sh", "-c", command],
        env=environment(home),
        input=b"\n" * 50,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0
    assert ended.stderr == b""


def test_drawing_sent_elsewhere_does_not_leave_an_empty_screen_that_waits(home):
    away = "import os\nos.dup2(os.open(os.devnull, os.O_WRONLY), 2)\n"
    with Terminal(home=home, before=away) as terminal:
        assert terminal.wait_exit() == 2
        terminal.assert_restored()


def test_only_one_end_on_a_terminal_does_not_hang(home):
    """The screens need both: keys come in here, drawing goes out there."""
    with Terminal(home=home) as terminal:
        told = subprocess.run(
            [sys.executable, "-m", "drillkit"],
            env=environment(home),
            stdin=terminal.master,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert told.returncode == 2
    assert b"need a terminal" in told.stderr
