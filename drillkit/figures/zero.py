"""ZeRO memory bars: what one GPU holds at each stage, against the memory it has."""

from __future__ import annotations

from typing import Any

from drillkit.algebra.format import format_count, format_number
from drillkit.figures.drawing import Cells, Line, Role, Size, Span, line, wrapped
from drillkit.figures.figure import Figure, Kind, Number, Part, Preset, Question
from drillkit.figures.parameters import (
    Amount,
    Choice,
    Values,
    counting,
    doublings,
    number,
    size_text,
    whole,
)
from drillkit.mlsys.activations import activation_bytes_per_layer
from drillkit.mlsys.hardware import H100
from drillkit.mlsys.memory import ADAMW, GB, ModelStates, model_states
from drillkit.mlsys.traffic import data_parallel_bytes

STAGES = ("DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3")
DIVIDES = (
    "nothing",
    "the optimizer states",
    "optimizer states and gradients",
    "optimizer states, gradients and weights",
)
# A part of a bar: letter, name, role, fill, the first stage that divides it, bytes a parameter.
PARTS: tuple[tuple[str, str, Role, str, int, float], ...] = (
    ("W", "weights", "weights", "█", 3, ADAMW.weight),
    ("G", "gradients", "gradients", "▓", 2, ADAMW.grad),
    ("O", "optimizer states", "optimizer", "▒", 1, ADAMW.optimizer),
    ("A", "activations", "activations", "░", 4, 0),
)
NAME_WIDTH = 17
VERDICT_WIDTH = 20
SIZES = (1.3e9, 2.7e9, 6.7e9, 7e9, 7.5e9, 8e9, 13e9, 20e9, 30e9, 40e9, 65e9, 70e9, 100e9, 175e9)


def gb(size_bytes: float) -> str:
    """Return bytes in GB, whatever their size: the bars share one unit."""
    return f"{format_number(size_bytes / GB, 4)} GB"


def draw(values: Values, size: Size, results: tuple[Any, ...] = ()) -> Figure:
    """Return the bars of all four stages, the chosen one marked, and its parts in numbers."""
    del results
    limit = H100.memory_bytes
    stage, ranks, tp = whole(values, "stage"), whole(values, "N"), whole(values, "tp")
    slice_params = number(values, "P") / tp
    kept, rebuilt = _activations(values)
    every = [model_states(slice_params, ranks=ranks, zero_stage=each) for each in range(4)]
    states = every[stage]
    total = states.total_bytes + kept + rebuilt
    sent = data_parallel_bytes(slice_params, ranks, zero_stage=stage)
    passes, over = 3 if stage == 3 else 2, f"/{tp}" if tp > 1 else ""
    bar = max(size.columns - NAME_WIDTH - VERDICT_WIDTH, 20)
    scale = bar / (1.04 * max(limit, *(one.total_bytes + kept + rebuilt for one in every)))
    lines = [_limit_line(limit, scale, bar)]
    # Where there is room, a bar is two rows high.
    tall = size.rows >= 18
    for each, one in enumerate(every):
        lines += _bar(each, stage, one, kept + rebuilt, limit, scale, bar, tall=tall)
    lines += [_axis(scale, bar), line("")]
    lines += _details(values, states, kept, rebuilt, size.columns)
    lines += wrapped(
        [
            Span(f"Data parallelism sends {size_text(sent)} a GPU and step"),
            Span(
                f"({passes} × 2P{over} × {ranks - 1}/{ranks}: "
                + ("reduce-scatter, two all-gathers)" if stage == 3 else "as much as DDP)"),
                "muted",
            ),
        ],
        size.columns,
        " ",
    )
    numbers = {
        "weights": _bytes(states.weight_bytes),
        "gradients": _bytes(states.grad_bytes),
        "optimizer": _bytes(states.optimizer_bytes),
        "states": _bytes(states.total_bytes),
        "activations": _bytes(kept),
        "recomputed_layer": _bytes(rebuilt),
        "total": _bytes(total),
        "limit": _bytes(limit),
        "states_fit": _verdict(states.total_bytes <= limit),
        "fits": _verdict(total <= limit),
        "gpus": Number(ranks * tp, "GPU", f"{ranks * tp:,} GPUs"),
        "sent": Number(sent, "byte", size_text(sent)),
        "sent_over_ddp": Number(passes / 2, "×", f"{format_number(passes / 2)} ×"),
    }
    return Figure(tuple(lines), _reading(stage, ranks, states, kept + rebuilt, limit), numbers)


def _activations(values: Values) -> tuple[float, float]:
    """Return the bytes that are kept, and those of the layer that is rebuilt at a time."""
    tp, layers = whole(values, "tp"), whole(values, "L")
    full = values["checkpoint"] == "full"

    def per_layer(*, recompute: bool) -> float:
        return activation_bytes_per_layer(
            whole(values, "s"),
            whole(values, "b"),
            whole(values, "h"),
            whole(values, "a"),
            tp=tp,
            sequence_parallel=tp > 1,
            recompute="full" if recompute else "none",
            flash=values["attention"] == "flash",
        )

    return layers * per_layer(recompute=full), per_layer(recompute=False) if full else 0.0


def _bytes(size_bytes: float) -> Number:
    return Number(size_bytes, "byte", gb(size_bytes))


def _verdict(fits: bool) -> Number:  # noqa: FBT001 a word for a truth
    word = "yes" if fits else "no"
    return Number(word, "", word)


def _limit_line(limit: float, scale: float, bar: int) -> Line:
    cells = Cells(NAME_WIDTH + bar)
    cells.put(0, "on each GPU", "muted")
    text = f"{gb(limit)} ▼"
    cells.put(NAME_WIDTH + round(limit * scale) - len(text) + 1, text, "limit")
    return cells.line()


def _bar(
    each: int,
    chosen: int,
    states: ModelStates,
    activations: float,
    limit: float,
    scale: float,
    bar: int,
    *,
    tall: bool,
) -> list[Line]:
    cells = Cells(NAME_WIDTH + bar + VERDICT_WIDTH)
    second = Cells(NAME_WIDTH + bar)
    role: Role = "strong" if each == chosen else "plain"
    cells.put(0, f"{'►' if each == chosen else ' '} stage {each} {STAGES[each]}", role)
    end = 0.0
    parts = (states.weight_bytes, states.grad_bytes, states.optimizer_bytes, activations)
    for (letter, _, part_role, fill, _, _), size_bytes in zip(PARTS, parts, strict=True):
        start, end = end, end + size_bytes
        left, right = round(start * scale), round(end * scale)
        for row in (cells, second):
            row.put(NAME_WIDTH + left, fill * (right - left), part_role)
        if right - left >= 3:
            cells.put(NAME_WIDTH + (left + right - 1) // 2, letter, part_role)
    for row in (cells, second):
        row.put(NAME_WIDTH + round(limit * scale), "┃", "limit")
    fits = end <= limit
    verdict = f" {gb(end)} {'fits' if fits else 'too much'}"
    cells.put(NAME_WIDTH + bar, verdict, role if fits else "limit")
    between = Cells(NAME_WIDTH + bar)
    between.put(NAME_WIDTH + round(limit * scale), "┃", "limit")
    return [cells.line(), second.line(), between.line()] if tall else [cells.line()]


def _axis(scale: float, bar: int) -> Line:
    cells = Cells(NAME_WIDTH + bar + 4)
    span = bar / scale / GB
    steps = (mark * 10**power for power in range(16) for mark in (1, 2, 5))
    step = next(one for one in steps if span / one <= 6)
    for mark in range(0, int(span) + 1, step):
        at = NAME_WIDTH + round(mark * GB * scale)
        if at + len(f"{mark:,}") <= NAME_WIDTH + bar:
            cells.put(at, f"{mark:,}", "muted")
    cells.put(NAME_WIDTH + bar + 1, "GB", "muted")
    return cells.line()


def _details(
    values: Values, states: ModelStates, kept: float, rebuilt: float, columns: int
) -> list[Line]:
    stage, ranks, tp = whole(values, "stage"), whole(values, "N"), whole(values, "tp")
    sizes = (states.weight_bytes, states.grad_bytes, states.optimizer_bytes, kept + rebuilt)
    spans = []
    for (letter, name, role, fill, from_stage, per_param), size_bytes in zip(
        PARTS, sizes, strict=True
    ):
        if per_param:
            over = ([str(tp)] if tp > 1 else []) + ([str(ranks)] if stage >= from_stage else [])
            how = f"{per_param:g}P" + "".join(f"/{each}" for each in over)
        else:
            how = f"{whole(values, 'L')} layers"
            if rebuilt:
                how += f" {gb(kept)} + one rebuilt {gb(rebuilt)}"
        spans.append(Span(f"{fill}{fill} {letter} {name} {how} = {gb(size_bytes)}", role))
    return wrapped(spans, columns)


def _reading(stage: int, ranks: int, states: ModelStates, activations: float, limit: float) -> str:
    held, total = states.total_bytes, states.total_bytes + activations
    if held > limit:
        first = (
            f"{STAGES[stage]}: {gb(held)} crosses the {gb(limit)} line with the model states "
            f"alone: does not fit (activations add {gb(activations)})."
        )
    elif total > limit:
        first = (
            f"{STAGES[stage]}: {gb(held)} of states fit, but with {gb(activations)} of activations "
            f"{gb(total)} crosses the {gb(limit)} line: does not fit."
        )
    else:
        first = (
            f"{STAGES[stage]}: {gb(held)} of states and {gb(activations)} of activations make "
            f"{gb(total)}: fits below {gb(limit)}."
        )
    divided = (
        f"It divides {DIVIDES[stage]} by {format_count(ranks)}" if stage else "It divides nothing"
    )
    return f"{first} {divided}; no stage touches the activations."


def _ddp(stage: str) -> tuple[tuple[str, str], ...]:
    return (("P", "7.5e9"), ("N", "64"), ("stage", stage))


KIND = Kind(
    name="zero",
    about="What each stage divides, and what none touches",
    parameters=(
        Amount("P", "parameters", 7e9, (*SIZES, 405e9, 540e9, 1e12), 1e6, 1e14, "param", "params"),
        Amount("N", "DP GPUs", 8, doublings(1, 4096), 1, 1e6, "GPU", "GPUs"),
        Amount("stage", "of ZeRO", 0, counting(0, 3), 0, 3),
        Amount("s", "tokens", 4096, doublings(512, 131_072), 1, 1e7, "token", "tokens"),
        Amount("b", "sequences", 1, doublings(1, 16), 1, 1024, "sequence", "sequences"),
        Choice("attention", "", "flash", ("flash", "standard")),
        Choice("checkpoint", "", "none", ("none", "full")),
        Amount("tp", "GPUs a layer", 1, doublings(1, 16), 1, 64, "GPU", "GPUs"),
        Amount("L", "layers", 32, (*counting(8, 128),), 1, 1000, "layer", "layers"),
        Amount("h", "hidden size", 4096, doublings(1024, 32_768), 1, 1e6),
        Amount("a", "heads", 32, doublings(8, 256), 1, 4096, "head", "heads"),
    ),
    drawer=draw,
    presets=(
        Preset("7B on 8 GPUs", ()),
        Preset("7B on 64 GPUs", (("N", "64"),)),
        Preset("7.5B on 64 GPUs (the ZeRO paper)", _ddp("0")),
        Preset("7B, 8,192 tokens, standard attention", (("s", "8192"), ("attention", "standard"))),
        Preset(
            "70B on 64 GPUs",
            (("P", "70.6e9"), ("N", "64"), ("stage", "3"), ("L", "80"), ("h", "8192"), ("a", "64")),
        ),
    ),
    questions=(
        Question(
            "zero-memory",
            "A model of 7.5B parameters trains with mixed-precision AdamW on 64 GPUs. How much "
            "memory do its model states take on each GPU under DDP, and how much under ZeRO-3?",
            (
                Part("DDP", "states", "GB", _ddp("0")),
                Part("ZeRO-3", "states", "GB", _ddp("3")),
            ),
            "16 bytes a parameter are 120 GB; ZeRO-3 divides all of them by 64: 1.875 GB. ZeRO-1 "
            "keeps 4P + 12P/64 = 31.4 GB, ZeRO-2 2P + 14P/64 = 16.6 GB.",
        ),
        Question(
            "zero-traffic",
            "ZeRO-3 holds only 1/64 of every tensor on each of the 64 GPUs. How many times the "
            "traffic of DDP does it send?",
            (Part("ZeRO-3 over DDP", "sent_over_ddp", "×", _ddp("3")),),
            "Two all-gathers of the weights and one reduce-scatter of the gradients are 3P values; "
            "DDP's all-reduce is a reduce-scatter and an all-gather, 2P.",
        ),
    ),
)
