"""What a bench yields, and how: two things measured in turn, and the ratio of their medians."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True)
class Sizes:
    """How much is measured: the issue's sizes by default, tiny ones where only running counts."""

    cards: int = 10_000
    events: int = 100_000
    few_cards: int = 1_000
    many_cards: int = 100_000
    starts: int = 11
    readings: int = 3
    ratings: int = 60
    writes: int = 300
    replayed: int = 0


TINY = Sizes(
    cards=60,
    events=300,
    few_cards=20,
    many_cards=40,
    starts=1,
    readings=1,
    ratings=2,
    writes=5,
    replayed=400,
)


@dataclass(frozen=True)
class Row:
    """One line of the table. `limit` is for the ratio, or for `ours` where nothing is compared."""

    what: str
    ours: float
    unit: str
    reference: float | None = None
    limit: float | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.reference if self.reference else None

    @property
    def verdict(self) -> str:
        if self.limit is None:
            return ""
        measured = self.ours if self.ratio is None else self.ratio
        return "holds" if measured <= self.limit else "MISSED"

    def cells(self) -> tuple[str, ...]:
        plain = self.ratio is None
        limit = "" if self.limit is None else f"{self.limit:g}" + f" {self.unit}" * plain
        return (
            self.what,
            f"{_short(self.ours)} {self.unit}",
            "" if self.reference is None else f"{_short(self.reference)} {self.unit}",
            "" if self.ratio is None else _short(self.ratio),
            limit,
            self.verdict,
        )


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


HEAD = ("what", "ours", "reference", "ratio", "limit", "verdict")


def table(rows: Iterable[Row]) -> str:
    """Return the rows as text, one line each, the numbers to the right."""
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in (0, 5) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def in_turn(repeats: int, *acts: Callable[[], float]) -> list[float]:
    """Do the acts one after the other, `repeats` times; return each one's median."""
    found: list[list[float]] = [[] for _ in acts]
    for _ in range(repeats):
        for own, act in zip(found, acts, strict=True):
            own.append(act())
    return [median(own) for own in found]


def timed(act: Callable[[], object]) -> float:
    """Return how many milliseconds `act` takes."""
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000
