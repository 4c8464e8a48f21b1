"""The parameters of a figure as sliders, two or three beside one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from drillkit.tui.text import shown

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Size

    from drillkit.figures.parameters import Parameter, Value, Values

SLIDER_WIDTH = 38
NAME_WIDTH = 16
VALUE_WIDTH = 12
BAR_WIDTH = SLIDER_WIDTH - NAME_WIDTH - VALUE_WIDTH - 4


class Sliders(Widget):
    """All parameters of a figure; one is selected. Keys are the screen's, the mouse is dealt with.

    The columns are filled from top to bottom, so that down is the next parameter.
    """

    DEFAULT_CSS = """
    Sliders { height: auto; padding: 0 2; background: $panel; }
    """

    class Changed(Message):
        """A parameter got another value."""

        def __init__(self, name: str, value: Value) -> None:
            super().__init__()
            self.name = name
            self.value = value

    def __init__(self, parameters: tuple[Parameter, ...], values: Values) -> None:
        super().__init__()
        self._parameters = parameters
        self._values = values
        self._chosen = 0

    # --- what is shown ---------------------------------------------------------------------

    def show_values(self, parameters: tuple[Parameter, ...], values: Values) -> None:
        """Show other values, of the same parameters with perhaps other stops."""
        self._parameters = parameters
        self._values = values
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 textual's signature
        # In a low window the rows around the chosen one have to do.
        return min(self._rows(width), max(viewport.height // 3, 2))

    def _columns(self, width: int) -> int:
        return max(1, min(width // SLIDER_WIDTH, len(self._parameters)))

    def _rows(self, width: int) -> int:
        return -(-len(self._parameters) // self._columns(width))

    def render(self) -> Content:
        width = self.content_size.width
        rows = self._rows(width)
        first = self._first_row
        lines = [
            Content("").join([self._slider(place) for place in range(row, self._total, rows)])
            for row in range(first, min(first + self.content_size.height, rows))
        ]
        return Content("\n").join(lines)

    @property
    def _first_row(self) -> int:
        """Return the first row that is shown: that of the chosen one is among them."""
        rows, seen = self._rows(self.content_size.width), self.content_size.height
        return max(0, min(self._chosen % rows - seen // 2, rows - seen))

    @property
    def _total(self) -> int:
        return len(self._parameters)

    def _slider(self, place: int) -> Content:
        one = self._parameters[place]
        value = self._values[one.name]
        chosen = place == self._chosen
        at = round(one.share(value) * (BAR_WIDTH - 1))
        bar = "─" * at + "●" + "─" * (BAR_WIDTH - 1 - at)
        name = f"{one.name} {one.title}".ljust(NAME_WIDTH)
        text = f"{'►' if chosen else ' '} {name} {bar} {one.shown(value)}"
        content = shown(text, "bold $accent" if chosen else "")
        return content.truncate(SLIDER_WIDTH, ellipsis=True, pad=True)

    # --- what changes ----------------------------------------------------------------------

    @property
    def chosen(self) -> Parameter:
        """Return the selected parameter."""
        return self._parameters[self._chosen]

    def choose(self, by: int) -> None:
        """Select the parameter `by` further down, around the end."""
        self._chosen = (self._chosen + by) % self._total
        self.refresh()

    def move(self, by: int) -> None:
        """Move the selected parameter `by` stops."""
        self._set(self.chosen.moved(self._values[self.chosen.name], by))

    def _set(self, value: Value) -> None:
        if value != self._values[self.chosen.name]:
            # At once, so that a second key that comes before the answer goes on from here.
            self._values = self._values | {self.chosen.name: value}
            self.post_message(self.Changed(self.chosen.name, value))

    def _place_at(self, x: int, y: int) -> int | None:
        width = self.content_size.width
        place = (x // SLIDER_WIDTH) * self._rows(width) + y + self._first_row
        return place if x // SLIDER_WIDTH < self._columns(width) and place < self._total else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        offset = event.get_content_offset(self)
        place = None if offset is None else self._place_at(offset.x, offset.y)
        if offset is None or place is None:
            return
        self._chosen = place
        self.refresh()
        along = offset.x % SLIDER_WIDTH - NAME_WIDTH - 3
        if 0 <= along < BAR_WIDTH:
            self._set(self.chosen.at_share(along / (BAR_WIDTH - 1)))
        elif along >= BAR_WIDTH:
            self.move(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(-1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(1)
