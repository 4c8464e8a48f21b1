"""A design round on the screen: opened, typed in with a full board, and repainted each second."""

from __future__ import annotations

import asyncio
import shutil
import string
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench_start import COUNTED, DRILLKIT
from bench_table import Row, Sizes
from bench_terminal import Terminal
from bench_world import environment, make_home

from drillkit.clock import ManualClock, Moment
from drillkit.content.round_reading import read_round
from drillkit.rounds.sitting import Sitting
from drillkit.tui.app import DrillApp
from drillkit.tui.screens.round import RoundScreen
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL = Path(__file__).parents[1] / "cases" / "small_round.yaml"
LINES = 300
FULL = "\n".join(f"line {number} of the board" for number in range(LINES))
SCREENS = {"80×24": (80, 24), "120×40": (120, 40)}
FRAMES_S = 0.1
MORNING = Moment(1_796_108_400_000, 60)
# What each key brings to the screen, from Home to the board.
WAY = {"the list of rounds": (b"m", b"Mock rounds"), "the start of one": (b"\r", b"interview")}
BOARD = b"board: "


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure keys in real pseudo-terminals, the repaint within this process."""
    home = make_home(folder / "home", 60, 0)
    opened = [_open(home, folder) for _ in range(sizes.readings)]
    for name in opened[0]:
        limit = 300 if name == "the board" else None
        taken = median(times[name] for times in opened)
        yield Row(f"from Home into a round: key to {name}", taken, "ms", None, limit)
    for name, size in SCREENS.items():
        echo_ms = _echo(home, folder, size, sizes.ratings)
        yield Row(f"key to echo, {LINES} lines on the board, {name}", echo_ms, "ms", None, 16)
        repaint_ms = asyncio.run(_repaint(folder / name, size, sizes.ratings))
        yield Row(f"a second's repaint, processor time, {name}", repaint_ms, "ms", None, 5)


def _open(home: Path, folder: Path) -> dict[str, float]:
    shutil.rmtree(home / "rounds", ignore_errors=True)
    taken = {}
    with Terminal(DRILLKIT, environment(home), folder) as terminal:
        terminal.wait_for(COUNTED)
        terminal.settle(1.0)
        for name, (key, text) in {**WAY, "the board": (b"\r", BOARD)}.items():
            terminal.press(key)
            taken[name] = terminal.wait_for(text)
            terminal.settle(0.5)
        # Ctrl+Q asks; k keeps the round.
        terminal.press(b"\x11")
        terminal.settle(0.3)
        terminal.press(b"k")
        terminal.settle(0.3)
    return taken


def _echo(home: Path, folder: Path, size: tuple[int, int], keys: int) -> float:
    """Return the median time from a letter to the letter on the board."""
    shutil.rmtree(home / "rounds", ignore_errors=True)
    (home / "problems" / "rounds").mkdir(parents=True, exist_ok=True)
    shutil.copy(SMALL, home / "problems" / "rounds" / "small.yaml")
    command = [*DRILLKIT, "round", "small", "--mode", "practice", "--seed", "0"]
    with Terminal(command, environment(home), folder, (size[1], size[0])) as terminal:
        terminal.wait_for(BOARD)
        terminal.settle(1.0)
        terminal.press(b"\x1b[200~%b\n\x1b[201~" % FULL.encode())
        terminal.settle(1.5)
        taken = []
        for number in range(keys):
            letter = string.ascii_uppercase[number % 26].encode()
            terminal.press(letter)
            taken.append(terminal.wait_for(letter))
            terminal.settle(0.05)
        terminal.press(b"\x11")
        terminal.settle(0.3)
        terminal.press(b"k")
        terminal.settle(0.3)
    return median(taken)


async def _repaint(home: Path, size: tuple[int, int], seconds: int) -> float:
    """Return the median processor time of a second's work, without that of an idle wait."""
    clock = ManualClock(MORNING)
    workspace = Workspace(home)
    workspace.clock = clock
    round_ = read_round(SMALL.read_bytes(), str(SMALL)).round
    app = DrillApp(workspace)
    async with app.run_test(size=size) as pilot:
        while app.today is None:
            await pilot.pause(0.05)
        path = home / "rounds" / "small" / "2026-12-01-0800.jsonl"
        sitting = Sitting.begin(path, clock, round_, seed=0, mode="practice")
        sitting.write(FULL)
        app.play_round(sitting)
        while not isinstance(app.screen, RoundScreen):
            await pilot.pause(0.05)
        await pilot.pause(1.0)
        idle, taken = [], []
        for _ in range(seconds):
            before = time.process_time()
            await pilot.pause(FRAMES_S)
            idle.append((time.process_time() - before) * 1000)
            clock.advance(1)
            before = time.process_time()
            app.screen.tick()
            await pilot.pause(FRAMES_S)
            taken.append((time.process_time() - before) * 1000)
        sitting.close()
    return median(taken) - median(idle)
