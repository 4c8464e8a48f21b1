"""Everything around a design round on the screen: the list, the start, the debrief, the trends."""

from __future__ import annotations

from pathlib import Path

import pytest
from drive import Desk, play, running, screen_text, until

from drillkit.rounds.archive import Archive
from drillkit.rounds.evidence import evidence
from drillkit.rounds.journal import Journal
from drillkit.rounds.sitting import Sitting

SMALL = Path(__file__).parents[1] / "cases" / "small_round.yaml"
GOAL = "goal: done is a better success metric; assume MFU 40%"


class Rounds(Desk):
    """A desk with the small round, which can be played without a screen."""

    def __init__(self, folder):
        super().__init__(folder, deck="")
        rounds = self.home / "problems" / "rounds"
        rounds.mkdir(parents=True)
        (rounds / "small.yaml").write_text(SMALL.read_text("utf-8"), "utf-8")
        self.archive = Archive(self.home / "rounds")

    def begin(self, mode="interview", **more):
        round_ = self.workspace().library().rounds["small"]
        path = self.archive.new_journal("small", self.clock.now())
        return Sitting.begin(path, self.clock, round_, seed=0, mode=mode, **more)

    def left(self, seconds, mode="interview"):
        """A round that was left after so many seconds."""
        sitting = self.begin(mode)
        self.pass_time(sitting, seconds)
        sitting.close()
        return sitting

    def pass_time(self, sitting, seconds):
        for _ in range(seconds):
            self.clock.advance(1)
            sitting.tick()

    def played(self, *, grade=0, settled=True):
        """A round that was played to its end, and graded with `grade` where it is one."""
        sitting = self.begin()
        sitting.write(f"{sitting.state.board}{GOAL}")
        self.pass_time(sitting, 60)
        for _ in range(4):
            sitting.next_phase()
            if not sitting.state.over:
                self.pass_time(sitting, 60)
            if sitting.state.phase.id == "compute":
                # Right ones: to prove a family for each that was missed takes seconds.
                sitting.number("flops_tok", "4.52e10")
                sitting.number("gpu_hours", "31.7k GPU-h")
        if grade:
            self.grade(sitting, grade, settled=settled)
        sitting.close()
        return sitting

    def grade(self, sitting, grade, *, settled=True):
        for row in evidence(sitting.state).rows:
            sitting.grade(row.row, grade)
        sitting.open_model()
        if settled:
            sitting.settle()

    def state(self):
        """The latest journal as it is on the disk."""
        kept, faults = self.archive.read()
        assert not faults
        return kept[-1].state


@pytest.fixture
def desk(tmp_path):
    return Rounds(tmp_path)


def name_of(app):
    return type(app.screen).__name__


def flat(app):
    """What the screen shows on one line, without the edges of notices."""
    return " ".join(screen_text(app).replace("▌", " ").split())


def told(app):
    """All notices of the app."""
    return " ".join(notice.message for notice in app._notifications)


async def open_list(app, pilot):
    await pilot.press("m")
    await until(pilot, lambda: "Proposed next" in flat(app))


async def shows(app, pilot, text):
    await until(pilot, lambda: text in flat(app))


# --- the list and the start ----------------------------------------------------------------------


def test_without_rounds_the_list_says_how_to_write_one(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await pilot.press("m")
            await until(pilot, lambda: name_of(app) == "RoundsScreen")
            assert "drillkit new round FILE" in flat(app)
            await pilot.press("enter", "h")
            await shows(app, pilot, "Nothing was played yet.")
            await pilot.press("escape", "t")
            await shows(app, pilot, "No round is graded yet.")

    play(scene)


def test_home_keeps_every_key_in_sight_at_80_columns(desk):
    async def scene():
        async with running(desk) as (app, _):
            line = flat(app)
            for key in ("m Mock round", "f Figures", "Search", "s Settings", "q Quit"):
                assert key in line

    play(scene)


def test_a_round_is_chosen_and_begun_by_keys_alone(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            assert "not played yet" in flat(app)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundStartScreen")
            assert "14 minutes: Clarify 2 · Compute 4 · Layout 5 · Monitor 3" in flat(app)
            assert "7B" not in flat(app).replace("Pretrain a 7B decoder", ""), "no facts yet"
            await pilot.press("left")  # from interview back to sprint
            assert "35 minutes: Clarify 5" in flat(app)
            await pilot.press("j", "right", "right")
            assert "4 minutes: Compute 4" in flat(app)
            await pilot.press("j", "right", "s", "4", "2", "enter")
            await shows(app, pilot, "seed 42")
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundScreen")
            started = desk.state().started
            assert (started.mode, started.phases, started.minutes) == ("sprint", ("compute",), 4)
            assert (started.seed, started.level) == (42, "staff")

    play(scene)


def test_a_seed_is_taken_whatever_was_chosen_before(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundStartScreen")
            await pilot.press("left", "j", "right", "k", "right")
            await shows(app, pilot, "‹ interview ›")
            await pilot.press("s", *"7", "enter")
            await shows(app, pilot, "‹ seed 7 ›")
            await pilot.press("s", *"9" * 50, "x", "enter")
            await until(pilot, lambda: "is no whole number" in told(app))
            assert len(told(app)) < 60
            assert "‹ seed 7 ›" in flat(app)

    play(scene)


def test_a_scaled_plan_is_told_in_minutes_and_seconds(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundStartScreen")
            await pilot.press("left")
            await shows(app, pilot, "35 minutes:")
            assert "Clarify 5:00 · Compute 10:00 · Layout 12:30 · Monitor 7:30" in flat(app)

    play(scene)


def test_a_round_in_another_window_is_told(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            elsewhere = Journal.create(desk.home / "rounds" / "small" / "2026-12-01-0700.jsonl")
            await pilot.press("enter")
            await until(pilot, lambda: "is being played in another window" in told(app))
            assert name_of(app) == "RoundsScreen"
            elsewhere.close()

    play(scene)


def test_a_killed_interview_goes_on_with_the_time_away_counted(desk):
    desk.left(200)
    desk.clock.advance(130)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            assert "UNFINISHED: Enter" in flat(app)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "UnfinishedScreen")
            assert "At 3:20 of 14:00, in Clarify, phase 1 of 4. Away for 2 min." in flat(app)
            assert "Resume at 5:30" in flat(app)
            assert "Resume at 3:20" not in flat(app)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundScreen")
            assert round(app.screen.sitting.elapsed_s) == 330
            assert desk.state().interrupted

    play(scene)


def test_practice_asks_whether_the_time_away_counts(desk):
    desk.left(200, "practice")
    desk.clock.advance(130)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("enter")
            await shows(app, pilot, "Resume at 3:20")
            assert "Resume at 5:30" in flat(app)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundScreen")
            assert round(app.screen.sitting.elapsed_s) == 200

    play(scene)


def test_an_interview_whose_time_is_over_can_only_be_graded(desk):
    desk.left(200)
    desk.clock.advance(3600)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("enter")
            await shows(app, pilot, "Its time is over meanwhile.")
            assert "Resume" not in flat(app)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "GradesScreen")
            assert desk.state().ended_s == 200

    play(scene)


def test_discarding_asks_for_the_word_and_puts_the_journal_aside(desk):
    path = desk.left(200).path

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "UnfinishedScreen")
            await pilot.press("k", "enter", *"discar", "enter")
            await until(pilot, lambda: name_of(app) == "UnfinishedScreen")
            assert path.exists()
            await pilot.press("enter", *"discard", "enter")
            await until(pilot, lambda: name_of(app) == "RoundsScreen")
            assert not path.exists()
            assert path.with_name(f"{path.name}.discarded").exists()
            await shows(app, pilot, "not played yet")

    play(scene)


# --- the debrief ---------------------------------------------------------------------------------


async def grade_all(app, pilot):
    """Give the first row a 3 by the suggested line, all others a 1."""
    await pilot.press("3")
    await until(pilot, lambda: name_of(app) == "EvidenceDialog")
    await pilot.press("enter")
    await until(pilot, lambda: name_of(app) == "GradesScreen")
    await pilot.press(*"1" * (len(app.screen._rows) - 1))


def test_grading_is_blind_asks_for_a_line_and_is_kept_when_left(desk):
    desk.played()

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            assert "TO BE GRADED: d" in flat(app)
            await pilot.press("d")
            await until(pilot, lambda: name_of(app) == "GradesScreen")
            assert "Settles the goal first" in flat(app), "the anchors of the level"
            await pilot.press("n")
            assert name_of(app) == "GradesScreen", "nothing is shown before all is graded"
            await pilot.press("3")
            await until(pilot, lambda: name_of(app) == "EvidenceDialog")
            assert "suggested goal: done is a better success metric" in flat(app)
            await pilot.press("enter")
            await shows(app, pilot, "4 of 5 to grade")
            await pilot.press("1", "4")
            await until(pilot, lambda: name_of(app) == "EvidenceDialog")
            await pilot.press("t", *"loud", "enter")
            await until(pilot, lambda: name_of(app) == "GradesScreen")
            await pilot.press("escape")
            await until(pilot, lambda: name_of(app) == "RoundsScreen")
            assert not desk.archive.is_played("small")
            grades = desk.state().grades
            assert [(one.grade, one.evidence) for one in grades.values()] == [
                (3, GOAL),
                (1, ""),
                (4, "loud"),
            ]
            await shows(app, pilot, "TO BE GRADED")
            await pilot.press("d")
            await shows(app, pilot, "loud")

    play(scene)


def test_the_board_stands_beside_the_grades_or_behind_a_key(desk):
    desk.played()

    async def scene(size, *, beside):
        async with running(desk, size) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("d")
            await until(pilot, lambda: name_of(app) == "GradesScreen")
            await pilot.pause()
            assert ("== clarify ==" in flat(app)) is beside
            await pilot.press("v")
            await shows(app, pilot, f"== clarify == │ │ {GOAL}")
            await pilot.press("escape", "escape")

    play(lambda: scene((120, 40), beside=True))
    play(lambda: scene((80, 24), beside=False))


def test_the_debrief_goes_from_grades_to_cards_and_an_export(desk):
    desk.played()

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("d")
            await until(pilot, lambda: name_of(app) == "GradesScreen")
            await grade_all(app, pilot)
            assert not desk.state().opened
            await pilot.press("n")
            await until(pilot, lambda: name_of(app) == "EvidenceScreen")
            assert desk.state().opened
            assert "Scope and clarifying 3 " in flat(app)
            signs = [line for line in screen_text(app).splitlines() if "agree" in line]
            assert signs, "rows on which both agree say so"
            await pilot.press("n")
            await until(pilot, lambda: name_of(app) == "ModelScreen")
            assert "yours goal: done is a better success metric" in flat(app)
            assert "✗ Not asked for in time: parameters" in flat(app)
            assert "assume an MFU of 40 %" in flat(app)
            await pilot.press("p", "n")
            assert desk.state().marks == {"clarify/restates": "partial"}
            assert "GPU-hours 31.7k GPU-h 31,740 GPU-h 0.999 ✓ exact" in flat(app)
            await pilot.press("n")
            assert "yours: none was given in time" in flat(app)
            await pilot.press("e")
            await until(pilot, lambda: name_of(app) == "VerdictScreen")
            assert "You: NO HIRE" in flat(app)
            await shows(app, pilot, "0 taken")
            await pilot.press("x", "e")
            await until(pilot, lambda: name_of(app) == "DraftScreen")
            await pilot.press(*"My ", "ctrl+s")
            await shows(app, pilot, "1 taken")
            await pilot.press("enter", "enter")
            await until(pilot, lambda: name_of(app) == "RoundsScreen")
            # The watcher of the decks may tell of the new card by now; the debrief itself does not.
            assert told(app) in {"", "1 card added"}, "the list of rounds is not covered"
            app.clear_notifications()
            await shows(app, pilot, "no hire")
            state = desk.state()
            assert state.finished
            assert len(state.cards) == 1
            assert "My " in (desk.home / "decks" / "from-rounds.yaml").read_text("utf-8")
            export = next((desk.home / "rounds" / "small").glob("*.md")).read_text("utf-8")
            assert state.cards[0] in export

    play(scene)


def test_no_answer_to_a_draft_is_lost_without_a_word(desk):
    desk.played(grade=1, settled=False)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("d")
            await until(pilot, lambda: name_of(app) == "EvidenceScreen")
            await pilot.press("n", "e")
            await shows(app, pilot, "0 taken")
            await pilot.press("a", "b")
            await until(pilot, lambda: name_of(app) == "ModelScreen")
            await pilot.press("e")
            await shows(app, pilot, "1 taken")
            await pilot.press("escape")
            await shows(app, pilot, "Cards are written by Enter alone. Esc again leaves without")
            await pilot.press("enter")
            await shows(app, pilot, "not answered: A takes all; Enter again ends without them.")
            assert not desk.state().finished
            await pilot.press("A")
            await shows(app, pilot, "Enter keeps these and ends.")
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundsScreen")
            assert len(desk.state().cards) > 1

    play(scene)


def test_the_sprint_that_is_proposed_is_a_key_away(desk):
    desk.played(grade=2)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("h")
            await shows(app, pilot, "lean no hire")
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "VerdictScreen")
            assert "play a sprint of Compute" in flat(app)
            await pilot.press("p")
            await until(pilot, lambda: name_of(app) == "RoundStartScreen")
            assert "‹ sprint ›" in flat(app)
            assert "Play ‹ Compute ›" in flat(app)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundScreen")
            assert desk.state().started.phases == ("compute",)

    play(scene)


def test_a_second_grading_starts_blank_and_shows_the_drift(desk):
    desk.played(grade=2)
    desk.clock.advance(86_400)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("h")
            await shows(app, pilot, "lean no hire")
            await pilot.press("r")
            await until(pilot, lambda: name_of(app) == "GradesScreen")
            assert "2 Scope" not in flat(app)
            await grade_all(app, pilot)
            await pilot.press("n")
            await until(pilot, lambda: name_of(app) == "DriftScreen")
            assert "Scope and clarifying 2 3 ▲ +1" in flat(app)
            assert "Budget numbers 2 1 ▼ −1" in flat(app)
            assert desk.state().grades["numbers"].grade == 2

    play(scene)


def test_a_model_answer_is_shut_while_a_later_attempt_is_not_graded(desk):
    desk.played(grade=3)
    desk.clock.advance(3600)
    desk.played()

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("h")
            await shows(app, pilot, "2 rounds")
            await pilot.press("j", "enter")
            await until(pilot, lambda: "is shut until" in told(app))
            assert name_of(app) == "HistoryScreen"

    play(scene)


# --- over the weeks ------------------------------------------------------------------------------


def test_both_rounds_of_a_week_are_listed_and_the_week_is_told(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            assert "none was played yet" in flat(app)
            desk.played(grade=3)
            desk.clock.advance(86_400)
            await pilot.press("escape")
            await open_list(app, pilot)
            await shows(app, pilot, "1 of 2 this week, the second by Sunday.")
            assert "Last full round yesterday (Tue 01 Dec)" in flat(app)
            desk.played(grade=3)
            await pilot.press("escape")
            await open_list(app, pilot)
            await shows(app, pilot, "2 of 2 this week are done.")
            await pilot.press("h")
            await shows(app, pilot, "Wed 02 Dec 2026 08:04")
            assert "Tue 01 Dec 2026 08:00" in flat(app)
            await pilot.press("escape", "enter")
            await shows(app, pilot, "Played twice, last on Wed 02 Dec.")

    play(scene)


def test_trends_say_that_few_rounds_show_none_and_leave_interrupted_ones_out(desk):
    async def scene():
        async with running(desk, (120, 40)) as (app, pilot):
            for grade in (1, 2):
                desk.played(grade=grade)
                desk.clock.advance(86_400)
            sitting = desk.begin()
            desk.clock.advance(120)
            sitting.tick()
            sitting.finish()
            desk.grade(sitting, 4)
            sitting.close()
            await open_list(app, pilot)
            await pilot.press("t")
            await shows(app, pilot, "too few to see a trend")
            assert "1 interrupted: left out." in flat(app)
            assert "INTERRUPTED, left out" in flat(app)
            assert "Scope and clarifying ▁▃ 1 2" in flat(app)
            await pilot.press("i")
            await shows(app, pilot, "3 rounds of level senior.")
            assert "Scope and clarifying ▁▃█ 1 2 4" in flat(app)
            await pilot.press("l")
            await shows(app, pilot, "0 rounds of level staff")

    play(scene)


def test_trends_show_titles_whole_and_as_many_numbers_as_there_is_room_for(desk):
    for grade in (1, 2, 3, 4, 4):
        desk.played(grade=grade)
        desk.clock.advance(86_400)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await pilot.press("t")
            await shows(app, pilot, "5 rounds of level senior. Numbers: the last 4.")
            assert "Communication, pace and recovery ▁▃▆██ 2 3 4 4" in flat(app)
            await pilot.resize_terminal(120, 40)
            await shows(app, pilot, "Communication, pace and recovery ▁▃▆██ 1 2 3 4 4")

    play(scene)


def test_a_damaged_journal_is_told_and_hides_no_other(desk):
    desk.played(grade=3)
    (desk.home / "rounds" / "small" / "2026-11-30-0800.jsonl").write_text("{}\n", "utf-8")

    async def scene():
        async with running(desk) as (app, pilot):
            await open_list(app, pilot)
            await until(pilot, lambda: "2026-11-30-0800.jsonl" in told(app))
            assert "played once" in flat(app)

    play(scene)
