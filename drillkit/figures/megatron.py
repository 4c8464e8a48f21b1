"""Megatron's split of an MLP: columns first and then rows, and what goes wrong the other way."""

from __future__ import annotations

import math
from typing import Any

from drillkit.algebra.format import format_number
from drillkit.figures.drawing import Line, Role, Size, Span, line
from drillkit.figures.figure import Figure, Kind, Number, Preset
from drillkit.figures.parameters import Amount, Choice, Values, whole

OWNERS: tuple[Role, ...] = ("weights", "gradients", "optimizer", "activations")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def gelu(x: float) -> float:
    """Return GeLU(x) = x·Φ(x). Source: Hendrycks and Gimpel 2016 (arXiv:1606.08415), §2."""
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def draw(values: Values, size: Size, results: tuple[Any, ...] = ()) -> Figure:
    """Return which GPU holds which part of both matrices, and the path from X to Z."""
    del size, results
    degree, by_columns = whole(values, "t"), values["split"] == "column"
    reduces = 1 if by_columns else 2
    lines = [
        *_matrices(degree, by_columns=by_columns),
        line(""),
        *(_path(rank, by_columns=by_columns) for rank in range(degree)),
        line(""),
        line("═╪═ all-reduce: the partial sums are added over all GPUs", "limit"),
    ]
    both, apart = gelu(2 - 2), gelu(2) + gelu(-2)
    if by_columns:
        reading = (
            f"Columns of A feed rows of B: each of {degree} GPUs computes GeLU(XAᵢ)·Bᵢ alone, and "
            "a single all-reduce at the end adds the partial sums. Backward has one more, at X."
        )
    else:
        reading = (
            "Rows of A give partial sums XᵢAᵢ, and GeLU of a sum is not the sum of GeLUs: "
            f"GeLU(2 − 2) = {format_number(both)}, GeLU(2) + GeLU(−2) = {format_number(apart)}. "
            "So an extra all-reduce must come before GeLU: 2 in place of 1."
        )
    numbers = {
        "all_reduces_forward": Number(reduces, "", str(reduces)),
        "gelu_of_sum": Number(both, "", format_number(both)),
        "sum_of_gelus": Number(apart, "", format_number(apart)),
        "weights_per_gpu": Number(1 / degree, "", f"1/{degree} of A and of B"),
    }
    return Figure(tuple(lines), reading, numbers)


def _matrices(degree: int, *, by_columns: bool) -> list[Line]:
    """Draw A (h × 4h) and B (4h × h) with the number of the GPU that holds each part."""
    wide, tall = 16, 8
    first_a = f"A (h × 4h), {'columns' if by_columns else 'rows'}"
    lines = [line(f"{first_a:<{wide + 10}}B (4h × h), rows", "muted")]
    for row in range(tall):
        spans: list[Span] = []
        if row < tall // 2:
            for column in range(wide):
                owner = column * degree // wide if by_columns else row * degree // (tall // 2)
                spans.append(Span(str(owner), OWNERS[owner % len(OWNERS)]))
        else:
            spans.append(Span(" " * wide))
        spans.append(Span(" " * 10))
        owner = row * degree // tall
        spans.append(Span(str(owner) * 8, OWNERS[owner % len(OWNERS)]))
        lines.append(tuple(spans))
    return lines


def _path(rank: int, *, by_columns: bool) -> Line:
    number = str(rank).translate(SUBSCRIPTS)
    own = OWNERS[rank % len(OWNERS)]
    reduce = Span("═╪═", "limit")
    name = Span(f"GPU {rank}  ", "muted")
    if by_columns:
        return (
            name,
            Span("X ──→ "),
            Span(f"[A{number}]", own),
            Span(f" ──→ GeLU(XA{number}) ──→ "),
            Span(f"[B{number}]", own),
            Span(f" ──→ Z{number} "),
            reduce,
            Span("→ Z"),
        )
    return (
        name,
        Span(f"X{number} ──→ "),
        Span(f"[A{number}]", own),
        Span(f" ──→ X{number}A{number} "),
        reduce,
        Span(f"→ GeLU(XA), part {rank} ──→ "),
        Span(f"[B{number}]", own),
        Span(f" ──→ Z{number} "),
        reduce,
        Span("→ Z"),
    )


KIND = Kind(
    name="megatron",
    about="Why columns come first and rows second",
    parameters=(
        Amount("t", "GPUs", 2, (2.0, 4.0), 2, 4, "GPU", "GPUs"),
        Choice("split", "of A", "column", ("column", "row")),
    ),
    drawer=draw,
    presets=(
        Preset("columns, 2 GPUs", ()),
        Preset("columns, 4 GPUs", (("t", "4"),)),
        Preset("rows first", (("split", "row"),)),
    ),
)
