"""Layouts of real jobs: the ones engineers chose are found, and the others say why not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.mlsys.estimate import NOT_MODELLED, Job, evaluate, refusal, stage_layers
from drillkit.mlsys.hardware import H100, Link
from drillkit.mlsys.layout import Layout
from drillkit.mlsys.memory import GB, GIB
from drillkit.mlsys.pipeline import simulate
from drillkit.mlsys.planner import plan
from drillkit.mlsys.transformer import MODELS

LLAMA_405B = Job(MODELS["llama-3-405b"], 16_384, 8192, 2048)
SEVENTY_B = Job(MODELS["llama-3-70b"], 1024, 8192, 1024)


FREE = Link("free", 1e30, 1e-30, "")


def with_links(nvlink=FREE, inter=FREE, **changes):
    return replace(SEVENTY_B, gpu=replace(H100, nvlink=nvlink), inter=inter, **changes)


@pytest.mark.parametrize(
    ("model", "gpus", "seq", "degrees", "gib"),
    [
        ("llama-2-7b", 8, 4096, (1, 1, 8), 51.5),
        ("llama-3-8b", 8, 8192, (2, 1, 4), 43.2),
        ("llama-3-70b", 64, 8192, (8, 1, 8), 66.42),
    ],
)
def test_the_rule_of_thumb_picks_the_chapters_layouts_under_zero_1(model, gpus, seq, degrees, gib):
    """C12, in both units."""
    planning = plan(Job(MODELS[model], gpus, seq, 512), zero_stages=(1,), recomputes=("selective",))
    best = planning.least_parallel
    assert (best.layout.tp, best.layout.pp, best.layout.dp) == degrees
    assert best.memory.total_bytes / GIB == pytest.approx(gib, abs=0.05)
    assert best.memory.total_bytes / GB == pytest.approx(gib * GIB / GB, abs=0.05)


def test_405b_on_16384_gpus_runs_with_tp_8_and_a_deep_pipeline():
    """ERR3: the chapter's code finds no layout, because 16 does not divide 126 layers."""
    planning = plan(LLAMA_405B)
    degrees = {(one.layout.tp, one.layout.pp) for one in planning.fitting}
    assert {(8, 8), (8, 16)} <= degrees
    assert all(one.layout.tp == 8 for one in planning.fitting[:10])
    llama = next(one for one in planning.fitting if one.layout.pp == 16)
    assert sum(llama.stage_layers) == 126
    assert (llama.stage_layers[0], llama.stage_layers[1], llama.stage_layers[-1]) == (7, 8, 7)
    assert llama.layout.dp == 128


def test_405b_with_tp_1_says_why_it_does_not_fit():
    plain = plan(LLAMA_405B, recomputes=("selective",))
    said = plain.on_tensor_parallel(1)
    assert said.startswith("TP 1 does not fit")
    assert "activations alone take 73.0 GB" in said
    assert "GiB" in said
    assert plain.on_tensor_parallel(8).startswith("TP 8 fits")
    assert "full recomputation alone" in plan(LLAMA_405B).on_tensor_parallel(1)
    rebuilt = plan(LLAMA_405B, recomputes=("full",))
    assert "fits with full recomputation: " in rebuilt.on_tensor_parallel(1)
    assert "not tried" in plain.on_tensor_parallel(16)


def test_fitting_layouts_fit_and_come_fastest_first_and_failing_ones_do_not():
    for job in (LLAMA_405B, SEVENTY_B):
        planning = plan(job)
        times = [one.step.total_s for one in planning.fitting]
        assert times == sorted(times)
        assert all(one.memory.total_bytes <= job.usable_bytes for one in planning.fitting)
        assert all(one.memory.total_bytes > job.usable_bytes for one in planning.failing)
        assert all(one.problem for one in planning.failing)
        assert all(one.layout.gpus == job.gpus for one in planning.fitting)
        assert all(0 < one.mfu < job.efficiency for one in planning.fitting)


def test_context_parallelism_is_tried_for_long_sequences_alone():
    short, long = (
        plan(replace(LLAMA_405B, seq=seq, global_batch=16_777_216 // seq)).fitting
        for seq in (8192, 131_072)
    )
    assert {one.layout.cp for one in short} == {1}
    assert max(one.layout.cp for one in long) == 16


def test_two_valid_layouts_of_one_job_are_both_judged():
    """X6: TP 8, PP 4, DP 32 and TP 8, PP 2, DP 64 of 70B on 1,024 GPUs."""
    four, two = (
        evaluate(SEVENTY_B, Layout(dp, 8, pp, zero_stage=1, sequence_parallel=True))
        for dp, pp in ((32, 4), (64, 2))
    )
    assert four.fits
    assert two.fits
    assert four.memory.activation_bytes / GB == pytest.approx(22.8, abs=0.05)
    assert two.step.bubble_s < four.step.bubble_s
    assert two.memory.states.total_bytes > four.memory.states.total_bytes


def test_zero_1_alone_keeps_280_gb_of_a_70b_model():
    ddp = evaluate(SEVENTY_B, Layout(1024, zero_stage=1))
    assert not ddp.fits
    states = ddp.memory.states
    assert (states.weight_bytes + states.grad_bytes) / GB == pytest.approx(282.2, abs=0.05)


def test_the_step_is_the_simulated_pipelines_when_nothing_is_sent():
    estimated = evaluate(with_links(), Layout(16, 8, 8, zero_stage=1, sequence_parallel=True))
    slot_s = estimated.step.compute_s / estimated.micro_batches
    schedule = simulate(
        "1f1b", 8, estimated.micro_batches, forward_s=slot_s / 3, backward_s=2 * slot_s / 3
    )
    assert estimated.step.exposed_s == pytest.approx(0)
    assert estimated.step.total_s == pytest.approx(schedule.makespan_s)


def test_each_parallelism_pays_for_its_own_traffic():
    plans = {
        name: evaluate(SEVENTY_B, layout).traffic
        for name, layout in {
            "dp": Layout(1024, zero_stage=3),
            "tp": Layout(128, 8, zero_stage=3, sequence_parallel=True),
            "pp": Layout(128, 1, 8, zero_stage=3),
            "cp": Layout(128, 1, 1, 8, zero_stage=3),
        }.items()
    }
    for name, traffic in plans.items():
        assert traffic.dp_bytes > 0
        for other in ("tp", "pp", "cp"):
            assert bool(getattr(traffic, f"{other}_bytes")) is (other == name)


@pytest.mark.parametrize(
    "layout", [Layout(128, cp=8), Layout(128, pp=8), Layout(128, 8), Layout(64, 2, 2, 4)]
)
def test_every_way_to_split_the_model_splits_its_compute(layout):
    compute = [evaluate(with_links(), one).step.compute_s for one in (Layout(1024), layout)]
    assert compute[1] == pytest.approx(compute[0])


@pytest.mark.parametrize(
    ("layout", "in_node"),
    [
        (Layout(1024, zero_stage=1), 8),
        (Layout(128, 8, zero_stage=1, sequence_parallel=True), 1),
        (Layout(256, 4, zero_stage=1, sequence_parallel=True), 2),
        (Layout(256, 1, 4, zero_stage=1), 2),
        (Layout(256, 1, 1, 4, zero_stage=1), 8),
        (Layout(64, 1, 16, zero_stage=1), 1),
    ],
)
def test_gradients_cross_nodes_once_for_each_part_that_a_node_shares_out(layout, in_node):
    network = Link("network alone", 1e9, 0, "")
    plan = evaluate(with_links(inter=network, global_batch=1024), layout)
    ranks = layout.dp * layout.cp
    nodes = ranks // in_node
    slice_bytes = 2 * 70_553_706_496 / (layout.tp * layout.pp)
    sent_s = 2 * (nodes - 1) / nodes * slice_bytes / in_node / 1e9
    hidden_s = 2 / 3 * plan.step.compute_s / plan.micro_batches
    assert sent_s > hidden_s
    # A pipeline's boundary crosses nodes as well, behind the compute.
    assert plan.step.exposed_s == pytest.approx(sent_s - hidden_s)


def test_from_stage_2_on_every_layer_pays_the_latency_of_its_rounds():
    slow = Link("latency alone", 1e30, 1e-3, "")
    layout = Layout(128, 8, sequence_parallel=True)
    one, two, three = (
        evaluate(with_links(inter=slow), replace(layout, zero_stage=stage)) for stage in (1, 2, 3)
    )
    rounds_s = 127 * 1e-3
    micro_s = one.step.compute_s / 8
    assert one.step.exposed_s == pytest.approx(max(0, 2 * rounds_s - 2 / 3 * micro_s))
    assert two.step.exposed_s == pytest.approx((1 + 8) * 80 * rounds_s - 8 * micro_s)
    assert three.step.exposed_s == pytest.approx((16 + 8) * 80 * rounds_s - 8 * micro_s)


def test_context_parallelism_shortens_the_all_reduces_and_passes_a_ranks_own_heads():
    nvlink = Link("nvlink alone", 450e9, 0, "")
    alone = evaluate(with_links(nvlink), Layout(256, 4, zero_stage=3, sequence_parallel=True))
    split = evaluate(with_links(nvlink), Layout(128, 4, 1, 2, 3, sequence_parallel=True))
    tensor = 2 * 8192 * 8192
    all_reduces_s = 4 * 80 * 4 * 2 * 3 / 4 * tensor / 450e9
    assert alone.step.exposed_s == pytest.approx(all_reduces_s)
    # Twice the micro-batches, each of half the tokens.
    assert split.step.exposed_s == pytest.approx(all_reduces_s)
    # 8 KV heads of 128 over 4 ranks; half of the keys and values, forward and twice backward.
    kv_bytes = 2 * 2 * 8192 * (8 // 4 * 128)
    assert split.traffic.cp_bytes == pytest.approx(8 * 80 * 3 * kv_bytes / 2)


def test_what_travels_behind_the_compute_is_exposed_when_it_takes_longer():
    slow = Link("slow", 1e9, 0, "")
    piped = evaluate(with_links(inter=slow, gpus=16, global_batch=16), Layout(1, 1, 16))
    boundary_s = 2 * 2 * 8192 * 8192 / 1e9
    assert boundary_s < piped.step.compute_s / 16
    assert piped.step.exposed_s == 0
    slower = replace(slow, bytes_per_s=1e8)
    piped = evaluate(with_links(inter=slower, gpus=16, global_batch=16), Layout(1, 1, 16))
    assert piped.step.exposed_s == pytest.approx(16 * 10 * boundary_s - piped.step.compute_s)


def test_context_ranks_beyond_a_node_pass_their_keys_over_the_network():
    slow = Link("slow", 1e6, 0, "")
    inside, beyond = (
        evaluate(with_links(inter=slow, gpus=gpus, global_batch=1), Layout(1, tp, 1, cp))
        for gpus, tp, cp in ((8, 2, 4), (16, 4, 4))
    )
    # The gradients of the ranks that share states cross nodes in the second case alone as well.
    assert inside.step.exposed_s == pytest.approx(0)
    passing_s = beyond.traffic.cp_bytes / 1e6
    assert beyond.step.exposed_s > passing_s - beyond.step.compute_s > 0


def test_recomputation_trades_time_for_memory():
    layout = Layout(32, 8, 4, zero_stage=1, sequence_parallel=True)
    kept, rebuilt = (evaluate(SEVENTY_B, layout, recompute) for recompute in ("selective", "full"))
    assert rebuilt.memory.activation_bytes == pytest.approx(kept.memory.activation_bytes / 17)
    assert rebuilt.step.compute_s == pytest.approx(4 / 3 * kept.step.compute_s)
    assert rebuilt.mfu < kept.mfu


def test_interleaving_trades_memory_for_the_bubble():
    layout = Layout(32, 8, 4, zero_stage=1, sequence_parallel=True)
    plain, chunked = (evaluate(SEVENTY_B, layout, "selective", chunks) for chunks in (1, 4))
    assert chunked.step.bubble_s == pytest.approx(plain.step.bubble_s / 4)
    assert chunked.memory.activation_bytes > plain.memory.activation_bytes
    assert chunked.traffic.pp_bytes == 4 * plain.traffic.pp_bytes


@pytest.mark.parametrize(
    ("layout", "chunks", "reason"),
    [
        (Layout(8), 1, "8 GPUs, not 1024"),
        (Layout(1, 8, 128), 1, "more than the 80 layers"),
        (Layout(1024, zero_stage=1), 2, "nothing to interleave"),
        (Layout(64, 8, 2), 64, "makes no 64 chunks"),
        (Layout(256, 1, 4), 3, ""),
        (Layout(512, 1, 2), 3, ""),
        (Layout(128, 1, 8), 2, ""),
        (Layout(64, 1, 16), 2, ""),
    ],
)
def test_a_layout_that_cannot_run_says_why(layout, chunks, reason):
    said = refusal(SEVENTY_B, layout, chunks)
    assert reason in said
    assert bool(said) is bool(reason)


def test_other_impossible_layouts_say_why_too():
    assert "heads" in refusal(replace(SEVENTY_B, gpus=3 * 8), Layout(8, 3))
    assert "tokens" in refusal(replace(SEVENTY_B, gpus=3 * 8), Layout(8, cp=3))
    assert "global batch" in refusal(replace(SEVENTY_B, global_batch=1000), Layout(1024))
    assert "micro-batches" in refusal(replace(SEVENTY_B, global_batch=512), Layout(128, 1, 8), 2)
    with pytest.raises(ValueError, match="global batch"):
        evaluate(replace(SEVENTY_B, global_batch=1000), Layout(1024))


@given(layers=st.integers(1, 200), stages=st.integers(1, 64))
def test_stages_share_the_layers_as_equally_as_they_can(layers, stages):
    if stages > layers:
        with pytest.raises(ValueError, match="more than"):
            stage_layers(layers, stages)
        return
    split = stage_layers(layers, stages)
    assert len(split) == stages
    assert sum(split) == layers
    assert max(split) - min(split) <= 1
    # The shorter stages stand at the ends.
    middle = "".join("-" if one < max(split) else "+" for one in split).strip("-")
    assert "-" not in middle


def test_it_says_what_it_does_not_model():
    assert any("logits" in line for line in NOT_MODELLED)
    with pytest.raises(ValueError, match="at least one"):
        plan(SEVENTY_B, zero_stages=())
    with pytest.raises(ValueError, match="headroom"):
        replace(SEVENTY_B, headroom=1.5)


def test_a_stated_size_moves_states_and_compute_and_no_activations():
    """7e9 parameters in place of the 6.74e9 of the shape."""
    job = Job(MODELS["llama-2-7b"], 128, 4096, 1024)
    stated = replace(job, shape=replace(job.shape, stated_params=7 * 10**9))
    exact, round_number = (evaluate(one, Layout(128, zero_stage=0)) for one in (job, stated))
    assert round_number.memory.states.total_bytes == 112 * GB
    assert exact.memory.states.total_bytes / GB == pytest.approx(107.8, abs=0.05)
    assert round_number.memory.activation_bytes == exact.memory.activation_bytes
    assert round_number.step.compute_s > exact.step.compute_s
    assert round_number.traffic.dp_bytes / exact.traffic.dp_bytes == pytest.approx(
        112 / 107.8, 0.001
    )
