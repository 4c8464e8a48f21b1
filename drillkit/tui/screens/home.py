"""Home: what waits today, deck by deck, and a key to each activity."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import Static

from drillkit.review.queue import Filter
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.today import Loaded
from drillkit.tui.widgets.deck_list import DeckHead, DeckList

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget


class HomeScreen(DrillScreen[None]):
    """The first screen. It paints at once and fills in when decks and collection are read."""

    # Not in on_mount: when the settings are wrong, the app is left before there is a list.
    AUTO_FOCUS = "DeckList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "review_all", "Review", id="home.review"),
        Binding("c", "cram", "Cram", id="home.cram"),
        Binding("p", "app.practice", "Practice", id="home.practice"),
        Binding("m", "app.rounds", "Mock round", id="home.rounds"),
        Binding("f", "app.figures", "Figures", id="home.figures"),
        Binding("slash", "app.search", "Search", key_display="/", id="search"),
        Binding("y", "app.glossary", "Symbols", id="home.glossary"),
        Binding("d", "app.faults", "Deck errors", id="home.faults"),
        Binding("s", "app.settings", "Settings", id="home.settings"),
        Binding("q", "app.quit", "Quit", id="quit"),
    ]

    def parts(self) -> Iterable[Widget]:
        yield Static("drillkit", id="headline")
        yield Static("Reading your decks …", id="note")
        yield DeckHead(id="columns")
        yield DeckList()

    def on_screen_resume(self) -> None:
        self.drill.reload()

    @on(Loaded)
    def show_today(self, event: Loaded) -> None:
        today = event.today
        self.query_one("#headline", Static).update(line(today.headline))
        self.query_one("#note", Static).update(line(today.note))
        self.query_one(DeckList).show_rows(today.rows)
        self.refresh_bindings()

    def action_review_all(self) -> None:
        self.drill.review(Filter())

    @on(DeckList.OptionSelected)
    def action_open(self) -> None:
        self.drill.review(Filter(deck=self.query_one(DeckList).deck))

    def action_cram(self) -> None:
        self.drill.review(Filter(deck=self.query_one(DeckList).deck, cram=True))
