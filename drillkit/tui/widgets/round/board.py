"""The board: plain text, and nothing in it that a terminal would obey."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.cache import LRUCache
from textual.content import Content
from textual.widgets import TextArea

from drillkit.harmless import MAX_CHARACTERS, harmless
from drillkit.rounds.events import change_of

if TYPE_CHECKING:
    from textual import events
    from textual.strip import Strip

INDENT = 2
MOST_ROWS = 512


class Board(TextArea):
    """A text area in which Tab indents and Escape is left to the screen."""

    def __init__(self, text: str) -> None:
        super().__init__(
            clean(text), id="board", tab_behavior="indent", highlight_cursor_line=False
        )
        self.indent_width = INDENT
        # Looking for the other bracket reads the whole board at every key.
        self.match_cursor_bracket = False
        self.move_cursor(self.document.end)
        self._titles = ("", "")
        self._rows: LRUCache[tuple[object, ...], Strip] = LRUCache(MOST_ROWS)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            # The text area would give the focus away.
            event.prevent_default()

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        if not self.read_only:
            self.replace(clean(event.text), *self.selection, maintain_selection_offset=False)
            self.focus()

    def render_line(self, y: int) -> Strip:
        """Render a row; one without cursor or selection comes from memory while it stays the same.

        Textual draws every row anew at every key, each by way of the height of the whole text.
        """
        rows, row = self.wrapped_document._offset_to_line_info, y + self.scroll_offset.y  # noqa: SLF001 its one map from rows to lines
        if not 0 <= row < len(rows):
            return super().render_line(y)
        at, section = rows[row]
        first, last = sorted(self.selection)
        if first[0] <= at <= last[0]:
            return super().render_line(y)
        style = self._theme.base_style if self._theme else None
        key = (self.document.get_line(at), section, self.size, self.wrap_width, style)
        strip = self._rows.get(key)
        if strip is None:
            strip = self._rows[key] = self._render_line(y)
        return strip

    def entitle(self, title: str, below: str) -> None:
        """Write on the frame; the same words again draw nothing."""
        if (title, below) != self._titles:
            self._titles = title, below
            self.border_title, self.border_subtitle = Content(title), Content(below)

    def take(self, text: str) -> None:
        """Change only what differs from `text`, so that the cursor and undo live on."""
        start, removed, added = change_of(self.text, clean(text))
        if not removed and not added:
            return
        before, place = self.selection, self._place(start)
        self.history.checkpoint()
        self.replace(added, place, self._place(start + removed))
        self.history.checkpoint()
        if max(before) < place:
            # Textual moves the cursor along with what comes after it on the same row.
            self.selection = before

    def _place(self, index: int) -> tuple[int, int]:
        before = self.text[:index]
        row = before.count("\n")
        return row, index - (before.rfind("\n") + 1)


def clean(text: str) -> str:
    """Return a text of any length with nothing in it that a terminal would obey."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    # `harmless` cuts a long text; here none of it may be lost.
    parts = (text[at : at + MAX_CHARACTERS] for at in range(0, len(text), MAX_CHARACTERS))
    return "".join(harmless(part) for part in parts)
