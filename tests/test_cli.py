"""The commands: what they print, where they print it, and what they end with."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from drillkit import __version__
from drillkit.cli.app import run
from drillkit.harmless import harmless

ROOT = Path(__file__).parents[1]
MORNING = "2026-12-01T08:00+01:00"
DECK = """\
deck: d
title: D
tags: [t]
cards:
  - {id: a, ask: A?, answer: x}
  - {id: b, ask: B?, answer: y}
"""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home with one deck of two cards, and none of the bundled ones."""
    monkeypatch.setattr("drillkit.workspace.bundled_content", lambda: tmp_path / "none")
    monkeypatch.setenv("DRILLKIT_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "decks").mkdir(parents=True)
    (tmp_path / "home" / "decks" / "d.yaml").write_text(DECK)
    (tmp_path / "home" / "settings.toml").write_text("review.fuzz = false\n")
    return tmp_path / "home"


@pytest.fixture
def drill(monkeypatch, capsys):
    """Run a command line; return its exit code and what it printed."""

    def call(*words: object, at: str = MORNING, typed: str = ""):
        monkeypatch.setattr(sys, "argv", ["drillkit", "--at", at, *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run()
        printed = capsys.readouterr()
        return SimpleNamespace(code=code, out=printed.out, err=printed.err)

    return call


def process(*words: object, **more):
    """Run drillkit as its own process, as a script does."""
    return subprocess.run(
        [sys.executable, "-m", "drillkit", *map(str, words)],
        capture_output=True,
        check=False,
        cwd=ROOT,
        **more,
    )


def document(done):
    """Return the one JSON document that was printed, and nothing else."""
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


# --- due -----------------------------------------------------------------------------------------


def test_due_says_what_waits(drill):
    assert document(drill("due", "--json")) == {
        "due": 0,
        "new": 2,
        "learning": 0,
        "by_deck": {"d": {"due": 0, "new": 2, "learning": 0}},
        "next_due_at": None,
    }
    assert drill("due").out == "0 due, 2 new, 0 learning\n  d: 0 due, 2 new, 0 learning\n"


def test_due_names_the_next_time_when_nothing_waits(drill):
    for item in ("d/a", "d/b"):
        drill("rate", item, "easy")
    waiting = document(drill("due", "--json"))
    assert (waiting["due"], waiting["new"]) == (0, 0)
    assert waiting["next_due_at"] == "2026-12-09T04:00:00+01:00"
    assert "next: 2026-12-09 04:00" in drill("due").out


def test_at_sets_the_clock(drill):
    for item in ("d/a", "d/b"):
        drill("rate", item, "easy")
    later = document(drill("due", "--json", at="2026-12-12T08:00+01:00"))
    assert (later["due"], later["new"]) == (2, 0)


# --- rate, mark, undo ----------------------------------------------------------------------------


def test_rate_writes_one_event_and_says_when_the_card_comes_back(drill):
    standing = document(drill("rate", "d/a", "good", "--json"))
    assert set(standing) >= {
        "item",
        "reps",
        "lapses",
        "stability",
        "difficulty",
        "due_at",
        "intervals",
    }
    assert (standing["item"], standing["reps"], standing["lapses"]) == ("d/a", 1, 0)
    assert standing["due_at"].startswith("2026-12-01T08:10:00")
    assert list(standing["intervals"]) == ["again", "hard", "good", "easy"]
    assert standing["stability"] > 0
    rated = [
        e for e in document(drill("log", "--json"))["events"] if e["action"]["kind"] == "rated"
    ]
    assert [(event["action"]["item"], event["action"]["rating"]) for event in rated] == [("d/a", 3)]


def test_rate_without_json_says_it_in_a_line(drill):
    assert drill("rate", "d/a", "easy").out.startswith("d/a: easy, back in 8 d")


def test_undo_takes_the_last_action_back(drill):
    drill("rate", "d/a", "good")
    assert document(drill("undo", "--json"))["reps"] == 0
    drill("rate", "d/b", "good")
    assert drill("undo").out == "d/b: undone\n"
    assert document(drill("due", "--json"))["new"] == 2


def test_undo_of_nothing_is_told(drill):
    done = drill("undo", "--json")
    assert (done.code, done.out, done.err) == (1, "", "error: there is nothing to undo\n")


def test_mark_and_take_it_back(drill):
    assert document(drill("mark", "d/a", "suspend", "--json"))["suspended"] is True
    assert document(drill("due", "--json"))["new"] == 1
    assert drill("mark", "d/a", "unsuspend").out == "d/a: unsuspend\n"
    assert document(drill("due", "--json"))["new"] == 2
    assert document(drill("mark", "d/b", "flag", "--json"))["flagged"] is True


# --- log, stats, doctor, backup, restore ---------------------------------------------------------


def test_log_lists_the_events_oldest_first(drill):
    drill("rate", "d/a", "good")
    drill("rate", "d/b", "again", at="2026-12-01T08:05+01:00")
    events = document(drill("log", "--json"))["events"]
    assert [event["seq"] for event in events] == sorted(event["seq"] for event in events)
    assert set(events[0]) >= {"seq", "id", "device", "utc_ms", "offset_min", "study_day", "action"}
    lines = drill("log", "--item", "d/b").out.splitlines()
    assert len(lines) == 1
    assert "2026-12-01T08:05:00+0100 rated item=d/b rating=1" in lines[0]


def test_log_of_nothing_is_empty(drill):
    assert document(drill("log", "--json")) == {"events": []}
    assert drill("log").out == ""


def test_stats_are_one_document_or_lines(drill):
    drill("rate", "d/a", "good")
    assert document(drill("stats", "--json"))["reviews"] >= 0
    assert drill("stats").out.startswith("streak: ")


def test_doctor_proves_the_state(drill, home):
    drill("rate", "d/a", "good")
    report = document(drill("doctor", "--json"))
    assert (report["clean"], report["items"], report["findings"]) == (True, 1, [])
    (home / "decks" / "d.yaml").write_text(DECK.replace("id: a", "id: renamed"))
    assert "d/a" in drill("doctor").out


def test_backup_and_restore_bring_the_state_back(drill, home, tmp_path):
    drill("rate", "d/a", "good")
    done = drill("backup", tmp_path / "copy.db")
    assert (done.code, done.out) == (0, f"written: {tmp_path / 'copy.db'}\n")
    drill("rate", "d/b", "good")
    done = drill("restore", tmp_path / "copy.db")
    assert done.code == 0
    assert f"the old collection is {home}" in done.out
    assert document(drill("due", "--json"))["new"] == 1


def test_restore_from_nowhere_is_told(drill, tmp_path):
    done = drill("restore", tmp_path / "gone.db")
    assert (done.code, done.out) == (1, "")
    assert "there is no such backup" in done.err


# --- check, new, schema --------------------------------------------------------------------------


def test_check_says_what_is_wrong_and_ends_with_one(drill, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("deck: x\ncards:\n  - {id: a, ask: q}\n  - {id: b, ask: r, answer: 2*n}\n")
    done = drill("check", path)
    assert done.code == 1
    assert done.out.splitlines() == [
        f"{path}:3:5: error: card a: the key `answer` is missing",
        "  hint: add the answer: `answer: …`",
        f"{path}:4:29: warning: card b: `*` stands for a multiplication",
        "  hint: write · or ×, or put code in `…`",
        done.out.splitlines()[-1],
    ]
    assert done.out.endswith("1 error, 1 warning\n")


def test_check_json_has_one_document_with_every_finding(drill, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("deck: x\ncards:\n  - {id: a, ask: q}\n  - {id: b, ask: r, answer: s}\n")
    done = drill("check", "--json", path)
    assert (done.code, done.err) == (1, "")
    found = json.loads(done.out)
    assert (found["files"], found["cards"]) == (1, 1)
    assert set(found) >= {"files", "cards", "problems", "rounds", "diagnostics"}
    assert found["diagnostics"] == [
        {
            "file": str(path),
            "line": 3,
            "column": 5,
            "severity": "error",
            "code": "card",
            "message": "the key `answer` is missing",
            "hint": "add the answer: `answer: …`",
            "subject": "card a",
        }
    ]


def test_check_new_and_schema_know_rounds(drill, tmp_path):
    path = tmp_path / "mine.yaml"
    assert drill("new", "round", path).out == f"written: {path}\n"
    done = drill("check", path)
    assert done.code == 0
    assert "0 cards, 0 problems and 1 round in 1 file: 0 errors" in done.out
    assert json.loads(drill("check", "--json", path).out)["rounds"] == 1
    assert json.loads(drill("schema", "round").out)["title"] == "drillkit round"
    refused = drill("new", "poem", path)
    assert (refused.code, "deck, problem, round" in refused.err) == (2, True)


def test_warnings_alone_end_with_zero(drill, tmp_path):
    path = tmp_path / "odd.yaml"
    path.write_text("deck: x\ncards:\n  - {id: b, ask: r, answer: 2*n}\n")
    assert drill("check", path).code == 0


def test_check_without_paths_looks_at_the_decks_in_use(drill, tmp_path):
    more = tmp_path / "more"
    more.mkdir()
    (more / "m.yaml").write_text("")
    assert drill("check").code == 0
    done = drill("--content", more, "check")
    assert done.code == 1
    assert f"{more / 'm.yaml'}:1:1: error: the file is empty" in done.out


def test_fix_writes_ids_and_names_the_file(drill, home):
    path = home / "decks" / "d.yaml"
    path.write_text("deck: d\ncards:\n  - {ask: What?, answer: x}\n")
    done = drill("check", "--fix")
    assert (done.code, done.out.splitlines()[0]) == (0, f"{path}: ids written")
    assert "{id: what, ask: What?" in path.read_text()


def test_new_deck_passes_check(drill, tmp_path):
    path = tmp_path / "topic.yaml"
    done = drill("new", "deck", tmp_path / "topic")
    assert (done.code, done.out) == (0, f"written: {path}\n")
    assert drill("check", path).code == 0
    again = drill("new", "deck", path)
    assert (again.code, again.out) == (1, "")
    assert again.err == f"{path}: error: there is a file already\nhint: choose another name\n"


def test_schema_is_one_document(drill):
    assert document(drill("schema", "deck"))["title"] == "drillkit deck"


# --- options and exit codes ----------------------------------------------------------------------

WRONG_CALLS = [
    (["rate", "d/zz", "good"], "there is no item 'd/zz'", "an item is written deck/card"),
    (["rate", "d/a", "fine"], "'fine' is no rating", "use again, hard, good or easy"),
    (
        ["mark", "d/a", "zap"],
        "'zap' cannot be done to an item",
        "use suspend, unsuspend, bury, unbury, flag, unflag",
    ),
    (["mark", "d/zz", "flag"], "there is no item 'd/zz'", "an item is written deck/card"),
    (["check", "/nowhere"], "there is no /nowhere", "name a deck file or a folder of decks"),
    (
        ["--content", "/nowhere", "due"],
        "there is no /nowhere",
        "--content names a folder with decks",
    ),
    (
        ["--at", "yesterday", "due"],
        "cannot read the time 'yesterday'",
        "write it as 2026-12-01T08:00+01:00",
    ),
    (
        ["--at", "2026-12-01T08:00", "due"],
        "the time 2026-12-01T08:00:00 has no offset",
        "write it as 2026-12-01T08:00+01:00",
    ),
    (["review", "--deck", "zz"], "there is no deck 'zz'", "the decks are: d"),
    ([], "drillkit's screens need a terminal", "`drillkit review --plain` asks line by line"),
]


@pytest.mark.parametrize(("words", "what", "hint"), WRONG_CALLS)
def test_wrong_call_ends_with_two_and_says_what_to_do(drill, words, what, hint):
    done = drill(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: {what}\nhint: {hint}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["zap"],
        ["rate"],
        ["rate", "d/a"],
        ["due", "--zap"],
        ["--home"],
        ["new", "essay", "x"],
        ["schema", "essay"],
    ],
)
def test_call_that_cannot_be_read_ends_with_two(drill, words):
    done = drill(*words)
    assert (done.code, done.out) == (2, "")
    assert "rror: " in done.err


def test_version_is_told(drill):
    done = drill("--version")
    assert (done.code, done.out) == (0, f"drillkit {__version__}\n")


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["rate", "--help"]])
def test_help_is_told(drill, words):
    done = drill(*words)
    assert done.code == 0
    assert "Usage: " in done.out


def test_fault_of_drillkit_ends_with_three_and_says_so(drill, monkeypatch):
    def broken(*_args, **_more):
        raise RuntimeError("a bug")

    monkeypatch.setattr("drillkit.authoring.starter.deck_schema", broken)
    done = drill("schema", "deck")
    assert (done.code, done.out) == (3, "")
    assert "RuntimeError: a bug" in done.err
    assert done.err.endswith("this is a fault of drillkit, not of your files.\n")


def test_interrupt_ends_with_130(drill, monkeypatch):
    def interrupted(*_args, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr("drillkit.authoring.starter.deck_schema", interrupted)
    assert drill("schema", "deck").code == 130


def test_home_moves_everything(drill, tmp_path, home):
    other = tmp_path / "other"
    drill("--home", other, "due")
    assert (other / "collection.db").exists()
    assert not (home / "collection.db").exists()
    assert document(drill("--home", other, "due", "--json"))["by_deck"] == {}


def test_content_may_be_given_often_as_a_folder_of_decks_or_around_one(drill, tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "x.yaml").write_text(DECK.replace("deck: d", "deck: x"))
    (tmp_path / "y" / "decks").mkdir(parents=True)
    (tmp_path / "y" / "decks" / "y.yaml").write_text(DECK.replace("deck: d", "deck: y"))
    done = drill("--content", tmp_path / "x", "--content", tmp_path / "y", "due", "--json")
    assert set(document(done)["by_deck"]) == {"d", "x", "y"}


def test_settings_with_a_fault_are_told_and_nothing_is_written(drill, home):
    (home / "settings.toml").write_text('theme = "drak"\n')
    done = drill("rate", "d/a", "good", "--json")
    assert (done.code, done.out) == (1, "")
    assert "theme is one of dark, light, ansi" in done.err


def test_home_that_is_a_file_is_told(drill, tmp_path):
    (tmp_path / "file").write_text("")
    done = drill("--home", tmp_path / "file", "due")
    assert (done.code, done.out) == (1, "")
    assert "hint: check the folder and its permissions" in done.err


def test_damaged_collection_is_told_and_left_as_it_is(drill, home):
    (home / "collection.db").write_bytes(b"not a database, but long enough to look at" * 50)
    before = (home / "collection.db").read_bytes()
    done = drill("due", "--json")
    assert (done.code, done.out) == (1, "")
    assert "hint: " in done.err
    assert (home / "collection.db").read_bytes() == before


def test_review_without_a_terminal_goes_line_by_line(drill):
    done = drill("review", typed="\n3\nq\n")
    assert (done.code, done.err) == (0, "")
    assert "d/a: good, back in 10 min" in done.out


# --- what reaches the terminal -------------------------------------------------------------------

HOSTILE = "e\\e[31m\\e]0;t\\aN\\0\\x9b \\u202e[b]{x}%s\\u200b"


def test_messages_hold_no_byte_that_a_terminal_obeys(drill, home):
    (home / "decks" / "d.yaml").write_text(
        f'deck: d\ncards:\n  - {{id: "{HOSTILE}", "{HOSTILE}": x, kind: "{HOSTILE}"}}\n'
        f'  - {{id: b, ask: q, answer: [x], figure: "{HOSTILE}", after: "{HOSTILE}"}}\n'
    )
    for words in (
        ["check"],
        ["due"],
        ["rate", "\x1b[31m/\x9b", "good"],
        ["review", "--deck", "\x1b]0;x\x07"],
        ["log", "--item", "\x1b[1m"],
        ["--at", "\x1b[1m", "due"],
    ):
        done = drill(*words)
        assert done.out + done.err == harmless(done.out + done.err)
        assert "\x1b" not in done.out + done.err


def test_json_escapes_what_is_not_harmless_and_stays_json(drill, home):
    (home / "decks" / "d.yaml").write_text(f'deck: d\ncards:\n  - {{id: a, "{HOSTILE}": x}}\n')
    done = drill("check", "--json")
    assert "\x1b" not in done.out
    assert any("\x1b[31m" in found["message"] for found in json.loads(done.out)["diagnostics"])


def test_file_whose_name_is_no_text_is_told_in_words_and_in_json(drill, home):
    name = os.fsdecode(os.fsencode(home / "decks") + b"/caf\xe9.yaml")
    Path(name).write_text("")
    assert "caf\N{REPLACEMENT CHARACTER}.yaml:1:1: error: the file is empty" in drill("check").out
    found = json.loads(drill("check", "--json").out)["diagnostics"]
    assert [finding["file"] for finding in found] == [name]


# --- as processes --------------------------------------------------------------------------------


def test_process_ends_with_the_commands_code(home):
    assert process("due", "--json").returncode == 0
    assert process("rate", "d/a", "fine").returncode == 2
    done = process(stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"drillkit's screens need a terminal" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
def test_terminal_of_another_encoding_ends_nothing(home, encoding):
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = process("review", "--deck", "d", env=environment, input=b"\xff\xfe\n\n\xe9\n3\nq\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"d/a: good" in done.stdout
    (home / "decks" / "e.yaml").write_text("deck: é\ncards: []\n")
    done = process("check", "--json", home, env=environment)
    assert (done.returncode, done.stderr) == (1, b"")
    name = encoding.partition(":")[0]
    assert "é" in json.loads(done.stdout.decode(name))["diagnostics"][0]["message"]


@pytest.mark.parametrize(
    ("words", "first"), [("schema deck", b"{"), ("review --plain --deck d", b"E"), ("due", b"0")]
)
def test_reader_that_has_enough_is_no_fault(words, first):
    script = f'yes "" | "$0" -m drillkit {words} | head -c 1; exit ${{PIPESTATUS[1]}}'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable], capture_output=True, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stdout) == (0, first)
    assert b"drillkit" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("words", [["schema", "deck"], ["due"]])
def test_output_that_cannot_be_written_is_told(words):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "drillkit", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=ROOT,
        )
    assert (done.returncode, done.stderr) == (1, b"error: No space left on device\n")
