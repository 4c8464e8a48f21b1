"""All figures, to open one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.errors import DrillkitError
from drillkit.figures.catalogue import FIGURES
from drillkit.review.guesses import guesses
from drillkit.tui.figures import open_figure
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.figures.figure import Kind


class FigureList(Choices):
    """The figures; Enter opens one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Open", key_display="Enter"),
    ]


class FiguresScreen(DrillScreen[None]):
    """A list of figures; one that has a question asks it before it shows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def parts(self) -> Iterable[Widget]:
        yield Static("Figures", id="status")
        yield Static("Some ask for your guess before they show.", id="note")
        yield FigureList(id="results")

    def on_mount(self) -> None:
        self.query_one(FigureList).focus()

    def on_screen_resume(self) -> None:
        try:
            guessed = set(guesses(self.drill.collection()))
        except DrillkitError as error:
            self.drill.complain(error)
            guessed = set()
        figures = self.query_one(FigureList)
        chosen = figures.highlighted or 0
        figures.set_options(_option(kind, guessed) for kind in FIGURES.values())
        figures.highlighted = chosen

    @on(OptionList.OptionSelected)
    def open_figure(self, event: OptionList.OptionSelected) -> None:
        open_figure(self.drill, event.option_id or "", guess_first=True)


def _option(kind: Kind, guessed: set[str]) -> Option:
    asked = len(kind.questions)
    made = sum(question.id in guessed for question in kind.questions)
    told = f"  {made} of {asked} guessed" if asked else ""
    head = Content.styled(kind.title, "bold") + Content(told)
    return Option(head + Content("\n    ") + line(kind.about, "$text-muted"), id=kind.name)
