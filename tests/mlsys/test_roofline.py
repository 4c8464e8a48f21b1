"""Rooflines of HBM, the network and storage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.mlsys.hardware import A100, H100
from drillkit.mlsys.roofline import (
    attainable_flops_per_s,
    crossing_rows,
    decode_step_s,
    loader_bytes_per_s,
    matmul_intensity,
    matmul_point,
    sample_bytes,
    step_bound,
    transfer_s,
    two_way_min_inner,
)


def point(rows, gpu=H100):
    return matmul_point(
        rows, 4096, 4096, flops_per_s=gpu.flops_per_s, bytes_per_s=gpu.hbm_bytes_per_s
    )


def test_one_row_reaches_a_third_of_a_percent_of_an_h100():
    alone = point(1)
    assert alone.intensity == pytest.approx(1.0, abs=0.001)
    assert alone.bound == "memory"
    assert alone.peak_fraction == pytest.approx(0.0034, abs=0.00005)


def test_an_h100_crosses_its_ridge_between_256_and_512_rows():
    assert point(256).intensity == pytest.approx(227.6, abs=0.05)
    assert point(512).intensity == pytest.approx(409.6, abs=0.05)
    assert (point(256).bound, point(512).bound) == ("memory", "compute")
    assert point(512).flops_per_s == H100.flops_per_s


@pytest.mark.parametrize(("gpu", "rows"), [(H100, 345), (A100, 165)])
def test_the_crossing_is_later_than_the_ridge(gpu, rows):
    crossing = crossing_rows(gpu.ridge_flops_per_byte, 4096, 4096)
    assert crossing == pytest.approx(rows, abs=0.5)
    assert matmul_intensity(crossing, 4096, 4096) == pytest.approx(gpu.ridge_flops_per_byte)


def test_a_matmul_too_small_never_crosses():
    with pytest.raises(ValueError, match="stays below"):
        crossing_rows(295, 256, 256)


@given(rows=st.integers(1, 10**6), inner=st.integers(1, 10**5), columns=st.integers(1, 10**5))
def test_intensity_is_below_every_size_and_symmetric(rows, inner, columns):
    intensity = matmul_intensity(rows, inner, columns)
    assert intensity < min(rows, inner, columns) * (1 + 1e-12)
    assert intensity == pytest.approx(matmul_intensity(columns, rows, inner))


def test_the_mlp_of_4096_tokens_is_far_above_the_ridge():
    assert matmul_intensity(4096, 4096, 16384) == pytest.approx(1820, abs=1)


def test_the_roof_slants_up_to_the_ridge_and_is_flat_after():
    assert attainable_flops_per_s(100, 989e12, 3.35e12) == 3.35e14
    assert attainable_flops_per_s(1000, 989e12, 3.35e12) == 989e12


def test_overlapping_work_takes_the_longest_time_and_other_work_the_sum():
    """C15."""
    times = {"compute": 3.75, "network": 0.56, "storage": 0.1}
    assert step_bound(times, overlap=True).step_s == 3.75
    assert step_bound(times, overlap=False).step_s == pytest.approx(4.41)
    assert step_bound(times, overlap=False).binding == "compute"
    with pytest.raises(ValueError, match="no resource"):
        step_bound({}, overlap=True)


def test_the_loader_of_a_language_model_is_idle_and_of_a_weather_model_is_not():
    assert loader_bytes_per_s(4_194_304, 4, 3.75) / 1e6 == pytest.approx(4.47, abs=0.01)
    sample = sample_bytes(2, 70, 721, 1440)
    assert sample / 1e6 == pytest.approx(290.7, abs=0.05)
    assert loader_bytes_per_s(64, sample, 0.7) / 1e9 == pytest.approx(26.6, abs=0.05)


def test_decoding_reads_the_caches_and_weights_until_compute_takes_longer():
    pod = {"kv_bytes": 819e6, "weight_bytes": 30e9, "bytes_per_s": 12.96e12}
    reading = decode_step_s(4, **pod)
    assert reading == pytest.approx(transfer_s(4 * 819e6 + 30e9, 12.96e12))
    both = decode_step_s(256, **pod, params=30e9, flops_per_s=3.152e15)
    assert both == pytest.approx(0.021, rel=0.005)
    with pytest.raises(ValueError, match="flops_per_s"):
        decode_step_s(4, **pod, params=30e9)


def test_a_split_matmul_needs_an_inner_size_of_twice_the_ridge():
    assert two_way_min_inner(197e12, 45e9) == pytest.approx(8755, abs=1)
