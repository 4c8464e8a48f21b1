"""Presets: the numbers to know, dense and per direction, each with its source."""

from __future__ import annotations

import pytest

from drillkit.mlsys.hardware import (
    A100,
    B200,
    GPUS,
    H100,
    H200,
    INFINIBAND_HDR,
    INFINIBAND_NDR,
    LINKS,
    NVLINK_4,
    PCIE_5,
    STORES,
)


def test_the_accelerators_have_their_dense_bf16_and_memory_rates():
    assert (A100.flops_per_s, A100.hbm_bytes_per_s) == (312e12, 2.04e12)
    assert (H100.flops_per_s, H100.hbm_bytes_per_s) == (989e12, 3.35e12)
    assert (H200.flops_per_s, H200.hbm_bytes_per_s) == (989e12, 4.8e12)
    assert (B200.flops_per_s, B200.hbm_bytes_per_s) == (2.25e15, 8e12)


def test_links_are_per_direction_in_bytes():
    assert NVLINK_4.bytes_per_s == 900e9 / 2
    assert INFINIBAND_NDR.bytes_per_s == 400e9 / 8
    assert INFINIBAND_HDR.bytes_per_s == 200e9 / 8
    assert PCIE_5.bytes_per_s == 64e9
    assert H100.nvlink is NVLINK_4


def test_ridges_are_295_and_153():
    assert H100.ridge_flops_per_byte == pytest.approx(295, rel=0.001)
    assert A100.ridge_flops_per_byte == pytest.approx(153, rel=0.001)


def test_every_number_says_where_it_is_from():
    assert all(one.source for group in (GPUS, LINKS, STORES) for one in group.values())
