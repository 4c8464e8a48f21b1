"""A gap or a number to type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from drillkit.harmless import one_line
from drillkit.review.grade import Grade, grade_estimate, grade_fill
from drillkit.review.question import Estimate, Fill
from drillkit.tui.text import shown
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from textual.app import ComposeResult


class TypedView(FormView, can_focus=False):
    """One line to type, read and graded when Enter is pressed. An empty line just reveals."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave_field", "Other keys", key_display="Esc"),
    ]

    def __init__(self, form: Fill | Estimate) -> None:
        super().__init__()
        self.form = form
        self.hint = (
            "Type a number with its unit; Enter answers."
            if isinstance(form, Estimate)
            else "Type what is missing; Enter answers."
        )
        self._typed = ""
        self._reading: Grade | str | None = None

    def compose(self) -> ComposeResult:
        about = self.form.about if isinstance(self.form, Fill) else ""
        yield Input(
            placeholder=one_line(about) or "your answer",
            id="typed",
            max_length=200,
            select_on_focus=False,
        )
        with Vertical(id="typed-answer"):
            lines = self.form.full if isinstance(self.form, Fill) else (self.form.value,)
            for text in lines:
                yield Static(shown(text), classes="answer-line")

    def on_mount(self) -> None:
        self.query_one("#typed-answer").display = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 textual's signature
        return self.query_one("#typed", Input).has_focus if action == "leave_field" else True

    def action_leave_field(self) -> None:
        """Give the keyboard back to the screen: undo, edit, suspend and the rest."""
        self.screen.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted())

    def _read(self) -> Grade | str | None:
        typed = self.query_one("#typed", Input).value
        if typed != self._typed or self._reading is None:
            self._typed = typed
            if not typed.strip():
                self._reading = None
            elif isinstance(self.form, Estimate):
                self._reading = grade_estimate(self.form, typed)
            else:
                self._reading = grade_fill(self.form, typed)
        return self._reading

    def refusal(self) -> str:
        reading = self._read()
        return reading if isinstance(reading, str) else ""

    def open_answer(self) -> bool:
        self.query_one("#typed", Input).disabled = True
        self.query_one("#typed-answer").display = True
        return True

    def grade(self) -> Grade | None:
        reading = self._read()
        return reading if isinstance(reading, Grade) else None

    def response(self) -> dict[str, Any]:
        return {"typed": self._typed} if self._typed else {}
