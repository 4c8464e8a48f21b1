"""The ring all-reduce, step by step: F2."""

from __future__ import annotations

import pytest
from drawn import draw, text, value

from drillkit.figures.catalogue import figure


def rows(**settings):
    return [row.split()[2:] for row in text("ring", **settings).splitlines() if row[:4] == "rank"]


def test_after_the_reduce_scatter_each_rank_owns_the_next_chunk():
    """F2a: one complete chunk a rank on the diagonal, counts 1/4 to 4/4, what moved in brackets."""
    table = rows(p=4, step=3)
    for rank, cells in enumerate(table):
        complete = [chunk for chunk, cell in enumerate(cells) if "✓" in cell]
        assert complete == [(rank + 1) % 4]
        assert cells[complete[0]] == "[4/4✓]"
        assert sorted(cell.strip("[]✓") for cell in cells) == ["1/4", "2/4", "3/4", "4/4"]
    assert value("ring", "complete_chunks", p=4, step=3) == 4


@pytest.mark.parametrize(("ranks", "factor"), [(4, 1.5), (8, 1.75)])
def test_the_all_gather_completes_every_chunk_and_the_counter_ends_at_2_less_2_over_p(
    ranks, factor
):
    """F2b."""
    last = 2 * (ranks - 1)
    assert all("✓" in cell for cells in rows(p=ranks, step=last) for cell in cells)
    assert value("ring", "sent_over_vector", p=ranks, step=last) == factor
    assert value("ring", "sent", p=ranks, step=last, n="2 GB") == factor * 2e9


def test_there_is_no_step_after_the_last():
    """F2b: Next ends there; going back draws exactly what was drawn before."""
    kind = figure("ring")
    assert kind.last_step(kind.read({"p": "8"})) == 14
    assert kind.read({"p": "4", "step": "30"})["step"] == 6
    assert text("ring", p=4, step=4) == text("ring", p=4, step=4)


def test_stopping_in_the_middle_is_a_reduce_scatter():
    """F2c."""
    said = draw("ring", p=4, step=3).reading
    assert "Stopping here is a reduce-scatter" in said
    assert "0.75 n" in said
    assert "are the all-reduce" in draw("ring", p=4, step=6).reading
    half, whole = (value("ring", "sent", p=8, step=step) for step in (7, 14))
    assert 2 * half == whole


@pytest.mark.parametrize("ranks", range(2, 17))
def test_every_step_of_every_ring_fits_80_columns(ranks):
    for step in range(2 * (ranks - 1) + 1):
        assert max(map(len, text("ring", p=ranks, step=step).splitlines())) <= 80 + 14
    table = rows(p=ranks, step=ranks - 1)
    assert all(len(cells) == ranks for cells in table)
