"""Double entry: the problem files on memory against drillkit's calculators, at 200 variants each.

A family's formulas are written twice, as equations in its file and as code in `drillkit.mlsys`. The
table below says which computation answers which question; a question without one fails.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from drillkit.content.problem_reading import read_problems
from drillkit.mlsys.activations import (
    activation_bytes_per_layer,
    activation_coefficient,
    selective_saving,
)
from drillkit.mlsys.budget import attention_over_weights, training_flops
from drillkit.mlsys.memory import (
    ADAMW,
    CONVENTIONS,
    StateBytes,
    fewest_ranks,
    largest_model,
    model_states,
)
from drillkit.mlsys.pipeline import held_micro_batches
from drillkit.mlsys.traffic import data_parallel_bytes
from drillkit.mlsys.transformer import Transformer, count_params
from drillkit.numeric.sample import draw
from drillkit.numeric.worked import solve_variant

FOLDER = Path(__file__).parents[2] / "problems" / "numeric"
TOPICS = ("memory", "parameters", "states", "zero", "activations")
VARIANTS = 200
AGREES = 1e-9


# --- parameter counts ---


def gpt_layers(layers, hidden):
    count = count_params(Transformer("", layers, hidden, 1, 4 * hidden, 1, gated=False))
    return count.attention + count.mlp


def llama(n, vocab):
    return count_params(Transformer("", n.L, n.h, n.a, n.f, vocab, kv_heads=n.kv, head_dim=n.d))


def llama_layers(n):
    count = llama(n, 1)
    return count.attention + count.mlp + count.layer_norms


def share_of_mlp(n):
    count = llama(n, n.V)
    return count.mlp / count.total


def saved_by_gqa(n):
    def attention(kv_heads):
        shape = Transformer("", n.L, n.h, n.a, 1, 1, kv_heads=kv_heads, head_dim=n.d)
        return count_params(shape).attention

    return attention(n.a) - attention(n.kv)


def mixture(n):
    return count_params(
        Transformer(
            *("", n.L, n.h, n.a, n.f, n.V),
            kv_heads=n.kv,
            head_dim=n.d,
            experts=n.E,
            experts_per_token=n.k,
        )
    )


# --- model states ---

RECIPES = {
    "bf16 weights and gradients, fp32 master weights and both Adam moments in fp32": ADAMW,
    "bf16 weights, fp32 gradients, fp32 master weights and both Adam moments in fp32": (
        CONVENTIONS["fp32-grads"]
    ),
    "bf16 weights, bf16 gradients beside an fp32 copy of them, fp32 master weights and both Adam"
    " moments in fp32": CONVENTIONS["fp32-accumulation"],
    "bf16 weights and gradients, fp32 master weights and both Adam moments in 8 bit": (
        CONVENTIONS["adam-8bit"]
    ),
    "bf16 weights and gradients, fp32 master weights and one fp32 momentum (SGD)": (
        CONVENTIONS["sgd-momentum"]
    ),
    "fp32 weights and gradients (autocast to bf16 where it computes) and both Adam moments in"
    " fp32": CONVENTIONS["autocast"],
    "bf16 weights and gradients, no master weights and both Adam moments in fp32": StateBytes(
        weight=2, grad=2, master=0, moments=8
    ),
}
CHANGES = {
    "keeps its gradients in fp32 instead of bf16": replace(ADAMW, grad=4),
    "keeps both Adam moments in 8 bit instead of fp32": replace(ADAMW, moments=2),
    "keeps both Adam moments in bf16 instead of fp32": replace(ADAMW, moments=4),
    "gives up its fp32 master weights": replace(ADAMW, master=0),
}
STAGES = {
    "plain data parallelism (DDP)": 0,
    "ZeRO-1": 1,
    "ZeRO-2": 2,
    "ZeRO-3": 3,
    "FSDP with full sharding": 3,
}


def states(n, zero_stage=0, convention=ADAMW):
    ranks = n.N if zero_stage else 1
    return model_states(n.P, ranks=ranks, zero_stage=zero_stage, states=convention).total_bytes


def changed_states(n):
    return abs(states(n) - states(n, convention=CHANGES[n.change]))


def slice_under_zero1(n):
    return model_states(n.P / (n.t * n.p), ranks=n.N, zero_stage=1).total_bytes


# --- traffic ---

BYTES = {"fp8": 1, "bf16": 2, "fp32": 4}
ACCUMULATING = {
    "ZeRO-2, which reduces its gradients after every micro-batch": (2, False),
    "ZeRO-3, which reduces its gradients after every micro-batch": (3, False),
    "ZeRO-3 with no_sync, which reduces its gradients once a step": (3, True),
}


def sent(n):
    width = BYTES[n.format]
    return data_parallel_bytes(
        n.P, n.N, zero_stage=STAGES[n.stage], weight_bytes=width, grad_bytes=width
    )


def over_ddp(n):
    widths = {"weight_bytes": BYTES[n.weights], "grad_bytes": BYTES[n.gradients]}
    sharded = data_parallel_bytes(1, 8, zero_stage=STAGES[n.sharding], **widths)
    return sharded / data_parallel_bytes(1, 8, zero_stage=0, **widths)


def accumulated(n, micro_batches, params, ranks):
    stage, once = ACCUMULATING[n.stage]
    return data_parallel_bytes(
        params, ranks, zero_stage=stage, micro_batches=micro_batches, reduce_once=once
    )


def most_micro_batches(n):
    fitting = (m for m in range(1, 1000) if accumulated(n, m, n.P, n.N) <= n.V)
    return max(fitting)


def over_zero1(n):
    return accumulated(n, n.m, 1, 8) / data_parallel_bytes(1, 8, zero_stage=1, micro_batches=n.m)


# --- activations ---


def flash(n, micro_batch):
    return n.L * activation_bytes_per_layer(n.s, micro_batch, n.h, 1, flash=True)


def standard(n, micro_batch, **how):
    return activation_bytes_per_layer(n.s, micro_batch, n.h, n.a, **how)


def layer_inputs(n):
    return n.L * activation_bytes_per_layer(n.s, n.b, n.h, 1, recompute="full")


def gain_of_sequence_parallelism(n):
    def kept(*, sequence_parallel):
        return activation_bytes_per_layer(
            n.s, n.b, n.h, 1, tp=n.t, sequence_parallel=sequence_parallel
        )

    return kept(sequence_parallel=False) - kept(sequence_parallel=True)


def first_stage(n, schedule, chunks=1):
    held = held_micro_batches(schedule, n.p, n.m, chunks=chunks)
    return float(held) * flash(n, n.b) / n.p


def gpipe_over_1f1b(n):
    return float(held_micro_batches("gpipe", n.p, n.m) / held_micro_batches("1f1b", n.p, n.m))


def saved_by_selective(n):
    return standard(n, n.b) - standard(n, n.b, recompute="selective")


def length_that_saves(n):
    stays = activation_coefficient(1, n.h, n.a, recompute="selective")
    scores_of_a_token = activation_coefficient(1, n.h, n.a) - stays
    return stays * n.S / (1 - n.S) / scores_of_a_token


def full_over_selective(n):
    core = attention_over_weights(n.s, n.h)
    return (1 + core) / core


def fitting_total(n):
    return states(n, 3) + flash(n, n.b)


ENTRIES = {
    "param-count-gpt": {
        "P": lambda n: gpt_layers(n.L, n.h),
        "L": lambda n: round(n.P / gpt_layers(1, n.h)),
        "h": lambda n: math.sqrt(n.P / gpt_layers(n.L, 1)),
    },
    "param-count-llama": {
        "P": lambda n: llama(n, n.V).total,
        "B": llama_layers,
        "S": share_of_mlp,
        "G": saved_by_gqa,
    },
    "param-count-moe": {
        "P": lambda n: mixture(n).total,
        "Pa": lambda n: mixture(n).active,
        "r": lambda n: mixture(n).total / mixture(n).active,
        "M": lambda n: model_states(mixture(n).total).total_bytes,
        "C": lambda n: training_flops(mixture(n).active, 1),
    },
    "state-bytes": {
        "c": lambda n: RECIPES[n.recipe].total,
        "S": lambda n: states(n, convention=RECIPES[n.recipe]),
        "T": states,
        "P": lambda n: largest_model(n.S, ranks=1, zero_stage=0, states=RECIPES[n.recipe]),
        "D": changed_states,
    },
    "zero1-memory": {
        "M": lambda n: states(n, 1),
        "N": lambda n: fewest_ranks(n.P, n.M, zero_stage=1),
        "D": lambda n: states(n) - states(n, 1),
        "Ms": slice_under_zero1,
    },
    "zero2-memory": {
        "M": lambda n: states(n, 2),
        "N": lambda n: fewest_ranks(n.P, n.M, zero_stage=2),
        "D": lambda n: states(n) - states(n, 2),
    },
    "zero3-memory": {
        "M": lambda n: states(n, 3),
        "N": lambda n: fewest_ranks(n.P, n.M, zero_stage=3),
    },
    "zero-inverse": {
        "P": lambda n: largest_model(n.M, ranks=n.N, zero_stage=STAGES[n.stage]),
        "N": lambda n: fewest_ranks(n.P, n.M, zero_stage=STAGES[n.stage]),
    },
    "zero-traffic": {
        "V": sent,
        "T": lambda n: sent(n) / n.BW,
        "r": over_ddp,
    },
    "zero-traffic-accum": {
        "r": over_zero1,
        "V": lambda n: accumulated(n, n.m, n.P, n.N),
        "m": most_micro_batches,
    },
    "act-layer": {
        "A": lambda n: standard(n, n.b),
        "b": lambda n: math.floor(n.A / standard(n, 1)),
        "c": lambda n: activation_coefficient(n.s, n.h, n.a),
        "g": lambda n: selective_saving(n.s, n.h, n.a),
    },
    "act-total": {
        "A": lambda n: flash(n, n.b),
        "K": layer_inputs,
        "b": lambda n: math.floor(n.A / flash(n, 1)),
    },
    "act-tp-sp": {
        "c": lambda n: activation_coefficient(n.s, n.h, n.a, tp=n.t),
        "A": lambda n: standard(n, n.b, tp=n.t),
        "B": lambda n: standard(n, n.b, tp=n.t, sequence_parallel=True),
        "G": gain_of_sequence_parallelism,
    },
    "act-pipeline": {
        "A": lambda n: first_stage(n, "1f1b"),
        "Ag": lambda n: first_stage(n, "gpipe"),
        "Ai": lambda n: first_stage(n, "interleaved", n.v),
        "r": gpipe_over_1f1b,
    },
    "selective-recompute": {
        "S": lambda n: selective_saving(n.s, n.h, n.a),
        "s": length_that_saves,
        "G": saved_by_selective,
        "O": lambda n: attention_over_weights(n.s, n.h),
        "r": full_over_selective,
    },
    "fit-check": {
        "T": fitting_total,
        "room": lambda n: n.C - fitting_total(n),
        "most": lambda n: math.floor((n.C - states(n, 3)) / flash(n, 1)),
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
    """What the question states: whole numbers as such, and the names of the presets drawn."""
    plain = {
        symbol: int(value) if value.denominator == 1 else float(value)
        for symbol, value in variant.values.items()
    }
    return SimpleNamespace(**plain, **variant.presets)


def test_every_question_has_a_second_entry():
    asked = {name: {find.symbol for find in family.find} for name, family in FAMILIES.items()}
    assert {name: set(entries) for name, entries in ENTRIES.items()} == asked


@pytest.mark.parametrize("name", FAMILIES)
def test_the_equations_and_the_calculators_agree(name):
    """Each question of a family has its share of the 200 variants."""
    family = FAMILIES[name]
    for find in family.find:
        second = ENTRIES[name][find.symbol]
        for seed in range(math.ceil(VARIANTS / len(family.find))):
            variant = draw(family, seed, find.symbol)
            first = float(solve_variant(variant).value)
            assert math.isclose(first, second(_numbers(variant)), rel_tol=AGREES), (
                f"{find.symbol}, seed {seed}: {variant.ask}"
            )
