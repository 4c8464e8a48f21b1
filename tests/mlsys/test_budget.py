"""The compute budget of a 7B model on a trillion tokens, and the definitions behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.mlsys.budget import (
    DAY_S,
    DEFAULT_MFU,
    HOUR_S,
    USUAL_MFU,
    attention_over_weights,
    attention_share,
    compute_over_communication,
    cost_usd,
    eval_cost,
    fewest_gpus,
    flops_per_token,
    forward_flops_per_token,
    global_batch_tokens,
    gpt_step_flops,
    gpu_seconds,
    hfu_from_mfu,
    mfu,
    optimizer_steps,
    scaling_efficiency,
    sequences_per_rank,
    step_time,
    training_flops,
    utilization,
    wall_s,
)
from drillkit.mlsys.hardware import H100
from drillkit.mlsys.transformer import gpt

PER_TOKEN = flops_per_token(7e9, 32, 4096, 4096)
GPU_S = gpu_seconds(1e12 * PER_TOKEN, H100.flops_per_s)


def test_the_7b_run_takes_31750_gpu_hours():
    """C13 and M2."""
    assert pytest.approx(4.52e10, rel=0.001) == PER_TOKEN
    assert pytest.approx(4.52e22, rel=0.001) == 1e12 * PER_TOKEN
    assert pytest.approx(31_750, abs=5) == GPU_S / HOUR_S


def test_two_weeks_at_90_percent_goodput_take_more_than_105_gpus():
    """The lesson's 105 is 31,750/302.4 = 104.99; unrounded GPU-hours need one more."""
    assert pytest.approx(105, abs=0.05) == GPU_S / (14 * DAY_S * 0.9)
    assert fewest_gpus(GPU_S, 14 * DAY_S, 0.9) == 106
    assert wall_s(GPU_S, 128) / DAY_S == pytest.approx(10.3, abs=0.05)
    assert wall_s(GPU_S, 128, 0.9) / DAY_S == pytest.approx(11.5, abs=0.05)


def test_a_step_of_8_micro_batches_takes_3_75_seconds():
    achieved = DEFAULT_MFU * H100.flops_per_s
    micro_batch_s = PER_TOKEN * 4096 / achieved
    assert micro_batch_s == pytest.approx(0.47, abs=0.005)
    assert 8 * micro_batch_s == pytest.approx(3.75, abs=0.005)
    assert sequences_per_rank(4_194_304, 4096, 128) == 8
    assert global_batch_tokens(1, 4096, 8, 128) == 4_194_304
    assert optimizer_steps(1e12, 4_194_304) / 2000 == pytest.approx(119, abs=0.5)


def test_the_default_mfu_lies_in_the_usual_range():
    low, high = USUAL_MFU
    assert (low, high) == (0.35, 0.45)
    assert low <= DEFAULT_MFU <= high


def test_evaluating_every_checkpoint_costs_a_fifth_of_a_percent():
    """C17."""
    forward = forward_flops_per_token(7e9, 32, 4096, 4096)
    cost = eval_cost(forward, 5e7, 119, flops_per_s=H100.flops_per_s)
    assert cost.flops == pytest.approx(7.54e17, rel=0.001)
    assert cost.gpu_s / HOUR_S == pytest.approx(0.53, abs=0.005)
    assert cost.total_gpu_s / HOUR_S == pytest.approx(63, abs=0.5)
    assert cost.total_gpu_s / GPU_S == pytest.approx(0.002, abs=0.0001)


@given(
    layers=st.integers(1, 200),
    seq=st.integers(1, 2**20),
    hidden=st.sampled_from([512, 4096, 16384]),
)
def test_attention_over_weights_is_s_over_6h_and_half_that_causal(layers, seq, hidden):
    params = 12 * layers * hidden**2
    weights, causal, full = (
        flops_per_token(params, layers, seq, hidden, kind) for kind in ("none", "causal", "full")
    )
    assert weights == 6 * params
    assert full / weights - 1 == pytest.approx(seq / (6 * hidden), abs=1e-12)
    assert full - causal == pytest.approx(causal - weights)
    ratio = attention_over_weights(seq, hidden)
    assert ratio == pytest.approx(seq / (6 * hidden), abs=1e-12)
    assert attention_share(seq, hidden) == pytest.approx(ratio / (1 + ratio))


def test_attention_is_8_percent_of_a_causal_7b_and_most_of_a_weather_vit():
    assert attention_over_weights(4096, 4096, "causal") == pytest.approx(0.083, abs=0.001)
    assert attention_over_weights(16_200, 2048) == pytest.approx(1.32, abs=0.005)
    assert attention_share(16_200, 2048) == pytest.approx(0.57, abs=0.002)
    with pytest.raises(ValueError, match="attention must be"):
        attention_share(1, 1, "sparse")


def test_6pd_gives_llama_3_its_flops():
    assert training_flops(405e9, 15.6e12) == pytest.approx(3.8e25, rel=0.003)


def test_the_papers_gpt_flops_are_the_per_token_ones_of_its_weights():
    """72BLsh²(1 + s/6h + V/12hL) is 6P + 12Lsh with P = 12Lh² + Vh, times tokens."""
    batch, layers, seq, hidden, vocab = 64, 96, 2048, 12288, 51200
    params = 12 * layers * hidden**2 + vocab * hidden
    per_token = flops_per_token(params, layers, seq, hidden, "full")
    step = gpt_step_flops(batch, layers, seq, hidden, vocab)
    assert step == pytest.approx(batch * seq * per_token)


def test_full_recomputation_is_a_third_more_without_logits():
    case = (1, 96, 2048, 12288, 1e-9)
    assert gpt_step_flops(*case, "full") == pytest.approx(4 / 3 * gpt_step_flops(*case))
    with pytest.raises(ValueError, match="recompute"):
        gpt_step_flops(*case, "some")


def test_narayanans_trillion_parameter_run_reaches_52_percent_of_peak():
    shape = gpt("1T", 128, 25600, 160, 51200, 2048)
    flops = gpt_step_flops(3072, shape.layers, 2048, shape.hidden, shape.vocab, "full")
    step_s = flops / (3072 * 163e12)
    assert utilization(flops, step_s, 3072, 312e12) == pytest.approx(0.52, abs=0.005)


def test_mfu_and_hfu():
    assert mfu(66_523, 405_280_751_616, 64, 989.5e12) == pytest.approx(0.4257, rel=0.0006)
    assert hfu_from_mfu(0.4257, 4, 3) == pytest.approx(0.5676, rel=0.001)
    assert hfu_from_mfu(0.3, 8e9, 6e9) == pytest.approx(0.4)


def test_a_deadline_that_divides_exactly_takes_no_gpu_more():
    for gpus in range(1, 400):
        assert fewest_gpus(gpus * 336 * 0.9, 336, 0.9) == gpus


def test_deepseek_v3_cost_5_576_million_dollars():
    assert cost_usd(2.788e6 * HOUR_S, 2) == pytest.approx(5.576e6)


def test_weak_scaling():
    assert scaling_efficiency(15.1e15, 512, 39e12) == pytest.approx(0.76, abs=0.005)


def test_a_step_is_the_longer_of_compute_and_communication_plus_the_bubble():
    """C18."""
    hidden = step_time(3.0, 1.0, bubble_over_ideal=0.25)
    assert (hidden.exposed_s, hidden.total_s) == (0, 3.75)
    bound = step_time(3.0, 4.0)
    assert (bound.exposed_s, bound.total_s) == (1, 4)
    nothing_hidden = step_time(3.0, 1.0, overlap=0, critical_s=0.5, bubble_over_ideal=0.1)
    assert nothing_hidden.total_s == pytest.approx(3 + 1 + 0.5 + 0.35)


@given(
    params=st.floats(1e8, 1e12),
    tokens=st.floats(1, 1e6),
    flops=st.floats(1e13, 1e15),
    bandwidth=st.floats(1e9, 1e12),
)
def test_compute_over_communication_grows_with_the_tokens_per_rank(
    params, tokens, flops, bandwidth
):
    """C18: the ratio of 6PT/F to 4P/β, whatever P."""
    ratio = (6 * params * tokens / flops) / (4 * params / bandwidth)
    assert compute_over_communication(tokens, flops, bandwidth) == pytest.approx(ratio)


@pytest.mark.parametrize("value", [0, -1, 1.5])
def test_a_fraction_outside_its_range_is_refused(value):
    with pytest.raises(ValueError, match="utilization"):
        gpu_seconds(1e20, 1e15, value)
    with pytest.raises(ValueError, match="goodput"):
        wall_s(1e6, 8, value)
