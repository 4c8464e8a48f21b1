"""Design rounds from the command line: what is listed, played by a script, exported, replayed."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from drillkit.cli.app import run
from drillkit.clock import ManualClock, parse_moment
from drillkit.rounds.archive import Archive
from drillkit.rounds.sitting import Sitting
from drillkit.workspace import Workspace

SMALL = (Path(__file__).parent / "cases" / "small_round.yaml").read_text("utf-8")
SCRIPT = """\
script: strong
round: small
verdict: [no hire]
steps:
  - {at: "0:20", ask: [size, tokens, deadline, gpus, done]}
  - {at: "1:30", write: "Goal: a better success metric; assume MFU 40 %"}
  - {at: "2:00", phase: compute}
  - {at: "3:00", number: {flops_tok: right, gpu_hours: right * 2}}
  - {at: "6:00", phase: layout}
  - {at: "7:00", layout: model}
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with the small round, and nothing bundled."""
    monkeypatch.setattr("drillkit.workspace.bundled_content", lambda: tmp_path / "none")
    home = tmp_path / "home"
    (home / "problems" / "rounds").mkdir(parents=True)
    (home / "problems" / "rounds" / "small.yaml").write_text(SMALL, "utf-8")
    monkeypatch.setenv("DRILLKIT_HOME", str(home))
    return home


@pytest.fixture
def drill(monkeypatch, capsys, home):
    """Run a command line without a terminal; return its exit code and what it printed."""

    def call(*words: object):
        monkeypatch.setattr(sys, "argv", ["drillkit", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        code = run()
        printed = capsys.readouterr()
        return SimpleNamespace(code=code, out=printed.out, err=printed.err)

    return call


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "strong.yaml"
    path.write_text(SCRIPT, "utf-8")
    return path


def played(home, *, graded=False):
    """Play the small round to its end; return the journal's path."""
    clock = ManualClock(parse_moment("2026-12-01T08:00+01:00"))
    archive = Archive(home / "rounds")
    round_ = Workspace(home).library().rounds["small"]
    path = archive.new_journal("small", clock.now())
    sitting = Sitting.begin(path, clock, round_, seed=0)
    clock.advance(4)
    sitting.ask("deadline")
    sitting.write(f"{sitting.state.board}two weeks \x1b[31m")
    for _ in range(4):
        clock.advance(60)
        sitting.next_phase()
    if graded:
        sitting.grade("scope", 2)
        sitting.open_model()
        sitting.settle()
    sitting.close()
    return path


def test_without_a_terminal_the_rounds_are_listed(drill):
    listed = drill("round")
    assert listed.code == 0
    assert listed.out.split() == [
        *("small", "senior", "14", "min", "Pretrain", "a", "7B", "decoder", "in", "two", "weeks"),
    ]
    document = json.loads(drill("round", "--json").out)
    assert document["rounds"][0]["phases"] == ["clarify", "compute", "layout", "monitor"]


def test_a_round_needs_a_terminal_and_says_what_goes_without(drill):
    told = drill("round", "small")
    assert (told.code, told.out) == (2, "")
    assert "needs a terminal" in told.err
    assert "--script FILE" in told.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["smal"], "did you mean small?"),
        (["nothing-like-it"], "`drillkit round` lists them"),
        (["small", "--mode", "sprnt"], "did you mean sprint?"),
        (["small", "--level", "chief"], "mid, senior, staff"),
        (["small", "--phase", "lunch"], "it has clarify, compute, layout, monitor"),
        (["small", "--phase", "layout", "--mode", "interview"], "are for a sprint"),
        (["small", "--minutes", "2"], "from 5 to 120"),
        (["small", "--seed", "-1"], "is no seed"),
        (["--hard"], "which round?"),
        (["small", "--json"], "--json goes with --script"),
        (["--script", "none.yaml"], "cannot be read"),
        (["small", "--export"], "was played to its end"),
        (["/etc", "--export"], "was played to its end"),
        (["*", "--export"], "was played to its end"),
        (["--script", "/dev/zero"], "bytes; at most"),
    ],
)
def test_a_wrong_call_is_told_with_what_to_do(drill, words, says):
    told = drill("round", *words)
    assert told.code in {1, 2}
    assert told.out == ""
    assert says in told.err


def test_options_make_the_round_begin_as_it_was_chosen(drill, monkeypatch):
    begun = []
    monkeypatch.setattr("drillkit.cli.round.can_draw", lambda: True)
    monkeypatch.setattr(
        "drillkit.cli.round.open_app",
        lambda _, start: start(SimpleNamespace(start_round=lambda *given: begun.append(given))),
    )
    drill("round", "small")
    drill("round", "small", "--phase", "layout", "--level", "staff", "--seed", 7)
    drill("round", "small", "--minutes", "10", "--hard")
    drill("round", "small", "--mode", "practice")
    assert begun[0] == ("small", None)
    sprint, whole, practice = (choice for _, choice in begun[1:])
    assert (sprint.mode, sprint.phase, sprint.level) == ("sprint", "layout", "staff")
    assert sprint.seed == 7
    assert (whole.mode, whole.phase, whole.minutes, whole.hard) == ("sprint", "", 10, True)
    assert (practice.mode, practice.seed) == ("practice", None)


def test_a_script_plays_without_a_screen_and_keeps_nothing(drill, script, home):
    told = drill("round", "--script", script)
    assert told.code == 0
    assert "verdict, by the board: " in told.out
    assert "GPU-hours: 63,500 GPU-h for 31,750 GPU-h, 2 ×: order" in told.out
    assert "[x] tp <= 8: 1 of 8: 7 to spare" in told.out
    assert "next step: " in told.out
    assert not (home / "rounds").exists()
    assert told.out == drill("round", "--script", script).out, "the same each time"


def test_a_script_gives_one_document(drill, script):
    document = json.loads(drill("round", "small", "--script", script, "--seed", 3, "--json").out)
    assert document["seed"] == 3
    bands = {row["check"]: row["band"] for row in document["checks"]}
    assert bands == {"flops_tok": "exact", "gpu_hours": "order"}
    assert document["layouts"][0]["right"] is True
    assert document["points"]["clarify/restates"] == "hit"
    assert document["own"] is None
    assert document["suggested"]["verdict"]


def test_a_script_with_a_fault_is_told_at_its_line(drill, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(SCRIPT.replace('"0:20"', "soon"), "utf-8")
    told = drill("round", "--script", path)
    assert told.code == 1
    assert f"{path}:5" in told.err


def test_past_rounds_are_exported_and_the_model_stays_shut_until_graded(drill, home):
    path = played(home)
    written = drill("round", "small", "--export").out.strip()
    assert written == str(path.with_suffix(".md"))
    shut = Path(written).read_text("utf-8")
    assert "Not graded yet" in shut
    assert "31,7" not in shut
    path.unlink()
    played(home, graded=True)
    document = json.loads(drill("round", "--export", "--json").out)
    opened = Path(document["written"][0]).read_text("utf-8")
    assert "31,750 GPU-h" in opened
    drill("round", "small", "--export")
    assert Path(written).read_text("utf-8") == opened, "two exports of one round are the same"


def test_a_damaged_journal_is_told_and_the_others_are_exported(drill, home):
    played(home, graded=True)
    (home / "rounds" / "small" / "2026-11-01-0800.jsonl").write_text("[]\n", "utf-8")
    told = drill("round", "--export")
    assert told.code == 1
    assert told.out.strip().endswith("2026-12-01-0800.md")
    assert "2026-11-01-0800.jsonl" in told.err


def test_a_replay_tells_talk_timeline_and_board(drill, home):
    path = played(home)
    told = drill("replay", path)
    assert told.code == 0
    assert " 0:04 you: ?deadline" in told.out
    assert " 0:04 interviewer: deadline: 14 days" in told.out
    assert "2:00  1:04  1:00 of 4:00  Compute" in told.out
    assert "two weeks ␛[31m" in told.out, "what was typed cannot reach the terminal as it is"
    document = json.loads(drill("replay", path, "--json").out)
    assert [one["phase"] for one in document["timeline"]][:2] == ["clarify", "compute"]
    assert document["over"] is True


def test_a_replay_of_something_else_is_refused(drill, tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("hello\n", "utf-8")
    told = drill("replay", other)
    assert told.code == 1
    assert "line 1 is damaged" in told.err


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("number: {flops_tok: right / 0}", "is no mistake of anybody"),
        (f"number: {{flops_tok: right * {'9' * 5000}}}", "longer than 160 characters"),
        ("number: {nope: 1 GB}", "no number is asked for as 'nope'"),
        ("number: {nope: right}", "nope has no value"),
        ("assume: {luck: 1}", "nothing is assumed as 'luck'"),
        ("layout: {tp: 1}", "no layout is asked for"),
        ("phase: end", "the phase after clarify is compute"),
    ],
)
def test_a_step_that_cannot_be_done_is_told_with_its_minute(drill, script, step, says):
    script.write_text(
        f'script: odd\nround: small\nverdict: [hire]\nsteps:\n  - {{at: "0:20", {step}}}\n', "utf-8"
    )
    told = drill("round", "--script", script)
    assert told.code == 1
    assert "script odd at 0:20" in told.err
    assert says in told.err
