"""The drills of a card that has several, to open one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.content.drill import Drill
from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.key_line import KeyLine
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from textual.app import ComposeResult

KINDS = {"problem": "fresh numbers", "round": "mock round", "figure": "figure"}


class DrillList(Choices):
    """The drills; Enter opens one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Open", key_display="Enter"),
    ]


class DrillsScreen(DialogScreen[Drill]):
    """Answers with the drill that was chosen."""

    def __init__(self, drills: tuple[Drill, ...]) -> None:
        super().__init__()
        self._drills = drills

    def compose(self) -> ComposeResult:
        options = (
            Option(line(one.title) + Content("  ") + line(KINDS[one.kind], "dim"))
            for one in self._drills
        )
        with Vertical(classes="dialog"):
            yield Static("What the card can be drilled with; you come back to it.")
            yield DrillList(*options, id="drills")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(DrillList).highlighted = 0
        self.query_one(DrillList).focus()

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._drills[event.option_index])
