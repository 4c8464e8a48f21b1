"""A round on a clock of its own: time is honest, and what the candidate did is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from rounds_table import Table, small_round

from drillkit.errors import DrillkitError, UsageError
from drillkit.rounds.archive import Archive
from drillkit.rounds.journal import read_journal
from drillkit.rounds.sitting import Sitting
from drillkit.rounds.state import replay

if TYPE_CHECKING:
    from pathlib import Path


def test_facts_are_told_when_asked_and_a_strange_question_gets_none() -> None:
    table = Table()
    assert table.sitting.ask("deadline") == ("deadline: 14 days",)
    assert table.sitting.ask("what is the weather") == (
        "I do not know. Assume something and say it.",
    )
    state = table.sitting.state
    assert [fact.symbol for fact, _ in state.facts()] == ["days"]
    assert state.unknown_questions == ["what is the weather"]


@pytest.mark.parametrize("words", ["deadline", "Deadline?", "DEADLINES", "the dealine", "weeks"])
def test_a_question_is_understood_in_many_words(words: str) -> None:
    table = Table()
    assert table.sitting.ask(words) == ("deadline: 14 days",)


def test_required_facts_that_nobody_asked_for_are_told_at_the_end_of_clarify() -> None:
    table = Table()
    table.sitting.ask("deadline")
    assert table.sitting.state.unasked == ()
    table.sitting.next_phase()
    state = table.sitting.state
    assert state.unasked == ("params", "tokens", "gpus", "done")
    assert {fact.symbol for fact, _ in state.facts()} == {*state.unasked, "days"}


def test_hard_mode_changes_the_phase_exactly_on_plan() -> None:
    table = Table(hard=True)
    table.pass_s(14 * 60)
    visits = table.sitting.state.visits
    assert [(one.phase, one.entered_s) for one in visits] == [
        ("clarify", 0),
        ("compute", 120),
        ("layout", 360),
        ("monitor", 660),
    ]


def test_without_hard_mode_only_the_candidate_moves_on() -> None:
    table = Table()
    table.pass_s(400)
    assert table.sitting.state.phase.id == "clarify"


def test_overtime_ends_at_its_limit_and_the_board_in_time_is_kept_apart() -> None:
    table = Table()
    table.sitting.write("in time")
    notices = table.pass_s(14 * 60)
    assert [one.kind for one in notices if one.kind in {"time-up", "ended"}] == ["time-up"]
    state = table.sitting.state
    assert state.judged_board == "in time"
    table.sitting.write(f"{state.board}too late")
    assert state.judged_board == "in time"
    assert state.board.endswith("== overtime ==\ntoo late")
    assert table.pass_s(300)[-1].kind == "ended"
    assert state.ended_s == 14 * 60 + 300


def test_the_interviewer_reminds_once_at_half_a_minute_over_and_once_at_two() -> None:
    table = Table()
    notices = table.until(400)
    assert [one.text for one in notices if one.kind == "reminder"] == [
        "Keep an eye on the time.",
        "Let us move on.",
    ]
    assert [said.at_s for said in table.sitting.state.talk if said.text == "Let us move on."] == [
        240
    ]


def test_who_is_ahead_of_the_plan_is_not_reminded_of_a_long_phase() -> None:
    table = Table()
    table.go_to("compute")  # two minutes early
    notices = table.until(360)
    assert [one.text for one in notices if one.kind == "reminder"] == []
    assert [one.text for one in table.until(391) if one.kind == "reminder"] == [
        "Keep an eye on the time."
    ]


def test_the_last_five_minutes_and_the_last_one_are_told() -> None:
    table = Table()
    table.go_to("monitor")
    notices = table.until(14 * 60)
    told = [(one.text) for one in notices if one.kind == "reminder"]
    assert told == ["Five minutes left.", "One minute left."]


def test_the_elapsed_time_does_not_follow_the_wall_clock() -> None:
    table = Table()
    table.pass_s(60)
    for hour in (3600, -3600):
        table.clock.moment = table.clock.moment.plus(hour * 1000)
        table.pass_s(1)
    assert table.sitting.elapsed_s == 62
    assert table.sitting.state.absences == []


def test_an_absence_counts_in_an_interview_and_marks_it_when_it_is_long() -> None:
    table = Table()
    table.pass_s(10)
    table.clock.advance(50)
    (notice,) = table.sitting.tick()
    assert (notice.kind, notice.asks) == ("away", False)
    assert table.sitting.elapsed_s == 60
    assert not table.sitting.state.interrupted
    table.clock.advance(30)
    table.sitting.tick()
    assert table.sitting.state.interrupted


def test_practice_asks_whether_an_absence_counts() -> None:
    for counted, elapsed in ((True, 70), (False, 10)):
        table = Table(mode="practice")
        table.pass_s(10)
        table.clock.advance(60)
        (notice,) = table.sitting.tick()
        assert (notice.kind, notice.asks, notice.seconds) == ("away", True, 60)
        table.sitting.settle_away(counted=counted)
        assert table.sitting.elapsed_s == elapsed
        assert not table.sitting.state.interrupted


def test_a_pause_stops_the_clock_in_practice_and_is_refused_in_an_interview() -> None:
    table = Table(mode="practice")
    table.pass_s(30)
    table.sitting.pause()
    table.pass_s(600)
    assert table.sitting.elapsed_s == 30
    with pytest.raises(UsageError, match="paused"):
        table.sitting.write("thinking on")
    table.sitting.go_on()
    table.pass_s(5)
    assert table.sitting.elapsed_s == 35
    with pytest.raises(UsageError, match="only practice"):
        Table().sitting.pause()


def test_a_killed_round_resumes_where_it_was_plus_the_time_away(tmp_path: Path) -> None:
    path = tmp_path / "small" / "one.jsonl"
    table = Table(path=path)
    table.until(630)
    table.sitting.write("ZeRO-2 over 128, no TP")
    before = table.sitting.state
    table.sitting.close()  # what the system does when the process dies
    table.clock.advance(90)
    resumed = Sitting.resume(path, table.clock)
    assert resumed.elapsed_s == 720
    assert resumed.state.board == before.board
    assert [(one.seconds, one.counted) for one in resumed.state.absences] == [(90, True)]
    assert resumed.state.interrupted


def test_practice_resumes_without_the_time_away(tmp_path: Path) -> None:
    path = tmp_path / "small" / "one.jsonl"
    table = Table(path=path, mode="practice")
    table.until(630)
    table.sitting.close()
    table.clock.advance(86_400)
    assert Sitting.resume(path, table.clock).elapsed_s == 630


def test_a_second_player_of_the_same_round_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small" / "one.jsonl"
    table = Table(path=path)
    with pytest.raises(DrillkitError, match="another window"):
        Sitting.resume(path, table.clock)
    with pytest.raises(DrillkitError, match="another window"):
        Table(path=tmp_path / "small" / "two.jsonl")
    table.sitting.close()


def test_the_journal_replays_to_the_same_state(tmp_path: Path) -> None:
    path = tmp_path / "small" / "one.jsonl"
    table = Table(path=path, mode="practice", seed=3)
    table.sitting.ask("deadline")
    table.sitting.assume("mfu", "45%")
    table.pass_s(40)
    table.go_to("compute")
    table.sitting.number("flops_tok", "5e10 FLOP")
    table.pass_s(100)
    table.go_to("layout")
    table.sitting.layout({"tp": 1, "pp": 1, "dp": 128, "zero": 2, "micro_batch": 1})
    table.pass_s(100)
    table.sitting.note("ask about the data loader")
    table.go_to("monitor")
    table.pass_s(100)
    table.sitting.next_phase()
    table.sitting.grade("numbers", 3, "5e10 FLOP")
    table.sitting.close()
    again, state = replay(read_journal(path)), table.sitting.state
    for name in (
        *("elapsed_s", "visits", "board", "talk", "asked", "numbers", "layouts", "curveballs"),
        *("notes", "ended_s", "grades", "situation", "unasked", "words"),
    ):
        assert getattr(again, name) == getattr(state, name), name


def test_one_curveball_a_phase_and_never_in_its_first_45_seconds() -> None:
    for seed in range(8):
        table = Table(seed=seed, hard=True)
        table.until(150)
        table.sitting.number("gpu_hours", "1000 GPU-h")
        table.until(14 * 60)
        state = table.sitting.state
        phases = [one.phase for one in state.curveballs]
        assert len(phases) == len(set(phases)) <= 4
        entered = {one.phase: one.entered_s for one in state.visits}
        assert all(one.at_s - entered[one.phase] >= 45 for one in state.curveballs)


def test_a_curveball_changes_the_facts_from_then_on() -> None:
    table = _at_lost_rack()
    state = table.sitting.state
    assert state.situation.values["gpus"] == 96
    assert state.open_curveball is not None
    assert state.open_curveball.said == "We lose 32 GPUs. What changes?"
    fields = {"tp": 1, "pp": 1, "dp": 128, "zero": 2, "micro_batch": 1}
    table.sitting.layout(fields)
    assert not state.layouts[-1].verdict.right


@pytest.mark.parametrize(
    ("typed", "answer"), [("same batch", "same batch"), ("", "the date moves by a third")]
)
def test_the_answer_to_a_curveball_is_what_is_said_else_what_was_written(
    typed: str, answer: str
) -> None:
    table = _at_lost_rack()
    table.pass_s(40)
    table.sitting.write(f"{table.sitting.state.board}the date moves by a third\n")
    table.sitting.answer(typed)
    (thrown,) = [one for one in table.sitting.state.curveballs if one.curveball.id == "lose-a-rack"]
    assert thrown.outcome == "answered"
    assert thrown.text == answer
    assert thrown.answered_s is not None
    assert thrown.answered_s - thrown.at_s == 41


def test_two_minutes_without_a_word_are_too_late_and_a_skip_is_kept() -> None:
    table = _at_lost_rack()
    assert [one.kind for one in table.pass_s(120)][-1] == "late"
    assert table.sitting.state.curveballs[-1].outcome == "late"
    table = _at_lost_rack()
    table.sitting.skip()
    assert table.sitting.state.curveballs[-1].outcome == "skipped"
    with pytest.raises(UsageError, match="asked nothing"):
        table.sitting.answer("late")


def _at_lost_rack() -> Table:
    """A table at which the rack was just lost, with a seed that has this in store."""
    for seed in range(20):
        table = Table(seed=seed)
        if table.sitting.state.situation.values["gpus"] != 128:
            continue
        table.go_to("layout")
        notices = table.pass_s(61)
        if any("GPUs. What changes?" in one.text for one in notices):
            return table
    raise AssertionError("no seed loses a rack")


@pytest.mark.parametrize(
    ("typed", "revised", "outcome"),
    [
        ("31750 GPU-h", "", "held"),
        ("31750 GPU-h", "15875 GPU-h", "gave in"),
        ("9000 GPU-h", "31750 GPU-h", "corrected"),
        ("9000 GPU-h", "", "stood by a wrong number"),
    ],
)
def test_a_challenge_is_sometimes_wrong_itself(typed: str, revised: str, outcome: str) -> None:
    table = _at_challenge(typed)
    thrown = table.sitting.state.open_curveball
    assert thrown is not None
    claim = "15,900 GPU-h" if typed.startswith("31") else "31,800 GPU-h"
    assert claim in thrown.said
    if revised:
        table.sitting.number("gpu_hours", revised)
    table.sitting.answer("6ΨD over what a GPU does")
    assert table.sitting.state.curveballs[-1].challenged == outcome


def _at_challenge(typed: str) -> Table:
    for seed in range(40):
        table = Table(seed=seed)
        state = table.sitting.state
        if state.draw.case != "7B" or state.situation.values["tokens"] != 10**12:
            continue
        table.go_to("compute")
        table.sitting.number("gpu_hours", typed)
        if any("Are you sure" in one.text for one in table.pass_s(121)):
            return table
    raise AssertionError("no seed doubts the number")


def test_an_unreadable_number_is_told_and_records_nothing() -> None:
    table = Table()
    table.go_to("compute")
    for text in ("", "a lot", "12 GB", "[red]", "\x1b[2J", "9" * 300, "@", "1..2..3"):
        with pytest.raises(DrillkitError):
            table.sitting.number("flops_tok", text)
    assert table.sitting.state.numbers == []


def test_an_assumption_outside_of_what_is_plausible_is_told() -> None:
    sitting = Table().sitting
    with pytest.raises(DrillkitError, match="not plausible"):
        sitting.assume("mfu", "95%")
    with pytest.raises(UsageError, match="nothing is assumed"):
        sitting.assume("luck", "1")


def test_a_layout_with_fields_missing_is_told() -> None:
    table = Table()
    table.go_to("layout")
    with pytest.raises(UsageError, match="pp, dp, micro_batch"):
        table.sitting.layout({"tp": 8, "zero": 0})
    table.go_to("monitor")
    with pytest.raises(UsageError, match="no layout is asked for"):
        table.sitting.layout({"tp": 8, "zero": 0})


def test_a_sprint_of_one_phase_begins_with_its_facts_told() -> None:
    table = Table(mode="sprint", phases=("layout",))
    state = table.sitting.state
    assert (state.total_s, state.phase.id) == (300, "layout")
    told = {fact.symbol for fact, _ in state.facts()}
    assert told == {"params", "tokens", "gpus", "days", "done"}
    assert state.unasked == ()
    with pytest.raises(UsageError, match="no phase 'lunch'"):
        Table(mode="sprint", phases=("lunch",))


def test_what_a_sprint_asks_is_said_after_its_facts() -> None:
    small = small_round()
    phases = [msgspec.structs.replace(one, say=f"Now {one.id}.") for one in small.phases]
    round_ = msgspec.structs.replace(small, phases=tuple(phases))
    table = Table(round_, mode="sprint", phases=("compute",))
    talk = [said.text for said in table.sitting.state.talk]
    assert len(talk) > 1
    assert talk[-1] == "Now compute."


def test_the_same_seed_gives_the_same_round_and_others_differ() -> None:
    def played(seed: int) -> list[tuple[float, str]]:
        table = Table(seed=seed, hard=True)
        table.until(14 * 60)
        return [(said.at_s, said.text) for said in table.sitting.state.talk]

    assert played(5) == played(5)
    assert len({tuple(played(seed)) for seed in range(6)}) > 1


def test_nothing_can_be_done_after_the_end_but_the_debrief() -> None:
    table = Table()
    table.sitting.finish()
    for command in (
        lambda: table.sitting.write("late"),
        lambda: table.sitting.ask("deadline"),
        lambda: table.sitting.number("flops_tok", "1 FLOP"),
        table.sitting.next_phase,
    ):
        with pytest.raises(UsageError, match="over"):
            command()
    table.sitting.grade("scope", 2)
    table.sitting.grade("scope", 3, again=True)
    assert table.sitting.state.grades["scope"].grade == 2
    assert table.sitting.state.regrades["scope"].grade == 3
    with pytest.raises(UsageError, match="no grade"):
        table.sitting.grade("scope", 5)


def test_a_round_as_written_is_drawn_for_seed_nought() -> None:
    assert Table().sitting.state.prompt == "We want our own decoder of 7B parameters. Plan the run."
    assert small_round().minutes == 14


def test_a_journal_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    table = Table(path=tmp_path / "small" / "one.jsonl")
    (before,), _ = archive.read()
    assert archive.read("small")[0][0] is before
    table.sitting.note("later")
    (after,), _ = archive.read()
    assert [text for _, text in after.state.notes] == ["later"]
    assert before.state.notes == []
    table.sitting.close()


def test_a_journal_that_was_edited_is_told_and_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "small" / "one.jsonl"
    table = Table(path=path)
    table.sitting.ask("deadline")
    table.sitting.next_phase()
    table.sitting.close()
    raw = path.read_text(encoding="utf-8")
    for old, new in (
        ('"phase":"compute"', '"phase":"lunch"'),
        ('"facts":["days"]', '"facts":["luck"]'),
    ):
        assert old in raw
        path.write_text(raw.replace(old, new), encoding="utf-8")
        with pytest.raises(DrillkitError, match="does not belong"):
            Sitting.resume(path, table.clock)
        kept, faults = Archive(tmp_path).read()
        assert (len(kept), len(faults)) == (0, 1)
