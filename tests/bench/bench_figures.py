"""Figures: from a slider to the redrawn screen, the large schedule, failures, and the planner."""

from __future__ import annotations

import random
from statistics import median
from typing import TYPE_CHECKING

from bench_start import DRILLKIT
from bench_table import Row, Sizes, in_turn, timed
from bench_terminal import Terminal
from bench_world import environment, make_home

from drillkit.figures.catalogue import FIGURES
from drillkit.mlsys.estimate import Job
from drillkit.mlsys.pipeline import simulate
from drillkit.mlsys.planner import plan
from drillkit.mlsys.reliability import simulate_overheads
from drillkit.mlsys.transformer import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCREEN = (40, 120)
REDRAW_LIMIT_MS = 16
# The lesson's simulation: seven intervals, 40 runs of 2,000 hours each, times in hours.
INTERVALS_H = (0.25, 0.5, 1.0, 1.55, 2.5, 4.0, 8.0)
MTBF_H, SAVE_H, RESTART_H, WORK_H = 24.0, 0.05, 0.1, 2000.0


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure what the figures' issue sets limits to."""
    for name, waited_ms, worked_ms in _redraws(folder, min(44, sizes.ratings)):
        yield Row(f"slider to redraw, {name} at 120×40", waited_ms, "ms", limit=REDRAW_LIMIT_MS)
        yield Row(f"the same, processor time, {name}", worked_ms, "ms")
    repeats = sizes.readings
    (schedule_ms,) = in_turn(repeats, lambda: timed(lambda: simulate("1f1b", 64, 1024)))
    yield Row("simulating 1F1B, p = 64, m = 1,024", schedule_ms, "ms", limit=50)
    runs = 40 if sizes.ratings > 10 else 2
    ours, loop = in_turn(
        repeats, lambda: timed(lambda: _vectorised(runs)), lambda: timed(lambda: _plain_loop(runs))
    )
    yield Row(f"{runs} runs × 7 intervals of 2,000 h, to a plain loop", ours, "ms", loop, 1 / 50)
    job = Job(MODELS["llama-3-405b"], 16_384, 8192, 2048)
    (planner_ms,) = in_turn(repeats, lambda: timed(lambda: plan(job)))
    yield Row("planner, Llama 3 405B on 16,384 GPUs", planner_ms, "ms", limit=1000)


def _redraws(folder: Path, turns: int) -> Iterator[tuple[str, float, float]]:
    """Yield each figure's name and the medians of (time, processor time) from key to redraw."""
    home = make_home(folder / "home", 1, 0)
    for name, kind in FIGURES.items():
        command = [*DRILLKIT, "figure", name]
        with Terminal(command, environment(home), folder, SCREEN) as terminal:
            if kind.questions:
                terminal.wait_for(b"Enter keeps it")
                terminal.settle(0.3)
                terminal.press(b"\x1b")
            terminal.wait_for(b"Select")
            terminal.settle(0.5)
            taken = []
            for turn in range(turns):
                # Each slider a stop up and down again, one slider after the other.
                worked_ms = terminal.worked_ms()
                terminal.press(b"lh"[turn % 2 : turn % 2 + 1])
                waited_ms = terminal.wait_for_any()
                terminal.settle(0.05)
                taken.append((waited_ms, terminal.worked_ms() - worked_ms))
                if turn % 2:
                    terminal.press(b"j")
                    terminal.settle(0.05)
        waited, worked = zip(*taken, strict=True)
        yield name, median(waited), median(worked)


def _vectorised(runs: int) -> None:
    simulate_overheads(INTERVALS_H, SAVE_H, MTBF_H, RESTART_H, work_s=WORK_H, runs=runs, seed=0)


def _plain_loop(runs: int) -> None:
    """Simulate failure by failure, as one writes it first."""
    chance = random.Random(0)
    for interval in INTERVALS_H:
        for _ in range(runs):
            now, done, failure = 0.0, 0.0, chance.expovariate(1 / MTBF_H)
            while done < WORK_H:
                segment = min(interval, WORK_H - done) + SAVE_H
                if now + segment <= failure:
                    now, done = now + segment, done + segment - SAVE_H
                else:
                    now = failure + RESTART_H
                    failure = now + chance.expovariate(1 / MTBF_H)
