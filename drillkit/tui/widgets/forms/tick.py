"""Points to recall, silently or aloud against the clock, and to tick off afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from drillkit.counted import counted
from drillkit.review.grade import Grade, grade_ticks
from drillkit.tui.text import hanging, wrapped_cell
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from rich.table import Table
    from textual.app import ComposeResult

    from drillkit.clock import Clock
    from drillkit.review.question import Tick


class TickView(FormView):
    """First nothing but the number of points (and a countdown), then a box for each point."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Down", show=False),
        Binding("k,up", "move(-1)", "Up", show=False),
        Binding("space,x", "mark", "Tick", key_display="Space"),
        Binding("a", "all", "Tick all"),
    ]

    def __init__(self, form: Tick, clock: Clock) -> None:
        super().__init__()
        self.form = form
        self.ticked: set[int] = set()
        self._clock = clock
        self._started_s = clock.elapsed_s()
        self._spoken_s: float | None = None
        self._cursor = 0
        points = counted(len(form.points), "point")
        self.hint = (
            f"Say it aloud: {points}. Space when you are done."
            if form.seconds
            else f"Recall {points}, then Space."
        )

    def compose(self) -> ComposeResult:
        if self.form.seconds:
            yield Static(self._countdown(), id="countdown")
        yield Static("", id="ticks")
        if self.form.seconds:
            summary = Input(placeholder="what you said, in a line (Tab; optional)", id="summary")
            summary.display = False
            yield summary

    def on_mount(self) -> None:
        if self.form.seconds:
            self.set_interval(0.25, self._tick)

    def _tick(self) -> None:
        if self._spoken_s is None:
            self.query_one("#countdown", Static).update(self._countdown())

    @property
    def _over_s(self) -> float:
        spoken = self._spoken_s
        if not self.form.seconds or spoken is None:
            return 0.0
        return max(0.0, spoken - self.form.seconds)

    def _countdown(self) -> Content:
        spoken = self._spoken_s
        if spoken is None:
            spoken = self._clock.elapsed_s() - self._started_s
        left = self.form.seconds - spoken
        minutes, seconds = divmod(round(abs(left)), 60)
        if left >= 0:
            return Content(f"{minutes}:{seconds:02d} left of {self.form.seconds} s")
        return Content.styled(f"+{minutes}:{seconds:02d} over {self.form.seconds} s", "bold")

    def _boxes(self) -> Table:
        rows = []
        for number, point in enumerate(self.form.points):
            pointer = "›" if number == self._cursor else " "
            box = "[x]" if number in self.ticked else "[ ]"
            rows.append((f"{pointer} {box}", wrapped_cell(point)))
        return hanging(rows)

    @property
    def _answered(self) -> bool:
        return self._spoken_s is not None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 textual's signature
        if action in {"move", "mark", "all"}:
            return self._answered
        return True

    def action_move(self, step: int) -> None:
        self._cursor = (self._cursor + step) % len(self.form.points)
        self._redraw()

    def action_mark(self) -> None:
        self.ticked ^= {self._cursor}
        if self._cursor in self.ticked and self._cursor < len(self.form.points) - 1:
            self._cursor += 1
        self._redraw()
        self.post_message(self.Regraded())

    def action_all(self) -> None:
        every = set(range(len(self.form.points)))
        self.ticked = set() if self.ticked == every else every
        self._redraw()
        self.post_message(self.Regraded())

    def _redraw(self) -> None:
        self.query_one("#ticks", Static).update(self._boxes())

    def open_answer(self) -> bool:
        self._spoken_s = self._clock.elapsed_s() - self._started_s
        if self.form.seconds:
            self.query_one("#countdown", Static).update(self._countdown())
            self.query_one("#summary").display = True
        self._redraw()
        self.refresh_bindings()
        return True

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus()

    def stays_focused(self) -> bool:
        return True

    def grade(self) -> Grade | None:
        return grade_ticks(len(self.ticked), len(self.form.points), self._over_s)

    def response(self) -> dict[str, Any]:
        points = self.form.points
        said = {"missed": [text for n, text in enumerate(points) if n not in self.ticked]}
        if not self.form.seconds:
            return said
        summary = self.query_one("#summary", Input).value.strip()
        spoken = {"spoken_s": round(self._spoken_s or 0.0, 1)}
        return {**said, **spoken, **({"summary": summary} if summary else {})}
