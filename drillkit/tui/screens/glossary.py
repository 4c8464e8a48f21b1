"""What each symbol means on the cards, every meaning of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static
from textual.widgets.option_list import Option

from drillkit.content.glossary import glossary
from drillkit.counted import counted
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.content.library import Library

SYMBOL_WIDTH = 8


class GlossaryScreen(DrillScreen[None]):
    """A list of symbols; typing one leaves only it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "into_results", "List", key_display="↓"),
        Binding("escape", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._entries = glossary(library)

    def parts(self) -> Iterable[Widget]:
        yield Input(placeholder="a symbol, such as p", id="search-input", max_length=20)
        yield Static(f"{len(self._entries)} symbols", id="search-note")
        yield Choices(id="results")

    def on_mount(self) -> None:
        self._fill("")
        self.query_one(Input).focus()

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        self._fill(event.value.strip())

    def _fill(self, wanted: str) -> None:
        results = self.query_one(Choices)
        results.clear_options()
        for symbol, meanings in self._entries.items():
            # `p` asks for p, and for P as well: the two are confused often enough.
            if wanted and symbol.casefold() != wanted.casefold():
                continue
            for number, meaning in enumerate(meanings):
                name = symbol if number == 0 else ""
                cards = counted(len(meaning.items), "card")
                text = line(meaning.text) + Content("  ") + line(cards, "dim")
                results.add_option(
                    Option(Content.styled(f"{line(name).plain:<{SYMBOL_WIDTH}}", "bold") + text)
                )

    def action_into_results(self) -> None:
        self.query_one(Choices).focus()
