"""Double entry: the problem files on parallelism against drillkit's calculators and simulators.

A family's formulas are written twice, as equations in its file and as code in `drillkit.mlsys`. The
table below says which computation answers which question; a question without one fails. Pipelines
are answered by simulating the schedule, rings by walking their states.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from drillkit.content.problem_reading import read_problems
from drillkit.mlsys import collectives, traffic
from drillkit.mlsys.activations import hidden_bytes
from drillkit.mlsys.budget import (
    forward_flops_per_token,
    global_batch_tokens,
    optimizer_steps,
    sequences_per_rank,
    step_time,
)
from drillkit.mlsys.hardware import Link
from drillkit.mlsys.pipeline import simulate
from drillkit.numeric.sample import draw
from drillkit.numeric.worked import solve_variant

FOLDER = Path(__file__).parents[2] / "problems" / "numeric"
TOPICS = ("collectives", "data-parallel", "tensor-parallel", "pipeline")
VARIANTS = 200
AGREES = 1e-9
MANY = 10**12
"""So many ranks that (N − 1)/N is 1 to 12 figures."""


# --- collectives ---


def link(bytes_per_s, latency_s=0.0):
    return Link("", float(bytes_per_s), float(latency_s), "")


NO_LINK = link(1)


@lru_cache
def ring_walk(ranks):
    """The states of a ring whose vector has one value a rank: a value stands for a chunk."""
    return collectives.ring_all_reduce_states(ranks)


def all_reduce_s(n, size_bytes, latency_s=0.0):
    return collectives.ring_time_s("all-reduce", size_bytes, n.N, link(n.BW, latency_s))


def break_even_bytes(n):
    """The size whose bandwidth term is the latency of an empty vector."""
    return all_reduce_s(n, 0, n.alpha) / all_reduce_s(n, 1)


def between_nodes(n, size_bytes, network=NO_LINK):
    return collectives.hierarchical_all_reduce(
        size_bytes, nodes=n.n, gpus_per_node=n.g, intra=NO_LINK, inter=network
    )


def one_all_to_all(n):
    return traffic.expert_parallel_bytes(n.tok, n.h, n.N, top_k=n.k)


# --- data parallelism ---


def backward_s(n, tokens):
    forward = forward_flops_per_token(n.P, 1, 1, 1, "none")
    return 2 * forward * tokens / n.F


def long_ring_s(n):
    return traffic.data_parallel_bytes(n.P, MANY) / n.BW


def bandwidth_that_hides(n):
    return traffic.data_parallel_bytes(n.P, MANY) / backward_s(n, n.T)


def step(n):
    overlap = {"Nothing overlaps": 0}.get(n.overlap, 2 / 3)
    return step_time(n.C, traffic.data_parallel_bytes(n.P, n.N) / n.BW, overlap=overlap)


def weight_of_rank_0(counts):
    """What a gradient of 1 on rank 0 and 0 elsewhere comes to."""
    return collectives.mean_gradient(counts, (1, 0))


def plain_mean(n):
    return collectives.mean_gradient((1, 1), (n.g1, n.g2))


def true_mean(n):
    return collectives.mean_gradient((n.n1, n.n2), (n.g1, n.g2))


# --- tensor parallelism ---


def layer_bytes(n):
    return traffic.tensor_parallel_bytes_per_layer(n.s, n.b, n.h, n.t)


def forward_bytes(n):
    """Two all-reduces, the second half of the layer's four being those of the backward pass."""
    return 2 * collectives.ring_bytes("all-reduce", hidden_bytes(n.s, n.b, n.h), n.t)


# --- pipelines ---


@lru_cache
def schedule(name, stages, micro_batches, chunks=1):
    """A step with t_B = 2·t_F, in whole numbers however many chunks a stage is cut into."""
    times = {"forward_s": chunks, "backward_s": 2 * chunks, "chunks": chunks}
    return simulate(name, stages, micro_batches, **times)


def fewest(bubble, most):
    """The smallest number from 1 on whose simulated bubble is at most that; it falls with each."""
    number = 1
    while bubble(number) > most:
        number += 1
    return number


@lru_cache
def fewest_micro_batches(stages, most):
    return fewest(lambda m: schedule("1f1b", stages, m).bubble_fraction, most)


@lru_cache
def fewest_chunks(stages, micro_batches, most):
    def bubble(chunks):
        name = "interleaved" if chunks > 1 else "1f1b"
        return schedule(name, stages, micro_batches, chunks).bubble_fraction

    return fewest(bubble, most)


@lru_cache
def most_stages(micro_batches, most):
    stages = 1
    while schedule("1f1b", stages + 1, micro_batches).bubble_fraction <= most:
        stages += 1
    return stages


def held(name, n):
    return schedule(name, n.p, n.m).peak_in_flight(n.i)


def sent_by_a_middle_stage(n):
    """Every pass of stage 1 hands one hidden state to a neighbour."""
    passes = list(schedule("interleaved", n.p, n.m, n.v).slots(1))
    return len(passes) * hidden_bytes(n.s, n.b, n.h)


def boundary_bytes(n):
    return traffic.pipeline_bytes_per_boundary(n.s, n.b, n.h)


def tensor_over_pipeline(n):
    shape = SimpleNamespace(s=1, b=1, h=1, t=n.t)
    return n.L / n.p * layer_bytes(shape) / boundary_bytes(shape)


ENTRIES = {
    "ring-bytes": {
        "Q": lambda n: ring_walk(n.N)[-1].sent_values[0] * n.S / n.N,
        "H": lambda n: collectives.ring_bytes("reduce-scatter", n.S, n.N),
        "c": lambda n: ring_walk(n.N)[1].sent_values[0] * n.S / n.N,
        "r": lambda n: len(ring_walk(n.N)) - 1,
    },
    "collective-time": {
        "T": lambda n: all_reduce_s(n, n.S, n.alpha),
        "wire": lambda n: all_reduce_s(n, n.S),
        "lat": lambda n: collectives.ring_time_s("all-reduce", 0, n.N, link(1, n.alpha)),
        "E": break_even_bytes,
    },
    "busbw": {
        "B": lambda n: collectives.bus_bytes_per_s(n.op, n.S, n.T, n.N),
        "A": lambda n: n.B / float(collectives.ring_factor(n.op, n.N)),
        "share": lambda n: collectives.bus_bytes_per_s(n.op, n.S, n.T, n.N) / n.L,
    },
    "hierarchical-allreduce": {
        "X": lambda n: between_nodes(n, n.S).inter_bytes,
        "T": lambda n: between_nodes(n, n.S, link(n.BW)).inter_s,
        "q": lambda n: (
            collectives.ring_bytes("all-reduce", 1, n.n * n.g) / between_nodes(n, 1).inter_bytes
        ),
    },
    "all-to-all": {
        "A": one_all_to_all,
        "Q": lambda n: 4 * one_all_to_all(n),
        "W": lambda n: n.L * n.m * 4 * one_all_to_all(n),
    },
    "ddp-overlap": {
        "T": lambda n: traffic.tokens_to_hide(n.F, n.BW),
        "BW": bandwidth_that_hides,
        "room": lambda n: backward_s(n, n.tok) - long_ring_s(n),
    },
    "ddp-exposed": {
        "comm": lambda n: all_reduce_s(n, 2 * n.P),
        "X": lambda n: step(n).exposed_s,
        "share": lambda n: step(n).exposed_s / step(n).total_s,
    },
    "batch-arithmetic": {
        "m": lambda n: sequences_per_rank(n.B, n.s, n.N) / n.b,
        "N": lambda n: n.B / global_batch_tokens(n.b, n.s, n.m, 1),
        "B": lambda n: global_batch_tokens(n.b, n.s, n.m, n.N),
        "n": lambda n: optimizer_steps(n.D, global_batch_tokens(n.b, n.s, n.m, n.N)),
    },
    "weighted-gradient": {
        "g": true_mean,
        "err": lambda n: plain_mean(n) - true_mean(n),
        "f": lambda n: weight_of_rank_0((n.n1, n.n2)) / weight_of_rank_0((1, 1)),
    },
    "tp-bytes": {
        "Q": layer_bytes,
        "G": forward_bytes,
        "W": lambda n: n.L * n.m * layer_bytes(n),
    },
    "tp-ratio": {
        "r": lambda n: traffic.tensor_parallel_ratio(n.t, n.h, n.F, n.BW),
        "t": lambda n: math.floor(traffic.largest_tensor_parallel(n.h, n.F, n.BW, n.r)),
        "BW": lambda n: traffic.tensor_parallel_ratio(n.t, n.h, n.F, 1) / n.r,
        "h": lambda n: traffic.tensor_parallel_ratio(n.t, 1, n.F, n.BW) / n.r,
    },
    "pp-bubble": {
        "x": lambda n: schedule("1f1b", n.p, n.m).bubble_fraction,
        "y": lambda n: schedule("gpipe", n.p, n.m).bubble_over_ideal,
        "m": lambda n: fewest_micro_batches(n.p, n.x),
        "p": lambda n: most_stages(n.m, n.x),
    },
    "pp-interleaved": {
        "x": lambda n: schedule("interleaved", n.p, n.m, n.v).bubble_fraction,
        "y": lambda n: schedule("interleaved", n.p, n.m, n.v).bubble_over_ideal,
        "v": lambda n: fewest_chunks(n.p, n.m, n.x),
        "W": sent_by_a_middle_stage,
    },
    "pp-inflight": {
        "K": lambda n: held("1f1b", n),
        "G": lambda n: held("gpipe", n),
        "M": lambda n: held("1f1b", n) * n.A,
        "saved": lambda n: (held("gpipe", n) - held("1f1b", n)) * n.A,
    },
    "pp-p2p": {
        "Q": boundary_bytes,
        "W": lambda n: n.m * boundary_bytes(n),
        "G": lambda n: boundary_bytes(n) / n.t,
        "q": tensor_over_pipeline,
    },
}


def _families():
    for topic in TOPICS:
        path = FOLDER / f"{topic}.yaml"
        reading = read_problems(path.read_bytes(), str(path))
        assert not reading.diagnostics, [fault.message for fault in reading.diagnostics]
        yield from reading.problems.problems


FAMILIES = {problem.id: problem for problem in _families()}


def _numbers(variant):
    """What the question states: counts whole, shares exact, and the names of the presets drawn."""
    plain = {symbol: _number(value) for symbol, value in variant.values.items()}
    return SimpleNamespace(**plain, **variant.presets)


def _number(value):
    if value.denominator == 1:
        return int(value)
    # A bubble of exactly 20 % must not depend on the last bit of 0.2.
    return value if value.denominator <= 100 else float(value)


def test_every_question_has_a_second_entry():
    asked = {name: {find.symbol for find in family.find} for name, family in FAMILIES.items()}
    assert {name: set(entries) for name, entries in ENTRIES.items()} == asked


QUESTIONS = [(name, find.symbol) for name, family in FAMILIES.items() for find in family.find]


@pytest.mark.parametrize(("name", "symbol"), QUESTIONS)
def test_the_equations_and_the_calculators_agree(name, symbol):
    second = ENTRIES[name][symbol]
    for seed in range(VARIANTS):
        variant = draw(FAMILIES[name], seed, symbol)
        first = float(solve_variant(variant).value)
        assert math.isclose(first, second(_numbers(variant)), rel_tol=AGREES), (
            f"seed {seed}: {variant.ask}"
        )
