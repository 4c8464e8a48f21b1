"""Guessing before a figure shows, and every guess beside the truth afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static

from drillkit.errors import DrillkitError
from drillkit.figures.predict import Guess, compared, read_guess
from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.text import line, shown
from drillkit.tui.widgets.key_line import KeyLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult

    from drillkit.figures.figure import Kind, Question


class GuessScreen(DialogScreen[Guess]):
    """Asks one question; the answer is the guess, or None when it was left out."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "Keep the guess", key_display="Enter"),
        Binding("escape", "close", "Without guessing", key_display="Esc"),
    ]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        parts = " / ".join(f"{part.name} ({part.unit})" for part in self._question.parts)
        with Vertical(classes="dialog"):
            yield Static(
                shown("Your guess first. Enter keeps it, Esc goes on without.", "$text-muted")
            )
            yield Static(shown(self._question.ask, "bold"))
            yield Input(placeholder=parts, id="guess", max_length=160)
            yield Static(id="guess-note")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def action_keep(self) -> None:
        text = self.query_one(Input).value
        try:
            guess = read_guess(self._question, text)
        except DrillkitError as error:
            said = f"{error.what}: {error.hint}" if error.hint else error.what
            self.query_one("#guess-note", Static).update(line(said, "$text-warning"))
            return
        self.dismiss(guess)


class GuessesScreen(DialogScreen[None]):
    """The questions of a figure with what was guessed, the truth, and the ratio."""

    def __init__(self, kind: Kind, guessed: Mapping[str, tuple[float, ...]]) -> None:
        super().__init__()
        self._kind = kind
        self._guessed = guessed

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog"):
            for question in self._kind.questions:
                yield Static(shown(question.ask, "bold"))
                values = self._guessed.get(question.id)
                if values is None:
                    yield Static("Not guessed yet.\n", classes="muted")
                    continue
                for text in compared(self._kind, question, values):
                    yield Static(line(text))
                yield Static(shown(f"{question.why}\n", "$text-muted"))
        yield KeyLine()
