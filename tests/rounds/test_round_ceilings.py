"""What no number of good words makes up for: a grade is held down, and says why."""

from __future__ import annotations

import pytest
from candidates import LAYOUT, RECITED, answer, strong, write
from rounds_table import Table

from drillkit.rounds.evidence import evidence

WORDS = "a deadline, days and weeks; derived by 6Ψ and 2 + 2 + 12; check: a second way agrees"


def _row(table: Table, row: str):
    found = evidence(table.sitting.state).row(row)
    assert found is not None
    return found


def _compute(board: str = "", **numbers: str) -> Table:
    table = Table(mode="sprint", phases=("compute",))
    table.until(30)
    if board:
        write(table, board)
    for check, text in numbers.items():
        table.sitting.number(check, text)
    table.sitting.finish()
    return table


def test_all_the_words_without_a_right_number_get_no_more_than_a_two():
    for table in (_compute(WORDS), _compute(WORDS, flops_tok="1.4e10", gpu_hours="1700 GPU-h")):
        row = _row(table, "numbers")
        assert row.suggested <= 2
    good = _row(_compute(WORDS, flops_tok="4.52e10", gpu_hours="31750 GPU-h"), "numbers")
    assert good.suggested == 4
    assert not any("no more than" in line for line in good.lines)


def test_a_layout_that_breaks_a_rule_is_not_made_good_by_words():
    table = Table(mode="sprint", phases=("layout",))
    table.until(30)
    words = "pick it for the budget, reject the rest; NVLink in the node holds TP, InfiniBand DP"
    write(table, words)
    table.sitting.layout({**LAYOUT, "dp": 64})
    table.sitting.finish()
    row = _row(table, "layout")
    assert row.suggested == 2
    assert "no more than 2: less than a third of its numbers is right" in row.lines[-1]


def test_right_numbers_in_silence_get_no_more_than_a_two():
    row = _row(_compute(flops_tok="4.52e10", gpu_hours="31750 GPU-h"), "numbers")
    assert row.suggested == 2
    assert row.lines[-1].startswith("no more than 2: next to nothing on the board")


def test_a_number_that_is_left_wrong_costs_the_four_and_is_named():
    row = _row(_compute(WORDS, flops_tok="4e10", gpu_hours="28100 GPU-h"), "numbers")
    assert row.suggested == 3
    assert row.score >= 0.85
    assert row.lines[-1] == "no more than 3: left uncorrected: training FLOPs per token"


def test_a_number_that_was_mended_costs_nothing():
    table = strong(hours="12000 GPU-h", end=False)
    assert _row(table, "numbers").suggested == 3
    table.sitting.number("gpu_hours", "31750 GPU-h")
    assert _row(table, "numbers").suggested == 4


def test_a_four_also_wants_the_signal_of_its_row():
    assert _row(strong(), "numbers").suggested == 4
    row = _row(strong(compute=RECITED), "numbers")
    assert row.suggested == 3
    assert row.lines[-1] == "no more than 3: a 4 also wants: derives its numbers"


def test_who_gives_up_a_right_number_communicates_no_better_than_a_two():
    table = Table()
    table.go_to("compute")
    table.sitting.number("gpu_hours", "31750 GPU-h")
    table.pass_s(130)
    table.sitting.number("gpu_hours", "15875 GPU-h")
    answer(table, "You are right, because I forgot to check it.")
    found = [evidence(table.sitting.state).row("communication")]
    table.go_to("monitor")
    table.sitting.finish()
    found.append(evidence(table.sitting.state).row("communication"))
    assert all(row is not None and row.suggested <= 2 for row in found)


@pytest.mark.parametrize(("last", "most"), [("monitor", 4), ("layout", 2), ("compute", 2)])
def test_phases_that_were_not_reached_hold_the_pace_down(last, most):
    table = strong(end=False) if last == "monitor" else Table()
    if last != "monitor":
        write(table, "goal: a better score than the rented model; assume MFU and goodput")
        table.until(120)
        table.sitting.next_phase()
        write(table, WORDS)
        if last == "layout":
            table.until(360)
            table.sitting.next_phase()
            write(table, "TP stays in the node, NVLink: 8 of them")
        table.until(840)
    table.sitting.finish()
    assert _row(table, "communication").suggested <= most
    if last == "monitor":
        assert _row(table, "communication").suggested == most


def test_a_row_without_numbers_wants_a_figure_for_a_four():
    words = "loss and gradient norm, at a spike back to a checkpoint; alert, owner, runbook"
    assert _row(strong(monitor=words), "evaluation").suggested == 3
    assert _row(strong(monitor=f"{words}, MFU 10 % down"), "evaluation").suggested == 4


@pytest.mark.parametrize(
    ("rack", "most"),
    [
        ("The date moves by a third, or fewer tokens: 96 GPUs.", 4),
        ("That would be quite a pity.", 3),
    ],
)
def test_answers_that_leave_out_points_hold_communication_down(rack, most):
    assert _row(strong(rack=rack), "communication").suggested == most


def test_answers_that_miss_every_point_communicate_no_better_than_a_two():
    table = Table()
    table.go_to("layout")
    table.pass_s(61)
    answer(table, "That would be quite a pity.")
    table.sitting.next_phase()
    table.until(820)
    table.sitting.finish()
    assert _row(table, "communication").suggested <= 2


def test_a_round_that_ends_long_before_its_time_shows_no_pace():
    table = strong(end=False)
    assert _row(table, "communication").suggested > 2
    hurried = Table()
    for phase in ("compute", "layout", "monitor"):
        write(hurried, f"goal: a better score in 14 days; all of it in a hurry before {phase}")
        hurried.pass_s(30)
        hurried.go_to(phase)
    hurried.sitting.finish()
    found = _row(hurried, "communication")
    assert found.suggested <= 2
    assert any("ended at 1:30 of 14:00" in line for line in found.lines)
