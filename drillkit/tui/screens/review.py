"""One sitting: question, reveal, rate, next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.widgets import Static

from drillkit.content.drill import drills_of
from drillkit.errors import DrillkitError
from drillkit.review.rating import Rating
from drillkit.tui.asking import ask
from drillkit.tui.screens.finished import FinishedScreen
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.screens.why import WhyScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.answer import AnswerNotes
from drillkit.tui.widgets.forms.tick import TickView
from drillkit.tui.widgets.forms.typed import TypedView
from drillkit.tui.widgets.forms.view import FormView
from drillkit.tui.widgets.rating_bar import RatingBar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.widget import Widget

    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.drill import Drill
    from drillkit.content.library import Library
    from drillkit.review.session import Session
    from drillkit.review.turn import Outcome

RATE = Binding.Group("Rate", compact=True)
ASIDE = Binding.Group("Aside", compact=True)
# While nothing can be shown, the session is asked this often whether a learning step is over.
POLL_S = 5.0


# What is said of an action after which another card stands in front.
DONE = {
    "suspended": "is suspended (search finds it)",
    "buried": "is buried until tomorrow",
    "undone": "is undone",
}


class ReviewScreen(DrillScreen[None]):
    """Shows the session's current card; every key is one call of the session."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "reveal", "Reveal", key_display="Space", id="review.reveal"),
        *(
            Binding(str(rating.value), f"rate({rating.value})", "Rate", group=RATE)
            for rating in Rating
        ),
        Binding("u", "undo", "Undo", id="review.undo"),
        Binding("e", "edit", "Edit", id="review.edit"),
        Binding("f", "figure", "Figure", id="review.figure"),
        Binding("p", "drills", "Drill", id="review.drill"),
        Binding("i", "why", "Why", id="review.why"),
        Binding("s", "suspend", "Suspend", id="review.suspend", group=ASIDE),
        Binding("b", "bury", "Bury until tomorrow", id="review.bury", group=ASIDE),
        Binding("m", "flag", "Flag", id="review.flag", group=ASIDE),
        Binding("n", "draft", "Cards of misses", id="review.draft"),
        Binding("t", "type", "Type"),
        Binding("slash", "app.search", "Search", key_display="/", show=False, id="search"),
        Binding("escape", "leave", "Home", key_display="Esc"),
        Binding("q", "leave", "Home", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._view: FormView | None = None
        self._proposal: Rating | None = None
        self._told = ""
        self._left_s: float | None = None

    # --- what is shown ---------------------------------------------------------------------

    def parts(self) -> Iterable[Widget]:
        with Horizontal(id="status"):
            yield Static(id="where")
            yield Static(id="progress")
        with VerticalScroll(id="body", can_focus=False):
            yield Container(id="form")
            yield AnswerNotes(id="notes")
        yield Static(id="hint")
        yield RatingBar(id="ratings")

    async def on_mount(self) -> None:
        self.set_interval(POLL_S, self._poll)
        await self._show_turn()

    async def _show_turn(self) -> None:
        """Draw the current card's question, or go to the finished screen."""
        self._tell(self.session.notice)
        turn = self.session.current
        if turn is None:
            await self._finish()
            return
        question, view = ask(turn, self.session.library, self.session.clock)
        self._view, self._proposal = view, None
        form = self.query_one("#form", Container)
        with self.app.batch_update():
            await form.remove_children()
            await form.mount(question, view)
            self.query_one("#notes").display = False
            self.query_one("#ratings").display = False
            self._show_status()
            self._show_hint(view.hint)
            self.query_one("#body", VerticalScroll).scroll_home(animate=False)
        self._focus_form()
        self.refresh_bindings()
        self.session.shown()

    def _focus_form(self) -> None:
        if self._view is None:
            return
        typed = self._view.query("Input#typed")
        (typed.first() if typed else self._view).focus()

    def _show_status(self) -> None:
        turn, counts = self.session.current, self.session.counts
        if turn is None:
            return
        deck = self.session.library.decks.get(turn.card.deck)
        title = deck.title if deck is not None else turn.card.deck
        flag = " · flagged" if turn.state.flagged else ""
        mode = " · cram" if turn.cram else ""
        self.query_one("#where", Static).update(line(f"{title} · {turn.reason}{flag}{mode}"))
        parts = (("due", counts.due), ("new", counts.new), ("learning", counts.learning))
        left = ", ".join(f"{count:,} {name}" for name, count in parts if count)
        text = f"{self.session.done:,} done · left: {left or 'this one'}"
        self.query_one("#progress", Static).update(text)

    def _show_hint(self, text: str) -> None:
        """Show how to go on, after what there is to tell."""
        told, self._told = self._told, ""
        self.query_one("#hint", Static).update(line(f"{told}. {text}" if told else text))

    @property
    def _next_hint(self) -> str:
        """How to go on from here, when a key left the card as it is."""
        if self._open:
            return "1 to 4 rate: again, hard, good, easy."
        return self._view.hint if self._view is not None else ""

    def _tell(self, notice: str) -> None:
        """Keep a notice for the line at the bottom: a box would hide the card."""
        if notice:
            self._told = notice

    async def _finish(self) -> None:
        self._view, self._told = None, ""
        await self.query_one("#form", Container).remove_children()
        self.app.push_screen(FinishedScreen(self.session), self._after_finish)

    async def _after_finish(self, goes_on: bool | None) -> None:  # noqa: FBT001 what the screen answers
        if goes_on:
            await self._show_turn()
        else:
            self.dismiss()

    # --- the keys --------------------------------------------------------------------------

    @property
    def _answered(self) -> bool:
        turn = self.session.current
        return turn is not None and turn.phase == "answer"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 textual's signature
        if action == "rate":
            return self._answered
        if action == "draft":
            return self._answered and isinstance(self._view, TickView)
        if action == "type":
            return not self._answered and isinstance(self._view, TypedView)
        if action == "figure":
            turn, view = self.session.current, self._view
            if turn is None or view is None or not turn.card.figure:
                return False
            # Drawn with a problem's numbers it would answer the question.
            return self._answered or not view.given()
        if action == "drills":
            return self._open and bool(self._drills)
        if action in {"reveal", "edit", "why", "suspend", "bury", "flag"}:
            return self.session.current is not None and not (action == "reveal" and self._open)
        return True

    @property
    def _drills(self) -> tuple[Drill, ...]:
        turn = self.session.current
        return drills_of(turn.card, self.session.library) if turn is not None else ()

    @property
    def _open(self) -> bool:
        """Whether the whole answer is on the screen."""
        return bool(self.query_one("#ratings").display)

    @on(FormView.Submitted)
    def action_reveal(self) -> None:
        view = self._view
        if view is None or self.session.current is None or self._open:
            return
        refusal = view.refusal()
        if refusal:
            self._show_hint(refusal)
            return
        turn = self.session.reveal()
        if not view.open_answer():
            # A derivation goes on; it can be rated once its last line is shown.
            return
        grade = view.grade()
        notes = self.query_one("#notes", AnswerNotes)
        notes.show_card(
            turn.card, grade.remark if grade and not view.stays_focused() else "", self._drills
        )
        notes.display = True
        self._show_ratings()
        if view.stays_focused():
            view.focus()
        else:
            self.set_focus(None)
        self.refresh_bindings()
        self.call_after_refresh(self._scroll_to_answer, view)

    def _scroll_to_answer(self, view: FormView) -> None:
        body, notes = self.query_one("#body", VerticalScroll), self.query_one("#notes")
        # All of a short answer, the start of a long one.
        if view.outer_size.height + notes.outer_size.height <= body.size.height:
            body.scroll_end(animate=False)
        else:
            body.scroll_to_widget(view, animate=False, top=True)

    @on(FormView.Regraded)
    def _show_ratings(self) -> None:
        grade = self._view.grade() if self._view is not None else None
        self._proposal = grade.proposal if grade is not None else None
        bar = self.query_one("#ratings", RatingBar)
        texts = {rating: preview.text for rating, preview in self.session.previews().items()}
        bar.show_ratings(texts, self._proposal)
        bar.display = True
        if grade is not None and self._view is not None and self._view.stays_focused():
            self._show_hint(f"{grade.remark} Tick what you had; 1 to 4 rate.")
        else:
            self._show_hint("1 to 4 rate: again, hard, good, easy.")

    async def action_rate(self, number: int) -> None:
        view = self._view
        if not self._answered or not self._open or view is None:
            return
        response = view.response()
        grade = view.grade()
        if grade is not None:
            response |= {"verdict": grade.verdict, "score": round(grade.score, 3)}
        await self._do(lambda: self.session.rate(Rating(number), response or None))

    async def action_undo(self) -> None:
        await self._do(self.session.undo)

    async def action_suspend(self) -> None:
        await self._do(self.session.suspend)

    async def action_bury(self) -> None:
        await self._do(self.session.bury)

    async def action_flag(self) -> None:
        try:
            outcome = self.session.flag()
        except DrillkitError as error:
            self._complain(error)
            return
        self._tell(f"{outcome.item} {outcome.kind}")
        self._show_status()
        self._show_hint(self._next_hint)

    async def _do(self, act: Callable[[], Outcome | None]) -> None:
        """Do one thing to the session and show what comes next; an error leaves all as it was."""
        try:
            outcome = act()
        except DrillkitError as error:
            self._complain(error)
            return
        if outcome is None:
            self._tell("Nothing to undo")
            self._show_hint(self._next_hint)
            return
        self._tell(f"{outcome.item} {DONE[outcome.kind]}" if outcome.kind in DONE else "")
        if outcome.leech:
            self._tell(f"{outcome.item} keeps being forgotten: rewrite it (e edits)")
        await self._show_turn()

    def _complain(self, error: DrillkitError) -> None:
        text = f"{error.what}. {error.hint}" if error.hint else error.what
        self.notify(line(text).plain, title="Not saved", severity="error", markup=False, timeout=15)

    def action_type(self) -> None:
        self._focus_form()

    def action_draft(self) -> None:
        """Write a card for each point that was missed into a deck of the person's own."""
        from drillkit.authoring.drafts import add_drafts, drafts_of_misses  # noqa: PLC0415 seldom used

        turn, view = self.session.current, self._view
        if turn is None or view is None:
            return
        drafts = drafts_of_misses(turn.card, view.response().get("missed", []))
        path = self.drill.workspace.folders.decks / "missed.yaml"
        try:
            added = len(add_drafts(path, "missed", "What I missed", drafts))
        except DrillkitError as error:
            self._complain(error)
            return
        self._tell(f"{added} new in {path.name}" if added else "Nothing new to make cards of")
        self._show_hint("1 to 4 rate: again, hard, good, easy.")

    def action_figure(self) -> None:
        from drillkit.tui.figures import open_figure  # noqa: PLC0415 seldom used

        if self.session.current is not None and self._view is not None:
            open_figure(self.drill, self.session.current.card.figure, self._view.given())

    def action_drills(self) -> None:
        from drillkit.tui.drills import choose_drill  # noqa: PLC0415 seldom used

        choose_drill(self.drill, self._drills, self._leave_for)

    def _leave_for(self, drill: Drill) -> None:
        from drillkit.tui.drills import open_drill  # noqa: PLC0415 seldom used

        open_drill(self.drill, drill)
        if self.app.screen is not self:
            self._left_s = self.session.clock.elapsed_s()

    def on_screen_resume(self) -> None:
        """Go on where the card was left for a drill, whose time is none of the card's."""
        if self._left_s is not None and self.app.screen is self:
            self.session.pass_over(self.session.clock.elapsed_s() - self._left_s)
            self._left_s = None

    def action_why(self) -> None:
        self.app.push_screen(WhyScreen(self.session.why()))

    def action_leave(self) -> None:
        self.dismiss()

    # --- files and time --------------------------------------------------------------------

    async def action_edit(self) -> None:
        turn = self.session.current
        if turn is None:
            return
        place = self.session.library.place(turn.item)
        if self.drill.edit(place):
            await self.use_library(self.drill.workspace.library())
            self.session.shown()

    async def use_library(self, library: Library) -> None:
        """Go on with edited files: the same card, with its new text."""
        if library is self.session.library:
            return
        before = self.session.current
        fault = self._fault_of(before.item, library) if before is not None else None
        if fault is not None:
            # Broken by an edit, not removed: it stays in front until it is mended.
            self._tell(f"{Path(fault.file).name}:{fault.line}: {fault.message}. {fault.hint}")
            self._show_hint("e opens it again.")
            return
        self.session.refresh(library)
        now = self.session.current
        if before is None or now is None or now.card != before.card:
            await self._show_turn()

    def _fault_of(self, item: str, library: Library) -> Diagnostic | None:
        """Return the error that hides a card which the files held before, if there is one."""
        if item in library.items or item not in self.session.library.items:
            return None
        path = str(self.session.library.place(item).path)
        errors = (found for found in library.diagnostics if found.severity == "error")
        return next((found for found in errors if found.file == path), None)

    @work(exclusive=True)
    async def _poll(self) -> None:
        if self.session.current is None or self._answered or self.app.screen is not self:
            return
        before = self.session.current
        turn = self.session.poll()
        if turn is None or turn.item != before.item:
            await self._show_turn()
