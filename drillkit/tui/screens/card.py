"""One card to read: question and answer, outside any sitting."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from drillkit.review.question import draw
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line, shown
from drillkit.tui.widgets.answer import AnswerNotes
from drillkit.tui.widgets.lists import Page
from drillkit.tui.widgets.question import QuestionView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library


class CardScreen(DrillScreen[None]):
    """A card with its answer shown; it does not count as an answer given."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit", id="review.edit"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, library: Library, card: AnyCard) -> None:
        super().__init__()
        self._library = library
        self._card = card

    def parts(self) -> Iterable[Widget]:
        card = self._card
        deck = self._library.decks[card.deck]
        yield Static(line(f"{deck.title} · {card.kind} · {card.item}"), id="status")
        with Page():
            yield QuestionView(draw(card, 0, deck))
            for text in card.answer_lines():
                yield Static(shown(text), classes="answer-line")
            yield AnswerNotes(id="notes")

    def on_mount(self) -> None:
        self.query_one(AnswerNotes).show_card(self._card)
        self.query_one(Page).focus()

    def action_edit(self) -> None:
        self.drill.edit(self._library.place(self._card.item))
