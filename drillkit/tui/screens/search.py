"""Search across all cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from drillkit.content.search import LEAST_LETTERS, Index
from drillkit.counted import counted
from drillkit.tui.screens.card import CardScreen
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library


class SearchScreen(DrillScreen[None]):
    """A line to type in and what it finds; Enter opens the first, Esc returns."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "into_results", "Results", key_display="↓"),
        Binding("enter", "open", "Open", key_display="Enter"),
        Binding("escape", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._index: Index | None = None
        self._found: list[AnyCard] = []

    def parts(self) -> Iterable[Widget]:
        yield Input(placeholder="search all cards", id="search-input", max_length=100)
        yield Static("Type at least 2 letters.", id="search-note")
        yield Choices(id="results")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Changed)
    def search(self, event: Input.Changed) -> None:
        letters = sum(not sign.isspace() for sign in event.value)
        if letters >= LEAST_LETTERS and self._index is None:
            self._index = Index(self._library)
        self._found = self._index.find(event.value) if self._index is not None else []
        results = self.query_one(Choices)
        results.clear_options()
        results.add_options(Option(self._entry(card)) for card in self._found)
        note = self.query_one("#search-note", Static)
        if letters < LEAST_LETTERS:
            note.update("Type at least 2 letters.")
        elif not self._found:
            note.update("No card holds these words.")
        else:
            note.update(f"{counted(len(self._found), 'card')}. Enter opens the first.")
            results.highlighted = 0

    def _entry(self, card: AnyCard) -> Content:
        deck = self._library.decks[card.deck].title
        text = " ".join((card.question, *getattr(card, "prompts", ())[:1])) or card.id
        return line(text) + Content("\n    ") + line(f"{deck} · {card.kind}", "dim")

    @on(Input.Submitted)
    def open_first(self) -> None:
        if self._found:
            self.app.push_screen(CardScreen(self._library, self._found[0]))

    @on(OptionList.OptionSelected)
    def action_open(self) -> None:
        chosen = self.query_one(Choices).highlighted
        if chosen is not None:
            self.app.push_screen(CardScreen(self._library, self._found[chosen]))

    def action_into_results(self) -> None:
        self.query_one(Choices).focus()
