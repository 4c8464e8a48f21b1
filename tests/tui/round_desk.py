"""A round on the screen for tests: a clock that moves when told to, and a board to type on."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from drive import running, until

from drillkit.content.round_reading import read_round
from drillkit.rounds.sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from drive import Desk
    from textual.pilot import Pilot

    from drillkit.content.round import Round
    from drillkit.rounds.events import Mode
    from drillkit.rounds.pace import Visit
    from drillkit.tui.app import DrillApp
    from drillkit.tui.screens.round import RoundScreen

SMALL = Path(__file__).parents[1] / "cases" / "small_round.yaml"
NAMES = {" ": "space", "?": "question_mark", "!": "exclamation_mark", "=": "equals_sign",
         ".": "full_stop", "@": "at", "%": "percent_sign", "-": "minus", "*": "asterisk",
         "+": "plus", "/": "slash", ":": "colon", ",": "comma"}  # fmt: skip


def small_round() -> Round:
    """The round that tests play: clarify 2, compute 4, layout 5, monitor 3 minutes."""
    found = read_round(SMALL.read_bytes(), str(SMALL))
    assert found.round is not None, found.diagnostics
    return found.round


class Playing:
    """A round on the screen, and what one does in it."""

    def __init__(self, app: DrillApp, pilot: Pilot[None], desk: Desk, sitting: Sitting) -> None:
        self.app, self.pilot, self.desk, self.sitting = app, pilot, desk, sitting

    @property
    def screen(self) -> RoundScreen:
        return next(one for one in self.app.screen_stack if type(one).__name__ == "RoundScreen")

    @property
    def board(self) -> str:
        return self.screen._board.text

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        await self.press(*(NAMES.get(sign, sign) for sign in text))

    async def wait(self, seconds: int) -> None:
        """Let the time of the round pass, second by second for what it does at each."""
        for _ in range(seconds):
            self.desk.clock.advance(1)
            if type(self.app.screen).__name__ == "RoundScreen":
                self.screen.tick()
        await self.pilot.pause()

    async def sleep(self, seconds: float) -> None:
        """Be away: the time passes at once."""
        self.desk.clock.advance(seconds)
        self.screen.tick()
        await self.pilot.pause()


@asynccontextmanager
async def playing(
    desk: Desk,
    size: tuple[int, int] = (80, 24),
    *,
    mode: Mode = "interview",
    ghost: Sequence[Visit] = (),
    round_: Round | None = None,
    seed: int = 0,
    hard: bool = False,
    phases: tuple[str, ...] = (),
) -> AsyncIterator[Playing]:
    """Begin the small round, or another, and show it."""
    async with running(desk, size) as (app, pilot):
        sitting = Sitting.begin(
            desk.home / "rounds" / "small" / "2026-12-01-0800.jsonl",
            desk.clock,
            round_ or small_round(),
            seed=seed,
            mode=mode,
            hard=hard,
            phases=phases,
        )
        app.play_round(sitting, ghost)
        await until(pilot, lambda: app.focused is not None and app.focused.id == "board")
        yield Playing(app, pilot, desk, sitting)
