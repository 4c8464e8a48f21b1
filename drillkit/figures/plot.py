"""Curves and dots on two axes, drawn with plotille's braille canvas.

plotille turns the curves into dots; ticks, marks and labels stand around and over them, so that
each curve is told from the others by its label and not by its colour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from drillkit.figures.drawing import Cells, Line, Role, Size, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

FAR = 1e9
BLANK = "\N{BRAILLE PATTERN BLANK}"
TICK_WIDTH = 9
# A larger picture says no more and takes longer than a key may take.
MOST_COLUMNS, MOST_ROWS = 96, 15


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`, by the logarithm where `log`; `ticks` are values with their text."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    log: bool = False

    def at(self, value: float) -> float:
        """Return a value as it is drawn: itself or its logarithm, within far bounds."""
        if not self.log:
            return value
        return math.log10(min(max(value, self.low / 1e6), self.high * 1e6))

    def share(self, value: float) -> float:
        """Return where a value lies: 0 at `low`, 1 at `high`."""
        low, span = self._drawn
        return (self.at(value) - low) / span

    @cached_property
    def _drawn(self) -> tuple[float, float]:
        low = self.at(self.low)
        return low, self.at(self.high) - low


@dataclass(frozen=True)
class Curve:
    """Points joined by lines, from left to right.

    The label stands near the last point that leaves it room, or the first with `label_first`.
    """

    points: tuple[tuple[float, float], ...]
    role: Role
    label: str = ""
    label_first: bool = False


@dataclass(frozen=True)
class Dot:
    """A sign at a point, with a label near it."""

    x: float
    y: float
    sign: str
    role: Role
    label: str = ""


@dataclass(frozen=True)
class Upright:
    """A dashed line over the whole height, with its label at the bottom."""

    x: float
    role: Role
    label: str


def plot(
    x: Axis,
    y: Axis,
    curves: Sequence[Curve],
    size: Size,
    *,
    dots: Sequence[Dot] = (),
    uprights: Sequence[Upright] = (),
) -> list[Line]:
    """Return the picture on up to 15 lines of up to 96 columns, two lines below the axis."""
    columns = min(max(size.columns, 32), MOST_COLUMNS) - TICK_WIDTH - 2
    rows = min(max(size.rows, 6), MOST_ROWS) - 2
    field = _Field(x, y, columns, rows)
    for upright in uprights:
        field.upright(upright)
    field.curves(curves)
    for dot in dots:
        field.dot(dot)
    # Labels come last and go where nothing is drawn yet.
    for upright in uprights:
        field.write(field.column(upright.x) + 1, rows - 1, upright.label, upright.role)
    for dot in dots:
        field.label((dot.x, dot.y), dot.label, dot.role)
    for curve in curves:
        for point in curve.points if curve.label_first else reversed(curve.points):
            if field.label(point, curve.label, curve.role):
                break
    return field.lines()


class _Field:
    """The cells inside the axes, top row first."""

    def __init__(self, x: Axis, y: Axis, columns: int, rows: int) -> None:
        self.x, self.y = x, y
        self.columns, self.rows = columns, rows
        self.cells = [Cells(columns) for _ in range(rows)]

    def column(self, value: float) -> int:
        return min(max(int(self.x.share(value) * self.columns), 0), self.columns - 1)

    def row(self, value: float) -> int:
        return self.rows - 1 - min(max(int(self.y.share(value) * self.rows), 0), self.rows - 1)

    def inside(self, point: tuple[float, float]) -> bool:
        return 0 <= self.x.share(point[0]) <= 1 and 0 <= self.y.share(point[1]) <= 1

    def write(self, column: int, row: int, text: str, role: Role) -> None:
        self.cells[row].put(max(0, min(column, self.columns - len(text))), text, role)

    def upright(self, upright: Upright) -> None:
        if 0 <= self.x.share(upright.x) <= 1:
            for row in range(self.rows):
                self.write(self.column(upright.x), row, "┊", upright.role)

    def curves(self, curves: Sequence[Curve]) -> None:
        traced = _traced(self.x, self.y, tuple(curves), self.columns, self.rows)
        for row, column, sign, role in traced:
            self.cells[row].put(column, sign, role)

    def dot(self, dot: Dot) -> None:
        if self.inside((dot.x, dot.y)):
            self.write(self.column(dot.x), self.row(dot.y), dot.sign, dot.role)

    def label(self, point: tuple[float, float], text: str, role: Role) -> bool:
        """Write a label near a point where the cells are free; return whether there was room."""
        if not text:
            return True
        if not self.inside(point):
            return False
        column, row = self.column(point[0]), self.row(point[1])
        left, right = column - len(text) - 1, column + 2
        for start in (right, left):
            for at in (row, row - 1, row + 1, row - 2, row + 2):
                if self._free(start - 1, at, len(text) + 2):
                    self.write(start, at, text, role)
                    return True
        return False

    def _free(self, start: int, row: int, width: int) -> bool:
        if not (0 <= row < self.rows and start >= 0 and start + width <= self.columns):
            return False
        return all(self.cells[row].sign(column) == " " for column in range(start, start + width))

    def lines(self) -> list[Line]:
        names = {
            self.row(value): text for value, text in self.y.ticks if 0 <= self.y.share(value) <= 1
        }
        lines: list[Line] = []
        for row, cells in enumerate(self.cells):
            name = names.get(row, "")
            edge = "┤" if name else "│"
            lines.append((Span(f"{name:>{TICK_WIDTH - 1}} {edge}", "muted"), *cells.line()))
        axis, below = Cells(self.columns, "─", "muted"), Cells(self.columns)
        free = 0
        for value, text in self.x.ticks:
            column = self.column(value)
            if 0 <= self.x.share(value) <= 1:
                axis.put(column, "┬", "muted")
                left = max(0, min(column - len(text) // 2, self.columns - len(text)))
                if left >= free:
                    below.put(left, text, "muted")
                    free = left + len(text) + 1
        lines.append((Span(" " * TICK_WIDTH + "└", "muted"), *axis.line()))
        lines.append((Span(" " * (TICK_WIDTH + 1)), *below.line()))
        return lines


@lru_cache(maxsize=16)
def _traced(
    x: Axis, y: Axis, curves: tuple[Curve, ...], columns: int, rows: int
) -> tuple[tuple[int, int, str, Role], ...]:
    """Return (row, column, sign, role) of every cell that the curves cross.

    All curves share one canvas; a cell takes the role of the curve that is nearest. It is kept,
    since most sliders move a dot and leave the curves where they are.
    """
    from plotille import Canvas  # noqa: PLC0415 only plots need it

    canvas = Canvas(columns, rows, x.at(x.low), y.at(y.low), x.at(x.high), y.at(y.high))
    for curve in curves:
        drawn = [(x.at(one), y.at(other)) for one, other in curve.points]
        for start, end in pairwise(drawn):
            canvas.line(*start, *end)
    heights = [(_heights(x, y, curve, columns, rows), curve.role) for curve in curves]
    return tuple(
        (
            row,
            column,
            sign,
            min((abs(found.get(column, FAR) - row), role) for found, role in heights)[1],
        )
        for row, text in enumerate(canvas.plot(linesep="\n").split("\n"))
        for column, sign in enumerate(text)
        if sign not in {BLANK, " "}
    )


def _heights(x: Axis, y: Axis, curve: Curve, columns: int, rows: int) -> dict[int, float]:
    """Return in which row, counted in fractions from the top, a curve crosses each column."""
    found: dict[int, float] = {}
    places = [
        (x.share(one) * columns, rows * (1 - y.share(other)) - 0.5) for one, other in curve.points
    ]
    for (left, first), (right, last) in pairwise(places):
        for column in range(max(int(left), 0), min(int(right), columns - 1) + 1):
            share = (column + 0.5 - left) / (right - left)
            found[column] = first + (last - first) * min(max(share, 0.0), 1.0)
    return found
