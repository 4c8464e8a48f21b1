"""The numbers on the parallelism decks, recomputed and looked up where a learner reads them.

A row of `NUMBERS` names a card, the place on it and the text that a formula gives for that place.
1 GB is 10⁹ bytes; H100 989 TFLOP/s, 3.35 TB/s HBM; 450 GB/s NVLink and 50 GB/s network a direction.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from drillkit.mlsys.activations import activation_bytes_per_layer, score_coefficient
from drillkit.mlsys.collectives import (
    hierarchical_all_reduce,
    mean_gradient,
    ring_bytes,
    ring_factor,
    ring_rounds,
    ring_time_s,
)
from drillkit.mlsys.hardware import A100, H100, INFINIBAND_NDR, NVLINK_4
from drillkit.mlsys.layout import data_parallel_degree
from drillkit.mlsys.memory import model_states
from drillkit.mlsys.pipeline import (
    bubble_fraction,
    bubble_over_ideal,
    held_micro_batches,
    micro_batches_for_bubble,
    pipeline_step_s,
    zero_bubble_idle_s,
)
from drillkit.mlsys.roofline import crossing_rows, matmul_intensity
from drillkit.mlsys.traffic import (
    data_parallel_bytes,
    expert_parallel_bytes,
    pipeline_bytes_per_boundary,
    tensor_parallel_bytes_per_layer,
    tensor_parallel_ratio,
    tokens_to_hide,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from drillkit.mlsys.orders import ScheduleName

DECKS = Path(__file__).parents[2] / "decks"
PARALLELISM = (
    "collectives",
    "data-parallel",
    "tensor-parallel",
    "pipeline",
    "context-expert",
    "roofline",
    "composition",
)
# Figures that are read, not computed: number card -> where.
READ_NOT_COMPUTED = {"data-parallel/bucket-size": "PyTorch: bucket_cap_mb=25"}

GB, TB, MB = 1e9, 1e12, 1e6
PEAK, NETWORK = H100.flops_per_s, INFINIBAND_NDR.bytes_per_s

# The toy ŷ = w·x of the data-parallel deck, at w = 1.
TOY = [(1, 2), (2, 4), (3, 5), (4, 9)]


def toy_gradient(samples: list[tuple[int, int]]) -> float:
    """Return dL/dw of the mean squared error of ŷ = x."""
    return 2 * sum((x - y) * x for x, y in samples) / len(samples)


def percent(share: float | Fraction, digits: int) -> str:
    """Return a share as the decks print it: 0.273 as 27.3 %."""
    return f"{100 * float(share):.{digits}f} %"


# ---- what several rows share --------------------------------------------------------------------
LLAMA_7B_GRADIENTS = 13.5 * GB
SEVEN_B_GRADIENTS = 2 * 7 * GB
FLAT_128 = ring_bytes("all-reduce", SEVEN_B_GRADIENTS, 128)
ACROSS_16 = hierarchical_all_reduce(
    SEVEN_B_GRADIENTS, nodes=16, gpus_per_node=8, intra=NVLINK_4, inter=INFINIBAND_NDR
).inter_bytes
NVLINK_7B_S = ring_bytes("all-reduce", LLAMA_7B_GRADIENTS, 8) / NVLINK_4.bytes_per_s
BATCH_TOKENS = 1 * 8 * 128 * 4096
ZERO_3_OVER_DDP = data_parallel_bytes(7e9, 64, zero_stage=3) / data_parallel_bytes(7e9, 64)
# 7B, causal attention, 40 % MFU: 8 micro-batches of one sequence of 4,096 tokens.
STEP_S = 8 * 4096 * (6 * 7e9 + 6 * 32 * 4096 * 4096) / (0.4 * PEAK)
SLICE_70B = 70e9 / (8 * 4)
STATES_70B = model_states(SLICE_70B, ranks=32, zero_stage=1)
LAYER_128K = activation_bytes_per_layer(131_072, 1, 8192, 64, flash=True)
LAYER_8K = activation_bytes_per_layer(8192, 1, 8192, 64, flash=True)
SCORES_128K = 131_072 * 8192 * score_coefficient(131_072, 8192, 64)
ALL_TO_ALL = expert_parallel_bytes(8192, 4096, 8, top_k=8)
ZB_H1_S = 8 * 3 + zero_bubble_idle_s("zb-h1", 4, 1, 1, 1)
ZERO_BUBBLE: tuple[ScheduleName, ...] = ("1f1b", "zb-h1", "zb-h2")
# Idle time in units of p − 1 where F = B = W = 1, and what the first of 8 stages holds.
IDLE_SLOTS = [zero_bubble_idle_s(name, 8, 1, 1, 1) / 7 for name in ZERO_BUBBLE]
ZERO_BUBBLE_HELD = {
    name: {8: "| p", 15: "| 2p − 1"}[int(held_micro_batches(name, 8, 64))] for name in ZERO_BUBBLE
}
ONE_F_ONE_B_S = pipeline_step_s(4, 8, 1, 2)

NUMBERS = [
    # ---- collectives ----------------------------------------------------------------------------
    ("collectives/ring-2gb-8", "right", f"{ring_bytes('all-reduce', 2, 8):.1f} GB"),
    ("collectives/ring-2gb-8", "wrong", f"{8 * 2} GB"),
    ("collectives/ring-2gb-8", "wrong", f"{2 * 2} GB"),
    ("collectives/ring-more-ranks", "right", f"{float(ring_factor('all-reduce', 64)):.3f}"),
    ("collectives/ring-more-ranks", "right", f"{float(ring_factor('all-reduce', 1024)):.3f}"),
    (
        "collectives/ring-more-ranks",
        "right",
        percent((ring_factor("all-reduce", 1024) / ring_factor("all-reduce", 64) - 1), 1),
    ),
    ("collectives/ring-more-ranks", "right", f"{1024 // 64} times"),
    ("collectives/time-7b-nvlink", "answer", f"{1e3 * NVLINK_7B_S:.1f} ms"),
    (
        "collectives/time-7b-nvlink",
        "why",
        f"{ring_bytes('all-reduce', LLAMA_7B_GRADIENTS, 8) / GB:.1f} GB",
    ),
    ("collectives/time-7b-nvlink", "why", f"{ring_rounds('all-reduce', 8)} × 2 µs"),
    (
        "collectives/time-7b-nvlink",
        "why",
        f"{1e3 * ring_rounds('all-reduce', 8) * NVLINK_4.latency_s:.2f} ms",
    ),
    (
        "collectives/time-7b-network",
        "answer",
        f"{1e3 * ring_time_s('all-reduce', LLAMA_7B_GRADIENTS, 8, INFINIBAND_NDR):.1f} ms",
    ),
    (
        "collectives/time-7b-network",
        "why",
        f"{ring_bytes('all-reduce', LLAMA_7B_GRADIENTS, 8) / GB:.1f} GB",
    ),
    (
        "collectives/time-7b-network",
        "why",
        f"{1e3 * ring_bytes('all-reduce', LLAMA_7B_GRADIENTS, 8) / NETWORK:.1f} ms",
    ),
    (
        "collectives/time-7b-network",
        "why",
        f"{1e3 * ring_rounds('all-reduce', 8) * INFINIBAND_NDR.latency_s:.2f} ms",
    ),
    ("collectives/time-7b-share", "ask", f"{1e3 * NVLINK_7B_S:.1f} ms"),
    ("collectives/time-7b-share", "answer", percent(NVLINK_7B_S / 1.2, 1)),
    (
        "collectives/trees",
        "why",
        f"{1e3 * ring_rounds('all-reduce', 1024) * INFINIBAND_NDR.latency_s:.1f} ms",
    ),
    (
        "collectives/break-even-1024",
        "answer",
        f"{1024 * INFINIBAND_NDR.latency_s * NETWORK / MB:.0f} MB",
    ),
    ("collectives/hierarchical-7b", "answer", f"{ACROSS_16 / GB:.2f} GB"),
    ("collectives/hierarchical-7b", "why", f"{1e3 * ACROSS_16 / NETWORK:.0f} ms"),
    ("collectives/hierarchical-7b", "why", f"{FLAT_128 / GB:.1f} GB"),
    ("collectives/hierarchical-7b", "why", f"{1e3 * FLAT_128 / NETWORK:.0f} ms"),
    # ---- data parallelism -----------------------------------------------------------------------
    ("data-parallel/toy-even", "answer", f"{toy_gradient(TOY[:2]):.0f}"),
    ("data-parallel/toy-even", "answer", f"{toy_gradient(TOY[2:]):.0f}"),
    ("data-parallel/toy-even", "answer", f"{toy_gradient(TOY[:2]) + toy_gradient(TOY[2:]):.0f}"),
    ("data-parallel/toy-even", "answer", f"{toy_gradient(TOY):.1f}"),
    ("data-parallel/toy-even", "why", ", ".join(f"{(x - y) * x}" for x, y in TOY)),
    ("data-parallel/toy-uneven", "claim", f"{toy_gradient(TOY[:1]):.0f}"),
    ("data-parallel/toy-uneven", "claim", f"{toy_gradient(TOY[1:]):.0f}"),
    (
        "data-parallel/toy-uneven",
        "claim",
        f"{(toy_gradient(TOY[:1]) + toy_gradient(TOY[1:])) / 2:.0f}",
    ),
    (
        "data-parallel/toy-uneven",
        "right",
        f"{mean_gradient([1, 3], [toy_gradient(TOY[:1]), toy_gradient(TOY[1:])]):.1f}",
    ),
    ("data-parallel/uneven-48-16", "answer", f"16/64 = 1/{64 // 16}"),
    ("data-parallel/uneven-48-16", "answer", "twice" if (1 / 2) / (16 / 64) == 2 else "not twice"),
    ("data-parallel/uneven-48-16", "why", f"1/{2 * 16} against 1/{2 * 48}"),
    ("data-parallel/uneven-48-16", "why", f"{(2 * 48) // (2 * 16)} times"),
    ("data-parallel/global-batch-128", "answer", f"{1 * 8 * 128:,} sequences"),
    ("data-parallel/global-batch-128", "why", f"{BATCH_TOKENS:,}"),
    ("data-parallel/ddp-bytes", "why", f"{data_parallel_bytes(6.74e9, 8) / GB:.1f} GB"),
    ("data-parallel/hidden-8000", "answer", f"{tokens_to_hide(400e12, NETWORK):,.0f} tokens"),
    ("data-parallel/hidden-bigger-model", "right", f"{tokens_to_hide(400e12, NETWORK):,.0f}"),
    ("data-parallel/hidden-accumulation", "claim", f"{8 * 4096:,}"),
    ("data-parallel/hidden-accumulation", "right", f"{tokens_to_hide(400e12, NETWORK):,.0f}"),
    # ---- tensor parallelism ---------------------------------------------------------------------
    (
        "tensor-parallel/bytes-70b",
        "answer",
        f"{tensor_parallel_bytes_per_layer(8192, 1, 8192, 8) / GB:.2f} GB",
    ),
    (
        "tensor-parallel/bytes-70b",
        "why",
        f"{80 * tensor_parallel_bytes_per_layer(8192, 1, 8192, 8) / GB:.0f} GB",
    ),
    (
        "tensor-parallel/ratio-nvlink",
        "answer",
        f"{tensor_parallel_ratio(8, 8192, PEAK, NVLINK_4.bytes_per_s):.2f}",
    ),
    (
        "tensor-parallel/ratio-network",
        "answer",
        f"{tensor_parallel_ratio(8, 8192, PEAK, NETWORK):.1f}",
    ),
    (
        "tensor-parallel/ratio-network",
        "why",
        f"{tensor_parallel_ratio(8, 8192, PEAK, NVLINK_4.bytes_per_s):.2f}",
    ),
    (
        "tensor-parallel/ratio-nvlink",
        "why",
        f"still {tensor_parallel_ratio(8, 8192, 0.4 * PEAK, NVLINK_4.bytes_per_s):.2f}",
    ),
    ("tensor-parallel/where-tp8", "wrong", f"{NVLINK_4.bytes_per_s / NETWORK:.0f} times"),
    # ---- pipelines ------------------------------------------------------------------------------
    ("pipeline/bubble-4-4", "right", f"{bubble_fraction(4, 4)}"),
    ("pipeline/bubble-4-4", "wrong", f"{bubble_over_ideal(4, 4)}"),
    ("pipeline/bubble-4-4", "why", percent(bubble_fraction(4, 4), 0)),
    ("pipeline/bubble-4-4", "why", f"{bubble_fraction(4, 4)}"),
    ("pipeline/bubble-p4", "why", f"{pipeline_step_s(4, 8, 1, 2) - 8 * (1 + 2):.0f} units"),
    ("pipeline/bubble-ideal", "why", percent(bubble_over_ideal(4, 4), 0)),
    ("pipeline/bubble-ideal", "why", percent(bubble_fraction(4, 4), 0)),
    ("pipeline/four-p", "why", f"m = {micro_batches_for_bubble(8, 0.2)}"),
    ("pipeline/four-p", "why", f"need {micro_batches_for_bubble(8, 0.2) + 1} to"),
    ("pipeline/min-micro", "why", f"{micro_batches_for_bubble(8, 0.1)}"),
    ("pipeline/min-micro", "why", f"{micro_batches_for_bubble(8, 0.05)}"),
    ("pipeline/min-micro", "why", f"{micro_batches_for_bubble(2, 0.1)}(p − 1)"),
    ("pipeline/min-micro", "why", f"{micro_batches_for_bubble(2, 0.05)}(p − 1)"),
    (
        "pipeline/in-flight-4-8",
        "right",
        ", ".join(f"{held_micro_batches('1f1b', 4, 8, stage=stage)}" for stage in range(4)),
    ),
    (
        "pipeline/in-flight-4-8",
        "wrong",
        ", ".join(f"{held_micro_batches('gpipe', 4, 8, stage=stage)}" for stage in range(4)),
    ),
    ("pipeline/interleaved-8-32", "answer", percent(bubble_fraction(8, 32, 2), 1)),
    ("pipeline/interleaved-8-32", "why", f"{bubble_fraction(8, 32, 2)}"),
    ("pipeline/interleaved-8-32", "why", f"{bubble_over_ideal(8, 32, 2)}"),
    ("pipeline/interleaved-8-32", "why", percent(bubble_over_ideal(8, 32, 2), 1)),
    ("pipeline/divides-by-v", "claim", percent(bubble_fraction(8, 32), 1)),
    ("pipeline/divides-by-v", "claim", percent(bubble_fraction(8, 32) / 2, 2)),
    ("pipeline/divides-by-v", "right", percent(bubble_fraction(8, 32, 2), 1)),
    ("pipeline/divides-by-v", "right", f"{bubble_fraction(8, 32, 2)}"),
    (
        "pipeline/divides-by-v",
        "right",
        f"{bubble_over_ideal(8, 32)} to {bubble_over_ideal(8, 32, 2)}",
    ),
    ("pipeline/off-by-one", "right", f"{bubble_fraction(8, 8)}"),
    ("pipeline/off-by-one", "right", percent(bubble_fraction(8, 8), 1)),
    ("pipeline/zb-h1", "ask", f"{ONE_F_ONE_B_S:.0f}"),
    ("pipeline/zb-h1", "answer", f"{ZB_H1_S:.0f}"),
    ("pipeline/zb-h1", "why", f"{zero_bubble_idle_s('zb-h1', 4, 1, 1, 1):.0f} idle"),
    ("pipeline/zero-bubble-table", "why", "{:.0f}, {:.0f} and {:.0f} times".format(*IDLE_SLOTS)),
    ("pipeline/zero-bubble-table", "row 1F1B", ZERO_BUBBLE_HELD["1f1b"]),
    ("pipeline/zero-bubble-table", "row ZB-H1", ZERO_BUBBLE_HELD["zb-h1"]),
    ("pipeline/zero-bubble-table", "row ZB-H2", ZERO_BUBBLE_HELD["zb-h2"]),
    ("pipeline/zb-h1", "why", percent(1 - 8 * 3 / ZB_H1_S, 1)),
    ("pipeline/zb-h1", "why", percent(bubble_fraction(4, 8), 1)),
    (
        "pipeline/message-70b",
        "answer",
        f"{pipeline_bytes_per_boundary(8192, 1, 8192) / MB:.0f} MB",
    ),
    (
        "pipeline/message-70b",
        "why",
        f"{1e3 * pipeline_bytes_per_boundary(8192, 1, 8192, both_ways=False) / NETWORK:.1f} ms",
    ),
    # ---- context and expert parallelism ---------------------------------------------------------
    ("context-expert/cp-activations-128k", "answer", f"{LAYER_128K / GB:.1f} GB"),
    ("context-expert/cp-activations-128k", "why", f"{LAYER_128K / LAYER_8K:.0f} times"),
    ("context-expert/cp-activations-128k", "why", f"{LAYER_8K / GB:.2f} GB"),
    ("context-expert/cp-scores-128k", "right", f"{SCORES_128K / TB:.1f} TB"),
    ("context-expert/ring-hidden", "why", f"{tokens_to_hide(400e12, NETWORK):,.0f} tokens"),
    ("context-expert/ep-bytes-number", "answer", f"{4 * ALL_TO_ALL / GB:.2f} GB"),
    ("context-expert/ep-bytes-number", "why", f"{ALL_TO_ALL / GB:.2f} GB"),
    # ---- rooflines ------------------------------------------------------------------------------
    (
        "roofline/matmul-mlp",
        "answer",
        f"{round(matmul_intensity(4096, 4096, 16_384), -1):,.0f} FLOP/byte",
    ),
    ("roofline/matmul-mlp", "why", f"{H100.ridge_flops_per_byte:.0f}"),
    (
        "roofline/matmul-one-row",
        "answer",
        percent(matmul_intensity(1, 4096, 4096) / H100.ridge_flops_per_byte, 2),
    ),
    ("roofline/matmul-one-row", "why", f"{matmul_intensity(1, 4096, 4096):.1f}"),
    (
        "roofline/crossing-h100",
        "answer",
        f"{crossing_rows(H100.ridge_flops_per_byte, 4096, 4096):.0f}",
    ),
    ("roofline/crossing-h100", "why", f"{matmul_intensity(295, 4096, 4096):.0f}"),
    ("roofline/crossing-h100", "why", f"{H100.ridge_flops_per_byte:.1f}"),
    ("roofline/crossing-h100", "why", f"{A100.ridge_flops_per_byte:.0f}"),
    (
        "roofline/crossing-h100",
        "why",
        f"{crossing_rows(A100.ridge_flops_per_byte, 4096, 4096):.0f}",
    ),
    ("roofline/training-rows", "why", f"{H100.ridge_flops_per_byte:.0f}"),
    ("roofline/memory-bound-choice", "wrong", f"{matmul_intensity(4096, 4096, 4096):,.0f}"),
    (
        "roofline/memory-bound-choice",
        "wrong",
        f"{round(matmul_intensity(4096, 4096, 16_384), -1):,.0f}",
    ),
    ("roofline/residual-intensity", "answer", f"{1 / (3 * 2):.3f} FLOP/byte"),
    ("roofline/residual-intensity", "why", percent(1 / 6 / H100.ridge_flops_per_byte, 2)),
    ("roofline/three-checks", "ask", f"{STEP_S:.2f} s"),
    (
        "roofline/three-checks",
        "row HBM",
        f"{round(matmul_intensity(4096, 4096, 16_384), -1):,.0f} FLOP/byte",
    ),
    ("roofline/three-checks", "row HBM", f"{H100.ridge_flops_per_byte:.0f}"),
    ("roofline/three-checks", "row network, flat ring, no overlap", f"{FLAT_128 / GB:.1f} GB"),
    ("roofline/three-checks", "row network, flat ring, no overlap", f"{FLAT_128 / NETWORK:.2f} s"),
    (
        "roofline/three-checks",
        "row network, flat ring, no overlap",
        percent(FLAT_128 / NETWORK / STEP_S, 0),
    ),
    ("roofline/three-checks", "row network, hierarchical", f"{ACROSS_16 / GB:.2f} GB"),
    ("roofline/three-checks", "row network, hierarchical", f"{1e3 * ACROSS_16 / NETWORK:.0f} ms"),
    (
        "roofline/three-checks",
        "row network, hierarchical",
        percent(ACROSS_16 / NETWORK / STEP_S, 2),
    ),
    ("roofline/three-checks", "row storage", f"{BATCH_TOKENS:,}"),
    ("roofline/three-checks", "row storage", f"{4 * BATCH_TOKENS / STEP_S / MB:.1f} MB/s"),
    # ---- composition ----------------------------------------------------------------------------
    ("composition/dont-shard", "why", f"{model_states(1.3e9).total_bytes / GB:.1f} GB"),
    ("composition/dont-shard", "wrong", f"{ZERO_3_OVER_DDP:.1f} times"),
    (
        "composition/decision-do-not",
        "row model states and activations fit one GPU",
        f"{ZERO_3_OVER_DDP:.1f} times",
    ),
    (
        "composition/zero3-thousands",
        "right",
        f"{model_states(13e9, ranks=8, zero_stage=3).total_bytes / GB:.0f} GB",
    ),
    (
        "composition/product-128k",
        "answer",
        f"{data_parallel_degree(16_384, tp=8, pp=16, cp=16)} ranks",
    ),
    ("composition/hsdp-traffic", "answer", f"{ring_bytes('all-reduce', 14 / 8, 16):.2f} GB"),
    ("composition/layout-70b-states", "answer", f"{STATES_70B.total_bytes / GB:.2f} GB"),
    ("composition/layout-70b-states", "why", f"{SLICE_70B / 1e9:.2f} billion"),
    (
        "composition/layout-70b-states",
        "why",
        f"{(STATES_70B.weight_bytes + STATES_70B.grad_bytes) / GB:.2f} GB",
    ),
    ("composition/layout-70b-states", "why", f"{STATES_70B.optimizer_bytes / GB:.2f} GB"),
    # ---- whole tables ---------------------------------------------------------------------------
    *[
        ("pipeline/bubble-p4", f"row m = {m}", text)
        for m in (4, 8, 16)
        for text in (
            f"{pipeline_step_s(4, m, 1, 2):.0f}",
            f"{bubble_fraction(4, m)} = {percent(bubble_fraction(4, m), 1)}",
            f"{bubble_over_ideal(4, m)} = {float(100 * bubble_over_ideal(4, m)):g} %",
        )
    ],
    *[
        ("pipeline/bubble-p8", f"row m = {m}", text)
        for m in (8, 16, 32, 64)
        for text in (f"{bubble_fraction(8, m)}", percent(bubble_fraction(8, m), 1))
    ],
]


def read_cards() -> dict[str, dict[str, Any]]:
    """Return every card of the parallelism decks as written, by item id."""
    cards: dict[str, dict[str, Any]] = {}
    for name in PARALLELISM:
        text = (DECKS / f"{name}.yaml").read_text(encoding="utf-8")
        deck = yaml.load(text, yaml.CBaseLoader)
        cards |= {f"{deck['deck']}/{card['id']}": card for card in deck["cards"]}
    return cards


CARDS = read_cards()


def text_at(card: dict[str, Any], where: str) -> str:
    """Return the text of a card's key, of its right or wrong choices, or of its row so named."""
    if where.startswith("row "):
        name = where.removeprefix("row ")
        return next(" | ".join(row[1:]) for row in card["rows"] if row[0] == name)
    if "choices" in card and where in ("right", "wrong"):
        wanted = [choice for choice in card["choices"] if ("right" in choice) == (where == "right")]
        return " | ".join(f"{choice['text']} | {choice.get('because', '')}" for choice in wanted)
    return str(card[where])


def holds(text: str, number: str) -> bool:
    """Tell whether `number` stands in `text` by itself, not as a part of a longer number."""
    text, number = text.replace("−", "-"), number.replace("−", "-")
    return re.search(rf"(?<![\d.,/-]){re.escape(number)}(?![\d/]|[.,]\d)", text) is not None


@pytest.mark.parametrize(("item", "where", "number"), NUMBERS)
def test_the_number_on_the_card_is_what_the_formula_gives(
    item: str, where: str, number: str
) -> None:
    text = text_at(CARDS[item], where)
    assert holds(text, number), f"{number!r} is not in {where} of {item}: {text!r}"


def test_every_number_card_is_recomputed_or_named_as_read() -> None:
    number_cards = {item for item, card in CARDS.items() if card.get("kind") == "number"}
    answered = {item for item, where, _ in NUMBERS if where == "answer"}
    assert number_cards <= answered | set(READ_NOT_COMPUTED)


@pytest.mark.parametrize(
    ("text", "number", "found"),
    [
        ("2 · 7/8 of it: 3.5 GB", "3.5 GB", True),
        ("13.5 GB", "3.5 GB", False),
        ("7/150 of the step", "7/15", False),
        ("17/15", "7/15", False),
        ("−15.5.", "-15.5", True),
        ("63.5", "63", False),
        ("8,000,000", "8,000", False),
    ],
)
def test_a_number_inside_a_longer_one_does_not_count(
    text: str, number: str, *, found: bool
) -> None:
    assert holds(text, number) is found
