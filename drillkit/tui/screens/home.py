"""Home: what waits today, deck by deck, and a key to each activity."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Static

from drillkit.review.queue import Filter
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import cell, line
from drillkit.tui.today import Loaded, Today
from drillkit.tui.widgets.lists import RowTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual import events
    from textual.widget import Widget

ALL = ""
COLUMNS = ("due", "new", "learning", "unseen")
NUMBER_WIDTH = 8
# Five cells with a space on both sides, the margin and the scroll bar.
BESIDE_TITLES = len(COLUMNS) * NUMBER_WIDTH + 2 * (len(COLUMNS) + 1) + 4


class HomeScreen(DrillScreen[None]):
    """The first screen. It paints at once and fills in when decks and collection are read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "review_all", "Review", id="home.review"),
        Binding("c", "cram", "Cram deck", id="home.cram"),
        Binding("slash", "app.search", "Search", key_display="/", id="search"),
        Binding("y", "app.glossary", "Symbols", id="home.glossary"),
        Binding("d", "app.faults", "Deck errors", id="home.faults"),
        Binding("s", "app.settings", "Settings", id="home.settings"),
        Binding("q", "app.quit", "Quit", id="quit"),
    ]

    def parts(self) -> Iterable[Widget]:
        yield Static("drillkit", id="headline")
        yield Static("Reading your decks …", id="note")
        table = RowTable(id="decks", cursor_type="row")
        table.add_column(Text("deck"), key="deck")  # a plain string would be read as markup
        for name in COLUMNS:
            table.add_column(Text(name.rjust(NUMBER_WIDTH)), key=name, width=NUMBER_WIDTH)
        yield table

    def on_mount(self) -> None:
        self.query_one(RowTable).focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        table = self.query_one(RowTable)
        column = table.ordered_columns[0]
        column.auto_width = False
        column.width = max(12, event.size.width - BESIDE_TITLES)
        table.refresh(layout=True)

    def on_screen_resume(self) -> None:
        self.drill.reload()

    @on(Loaded)
    def show_today(self, event: Loaded) -> None:
        today = event.today
        self.query_one("#headline", Static).update(line(today.headline))
        self.query_one("#note", Static).update(line(today.note))
        self._fill(today)
        self.refresh_bindings()

    def _fill(self, today: Today) -> None:
        table = self.query_one(RowTable)
        chosen = table.cursor_row
        table.clear()
        for row in today.rows:
            counts = (row.due, row.new, row.learning, row.unseen)
            numbers = (
                Text((f"{count:,}" if count else "·").rjust(NUMBER_WIDTH)) for count in counts
            )
            table.add_row(
                cell(row.title, "bold" if row.deck == ALL else ""), *numbers, key=row.deck
            )
        table.move_cursor(row=min(chosen, len(today.rows) - 1))

    @property
    def _deck(self) -> str:
        table = self.query_one(RowTable)
        if not table.row_count:
            return ALL
        key = table.coordinate_to_cell_key(table.cursor_coordinate).row_key
        return key.value or ALL

    def action_review_all(self) -> None:
        self.drill.review(Filter())

    def action_open(self) -> None:
        self.drill.review(Filter(deck=self._deck))

    @on(DataTable.RowSelected)
    def open_row(self) -> None:
        self.action_open()

    def action_cram(self) -> None:
        self.drill.review(Filter(deck=self._deck, cram=True))
