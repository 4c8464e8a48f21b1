"""A card to be, opened for an edit before it is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static, TextArea

from drillkit.authoring.drafts import Draft
from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.widgets.key_line import KeyLine

if TYPE_CHECKING:
    from textual.app import ComposeResult


class DraftScreen(DialogScreen[Draft]):
    """Question and answer in two fields; the answer of a list has a point a line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f8", "keep", "Keep it", key_display="^s", priority=True),
        Binding("escape", "close", "Leave it", key_display="Esc", priority=True),
    ]

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self._draft = draft

    def compose(self) -> ComposeResult:
        draft = self._draft
        about = "answer, a point a line" if draft.points else "answer"
        with Vertical(classes="dialog"):
            yield Static("question (Tab goes to the answer)", classes="muted")
            yield TextArea(draft.ask, id="draft-ask", tab_behavior="focus")
            yield Static(about, classes="muted")
            yield TextArea(
                "\n".join(draft.points) or draft.answer, id="draft-answer", tab_behavior="focus"
            )
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#draft-ask").focus()

    def action_keep(self) -> None:
        ask = " ".join(self.query_one("#draft-ask", TextArea).text.split())
        answer = self.query_one("#draft-answer", TextArea).text.strip()
        if not ask or not answer:
            self.notify("A card needs a question and an answer.")
            return
        if self._draft.points:
            points = tuple(text.strip() for text in answer.splitlines() if text.strip())
            self.dismiss(replace(self._draft, ask=ask, points=points))
        else:
            self.dismiss(replace(self._draft, ask=ask, answer=answer))
