"""Driving the app in a test: a home of its own, a small deck, a clock that stands still."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from drillkit.clock import ManualClock, Moment
from drillkit.tui.app import DrillApp
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from textual.pilot import Pilot

# 2026-12-01 08:00 in Berlin.
MORNING = Moment(1_796_108_400_000, 60)

DECK = """\
deck: demo
title: Demo deck
order: 1
cards:
  - {id: plain, ask: "What is first?", answer: "The first answer", why: "Because."}
  - {id: gap, kind: cloze, text: "AdamW keeps {{16}} bytes"}
  - id: pick
    kind: choice
    ask: Which stage?
    choices:
      - {text: stage one, because: too early}
      - {text: stage three, right: true, because: it shards weights}
  - {id: list, kind: points, ask: "Two things?", points: [left, right]}
  - {id: sort, kind: order, ask: "In order?", steps: [alpha, beta, gamma]}
  - {id: derive, kind: steps, ask: "Derive it", steps: ["a = b", "b = c"]}
  - {id: grid, kind: table, columns: [stage, bytes], rows: [["1", "4P"]]}
  - {id: memory, kind: wording, prompts: ["does it fit"], answer: memory}
  - {id: time, kind: wording, prompts: ["how long"], answer: compute}
  - {id: speak, kind: aloud, ask: "Explain", seconds: 30, points: [one, two]}
  - {id: figure, kind: number, ask: "H100 HBM bandwidth?", answer: 3.35 TB/s}
  - {id: flaw, kind: spot, claim: "ZeRO-3 shards activations", flaw: "states only"}
"""


class Desk:
    """A workspace on a folder of its own, whose clock the test moves."""

    def __init__(self, folder: Path, deck: str = DECK, *, settings: str = "") -> None:
        self.home = folder / "home"
        self.decks = self.home / "decks"
        self.decks.mkdir(parents=True, exist_ok=True)
        self.file = self.decks / "demo.yaml"
        if deck:
            self.file.write_text(deck, "utf-8")
        if settings:
            (self.home / "settings.toml").write_text(settings, "utf-8")
        self.clock = ManualClock(MORNING)

    def workspace(self) -> Workspace:
        made = OwnDecksOnly(self.home)
        made.clock = self.clock
        return made


class OwnDecksOnly(Workspace):
    """A workspace without the bundled decks."""

    @property
    def content_folders(self) -> tuple[Path, ...]:
        return (self.folders.decks, self.folders.problems)


@asynccontextmanager
async def running(
    desk: Desk, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[DrillApp, Pilot[None]]]:
    app = DrillApp(desk.workspace())
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.today is not None)
        yield app, pilot


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something holds; fail when it never does."""
    for _ in range(1500):
        if holds():
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise AssertionError("it never came to pass:\n" + screen_text(pilot.app))


def play(scene: Callable[[], Awaitable[None]]) -> None:
    """Run an asynchronous scene."""
    asyncio.run(scene())


def screen_text(app: DrillApp) -> str:
    """What the screen shows, line by line."""
    strips = app.screen._compositor.render_strips(app.screen.size)
    return "\n".join(strip.text.rstrip() for strip in strips)


async def open_card(app: DrillApp, pilot: Pilot[None], card: str) -> None:
    """Rate what comes first until `card` is in front."""
    await pilot.press("r")
    await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
    while app.screen.session.current.card.id != card:
        await pilot.press(
            "escape"
        ) if app.focused is not None and app.focused.id == "typed" else None
        await pilot.press("b")
        app.clear_notifications()
        await pilot.pause()
