"""The question's side of a card: what is asked, and the material it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from textual.containers import Vertical
from textual.widgets import Static

from drillkit.tui.text import shown, wrapped_cell

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from drillkit.review.question import Question


class QuestionView(Vertical):
    """One drawn question."""

    def __init__(self, question: Question, parent_ask: str = "") -> None:
        super().__init__()
        self._question = question
        self._parent_ask = parent_ask

    def compose(self) -> ComposeResult:
        if self._parent_ask:
            yield Static(shown(f"Following up on: {self._parent_ask}", "dim"), id="parent")
        yield Static(shown(self._question.ask), id="ask")
        for text in self._question.material:
            yield Static(shown(text), classes="material")
        if self._question.table:
            yield Static(_table(self._question.table), classes="material")


def _table(rows: tuple[tuple[str, ...], ...]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in rows[0]:
        table.add_column(wrapped_cell(name, "bold"), overflow="fold")
    for row in rows[1:]:
        table.add_row(*(wrapped_cell(text) for text in row))
    return table
