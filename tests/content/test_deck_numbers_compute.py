"""The numbers printed in the decks on hardware, units, compute and shapes, computed again."""

from __future__ import annotations

import math
from fractions import Fraction

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

from drillkit.mlsys.activations import activation_bytes_per_layer
from drillkit.mlsys.budget import (
    attention_over_weights,
    attention_share,
    fewest_gpus,
    flops_per_token,
    forward_flops_per_token,
    gpu_seconds,
    hfu_from_mfu,
    training_flops,
    wall_s,
)
from drillkit.mlsys.hardware import A100, H100, H200, INFINIBAND_NDR, NVLINK_3, NVLINK_4, PCIE_5
from drillkit.mlsys.memory import kv_bytes_per_token
from drillkit.mlsys.transformer import count_params, gpt, layer_params_rule

HOUR_S, DAY_S = 3600, 86_400


def hardware_rows() -> list[Row]:
    rows: list[Row] = [
        ("hardware/h100-flops", "answer", f"{H100.flops_per_s / 1e12:g} TFLOP/s"),
        ("hardware/h100-hbm", "answer", f"{H100.hbm_bytes_per_s / 1e12:g} TB/s"),
        ("hardware/a100-flops", "answer", f"{A100.flops_per_s / 1e12:g} TFLOP/s"),
        ("hardware/a100-hbm", "answer", f"{A100.hbm_bytes_per_s / 1e12:g} TB/s"),
        ("hardware/nvlink-direction", "answer", gb(NVLINK_4.bytes_per_s) + "/s"),
        ("hardware/nvlink-direction", "why", gb(2 * NVLINK_4.bytes_per_s) + "/s"),
        ("hardware/ndr", "answer", gb(400e9 / 8, 2) + "/s"),
        ("hardware/pcie5", "answer", gb(16 * 32e9 / 8, 2) + "/s"),
        ("hardware/sparsity", "right", f"{H100.flops_per_s / 1e12:g} TFLOP/s"),
        ("hardware/ridge-h100", "answer", f"{sig(H100.ridge_flops_per_byte, 3)} FLOP/byte"),
        ("hardware/ridge-a100", "answer", f"{sig(A100.ridge_flops_per_byte, 3)} FLOP/byte"),
        (
            "hardware/ridge-moved",
            "right choice",
            f"{sig(H100.flops_per_s / A100.flops_per_s, 2)} times",
        ),
        (
            "hardware/ridge-moved",
            "right choice",
            f"{sig(H100.hbm_bytes_per_s / A100.hbm_bytes_per_s, 2)} times",
        ),
        (
            "hardware/ridge-moved",
            "choices",
            f"{sig(A100.ridge_flops_per_byte, 3)} to {sig(H100.ridge_flops_per_byte, 3)}",
        ),
        (
            "hardware/inside-over-outside",
            "answer",
            f"{NVLINK_4.bytes_per_s / INFINIBAND_NDR.bytes_per_s:g}",
        ),
        (
            "hardware/flops-per-network-byte",
            "answer",
            f"{sig(H100.flops_per_s / INFINIBAND_NDR.bytes_per_s, 4)} FLOP/byte",
        ),
        ("hardware/flops-per-network-byte", "why", sig(H100.flops_per_s / NVLINK_4.bytes_per_s, 4)),
        (
            "hardware/flops-per-network-byte",
            "why",
            f"{sig(H100.hbm_bytes_per_s / INFINIBAND_NDR.bytes_per_s, 2)} times",
        ),
        ("hardware/sweep-hbm", "answer", f"{sig(80e9 / H100.hbm_bytes_per_s * 1e3, 2)} ms"),
        ("hardware/sweep-hbm", "why", f"{sig(80e9 / H100.hbm_bytes_per_s * 1e3, 3)} ms"),
    ]
    for name, gpu in (("A100-80GB SXM", A100), ("H100 SXM", H100), ("H200 SXM", H200)):
        place = "hardware/gpus"
        rows += [
            (place, f"{name} | bf16 dense", f"{gpu.flops_per_s / 1e12:g} TFLOP/s"),
            (place, f"{name} | HBM bandwidth", f"{gpu.hbm_bytes_per_s / 1e12:g} TB/s"),
            (place, f"{name} | HBM", f"{gpu.memory_bytes / 1e9:g} GB"),
            (place, f"{name} | NVLink per direction", f"{gpu.nvlink.bytes_per_s / 1e9:g} GB/s"),
        ]
    for name, link in (
        ("NVLink 4, H100", NVLINK_4),
        ("NVLink 3, A100", NVLINK_3),
        ("PCIe 5.0 x16", PCIE_5),
        ("InfiniBand NDR 400 Gb/s", INFINIBAND_NDR),
    ):
        rows.append(
            ("hardware/links", f"{name} | GB/s per direction", f"{link.bytes_per_s / 1e9:g}")
        )
    speeds = (
        H100.hbm_bytes_per_s,
        NVLINK_4.bytes_per_s,
        PCIE_5.bytes_per_s,
        INFINIBAND_NDR.bytes_per_s,
    )
    assert list(speeds) == sorted(speeds, reverse=True)
    rows += [("hardware/bandwidth-order", "why", f"{speed / 1e9:,.0f}") for speed in speeds]
    return rows


def notation_rows() -> list[Row]:
    eight_b = states(PARAMS["Llama-3-8B"], 8, 2)
    kept = 32 * activation_bytes_per_layer(8192, 2, 4096, 32, flash=True)
    return [
        ("notation/gib", "answer", f"{GIB / 1e9:.3f} GB"),
        ("notation/gib", "why", f"{GIB:,}"),
        ("notation/gib", "why", percent(GIB / 1e9 - 1, 2)),
        ("notation/eighty-gb", "answer", f"{80e9 / GIB:.1f} GiB"),
        ("notation/eighty-gb", "why", gb(79 * GIB)),
        ("notation/nvidia-smi", "answer", gb(81_920 * 2**20)),
        ("notation/nvidia-smi", "why", f"{81_920 // 1024} GiB"),
        ("notation/smaller-number", "right choice", percent(1 - 1e9 / GIB, 2)),
        ("notation/smaller-number", "why", f"{1e9 / GIB:.3f}"),
        ("notation/calculator-gib", "right", sig(eight_b / 1e9, 3)),
        ("notation/calculator-gib", "right", sig(kept / 1e9, 3)),
        ("notation/calculator-gib", "right", gb(eight_b + kept, 4)),
        ("notation/calculator-gib", "right", f"{(eight_b + kept) / GIB:.1f} GiB"),
        ("notation/values-or-bytes", "right", gb(2 * 2 * 7e9, 2)),
        ("notation/capital-b", "why", gb(2 * 7e9, 2)),
    ]


def compute_rows() -> list[Row]:
    shape = (7e9, 32, 4096, 4096)  # parameters, layers, sequence, hidden size
    per_token = flops_per_token(*shape)
    total = 1e12 * per_token
    rate = 0.4 * H100.flops_per_s
    spent = {mfu: gpu_seconds(total, H100.flops_per_s, mfu) for mfu in (0.35, 0.4, 0.45)}
    budget = training_flops(405e9, 15.6e12)
    ratio = attention_over_weights(16_200, 2048)
    vit_layer = activation_bytes_per_layer(16_200, 1, 2048, 16, flash=True)
    vit_params = layer_params_rule(24, 2048)
    sample = 2 * 70 * 721 * 1440 * 2
    step_s = gpu_seconds(8 * 4096 * per_token, H100.flops_per_s, 0.4)
    suite = 50e6 * forward_flops_per_token(*shape)
    causal = attention_over_weights(4096, 4096, "causal")
    return [
        ("compute/forward-only", "why", sci(suite, 2)),
        ("compute/attention-share-4096", "answer", percent(causal, 2)),
        ("compute/attention-share-4096", "why", percent(attention_over_weights(4096, 4096), 3)),
        ("compute/hfu", "answer", str(Fraction(hfu_from_mfu(1, 8, 6)).limit_denominator(100))),
        ("compute/seven-b-per-token", "answer", f"{sci(per_token)} FLOP"),
        ("compute/seven-b-per-token", "why", sci(6 * 7e9, 2)),
        ("compute/seven-b-per-token", "why", sci(per_token - 6 * 7e9, 2)),
        ("compute/seven-b-per-token", "why", percent(1 - 6 * 7e9 / per_token, 1)),
        ("compute/seven-b-gpu-hours", "why", sci(total)),
        ("compute/seven-b-gpu-hours", "why", f"{rate / 1e12:g}e12"),
        ("compute/seven-b-gpu-hours", "why", sci(spent[0.4])),
        ("compute/seven-b-gpu-hours", "answer", f"{sig(spent[0.4] / HOUR_S, 4)} GPU-h"),
        ("compute/seven-b-gpu-hours", "why", sig(spent[0.35] / HOUR_S, 3)),
        ("compute/seven-b-gpu-hours", "why", sig(spent[0.45] / HOUR_S, 3)),
        (
            "compute/seven-b-gpus",
            "answer",
            f"{fewest_gpus(31_750 * HOUR_S, 14 * DAY_S, 0.9)} GPUs",
        ),
        ("compute/seven-b-days", "answer", f"{wall_s(spent[0.4], 128, 0.9) / DAY_S:.1f} days"),
        ("compute/seven-b-days", "why", f"{wall_s(spent[0.4], 128) / DAY_S:.1f} days"),
        ("compute/tokens-per-second", "answer", f"{sig(rate / per_token, 3)} tokens/s"),
        ("compute/h100-day", "answer", f"{sci(rate * DAY_S)} FLOP"),
        ("compute/llama-405b-flops", "answer", f"{sci(budget, 2)} FLOP"),
        ("compute/llama-405b-flops", "why", sci(budget)),
        ("compute/vit-share", "answer", percent(attention_share(16_200, 2048), 2)),
        ("compute/vit-share", "why", sig(ratio, 3)),
        ("compute/vit-share", "why", f"factor of {sig(1 + ratio, 2)}"),
        ("compute/vit-memory", "answer", gb(24 * vit_layer, 2)),
        ("compute/vit-memory", "answer", gb(states(vit_params))),
        ("compute/vit-memory", "why", gb(vit_layer)),
        ("compute/vit-memory", "why", sci(vit_params)),
        ("compute/vit-sample", "answer", f"{sig(sample / 1e6, 3)} MB"),
        ("compute/vit-sample", "why", f"{sig(sample / 1e6, 4)}e6"),
        ("compute/vit-loader", "answer", f"{gb(64 * sample / 0.7)}/s"),
        (
            "compute/vit-loader",
            "why",
            f"{sig(4_194_304 * 4 / step_s / 1e6, 2)} MB/s",
        ),
        ("compute/layer-forward", "text", f"{{{{{2 * 12}bsh²"),
    ]


def transformer_rows() -> list[Row]:
    eight = SHAPE["Llama-3-8B"]
    mlp = 3 * eight.hidden * eight.ffn * eight.layers
    embeddings = 2 * eight.vocab * eight.hidden
    kv = {n: kv_bytes_per_token(s.layers, s.kv_heads, s.head_dim) for n, s in SHAPE.items()}
    rows: list[Row] = [
        ("transformer/twelve-l-h2", "answer", sci(layer_params_rule(32, 4096))),
        ("transformer/twelve-l-h2", "why", sci(layer_params_rule(32, 4096))),
        ("transformer/swiglu-width", "why", f"{8 * 4096 / 3:,.0f}"),
        ("transformer/swiglu-width", "why", f"{math.ceil(8 * 4096 / 3 / 256) * 256:,}"),
        ("transformer/gate-forgotten", "claim", sci(mlp * 2 / 3)),
        ("transformer/gate-forgotten", "right", sci(mlp)),
        ("transformer/gate-forgotten", "right", percent(mlp / PARAMS["Llama-3-8B"], 2)),
        ("transformer/kv-70b-128k", "answer", gb(kv["Llama-3-70B"] * 131_072)),
        ("transformer/embedding-share", "answer", percent(embeddings / PARAMS["Llama-3-8B"], 2)),
        ("transformer/embedding-share", "why", sci(embeddings)),
    ]
    h = 1000
    layer = count_params(gpt("one layer", 1, h, 10, 1, 1))
    for part, size in (
        ("attention (Q K V and output)", layer.attention),
        ("MLP (up and down)", layer.mlp),
        ("two LayerNorms", layer.layer_norms),
        ("whole layer", layer.attention + layer.mlp + layer.layer_norms),
    ):
        weights, biases = divmod(size, h * h)
        place, squared = "transformer/gpt-layer-parts", f"{weights}h²" if weights else "0"
        rows.append((place, f"{part} | weights", squared))
        rows.append((place, f"{part} | biases and scales", f"{biases // h}h"))
    for name, shape in SHAPE.items():
        place, values = "transformer/shapes", (shape.layers, shape.hidden, shape.ffn, shape.heads)
        for column, value in zip("LhfakV", (*values, shape.kv_heads, shape.vocab), strict=True):
            text = f"{value:,}" if value >= 10_000 else str(value)
            rows.append((place, f"{name} | {column}", text))
        params, place = PARAMS[name], "transformer/sizes"
        column = "bytes per token"
        rows += [
            (place, f"{name} | parameters", f"{sig(params / 1e9, 4 if params > 1e11 else 3)}e9"),
            (place, f"{name} | bf16 weights", gb(2 * params)),
            (
                place,
                f"{name} | training state",
                gb_or_tb(states(params)),
            ),
            (
                "transformer/kv-sizes",
                f"{name}, {shape.layers} layers, {shape.kv_heads} KV heads of 128 | {column}",
                f"{kv[name]:,.0f}",
            ),
            ("transformer/kv-sizes", "why", f"{kv[name] / 1024:g}"),
        ]
    return rows


SAID = [*hardware_rows(), *notation_rows(), *compute_rows(), *transformer_rows()]


@pytest.mark.parametrize(("item", "place", "number"), SAID)
def test_the_card_prints_the_number_that_the_formula_gives(item, place, number):
    text = text_at(item, place)
    assert prints(text, number), f"{item}, {place}: expected {number} in: {text}"


def test_every_number_card_and_numeric_cell_is_computed():
    assert uncomputed(("hardware", "notation", "compute", "transformer"), SAID) == []
