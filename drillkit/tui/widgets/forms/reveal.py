"""An answer to compare with the one in the head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Static

from drillkit.tui.text import shown
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from textual.app import ComposeResult


class RevealView(FormView):
    """Nothing until the answer is asked for, then its lines."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        for text in self._lines:
            line = Static(shown(text), classes="answer-line")
            line.display = False
            yield line

    def open_answer(self) -> bool:
        for line in self.query(".answer-line"):
            line.display = True
        return True
