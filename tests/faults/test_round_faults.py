"""A design round in a real terminal: killed, stopped, resized, opened twice, without colour."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import time
from pathlib import Path

import pytest
from terminal import LIKE_A_PERSON, PATIENCE_S, Terminal, write_home

from drillkit.rounds.journal import read_journal
from drillkit.rounds.state import replay

SMALL = Path(__file__).parents[1] / "cases" / "small_round.yaml"
LEAST_KEPT_S = 2.0


@pytest.fixture
def home(tmp_path):
    made = write_home(tmp_path / "home", 1)
    (made / "problems" / "rounds").mkdir(parents=True)
    shutil.copy(SMALL, made / "problems" / "rounds" / "small.yaml")
    return made


def playing(home, *, mode="interview", size=(80, 24), env=None):
    return Terminal("round", "small", "--mode", mode, "--seed", "0", home=home, size=size, env=env)


def started(terminal):
    terminal.wait_for("[CLARIFY", "board: clarify", "Esc Menu")


def state_of(home):
    (journal,) = (home / "rounds" / "small").glob("*.jsonl")
    return replay(read_journal(journal))


def type_and_see(terminal, text):
    terminal.press(text)
    terminal.wait_for(text)


def wait_stopped(terminal):
    give_up = time.monotonic() + PATIENCE_S
    while True:
        terminal.read(0.02)
        pid, status = os.waitpid(terminal.process.pid, os.WUNTRACED | os.WNOHANG)
        if pid and os.WIFSTOPPED(status):
            terminal.read(0)
            return
        assert time.monotonic() < give_up, "it does not stop"


def test_killed_while_one_types_it_loses_at_most_the_last_two_seconds(home):
    typed = []
    with playing(home) as terminal:
        started(terminal)
        begun = time.monotonic()
        number = 0
        while time.monotonic() - begun < 4.5:
            text = f"line {number:03d}"
            terminal.press(f"{text}\r")
            typed.append((time.monotonic(), text))
            number += 1
            terminal.read(0.1)
        terminal.wait_for(typed[-1][1])
        terminal.signal(signal.SIGKILL)
        killed = time.monotonic()
        terminal.process.wait()
    board = state_of(home).board
    for when, text in typed:
        if killed - when > LEAST_KEPT_S:
            assert text in board
    with Terminal("round", "small", "--mode", "interview", home=home) as terminal:
        terminal.wait_for("left unfinished", "Resume at")
        terminal.press("\r")
        terminal.wait_for("board: clarify", "line ")
        type_and_see(terminal, "and on")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        terminal.assert_restored()
    state = state_of(home)
    assert state.board.startswith(board)
    assert state.board.endswith("and on"), "what was typed just before SIGTERM is kept"
    assert [one.counted for one in state.absences] == [True]
    # The time away counts in an interview.
    assert state.elapsed_s > killed - begun


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["TERM", "HUP"])
def test_a_signal_to_end_keeps_the_last_key(home, number):
    with playing(home) as terminal:
        started(terminal)
        type_and_see(terminal, "the last word")
        terminal.signal(number)
        terminal.wait_exit()
        terminal.assert_restored()
        assert "Traceback" not in terminal.text
    assert state_of(home).board.endswith("the last word")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["interview", "practice"])
def test_stopped_for_a_while_it_notes_one_absence(home, mode):
    with playing(home, mode=mode) as terminal:
        started(terminal)
        type_and_see(terminal, "before")
        terminal.signal(signal.SIGSTOP)
        wait_stopped(terminal)
        time.sleep(7)
        terminal.signal(signal.SIGCONT)
        if mode == "practice":
            terminal.wait_for("does it count?")
            terminal.press("n")
            terminal.wait_until(lambda: "does it count?" not in terminal.text, "the answer")
        else:
            terminal.wait_for("an interview does not wait")
        type_and_see(terminal, " after")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        terminal.assert_restored()
    state = state_of(home)
    (absence,) = state.absences
    assert absence.counted is (mode == "interview")
    assert 6 <= absence.seconds <= 20
    assert state.board.endswith("before after")


@pytest.mark.parametrize("change", ["deleted", "broken", "edited"])
def test_a_round_goes_on_as_it_was_though_its_file_changed_meanwhile(home, change):
    path = home / "problems" / "rounds" / "small.yaml"
    with playing(home, mode="practice") as terminal:
        started(terminal)
        if change == "deleted":
            path.unlink()
        elif change == "broken":
            path.write_text("round: small\nphases: [", "utf-8")
        else:
            text = path.read_text("utf-8").replace("title: Pretrain a 7B", "title: Pretrain a 99B")
            path.write_text(text.replace("6*params +", "9*params +"), "utf-8")
        terminal.press("\x1b[19~")
        terminal.wait_for("[COMPUTE")
        type_and_see(terminal, "6ND")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
    with Terminal("round", "small", home=home) as terminal:
        terminal.wait_for("Pretrain a 7B decoder", "left unfinished", "Resume at")
        terminal.press("\r")
        terminal.wait_for("[COMPUTE", "6ND")
        terminal.press("\x1bOR")
        terminal.wait_for("training FLOPs per token")
        terminal.press("4.52e10 FLOP\r")
        terminal.wait_for("flops_tok 4.52 × 10¹⁰ FLOP: right.")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        terminal.assert_restored()
        assert "Traceback" not in terminal.text
    assert state_of(home).numbers[0].verdict.band == "exact"


def test_a_full_disk_is_told_and_nothing_is_lost_that_was_kept(home):
    with playing(home) as terminal:
        started(terminal)
        type_and_see(terminal, "before")
        pid = terminal.process.pid
        hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
        terminal.wait_until(lambda: state_of(home).board.endswith("before"), "the board kept")
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
        type_and_see(terminal, " meanwhile")
        terminal.wait_for("cannot be written", "NOT KEPT")
        terminal.press("\x1b[19~")
        terminal.wait_for("[CLARIFY")
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
        terminal.wait_until(lambda: "NOT KEPT" not in terminal.text, "the board kept again")
        terminal.press("\x1b[19~")
        terminal.wait_for("[COMPUTE")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        terminal.assert_restored()
    state = state_of(home)
    assert [one.phase for one in state.visits] == ["clarify", "compute"]
    assert "before meanwhile" in state.board


def test_a_folder_that_nobody_may_write_in_is_told_and_another_name_than_utf_8_is_as_good(
    tmp_path,
):
    home = write_home(Path(os.fsdecode(os.fsencode(tmp_path / "h") + b"\xe9")), 1)
    (home / "problems" / "rounds").mkdir(parents=True)
    shutil.copy(SMALL, home / "problems" / "rounds" / "small.yaml")
    (home / "rounds").mkdir(mode=0o555)
    options = ("round", "small", "--mode", "practice", "--seed", "0")
    with Terminal(*options, home=home, before=LIKE_A_PERSON) as terminal:
        terminal.wait_for("journal", "ermission")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        terminal.assert_restored()
    (home / "rounds").chmod(0o755)
    with Terminal(*options, home=home, before=LIKE_A_PERSON) as terminal:
        started(terminal)
        type_and_see(terminal, "kept")
        terminal.signal(signal.SIGKILL)
        terminal.process.wait()
    (home / "rounds" / "small" / "folder.jsonl").mkdir()
    with Terminal("round", "small", home=home) as terminal:
        terminal.wait_for("left unfinished")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        terminal.assert_restored()


def test_made_small_it_says_what_it_needs_and_goes_on(home):
    with playing(home) as terminal:
        started(terminal)
        type_and_see(terminal, "abc")
        terminal.resize(60, 20)
        terminal.wait_until(
            lambda: "needs 80×24" in " ".join(terminal.text.split()) and "left" in terminal.text,
            "what it needs, and the clock",
        )
        before = [line.strip() for line in terminal.screen.lines if "left" in line]
        terminal.wait_until(
            lambda: [line.strip() for line in terminal.screen.lines if "left" in line] != before,
            "the clock to go on",
        )
        terminal.press("xyz")
        terminal.resize(80, 24)
        started(terminal)
        terminal.press("def")
        terminal.wait_for("abcdef")
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
    assert state_of(home).board.endswith("abcdef")


def test_a_second_drillkit_is_refused_the_same_round(home):
    with playing(home) as one:
        started(one)
        with playing(home) as other:
            other.wait_for("the round small is being played in", "another window")
            one.press("mine")
            one.wait_for("mine")
            other.signal(signal.SIGTERM)
            other.wait_exit()
        one.signal(signal.SIGTERM)
        one.wait_exit()
    assert state_of(home).board.endswith("mine")


def test_what_is_pasted_is_shown_and_never_obeyed(home):
    with playing(home) as terminal:
        started(terminal)
        pasted = "\x1b[200~[/foo] W[i] a\x07b\x1b]52;c;cm0=\x07c\u202ed\x1b[201~"
        before = len(terminal.raw)
        terminal.press(pasted)
        terminal.wait_for("[/foo] W[i] a␇b")
        terminal.read(0.3)
        written = bytes(terminal.raw[before:])
        assert b"\x07" not in written
        assert b"\x1b]52;" not in written
        assert "\u202e".encode() not in written
        terminal.signal(signal.SIGTERM)
        terminal.wait_exit()
        assert terminal.screen.unknown == []
    assert "\x07" not in state_of(home).board


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "vt100"}])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_without_colour_every_state_is_told_in_words(home, env, size):
    with playing(home, mode="practice", size=size, env=env) as terminal:
        started(terminal)
        terminal.wait_for("PRACTICE", "left", "on pace", "write down: model shape")
        terminal.press("\x1bOS")
        terminal.wait_for("ask:")
        terminal.press("?deadline\r")
        terminal.wait_for("deadline: 14 days")
        terminal.press("\x1b[19~")
        terminal.wait_for("[COMPUTE", "You did not ask for")
        terminal.press("\x1bOR")
        terminal.wait_for("training FLOPs per token")
        terminal.press("4.52e10 FLOP\r")
        terminal.wait_for("flops_tok 4.52 × 10¹⁰ FLOP: right.")
        terminal.press("\x11")
        terminal.wait_for("Leave the round?", "Esc stay")
        terminal.press("k")
        terminal.wait_for("All decks")
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.assert_restored()
        assert terminal.screen.unknown == []
