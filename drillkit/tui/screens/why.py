"""Why this card is here and why its interval is what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from textual.containers import VerticalScroll
from textual.widgets import Static

from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.text import cell, line
from drillkit.tui.widgets.key_line import KeyLine

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from drillkit.review.why import Why


class WhyScreen(DialogScreen[None]):
    """The numbers behind one card's schedule."""

    def __init__(self, why: Why) -> None:
        super().__init__()
        self._why = why

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog"):
            yield Static(line(self._why.item, "bold"))
            yield Static(line(self._why.reason))
            yield Static(self._numbers())
        yield KeyLine()

    def _numbers(self) -> Table:
        why = self._why
        table = Table.grid(padding=(0, 3))
        rows = [
            ("memory", why.memory),
            ("answers", f"{why.reps:,}, of which forgotten after learning: {why.lapses:,}"),
        ]
        if why.memory != "new":
            rows += [
                ("stability", f"{why.stability_days:,.1f} days until recall falls to 90%"),
                ("difficulty", f"{why.difficulty:.1f} of 10"),
                ("recall now", f"{why.recall:.0%}, aimed at {why.target:.0%}"),
                ("due", why.due),
            ]
        if why.days:
            spread = "" if why.days == why.plain_days else f", spread from {why.plain_days:,}"
            rows.append(("interval", f"{why.days:,} days{spread}; at most {why.max_days:,}"))
        for past in why.history[-8:]:
            rows.append((f"{past.day:%d %b %Y}", f"{past.rating.label} → {past.text}"))
        for name, text in rows:
            table.add_row(cell(name, "dim"), cell(text))
        return table
