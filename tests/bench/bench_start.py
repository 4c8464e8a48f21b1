"""The first screen and what Home holds in memory, beside the smallest Textual app."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench_smallest import TEXT
from bench_table import Row, Sizes, in_turn
from bench_terminal import Terminal
from bench_world import environment, make_home

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALLEST = [sys.executable, str(Path(__file__).with_name("bench_smallest.py"))]
DRILLKIT = [sys.executable, "-m", "drillkit"]
PAINTED = b"Reading your decks"
COUNTED = " due · ".encode()
SETTLED_S = 1.0


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure in real pseudo-terminals, from the start of the process."""
    home = make_home(folder / "home", sizes.cards, sizes.events)
    scenes = {
        "ours": (DRILLKIT, COUNTED),
        "paint": (DRILLKIT, PAINTED),
        "theirs": (SMALLEST, TEXT.encode()),
    }

    def start(scene: str) -> float:
        command, text = scenes[scene]
        with Terminal(command, environment(home), folder) as terminal:
            return terminal.wait_for(text)

    held: dict[str, list[tuple[float, float]]] = {"ours": [], "theirs": []}

    def hold(scene: str) -> float:
        command, text = scenes[scene]
        with Terminal(command, environment(home), folder) as terminal:
            terminal.wait_for(text)
            terminal.settle(SETTLED_S)
            held[scene].append(terminal.memory_mb())
        return 0.0

    start("ours")  # the first start of all reads the files and writes the cache
    start("theirs")
    ours, paint, theirs = in_turn(
        sizes.starts, *(lambda scene=scene: start(scene) for scene in scenes)
    )
    size = f"{sizes.cards:,} cards, {sizes.events:,} events"
    yield Row(f"first screen with its counts, {size} / smallest app", ours, "ms", theirs, 1.5)
    yield Row("first paint, before the counts / smallest app", paint, "ms", theirs)
    in_turn(max(1, sizes.starts // 3), *(lambda scene=scene: hold(scene) for scene in held))
    for number, name in enumerate(("PSS", "RSS")):
        ours, theirs = (median(each[number] for each in held[scene]) for scene in held)
        yield Row(f"memory of Home ({name}), {size} / smallest app", ours, "MB", theirs, 2.0)
