"""A derivation, one line at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Static

from drillkit.counted import counted
from drillkit.tui.text import hanging, wrapped_cell
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from drillkit.review.question import Unfold


class UnfoldView(FormView):
    """Each key press shows the next line; say it before you see it."""

    hint = "Say the next line, then Space shows it."

    def __init__(self, form: Unfold) -> None:
        super().__init__()
        self._lines = form.lines
        self._open = 0

    def compose(self) -> ComposeResult:
        for number, text in enumerate(self._lines, 1):
            line = Static(hanging([(f"{number}.", wrapped_cell(text))]), classes="answer-line")
            line.display = False
            yield line
        yield Static(self._left(), id="unfold-left", classes="muted")

    def open_answer(self) -> bool:
        lines = list(self.query(".answer-line"))
        lines[self._open].display = True
        lines[self._open].scroll_visible(animate=False)
        self._open += 1
        left = self.query_one("#unfold-left", Static)
        left.update(self._left())
        left.display = self._open < len(lines)
        return self._open == len(lines)

    def _left(self) -> str:
        return f"{counted(len(self._lines) - self._open, 'line')} to come"
