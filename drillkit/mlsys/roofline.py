"""Rooflines: what bounds an operation or a step, be it compute, HBM, the network or storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from drillkit.mlsys.domain import at_least, positive

if TYPE_CHECKING:
    from collections.abc import Mapping


def ridge_flops_per_byte(flops_per_s: float, bytes_per_s: float) -> float:
    """Return the intensity F/β at which compute and transfer take equally long, in FLOP per byte.

    Raises `ValueError` for no rate. Source: Williams et al. 2009 (Roofline).
    """
    positive(flops_per_s=flops_per_s, bytes_per_s=bytes_per_s)
    return flops_per_s / bytes_per_s


def attainable_flops_per_s(intensity: float, flops_per_s: float, bytes_per_s: float) -> float:
    """Return the roof over an intensity in FLOP per byte: min(F, I·β).

    Raises `ValueError` for no rate or intensity. Source: Williams et al. 2009.
    """
    positive(intensity=intensity, flops_per_s=flops_per_s, bytes_per_s=bytes_per_s)
    return min(flops_per_s, intensity * bytes_per_s)


def matmul_flops(rows: float, inner: float, columns: float) -> float:
    """Return the FLOPs of a (rows × inner)·(inner × columns) product, 2·B·D·F.

    Raises `ValueError` for a size that is not above zero. Source: a multiply and an add a term.
    """
    positive(rows=rows, inner=inner, columns=columns)
    return 2 * rows * inner * columns


def matmul_bytes(rows: float, inner: float, columns: float, bytes_per_value: float = 2) -> float:
    """Return the bytes such a product moves when it reads and writes everything once.

    Raises `ValueError` for a size that is not above zero. Source: as `matmul_intensity`.
    """
    positive(rows=rows, inner=inner, columns=columns, bytes_per_value=bytes_per_value)
    return bytes_per_value * (rows * inner + inner * columns + rows * columns)


def matmul_intensity(
    rows: float, inner: float, columns: float, bytes_per_value: float = 2
) -> float:
    """Return FLOP per byte of a matmul; BDF/(BD + DF + BF) in bf16, close to B when B is small.

    Raises `ValueError` for a size that is not above zero.
    Source: How to Scale Your Model (jax-ml.github.io/scaling-book), Rooflines.
    """
    return matmul_flops(rows, inner, columns) / matmul_bytes(rows, inner, columns, bytes_per_value)


def crossing_rows(ridge: float, inner: float, columns: float) -> float:
    """Return the rows B from which a bf16 matmul is compute-bound: I/(1 − I(1/D + 1/F)).

    `ridge` is in FLOP per byte; the answer is not rounded. Raises `ValueError` when the other two
    sizes are so small that no B reaches the ridge. Source: `matmul_intensity` = ridge, solved.
    """
    positive(ridge=ridge, inner=inner, columns=columns)
    room = 1 - ridge * (1 / inner + 1 / columns)
    if room <= 0:
        raise ValueError(
            f"a matmul with D = {inner:g} and F = {columns:g} stays below {ridge:g} FLOP/byte"
        )
    return ridge / room


@dataclass(frozen=True)
class RooflinePoint:
    """Where a matmul sits: FLOP per byte, FLOP/s reached, their fraction of peak, what binds."""

    intensity: float
    flops_per_s: float
    peak_fraction: float
    bound: Literal["memory", "compute"]


def matmul_point(
    rows: float, inner: float, columns: float, *, flops_per_s: float, bytes_per_s: float
) -> RooflinePoint:
    """Return the best that a bf16 matmul can reach on a device.

    Raises `ValueError` for a size or rate that is not above zero. Source: Williams et al. 2009.
    """
    intensity = matmul_intensity(rows, inner, columns)
    reached = attainable_flops_per_s(intensity, flops_per_s, bytes_per_s)
    below = intensity < ridge_flops_per_byte(flops_per_s, bytes_per_s)
    return RooflinePoint(
        intensity, reached, reached / flops_per_s, "memory" if below else "compute"
    )


def two_way_min_inner(flops_per_s: float, bytes_per_s: float) -> float:
    """Return the inner size D from which a bf16 matmul split over D on two devices is worth it.

    Compute-bound, that is: each does BDF FLOPs and sends 2BF bytes of partial sums, so D = 2F/β.
    Raises `ValueError` for no rate. Source: How to Scale Your Model, Rooflines, network
    communication.
    """
    return 2 * ridge_flops_per_byte(flops_per_s, bytes_per_s)


def transfer_s(size_bytes: float, bytes_per_s: float) -> float:
    """Return the seconds to move bytes at a rate. Raises `ValueError` for no rate.

    Source: the bandwidth roof.
    """
    at_least(0, size_bytes=size_bytes)
    positive(bytes_per_s=bytes_per_s)
    return size_bytes / bytes_per_s


@dataclass(frozen=True)
class StepBound:
    """The least time of a step and the resource that takes longest in it."""

    step_s: float
    binding: str


def step_bound(times_s: Mapping[str, float], *, overlap: bool) -> StepBound:
    """Return the least time of a step from the seconds each resource needs on its own.

    When the work overlaps it is the longest, when nothing does the sum. Raises `ValueError` for no
    resources or a negative time. Source: the max rule of the roofline, per resource.
    """
    if not times_s:
        raise ValueError("times_s names no resource")
    at_least(0, **times_s)
    binding = max(times_s, key=times_s.__getitem__)
    return StepBound(times_s[binding] if overlap else sum(times_s.values()), binding)


def sample_bytes(
    fields: float, channels: float, height: float, width: float, bytes_per_value: float = 2
) -> float:
    """Return the bytes of one sample of gridded data: fields × channels × height × width values.

    Raises `ValueError` for a size that is not above zero. Source: the count of values.
    """
    positive(
        fields=fields,
        channels=channels,
        height=height,
        width=width,
        bytes_per_value=bytes_per_value,
    )
    return fields * channels * height * width * bytes_per_value


def loader_bytes_per_s(items_per_step: float, item_bytes: float, step_s: float) -> float:
    """Return what storage must sustain so that the loader keeps up, in bytes per second.

    An item is a sample or a token. Raises `ValueError` for a value that is not above zero.
    Source: bytes per step over step time.
    """
    positive(items_per_step=items_per_step, item_bytes=item_bytes, step_s=step_s)
    return items_per_step * item_bytes / step_s


def decode_step_s(
    batch: float,
    *,
    kv_bytes: float,
    weight_bytes: float,
    bytes_per_s: float,
    params: float = 0,
    flops_per_s: float = 0,
) -> float:
    """Return the seconds of one decoding step of `batch` sequences, `kv_bytes` of cache each.

    Reading every cache and the weights once; the weights' part is the longer of reading them and,
    where `params` and `flops_per_s` are given, of 2BΨ FLOPs. Raises `ValueError` for no batch or
    rate. Source: How to Scale Your Model, Transformer inference.
    """
    positive(batch=batch)
    compute_s = 0.0
    if params:
        positive(flops_per_s=flops_per_s)
        compute_s = 2 * batch * params / flops_per_s
    weights_s = max(compute_s, transfer_s(weight_bytes, bytes_per_s))
    return transfer_s(batch * kv_bytes, bytes_per_s) + weights_s
