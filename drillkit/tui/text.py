"""The only door from text to the screen.

Textual and Rich read markup in plain strings: `[/foo]` would crash a widget and `W[i]` lose its
index. Everything that drillkit did not write as a literal of its own becomes a `Content` or a Rich
`Text` here, made harmless on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text
from textual.content import Content

from drillkit.harmless import harmless, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable


def shown(text: str, style: str = "") -> Content:
    """Return `text` for a widget, exactly as it is typed."""
    return Content.styled(harmless(text), style) if style else Content(harmless(text))


def line(text: str, style: str = "") -> Content:
    """Return `text` for a widget, on one line."""
    return Content.styled(one_line(text), style) if style else Content(one_line(text))


def cell(text: str, style: str = "") -> Text:
    """Return `text` for a cell of a table, on one line."""
    return Text(one_line(text), style=style, no_wrap=True, overflow="ellipsis")


def wrapped_cell(text: str, style: str = "") -> Text:
    """Return `text` for a cell whose lines may wrap."""
    return Text(harmless(text), style=style)


def hanging(rows: Iterable[tuple[str, Text]]) -> Table:
    """Return rows of a marker and a text whose wrapped lines stay to the right of the marker."""
    table = Table.grid(padding=(0, 1), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    for marker, text in rows:
        table.add_row(Text(marker), text)
    return table


def stacked(parts: Iterable[Content]) -> Content:
    """Return the parts below one another."""
    return Content("\n").join(list(parts))
