"""Model states by convention and ZeRO stage, the KV cache, and the memory of a whole step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.mlsys.layout import Layout, data_parallel_degree
from drillkit.mlsys.memory import (
    CONVENTIONS,
    GB,
    GIB,
    Workload,
    fewest_ranks,
    kv_bytes_per_token,
    largest_model,
    model_states,
    training_memory,
)
from drillkit.mlsys.transformer import MODELS, count_params


@pytest.mark.parametrize(
    ("convention", "total"),
    [
        ("adamw", 16),
        ("autocast", 16),
        ("fp32-grads", 18),
        ("fp32-accumulation", 20),
        ("sgd", 8),
        ("adam-8bit", 10),
        ("adafactor", 8.5),
    ],
)
def test_each_convention_keeps_its_bytes_per_parameter(convention, total):
    assert CONVENTIONS[convention].total == total


def test_autocast_splits_the_same_16_bytes_as_4_4_8():
    split = CONVENTIONS["autocast"]
    assert (split.weight, split.grad, split.optimizer) == (4, 4, 8)
    assert CONVENTIONS["adamw"].optimizer == 12


@pytest.mark.parametrize(
    ("params", "ranks", "gigabytes"),
    [
        (7e9, 8, [112, 38.5, 26.25, 14.0]),
        (7e9, 64, [112, 29.31, 15.53, 1.75]),
        (7.5e9, 64, [120, 31.41, 16.64, 1.875]),
        (70e9, 64, [1120, 293.1, 155.3, 17.5]),
        (13e9, 8, [208, 71.5, 48.75, 26]),
    ],
)
def test_zero_stages_take_these_gb(params, ranks, gigabytes):
    for stage, expected in enumerate(gigabytes):
        states = model_states(params, ranks=ranks, zero_stage=stage)
        assert states.total_bytes / GB == pytest.approx(expected, rel=5e-4)


def test_only_the_named_part_shrinks_at_each_stage():
    zero = [model_states(7e9, ranks=8, zero_stage=stage) for stage in range(4)]
    parts = ["optimizer_bytes", "grad_bytes", "weight_bytes"]
    for stage, shrinking in enumerate(parts):
        for part in parts:
            before, after = getattr(zero[stage], part), getattr(zero[stage + 1], part)
            assert after == (before / 8 if part == shrinking else before)


def test_the_chapters_stage_table_for_7b_on_8_gpus():
    params = count_params(MODELS["llama-2-7b"]).total
    table = [
        model_states(params, ranks=8, zero_stage=stage).total_bytes / GIB for stage in range(4)
    ]
    assert table == pytest.approx([100.41, 34.52, 23.53, 12.55], abs=0.005)


def test_state_totals_of_three_models():
    """T7: 108 GB, 1.13 TB, 6.5 TB."""
    for model, gigabytes in (("llama-2-7b", 107.8), ("llama-3-70b", 1129), ("llama-3-405b", 6494)):
        total = model_states(count_params(MODELS[model]).total).total_bytes
        assert total / GB == pytest.approx(gigabytes, rel=5e-4)


@given(
    params=st.integers(10**6, 10**12),
    ranks=st.integers(2, 4096),
    stage=st.integers(0, 3),
    convention=st.sampled_from(sorted(CONVENTIONS)),
)
def test_the_largest_model_of_a_memory_fills_exactly_that_memory(params, ranks, stage, convention):
    states = CONVENTIONS[convention]
    size = model_states(params, ranks=ranks, zero_stage=stage, states=states).total_bytes
    back = largest_model(size, ranks=ranks, zero_stage=stage, states=states)
    assert back == pytest.approx(params, rel=1e-12)


@given(params=st.integers(10**8, 10**12), stage=st.integers(1, 3))
def test_the_fewest_ranks_fit_and_one_less_does_not(params, stage):
    memory = 80e9
    try:
        ranks = fewest_ranks(params, memory, zero_stage=stage)
    except ValueError:
        # What the stage leaves unsharded must indeed be too large.
        assert model_states(params, ranks=10**9, zero_stage=stage).total_bytes > memory
        return
    fits = model_states(params, ranks=ranks, zero_stage=stage).total_bytes
    assert fits <= memory * (1 + 1e-9)
    if ranks > 1:
        assert model_states(params, ranks=ranks - 1, zero_stage=stage).total_bytes > memory


def test_ddp_of_a_model_too_large_is_refused_with_the_reason():
    with pytest.raises(ValueError, match="stage 0 leaves"):
        fewest_ranks(7e9, 80e9, zero_stage=0)


@pytest.mark.parametrize(
    ("model", "size_bytes"),
    [("llama-2-7b", 524_288), ("llama-3-8b", 131_072), ("llama-3-70b", 327_680)],
)
def test_the_kv_cache_takes_these_bytes_per_token(model, size_bytes):
    shape = MODELS[model]
    assert kv_bytes_per_token(shape.layers, shape.kv_heads, shape.head_dim) == size_bytes


def gib(model, layout, work):
    return training_memory(MODELS[model], layout, work).total_bytes / GIB


def test_70b_on_64_gpus_takes_66_gib_with_zero_1_and_38_with_zero_3():
    work = Workload(8192, recompute="selective")
    one = Layout(dp=8, tp=8, zero_stage=1, sequence_parallel=True)
    three = Layout(dp=8, tp=8, zero_stage=3, sequence_parallel=True)
    assert gib("llama-3-70b", one, work) == pytest.approx(66.42, abs=0.01)
    assert gib("llama-3-70b", three, work) == pytest.approx(37.68, abs=0.01)


def test_7b_on_8_gpus_takes_51_and_a_half_gib():
    work = Workload(4096, recompute="selective")
    assert gib("llama-2-7b", Layout(dp=8, zero_stage=1), work) == pytest.approx(51.5, abs=0.05)


def test_8b_with_two_sequences_does_not_fit_and_the_unit_is_said():
    """ERR2: the chapter prints 103 GB where its function returns 96.05 GiB."""
    layout = Layout(dp=8, zero_stage=2)
    two = training_memory(MODELS["llama-3-8b"], layout, Workload(8192, 2))
    assert two.total_bytes / GB == pytest.approx(103.1, abs=0.05)
    assert two.total_bytes / GIB == pytest.approx(96.05, abs=0.05)
    one = training_memory(MODELS["llama-3-8b"], layout, Workload(8192, 1))
    assert one.total_bytes / GB == pytest.approx(66.6, abs=0.05)
    sharded = training_memory(MODELS["llama-3-8b"], Layout(dp=8, zero_stage=3), Workload(8192, 2))
    assert sharded.states.total_bytes / GB == pytest.approx(16.1, abs=0.05)


def test_a_deeper_pipeline_does_not_shrink_the_first_stages_activations():
    shape, work = MODELS["llama-3-70b"], Workload(8192)
    sizes = {
        training_memory(shape, Layout(tp=8, pp=pp, sequence_parallel=True), work).activation_bytes
        for pp in (1, 2, 4, 8)
    }
    assert len(sizes) == 1


def test_gpipe_holds_every_micro_batch():
    """ERR7: the chapter's code gives both schedules p."""
    shape, layout = MODELS["llama-3-70b"], Layout(tp=8, pp=4, sequence_parallel=True)
    held = {
        schedule: training_memory(shape, layout, Workload(8192, 1, 32, schedule=schedule))
        for schedule in ("gpipe", "1f1b")
    }
    assert held["gpipe"].activation_bytes == 8 * held["1f1b"].activation_bytes
    with pytest.raises(ValueError, match="micro_batches"):
        training_memory(shape, layout, Workload(8192, schedule="gpipe"))


def test_the_70b_layout_needs_its_activations_counted():
    """ERR8: 9.57 GB of states and 22.8 GB of activations."""
    layout = Layout(dp=32, tp=8, pp=4, zero_stage=1, sequence_parallel=True)
    memory = training_memory(MODELS["llama-3-70b"], layout, Workload(8192, 1, 32))
    # The lesson's 70B is 70 × 10⁹ parameters; the real one has 70.55.
    round_number = model_states(70e9 / 32, ranks=32, zero_stage=1).total_bytes
    assert round_number / GB == pytest.approx(9.57, abs=0.005)
    assert memory.activation_bytes / GB == pytest.approx(22.8, abs=0.05)
    total = round_number + memory.activation_bytes
    assert total / GB == pytest.approx(32.4, abs=0.05)


def test_405b_on_16384_gpus_is_over_80_gb_and_under_80_gib():
    shape = MODELS["llama-3-405b"]
    work = Workload(8192, 1, 64)
    one = training_memory(
        shape, Layout(dp=128, tp=8, pp=16, zero_stage=1, sequence_parallel=True), work
    )
    assert one.states.total_bytes / GB == pytest.approx(13.0, abs=0.05)
    assert one.activation_bytes / GB == pytest.approx(71.9, abs=0.05)
    assert one.total_bytes / GB == pytest.approx(84.9, abs=0.05)
    assert one.total_bytes / GIB == pytest.approx(79.0, abs=0.05)
    three = training_memory(
        shape, Layout(dp=128, tp=8, pp=16, zero_stage=3, sequence_parallel=True), work
    )
    assert three.total_bytes / GB == pytest.approx(72.3, abs=0.05)


def test_uneven_stages_are_counted_by_their_own_layers():
    shape, layout = MODELS["llama-3-405b"], Layout(tp=8, pp=16, sequence_parallel=True)
    mean = training_memory(shape, layout, Workload(8192)).activation_bytes
    long_first = Workload(8192, stage_layers=(8,) * 14 + (7,) * 2)
    assert training_memory(shape, layout, long_first).activation_bytes / mean == pytest.approx(
        8 * 16 / 126
    )
    # Llama 3 took a layer from the first and the last stage: the second stage is then the fullest.
    short_ends = Workload(8192, stage_layers=(7, *(8,) * 14, 7))
    assert training_memory(shape, layout, short_ends).activation_bytes / mean == pytest.approx(
        8 * 15 / 126
    )
    with pytest.raises(ValueError, match="pp is 16"):
        training_memory(shape, layout, Workload(8192, stage_layers=(63, 63)))


def test_full_recomputation_rebuilds_one_layer_at_a_time():
    memory = training_memory(MODELS["llama-2-7b"], Layout(), Workload(4096, recompute="full"))
    assert memory.activation_bytes / GB == pytest.approx(1.074, abs=0.001)
    assert memory.recomputed_bytes / GB == pytest.approx(0.570, abs=0.001)
    assert memory.total_bytes == pytest.approx(
        memory.states.total_bytes + memory.activation_bytes + memory.recomputed_bytes
    )


def test_interleaving_costs_activations():
    shape, layout = MODELS["gpt-3-175b"], Layout(tp=8, pp=8, sequence_parallel=True)
    plain = training_memory(shape, layout, Workload(2048)).activation_bytes
    work = Workload(2048, schedule="interleaved", chunks=3)
    assert training_memory(shape, layout, work).activation_bytes / plain == pytest.approx(
        1 + 7 / 24
    )


def test_context_parallelism_divides_activations_and_shards_states():
    shape, work = MODELS["llama-3-8b"], Workload(32768)
    one = training_memory(shape, Layout(zero_stage=3), work)
    four = training_memory(shape, Layout(cp=4, zero_stage=3), work)
    assert four.total_bytes == pytest.approx(one.total_bytes / 4)


def test_degrees_multiply_to_the_gpus():
    assert Layout(dp=128, tp=8, pp=16).gpus == 16_384
    assert data_parallel_degree(16_384, tp=8, pp=16) == 128
    with pytest.raises(ValueError, match="does not divide"):
        data_parallel_degree(100, tp=8)
    with pytest.raises(ValueError, match="zero_stage"):
        Layout(zero_stage=4)


@pytest.mark.parametrize(
    "formula",
    [
        lambda: model_states(7e9, zero_stage=4),
        lambda: largest_model(80e9, ranks=8, zero_stage=-1),
        lambda: fewest_ranks(7e9, 80e9, zero_stage=5),
    ],
)
def test_an_unknown_stage_is_refused(formula):
    with pytest.raises(ValueError, match="zero_stage"):
        formula()
