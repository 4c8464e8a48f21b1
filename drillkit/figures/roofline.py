"""The roofline of a GPU, and where a matrix product lies under it."""

from __future__ import annotations

from typing import Any

from drillkit.algebra.format import format_number
from drillkit.figures.drawing import Size, Span, line, wrapped
from drillkit.figures.figure import Figure, Kind, Number, Part, Preset, Question
from drillkit.figures.parameters import Amount, Choice, Values, doublings, size_text, whole
from drillkit.figures.plot import Axis, Curve, Dot, Upright, plot
from drillkit.mlsys.hardware import GPUS
from drillkit.mlsys.roofline import (
    attainable_flops_per_s,
    crossing_rows,
    matmul_bytes,
    matmul_flops,
    matmul_point,
)

INTENSITIES = Axis(
    0.3, 10_000, ((1, "1"), (10, "10"), (100, "100"), (1000, "1,000"), (1e4, "10,000")), log=True
)
RATES = Axis(
    3e11, 5e15, ((1e12, "1 T"), (1e13, "10 T"), (1e14, "100 T"), (1e15, "1,000 T")), log=True
)


def draw(values: Values, size: Size, results: tuple[Any, ...] = ()) -> Figure:
    """Return both roofs on logarithmic axes, the dashed ridge, and the product's point."""
    del results
    gpu = GPUS[str(values["gpu"])]
    rows, inner, columns = whole(values, "B"), whole(values, "D"), whole(values, "F")
    ridge = gpu.ridge_flops_per_byte
    point = matmul_point(
        rows, inner, columns, flops_per_s=gpu.flops_per_s, bytes_per_s=gpu.hbm_bytes_per_s
    )

    def roof(intensity: float) -> tuple[float, float]:
        return intensity, attainable_flops_per_s(intensity, gpu.flops_per_s, gpu.hbm_bytes_per_s)

    picture = plot(
        INTENSITIES,
        RATES,
        [
            Curve(
                (roof(INTENSITIES.low), roof(ridge / 5)),
                "lost",
                f"memory {bandwidth(gpu.hbm_bytes_per_s)}",
            ),
            Curve((roof(ridge / 5), roof(ridge)), "lost"),
            Curve(
                (roof(ridge), roof(ridge * 5), roof(INTENSITIES.high)),
                "total",
                f"compute {rate(gpu.flops_per_s)}",
            ),
        ],
        size._replace(rows=max(size.rows - 3, 6)),
        dots=[
            Dot(point.intensity, point.flops_per_s, "●", "mark", f"B = {rows:,}"),
        ],
        uprights=[Upright(ridge, "limit", f"ridge {format_number(ridge)}")],
    )
    percent = f"{format_number(100 * point.peak_fraction)} %"
    lines = (
        (Span("FLOP/s", "muted"), Span(f"  {gpu.name}, bf16, both axes logarithmic", "muted")),
        *picture,
        line("FLOP per byte".rjust(size.columns - 2), "muted"),
        *wrapped(
            [
                Span(f"● ({rows:,} × {inner:,})·({inner:,} × {columns:,}):", "mark"),
                Span(f"{format_number(point.intensity, 4)} FLOP/byte", "mark"),
                Span(rate(point.flops_per_s), "mark"),
                Span(f"{percent} of peak", "mark"),
            ],
            size.columns,
            "  ",
        ),
    )
    flops, moved = matmul_flops(rows, inner, columns), matmul_bytes(rows, inner, columns)
    crossing = _crossing(ridge, inner, columns)
    numbers = {
        "intensity": _per_byte(point.intensity),
        "ridge": _per_byte(ridge),
        "reached": Number(point.flops_per_s, "FLOP/s", rate(point.flops_per_s)),
        "peak": Number(gpu.flops_per_s, "FLOP/s", rate(gpu.flops_per_s)),
        "bandwidth": Number(gpu.hbm_bytes_per_s, "byte/s", bandwidth(gpu.hbm_bytes_per_s)),
        "peak_fraction": Number(point.peak_fraction, "", percent),
        "bound": Number(point.bound, "", point.bound),
        "flops": Number(flops, "FLOP", f"{format_number(flops / 1e9, 4)} GFLOP"),
        "bytes": Number(moved, "byte", size_text(moved)),
        "crossing": Number(
            crossing, "", f"B = {format_number(crossing, 4)}" if crossing else "none"
        ),
    }
    compared = "below" if point.bound == "memory" else "above"
    turns = (
        f"It turns compute-bound at B ≈ {format_number(round(crossing))}."
        if crossing
        else "With these D and F no B makes it compute-bound."
    )
    reading = (
        f"{point.bound.capitalize()}-bound: {format_number(point.intensity, 4)} FLOP/byte lies "
        f"{compared} the {gpu.name} ridge of {format_number(ridge)}; at best {percent} of peak. "
        f"{turns}"
    )
    return Figure(lines, reading, numbers)


def rate(flops_per_s: float) -> str:
    """Return FLOP/s in TFLOP/s, as datasheets have them."""
    return f"{format_number(flops_per_s / 1e12, 4)} TFLOP/s"


def bandwidth(bytes_per_s: float) -> str:
    """Return bytes per second in TB/s."""
    return f"{format_number(bytes_per_s / 1e12, 4)} TB/s"


def _per_byte(intensity: float) -> Number:
    return Number(intensity, "FLOP/byte", f"{format_number(intensity, 4)} FLOP/byte")


def _crossing(ridge: float, inner: int, columns: int) -> float:
    """Return the rows at which the product turns compute-bound, 0 where none do."""
    try:
        return crossing_rows(ridge, inner, columns)
    except ValueError:
        return 0.0


SIDES = doublings(128, 65_536)
KIND = Kind(
    name="roofline",
    about="When a matrix product waits for memory",
    parameters=(
        Choice("gpu", "", "h100", tuple(GPUS)),
        Amount("B", "rows", 1, doublings(1, 65_536), 1, 1e8),
        Amount("D", "inner size", 4096, SIDES, 1, 1e7),
        Amount("F", "columns", 4096, SIDES, 1, 1e7),
    ),
    drawer=draw,
    presets=(
        Preset("decoding, B = 1", ()),
        Preset("B = 256, below the ridge", (("B", "256"),)),
        Preset("B = 512, above it", (("B", "512"),)),
        Preset("A100, B = 165", (("gpu", "a100"), ("B", "165"))),
        Preset("MLP of 4,096 tokens", (("B", "4096"), ("F", "16384"))),
    ),
    questions=(
        Question(
            "roofline-decode",
            "An H100 multiplies one row of 4,096 values with a 4,096 × 4,096 bf16 matrix. Which "
            "share of its peak FLOP/s can it reach at best?",
            (Part("share of peak", "peak_fraction", "%", ()),),
            "One row has 1 FLOP per byte; the ridge is at 295. It can reach 1/295 of the peak.",
        ),
    ),
)
