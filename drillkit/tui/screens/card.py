"""One card to read: question and answer, outside any sitting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from drillkit.content.drill import drills_of
from drillkit.errors import DrillkitError
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
    from drillkit.review.state import State


class CardScreen(DrillScreen[None]):
    """A card with its answer shown; looking at it does not count as an answer given."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit", id="review.edit"),
        Binding("f", "figure", "Figure", id="review.figure"),
        Binding("p", "drills", "Drill", id="review.drill"),
        Binding("s", "mark('suspend')", "Suspend", id="review.suspend"),
        Binding("s", "mark('unsuspend')", "Unsuspend", id="card.unsuspend"),
        Binding("m", "mark('flag')", "Flag", id="review.flag"),
        Binding("m", "mark('unflag')", "Unflag", id="card.unflag"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, library: Library, card: AnyCard) -> None:
        super().__init__()
        self._library = library
        self._card = card
        self._drills = drills_of(card, library)
        self._state: State | None = None

    def parts(self) -> Iterable[Widget]:
        card = self._card
        yield Static(id="status")
        with Page():
            yield QuestionView(draw(card, 0, self._library.decks[card.deck]))
            for text in card.answer_lines():
                yield Static(shown(text), classes="answer-line")
            yield AnswerNotes(id="notes")

    def on_mount(self) -> None:
        self.query_one(AnswerNotes).show_card(self._card, drills=self._drills)
        self.query_one(Page).focus()
        try:
            self._show_state(self.drill.collection().state(self._card.item))
        except DrillkitError as error:
            self.drill.complain(error)

    def _show_state(self, state: State) -> None:
        self._state = state
        card = self._card
        marks = ("suspended" * state.suspended, "flagged" * state.flagged, "leech" * state.leech)
        known = [card.kind, card.item, state.phase, *(mark for mark in marks if mark)]
        title = self._library.decks[card.deck].title
        self.query_one("#status", Static).update(line(" · ".join([title, *known])))
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "figure":
            return bool(self._card.figure)
        if action == "drills":
            return bool(self._drills)
        if action != "mark" or self._state is None:
            return action != "mark"
        return {
            "suspend": not self._state.suspended,
            "unsuspend": self._state.suspended,
            "flag": not self._state.flagged,
            "unflag": self._state.flagged,
        }[str(parameters[0])]

    def action_figure(self) -> None:
        from drillkit.tui.figures import open_figure  # noqa: PLC0415 seldom used

        open_figure(self.drill, self._card.figure)

    def action_drills(self) -> None:
        from drillkit.tui.drills import choose_drill, open_drill  # noqa: PLC0415 seldom used

        choose_drill(self.drill, self._drills, partial(open_drill, self.drill))

    def action_mark(self, mark: str) -> None:
        from drillkit.review.direct import mark_item  # noqa: PLC0415 seldom used

        drill = self.drill
        workspace = drill.workspace
        try:
            state = mark_item(
                drill.collection(),
                self._library,
                workspace.clock,
                workspace.settings,
                self._card.item,
                mark,
            )
        except DrillkitError as error:
            drill.complain(error)
            return
        self._show_state(state)

    def action_edit(self) -> None:
        self.drill.edit(self._library.place(self._card.item))
