"""Collective operations over N ranks: bytes sent, rounds, and time in the α-β model.

Sizes are the whole vector on one rank, in bytes: what an all-reduce sums, what an all-gather ends
with, what a reduce-scatter starts with. β is bytes per second in one direction, α seconds a
message.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from drillkit.mlsys.domain import at_least, positive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drillkit.mlsys.hardware import Link

Collective = Literal["all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast"]
COLLECTIVES: tuple[Collective, ...] = (
    "all-reduce",
    "reduce-scatter",
    "all-gather",
    "all-to-all",
    "broadcast",
)


def ring_rounds(op: Collective, ranks: int) -> int:
    """Return the rounds of a ring: N − 1, and twice that for an all-reduce.

    Raises `ValueError` for an unknown operation or no ranks. Source: Patarasuk and Yuan 2009.
    """
    at_least(1, ranks=ranks)
    if op not in COLLECTIVES:
        raise ValueError(f"op must be one of {', '.join(COLLECTIVES)}, not {op}")
    return (2 if op == "all-reduce" else 1) * (ranks - 1)


def ring_factor(op: Collective, ranks: int) -> Fraction:
    """Return what each rank sends over the size of the vector, exactly: (N − 1)/N, twice for AR.

    A broadcast is chunked along the ring; an all-to-all sends 1/N to each of the others. Raises
    what `ring_rounds` raises. Source: Patarasuk and Yuan 2009; nccl-tests, doc/PERFORMANCE.md.
    """
    return Fraction(ring_rounds(op, ranks), ranks)


def ring_bytes(op: Collective, size_bytes: float, ranks: int) -> float:
    """Return the bytes that each rank sends. Raises `ValueError` for a negative size.

    Source: as `ring_factor`.
    """
    at_least(0, size_bytes=size_bytes)
    return size_bytes * ring_rounds(op, ranks) / ranks


def ring_time_s(op: Collective, size_bytes: float, ranks: int, link: Link) -> float:
    """Return the seconds of a ring: rounds × α + bytes sent / β.

    Source: Hockney's α-β model; Thakur et al. 2005.
    """
    latency_s = ring_rounds(op, ranks) * link.latency_s
    return latency_s + ring_bytes(op, size_bytes, ranks) / link.bytes_per_s


def tree_all_reduce_time_s(size_bytes: float, ranks: int, link: Link) -> float:
    """Return the seconds of a pipelined double binary tree: 2⌈log₂N⌉α + 2S/β; 0 for one rank.

    Each rank is inside one tree and a leaf of the other, so it sends 2S in all.
    Source: Sanders et al. 2009 (two-tree algorithm); NVIDIA NCCL 2.4.
    """
    at_least(1, ranks=ranks)
    at_least(0, size_bytes=size_bytes)
    if ranks == 1:
        return 0.0
    return 2 * _depth(ranks) * link.latency_s + 2 * size_bytes / link.bytes_per_s


def tree_wins_below_bytes(ranks: int, link: Link) -> float:
    """Return the size at which ring and tree all-reduce take equally long; below it the tree wins.

    It is N(N − 1 − ⌈log₂N⌉)αβ. Source: the two times above, set equal.
    """
    at_least(1, ranks=ranks)
    rounds_saved = ranks - 1 - _depth(ranks)
    return ranks * rounds_saved * link.latency_s * link.bytes_per_s


@dataclass(frozen=True)
class HierarchicalAllReduce:
    """Bytes each GPU sends inside its node and between nodes, and the seconds both take."""

    intra_bytes: float
    inter_bytes: float
    intra_s: float
    inter_s: float

    @property
    def total_s(self) -> float:
        return self.intra_s + self.inter_s


def hierarchical_all_reduce(
    size_bytes: float, *, nodes: int, gpus_per_node: int, intra: Link, inter: Link
) -> HierarchicalAllReduce:
    """Return the cost of an all-reduce that crosses nodes only with 1/g of the vector.

    Reduce-scatter inside the node, all-reduce of each GPU's S/g across nodes, all-gather inside:
    each GPU sends 2(n − 1)/n · S/g between nodes. The phases follow one another.
    Source: Horovod hierarchical all-reduce (arXiv:1802.05799); Jia et al. 2018 (arXiv:1807.11205).
    """
    part_bytes = size_bytes / gpus_per_node
    return HierarchicalAllReduce(
        intra_bytes=ring_bytes("all-reduce", size_bytes, gpus_per_node),
        inter_bytes=ring_bytes("all-reduce", part_bytes, nodes),
        intra_s=ring_time_s("all-reduce", size_bytes, gpus_per_node, intra),
        inter_s=ring_time_s("all-reduce", part_bytes, nodes, inter),
    )


def bus_bytes_per_s(op: Collective, size_bytes: float, elapsed_s: float, ranks: int) -> float:
    """Return the bus bandwidth that nccl-tests prints: bytes sent by each rank over the time.

    Raises `ValueError` for no time. Source: nccl-tests, doc/PERFORMANCE.md.
    """
    positive(elapsed_s=elapsed_s)
    return ring_bytes(op, size_bytes, ranks) / elapsed_s


@dataclass(frozen=True)
class RingState:
    """A ring all-reduce after some rounds.

    `counts[r][c]` is how many ranks' values rank r's chunk c sums, N when it is complete.
    `sent[r]` is the chunk that rank r sent in the last round, to rank r + 1; empty at the start.
    `sent_values[r]` is how many values rank r has sent so far.
    """

    phase: Literal["start", "reduce-scatter", "all-gather"]
    counts: tuple[tuple[int, ...], ...]
    sent: tuple[int, ...]
    sent_values: tuple[int, ...]


def ring_all_reduce_states(ranks: int, values: int | None = None) -> tuple[RingState, ...]:
    """Return the start and the state after each of the 2(N − 1) rounds of a ring all-reduce.

    `values` is the length of the vector (default: one value a chunk); the first chunks are one
    longer when it does not divide. In round k rank r sends chunk (r − k) mod N, which the next rank
    adds; after N − 1 rounds rank r owns the complete chunk (r + 1) mod N, and the all-gather copies
    the complete chunks around. Raises `ValueError` for no ranks or negative `values`.
    Source: Patarasuk and Yuan 2009.
    """
    at_least(1, ranks=ranks)
    total = ranks if values is None else values
    at_least(0, values=total)
    length = [total // ranks + (chunk < total % ranks) for chunk in range(ranks)]
    counts = [[1] * ranks for _ in range(ranks)]
    sent_values = [0] * ranks
    states = [RingState("start", _frozen(counts), (), tuple(sent_values))]
    for step in range(2 * (ranks - 1)):
        gathering = step >= ranks - 1
        sent = [(rank - step) % ranks for rank in range(ranks)]
        moving = [counts[rank][sent[rank]] for rank in range(ranks)]
        for rank in range(ranks):
            chunk, after = sent[rank], (rank + 1) % ranks
            counts[after][chunk] = moving[rank] + (0 if gathering else counts[after][chunk])
            sent_values[rank] += length[chunk]
        phase: Literal["reduce-scatter", "all-gather"] = (
            "all-gather" if gathering else "reduce-scatter"
        )
        states.append(RingState(phase, _frozen(counts), tuple(sent), tuple(sent_values)))
    return tuple(states)


def mean_gradient(counts: Sequence[float], gradients: Sequence[float]) -> float:
    """Return the gradient of the whole batch from shard means, each weighted by its sample count.

    With equal shards it is the plain mean that DDP takes. Raises `ValueError` when the lengths
    differ or nothing was counted. Source: linearity of the gradient; Li et al. 2020
    (arXiv:2006.15704).
    """
    if len(counts) != len(gradients):
        raise ValueError(f"{len(counts)} counts for {len(gradients)} gradients")
    at_least(0, **{f"counts[{index}]": count for index, count in enumerate(counts)})
    positive(samples=sum(counts))
    weighted = sum(count * gradient for count, gradient in zip(counts, gradients, strict=True))
    return weighted / sum(counts)


def _depth(ranks: int) -> int:
    # ⌈log₂ N⌉ without floating point.
    return (ranks - 1).bit_length()


def _frozen(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in rows)
