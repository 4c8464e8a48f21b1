"""Activation memory: the walk through a layer, and every variant of the formula."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from drillkit.mlsys.activations import (
    activation_bytes_per_layer,
    activation_coefficient,
    activation_walk,
    selective_saving,
)
from drillkit.mlsys.memory import GB, GIB

# s = h = 4096, a = 32, b = 1: GB per layer.
VARIANTS = [
    ({"tp": 1}, 3.255),
    ({"tp": 1, "flash": True}, 0.570),
    ({"tp": 1, "recompute": "selective"}, 0.570),
    ({"tp": 1, "recompute": "full"}, 0.0336),
    ({"tp": 8}, 0.554),
    ({"tp": 8, "flash": True}, 0.218),
    ({"tp": 8, "sequence_parallel": True}, 0.407),
    ({"tp": 8, "sequence_parallel": True, "flash": True}, 0.0713),
]


@pytest.mark.parametrize(("flags", "gigabytes"), VARIANTS)
def test_each_variant_takes_its_bytes_per_layer(flags, gigabytes):
    size = activation_bytes_per_layer(4096, 1, 4096, 32, **flags)
    assert size / GB == pytest.approx(gigabytes, rel=0.003)


def test_the_walk_sums_to_its_blocks_and_to_the_formula():
    rng = random.Random(5)
    for _ in range(50):
        s, b, h, a = (rng.randint(1, 5000) for _ in range(4))
        blocks = Counter()
        for kept in activation_walk(s, b, h, a):
            blocks[kept.block] += kept.size_bytes
        sbh = s * b * h
        assert blocks == {
            "attention": 11 * sbh + 5 * a * s * s * b,
            "mlp": 19 * sbh,
            "norm": 4 * sbh,
        }
        total = activation_bytes_per_layer(s, b, h, a)
        assert total == pytest.approx(sum(blocks.values()), rel=1e-12)


def test_tensor_parallelism_alone_leaves_the_norms_and_masks_whole():
    assert activation_coefficient(2048, 12288, 96, tp=8) == pytest.approx(10 + 24 / 8 + 80 / 8)


def test_with_sequence_parallelism_everything_divides():
    whole = activation_coefficient(4096, 4096, 32)
    split = activation_coefficient(4096, 4096, 32, tp=4, sequence_parallel=True)
    assert split == pytest.approx(whole / 4)


def test_full_recomputation_keeps_a_copy_of_the_input_on_every_rank_unless_it_is_sharded():
    full = {"recompute": "full", "tp": 8}
    assert activation_coefficient(4096, 4096, 32, **full) == 2
    assert activation_coefficient(4096, 4096, 32, **full, sequence_parallel=True) == 2 / 8


@pytest.mark.parametrize(
    ("seq", "hidden", "heads", "none", "selective", "full"),
    [
        (4096, 4096, 32, 3.03, 0.53, 0.031),
        (8192, 8192, 64, 22.1, 2.13, 0.125),
        (8192, 16384, 128, 44.3, 4.25, 0.25),
    ],
)
def test_the_chapters_table_is_in_gib(seq, hidden, heads, none, selective, full):
    """ERR2: the chapter prints these as GB."""
    for recompute, gib in (("none", none), ("selective", selective), ("full", full)):
        size = activation_bytes_per_layer(seq, 1, hidden, heads, recompute=recompute)
        assert size / GIB == pytest.approx(gib, rel=0.01)


def test_the_7b_layer_takes_exactly_3_and_a_32nd_gib():
    assert activation_bytes_per_layer(4096, 1, 4096, 32) == 3.03125 * GIB


@pytest.mark.parametrize(
    ("flags", "gigabytes"),
    [
        ({"seq": 8192}, 380),
        ({"seq": 8192, "tp": 8, "sequence_parallel": True}, 47.5),
        ({"seq": 8192, "recompute": "full"}, 2.15),
        ({"seq": 4096}, 104.2),
        ({"seq": 4096, "flash": True}, 18.25),
        ({"seq": 4096, "recompute": "full"}, 1.074),
    ],
)
def test_the_32_layers_of_a_7b_model_take_these_gb(flags, gigabytes):
    size = 32 * activation_bytes_per_layer(
        **{"micro_batch": 1, "hidden": 4096, "heads": 32} | flags
    )
    assert size / GB == pytest.approx(gigabytes, rel=0.003)


def test_selective_recomputation_saves_70_percent_of_gpt3():
    assert selective_saving(2048, 12288, 96) == pytest.approx(0.70, abs=0.005)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"recompute": "some"}, "recompute"),
        ({"tp": 0}, "tp"),
        ({"seq": 0}, "seq"),
        ({"micro_batch": 0}, "micro_batch"),
    ],
)
def test_nonsense_is_refused_by_name(change, names):
    case = {"seq": 8, "micro_batch": 1, "hidden": 8, "heads": 2}
    with pytest.raises(ValueError, match=names):
        activation_bytes_per_layer(**case | change)
