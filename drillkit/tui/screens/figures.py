"""All figures, to open one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.figures.catalogue import FIGURES
from drillkit.tui.figures import open_figure
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget


class FiguresScreen(DrillScreen[None]):
    """A list of figures; one that has a question asks it before it shows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", key_display="Enter"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def parts(self) -> Iterable[Widget]:
        yield Static("Figures", id="status")
        yield Static(
            "Enter opens one. Some ask for your guess first; Esc leaves it out.", id="note"
        )
        yield Choices(
            *(
                Option(
                    Content.styled(kind.title, "bold")
                    + Content("\n    ")
                    + line(kind.about, "$text-muted"),
                    id=kind.name,
                )
                for kind in FIGURES.values()
            ),
            id="results",
        )

    def on_mount(self) -> None:
        self.query_one(Choices).focus()

    @on(OptionList.OptionSelected)
    def open_figure(self, event: OptionList.OptionSelected) -> None:
        open_figure(self.drill, event.option_id or "", guess_first=True)

    def action_open(self) -> None:
        self.query_one(Choices).action_select()
