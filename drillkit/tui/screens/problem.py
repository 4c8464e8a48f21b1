"""Problem after problem, outside the schedule."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.widgets import Static

from drillkit.errors import DrillkitError
from drillkit.numeric.sample import draw
from drillkit.numeric.seed import SEEDS
from drillkit.review.answering import Answer
from drillkit.review.direct import practise_item
from drillkit.tui.asking import ask_variant
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.answer import AnswerNotes
from drillkit.tui.widgets.forms.problem import ProblemView
from drillkit.tui.widgets.forms.view import FormView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.content.problem import Problem
    from drillkit.numeric.variant import Variant


class ProblemScreen(DrillScreen[None]):
    """Draws from `families`; the first question may be given by its unknown and its seed."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "reveal", "Give up", key_display="Space"),
        Binding("n", "again", "Another like this", id="practice.again"),
        Binding("enter", "next", "Next", key_display="Enter"),
        Binding("s", "seed", "Seed", id="practice.seed"),
        Binding("f", "figure", "Figure", id="review.figure"),
        Binding("t", "type", "Type"),
        Binding("escape", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(
        self, families: tuple[Problem, ...], find: str = "", seed: int | None = None
    ) -> None:
        super().__init__()
        self._families = families
        self._find = find
        self._seed = seed
        self._variant: Variant | None = None
        self._view: ProblemView | None = None
        self._solved = self._asked = 0

    def parts(self) -> Iterable[Widget]:
        with Horizontal(id="status"):
            yield Static(id="where")
            yield Static(id="progress")
        with VerticalScroll(id="body", can_focus=False):
            yield Container(id="form")
            yield AnswerNotes(id="notes")
        yield Static(id="hint")

    async def on_mount(self) -> None:
        await self._ask(secrets.choice(self._families), self._find)

    async def _ask(self, family: Problem, find: str = "") -> None:
        seed, self._seed = self._seed, None
        try:
            variant = draw(family, secrets.randbelow(SEEDS) if seed is None else seed, find)
        except DrillkitError as error:
            self.drill.complain(error)
            return
        question, view = ask_variant(variant, self.drill.workspace.clock)
        assert isinstance(view, ProblemView)  # noqa: S101 for the type alone
        self._variant, self._view = variant, view
        form = self.query_one("#form", Container)
        with self.app.batch_update():
            await form.remove_children()
            await form.mount(question, view)
            self.query_one("#notes").display = False
            self.query_one("#where", Static).update(line(family.title))
            self._show_progress()
            self.query_one("#hint", Static).update(line(view.hint))
        self.action_type()
        self.refresh_bindings()

    def _show_progress(self) -> None:
        self.query_one("#progress", Static).update(f"{self._solved} of {self._asked} solved")

    @property
    def _over(self) -> bool:
        return self._view is not None and self._view.attempt.over

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 textual's signature
        if action == "figure":
            # Drawn with the question's numbers it would answer the question.
            return self._over and self._variant is not None and bool(self._variant.problem.figure)
        if action in {"again", "next"}:
            return self._over
        return not self._over if action in {"reveal", "type"} else True

    @on(FormView.Submitted)
    def action_reveal(self) -> None:
        """Show the derivation, and write down how it went."""
        view, variant = self._view, self._variant
        if view is None or variant is None or view.disabled or view.refusal():
            return
        view.open_answer()
        view.disabled = True
        self._asked += 1
        self._solved += view.attempt.solved
        notes = self.query_one("#notes", AnswerNotes)
        grade = view.grade()
        family = self.drill.library.items.get(variant.problem.item)
        if family is not None and grade is not None:
            notes.show_card(family, grade.remark)
            notes.display = True
            self._write(view)
        self._show_progress()
        self.query_one("#hint", Static).update("n: another like this. Enter: the next one.")
        self.set_focus(None)
        self.refresh_bindings()
        self.call_after_refresh(notes.scroll_visible, animate=False)

    def _write(self, view: ProblemView) -> None:
        grade, variant = view.grade(), self._variant
        if grade is None or variant is None:
            return
        think_ms = round(view.think_s * 1000)
        answer = Answer(grade.proposal, think_ms, 0, view.response())
        workspace = self.drill.workspace
        try:
            practise_item(
                self.drill.collection(),
                self.drill.library,
                workspace.clock,
                workspace.settings,
                variant.problem.item,
                answer,
            )
        except DrillkitError as error:
            self.drill.complain(error)

    def action_figure(self) -> None:
        from drillkit.tui.figures import open_figure  # noqa: PLC0415 seldom used

        if self._variant is not None and self._view is not None:
            open_figure(self.drill, self._variant.problem.figure, self._view.given())

    async def action_again(self) -> None:
        if self._variant is not None:
            await self._ask(self._variant.problem, self._variant.find.symbol)

    async def action_next(self) -> None:
        await self._ask(secrets.choice(self._families))

    def action_seed(self) -> None:
        if self._variant is not None:
            find = self._variant.find.symbol
            told = f"{self._variant.problem.id} --find {find} --seed {self._variant.seed}"
            self.notify(f"drillkit practice {told}", title="The same question again", timeout=10)

    def action_type(self) -> None:
        if self._view is not None:
            self._view.query_one("#typed").focus()
