"""How the rounds go over the weeks: by row, by phase, in numbers, and what to play next."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from rich.table import Table
from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from drillkit.content.round import LEVELS, Level
from drillkit.rounds.trends import FEW, Series, Summary, Trends, next_round, sparkline, trends
from drillkit.tui.screens.rounds import ArchiveScreen, RoundsRead
from drillkit.tui.text import cell, line, stacked
from drillkit.tui.widgets.lists import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual import events
    from textual.widget import Widget

LAST_BARS, LAST_NUMBERS = 16, 8
"""So many of the latest rounds are shown as bars, and at most as numbers."""

TITLE_WIDTH, NUMBER_WIDTH, GUTTER = 32, 6, 2
"""Columns of a table: a row's title, one number, and what lies between two."""

EDGES = 6
"""The columns that the page's margins and its scroll bar take."""

GAP = "·"


class TrendsScreen(ArchiveScreen):
    """Tables to scroll; `l` goes to another level, `i` counts interrupted rounds in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "level", "Level", id="trends.level"),
        Binding("i", "interrupted", "Interrupted", id="trends.interrupted"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._played: list[Summary] = []
        self._ungraded = 0
        self._level: Level | None = None
        self._with_interrupted = False

    def parts(self) -> Iterable[Widget]:
        yield Static("Trends", id="headline")
        yield Static("Reading the journals …", id="note")
        with Page():
            yield Static(id="trends-rows")
            yield Static(id="trends-rest", classes="paragraph")

    def on_mount(self) -> None:
        self.query_one(Page).focus()

    @on(RoundsRead)
    def show_read(self, event: RoundsRead) -> None:
        graded = [event.summaries[one.path] for one in event.kept if one.state.opened]
        self._played = sorted(graded, key=lambda one: one.when.utc_ms)
        self._ungraded = sum(one.state.over and not one.state.opened for one in event.kept)
        if self._level is None:
            self._level = self._played[-1].level if self._played else "senior"
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        if self._level is not None:
            self._show()

    def action_level(self) -> None:
        at = LEVELS.index(self._level or "senior")
        self._level = LEVELS[(at + 1) % len(LEVELS)]
        self._show()

    def action_interrupted(self) -> None:
        self._with_interrupted = not self._with_interrupted
        self._show()

    def _show(self) -> None:
        found = trends(
            self._played, self._level or "senior", with_interrupted=self._with_interrupted
        )
        count = len(found.rounds)
        note, rows, rest = (self.query_one(f"#{name}", Static) for name in _PARTS)
        if not self._played:
            waits = f"{self._ungraded} to be graded. " if self._ungraded else ""
            told = "No round is graded yet. Esc, then Enter on one begins it."
            note.update(f"{waits}{told}")
            return
        parts = [f"{count} rounds of level {found.level}."] if count >= FEW else []
        parts += found.remarks
        if self._ungraded:
            parts.append(f"{self._ungraded} to be graded: left out.")
        # Titles and bars are shown whole; numbers as far as there is room.
        room = self.size.width - TITLE_WIDTH - GUTTER - min(count, LAST_BARS) - EDGES
        shown = min(max(1, room // (NUMBER_WIDTH + GUTTER)), LAST_NUMBERS)
        if count > LAST_BARS:
            parts.append(f"Bars: the last {LAST_BARS}.")
        if count > shown:
            parts.append(f"Numbers: the last {shown}.")
        note.update(line(" ".join(parts)))
        rows.update(_table(found, shown) if count else "")
        rest.update(stacked(self._rest(found)))

    def _rest(self, found: Trends) -> Iterable[Content]:
        if found.rounds:
            yield Content.styled("ranges that held", "bold")
            for sure in found.calibration:
                held = f"{sure.held} of {sure.given}" if sure.given else "none given"
                yield line(f"  given at {sure.confidence} %: {held}")
            yield Content("")
        yield Content.styled("rounds", "bold")
        level = found.level
        for one in self._played:
            if one.level != level:
                continue
            told = [f"{one.when.local:%d %b}", one.title, one.mode, one.verdict or ""]
            if one.interrupted:
                told.append("INTERRUPTED" + ("" if self._with_interrupted else ", left out"))
            yield line("  " + " · ".join(part for part in told if part))
        rounds = self.drill.library.rounds
        following = next_round(found, rounds.values())
        if following:
            row = next((one.title for one in found.rows if one.name == found.weakest), "")
            why = f", since it asks most of {row}, the weakest row" if row else ""
            yield Content("")
            yield line(f"Proposed next: {rounds[following].title}{why}.", "bold")


_PARTS = ("note", "trends-rows", "trends-rest")


def _table(found: Trends, shown_numbers: int) -> Table:
    table = Table.grid(padding=(0, GUTTER))
    table.add_column()
    table.add_column()
    for _ in range(min(shown_numbers, len(found.rounds))):
        table.add_column(justify="right")
    for header, series, low, high, shown in (
        ("grades", found.rows, 1, 4, _grade),
        ("phases, share done", found.phases, 0, 1, _percent),
        ("facts", (found.clarify,), 0, 1, _percent),
        ("numbers", (found.log_ratios,), 0, 1, _factor),
        ("time", (found.overrun_min,), 0, 10, _one),
        ("judging myself", (found.gap,), -2, 2, _signed),
    ):
        known: list[Series] = [one for one in series if one.known]
        if known:
            table.add_row(cell(header, "bold"))
        for one in known:
            values = (
                GAP if value is None else shown(value) for value in one.values[-shown_numbers:]
            )
            bars = sparkline(one.values[-LAST_BARS:], low, high)
            table.add_row(cell(one.title), cell(bars), *(cell(value) for value in values))
    return table


def _grade(value: float) -> str:
    return f"{value:.0f}"


def _percent(value: float) -> str:
    return f"{value * 100:.0f} %"


def _one(value: float) -> str:
    return f"{value:.1f}"


def _factor(value: float) -> str:
    """A logarithm as the factor that it is of."""
    return f"×{math.exp(value):.3g}"


def _signed(value: float) -> str:
    return f"{value:+.1f}"
