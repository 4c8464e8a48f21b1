"""How a round is to be played: what the candidate chooses before it begins."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from drillkit.errors import UsageError
from drillkit.numeric.seed import SEEDS
from drillkit.rounds.events import Mode
from drillkit.rounds.sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.clock import Clock
    from drillkit.content.round import Level, Round
    from drillkit.rounds.archive import Archive

MODES: tuple[Mode, ...] = get_args(Mode)
SPRINT_MINUTES = 35
LEAST_MINUTES, MOST_MINUTES = 5, 120


@dataclass(frozen=True)
class Choice:
    """Mode, level, numbers and, for a sprint, one phase alone or all phases in `minutes`.

    Without a `level` it is the round's own, without a `seed` chance decides.
    """

    mode: Mode = "interview"
    level: Level | None = None
    phase: str = ""
    minutes: int = SPRINT_MINUTES
    hard: bool = False
    seed: int | None = None

    def checked(self, round_: Round) -> Choice:
        """Return the choice. Raises `UsageError` where the round cannot be played like that."""
        phases = [phase.id for phase in round_.phases]
        if self.phase and self.mode != "sprint":
            raise UsageError("one phase alone is a sprint", hint="add --mode sprint")
        if self.phase and self.phase not in phases:
            raise UsageError(
                f"{round_.id} has no phase {self.phase!r}", hint="it has " + ", ".join(phases)
            )
        if not LEAST_MINUTES <= self.minutes <= MOST_MINUTES:
            raise UsageError(
                f"{self.minutes} minutes cannot be played",
                hint=f"from {LEAST_MINUTES} to {MOST_MINUTES}",
            )
        if self.seed is not None and not 0 <= self.seed < SEEDS:
            raise UsageError(f"{self.seed} is no seed", hint=f"from 0 to {SEEDS - 1}")
        return self

    @property
    def whole(self) -> bool:
        """Whether all phases are played."""
        return not (self.mode == "sprint" and self.phase)

    def total_minutes(self, round_: Round) -> int:
        """Return how long the round takes."""
        if self.mode != "sprint":
            return round_.minutes
        return round_.phase(self.phase).minutes if self.phase else self.minutes

    def begin(self, archive: Archive, clock: Clock, round_: Round) -> Sitting:
        """Start the round. Raises `DrillkitError` as `Sitting.begin`."""
        self.checked(round_)
        sprint = self.mode == "sprint"
        return Sitting.begin(
            archive.new_journal(round_.id, clock.now()),
            clock,
            round_,
            seed=secrets.randbelow(SEEDS) if self.seed is None else self.seed,
            mode=self.mode,
            level=self.level,
            phases=(self.phase,) if sprint and self.phase else (),
            minutes=self.minutes if sprint and not self.phase else None,
            hard=self.hard,
        )


def round_named(rounds: Mapping[str, Round], name: str) -> Round:
    """Return a round. Raises `UsageError` that names the nearest one."""
    if name in rounds:
        return rounds[name]
    from difflib import get_close_matches  # noqa: PLC0415 only for a wrong call

    near = get_close_matches(name, rounds, n=1)
    hint = f"did you mean {near[0]}?" if near else "`drillkit round` lists them"
    raise UsageError(f"there is no round {name!r}", hint=hint)
