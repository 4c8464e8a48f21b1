"""Everything that is wrong in the deck files, one key away from the editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.content.library import Place
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.content.diagnostic import Diagnostic


class FaultsScreen(DrillScreen[None]):
    """A list of errors; Enter opens the file at the line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Edit", key_display="Enter"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__()
        self._found = diagnostics

    def parts(self) -> Iterable[Widget]:
        yield Static("Errors in the deck files", id="headline")
        yield Choices(*(Option(_entry(found)) for found in self._found), id="results")

    @on(OptionList.OptionSelected)
    def action_open(self) -> None:
        chosen = self.query_one(Choices).highlighted
        if chosen is not None:
            found = self._found[chosen]
            self.drill.edit(Place(Path(found.file), max(1, found.line)))


def _entry(found: Diagnostic) -> Content:
    place = f"{Path(found.file).name}:{found.line}:{found.column}"
    subject = f"{found.subject}: " if found.subject else ""
    first = line(f"{place}  {found.severity}: {subject}{found.message}", "bold")
    return first + Content("\n    ") + line(found.hint or "see the README", "dim")
