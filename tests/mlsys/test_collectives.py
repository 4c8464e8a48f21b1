"""Rings, trees and hierarchies: the closed forms against each other and a simulated ring."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.mlsys.collectives import (
    COLLECTIVES,
    bus_bytes_per_s,
    hierarchical_all_reduce,
    mean_gradient,
    ring_all_reduce_states,
    ring_bytes,
    ring_factor,
    ring_rounds,
    ring_time_s,
    tree_all_reduce_time_s,
    tree_wins_below_bytes,
)
from drillkit.mlsys.hardware import INFINIBAND_NDR, NVLINK_4, Link


@pytest.mark.parametrize("ranks", [1, 2, 4, 8, 128])
def test_every_collective_sends_its_share_in_its_rounds(ranks):
    for op in COLLECTIVES:
        twice = 2 if op == "all-reduce" else 1
        assert ring_factor(op, ranks) == twice * Fraction(ranks - 1, ranks)
        assert ring_rounds(op, ranks) == twice * (ranks - 1)


def test_an_all_reduce_is_a_reduce_scatter_and_an_all_gather():
    for ranks in range(1, 65):
        halves = ring_factor("reduce-scatter", ranks) + ring_factor("all-gather", ranks)
        assert ring_factor("all-reduce", ranks) == halves


def test_8_gpus_send_3_and_a_half_gb_of_2():
    assert ring_bytes("all-reduce", 2e9, 8) == 3.5e9


def test_7b_gradients_take_52_ms_on_nvlink_and_472_on_infiniband():
    size = 2 * 6_738_415_616
    nvlink, infiniband = (
        ring_time_s("all-reduce", size, 8, Link("bandwidth alone", link.bytes_per_s, 0, ""))
        for link in (NVLINK_4, INFINIBAND_NDR)
    )
    # The sources print 52.5 and 472.6 for S = 13.5 GB.
    assert nvlink == pytest.approx(0.0525, rel=0.003)
    assert infiniband == pytest.approx(0.4726, rel=0.003)
    assert nvlink / 1.2 == pytest.approx(0.044, abs=0.0005)
    assert ring_time_s("all-reduce", size, 8, NVLINK_4) == pytest.approx(nvlink + 14 * 2e-6)


@given(ranks=st.integers(4, 2048))
def test_the_tree_wins_below_the_crossing_and_the_ring_above(ranks):
    size = tree_wins_below_bytes(ranks, INFINIBAND_NDR)
    for factor, tree_is_faster in ((0.5, True), (2, False)):
        tree = tree_all_reduce_time_s(factor * size, ranks, INFINIBAND_NDR)
        ring = ring_time_s("all-reduce", factor * size, ranks, INFINIBAND_NDR)
        assert (tree < ring) is tree_is_faster


def test_a_tree_of_two_ranks_is_never_faster_than_a_ring():
    assert tree_wins_below_bytes(2, NVLINK_4) == 0
    assert tree_all_reduce_time_s(1e9, 1, NVLINK_4) == 0
    assert tree_wins_below_bytes(1, NVLINK_4) == 0


def test_the_hierarchy_takes_66_ms_between_nodes_where_a_flat_ring_takes_560():
    """C16: 14 GB of gradients on 16 nodes of 8."""
    flat = ring_bytes("all-reduce", 14e9, 128) / INFINIBAND_NDR.bytes_per_s
    layered = hierarchical_all_reduce(
        14e9, nodes=16, gpus_per_node=8, intra=NVLINK_4, inter=INFINIBAND_NDR
    )
    assert ring_bytes("all-reduce", 14e9, 128) / 1e9 == pytest.approx(27.8, abs=0.05)
    assert flat == pytest.approx(0.56, abs=0.005)
    assert layered.inter_bytes / 1e9 == pytest.approx(3.28, abs=0.005)
    assert layered.inter_s == pytest.approx(0.066, abs=0.0005)
    assert layered.total_s < flat


@given(nodes=st.integers(1, 64), per_node=st.integers(1, 16))
def test_a_hierarchy_sends_as_many_bytes_in_all_as_a_flat_ring(nodes, per_node):
    layered = hierarchical_all_reduce(
        1e9, nodes=nodes, gpus_per_node=per_node, intra=NVLINK_4, inter=INFINIBAND_NDR
    )
    flat = ring_bytes("all-reduce", 1e9, nodes * per_node)
    assert layered.intra_bytes + layered.inter_bytes == pytest.approx(flat)


def test_bus_bandwidth_undoes_the_ring():
    elapsed = ring_time_s("all-reduce", 8e9, 8, Link("l", 367e9, 0, ""))
    assert bus_bytes_per_s("all-reduce", 8e9, elapsed, 8) == pytest.approx(367e9)


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 8])
def test_the_simulated_ring_completes_every_chunk_on_every_rank(ranks):
    states = ring_all_reduce_states(ranks)
    assert len(states) == 2 * (ranks - 1) + 1
    assert all(count == ranks for row in states[-1].counts for count in row)


def test_after_the_reduce_scatter_rank_r_owns_chunk_r_plus_1_alone():
    middle = ring_all_reduce_states(4)[3]
    complete = [
        (rank, chunk) for rank in range(4) for chunk in range(4) if middle.counts[rank][chunk] == 4
    ]
    assert complete == [(rank, (rank + 1) % 4) for rank in range(4)]
    # The chunk that was passed on round the ring has grown by one a round.
    assert sorted(middle.counts[0]) == [1, 2, 3, 4]
    assert middle.phase == "reduce-scatter"


@given(ranks=st.integers(1, 9), values=st.integers(0, 200))
def test_the_simulated_ring_sends_what_the_formula_says(ranks, values):
    sent = ring_all_reduce_states(ranks, values)[-1].sent_values
    # Together exactly, and each rank exactly when the vector divides.
    assert Fraction(sum(sent), ranks) == ring_factor("all-reduce", ranks) * values
    if values % ranks == 0:
        assert set(sent) == {ring_factor("all-reduce", ranks) * values}


def test_the_counter_ends_at_1_and_a_half_for_4_and_1_and_three_quarters_for_8():
    assert ring_all_reduce_states(4)[-1].sent_values[0] / 4 == 1.5
    assert ring_all_reduce_states(8)[-1].sent_values[0] / 8 == 1.75
    assert len(ring_all_reduce_states(8)) - 1 == 14


def test_shards_are_weighted_by_their_counts():
    assert mean_gradient([2, 2], [-5, -26]) == -15.5
    assert mean_gradient([1, 3], [-2, -20]) == -15.5
    with pytest.raises(ValueError, match="counts for"):
        mean_gradient([1], [1, 2])
    with pytest.raises(ValueError, match="samples"):
        mean_gradient([0, 0], [1, 2])


def test_an_unknown_collective_is_refused():
    with pytest.raises(ValueError, match="op must be one of"):
        ring_bytes("gather", 1, 2)
