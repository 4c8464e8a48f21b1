"""The Megatron split and the collectives: F6 and K13."""

from __future__ import annotations

import pytest
from drawn import draw, text, value

from drillkit.figures.collectives import NOTHING, after, before
from drillkit.mlsys.collectives import COLLECTIVES


@pytest.mark.parametrize("gpus", [2, 4])
def test_columns_feed_rows_with_a_single_all_reduce(gpus):
    """F6."""
    rows = text("megatron", t=gpus).splitlines()
    top = rows[1].split()
    assert sorted(set(top[0])) == [str(rank) for rank in range(gpus)]
    owners = [row.split()[-1][0] for row in rows[1:9]]
    assert owners == sorted(owners)
    paths = [row for row in rows if row.startswith("GPU")]
    assert len(paths) == gpus
    assert all(row.count("═╪═") == 1 for row in paths)
    assert "single all-reduce" in draw("megatron", t=gpus).reading
    assert value("megatron", "all_reduces_forward", t=gpus) == 1


def test_rows_first_need_another_all_reduce_before_gelu():
    """F6."""
    paths = [row for row in text("megatron", split="row").splitlines() if row.startswith("GPU")]
    assert all(row.count("═╪═") == 2 for row in paths)
    assert all(row.index("═╪═") < row.index("GeLU") for row in paths)
    assert "extra all-reduce" in draw("megatron", split="row").reading
    assert value("megatron", "sum_of_gelus", split="row") == pytest.approx(1.909, abs=0.001)


def test_three_collectives_before_and_after():
    """K13, on 4 ranks."""
    full = [[f"{letter}{chunk}" for chunk in range(4)] for letter in "abcd"]
    assert before("all-reduce", 4) == before("reduce-scatter", 4) == full
    assert after("all-reduce", 4) == [["Σ0", "Σ1", "Σ2", "Σ3"]] * 4
    assert after("reduce-scatter", 4)[2] == ["·", "·", "Σ2", "·"]
    assert before("all-gather", 4)[1] == ["·", "b1", "·", "·"]
    assert after("all-gather", 4) == [["a0", "b1", "c2", "d3"]] * 4


@pytest.mark.parametrize("op", COLLECTIVES)
@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_what_is_held_afterwards_was_held_by_somebody(op, ranks):
    held = {cell for row in before(op, ranks) for cell in row}
    for row in after(op, ranks):
        for cell in row:
            if cell == NOTHING:
                continue
            chunk = cell.removeprefix("Σ")
            assert cell in held or all(f"{letter}{chunk}" in held for letter in "abcdefgh"[:ranks])
    assert op.capitalize() in draw("collectives", op=op, p=ranks).reading


def test_an_all_reduce_sends_as_much_as_its_two_halves():
    halves = [
        value("collectives", "sent_over_size", op=op) for op in ("reduce-scatter", "all-gather")
    ]
    assert sum(halves) == value("collectives", "sent_over_size", op="all-reduce") == 1.5
