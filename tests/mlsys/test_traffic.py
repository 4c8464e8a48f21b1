"""What each parallelism sends, and when compute hides it."""

from __future__ import annotations

import pytest

from drillkit.mlsys.hardware import H100, INFINIBAND_NDR
from drillkit.mlsys.traffic import (
    data_parallel_bytes,
    expert_parallel_bytes,
    exposed_s,
    largest_tensor_parallel,
    pipeline_bytes_per_boundary,
    ring_attention_bytes_per_layer,
    tensor_parallel_bytes_per_layer,
    tensor_parallel_ratio,
    tokens_to_hide,
    ulysses_bytes_per_layer,
)


def test_a_7b_step_on_8_ranks_sends_23_6_gb_and_35_4_under_zero_3():
    sent = [data_parallel_bytes(6.74e9, 8, zero_stage=stage) / 1e9 for stage in range(4)]
    assert sent == pytest.approx([23.59, 23.59, 23.59, 35.385], abs=0.005)


@pytest.mark.parametrize("ranks", [2, 8, 128])
@pytest.mark.parametrize("micro_batches", [1, 2, 8, 32])
def test_accumulation_multiplies_the_traffic_of_zero_2_and_3(ranks, micro_batches):
    """ERR4: (m + 1)/2 and 3m/2 times DDP's, so 4.5 and 12 at m = 8, not 8."""
    ddp, one, two, three = (
        data_parallel_bytes(7e9, ranks, zero_stage=stage, micro_batches=micro_batches)
        for stage in range(4)
    )
    assert one == pytest.approx(ddp)
    assert two / ddp == pytest.approx((micro_batches + 1) / 2)
    assert three / ddp == pytest.approx(3 * micro_batches / 2)


def test_the_all_gathers_alone_are_the_lessons_8_times():
    """ERR4: 2m gathers of Ψ against 2Ψ; with one reduction in the end 8.5."""
    one = data_parallel_bytes(7e9, 128, zero_stage=1, micro_batches=8)
    once = data_parallel_bytes(7e9, 128, zero_stage=3, micro_batches=8, reduce_once=True)
    assert once / one == pytest.approx(8.5)


def test_the_all_reduce_hides_from_8000_tokens_whatever_the_model():
    assert tokens_to_hide(400e12, 50e9) == 8000
    achieved = 0.4 * H100.flops_per_s
    assert tokens_to_hide(achieved, INFINIBAND_NDR.bytes_per_s) == pytest.approx(7912)
    tokens = tokens_to_hide(400e12, 50e9, ranks=8)
    for params in (1e9, 70e9):
        backward = 4 * params * tokens / 400e12
        assert data_parallel_bytes(params, 8) / 50e9 == pytest.approx(backward)


def test_a_tensor_parallel_layer_sends_0_94_gb_and_a_boundary_268_mb():
    size = tensor_parallel_bytes_per_layer(8192, 1, 8192, 8)
    assert size / 1e9 == pytest.approx(0.94, abs=0.005)
    assert pipeline_bytes_per_boundary(8192, 1, 8192) / 1e6 == pytest.approx(268, abs=0.5)


def test_tensor_parallelism_takes_0_63_of_the_compute_on_nvlink_and_5_6_between_nodes():
    assert tensor_parallel_ratio(8, 8192, 989e12, 450e9) == pytest.approx(0.63, abs=0.005)
    assert tensor_parallel_ratio(8, 8192, 989e12, 50e9) == pytest.approx(5.6, abs=0.05)


@pytest.mark.parametrize("tp", [2, 8, 64])
def test_the_ratio_is_bytes_over_bandwidth_over_flops(tp):
    seq, hidden, flops, bandwidth = 4096, 8192, 989e12, 450e9
    # Half of the layer's traffic is the forward pass's.
    sent_s = tensor_parallel_bytes_per_layer(seq, 1, hidden, tp) / 2 / bandwidth
    compute_s = 24 * seq * hidden**2 / tp / flops
    ratio = tensor_parallel_ratio(tp, hidden, flops, bandwidth)
    assert ratio == pytest.approx(sent_s / compute_s)
    assert largest_tensor_parallel(hidden, flops, bandwidth, ratio) == pytest.approx(tp)


def test_ulysses_sends_less_than_ring_attention_at_a_high_degree():
    ring = ring_attention_bytes_per_layer(131072, 1, 4096, 16)
    ulysses = ulysses_bytes_per_layer(131072, 1, 4096, 4096, 16)
    assert ring == pytest.approx(15 / 16 * 2 * 131072 * 4096 * 2)
    assert ulysses == pytest.approx(ring * 2 / 16)


def test_one_rank_sends_nothing():
    assert data_parallel_bytes(7e9, 1, zero_stage=3) == 0
    assert tensor_parallel_bytes_per_layer(8, 1, 8, 1) == 0
    assert ring_attention_bytes_per_layer(8, 1, 8, 1) == 0
    assert expert_parallel_bytes(8, 8, 1) == 0


def test_an_all_to_all_sends_each_chosen_experts_copy():
    one = expert_parallel_bytes(8192, 4096, 8)
    assert one / 1e9 == pytest.approx(0.0587, rel=0.001)
    assert expert_parallel_bytes(8192, 4096, 8, top_k=2) == 2 * one


def test_only_what_compute_does_not_cover_is_exposed():
    assert exposed_s(0.3, 0.5) == 0
    assert exposed_s(0.7, 0.5) == pytest.approx(0.2)
    assert exposed_s(0.7, 0.5, overlap=0.5) == pytest.approx(0.45)
    with pytest.raises(ValueError, match="overlap"):
        exposed_s(1, 1, overlap=2)


def test_an_unknown_stage_is_refused():
    with pytest.raises(ValueError, match="zero_stage"):
        data_parallel_bytes(1, 2, zero_stage=4)
