"""Collectives by definition: what every rank holds before and after."""

from __future__ import annotations

from typing import Any, cast

from drillkit.algebra.format import format_number
from drillkit.figures.drawing import Line, Role, Size, Span, line
from drillkit.figures.figure import Figure, Kind, Number, Preset
from drillkit.figures.parameters import Amount, Choice, Values, counting, whole
from drillkit.mlsys.collectives import COLLECTIVES, Collective, ring_factor, ring_rounds

MOST_RANKS = 8
LETTERS = "abcdefgh"
NOTHING = "·"
SAYS: dict[Collective, str] = {
    "all-reduce": "every rank ends with the sum of all ranks' vectors",
    "reduce-scatter": "rank r ends with chunk r of the sum, 1/p of it",
    "all-gather": "every rank starts with one chunk and ends with all of them",
    "all-to-all": "rank r sends its chunk c to rank c: rows become columns",
    "broadcast": "every rank ends with what rank 0 held",
}
USED: dict[Collective, str] = {
    "all-reduce": "DDP's gradients, tensor parallelism's activations",
    "reduce-scatter": "the gradients of ZeRO and FSDP, the first half of a ring all-reduce",
    "all-gather": "the weights of ZeRO and FSDP, the second half of a ring all-reduce",
    "all-to-all": "the tokens of a mixture of experts, Ulysses' heads",
    "broadcast": "the weights at the start, or after loading a checkpoint on one rank",
}


def before(op: Collective, ranks: int) -> list[list[str]]:
    """Return what each rank holds at first, chunk by chunk: `b2` is rank 1's value of chunk 2."""
    return [
        [
            f"{LETTERS[rank]}{chunk}"
            if (op not in {"all-gather", "broadcast"})
            or (op == "all-gather" and chunk == rank)
            or (op == "broadcast" and rank == 0)
            else NOTHING
            for chunk in range(ranks)
        ]
        for rank in range(ranks)
    ]


def after(op: Collective, ranks: int) -> list[list[str]]:
    """Return what each rank holds at last; `Σ2` is the sum of all ranks' chunk 2."""

    def held(rank: int, chunk: int) -> str:
        match op:
            case "all-reduce":
                return f"Σ{chunk}"
            case "reduce-scatter":
                return f"Σ{chunk}" if chunk == rank else NOTHING
            case "all-gather":
                return f"{LETTERS[chunk]}{chunk}"
            case "all-to-all":
                return f"{LETTERS[chunk]}{rank}"
            case _:
                return f"a{chunk}"

    return [[held(rank, chunk) for chunk in range(ranks)] for rank in range(ranks)]


def draw(values: Values, size: Size, results: tuple[Any, ...] = ()) -> Figure:
    """Return the two tables side by side."""
    del size, results
    op, ranks = cast("Collective", values["op"]), whole(values, "p")
    factor, rounds = float(ring_factor(op, ranks)), ring_rounds(op, ranks)
    first, last = before(op, ranks), after(op, ranks)
    width = 3 * ranks
    lines = [
        line(f"{'':<9}{'before':<{width}}       {'after':<{width}}", "muted"),
        *(_row(rank, first[rank], last[rank], middle=rank == ranks // 2) for rank in range(ranks)),
        line(""),
        line("b2 rank 1's chunk 2   Σ2 the sum of every rank's chunk 2   · nothing", "muted"),
        line(f"Used for {USED[op]}."),
    ]
    sent = f"{format_number(factor, 4)} S"
    reading = (
        f"{op.capitalize()}: {SAYS[op]}. In a ring each rank sends {_formula(op)} = {sent} of a "
        f"vector of S bytes, in {rounds} rounds."
    )
    numbers = {
        "sent_over_size": Number(factor, "×", f"{format_number(factor, 4)} ×"),
        "rounds": Number(rounds, "", str(rounds)),
        "before": Number("; ".join(" ".join(row) for row in first), "", "one row a rank"),
        "after": Number("; ".join(" ".join(row) for row in last), "", "one row a rank"),
    }
    return Figure(tuple(lines), reading, numbers)


def _row(rank: int, first: list[str], last: list[str], *, middle: bool) -> Line:
    arrow = "  ──→  " if middle else " " * 7
    return (
        Span(f"{f'rank {rank}':<9}", "muted"),
        *(_cell(one) for one in first),
        Span(arrow, "strong"),
        *(_cell(one) for one in last),
    )


def _cell(held: str) -> Span:
    role: Role = "plain"
    if held == NOTHING:
        role = "muted"
    elif held.startswith("Σ"):
        role = "complete"
    return Span(f"{held:<3}", role)


def _formula(op: Collective) -> str:
    return "2(p − 1)/p" if op == "all-reduce" else "(p − 1)/p"


KIND = Kind(
    name="collectives",
    about="What each leaves on every rank",
    parameters=(
        Choice("op", "", "all-reduce", COLLECTIVES),
        Amount("p", "ranks", 4, counting(2, MOST_RANKS), 2, MOST_RANKS, "rank", "ranks"),
    ),
    drawer=draw,
    presets=tuple(Preset(op, (("op", op),)) for op in COLLECTIVES),
)
