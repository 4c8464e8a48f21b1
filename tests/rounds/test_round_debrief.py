"""The debrief: own grades beside the evidence, the verdict with its reason, the model answer."""

from __future__ import annotations

import pytest
from candidates import LAYOUT, graded, strong, weak
from rounds_table import Table

from drillkit.errors import DrillkitError
from drillkit.rounds.debrief import debrief
from drillkit.rounds.rubric import RowRubric
from drillkit.rounds.verdict import verdict_of

ANCHORS = ("one", "two", "three", "four")
ROWS = (
    RowRubric("numbers", "Numbers", 3, 2, ANCHORS),
    RowRubric("layout", "Layout", 1, 0, ANCHORS),
)


@pytest.mark.parametrize(
    ("numbers", "layout", "name", "mean"),
    [
        (4, 4, "strong hire", 4.0),
        (4, 3, "strong hire", 3.75),
        (3, 4, "hire", 3.25),
        (3, 3, "hire", 3.0),
        (3, 1, "lean hire", 2.5),
        (2, 3, "lean no hire", 2.25),
        (2, 1, "lean no hire", 1.75),
        (1, 4, "no hire", 1.75),
    ],
)
def test_the_verdict_is_the_weighted_mean_within_its_bounds(numbers, layout, name, mean):
    verdict = verdict_of({"numbers": numbers, "layout": layout}, ROWS)
    assert (verdict.name, verdict.mean) == (name, mean)
    assert f"{mean:.2f} of 4" in verdict.reason


def test_a_grade_below_its_floor_caps_the_verdict_and_says_so():
    verdict = verdict_of({"numbers": 1, "layout": 4}, ROWS)
    assert verdict.name == "no hire"
    assert "Numbers 1 (floor 2)" in verdict.reason


def test_rows_without_a_grade_are_left_out_and_none_at_all_is_no_verdict():
    assert verdict_of({"layout": 4}, ROWS).name == "strong hire"
    assert verdict_of({"layout": 4, "memory": 1}, ROWS).mean == 4
    with pytest.raises(DrillkitError, match="nothing is graded"):
        verdict_of({}, ROWS)


def test_the_reason_names_the_bounds_and_the_row_that_pulls_down():
    reason = verdict_of({"numbers": 3, "layout": 2}, ROWS).reason
    assert "lean hire begins at 2.50, hire at 3.00" in reason
    assert "Layout 2 pulls it down most (weight 1)" in reason


def test_the_model_answer_is_shut_while_the_round_goes_on_and_until_it_is_graded():
    table = strong(end=False)
    with pytest.raises(DrillkitError, match="goes on"):
        debrief(table.sitting.state)
    table.sitting.finish()
    with pytest.raises(DrillkitError, match="until you have graded"):
        debrief(table.sitting.state)
    assert debrief(graded(table).sitting.state).phases[0].lines


@pytest.mark.parametrize(
    ("numbers", "layout", "name", "why"),
    [
        (4, 2, "hire", "no more than hire with a 2 in Layout"),
        (4, 1, "lean hire", "no more than lean hire with a 1 in Layout"),
        (3, 1, "lean hire", "Layout 1 pulls it down most"),
    ],
)
def test_a_mean_does_not_make_up_for_a_row_that_is_missing(numbers, layout, name, why):
    verdict = verdict_of({"numbers": numbers, "layout": layout}, ROWS)
    assert verdict.name == name
    assert why in verdict.reason


def test_nothing_graded_gives_no_verdict_of_ones_own():
    table = weak()
    table.sitting.open_model()
    told = debrief(table.sitting.state)
    assert told.own == {}
    assert told.own_verdict is None
    assert told.differences == ()
    assert told.suggested_verdict.name == "no hire"


def test_rows_on_which_the_candidate_and_the_board_differ_are_named():
    told = debrief(graded(weak(), 4).sitting.state)
    assert {one.row.row for one in told.differences} == set(told.suggested)
    assert all(one.own == 4 > one.suggested for one in told.differences)
    assert told.own_verdict.name == "strong hire"
    agreed = graded(strong(), 4)
    for row, grade in debrief(agreed.sitting.state).suggested.items():
        agreed.sitting.grade(row, grade)
    assert debrief(agreed.sitting.state).differences == ()


def test_the_model_answer_has_the_numbers_as_they_were_in_its_phase():
    state = graded(strong()).sitting.state
    assert state.curveballs[1].curveball.set  # 32 of 128 GPUs are lost in the layout phase
    told = {one.phase.id: one.lines for one in debrief(state).phases}
    assert "128 GPUs" in told["clarify"][0]
    assert told["compute"] == (
        "4.52 × 10¹⁰ FLOP per token, 31,800 GPU-h in all: 11.5 days on 128 GPUs.",
    )
    assert "DP 96" in told["layout"][0]
    assert "{" not in "".join(line for lines in told.values() for line in lines)


def test_checks_are_told_with_what_they_come_to_also_where_no_number_was_given():
    rows = {row.check.id: row for row in debrief(graded(weak()).sitting.state).checks}
    missing, wrong = rows["flops_tok"], rows["gpu_hours"]
    assert (missing.mine, missing.band, missing.ratio) == ("—", None, None)
    assert missing.expected.startswith("4.52")
    assert (wrong.mine, wrong.band) == ("1700 GPU-h", "off")
    assert wrong.ratio == pytest.approx(1700 / 31750, rel=0.01)


def test_a_number_that_follows_from_an_earlier_mistake_says_so():
    table = Table()
    table.go_to("compute")
    table.sitting.number("flops_tok", "1.4e10 FLOP")
    table.sitting.number("gpu_hours", "9831 GPU-h")
    table.sitting.finish()
    rows = {row.check.id: row for row in debrief(graded(table).sitting.state).checks}
    assert not rows["flops_tok"].follows
    assert rows["gpu_hours"].follows
    assert "2Ψ is the forward pass alone; training takes 6Ψ." in rows["flops_tok"].diagnosis


def test_layouts_stand_beside_the_model_with_their_rules():
    pair = debrief(graded(weak()).sitting.state).layouts[0]
    assert pair.laid.fields["tp"] == 16
    assert not pair.laid.verdict.right
    assert pair.model_verdict.right
    assert {rule.holds for rule in pair.model_verdict.rules} >= {"tp <= 8", "tp*pp*dp == gpus"}
    none = Table(mode="sprint", phases=("layout",))
    none.sitting.finish()
    assert debrief(graded(none).sitting.state).layouts[0].laid is None


def test_a_layout_that_came_too_late_is_not_judged():
    table = Table(mode="sprint", phases=("layout",))
    table.until(310)
    table.sitting.layout(LAYOUT)
    table.sitting.finish()
    assert debrief(graded(table).sitting.state).layouts[0].laid is None


def test_curveballs_are_told_with_their_latency_and_a_strong_answer():
    rows = debrief(graded(strong()).sitting.state).curveballs
    sure = next(row for row in rows if row.thrown.curveball.id == "sure")
    assert sure.latency_s == sure.thrown.answered_s - sure.thrown.at_s
    assert sure.model.startswith("Names both factors")
    assert [point.mark for point in sure.points] == ["hit"]
    assert not sure.points[0].own
    lost = next(row for row in rows if row.thrown.curveball.id == "lose-a-rack")
    assert lost.model.startswith("96 GPUs left")


def test_own_marks_are_told_apart_from_suggested_ones():
    table = graded(strong())
    table.sitting.mark("clarify/restates", "miss")
    point = debrief(table.sitting.state).phases[0].points[0]
    assert (point.mark, point.own) == ("miss", True)


def test_facts_are_told_as_asked_for_or_not():
    rows = debrief(graded(weak()).sitting.state).facts
    assert [row.fact.symbol for row in rows] == ["params", "tokens", "gpus", "days", "done"]
    assert not any(row.asked for row in rows)
    assert all(row.asked for row in debrief(graded(strong()).sitting.state).facts)
    sprint = Table(mode="sprint", phases=("monitor",))
    sprint.sitting.finish()
    assert debrief(graded(sprint).sitting.state).facts == ()


def test_the_timeline_tells_when_phases_began_and_ran_over():
    times = {one.planned.phase.id: one for one in debrief(graded(weak()).sitting.state).timeline}
    assert (times["clarify"].over_s, times["compute"].over_s) == (130, 10)
    assert (times["compute"].late_s, times["compute"].on_plan) == (130, False)
    assert times["monitor"].left_s <= 840


def test_a_phase_that_was_not_reached_in_time_is_told_as_such():
    table = Table()
    table.until(200)
    table.sitting.finish()
    times = debrief(graded(table).sitting.state).timeline
    assert [one.reached for one in times] == [True, False, False, False]


def test_a_second_grading_shows_its_drift():
    table = graded(strong(), 3)
    table.sitting.grade("numbers", 2, again=True)
    drift = debrief(table.sitting.state).drift
    assert [(one.row.row, one.first, one.again) for one in drift] == [("numbers", 3, 2)]
    assert debrief(table.sitting.state).own["numbers"] == 3


def test_the_next_step_is_the_row_that_costs_most_by_its_weight():
    table = weak()
    for row, grade in (("scope", 1), ("numbers", 2), ("layout", 3)):
        table.sitting.grade(row, grade)
    table.sitting.open_model()
    step = debrief(table.sitting.state).next_step
    assert step.told.startswith("Budget numbers (2 of 4, weight 3) costs most")
    assert "sprint of Compute" in step.told
    assert "Both budgets within 10 %." in step.told
    assert step.sprint == "compute"
    last = debrief(graded(strong(), 4).sitting.state).next_step
    assert "Every row is a 4" in last.told
    assert last.sprint is None


def test_whoever_has_a_1_aims_at_a_3_since_a_2_is_still_told_as_a_fault():
    table = graded(strong(), 1)
    assert debrief(table.sitting.state).next_step.told.endswith("Both budgets within 10 %.")
