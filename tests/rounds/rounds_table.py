"""A round on the table: a sitting whose clock moves only when told to."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from drillkit.clock import ManualClock, Moment
from drillkit.content.round_reading import read_round
from drillkit.rounds.sitting import Sitting

if TYPE_CHECKING:
    from drillkit.content.round import Round
    from drillkit.rounds.events import Mode
    from drillkit.rounds.sitting import Notice

SMALL = Path(__file__).parents[1] / "cases" / "small_round.yaml"
BUNDLED = Path(__file__).parents[2] / "problems" / "rounds"
START = Moment(1_767_258_000_000)


def small_round() -> Round:
    """The short round that the tests play."""
    reading = read_round(SMALL.read_bytes(), SMALL.name)
    assert reading.round is not None, reading.diagnostics
    return reading.round


@cache
def bundled_round(name: str) -> Round:
    """A round that comes with drillkit."""
    path = BUNDLED / f"{name}.yaml"
    reading = read_round(path.read_bytes(), path.name)
    assert reading.round is not None, reading.diagnostics
    return reading.round


class Table:
    """A clock and a sitting; `pass_s` lets time pass second by second, as a screen would."""

    def __init__(
        self,
        round_: Round | None = None,
        *,
        path: Path | None = None,
        seed: int = 0,
        mode: Mode = "interview",
        phases: tuple[str, ...] = (),
        minutes: float | None = None,
        hard: bool = False,
    ) -> None:
        self.clock = ManualClock(START)
        self.sitting = Sitting.begin(
            path,
            self.clock,
            round_ or small_round(),
            seed=seed,
            mode=mode,
            phases=phases,
            minutes=minutes,
            hard=hard,
        )

    def pass_s(self, seconds: float) -> list[Notice]:
        """Let so many seconds pass with a tick in each; return what they brought."""
        notices: list[Notice] = []
        for _ in range(round(seconds)):
            self.clock.advance(1)
            notices += self.sitting.tick()
        return notices

    def until(self, second: int) -> list[Notice]:
        """Let time pass to that second of the round."""
        return self.pass_s(second - self.sitting.elapsed_s)

    def go_to(self, phase: str) -> None:
        """Move on to a phase at once."""
        while self.sitting.state.phase.id != phase:
            self.sitting.next_phase()
