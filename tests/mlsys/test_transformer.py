"""Parameter counts against model cards, and what a shape refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drillkit.mlsys.transformer import (
    MODELS,
    Transformer,
    active_params,
    count_params,
    gpt,
    layer_params_rule,
    total_params,
)


@pytest.mark.parametrize(
    ("model", "total"),
    [
        ("llama-2-7b", 6_738_415_616),
        ("llama-2-13b", 13_015_864_320),
        ("llama-2-70b", 68_976_648_192),
        ("llama-3-8b", 8_030_261_248),
        ("llama-3-70b", 70_553_706_496),
        ("llama-3-405b", 405_853_388_800),
        ("gpt-2-124m", 124_439_808),
        ("gpt-2-xl", 1_557_611_200),
        ("mixtral-8x7b", 46_702_792_704),
    ],
)
def test_the_count_is_exact_to_the_last_parameter(model, total):
    assert count_params(MODELS[model]).total == total


@pytest.mark.parametrize(
    ("model", "billions", "within"),
    [
        ("gpt-3-175b", 174.6, 0.001),
        ("mt-nlg-530b", 529.6, 0.001),
        ("palm-8b", 8.63, 0.001),
        ("palm-62b", 62.50, 0.001),
        ("palm-540b", 540.35, 0.0001),
        ("mixtral-8x22b", 140.6, 0.001),
    ],
)
def test_the_count_rounds_to_the_published_size(model, billions, within):
    assert count_params(MODELS[model]).total / 1e9 == pytest.approx(billions, rel=within)


def test_a_token_passes_two_of_mixtrals_eight_experts():
    count = count_params(MODELS["mixtral-8x7b"])
    assert count.active / 1e9 == pytest.approx(12.9, rel=0.002)
    assert count.active < count.total


def test_a_dense_model_is_all_active():
    count = count_params(MODELS["llama-3-8b"])
    assert count.active == count.total
    assert count.router == 0


@pytest.mark.parametrize("hidden", [64, 768, 4096, 12288])
def test_a_gpt_layer_has_12h2_and_13h_parameters(hidden):
    one, two = (count_params(gpt("g", layers, hidden, 1, 7, 5)).total for layers in (1, 2))
    assert two - one == 12 * hidden**2 + 13 * hidden
    assert layer_params_rule(3, hidden) == 3 * 12 * hidden**2


def test_tying_saves_exactly_one_embedding():
    untied, tied = (
        count_params(Transformer("t", 2, 64, 4, 256, 1000, tied=tied)) for tied in (False, True)
    )
    assert untied.total - tied.total == 1000 * 64


def test_grouped_queries_shrink_keys_and_values_alone():
    full, grouped = (
        count_params(Transformer("t", 2, 64, 8, 256, 1000, kv_heads=kv)) for kv in (8, 2)
    )
    assert full.attention - grouped.attention == 2 * 2 * 64 * (64 - 16)
    assert full.mlp == grouped.mlp


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"heads": 3}, "heads"),
        ({"kv_heads": 3}, "kv_heads"),
        ({"layers": 0}, "layers"),
        ({"experts": 2, "experts_per_token": 3}, "experts_per_token"),
    ],
)
def test_an_impossible_shape_is_refused_by_name(change, names):
    shape = {"layers": 2, "hidden": 64, "heads": 4, "ffn": 256, "vocab": 1000}
    with pytest.raises(ValueError, match=names):
        Transformer("t", **{**shape, **change})


def test_every_preset_says_where_it_is_from():
    assert all(shape.source for shape in MODELS.values())


def test_a_stated_count_is_planned_with_in_place_of_the_shapes_own():
    shape = MODELS["llama-2-7b"]
    stated = replace(shape, stated_params=7 * 10**9)
    assert total_params(stated) == active_params(stated) == 7 * 10**9
    assert total_params(shape) == active_params(shape) == count_params(shape).total
    assert count_params(stated) == count_params(shape)


def test_of_a_stated_mixture_of_experts_the_active_share_is_that_of_the_shape():
    shape = MODELS["mixtral-8x7b"]
    stated = replace(shape, stated_params=2 * total_params(shape))
    assert active_params(stated) == pytest.approx(2 * active_params(shape))
    with pytest.raises(ValueError, match="stated_params"):
        replace(shape, stated_params=-1)
