"""A rating key to the next card drawn: the real app in a pseudo-terminal, many cards and few."""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING

from bench_start import COUNTED, DRILLKIT
from bench_table import Row, Sizes
from bench_terminal import Terminal
from bench_world import environment, make_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

WARM_UP = 5
REVEALED = b"1 to 4 rate"


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Rate cards good in two sittings in turn; the cards are of one kind, so that all can be."""
    homes = [
        make_home(folder / f"home-{cards}", cards, cards * 5, "recall")
        for cards in (sizes.many_cards, sizes.few_cards)
    ]
    for home in homes:
        with Terminal(DRILLKIT, environment(home), folder) as terminal:
            terminal.wait_for(COUNTED)
    with (
        Terminal(DRILLKIT, environment(homes[0]), folder) as many,
        Terminal(DRILLKIT, environment(homes[1]), folder) as few,
    ):
        found: dict[Terminal, list[tuple[float, float]]] = {many: [], few: []}
        opened = {terminal: _open(terminal) for terminal in found}
        for done in range(1, sizes.ratings + WARM_UP + 1):
            for terminal, taken in found.items():
                taken.append(_rate(terminal, done))
    (waited, worked), (waited_few, worked_few) = (
        list(zip(*taken[WARM_UP:], strict=True)) for taken in found.values()
    )
    size = f"{sizes.many_cards:,} cards"
    pair = f"{size} / {sizes.few_cards:,}"
    ours, theirs = median(waited), median(waited_few)
    yield Row(f"rating key to next card, {size}", ours, "ms", None, 50.0)
    yield Row(f"rating key to next card, {pair}", ours, "ms", theirs, 1.5)
    yield Row(f"the same, processor time, {pair}", median(worked), "ms", median(worked_few))
    yield Row(f"the same, one in 20 takes longer, {pair}", _slow(waited), "ms", _slow(waited_few))
    yield Row(f"r on Home to the first card, {pair}", opened[many], "ms", opened[few])


def _slow(times: Sequence[float]) -> float:
    return quantiles(times, n=20)[-1]


def _open(terminal: Terminal) -> float:
    terminal.wait_for(COUNTED)
    terminal.settle(1.0)
    terminal.press(b"r")
    opened = terminal.wait_for(b"0 done")
    terminal.settle(0.3)
    return opened


def _rate(terminal: Terminal, done: int) -> tuple[float, float]:
    """Reveal and rate good; return (time, processor time) until the next question is drawn."""
    terminal.press(b" ")
    terminal.wait_for(REVEALED)
    terminal.settle(0.05)
    worked_ms = terminal.worked_ms()
    terminal.press(b"3")
    waited_ms = terminal.wait_for(f"{done:,} done".encode())
    worked_ms = terminal.worked_ms() - worked_ms
    terminal.settle(0.05)
    return waited_ms, worked_ms
