"""Steps to put in order, by pressing their digits one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from drillkit.review.grade import Grade, grade_order
from drillkit.tui.text import hanging, wrapped_cell
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from rich.table import Table
    from textual.app import ComposeResult

    from drillkit.review.question import Arrange


PLACE = Binding.Group("Next step", compact=True)


class ArrangeView(FormView):
    """The shuffled steps, each with a digit; the order pressed so far is shown before each."""

    hint = "Press the digits in the right order; Backspace takes one back."
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"place({n})", "Next step", group=PLACE) for n in range(1, 10)),
        Binding("backspace", "take_back", "Take back", show=False),
    ]

    def __init__(self, form: Arrange) -> None:
        super().__init__()
        self.form = form
        self.placed: list[int] = []
        self._answered = False

    def compose(self) -> ComposeResult:
        yield Static(self._steps(), id="steps")

    def _steps(self) -> Table:
        rows = []
        if self._answered:
            for place, index in enumerate(self.form.right):
                yours = self.placed.index(index) if index in self.placed else None
                mark = "✓" if yours == place else "✗"
                was = "" if yours in (place, None) else f" (yours: {yours + 1})"
                shown_mark = mark if self.placed else " "
                text = wrapped_cell(self.form.shown[index] + was)
                rows.append((f"{shown_mark} {place + 1}.", text))
            return hanging(rows)
        for index, step in enumerate(self.form.shown):
            at = f"{self.placed.index(index) + 1}." if index in self.placed else "  "
            rows.append((f"{at} [{index + 1}]", wrapped_cell(step)))
        return hanging(rows)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "place":
            number = parameters[0]
            return not self._answered and isinstance(number, int) and number <= self._count
        return not self._answered if action == "take_back" else True

    @property
    def _count(self) -> int:
        return len(self.form.shown)

    def action_place(self, number: int) -> None:
        """Put the step with the digit `number` next; the last one answers."""
        index = number - 1
        if self._answered or index >= self._count or index in self.placed:
            return
        self.placed.append(index)
        # The last one can go in one place only, and yet is waited for: who presses every digit
        # would give a rating with the last.
        if len(self.placed) == self._count:
            self.post_message(self.Submitted())
        self.query_one("#steps", Static).update(self._steps())

    def action_take_back(self) -> None:
        if self.placed:
            self.placed.pop()
            self.query_one("#steps", Static).update(self._steps())

    def open_answer(self) -> bool:
        self._answered = True
        self.query_one("#steps", Static).update(self._steps())
        self.refresh_bindings()
        return True

    def grade(self) -> Grade | None:
        complete = len(self.placed) == self._count
        return grade_order(self.form, self.placed) if complete else None

    def response(self) -> dict[str, Any]:
        return {"order": [self.form.shown[index] for index in self.placed]}
