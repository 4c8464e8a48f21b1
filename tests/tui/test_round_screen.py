"""A running round on the screen: clock, phases, board, interviewer, numbers, leaving."""

from __future__ import annotations

import msgspec
import pytest
from drive import Desk, play, screen_text, until
from round_desk import playing, small_round
from textual.events import Paste
from textual.widgets import Input, TextArea

from drillkit.errors import DrillkitError
from drillkit.rounds.journal import read_journal
from drillkit.rounds.pace import Visit
from drillkit.rounds.state import replay
from drillkit.tui.screens.round import RoundScreen
from drillkit.tui.widgets.round.prompt import Prompt, layout_fields


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def on_disk(sitting):
    return replay(read_journal(sitting.path))


# --- the header ----------------------------------------------------------------------------------


def test_a_round_opens_on_the_board_with_its_question_and_what_to_write_down(desk):
    async def scene():
        async with playing(desk) as it:
            text = screen_text(it.app)
            for part in (
                "Pretrain a 7B decoder in two weeks", "INTERVIEW", "senior", "#1 today",
                "14:00 left", "[CLARIFY 0:00/2:00] > comp > lay > mon", "on pace",
                "We want our own decoder of 7B parameters.", "Ask me what you need.",
                "write down: model shape, tokens, hardware, deadline, what done means",
                "F1 Help  F2 Board  F3 Number  F4 Answer  F5 List  F8 Next  ^t Clock  Esc Menu",
            ):  # fmt: skip
                assert part in text, part
            await it.type("a goal")
            assert it.board == "== clarify ==\na goal"
            await it.wait(11)
            assert "write down" not in screen_text(it.app)

    play(scene)


def test_every_phase_shows_its_list_and_ends_on_the_minute_in_hard_mode(desk):
    async def scene():
        async with playing(desk, hard=True) as it:
            for phase, at_s, listed in (
                ("COMPUTE", 120, "FLOPs per token, GPU-hours, days"),
                ("LAYOUT", 360, "degrees, mapping to nodes"),
                ("MONITOR", 660, "loss, MFU, goodput"),
            ):
                await it.wait(at_s - 1 - round(it.sitting.elapsed_s))
                assert f"[{phase}" not in screen_text(it.app)
                await it.wait(1)
                text = screen_text(it.app)
                assert f"[{phase} 0:00/" in text
                assert f"write down: {listed}" in text
                assert it.sitting.state.visits[-1].entered_s == at_s

    play(scene)


def test_an_overrun_is_shown_with_the_phases_that_pay_and_the_round_still_ends_in_time(desk):
    async def scene():
        async with playing(desk) as it:
            await it.wait(120 + 130)
            text = screen_text(it.app)
            assert "[CLARIFY 4:10/2:00 +2:10]" in text
            assert "mon -2:10" in text
            assert "pace -2:10" in text
            assert "monitor at" in text or "pace" in text
            await it.wait(14 * 60 - 250)
            assert "OVERTIME +0:00" in screen_text(it.app)
            assert it.board.endswith("== overtime ==\n")

    play(scene)


def test_pace_has_a_dead_band_and_foretells_the_last_phase(desk):
    async def scene():
        async with playing(desk, (120, 40)) as it:
            await it.wait(90)
            await it.press("f8")
            assert "on pace" in screen_text(it.app)
            await it.wait(60)
            await it.press("f8")
            await until(it.pilot, lambda: "3 layout        5:00  0:00 ◂" in screen_text(it.app))
            text = screen_text(it.app)
            assert "pace +3:30" in text
            assert "monitor at 7:30" in text
            assert "1 clarify       2:00  1:30 ok" in text

    play(scene)


def test_the_ghost_of_the_best_run_is_on_the_bar(desk):
    ghost = (Visit("clarify", 0, 60), Visit("compute", 60, 300), Visit("layout", 300, 700))

    async def scene():
        async with playing(desk, ghost=ghost) as it:
            await it.wait(70)
            assert "best run: compute" in screen_text(it.app)
            bar = screen_text(it.app).splitlines()[2]
            assert bar.index("◇") > bar.index("▶"), "it was ahead"

    play(scene)


def test_the_clock_shows_what_is_left_or_done_or_nothing(desk):
    async def scene():
        async with playing(desk) as it:
            await it.wait(10)
            shown = []
            for _ in range(4):
                top = screen_text(it.app).splitlines()[:2]
                shown.append("\n".join(top))
                await it.press("ctrl+t")
            assert "13:50 left" in shown[0]
            assert "0:10 done" in shown[1]
            assert "clock hidden" in shown[2]
            assert "0:10" not in shown[2]
            assert shown[3] == shown[0]

    play(scene)


# --- the board -----------------------------------------------------------------------------------


def test_what_is_typed_is_in_the_journal_after_a_second(desk):
    async def scene():
        async with playing(desk) as it:
            await it.type("x = 6")
            await it.wait(1)
            assert on_disk(it.sitting).board == "== clarify ==\nx = 6"

    play(scene)


def test_what_is_typed_is_kept_before_the_next_phase_and_undo_lives_on(desk):
    async def scene():
        async with playing(desk) as it:
            await it.type("first")
            await it.press("f8")
            assert it.board == "== clarify ==\nfirst\n\n== compute ==\n"
            await it.type("second")
            assert it.board.endswith("== compute ==\nsecond")
            await it.press("ctrl+z")
            assert it.board.endswith("== compute ==\n")
            await it.press("ctrl+z", "ctrl+z")
            assert it.board == "== clarify ==\n"
            assert it.app.is_running, "ctrl+z undoes, it does not suspend"

    play(scene)


def test_time_up_adds_a_heading_and_leaves_the_cursor_where_it_was(desk):
    async def scene():
        async with playing(desk) as it:
            await it.type("abc")
            await it.wait(14 * 60 - 1)
            await it.press("left")
            await it.wait(1)
            assert "== overtime ==" in it.board
            await it.type("X")
            assert "abXc" in it.board
            await it.wait(1)
            assert on_disk(it.sitting).in_time_board == "== clarify ==\nabc"

    play(scene)


def test_pasted_control_characters_are_shown_as_pictures(desk):
    async def scene():
        async with playing(desk) as it:
            it.app.post_message(Paste("a\x1b[31mred\x07\r\n[/foo] W[i] \u202e"))
            await it.pilot.pause()
            await it.pilot.pause()
            assert it.board == "== clarify ==\na␛[31mred␇\n[/foo] W[i] �"
            assert "[/foo] W[i]" in screen_text(it.app)
            await it.press("f4")
            it.app.post_message(Paste("b\x1b]0;owned\x07"))
            await it.pilot.pause()
            await it.pilot.pause()
            assert it.screen.query_one("#prompt-input", Input).value == "b␛]0;owned␇"

    play(scene)


def test_the_texts_of_a_round_are_shown_as_they_are(desk):
    hostile = "[/foo] W[i] [b]x[/b] \x1b[31m \u202e {z}"
    written = small_round()
    phase = msgspec.structs.replace(written.phases[0], say=hostile, write=(hostile,))
    ball = msgspec.structs.replace(written.curveballs[0], say=hostile)
    round_ = msgspec.structs.replace(
        written,
        title=hostile,
        prompt=hostile,
        phases=(phase, *written.phases[1:]),
        curveballs=(ball, *written.curveballs[1:]),
    )

    async def scene():
        async with playing(desk, round_=round_) as it:
            text = screen_text(it.app)
            assert text.count("W[i] [b]x[/b]") >= 4
            assert "\x1b" not in text
            await it.press("f4")
            await it.press("f5")
            await it.press("f2", "f8", "f8")
            await it.wait(70)
            assert "! INTERVIEWER" in screen_text(it.app)

    play(scene)


def test_a_disk_that_refuses_is_told_and_nothing_is_lost_from_the_screen(desk, monkeypatch):
    async def scene():
        async with playing(desk) as it:
            await it.type("kept")
            await it.wait(1)

            def refuse(_event):
                raise DrillkitError("the journal cannot be written: no space", hint="make room")

            monkeypatch.setattr(it.sitting._journal, "append", refuse)
            await it.type(" more")
            await it.wait(1)
            text = screen_text(it.app)
            assert "the journal cannot be written: no space. make room" in text
            assert "NOT KEPT" in text
            await it.type("!")
            assert it.board.endswith("kept more!")
            await it.press("ctrl+q", "k")
            assert "leave, the last lines are lost" in screen_text(it.app)
            monkeypatch.undo()
            await it.press("escape")
            await it.wait(1)
            assert "NOT KEPT" not in screen_text(it.app)
            assert on_disk(it.sitting).board.endswith("kept more!")

    play(scene)


# --- the interviewer -----------------------------------------------------------------------------


def test_a_question_gets_its_fact_and_an_unknown_word_an_assumption(desk):
    async def scene():
        async with playing(desk) as it:
            await it.press("f4")
            await it.type("?deadline")
            await it.press("enter")
            assert "deadline: 14 days" in screen_text(it.app)
            await it.type("colour of the roof")
            await it.press("enter")
            assert "Assume something and say it." in screen_text(it.app)
            assert "What you plan goes on the board: F2." in screen_text(it.app)
            await it.type("?lunch")
            await it.press("enter")
            assert "What you plan goes on the board" not in screen_text(it.app)
            await it.type("!think of spares")
            await it.press("enter")
            await it.type("@mfu=45%")
            await it.press("enter")
            assert "Assumed: mfu=45%" in screen_text(it.app)
            await it.press("f5")
            text = screen_text(it.app)
            assert "· deadline: 14 days" in text
            assert "· think of spares" in text
            assert it.sitting.state.assumed_at

    play(scene)


def test_what_was_not_asked_is_told_when_the_first_phase_is_over(desk):
    async def scene():
        async with playing(desk, (120, 40)) as it:
            await it.press("f8")
            text = screen_text(it.app)
            assert "You did not ask for: parameters, training tokens, GPUs, deadline, done" in text
            assert "· GPUs: 128" in text

    play(scene)


def test_what_was_said_of_one_phase_does_not_stay_for_the_next(desk):
    async def scene():
        async with playing(desk, hard=True) as it:
            await it.wait(125)
            assert "You did not ask for" in screen_text(it.app)
            await it.wait(240)
            assert "[LAYOUT" in screen_text(it.app)
            assert "You did not ask for" not in screen_text(it.app)

    play(scene)


def test_a_sprint_says_where_its_facts_are(desk):
    async def scene():
        async with playing(desk, mode="sprint", phases=("layout",)) as it:
            assert "The facts are told: F5 shows them." in " ".join(screen_text(it.app).split())
            await it.press("f5")
            assert "· GPUs: 128" in screen_text(it.app)

    play(scene)


async def until_the_rack_is_lost(it):
    await it.press("f8", "f8")
    await it.wait(61)


def test_a_curveball_rings_and_takes_an_answer(desk):
    async def scene():
        async with playing(desk) as it:
            rung = []
            it.app.bell = lambda: rung.append(1)
            await until_the_rack_is_lost(it)
            text = screen_text(it.app)
            assert "! INTERVIEWER" in text
            assert "We lose 32 GPUs. What changes?" in text
            assert "2:00 to answer (F4)" in text or "1:59 to answer (F4)" in text
            assert rung
            await it.press("f4")
            assert "answer:" in screen_text(it.app)
            await it.type("the date moves")
            await it.press("enter")
            assert "Answered." in screen_text(it.app)
            assert "! INTERVIEWER" not in screen_text(it.app)
            assert it.sitting.state.curveballs[0].text == "the date moves"
            assert it.app.focused.id == "board"

    play(scene)


def test_an_empty_answer_points_at_the_board_and_a_key_skips(desk):
    async def scene():
        async with playing(desk) as it:
            await until_the_rack_is_lost(it)
            await it.type("96 left: 18 days")
            await it.press("f4", "enter")
            assert it.sitting.state.curveballs[0].text == "96 left: 18 days"

    play(scene)


def test_a_skipped_curveball_is_recorded(desk):
    async def scene():
        async with playing(desk) as it:
            await until_the_rack_is_lost(it)
            await it.press("escape", "s")
            assert it.sitting.state.curveballs[0].outcome == "skipped"

    play(scene)


# --- numbers -------------------------------------------------------------------------------------


def test_an_interview_records_numbers_without_a_word_on_them(desk):
    async def scene():
        async with playing(desk) as it:
            await it.press("f3")
            assert "No number is asked for yet" in screen_text(it.app)
            await it.press("f8", "f3")
            assert "training FLOPs per token (FLOP):" in screen_text(it.app)
            await it.type("9e9")
            assert "read as" in screen_text(it.app)
            await it.press("enter")
            text = screen_text(it.app)
            assert "recorded" in text
            assert "off" not in text.replace("of", "")
            assert "GPU-hours (GPU-h):" in text, "it goes on to the next one"
            await it.type("nonsense")
            await it.press("enter")
            assert len(it.sitting.state.numbers) == 1
            await it.press("f2")
            assert "flops_tok 9 × 10⁹ FLOP (set)" in screen_text(it.app)

    play(scene)


def test_practice_tells_the_band_and_what_explains_it_at_once(desk):
    async def scene():
        async with playing(desk, mode="practice") as it:
            await it.press("f8", "f3")
            await it.type("1.41e10 FLOP")
            await it.press("enter")
            text = screen_text(it.app)
            assert "too low" in text
            assert "2Ψ is the forward pass alone" in text
            await it.press("escape", "r")
            await it.type("4.52e10 FLOP")
            await it.press("enter")
            assert "flops_tok 4.52 × 10¹⁰ FLOP: right." in screen_text(it.app)
            assert [one.revised for one in it.sitting.state.numbers] == [False, True]

    play(scene)


def test_an_earlier_number_is_chosen_with_the_arrows_and_keeps_its_draft(desk):
    async def scene():
        async with playing(desk) as it:
            await it.press("f8", "f3")
            await it.type("45 GF")
            await it.press("down")
            assert it.screen.query_one(Prompt).target.name == "gpu_hours"
            await it.press("f2", "f3", "up")
            await it.press("up") if it.screen.query_one(Prompt).target.name != "flops_tok" else None
            assert it.screen.query_one("#prompt-input", Input).value == "45 GF"

    play(scene)


def test_how_one_number_was_read_is_not_told_of_the_next(desk):
    async def scene():
        async with playing(desk) as it:
            await it.press("f8", "f3")
            await it.type("45e9 FLOP")
            assert "read as 45" in screen_text(it.app)
            await it.press("down")
            assert "read as 45" not in screen_text(it.app)

    play(scene)


def test_numbers_ask_to_be_checked_again_when_a_fact_changes(desk):
    async def scene():
        async with playing(desk, mode="practice") as it:
            await it.press("f8", "f8", "f3")
            await it.type("tp=1 pp=1 dp=128 zero=2 micro=1")
            await it.press("enter", "f2")
            assert "(right)" in screen_text(it.app)
            await it.wait(61)
            assert "(recheck)" in screen_text(it.app)

    play(scene)


def test_a_layout_is_typed_in_one_line_and_what_is_missing_is_said(desk):
    async def scene():
        async with playing(desk, mode="practice") as it:
            await it.press("f8", "f8", "f3")
            assert "layout:" in screen_text(it.app)
            await it.type("tp=8 pp=2")
            assert "still to be said: dp, zero, micro_batch" in screen_text(it.app)
            await it.press("enter")
            assert not it.sitting.state.layouts
            await it.type(" dp=9 zero=1 micro=1")
            await it.press("enter")
            assert "The degrees must multiply to 128 GPUs." in " ".join(screen_text(it.app).split())
            assert it.sitting.state.layouts[0].fields["micro_batch"] == 1

    play(scene)


def test_a_layout_typed_where_a_number_is_asked_for_is_a_layout(desk):
    async def scene():
        async with playing(desk, mode="practice") as it:
            await it.press("f8", "f8", "f3", "up")
            assert it.screen.query_one(Prompt).target.check is not None
            await it.type("tp=1 pp=1 dp=128")
            assert "a layout: still to be said: zero, micro_batch" in screen_text(it.app)
            await it.type(" zero=2 micro=1")
            assert "a layout: Enter records it" in screen_text(it.app)
            await it.press("enter")
            assert it.sitting.state.layouts[0].fields["dp"] == 128
            assert not it.sitting.state.numbers
            assert it.screen.query_one("#prompt-input", Input).value == ""

    play(scene)


def test_fields_are_read_as_people_type_them():
    wanted = {"tp": 8, "pp": 4, "dp": 32, "zero": 1, "micro_batch": 2}
    for text in (
        "tp=8 pp=4 dp=32 zero=1 micro_batch=2",
        "TP 8, PP 4, DP 32, ZeRO-1, micro 2",
        "tp8 pp4 dp32 zero1 mb2",
        "tp: 8; pp: 4; dp: 32; z: 1; micro=2",
    ):
        assert layout_fields(text) == wanted, text


# --- keys, sizes, leaving ------------------------------------------------------------------------


def test_no_key_of_a_round_is_one_of_the_text_area(desk):
    def keys(bindings):
        return {key for one in bindings for key in one.key.split(",")}

    assert not keys(RoundScreen.BINDINGS) & keys(TextArea.BINDINGS)
    assert not keys(RoundScreen.BINDINGS) & keys(Input.BINDINGS)


def test_escape_offers_every_command_by_a_letter(desk):
    async def scene():
        async with playing(desk, mode="practice") as it:
            await it.press("escape")
            text = screen_text(it.app)
            for part in ("n next", "a answer", "f number", "r revise", "w list", "t clock",
                         "p pause", "q leave"):  # fmt: skip
                assert part in text
            await it.press("n")
            assert it.sitting.state.phase.id == "compute"
            assert it.app.focused.id == "board"
            await it.press("escape", "escape")
            await it.type("n")
            assert it.board.endswith("\nn")

    play(scene)


def test_a_question_is_gone_when_one_turns_to_the_board(desk):
    async def scene():
        async with playing(desk) as it:
            await it.press("escape")
            assert "n next" in screen_text(it.app)
            await it.press("f2")
            await until(it.pilot, lambda: "n next" not in screen_text(it.app))
            await it.type("n")
            assert it.board == "== clarify ==\nn"

    play(scene)


def test_a_pause_hides_board_and_prompt_and_stops_the_clock(desk):
    async def scene():
        async with playing(desk, mode="practice") as it:
            await it.type("secret plan")
            await it.press("escape", "p")
            text = screen_text(it.app)
            assert "PAUSED" in text
            assert "secret" not in text
            left = text.splitlines()[0]
            await it.wait(30)
            assert screen_text(it.app).splitlines()[0] == left
            await it.press("f2", "f8", "x")
            assert "PAUSED" in screen_text(it.app)
            await it.press("p")
            assert "secret plan" in screen_text(it.app)
            await it.type("!")
            assert it.board.endswith("secret plan!")

    play(scene)


def test_an_interview_counts_an_absence_and_practice_asks(desk):
    async def scene():
        async with playing(desk) as it:
            await it.sleep(60)
            assert "13:00 left" in screen_text(it.app)
            assert "Away for 60 s" in screen_text(it.app)

    play(scene)


@pytest.mark.parametrize(("key", "left"), [("y", "13:00 left"), ("n", "14:00 left")])
def test_practice_asks_whether_an_absence_counts(desk, key, left):
    async def scene():
        async with playing(desk, mode="practice") as it:
            await it.sleep(60)
            assert "does it count?" in screen_text(it.app)
            await it.press("f2", "x", key)
            assert left in screen_text(it.app)
            assert len(it.sitting.state.absences) == 1

    play(scene)


def test_below_80_by_24_a_sentence_stands_and_the_clock_runs_on(desk):
    async def scene():
        async with playing(desk) as it:
            await it.type("abc")
            await it.pilot.resize_terminal(60, 20)
            await it.pilot.pause()
            await it.wait(10)
            text = " ".join(screen_text(it.app).split())
            assert "needs 80×24" in text
            assert "13:50 left" in text
            await it.press("x", "f8")
            assert it.sitting.state.index == 0
            await it.pilot.resize_terminal(80, 24)
            await it.pilot.pause()
            await it.type("d")
            assert it.board.endswith("abcd")

    play(scene)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_all_controls_are_reachable_at_either_size(desk, size):
    async def scene():
        async with playing(desk, size) as it:
            for key in ("f3", "f4", "f5", "f2", "f5", "escape", "t", "escape", "f", "f1", "escape"):
                await it.press(key)
            await it.press("f8")
            text = screen_text(it.app)
            for part in ("Esc Menu", "F8 Next", "COMPUTE", "board: compute"):
                assert part in text

    play(scene)


def test_ctrl_q_asks_and_keeps_the_round(desk):
    async def scene():
        async with playing(desk) as it:
            await it.type("plan")
            await it.press("f1")
            await it.press("ctrl+q")
            text = screen_text(it.app)
            assert "Leave the round?  k keep it for later  e end it now and grade  Esc stay" in text
            await it.press("escape")
            await it.type("s")
            await it.press("ctrl+q", "k")
            await until(it.pilot, lambda: not isinstance(it.app.screen, RoundScreen))
            kept = on_disk(it.sitting)
            assert kept.board.endswith("plans")
            assert not kept.over
            assert it.app.is_running

    play(scene)


@pytest.mark.parametrize("way", ["last phase", "ctrl+q", "overtime"])
def test_the_end_leads_to_the_debrief(desk, way, monkeypatch):
    async def scene():
        async with playing(desk) as it:
            debriefed = []
            monkeypatch.setattr(it.app, "debrief_round", debriefed.append)
            if way == "last phase":
                await it.press("f8", "f8", "f8", "f8")
                assert not it.sitting.state.over, "it asks before"
                await it.press("y")
            elif way == "ctrl+q":
                await it.press("ctrl+q", "e")
            else:
                await it.press("f1")
                it.desk.clock.advance(14 * 60)
                it.screen.tick()
                it.desk.clock.advance(300)
                it.screen.tick()
                await it.pilot.pause()
            assert it.sitting.state.over
            assert debriefed == [it.sitting]
            assert not isinstance(it.app.screen, RoundScreen)

    play(scene)


def test_an_edited_deck_does_not_disturb_a_round(desk):
    async def scene():
        async with playing(desk) as it:
            desk.file.write_text(desk.file.read_text("utf-8").replace("plain", "plainer"), "utf-8")
            it.app._watch()
            await it.app.workers.wait_for_complete()
            await it.pilot.pause()
            assert not it.app._notifications
            assert it.app.focused.id == "board"

    play(scene)
