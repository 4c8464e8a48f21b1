"""The numbers on the cards about operations, computed again from formulas.

Each row of `ROWS` names a card, the part of it that shows a number, and the text that the formula
gives. A second test turns it round: no quantity with a unit may stand on these cards that is
neither computed here nor listed as quoted.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from drillkit.mlsys.memory import model_states
from drillkit.mlsys.pipeline import bubble_fraction
from drillkit.mlsys.reliability import (
    exact_overhead,
    first_order_overhead,
    job_mtbf_s,
    young_interval_s,
    young_overhead,
)
from drillkit.mlsys.traffic import tensor_parallel_ratio
from drillkit.mlsys.transformer import MODELS, count_params

DECKS = Path(__file__).parents[2] / "decks"
NAMES = (
    "reliability",
    "evaluation",
    "production",
    "failure-modes",
    "interview-card",
    "interview-questions",
    "wording",
    "aloud",
    "mistakes",
    "round-plan",
    "reading",
    "testing",
)

# --- inputs, as the cards state them -------------------------------------------------------------

GB, TB, GIB = 1e9, 1e12, 2**30
HOUR, DAY, YEAR = 3600.0, 86_400.0, 365.25 * 86_400.0
H100, A100 = 989e12, 312e12  # FLOP/s, dense bf16
NVLINK, NETWORK = 450e9, 50e9  # bytes/s per direction and GPU
MFU, GOODPUT = 0.40, 0.90
HBM = 80e9

# Llama 3 405B: 419 unexpected interruptions in 54 days on 16,384 GPUs.
GPU_MTBF = 54 * DAY * 16_384 / 419

# The 7B design round.
PSI, LAYERS, HIDDEN, SEQ = 7e9, 32, 4096, 4096
GLOBAL_BATCH, TOKENS, GPUS = 4_194_304, 1e12, 128

LLAMA_7B = count_params(MODELS["llama-2-7b"]).total
LLAMA_8B = count_params(MODELS["llama-3-8b"]).total
LLAMA_70B = count_params(MODELS["llama-3-70b"]).total
LLAMA_405B = count_params(MODELS["llama-3-405b"]).total

# --- formulas -----------------------------------------------------------------------------------


def job_mtbf(gpus: int) -> float:
    return job_mtbf_s(GPU_MTBF, gpus)


def young_percent(delta: float, mtbf: float) -> float:
    """Return √(2δ/M) in percent, without the restart part."""
    return 100 * young_overhead(delta, mtbf)


def first_order(tau: float) -> float:
    """Return the overhead in percent for M = 24 h, δ = 0.05 h, R = 0.1 h."""
    return 100 * first_order_overhead(tau, 0.05, 24, 0.1)


def exponential(tau: float) -> float:
    """Return the expected overhead in percent of the same case, failures being exponential."""
    return 100 * exact_overhead(tau, 0.05, 24, 0.1)


def states(psi: float, shards: int, stage: int) -> float:
    """Return the bytes of model states per GPU."""
    return model_states(psi, ranks=shards, zero_stage=stage).total_bytes


def activations(seq: int, hidden: int, layers: int, tp: int = 1) -> float:
    """Return 34sbhL/t bytes for one sequence (FlashAttention, sequence parallelism)."""
    return 34 * seq * hidden * layers / tp


def bubble(stages: int, micro: int) -> float:
    """Return the bubble in percent of the step."""
    return float(100 * bubble_fraction(stages, micro))


def tp_ratio(bandwidth: float) -> float:
    """Return communication over compute for t = 8, h = 8192 on H100s at peak."""
    return tensor_parallel_ratio(8, 8192, H100, bandwidth)


TRAIN_TOKEN = 6 * PSI + 6 * LAYERS * SEQ * HIDDEN
TRAIN_FLOPS = TRAIN_TOKEN * TOKENS
TRAIN_GPU_HOURS = TRAIN_FLOPS / (MFU * H100) / HOUR
RUN_DAYS = TRAIN_GPU_HOURS / GPUS / 24 / GOODPUT
STEP_S = TRAIN_TOKEN * GLOBAL_BATCH / GPUS / (MFU * H100)
STEPS = TOKENS / GLOBAL_BATCH
SUITE_FLOPS = (2 * PSI + 2 * LAYERS * SEQ * HIDDEN) * 50e6
SUITE_GPU_HOURS = SUITE_FLOPS / (MFU * H100) / HOUR
CHECKPOINTS = STEPS / 2000

M_128, M_1K, M_16K = job_mtbf(128), job_mtbf(1024), job_mtbf(16_384)
ASYNC_SAVE_MIN = young_interval_s(5, M_16K) // 60

ACT_70B = activations(8192, 8192, 80, tp=8)
SUM_70B = states(LLAMA_70B / 8, 8, 1) + ACT_70B
SUM_70B_FSDP = states(LLAMA_70B / 8, 8, 3) + ACT_70B
ACT_405B = activations(8192, 16384, 126, tp=8)
SUM_405B = states(LLAMA_405B / 128, 128, 1) + ACT_405B
SUM_405B_ZERO3 = states(LLAMA_405B / 128, 128, 3) + ACT_405B
ACT_13B = activations(4096, 5120, 40)
ROUND_70B = states(70e9 / 32, 32, 1)
HEAD_IN_LAYERS = 128_256 * 4096 / (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14_336)
VIT_SHARE = 16_200 / (6 * 2048)


class Row(NamedTuple):
    """One number on one card: where it stands, and what a formula says it is."""

    item: str
    where: str
    text: str


ROWS = [
    # Reliability.
    Row("reliability/llama3-gpu-mtbf", "answer", f"{GPU_MTBF / YEAR:.1f} years"),
    Row("reliability/llama3-gpu-mtbf", "why", f"{GPU_MTBF / DAY:,.0f} GPU-days"),
    Row("reliability/llama3-gpu-mtbf", "why", f"{GPU_MTBF / YEAR:.1f} years"),
    Row("reliability/mtbf-16k", "choices", f"{M_16K / HOUR:.1f} hours"),
    Row("reliability/mtbf-16k", "choices", f"{GPU_MTBF / YEAR:.1f} years"),
    Row("reliability/mtbf-16k", "choices", f"{round(GPU_MTBF / HOUR, -2):,.0f} hours"),
    Row("reliability/mtbf-16k", "choices", f"{M_16K / HOUR:.1f} days"),  # a wrong choice
    Row("reliability/mtbf-16k", "choices", f"{M_128 / DAY:.1f} days"),
    Row("reliability/mtbf-16k", "choices", f"{math.ceil(M_128 / DAY)} days"),
    Row("reliability/mtbf-16k", "choices", f"{M_1K / HOUR:.1f} hours"),
    Row("reliability/mtbf-16k", "choices", f"{M_1K / DAY:.0f} days"),
    Row("reliability/mtbf-16k", "why", f"{M_16K / HOUR:.1f} h"),
    Row("reliability/mtbf-16k", "why", f"{GPU_MTBF / DAY:,.0f} days"),
    Row("reliability/mtbf-128", "answer", f"{M_128 / DAY:.1f} days"),
    Row("reliability/mtbf-128", "why", f"{GPU_MTBF / DAY:,.0f} / 128 = {M_128 / DAY:.1f}"),
    Row("reliability/mtbf-128", "why", f"{RUN_DAYS * DAY / M_128:.2f} failures"),
    Row("reliability/mtbf-128", "why", f"{RUN_DAYS:.1f}-day"),
    Row("reliability/sixteen-times-the-gpus", "choices", f"{math.sqrt(16):.0f} times"),
    Row("reliability/sixteen-times-the-gpus", "choices", f"{M_1K / M_16K:.0f} times"),
    Row("reliability/sixteen-times-the-gpus", "choices", f"{16**2} times"),
    Row("reliability/sixteen-times-the-gpus", "why", f"{M_1K / M_16K:.0f} times"),
    Row("reliability/sixteen-times-the-gpus", "why", f"{young_percent(30, M_1K):.2f} %"),
    Row("reliability/sixteen-times-the-gpus", "why", f"{young_percent(30, M_16K):.2f} %"),
    Row("reliability/sixteen-times-the-gpus", "why", f"{100 * 600 / M_1K:.2f} %"),
    Row("reliability/sixteen-times-the-gpus", "why", f"{100 * 600 / M_16K:.1f} %"),
    Row("reliability/young-rows", "rows", f"{M_128 / HOUR:.0f} h"),
    Row("reliability/young-rows", "rows", f"{M_16K / HOUR:.1f} h"),
    Row("reliability/young-rows", "rows", f"{young_interval_s(30, M_128) / 60:.0f} min"),
    Row("reliability/young-rows", "rows", f"{young_interval_s(5, M_128) / 60:.1f} min"),
    Row("reliability/young-rows", "rows", f"{young_interval_s(30, M_16K) / 60:.1f} min"),
    Row("reliability/young-rows", "rows", f"{young_interval_s(5, M_16K) / 60:.1f} min"),
    Row("reliability/young-rows", "rows", f"{young_percent(30, M_128):.2f} %"),
    Row("reliability/young-rows", "rows", f"{young_percent(5, M_128):.2f} %"),
    Row("reliability/young-rows", "rows", f"{young_percent(30, M_16K):.1f} %"),
    Row("reliability/young-rows", "rows", f"{young_percent(5, M_16K):.1f} %"),
    Row("reliability/young-rows", "why", f"√6 ≈ {math.sqrt(30 / 5):.1f}"),
    Row("reliability/async-checkpoint", "why", f"{young_percent(30, M_16K):.1f} %"),
    Row("reliability/async-checkpoint", "why", f"{young_percent(5, M_16K):.1f} %"),
    Row("reliability/first-order-limit", "claim", f"{first_order(8):.1f} %"),
    Row("reliability/first-order-limit", "right", f"{first_order(8):.1f} %"),
    Row("reliability/first-order-limit", "right", f"{exponential(8):.1f} %"),
    Row("reliability/first-order-limit", "right", f"{young_interval_s(0.05, 24):.2f} h"),
    Row("reliability/first-order-limit", "right", f"{first_order(1.55):.1f} %"),
    Row("reliability/first-order-limit", "right", f"{exponential(1.55):.1f} %"),
    Row("reliability/checkpoint-size", "answer", f"{12 * PSI / GB:.0f} GB"),
    Row("reliability/checkpoint-shard", "ask", f"{12 * PSI / GB:.0f} GB"),
    Row("reliability/checkpoint-shard", "answer", f"{12 * PSI / GPUS / GB:.2f} GB"),
    Row("reliability/checkpoint-shard", "why", f"84/128 = {84 / 128:.3f}"),
    Row("reliability/retention", "why", f"{STEPS // 20_000:.0f} permanent"),
    Row("reliability/interval-in-steps", "ask", f"{STEP_S:.2f} s"),
    Row("reliability/interval-in-steps", "answer", f"{2000 * 3.75 / HOUR:.2f} h"),
    Row("reliability/interval-in-steps", "why", f"{2000 * 3.75:,.0f} s"),
    Row("reliability/interval-in-steps", "why", f"{young_interval_s(30, M_128) / HOUR:.2f} h"),
    # Evaluation.
    Row("evaluation/suite-cost", "answer", f"{SUITE_FLOPS:.1e} FLOP".replace("e+", "e")),
    Row("evaluation/suite-cost", "why", f"{2 * PSI:.2e}".replace("e+", "e")),
    Row("evaluation/suite-cost", "why", f"{2 * LAYERS * SEQ * HIDDEN:.2e}".replace("e+0", "e")),
    Row("evaluation/suite-cost", "why", f"{SUITE_FLOPS:.2e}".replace("e+", "e")),
    Row("evaluation/suite-gpu-hours", "ask", f"{SUITE_FLOPS:.2e} FLOP".replace("e+", "e")),
    Row("evaluation/suite-gpu-hours", "answer", f"{SUITE_GPU_HOURS:.2f} GPU-h"),
    Row("evaluation/suite-gpu-hours", "why", f"{SUITE_GPU_HOURS * HOUR:,.0f} s"),
    Row("evaluation/checkpoints-in-run", "answer", f"{CHECKPOINTS:.0f}"),
    Row("evaluation/checkpoints-in-run", "why", f"{STEPS:,.0f} steps"),
    Row("evaluation/eval-share", "ask", f"{round(TRAIN_GPU_HOURS / 50) * 50:,.0f} GPU-hours"),
    Row("evaluation/eval-share", "ask", f"{SUITE_GPU_HOURS:.2f} GPU-hours"),
    Row(
        "evaluation/eval-share",
        "answer",
        f"{100 * CHECKPOINTS * SUITE_GPU_HOURS / TRAIN_GPU_HOURS:.1f} %",
    ),
    Row("evaluation/eval-share", "why", f"{CHECKPOINTS * SUITE_GPU_HOURS:.0f} GPU-hours"),
    Row("evaluation/alerts", "why", f"{2000 * STEP_S / HOUR:.1f} h"),
    # Production.
    Row("production/six-numbers", "rows", f"{16 * 7.5:.0f} GB"),
    Row("production/six-numbers", "rows", f"{states(7.5e9, 64, 3) / GB:.1f} GB"),
    Row("production/six-numbers", "rows", f"{3 / 2} times"),
    Row("production/zero-case", "points", f"{3 / 2} times"),
    Row("production/megatron-peak", "answer", f"{100 * 502e15 / 3072 / A100:.0f} %"),
    Row("production/megatron-peak", "why", f"{502e15 / 3072 / 1e12:.0f} of {A100 / 1e12:.0f}"),
    Row("production/megatron-peak", "why", f"{52 * 6 / 8:.0f} %"),
    Row("production/palm-case", "why", f"12 × 256 = {12 * 256:,}"),
    Row("production/palm-mfu", "ask", f"{2 * 3072:,} TPU"),
    Row("production/llama3-gpus", "answer", f"{8 * 16 * 128:,}"),
    Row("production/llama3-gpus", "why", f"{8 * 16 * 128:,}"),
    Row("production/llama3-dp", "answer", f"{16_384 // (8 * 16)}"),
    Row("production/llama3-pp", "why", f"{126 / 16} a rank"),
    Row("production/llama3-cp", "why", f"131,072 / 16 = {131_072 // 16:,}"),
    Row("production/llama3-interruptions", "why", f"{54 * 24 / 419:.1f} hours"),
    Row("production/llama3-goodput", "why", f"{54 * 24 / 419:.1f} hours"),
    # Failure modes and the cost model.
    Row("failure-modes/pipeline-imbalance", "why", f"{HEAD_IN_LAYERS:.1f} layers"),
    Row("failure-modes/compute-to-comm", "steps", f"{6 / 4} · T · BW"),
    Row("failure-modes/compute-to-comm", "why", f"{400e12 / (1.5 * NETWORK):,.0f} tokens"),
    Row("failure-modes/compute-to-comm", "why", f"{400e12 / NETWORK:,.0f} tokens"),
    # The interview card.
    Row("interview-card/tldr-1-state", "points", f"{2 + 2 + 4 + 4 + 4} bytes"),
    Row("interview-card/tldr-1-state", "points", f"{16 * 7e9 / GB:.0f} GB"),
    Row("interview-card/tldr-1-state", "points", f"{16 * 70e9 / TB:.2f} TB"),
    Row("interview-card/tldr-1-state", "points", f"{16 * 405e9 / TB:.2f} TB"),
    Row("interview-card/tldr-1-state", "why", f"{LLAMA_7B / 1e9:.2f}B"),
    Row("interview-card/tldr-1-state", "why", f"{LLAMA_70B / 1e9:.1f}B"),
    Row("interview-card/tldr-1-state", "why", f"{LLAMA_405B / 1e9:.1f}B"),
    Row("interview-card/tldr-1-state", "why", f"{16 * LLAMA_7B / GB:.0f} GB"),
    Row("interview-card/tldr-1-state", "why", f"{16 * LLAMA_70B / TB:.2f} TB"),
    Row("interview-card/tldr-1-state", "why", f"{16 * LLAMA_405B / TB:.2f} TB"),
    Row("interview-card/tldr-5-zero", "points", f"{3 / 2} times"),
    Row("interview-card/tldr-10-composition", "why", f"factor of {NVLINK / NETWORK:.0f}"),
    Row("interview-card/tldr-11-degree", "points", f"DP {16_384 // (8 * 16)}"),
    # Interview questions.
    Row("interview-questions/13b-one-node", "points", f"{16 * 13} GB"),
    Row("interview-questions/13b-one-node", "points", f"{states(13e9, 8, 3) / GB:.0f} GB"),
    Row("interview-questions/13b-one-node", "points", f"{states(13e9, 8, 2) / GB:.2f} GB"),
    Row("interview-questions/13b-one-node", "points", f"{ACT_13B / 40 / GB:.2f} GB"),
    Row("interview-questions/13b-one-node", "points", f"{ACT_13B / GB:.1f} GB"),
    Row(
        "interview-questions/13b-one-node",
        "points",
        f"{(states(13e9, 8, 3) + ACT_13B) / GB:.0f} GB",
    ),
    Row(
        "interview-questions/13b-one-node",
        "points",
        f"{(states(13e9, 8, 2) + ACT_13B) / GB:.0f} GB",
    ),
    Row("interview-questions/explain-zero", "points", f"{3 / 2} times"),
    Row("interview-questions/zero3-worth-it", "points", f"{3 / 2} times"),
    Row("interview-questions/why-tp-in-node", "points", f"{tp_ratio(NVLINK):.2f} on NVLink"),
    Row("interview-questions/why-tp-in-node", "points", f"{tp_ratio(NETWORK):.1f} between nodes"),
    Row("interview-questions/explain-bubble", "points", "20 %"),
    Row("interview-questions/checkpoint-16k", "ask", f"{GPU_MTBF / YEAR:.1f} years"),
    Row("interview-questions/checkpoint-16k", "points", f"{M_16K / HOUR:.1f} h"),
    Row(
        "interview-questions/checkpoint-16k",
        "points",
        f"{young_interval_s(30, M_16K) / 60:.1f} min",
    ),
    Row("interview-questions/checkpoint-16k", "points", f"{young_percent(30, M_16K):.1f} %"),
    Row(
        "interview-questions/checkpoint-16k", "points", f"{young_interval_s(5, M_16K) / 60:.1f} min"
    ),
    Row("interview-questions/checkpoint-16k", "points", f"{young_percent(5, M_16K):.1f} %"),
    Row("interview-questions/mfu-dropped", "why", f"42/30 = {42 / 30} times"),
    Row("interview-questions/memory-70b", "ask", f"{LLAMA_70B / 1e9:.1f}B"),
    Row("interview-questions/memory-70b", "points", f"{16 * LLAMA_70B / TB:.2f} TB"),
    Row("interview-questions/memory-70b", "points", f"{math.ceil(16 * LLAMA_70B / HBM)} GPUs"),
    Row("interview-questions/memory-70b", "points", f"{4 * LLAMA_70B / 8 / GB:.1f} GB"),
    Row("interview-questions/memory-70b", "points", f"{12 * LLAMA_70B / 64 / GB:.1f} GB"),
    Row("interview-questions/memory-70b", "points", f"{ACT_70B / GB:.1f} GB"),
    Row("interview-questions/memory-70b", "points", f"{ACT_70B / GIB:.2f} GiB"),
    Row("interview-questions/memory-70b", "points", f"{SUM_70B / GB:.1f} GB"),
    Row("interview-questions/memory-70b", "points", f"{SUM_70B / GIB:.1f} GiB"),
    Row(
        "interview-questions/memory-70b",
        "points",
        f"{states(LLAMA_70B, 64, 3) / GB:.1f} + {ACT_70B / GB:.1f} = {SUM_70B_FSDP / GB:.1f} GB",
    ),
    Row("interview-questions/memory-70b", "points", f"{SUM_70B_FSDP / GIB:.1f} GiB"),
    Row(
        "interview-questions/memory-70b",
        "why",
        f"comes out at {(SUM_70B - ACT_70B) / GB + ACT_70B / GIB:.0f}",
    ),
    Row("interview-questions/memory-70b-128k", "answer", f"{131_072 // 8192} times"),
    Row("interview-questions/memory-70b-128k", "answer", f"{ACT_70B / GB:.1f} GB to"),
    Row(
        "interview-questions/memory-70b-128k",
        "answer",
        f"{activations(131_072, 8192, 80, tp=8) / GB:.0f} GB",
    ),
    Row(
        "interview-questions/memory-70b-128k",
        "answer",
        f"{activations(131_072, 8192, 80, tp=8) / 16 / GB:.1f} GB back",
    ),
    Row("interview-questions/memory-70b-128k", "why", f"{131_072 / (6 * 8192):.1f}"),
    Row("interview-questions/why-not-64-stages", "why", f"4p = {4 * 64}"),
    Row("interview-questions/why-not-64-stages", "why", f"63/{256 + 63} ≈ {bubble(64, 256):.1f} %"),
    Row("interview-questions/layout-405b", "ask", f"{LLAMA_405B / 1e9:.1f}B"),
    Row("interview-questions/layout-405b", "points", f"{8 * 16} GPUs"),
    Row("interview-questions/layout-405b", "points", f"DP {16_384 // (8 * 16)}"),
    Row("interview-questions/layout-405b", "points", f"{ACT_405B / GB:.1f} GB"),
    Row("interview-questions/layout-405b", "points", f"{ACT_405B / GIB:.1f} GiB"),
    Row(
        "interview-questions/layout-405b",
        "points",
        f"{states(LLAMA_405B / 128, 128, 1) / GB:.1f} GB",
    ),
    Row("interview-questions/layout-405b", "points", f"{SUM_405B / GB:.1f} GB"),
    Row("interview-questions/layout-405b", "points", f"{SUM_405B / GIB:.1f} GiB"),
    Row(
        "interview-questions/layout-405b",
        "points",
        f"{states(LLAMA_405B / 128, 128, 3) / GB:.1f} GB",
    ),
    Row("interview-questions/layout-405b", "points", f"{SUM_405B_ZERO3 / GB:.1f} GB"),
    Row("interview-questions/layout-405b", "why", f"{SUM_405B / GIB:.1f} GiB"),
    Row("interview-questions/layout-405b-time", "why", f"{2**24 // 128 // 8192} sequences"),
    Row("interview-questions/layout-405b-time", "why", f"15/31 = {bubble(16, 16):.0f} %"),
    # Aloud.
    Row("aloud/zero-traffic", "points", f"{1 + 1 + 1}Ψ against {1 + 1}Ψ"),
    Row("aloud/tp-and-network", "points", f"{tp_ratio(NVLINK):.2f} on NVLink"),
    Row("aloud/tp-and-network", "points", f"{tp_ratio(NETWORK):.1f} between nodes"),
    Row("aloud/survive-a-quarter", "points", f"{M_16K / HOUR:.0f} hours"),
    Row(
        "aloud/survive-a-quarter",
        "points",
        f"{ASYNC_SAVE_MIN:.0f} to {ASYNC_SAVE_MIN + 1:.0f} minutes",
    ),
    Row("aloud/layout-405b", "points", f"{ACT_405B / GB:.1f} GB"),
    Row("aloud/layout-405b", "points", f"{states(LLAMA_405B / 128, 128, 3) / GB:.1f} GB"),
    # Mistakes.
    Row("mistakes/two-bytes", "claim", f"{2 * PSI / GB:.0f} GB"),
    Row("mistakes/two-bytes", "right", f"{16 * PSI / GB:.0f} GB"),
    Row("mistakes/zero3-activations", "right", f"{states(7.5e9, 64, 3) / GB:.1f} GB"),
    Row("mistakes/zero3-times-n", "right", f"{3 / 2} times"),
    Row("mistakes/accumulation-is-free", "right", f"{8 + 1}Ψ"),
    Row("mistakes/accumulation-is-free", "right", f"{(8 + 1) / 2} times"),
    Row("mistakes/accumulation-is-free", "right", f"{3 * 8}Ψ"),
    Row("mistakes/accumulation-is-free", "right", f"{3 * 8 // 2} times"),
    Row("mistakes/sum-not-mean", "claim", f"−{5 + 26}"),
    Row("mistakes/sum-not-mean", "right", f"−{(5 + 26) / 2}"),
    Row("mistakes/tp-across-nodes", "right", f"{tp_ratio(NETWORK):.1f} times"),
    Row("mistakes/tp-across-nodes", "right", f"{tp_ratio(NVLINK):.2f}"),
    Row("mistakes/few-micro-batches", "right", f"7/{4 + 7} ≈ {bubble(8, 4):.0f} %"),
    Row("mistakes/few-micro-batches", "right", "20 %"),
    Row("mistakes/six-psi-d", "flaw", f"{6 * 2048:,}"),
    Row("mistakes/six-psi-d", "right", f"{VIT_SHARE:.2f} times"),
    Row("mistakes/six-psi-d", "right", f"{1 + VIT_SHARE:.1f} times"),
    Row("mistakes/peak-flops", "claim", f"{TRAIN_FLOPS:.2e} FLOPs".replace("e+", "e")),
    Row("mistakes/peak-flops", "claim", f"{round(TRAIN_GPU_HOURS * MFU, -2):,.0f} GPU-hours"),
    Row("mistakes/peak-flops", "right", f"{round(TRAIN_GPU_HOURS / 50) * 50:,.0f} GPU-hours"),
    Row("mistakes/weights-only-checkpoint", "right", f"{12 * PSI / GB:.0f} GB"),
    Row("mistakes/uneven-stages", "right", f"make {16 * 8 - 2}"),
    Row("mistakes/states-are-all", "claim", f"{ROUND_70B / GB:.1f} GB"),
    Row("mistakes/states-are-all", "flaw", f"{ROUND_70B / GB:.1f} GB"),
    Row("mistakes/states-are-all", "right", f"{80 // 4} layers"),
    Row("mistakes/states-are-all", "right", f"{ACT_70B / GB:.1f} GB"),
    Row("mistakes/states-are-all", "right", f"{(ROUND_70B + ACT_70B) / GB:.1f} GB"),
    Row("mistakes/gib-against-gb", "claim", f"{SUM_405B / GIB:.1f}"),
    Row("mistakes/gib-against-gb", "right", f"{SUM_405B / GIB:.1f} GiB"),
    Row("mistakes/gib-against-gb", "right", f"{SUM_405B / GB:.1f} GB"),
    Row("mistakes/megatron-mfu", "claim", f"{100 * 502e15 / 3072 / A100:.0f} %"),
    Row("mistakes/megatron-mfu", "right", f"6/8 = {52 * 6 / 8:.0f} %"),
    # Testing.
    Row("testing/seven-checks", "points", f"{2 + 2 + 4 + 4 + 4} bytes"),
    Row("testing/count-first", "answer", f"{LLAMA_7B / 1e9:.2f}B, {LLAMA_8B / 1e9:.2f}B"),
    Row("testing/count-first", "answer", f"{LLAMA_70B / 1e9:.1f}B, {LLAMA_405B / 1e9:.1f}B"),
    Row("testing/sixteen-byte-identity", "text", f"{{{{{2 + 2 + 4 + 8}}}}}"),
    Row("testing/sixteen-byte-identity", "why", f"{2 + 4 + 4 + 8}"),
    Row("testing/activation-flags", "why", f"{10 + 24} + 5as/h"),
    Row("testing/makespan-test", "answer", f"{(8 + 4 - 1) * (1 + 2)} for both"),
    Row("testing/makespan-test", "answer", "[4, 3, 2, 1]"),
    Row("testing/makespan-test", "answer", "[8, 8, 8, 8]"),
    Row("testing/makespan-test", "why", f"{8 + 4 - 1} × {1 + 2}"),
]

# Quantities that no formula gives: measured, published or assumed, with where they come from.
QUOTED = {
    "30 s": "assumed blocking save",
    "5 s": "assumed stall of an asynchronous save",
    "600 s": "assumed restart",
    "5 seconds": "assumed stall of an asynchronous save",
    "8 h": "the interval of the case itself",
    "19.8 %": "the Monte Carlo run of the lesson, default_rng(0)",
    "80 GB": "A100 and H100 datasheets",
    "50 GB/s": "one 400 Gb/s network card per GPU",
    "450 GB/s": "H100 datasheet, NVLink per direction",
    "300 GB/s": "A100 datasheet, NVLink per direction",
    "900 GB/s": "H100 datasheet, NVLink, both directions",
    "989 TFLOP/s": "H100 datasheet, dense bf16",
    "312 TFLOP/s": "A100 datasheet, dense bf16",
    "2.04 TB/s": "A100 80 GB datasheet",
    "3.35 TB/s": "H100 datasheet",
    "400 TFLOP/s": "assumed rate that a GPU reaches",
    "502 PFLOP/s": "Narayanan et al. 2021, abstract",
    "52 %": "Narayanan et al. 2021, abstract",
    "38 %": "Llama 3 paper, table 4",
    "43 %": "Llama 3 paper, table 4",
    "46 %": "PaLM paper, §4.1",
    "78 %": "Llama 3 paper, §3.3.4",
    "90 %": "Llama 3 paper, §3.3.4",
    "40 %": "assumed MFU",
    "45 %": "upper end of the MFU to plan with",
    "100 %": "the peak itself",
    "10 %": "threshold of an alert",
    "4 hours": "threshold of an alert",
    "25 MiB": "PyTorch DDP, bucket_cap_mb",
    "1 GB": "definition",
    "1 GiB": "definition",
    "1e9 bytes": "definition",
    "80e9 bytes": "80 GB",
    "24 h": "a day",
    "6 FLOPs": "per parameter and token: 2 forward, 4 backward",
    "5 minutes": "plan of the round",
    "16 bytes": "2 + 2 + 4 + 4 + 4, computed where it is derived",
    "12 bytes": "4 + 4 + 4",
    "2 bytes": "one bf16 value",
    "10 times": "the scale asked about",
    "2 times": "the limit of 2(N − 1)/N",
}

TEXT_KEYS = ("answer", "why", "points", "steps", "rows", "flaw", "right", "text", "choices")
QUANTITY = re.compile(
    r"(?<![\w.,^])\d[\d,]*(?:\.\d+)?(?:e\d+)? "
    r"(?:[GT]B/s|[TP]FLOP/s|[GT]B|[GM]iB|MB|%|bytes|hours|days|years|minutes|seconds|min|h|s"
    r"|FLOPs?|GPU-h|GPU-hours|GPU-days|times)(?![\w/])"
)


def load_cards() -> dict[str, dict[str, object]]:
    """Return the raw cards of these decks by item id."""
    cards: dict[str, dict[str, object]] = {}
    for name in NAMES:
        text = (DECKS / f"{name}.yaml").read_text(encoding="utf-8")
        deck = yaml.load(text, yaml.CBaseLoader)
        cards |= {f"{deck['deck']}/{card['id']}": card for card in deck["cards"]}
    return cards


def flatten(value: object) -> str:
    """Return all text below a YAML value, one line a scalar."""
    if isinstance(value, dict):
        return "\n".join(flatten(inner) for inner in value.values())
    if isinstance(value, list):
        return "\n".join(flatten(inner) for inner in value)
    return str(value)


def shows(text: str, number: str) -> bool:
    """Tell whether `number` stands in `text`, and not as a part of a longer number."""
    return bool(re.search(rf"(?<![\d.,]){re.escape(number)}(?!\d)(?![.,]\d)", text))


CARDS = load_cards()


def shown_text(item: str) -> str:
    """Return what a card shows with its answer."""
    return "\n".join(flatten(CARDS[item].get(key, "")) for key in TEXT_KEYS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.item}: {row.text}")
def test_card_shows_what_the_formula_gives(row: Row) -> None:
    assert shows(flatten(CARDS[row.item].get(row.where, "")), row.text)


@pytest.mark.parametrize("item", CARDS)
def test_every_quantity_on_a_card_is_computed_or_quoted(item: str) -> None:
    computed = [row.text for row in ROWS if row.item == item]
    unchecked = [
        found
        for found in QUANTITY.findall(shown_text(item))
        if found not in QUOTED and not any(shows(text, found) for text in computed)
    ]
    assert unchecked == []


def test_every_quoted_quantity_is_still_on_a_card() -> None:
    on_cards = {found for item in CARDS for found in QUANTITY.findall(shown_text(item))}
    assert set(QUOTED) - on_cards == set()


def test_number_within_a_text_counts() -> None:
    assert shows("states of 26 GB per GPU", "26 GB")
    assert shows("0.63 on NVLink, 5.6.", "5.6")


@pytest.mark.parametrize("text", ["126 GB per GPU", "1.26 GB per GPU", "1,26 GB"])
def test_part_of_a_longer_number_does_not_count(text: str) -> None:
    assert not shows(text, "26 GB")
    assert not shows("a factor of 5.64", "5.6")
