"""The numbers printed in the decks on model states, activations and ZeRO, computed again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from deck_numbers import (
    GIB,
    PARAMS,
    SHAPE,
    Row,
    gb,
    gb_or_tb,
    percent,
    prints,
    sci,
    sig,
    states,
    text_at,
    uncomputed,
)

from drillkit.mlsys.activations import (
    activation_bytes_per_layer,
    activation_coefficient,
    activation_walk,
)
from drillkit.mlsys.memory import ADAMW, CONVENTIONS, largest_model
from drillkit.mlsys.traffic import data_parallel_bytes

if TYPE_CHECKING:
    from drillkit.mlsys.activations import Recompute

STAGES = ("DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3")


def layer(
    seq: int,
    hidden: int = 4096,
    heads: int = 32,
    *,
    tp: int = 1,
    sp: bool = False,
    recompute: Recompute = "none",
    flash: bool = False,
) -> float:
    """Return the bytes that one layer keeps for one sequence; the defaults are a 7B shape."""
    return activation_bytes_per_layer(
        seq,
        1,
        hidden,
        heads,
        tp=tp,
        sequence_parallel=sp,
        recompute=recompute,
        flash=flash,
    )


def memory_rows() -> list[Row]:
    rows: list[Row] = [
        ("memory/sixteen-bytes", "answer", f"{ADAMW.total:g} bytes"),
        ("memory/optimizer-bytes", "answer", f"{ADAMW.optimizer:g} bytes"),
        ("memory/why-master-copy", "answer", percent(2**-8, 1)),
        ("memory/autocast-split", "text", f"{{{{{CONVENTIONS['autocast'].total:g}}}}} again"),
        ("memory/autocast-weights", "right", f"{CONVENTIONS['autocast'].total:g}"),
        ("memory/fp32-gradients", "answer", f"{CONVENTIONS['fp32-grads'].total:g} bytes"),
        ("memory/eight-bit-adam", "answer", f"{CONVENTIONS['adam-8bit'].total:g} bytes"),
        ("memory/plain-sgd", "right choice", f"{CONVENTIONS['sgd'].total:g} bytes"),
        ("memory/state-7b", "answer", gb(states(7e9))),
        ("memory/state-7b", "why", f"{states(7e9) / 1e9:g}e9"),
        (
            "memory/largest-unsharded",
            "answer",
            f"{largest_model(80e9, ranks=1, zero_stage=0) / 1e9:g}B",
        ),
        ("memory/state-llama-70b-gpus", "ask", sig(PARAMS["Llama-3-70B"] / 1e9, 4) + "e9"),
        ("memory/state-llama-70b-gpus", "why", sci(states(PARAMS["Llama-3-70B"]), 4)),
        ("memory/state-llama-70b-gpus", "why", sig(states(PARAMS["Llama-3-70B"]) / 80e9, 3)),
        (
            "memory/state-llama-70b-gpus",
            "answer",
            f"{math.ceil(states(PARAMS['Llama-3-70B']) / 80e9)} GPUs",
        ),
        ("memory/state-llama-70b-gpus", "why", f"exactly {states(70e9) / 80e9:g}"),
        ("memory/lora-states", "answer", gb(2 * 7e9 + states(20e6))),
        ("memory/lora-states", "why", gb(states(20e6), 2)),
        ("memory/logits", "answer", gb(4096 * 128_256 * 4, 2)),
        ("memory/logits", "why", sci(4096 * 128_256 * 4)),
    ]
    recipes = {
        "bf16 AdamW, fp32 master": "adamw",
        "autocast AdamW, fp32 weights": "autocast",
        "bf16 AdamW, fp32 gradients": "fp32-grads",
        "bf16 AdamW, 8-bit moments": "adam-8bit",
        "bf16 SGD with momentum, fp32 master": "sgd-momentum",
        "bf16 SGD without momentum, fp32 master": "sgd",
    }
    for name, key in recipes.items():
        kept = CONVENTIONS[key]
        for column, value in (
            ("weight", kept.weight),
            ("gradient", kept.grad),
            ("master copy", kept.master),
            ("moments", kept.moments),
            ("total", kept.total),
        ):
            rows.append(("memory/recipes-table", f"{name} | {column}", f"{value:g}"))
    for tensor, size in (
        ("weight", ADAMW.weight),
        ("gradient", ADAMW.grad),
        ("master weight", ADAMW.master),
        ("first moment m", ADAMW.moments / 2),
        ("second moment v", ADAMW.moments / 2),
    ):
        rows.append(("memory/split-table", f"{tensor} | bytes", f"{size:g}"))
    return rows


def activations_rows() -> list[Row]:
    seven = layer(4096)
    flash = layer(4096, flash=True)
    full = layer(4096, recompute="full")
    long = layer(8192)
    core = 5 * 32 * 4096**2
    walk = activation_walk(1, 1, 1, 1)  # every tensor in units of sbh (or as²b)
    linear = {
        b: sum(k.size_bytes for k in walk if k.block == b) for b in ("attention", "mlp", "norm")
    }
    rows: list[Row] = [
        ("activations/three-parts", "text", f"{{{{{linear['attention'] - 5}sbh + 5as²b"),
        ("activations/three-parts", "text", f"{{{{{linear['mlp']}sbh}}}}"),
        ("activations/three-parts", "text", f"{{{{{linear['norm']}sbh}}}}"),
        ("activations/attention-walk", "why", f"{linear['attention'] - 5}sbh + 5as²b"),
        ("activations/mlp-walk", "why", f"{linear['mlp']}sbh"),
        ("activations/derive-34", "steps", f"{sum(linear.values()) - 5}sbh + 5as²b"),
        ("activations/flash-keeps", "why", f"{32 * 4096 * 4 / 1e6:.1f} MB"),
        ("activations/flash-keeps", "why", gb(core, 2)),
        ("activations/core-over-rest", "answer", sig(5 * 32 / 34, 2)),
        ("activations/core-crossover", "answer", f"{sig(34 / 5 * 128, 2)} tokens"),
        ("activations/full-recompute-price", "answer", percent(8 / 6 - 1, 2)),
        ("activations/seven-b-layer", "why", sci(4096 * 4096)),
        ("activations/seven-b-layer", "answer", gb(seven)),
        ("activations/seven-b-layer", "why", f"{activation_coefficient(4096, 4096, 32):g}"),
        ("activations/seven-b-layer", "why", gb(32 * seven)),
        ("activations/seven-b-flash", "answer", gb(32 * flash, 4)),
        ("activations/seven-b-flash", "why", f"{flash / 1e9:.3f}e9"),
        ("activations/seven-b-flash", "why", gb(32 * seven)),
        ("activations/seven-b-full", "answer", gb(32 * full)),
        ("activations/seven-b-full", "why", sci(32 * full)),
        ("activations/ninety-seven", "claim", gb(32 * seven / GIB * 1e9, 2)),
        ("activations/ninety-seven", "claim", gb(seven / GIB * 1e9)),
        ("activations/ninety-seven", "right", f"32 × {sig(seven / 1e9, 3)}"),
        ("activations/ninety-seven", "right", gb(32 * seven)),
        ("activations/ninety-seven", "right", f"{sig(32 * seven / GIB, 2)} GiB"),
        ("activations/double-s", "answer", gb(32 * long)),
        ("activations/double-s", "why", sig(long / (8192 * 4096), 3)),
        ("activations/double-s", "why", sci(8192 * 4096)),
        ("activations/double-s", "why", gb(long)),
        ("activations/double-s", "why", f"{sig(long / seven, 3)} times"),
        ("activations/double-s", "why", gb(32 * layer(8192, flash=True))),
    ]
    settings: tuple[tuple[str, Recompute], ...] = (
        ("scores stored", "none"),
        ("FlashAttention or selective recompute", "selective"),
        ("full recompute", "full"),
    )
    for name, kind in settings:
        alone = layer(4096, recompute=kind)
        tp = layer(4096, tp=8, recompute=kind)
        sp = layer(4096, tp=8, sp=True, recompute=kind)
        digits = 4 if alone == seven else 3
        place = "activations/variants-numbers"
        rows += [
            (place, f"{name} | t = 1", sig(alone / 1e9, digits)),
            (place, f"{name} | t = 8, TP only", sig(tp / 1e9, 3)),
            (
                place,
                f"{name} | t = 8, with sequence parallelism",
                sig(sp / 1e9, 3 if sp > 1e7 else 2),
            ),
        ]
    place = "activations/variants-formulas"
    flat = activation_coefficient(1, 1, 1, flash=True)
    rows += [
        (place, "FlashAttention or selective recompute, t = 1 | bytes / sbh", f"{flat:g}"),
        (
            place,
            "full recompute, no sequence parallelism | bytes / sbh",
            f"{activation_coefficient(1, 1, 1, tp=8, recompute='full'):g}",
        ),
    ]
    ordered = (
        seven,
        flash,
        layer(4096, tp=8, sp=True),
        layer(4096, tp=8, flash=True),
        layer(4096, tp=8, sp=True, flash=True),
        full,
    )
    assert list(ordered) == sorted(ordered, reverse=True)
    rows += [
        ("activations/largest-to-smallest", "why", sig(size / 1e9, 3 if size > 1e8 else 2))
        for size in ordered
    ]
    for model, seq in (("Llama-2-7B", 4096), ("Llama-3-70B", 8192), ("Llama-3-405B", 8192)):
        shape, place = SHAPE[model], "activations/three-models"
        name = f"{model}, s = {seq}, {shape.layers} layers"
        rows.append((place, f"{name} | state", gb_or_tb(states(PARAMS[model]))))
        for column, kind in settings:
            size = layer(seq, shape.hidden, shape.heads, recompute=kind)
            short = "Flash" if kind == "selective" else column
            rows.append((place, f"{name} | {short}", gb(size)))
            rows.append((place, "why", sig(size / GIB, 3).removesuffix("0")))
    return rows


def zero_rows() -> list[Row]:
    sent = {
        m: [data_parallel_bytes(1, 10**9, zero_stage=k, micro_batches=m) / 2 for k in range(4)]
        for m in (1, 8)
    }
    assert [round(value) for value in sent[1]] == [2, 2, 2, 3]
    rows: list[Row] = [
        ("zero/predict-7-5b", "answer", f"ZeRO-3 {gb(states(7.5e9, 64, 3), 4)}"),
        ("zero/predict-7-5b", "why", f"{states(7.5e9) / 1e9:g}e9"),
        ("zero/predict-7-5b", "answer", f"DDP {gb(states(7.5e9), 3)}"),
        ("zero/paper-example", "text", f"DDP {{{{{sig(states(7.5e9) / 1e9, 3)}}}}}"),
        ("zero/paper-example", "text", f"ZeRO-1 {{{{{sig(states(7.5e9, 64, 1) / 1e9, 3)}}}}}"),
        ("zero/paper-example", "text", f"ZeRO-2 {{{{{sig(states(7.5e9, 64, 2) / 1e9, 3)}}}}}"),
        ("zero/paper-example", "text", f"ZeRO-3 {{{{{sig(states(7.5e9, 64, 3) / 1e9, 4)}"),
        ("zero/why-one-and-a-half", "ask", f"{sent[1][3] / sent[1][0]:g} times"),
        ("zero/guess-traffic", "right choice", f"{sent[1][3] / sent[1][0]:g} times"),
        ("zero/floors", "why", gb(states(70e9, 10**9, 1))),
        ("zero/seventy-b-64", "ZeRO-1 | GB per GPU", sig(states(70e9, 64, 1) / 1e9, 3)),
        ("zero/seventy-b-64", "ZeRO-2 | GB per GPU", sig(states(70e9, 64, 2) / 1e9, 3)),
        ("zero/seventy-b-64", "ZeRO-3 | GB per GPU", sig(states(70e9, 64, 3) / 1e9, 3)),
        ("zero/seventy-b-64", "why", f"280 + {12 * 70 / 64:.1f}"),
        ("zero/seventy-b-64", "why", f"140 + {14 * 70 / 64:.1f}"),
        ("zero/accumulation-zero3", "right", f"{sent[8][3]:.0f}Ψ"),
        ("zero/accumulation-zero3", "right", f"{sent[8][3] / sent[8][0]:.0f} times"),
        ("zero/accumulation-zero3", "flaw", f"{2 * 8}Ψ"),
        ("zero/accumulation-zero2", "right", f"{sent[8][2] / sent[8][0]:.1f} at m = 8"),
        ("zero/zero1-or-zero3", "choices", f"{sent[8][2] / sent[8][0]:.1f} times"),
        ("zero/zero1-or-zero3", "choices", f"{sent[8][3] / sent[8][0]:.0f} times"),
        ("zero/seven-b-bytes", "answer", gb(data_parallel_bytes(7e9, 8, zero_stage=3), 4)),
        ("zero/seven-b-bytes", "why", gb(data_parallel_bytes(7e9, 8))),
        ("zero/hsdp-memory", "answer", gb(states(7e9, 8, 3), 2)),
        ("zero/hsdp-memory", "why", gb(states(7e9, 128, 3))),
    ]
    for stage, method in enumerate(("DDP with no_sync", *STAGES[1:])):
        place, value = "zero/accumulation-traffic", sent[8][stage]
        rows.append((place, f"{method} | m = 8", f"{value:.0f}Ψ"))
        relative = f"{value / sent[8][0]:.1f}".removesuffix(".0")
        rows.append((place, f"{method} | relative to DDP at m = 8", relative))
    for stage, name in enumerate(STAGES):
        rows.append(("zero/stages", f"{name} | values sent", f"{sent[1][stage]:.0f}Ψ"))
        for ranks, digits in ((8, (3, 3, 4, 2)), (64, (3, 3, 3, 3))):
            size = sig(states(7e9, ranks, stage) / 1e9, digits[stage])
            rows.append(("zero/seven-b-stages", f"{name} | N = {ranks}", size))
    return rows


SAID = [*memory_rows(), *activations_rows(), *zero_rows()]


@pytest.mark.parametrize(("item", "place", "number"), SAID)
def test_the_card_prints_the_number_that_the_formula_gives(item, place, number):
    text = text_at(item, place)
    assert prints(text, number), f"{item}, {place}: expected {number} in: {text}"


def test_every_number_card_and_numeric_cell_is_computed():
    assert uncomputed(("memory", "activations", "zero"), SAID) == []


def test_a_number_inside_a_longer_one_does_not_count():
    assert prints("14 GB of states", "14 GB")
    assert not prints("114 GB of states", "14 GB")
    assert not prints("1.14 GB of states", "14 GB")
    assert not prints("3.255", "3.25")
