"""Two candidates for the small round: one who derives and decides, one who recites."""

from __future__ import annotations

from rounds_table import Table

LAYOUT = {"tp": 1, "pp": 1, "dp": 128, "zero": 2, "micro_batch": 1}

DERIVED = """
states: 2 + 2 + 12 = 16 bytes a parameter, 112 GB in all
FLOP per token 6Ψ + 6Lsh, then GPU-hours = tokens × that / (peak × MFU)
11.5 days against the deadline of 14 days: slack of 2 days
check: a second way, 6ND alone is within 10 %
"""
RECITED = DERIVED.replace("2 + 2 + 12 = 16 bytes", "16 bytes")


def write(table: Table, text: str) -> None:
    sitting = table.sitting
    sitting.write(f"{sitting.state.board.rstrip()}\n{text.strip()}\n")


def answer(table: Table, text: str) -> None:
    if table.sitting.state.open_curveball is not None:
        table.sitting.answer(text)


def strong(
    table: Table | None = None,
    *,
    compute: str = DERIVED,
    hours: str = "31750 GPU-h",
    rack: str = "The date moves by a third, or fewer tokens; the batch stays.",
    monitor: str = "loss and gradient norm, at a spike back to a checkpoint; alert, owner, runbook",
    end: bool = True,
) -> Table:
    """Play the whole round as it should be."""
    table = table or Table()
    sitting = table.sitting
    table.until(20)
    for words in ("size", "tokens", "gpus", "deadline", "done", "network", "memory"):
        sitting.ask(words)
    write(table, "goal: a better score than the model that we rent; assume MFU 40 %, goodput 90 %")
    sitting.assume("mfu", "40%")
    sitting.assume("goodput", "90%")
    table.until(120)
    sitting.next_phase()
    table.until(180)
    write(table, compute)
    sitting.number("flops_tok", "4.52e10 FLOP")
    sitting.number("gpu_hours", hours)
    table.until(280)
    answer(table, "I stand by it because I can check both factors: tokens and FLOPs a token.")
    table.until(360)
    sitting.next_phase()
    table.until(400)
    write(table, "ZeRO-2 for all fits with headroom; TP stays in a node on NVLink; rejected: TP 8")
    sitting.layout(LAYOUT)
    table.until(460)
    answer(table, rack)
    sitting.layout({**LAYOUT, "dp": sitting.state.situation.values["gpus"].numerator})
    table.until(660)
    sitting.next_phase()
    table.until(700)
    write(table, monitor)
    table.until(780)
    answer(table, "To sum up: 128 GPUs, 11.5 days, ZeRO-2, and an alert on the loss.")
    table.until(830)
    if end:
        sitting.finish()
    return table


def weak(table: Table | None = None) -> Table:
    """Play the round as somebody who heard of it."""
    table = table or Table()
    sitting = table.sitting
    table.until(250)
    write(table, "LLM, use a framework")
    sitting.next_phase()
    table.until(500)
    write(table, "16 bytes")
    sitting.number("gpu_hours", "1700 GPU-h")
    sitting.next_phase()
    table.until(700)
    sitting.layout({**LAYOUT, "tp": 16, "dp": 16})
    sitting.next_phase()
    table.until(830)
    sitting.finish()
    return table


def graded(table: Table, grade: int = 3) -> Table:
    """Grade every row alike, and open the model answer."""
    for row in ("scope", "numbers", "layout", "evaluation", "communication"):
        table.sitting.grade(row, grade)
    table.sitting.open_model()
    return table
