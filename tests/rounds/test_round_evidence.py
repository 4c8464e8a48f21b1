"""What a round shows: graded by what was asked for, in time, and by nothing else."""

from __future__ import annotations

import pytest
from candidates import DERIVED, LAYOUT, RECITED, answer, graded, strong, weak, write
from rounds_table import Table, small_round

from drillkit.content.round import LEVELS, ROWS
from drillkit.rounds.evidence import evidence, evidence_line, grade_of, suggested_marks
from drillkit.rounds.mentions import Said
from drillkit.rounds.rubric import rubric, signals


@pytest.mark.parametrize(
    ("keys", "text", "mark"),
    [
        (("date|deadline", "token"), "The dates move; fewer TOKENS.", "hit"),
        (("date|deadline", "token"), "Two deadlines.", "partial"),
        (("date|deadline", "token"), "An update of the mandate.", "miss"),
        (("a", "b", "c"), "a b", "hit"),
        (("16 bytes",), "16\n  bytes", "hit"),
        (("2+2+12",), "2 + 2 + 12 bytes", "hit"),
        (("2+2+12",), "12+2+120", "miss"),
        (("6*",), "16*13", "miss"),
        (("7",), "0.7 or 17", "miss"),
        (("page ",), "one page a day", "hit"),
        (("page ",), "pager", "miss"),
        (("gpus?",), "how many gpus?", "hit"),
        (("6ψ",), "6Ψ a token", "hit"),
        (("%",), "12 %", "hit"),
        ((), "anything", "miss"),
    ],
)
def test_words_suggest_a_mark(keys, text, mark):
    assert Said((text,)).mark(keys) == mark


def test_what_was_heard_does_not_count_when_it_is_repeated():
    heard = Said(("You get half the bandwidth. What changes?",))
    keys = ("half|double", "ms|still|%")
    assert Said(("Half the bandwidth.",)).mark(keys, heard) == "miss"
    assert Said(("Half the bandwidth, so it takes double.",)).mark(keys, heard) == "partial"
    assert Said(("Then it takes double, still 3 %.",)).mark(keys, heard) == "hit"
    assert Said(("Half of it.",)).mark(("half",), heard) == "hit"


def test_the_headings_of_the_board_say_nothing():
    assert Said(("== memory ==\nnothing",)).mark(("memory",)) == "miss"


def test_a_strong_candidate_is_suggested_high_grades_and_a_weak_one_low_ones():
    good, bad = evidence(strong().sitting.state), evidence(weak().sitting.state)
    assert set(good.suggested) == {"scope", "numbers", "layout", "evaluation", "communication"}
    assert min(good.suggested.values()) >= 3
    assert max(bad.suggested.values()) <= 2
    assert all(0 <= row.score <= 1 for row in (*good.rows, *bad.rows))


def _board(text: str) -> Table:
    table = Table()
    table.go_to("monitor")
    table.sitting.write(text)
    table.sitting.finish()
    return table


@pytest.mark.parametrize(
    ("board", "mark"),
    [
        ("== monitor ==\nthe loss, for a spike", "hit"),
        ("== monitor ==\nthe loss curve", "partial"),
        ("== layout ==\nthe loss, for a spike\n== monitor ==\nall", "partial"),
        ("== layout ==\nthe loss\n== monitor ==\nall", "miss"),
        ("== monitor ==\nthe loss curve\n== layout ==\nTP 8\n== monitor ==\na spike", "hit"),
        ("without headings: the loss, for a spike", "hit"),
    ],
)
def test_a_point_is_looked_for_under_its_heading_and_elsewhere_in_part(board, mark):
    assert suggested_marks(_board(board).sitting.state)["monitor/loss-spikes"] == mark


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("what done means", "miss"),
        ("Plan the run. What done means!", "miss"),
        ("done means a better score", "partial"),
        ("done = score", "partial"),
        ("assume 40 %, done: a better score", "hit"),
    ],
)
def test_a_line_that_copies_the_question_says_nothing(line, mark):
    table = Table()
    table.sitting.write(f"== clarify ==\n{line}\n")
    table.sitting.finish()
    assert suggested_marks(table.sitting.state)["clarify/restates"] == mark


def test_a_note_and_an_answer_belong_to_the_phase_in_which_they_came():
    table = Table()
    table.go_to("monitor")
    table.sitting.note("the loss may spike")
    table.sitting.finish()
    assert suggested_marks(table.sitting.state)["monitor/loss-spikes"] == "hit"


def test_a_bare_figure_scores_below_one_that_is_derived():
    derived = evidence(strong(compute=DERIVED).sitting.state)
    recited = evidence(strong(compute=RECITED).sitting.state)
    assert recited.row("numbers").score < derived.row("numbers").score
    bare = evidence(strong(compute="16 bytes a parameter\ndeadline of 14 days").sitting.state)
    assert bare.row("numbers").score < recited.row("numbers").score
    marks = [
        {one.signal.id: one.mark for one in shown.signals} for shown in (derived, recited, bare)
    ]
    assert [one["derives"] for one in marks] == ["hit", "partial", "miss"]


def test_the_three_signals_are_rows_of_the_evidence():
    shown = evidence(strong().sitting.state)
    assert [one.signal.id for one in shown.signals] == ["derives", "decides", "runs"]
    told = "\n".join(line for row in shown.rows for line in row.lines)
    assert "Derives its numbers: yes" in told
    assert "Says who runs it in production" in told


def test_a_sprint_of_a_phase_suggests_only_its_row():
    table = Table(mode="sprint", phases=("monitor",))
    table.until(60)
    write(table, "loss, and a spike goes back to a checkpoint")
    table.sitting.finish()
    assert set(evidence(table.sitting.state).suggested) == {"evaluation"}


def test_what_was_not_asked_for_counts_against_nobody():
    table = Table(mode="sprint", phases=("compute",))
    table.until(30)
    write(table, "the deadline is 14 days; 6Ψ; check: 2 + 2 + 12")
    table.sitting.number("flops_tok", "4.52e10 FLOP")
    table.sitting.number("gpu_hours", "31750 GPU-h")
    table.sitting.finish()
    shown = evidence(table.sitting.state)
    assert shown.row("numbers").score == pytest.approx(1)
    assert "assumptions" not in " ".join(shown.row("numbers").lines)


def test_what_came_after_the_time_does_not_count():
    table = strong(monitor="nothing yet", end=False)
    table.until(850)
    before = evidence(table.sitting.state)
    write(table, "loss, spike, alert, owner, runbook")
    table.sitting.number("gpu_hours", "1 GPU-h")
    table.sitting.note("the loss spikes")
    assert evidence(table.sitting.state) == before


def test_only_the_last_number_in_time_counts_and_a_correction_is_credited():
    table = strong(hours="12000 GPU-h", end=False)
    assert "correct" not in " ".join(evidence(table.sitting.state).row("communication").lines)
    before = evidence(table.sitting.state)
    table.sitting.number("gpu_hours", "31750 GPU-h")
    after = evidence(table.sitting.state)
    assert after.row("numbers").score > before.row("numbers").score
    assert "corrected by yourself: gpu_hours" in after.row("communication").lines


def _challenged(hours: str, later: str = "") -> Table:
    table = Table()
    table.go_to("compute")
    table.sitting.number("gpu_hours", hours)
    table.pass_s(130)
    assert table.sitting.state.curveballs[-1].curveball.id == "sure"
    if later:
        table.sitting.number("gpu_hours", later)
    answer(table, "because I can check it")
    table.sitting.finish()
    return table


@pytest.mark.parametrize(
    ("hours", "later", "told"),
    [
        ("31750 GPU-h", "", "held"),
        ("31750 GPU-h", "15875 GPU-h", "gave in"),
        ("15875 GPU-h", "31750 GPU-h", "corrected"),
        ("15875 GPU-h", "", "stood by a wrong number"),
    ],
)
def test_a_challenge_is_credited_for_the_number_and_not_for_the_stance(hours, later, told):
    shown = evidence(_challenged(hours, later).sitting.state)
    finding = next(one for one in shown.findings if one.line.endswith(f"”: {told}"))
    assert finding.value == (told in {"held", "corrected"})


def test_a_number_that_is_held_without_a_reason_is_half_held():
    table = Table()
    table.go_to("compute")
    table.sitting.number("gpu_hours", "31750 GPU-h")
    table.pass_s(130)
    answer(table, "Oh yes, then it is that.")
    table.sitting.finish()
    found = evidence(table.sitting.state).findings
    assert next(one.value for one in found if one.line.endswith("held, without a reason")) == 0.5


def test_a_word_is_no_answer():
    table = strong(rack="Tokens.")
    told = evidence(table.sitting.state).row("communication").lines
    assert any(line.endswith("in a word that says nothing") for line in told)
    assert suggested_marks(table.sitting.state)["lose-a-rack/dates"] == "miss"


def test_a_curveball_counts_when_it_is_answered_in_time():
    table = Table()
    table.go_to("layout")
    table.pass_s(61)
    assert table.sitting.state.curveballs
    table.sitting.skip()
    table.sitting.finish()
    shown = evidence(table.sitting.state)
    lines = shown.row("communication").lines
    assert "“We lose 32 GPUs. What changes?”: skipped" in lines
    assert suggested_marks(table.sitting.state)["lose-a-rack/dates"] == "miss"


def test_facts_that_had_to_be_told_are_not_asked_for():
    table = Table()
    table.sitting.ask("deadline")
    table.sitting.next_phase()
    table.sitting.ask("tokens")
    table.sitting.finish()
    line = "asked for 1 of 5 facts that the plan needs"
    assert line in evidence(table.sitting.state).row("scope").lines


def test_the_candidates_own_marks_stand_in_place_of_the_suggested_ones():
    table = graded(weak())
    before = evidence(table.sitting.state).row("evaluation")
    table.sitting.mark("monitor/loss-spikes", "hit")
    after = evidence(table.sitting.state).row("evaluation")
    assert after.score > before.score


def test_evidence_does_not_tell_the_model_answer_before_it_is_open():
    table = weak()
    point = small_round().phase("monitor").points[0].say
    shut = evidence(table.sitting.state)
    assert not any(point in line or "× what it comes to" in line
                   for row in shut.rows for line in row.lines)  # fmt: skip
    table.sitting.open_model()
    opened = evidence(table.sitting.state)
    assert any(point in line for line in opened.row("evaluation").lines)
    assert opened.suggested == shut.suggested


def test_a_layout_that_breaks_a_rule_is_worth_less_than_half():
    shown = evidence(weak().sitting.state)
    found = [one for one in shown.findings if one.line.startswith("layout ")]
    assert len(found) == 1
    assert 0 < found[0].value < 0.5


def test_another_layout_that_meets_the_rules_is_as_good_as_the_model():
    for layout in ({**LAYOUT, "zero": 1}, {**LAYOUT, "tp": 2, "dp": 64}, LAYOUT):
        table = Table(phases=("layout",), mode="sprint")
        table.sitting.layout(layout)
        found = evidence(table.sitting.state).findings
        assert next(one for one in found if "meets all rules" in one.line).value == 1


def test_the_board_line_that_shows_a_row_is_found():
    state = strong().sitting.state
    assert "TP stays in a node" in evidence_line(state, "layout")
    assert "goal" in evidence_line(state, "scope")
    assert evidence_line(weak().sitting.state, "reliability") == ""


def test_a_score_is_worth_no_more_at_a_higher_level():
    for score in (0, 0.2, 0.3, 0.5, 0.6, 0.75, 0.85, 1):
        grades = [grade_of(score, level) for level in LEVELS]
        assert grades == sorted(grades, reverse=True)
        assert 1 <= min(grades) <= max(grades) <= 4


@pytest.mark.parametrize("level", LEVELS)
def test_every_row_has_four_anchors_at_every_level(level):
    rows = rubric(small_round(), level)
    assert [row.row for row in rows] == list(ROWS)
    assert all(text.strip() for row in rows for text in (row.title, *row.anchors))


def test_a_round_says_its_own_anchors_and_leaves_the_others_general():
    rows = {row.row: row for row in rubric(small_round(), "senior")}
    assert rows["numbers"].anchors[2] == "Both budgets within 10 %."
    assert (rows["numbers"].weight, rows["numbers"].floor) == (3, 2)
    assert (rows["memory"].weight, rows["memory"].floor) == (1, 0)
    mid = {row.row: row for row in rubric(small_round(), "mid")}
    assert mid["numbers"].anchors[2] == "Both budgets with the right formulas."
    assert mid["numbers"].anchors[0] != rows["numbers"].anchors[0]
    assert [one.id for one in signals()] == ["derives", "decides", "runs"]
