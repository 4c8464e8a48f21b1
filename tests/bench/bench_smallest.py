"""The smallest Textual app there is: what any app at all costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.app import ComposeResult

TEXT = "smallest app"


class Smallest(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        yield Static(TEXT)


if __name__ == "__main__":
    Smallest().run()
