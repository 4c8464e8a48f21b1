"""Ring all-reduce, step by step: which chunk moves, what each rank has summed, what it has sent."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from drillkit.algebra.format import format_number
from drillkit.figures.drawing import Cells, Line, Role, Size, Span, line
from drillkit.figures.figure import Figure, Kind, Number, Part, Preset, Question
from drillkit.figures.parameters import (
    Amount,
    Values,
    counting,
    number,
    round_stops,
    size_text,
    whole,
)
from drillkit.mlsys.collectives import RingState, ring_all_reduce_states, ring_factor

MOST_RANKS = 16
NAME_WIDTH = 9


@lru_cache(maxsize=MOST_RANKS)
def _states(ranks: int) -> tuple[RingState, ...]:
    return ring_all_reduce_states(ranks)


def last_step(values: Values) -> int:
    """Return the number of steps, 2(p − 1)."""
    return 2 * (whole(values, "p") - 1)


def draw(values: Values, size: Size, results: tuple[Any, ...] = ()) -> Figure:
    """Return the chunks of every rank after a step, the ones that just moved in brackets."""
    del results
    ranks, vector = whole(values, "p"), number(values, "n")
    step = min(whole(values, "step"), last_step(values))
    state = _states(ranks)[step]
    width = min(9, max(5, (size.columns - NAME_WIDTH) // ranks))
    lines = [_head(ranks, width)]
    lines += [_rank(state, rank, ranks, width) for rank in range(ranks)]
    lines += [line(""), _moved(state, step, ranks), line("")]
    share = step / ranks
    lines.append(_counter(step, ranks, vector, size.columns))
    done = sum(count == ranks for row in state.counts for count in row)
    numbers = {
        "step": Number(step, "", f"{step} of {last_step(values)}"),
        "phase": Number(state.phase, "", state.phase),
        "sent": Number(share * vector, "byte", size_text(share * vector)),
        "sent_over_vector": Number(share, "×", f"{format_number(share, 4)} ×"),
        "complete_chunks": Number(done, "", f"{done} of {ranks * ranks}"),
        "sent_in_all": Number(
            float(ring_factor("all-reduce", ranks)) * vector,
            "byte",
            size_text(float(ring_factor("all-reduce", ranks)) * vector),
        ),
    }
    lines.append(line("[k/p] just arrived   k/p sums k ranks' values   ✓ complete", "muted"))
    return Figure(tuple(lines), _reading(step, ranks, vector), numbers)


def _head(ranks: int, width: int) -> Line:
    cells = Cells(NAME_WIDTH + ranks * width)
    for chunk in range(ranks):
        name = f"chunk {chunk}" if width >= 8 else f"c{chunk}"
        cells.put(NAME_WIDTH + chunk * width + 1, name, "muted")
    return cells.line()


def _rank(state: RingState, rank: int, ranks: int, width: int) -> Line:
    before = (rank - 1) % ranks
    arrived = state.sent[before] if state.sent else -1
    spans = [Span(f"{f'rank {rank}':<{NAME_WIDTH}}", "muted")]
    for chunk, count in enumerate(state.counts[rank]):
        complete = count == ranks
        # With brackets and tick; where that has no room, the count alone.
        roomy = width >= 2 * len(str(ranks)) + 4
        text = (f"{count}/{ranks}" if roomy else str(count)) + ("✓" if complete else "")
        text = f"[{text}]" if chunk == arrived else f" {text} "
        role: Role = "complete" if complete else "plain"
        spans.append(Span(f"{text:<{width}}", "moving" if chunk == arrived else role))
    return tuple(spans)


def _moved(state: RingState, step: int, ranks: int) -> Line:
    if not state.sent:
        return line("Every rank holds its own values of every chunk; nothing has moved yet.")
    verb = "adds it" if state.phase == "reduce-scatter" else "keeps it"
    return line(
        f"Step {step}: rank r sent chunk (r − {step - 1}) mod {ranks} to rank r + 1, which {verb}."
    )


def _counter(step: int, ranks: int, vector: float, columns: int) -> Line:
    steps = 2 * (ranks - 1)
    bar = max(min(columns - 46, 2 * steps, 40), steps) if steps <= columns - 46 else columns - 46
    filled = round(bar * step / steps)
    half = bar // 2
    cells = Cells(bar, "·", "muted")
    cells.put(0, "█" * min(filled, half), "forward")
    cells.put(half, "▓" * max(filled - half, 0), "backward")
    sent = step / ranks
    text = f" {format_number(sent, 4)} n = {size_text(sent * vector)} sent by each rank"
    return (Span("sent ", "muted"), *cells.line(), Span(text, "strong"))


def _reading(step: int, ranks: int, vector: float) -> str:
    half, steps = ranks - 1, 2 * (ranks - 1)
    each = size_text(vector / ranks)
    if step == 0:
        return (
            f"{ranks} ranks, each with {size_text(vector)} in {ranks} chunks of {each}. After "
            f"{half} steps every chunk is complete somewhere, after {steps} everywhere."
        )
    if step < half:
        return (
            f"Reduce-scatter, step {step} of {half}: the fullest chunk of each rank sums "
            f"{step + 1} of {ranks} ranks. No chunk is complete."
        )
    sent = f"{format_number(step / ranks, 4)} n"
    if step == half:
        return (
            f"Exactly one chunk per rank is complete: rank r owns chunk (r + 1) mod {ranks}. "
            f"Stopping here is a reduce-scatter, (p − 1)/p·n = {sent} sent."
        )
    if step < steps:
        return (
            f"All-gather, step {step - half} of {half}: complete chunks travel on as copies; each "
            f"rank holds {step - half + 1} of {ranks}."
        )
    return (
        f"Every rank holds every sum: {sent} sent, 2(p − 1)/p·n, just under 2n however many ranks. "
        "Reduce-scatter and all-gather, half each, are the all-reduce."
    )


KIND = Kind(
    name="ring",
    about="Where 2(p − 1)/p·n comes from",
    parameters=(
        Amount("step", "", 0, counting(0, 2 * (MOST_RANKS - 1)), 0, 2 * (MOST_RANKS - 1)),
        Amount("p", "ranks", 4, counting(2, MOST_RANKS), 2, MOST_RANKS, "rank", "ranks"),
        Amount("n", "vector", 1e9, round_stops(1e6, 1e12), 1, 1e15, "byte", whole=False),
    ),
    drawer=draw,
    presets=(
        Preset("4 ranks", ()),
        Preset("8 ranks, 2 GB", (("p", "8"), ("n", "2 GB"))),
        Preset("7B gradients on 8", (("p", "8"), ("n", "14 GB"))),
    ),
    questions=(
        Question(
            "ring-bytes",
            "8 GPUs run a ring all-reduce on 2 GB of gradients each. How many bytes does each GPU "
            "send?",
            (Part("sent by each GPU", "sent_in_all", "GB", (("p", "8"), ("n", "2 GB"))),),
            "A reduce-scatter and an all-gather send 7/8 of the vector each: 14/8 × 2 GB.",
        ),
    ),
    steps="step",
    last_step=last_step,
)
