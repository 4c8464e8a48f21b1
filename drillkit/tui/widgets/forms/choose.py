"""Options to choose from by their digits, or by j, k and Space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from drillkit.review.grade import Grade, grade_choice
from drillkit.tui.text import hanging, wrapped_cell
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from rich.table import Table
    from textual.app import ComposeResult

    from drillkit.review.question import Choose


CHOOSE = Binding.Group("Choose", compact=True)


class ChooseView(FormView):
    """One right option: its digit answers. Several: digits pick, Enter answers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"pick({n})", "Choose", group=CHOOSE) for n in range(1, 8)),
        Binding("j,down", "move(1)", "Down", show=False),
        Binding("k,up", "move(-1)", "Up", show=False),
        Binding("space", "mark", "Pick", key_display="Space"),
        Binding("enter", "submit", "Answer", show=False),
    ]

    def __init__(self, form: Choose) -> None:
        super().__init__()
        self.form = form
        self.picked: set[int] = set()
        self._cursor = 0
        self._answered = False
        self.hint = (
            "Several are right: pick by digit, Enter answers."
            if form.several
            else "Choose by digit."
        )

    def compose(self) -> ComposeResult:
        for number in range(len(self.form.options)):
            yield Static(self._line(number), id=f"option-{number}", classes="option")

    def _line(self, number: int) -> Table:
        option = self.form.options[number]
        box = "[x]" if number in self.picked else "[ ]"
        if self._answered:
            mark = "✓ right" if option.right else "✗ wrong"
            box = mark if option.right or number in self.picked else "       "
        pointer = "›" if number == self._cursor and not self._answered else " "
        rows = [(f"{pointer} {number + 1} {box}", wrapped_cell(option.text))]
        if self._answered and option.because:
            rows.append(("", wrapped_cell(option.because, "dim")))
        return hanging(rows)

    def _redraw(self) -> None:
        for number in range(len(self.form.options)):
            line = self.query_one(f"#option-{number}", Static)
            line.update(self._line(number))
            option = self.form.options[number]
            line.set_class(self._answered and option.right, "-right")
            line.set_class(self._answered and not option.right and number in self.picked, "-wrong")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "pick":
            number = parameters[0]
            there = isinstance(number, int) and number <= len(self.form.options)
            return there and not self._answered
        if action == "mark":
            return self.form.several and not self._answered
        return not self._answered if action in {"move", "submit"} else True

    def action_pick(self, number: int) -> None:
        """Take the digit `number`: it answers where one option is right, else it picks."""
        index = number - 1
        if self._answered or index >= len(self.form.options):
            return
        self._cursor = index
        if self.form.several:
            self.picked ^= {index}
            self._redraw()
        else:
            self.picked = {index}
            self.post_message(self.Submitted())

    def action_move(self, step: int) -> None:
        self._cursor = (self._cursor + step) % len(self.form.options)
        self._redraw()

    def action_mark(self) -> None:
        self.action_pick(self._cursor + 1)

    def action_submit(self) -> None:
        if not self.form.several and not self.picked:
            self.picked = {self._cursor}
        self.post_message(self.Submitted())

    def open_answer(self) -> bool:
        self._answered = True
        self._redraw()
        self.refresh_bindings()
        return True

    def grade(self) -> Grade | None:
        return grade_choice(self.form, self.picked) if self.picked else None

    def response(self) -> dict[str, Any]:
        texts = [self.form.options[number].text for number in sorted(self.picked)]
        if not texts:
            return {}
        return {"picked": texts if self.form.several else texts[0]}
