"""Whatever a candidate does, and whenever the machine dies, a round stays whole."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rounds_table import START, Table, small_round

from drillkit.clock import Moment
from drillkit.errors import DrillkitError, UsageError
from drillkit.rounds import journal
from drillkit.rounds.archive import Archive, state_of
from drillkit.rounds.events import TimeUp
from drillkit.rounds.interviewer import MOST_CURVEBALLS, facts_meant
from drillkit.rounds.journal import Journal, is_played, read_journal
from drillkit.rounds.sitting import Sitting
from drillkit.rounds.state import State, replay

if TYPE_CHECKING:
    from pathlib import Path

    from drillkit.content.round import Round

# What may differ between a live round and its replay: nothing but the objects themselves.
REPLAYED = (
    *("elapsed_s", "paused", "index", "visits", "board", "in_time_board", "words", "asked"),
    *("told", "unasked", "unknown_questions", "assumed_at", "numbers", "layouts", "curveballs"),
    *("reminded", "notes", "absences", "pauses", "talk", "ended_s", "situation", "events", "last"),
)


class Machine:
    """A clock of a machine that can be started anew, and whose wall clock can be set."""

    def __init__(self) -> None:
        self.moment = START
        self.running_s = 100.0
        self.boots = 0

    def now(self) -> Moment:
        return self.moment

    def elapsed_s(self) -> float:
        return self.running_s

    def boot(self) -> str:
        return f"boot {self.boots}"

    def advance(self, seconds: float) -> None:
        self.moment = self.moment.plus(round(seconds * 1000))
        self.running_s += seconds

    def restart(self) -> None:
        self.boots += 1
        self.running_s = 3.0


def same(one: State, other: State) -> None:
    for name in REPLAYED:
        assert getattr(one, name) == getattr(other, name), name


TEXTS = st.sampled_from(
    ["", "deadline", "112 GB", "5e10 FLOP", "31750 GPU-h", "1e4..5e4 GPU-h 80%", "5e10 @mfu=.3",
     "40%", "0", "-1", "1e60", "9**9**9", "\x00\x1b[31m", "\ud800", "é" * 200, "x" * 5000, "tp=8"]
)  # fmt: skip
STEPS = st.one_of(
    st.tuples(st.just("tick"), st.floats(0, 400)),
    st.tuples(st.just("tick"), st.floats(0, 2)),
    st.tuples(st.just("wait"), st.floats(0, 400)),
    st.tuples(st.just("ask"), TEXTS),
    st.tuples(st.just("write"), st.text(max_size=30)),
    st.tuples(st.just("answer"), TEXTS),
    st.tuples(st.just("skip"), st.none()),
    st.tuples(st.just("assume"), st.sampled_from(["mfu", "goodput", "luck"]), TEXTS),
    st.tuples(st.just("number"), st.sampled_from(["flops_tok", "gpu_hours"]), TEXTS),
    st.tuples(
        st.just("layout"),
        st.dictionaries(
            st.sampled_from(["tp", "pp", "dp", "zero", "micro_batch", "cp", "gpus"]),
            st.sampled_from([-1, 0, 1, 2, 8, 16, 128, 10**6, 10**30]),
        ),
    ),
    st.tuples(
        st.just("layout"),
        st.fixed_dictionaries(
            {
                name: st.sampled_from([0, 1, 2, 8, 128, 10**9, 10**30])
                for name in ("tp", "pp", "dp", "zero", "micro_batch")
            }
        ),
    ),
    st.tuples(st.just("note"), TEXTS),
    st.tuples(st.just("next_phase"), st.none()),
    st.tuples(st.just("pause"), st.none()),
    st.tuples(st.just("go_on"), st.none()),
    st.tuples(st.just("settle_away"), st.booleans()),
    st.tuples(st.just("kill"), st.floats(0, 400), st.booleans(), st.booleans()),
    st.tuples(st.just("wall"), st.sampled_from([-3600, 3600, -86400 * 400, 86400])),
)


def act(sitting: Sitting, clock: Machine, name: str, args: list) -> None:
    match name:
        case "tick" | "wait":
            clock.advance(args[0])
            if name == "tick":
                sitting.tick()
        case "wall":
            clock.moment = clock.moment.plus(args[0] * 1000)
        case "write":
            sitting.write(f"{sitting.state.board}{args[0]}")
            assert sitting.state.board.endswith(args[0])
        case "skip" | "next_phase" | "pause" | "go_on":
            getattr(sitting, name)()
        case "settle_away":
            sitting.settle_away(counted=args[0])
        case _:
            getattr(sitting, name)(*args)


def judge(sitting: Sitting) -> None:
    state = sitting.state
    times = [time for visit in state.visits for time in (visit.entered_s, visit.left_s)]
    known = [time for time in times if time is not None]
    assert known == sorted(known)
    assert known[-1] <= state.elapsed_s + 1e-6, "a phase began in the future"
    assert len(state.curveballs) <= MOST_CURVEBALLS
    phases = [one.phase for one in state.curveballs]
    assert len(set(phases)) == len(phases)


def play(path: Path, mode: str, seed: int, steps: list, *, hard: bool) -> None:
    clock = Machine()
    sitting = Sitting.begin(path, clock, small_round(), seed=seed, mode=mode, hard=hard)
    try:
        for name, *args in steps:
            before, not_counted = sitting.elapsed_s, _not_counted(sitting.state)
            if name == "kill":
                away_s, restarted, counted = args
                sitting.close()
                clock.advance(away_s)
                if restarted:
                    # The seconds since the last line are those of the wall clock alone.
                    before = sitting.state.elapsed_s
                    clock.restart()
                sitting = Sitting.resume(path, clock, counted=counted)
            else:
                with contextlib.suppress(DrillkitError):
                    act(sitting, clock, name, args)
            allowed = _not_counted(sitting.state) - not_counted
            assert sitting.elapsed_s >= before - allowed - 1e-6
            judge(sitting)
    finally:
        sitting.close()
    events = read_journal(path)
    same(replay(events), sitting.state)
    assert sum(isinstance(one, TimeUp) for one in events) == sitting.state.overtime
    path.unlink()


def _not_counted(state: State) -> float:
    return sum(one.seconds for one in state.absences if not one.counted)


number = itertools.count()


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(["interview", "practice", "sprint"]),
    st.booleans(),
    st.integers(0, 20),
    st.lists(STEPS, max_size=40),
)
def test_whatever_happens_a_round_stays_whole(tmp_path, mode, hard, seed, steps) -> None:
    play(tmp_path / "small" / f"{next(number)}.jsonl", mode, seed, steps, hard=hard)


# --- the candidate -----------------------------------------------------------------------------


def test_an_absence_is_settled_before_what_it_would_date() -> None:
    table = Table(mode="practice")
    table.pass_s(10)
    table.clock.advance(100)
    with pytest.raises(UsageError, match="whether that counts"):
        table.sitting.next_phase()
    (notice,) = table.sitting.tick()
    assert (notice.kind, notice.asks, notice.seconds) == ("away", True, 100)
    table.sitting.settle_away(counted=False)
    table.sitting.next_phase()
    assert table.sitting.state.visits[-1].entered_s == 10


def test_an_absence_in_an_interview_is_kept_before_the_command_that_ends_it() -> None:
    table = Table()
    table.pass_s(10)
    table.clock.advance(100)
    table.sitting.next_phase()
    assert [notice.kind for notice in table.sitting.tick()][:1] == ["away"]
    assert [one.seconds for one in table.sitting.state.absences] == [100]
    assert table.sitting.state.visits[-1].entered_s == 110


def test_a_layout_has_no_say_in_the_facts() -> None:
    table = Table()
    table.go_to("layout")
    fields = {"tp": 1, "pp": 1, "dp": 64, "zero": 2, "micro_batch": 1}
    with pytest.raises(UsageError, match="not asked for here: gpus"):
        table.sitting.layout({**fields, "gpus": 64})
    table.sitting.layout({**fields, "dp": 10**30})
    assert not table.sitting.state.layouts[-1].verdict.right


def test_half_a_sign_is_kept_as_a_question_mark(tmp_path) -> None:
    table = Table(path=tmp_path / "small" / "one.jsonl")
    table.sitting.write("a\ud800b")
    table.sitting.ask("\udfff")
    table.sitting.note("\ud800")
    table.sitting.close()
    assert state_of(tmp_path / "small" / "one.jsonl").board == "a?b"


def free_round() -> Round:
    """The small round with an MFU that may be anything, and a phase that tells what follows."""
    small = small_round()
    mfu, goodput = (msgspec.structs.replace(one, range=()) for one in small.assume)
    clarify, compute, *rest = small.phases
    compute = msgspec.structs.replace(compute, say="It takes {wall}?")
    return msgspec.structs.replace(small, assume=(mfu, goodput), phases=(clarify, compute, *rest))


@pytest.mark.parametrize("zero", ["0", "0%", "-0"])
def test_what_leaves_nothing_to_work_out_is_not_assumed(tmp_path, zero) -> None:
    path = tmp_path / "small" / "one.jsonl"
    table = Table(free_round(), path=path)
    with pytest.raises(DrillkitError, match="nothing can be worked out"):
        table.sitting.assume("mfu", zero)
    with pytest.raises(DrillkitError):
        table.sitting.number("flops_tok", f"5e10 FLOP @goodput={zero}")
    table.sitting.next_phase()
    table.sitting.close()
    same(state_of(path), table.sitting.state)


def test_an_interruption_that_would_leave_no_numbers_does_not_come(tmp_path) -> None:
    small = small_round()
    balls = [msgspec.structs.replace(one, set=(("gpus", "0"),)) for one in small.curveballs]
    round_ = msgspec.structs.replace(small, curveballs=tuple(balls))
    path = tmp_path / "small" / "one.jsonl"
    table = Table(round_, path=path, hard=True)
    table.pass_s(14 * 60)
    assert table.sitting.state.curveballs == []
    table.sitting.close()
    same(state_of(path), table.sitting.state)


LONG = (
    "x" * 10**6, "1 " * 500_000, "a b " * 500, "?" * 2000, "dealine " * 250,
    " ".join(f"dead{number}" for number in range(250)),
)  # fmt: skip


@pytest.mark.parametrize("words", LONG, ids=range(len(LONG)))
def test_a_question_of_any_length_is_understood_at_once(words) -> None:
    # Compared word by word these take minutes; a bound of processor time, not of the wall clock.
    begun = time.process_time()
    facts_meant(small_round().facts, words)
    assert time.process_time() - begun < 1


# --- the journal ---------------------------------------------------------------------------------


def played(path: Path, mode: str = "practice") -> Table:
    table = Table(path=path, mode=mode)
    table.sitting.ask("deadline")
    table.pass_s(40)
    table.sitting.next_phase()
    table.sitting.number("flops_tok", "5e10 FLOP")
    table.sitting.write(f"{table.sitting.state.board}16·13 = 208 GB\n")
    return table


def test_a_journal_cut_anywhere_in_its_last_lines_goes_on_from_the_line_before(tmp_path) -> None:
    path = tmp_path / "small" / "one.jsonl"
    table = played(path)
    table.sitting.close()
    raw, events = path.read_bytes(), read_journal(path)
    ends = [at + 1 for at, sign in enumerate(raw) if sign == 10]
    for cut in range(ends[-4], len(raw)):
        path.write_bytes(raw[:cut])
        kept = sum(end <= cut for end in ends)
        same(state_of(path), replay(events[:kept]))
        again = Sitting.resume(path, table.clock)
        again.note("and on")
        again.close()
        assert len(read_journal(path)) == kept + 2
        same(state_of(path), again.state)


@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("room", [0, 1, 60])
def test_what_a_full_disk_refuses_is_neither_done_nor_kept(
    tmp_path, monkeypatch, call, room
) -> None:
    path = tmp_path / "small" / "one.jsonl"
    sitting = played(path).sitting
    before, size = sitting.state.index, path.stat().st_size
    with monkeypatch.context() as full:
        if call == "write":
            write = os.write
            full.setattr(os, "write", lambda file, raw: write(file, raw[:room]))
        else:
            full.setattr(os, "fsync", _refuse)
        for command in (sitting.next_phase, lambda: sitting.number("flops_tok", "1 FLOP")):
            with pytest.raises(DrillkitError, match="cannot be written"):
                command()
    assert (sitting.state.index, path.stat().st_size) == (before, size)
    sitting.next_phase()
    sitting.close()
    same(state_of(path), sitting.state)


def _refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_part_that_could_not_be_taken_back_is_before_the_next_line(tmp_path, monkeypatch) -> None:
    path = tmp_path / "small" / "one.jsonl"
    sitting = played(path).sitting
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda file, raw: write(file, raw[:9]))
        full.setattr(os, "ftruncate", _refuse)
        with pytest.raises(DrillkitError):
            sitting.note("lost")
        with pytest.raises(DrillkitError):
            sitting.note("lost as well")
    sitting.note("kept")
    sitting.close()
    same(state_of(path), sitting.state)
    assert [text for _, text in sitting.state.notes] == ["kept"]


def test_a_round_that_cannot_begin_leaves_nothing_behind(tmp_path, monkeypatch) -> None:
    path = tmp_path / "small" / "one.jsonl"
    write = os.write
    for room in (0, 100, -1):
        with monkeypatch.context() as full:
            full.setattr(os, "write", lambda file, raw, room=room: write(file, raw[:room]))
            with pytest.raises(DrillkitError, match="cannot be written"):
                Table(path=path)
        assert not path.exists()
        assert not is_played(path.parent)
    Table(path=path).sitting.close()


def test_a_full_journal_takes_no_more_of_the_board_but_the_end_of_the_round(
    tmp_path, monkeypatch
) -> None:
    path = tmp_path / "small" / "one.jsonl"
    sitting = played(path).sitting
    monkeypatch.setattr(journal, "MOST_BYTES", path.stat().st_size + 30_000)
    monkeypatch.setattr(journal, "RESERVED", 10_000)
    sitting.write("y" * 15_000)
    with pytest.raises(DrillkitError, match="the journal is full"):
        sitting.write("z" * 15_000)
    sitting.next_phase()
    sitting.finish()
    sitting.close()
    same(state_of(path), sitting.state)
    path.write_bytes(path.read_bytes() + b"\n" * 30_000)
    with pytest.raises(DrillkitError, match="this is no journal"):
        state_of(path)


def test_a_line_of_a_newer_drillkit_is_told_and_a_key_of_one_is_passed_over(tmp_path) -> None:
    path = tmp_path / "small" / "one.jsonl"
    played(path).sitting.close()
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b'{"kind":', b'{"mood":[{"a":1}],"kind":'))
    assert state_of(path).index == 1
    path.write_bytes(raw + b'{"kind":"applause","at":[1.0,1,1,""]}\n')
    with pytest.raises(DrillkitError, match="a newer drillkit") as told:
        state_of(path)
    assert told.value.where == str(path)
    path.write_bytes(raw + b'{"kind":"beat","x":' + b"[" * 100_000 + b"\n")
    with pytest.raises(DrillkitError):
        state_of(path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"phases":["clarify","compute","layout","monitor"]', b'"phases":[]'),
        (b'"phases":["clarify","compute","layout","monitor"]', b'"phases":["lunch"]'),
        (b'"minutes":14}\n', b'"minutes":-1}\n'),
        (b'"heads","name"', b'"tails","name"'),
        (b'"at":[0.0,1767258000000,0,', b'"at":[0.0,1767258000000000000,0,'),
        (b'"at":[0.0,1767258000000,0,', b'"at":[0.0,1767258000000,90000,'),
    ],
)
def test_a_round_that_was_edited_in_its_journal_is_told_with_its_file(
    tmp_path, before, after
) -> None:
    path = tmp_path / "small" / "one.jsonl"
    played(path).sitting.close()
    raw = path.read_bytes()
    changed = raw.replace(before, after, 1)
    assert changed != raw, "the case is out of date"
    path.write_bytes(changed)
    (tmp_path / "small" / "two.jsonl").mkdir()
    (tmp_path / "small" / "three.jsonl").write_bytes(raw)
    kept, faults = Archive(tmp_path).read()
    assert [one.number for one in kept] == ["three"]
    assert {fault.where for fault in faults} == {
        str(path), str(tmp_path / "small" / "two.jsonl")
    }  # fmt: skip


def test_past_rounds_stand_in_the_order_of_time_on_the_night_the_clocks_go_back(tmp_path) -> None:
    archive = Archive(tmp_path)
    clock, offsets = Machine(), (120, 60)
    names = []
    for number, offset in enumerate(offsets):
        # 02:45 in summer time, and half an hour later 02:15 in winter time.
        clock.moment = Moment(1_792_889_100_000 + number * 1_800_000, offset)
        path = archive.new_journal("small", clock.now())
        Sitting.begin(path, clock, small_round(), seed=0).close()
        names.append(path.stem)
    assert names == ["2026-10-25-0245", "2026-10-25-0215"]
    assert [one.number for one in archive.read()[0]] == names


@pytest.mark.parametrize(("mode", "elapsed"), [("interview", 640), ("practice", 40)])
def test_a_restart_of_the_machine_is_an_absence_by_the_wall_clock(tmp_path, mode, elapsed) -> None:
    path, clock = tmp_path / "small" / "one.jsonl", Machine()
    sitting = Sitting.begin(path, clock, small_round(), seed=0, mode=mode)
    for _ in range(40):
        clock.advance(1)
        sitting.tick()
    sitting.close()
    clock.advance(600)
    clock.restart()
    clock.moment = Moment(clock.moment.utc_ms, -480)
    sitting = Sitting.resume(path, clock)
    assert sitting.elapsed_s == elapsed
    # A clock that was set back in between gives no time back.
    sitting.close()
    clock.restart()
    clock.moment = clock.moment.plus(-86_400_000)
    sitting = Sitting.resume(path, clock)
    assert sitting.elapsed_s == elapsed
    clock.advance(2)
    sitting.tick()
    assert sitting.elapsed_s == elapsed + 2
    sitting.close()


def test_a_pipe_or_a_folder_in_the_place_of_a_journal_is_told_and_locks_nothing(tmp_path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    for name in ("pipe.jsonl", "folder.jsonl", "nothing.jsonl"):
        with pytest.raises(DrillkitError):
            Journal.reopen(folder / name)
        assert not is_played(folder)
