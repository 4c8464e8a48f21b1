"""The decks and what waits in each, a row a deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from drillkit.tui.today import Row

NUMBER_WIDTH = 9
COLUMNS = ("due", "new", "learning", "unseen")
LEAST_TITLE = 12


class DeckHead(Static):
    """The names of the columns, above the list."""

    def on_resize(self) -> None:
        self.update(_in_columns(Content("deck"), COLUMNS, self.size.width), layout=False)


class DeckList(Choices):
    """One row a deck; the first stands for all of them.

    A list of lines, since Textual's DataTable takes longer to draw a screenful of cells than
    everything else on Home together.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Open", key_display="Enter"),
    ]

    def __init__(self) -> None:
        super().__init__(id="decks")
        self._rows: tuple[Row, ...] = ()

    @property
    def deck(self) -> str:
        """The chosen deck's id, "" for all decks."""
        chosen = self.highlighted
        return self._rows[chosen].deck if chosen is not None else ""

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Show what waits; the same row stays chosen."""
        chosen = self.highlighted or 0
        self._rows = rows
        self._draw_rows(chosen)

    def on_resize(self) -> None:
        self._draw_rows(self.highlighted or 0)

    def _draw_rows(self, chosen: int) -> None:
        width = self.scrollable_content_region.width
        self.set_options(Option(_row(row, width)) for row in self._rows)
        if self._rows:
            self.highlighted = min(chosen, len(self._rows) - 1)


def _row(row: Row, width: int) -> Content:
    counts = (row.due, row.new, row.learning, row.unseen)
    numbers = tuple(f"{count:,}" if count else "·" for count in counts)
    return _in_columns(line(row.title, "" if row.deck else "bold"), numbers, width)


def _in_columns(title: Content, numbers: tuple[str, ...], width: int) -> Content:
    room = max(LEAST_TITLE, width - NUMBER_WIDTH * len(numbers))
    cells = "".join(number.rjust(NUMBER_WIDTH) for number in numbers)
    return title.truncate(room, ellipsis=True, pad=True) + Content(cells)
