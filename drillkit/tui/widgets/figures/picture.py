"""The drawing of a figure, its roles in the theme's colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from drillkit.figures.drawing import Size
from drillkit.tui.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult

    from drillkit.figures.drawing import Line, Role

# Colour only repeats what letters, fills and places say already.
STYLES: dict[Role, str] = {
    "plain": "",
    "muted": "$text-muted",
    "strong": "bold",
    "weights": "$primary",
    "gradients": "$success",
    "optimizer": "$warning",
    "activations": "$text-muted",
    "limit": "bold $error",
    "forward": "$primary",
    "backward": "$success",
    "weight-gradient": "$warning",
    "idle": "$text-disabled",
    "moving": "bold reverse",
    "complete": "$success",
    "saving": "$success",
    "lost": "$warning",
    "total": "$primary",
    "mark": "bold $accent",
}


class Picture(VerticalScroll, can_focus=False):
    """The room for the drawing; it scrolls when the drawing has more lines than there is room."""

    DEFAULT_CSS = """
    Picture { height: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    Picture > Static { height: auto; text-wrap: nowrap; text-overflow: clip; }
    """

    class Resized(Message):
        """There is another amount of room than before."""

    def compose(self) -> ComposeResult:
        yield Static()

    def on_mount(self) -> None:
        self._rows = 0

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    @property
    def room(self) -> Size:
        """Return the cells there are for the drawing."""
        # A column is left for the scroll bar, so that it does not change the drawing.
        inner = self.container_size if not self.size else self.size
        return Size(max(inner.width - 5, 40), max(inner.height, 8))

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show a drawing. One that fits fills the room, so that it need not be laid out anew."""
        rows = [
            Content("").join([shown(span.text, STYLES[span.role]) for span in line])
            for line in lines
        ]
        rows += [Content("")] * (self.room.rows - len(rows))
        moved = len(rows) != self._rows
        self._rows = len(rows)
        self.query_one(Static).update(Content("\n").join(rows), layout=moved)
