"""The last step of the debrief: the verdict, the next step, and cards of what was missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.counted import counted
from drillkit.errors import DrillkitError
from drillkit.rounds.archive import Kept
from drillkit.rounds.debrief import debrief
from drillkit.rounds.export import write_export
from drillkit.tui.screens.debrief import DEBRIEF_KEYS, DebriefScreen
from drillkit.tui.text import hanging, line, shown, stacked, wrapped_cell
from drillkit.tui.widgets.lists import Choices, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table
    from textual.widget import Widget

    from drillkit.authoring.drafts import Draft
    from drillkit.authoring.round_cards import RoundDraft
    from drillkit.rounds.verdict import Verdict

Answer = Literal["", "take", "drop"]
SIGNS: dict[Answer, str] = {"": "? open", "take": "✓ take", "drop": "✗ drop"}


class DraftsMade(Message):
    """What was missed was made into drafts."""

    def __init__(self, drafts: Sequence[RoundDraft], sprints: Sequence[str]) -> None:
        super().__init__()
        self.drafts = drafts
        self.sprints = sprints


class Offered(NamedTuple):
    """A draft, and what the person says to it."""

    draft: RoundDraft
    answer: Answer = ""


class VerdictScreen(DebriefScreen):
    """The verdict with its reason, and drafts: `a` takes one, `e` edits, `x` drops, `A` takes all.

    The export is written on the way. Nothing becomes a card that was not taken, and no answer to a
    draft is lost without a word; `p` ends the debrief too, and goes to the sprint it proposes.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer('take')", "Take", id="debrief.take"),
        Binding("x", "answer('drop')", "Drop", id="debrief.drop"),
        Binding("e", "edit", "Edit", id="debrief.edit"),
        Binding("A", "take_all", "Take all", id="debrief.all"),
        Binding("p", "sprint", "Sprint", id="debrief.sprint"),
        Binding("b", "back", "Back", id="debrief.back"),
        Binding("enter", "done", "Done", key_display="Enter", priority=True),
        *DEBRIEF_KEYS,
    ]

    _offered: tuple[Offered, ...] = ()
    _made = False
    _told = ""
    _warned = ""

    def parts(self) -> Iterable[Widget]:
        yield self.status(4, "the verdict")
        with Page(id="verdict-page"):
            yield Static(self._verdicts())
            yield Static(id="export-note", classes="paragraph")
            yield Static(id="sprints")
            yield Static(id="made")
        yield Static(id="drafts-note", classes="muted")
        yield Choices(id="points")

    def on_mount(self) -> None:
        self.query_one(Choices).focus()
        self._export()
        if self.state.finished:
            made = self.state.cards
            told = counted(len(made), "card") if made else "No cards were"
            self._tell(f"{told} made of it.")
            self.query_one("#made", Static).update(stacked(line(f"· {item}") for item in made))
            self.query_one(Page).focus()
        else:
            self._tell("Looking for what was missed …")
            self.make_drafts()

    def _verdicts(self) -> Content:
        told = debrief(self.state)
        parts = [*_verdict("You", told.own_verdict), *_verdict("Board", told.suggested_verdict)]
        parts += [Content(""), Content.styled("Next step", "bold"), shown(told.next_step.told)]
        return stacked(parts)

    def _export(self) -> None:
        journal = self.sitting.path
        if journal is None:
            return
        try:
            path = write_export(Kept(journal, self.state))
        except DrillkitError as error:
            self.drill.complain(error)
            return
        self.query_one("#export-note", Static).update(line(f"Written to {path}", "$text-muted"))

    # --- drafts ----------------------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="drafts")
    def make_drafts(self) -> None:
        """Make drafts off the screen's thread: proving a family takes a second."""
        from drillkit.authoring.round_cards import drafts_of  # noqa: PLC0415 only here
        from drillkit.rounds.misses import misses  # noqa: PLC0415
        from drillkit.tui.app import Failed  # noqa: PLC0415 the app imports the screens

        try:
            found = misses(self.state)
            with self.drill.workspace.collection() as collection:
                drafts = drafts_of(found, self.drill.library, collection)
        except DrillkitError as error:
            self.app.post_message(Failed(error))
            self.post_message(DraftsMade((), ()))
            return
        sprints = [miss.ask for miss in found if miss.kind == "sprint"]
        self.post_message(DraftsMade(drafts, sprints))

    @on(DraftsMade)
    def show_drafts(self, event: DraftsMade) -> None:
        self._made = True
        before = self.offered
        self._offered = tuple(before.get(one.miss.id, Offered(one)) for one in event.drafts)
        if event.sprints:
            told = "\n".join(event.sprints)
            self.query_one("#sprints", Static).update(shown(f"\n{told}"))
        self._fill()

    def _fill(self) -> None:
        drafts = self.query_one(Choices)
        at = drafts.highlighted or 0
        drafts.set_options(Option(_entry(one)) for one in self._offered)
        if self._offered:
            drafts.highlighted = min(at, len(self._offered) - 1)
            taken = sum(one.answer == "take" for one in self._offered)
            cards = counted(len(self._offered), "card")
            self._tell(f"{cards} of what was missed, {taken} taken. Enter keeps these and ends.")
        else:
            self._tell("Nothing was missed that would make a card. Enter ends the debrief.")
        self.refresh_bindings()

    def _tell(self, text: str) -> None:
        self.query_one("#drafts-note", Static).update(line(text))

    @property
    def _at(self) -> int | None:
        return self.query_one(Choices).highlighted if self._offered else None

    def _change(self, at: int, one: Offered) -> None:
        self._answered((*self._offered[:at], one, *self._offered[at + 1 :]))

    def _answered(self, offered: tuple[Offered, ...]) -> None:
        self._offered, self._warned = offered, ""
        self.offered = {one.draft.miss.id: one for one in offered if one.answer}

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"answer", "take_all"}:
            return bool(self._offered)
        if action == "sprint":
            return debrief(self.state).next_step.sprint is not None
        if action == "edit":
            at = self._at if self.is_mounted else None
            return at is not None and self._offered[at].draft.card is not None
        return super().check_action(action, parameters)

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        self.refresh_bindings()

    def action_answer(self, answer: Answer) -> None:
        at = self._at
        if at is None:
            return
        self._change(at, self._offered[at]._replace(answer=answer))
        self._fill()
        self.query_one(Choices).highlighted = min(at + 1, len(self._offered) - 1)

    def action_take_all(self) -> None:
        self._answered(
            tuple(
                one if one.answer == "drop" else one._replace(answer="take")
                for one in self._offered
            )
        )
        self._fill()

    def action_edit(self) -> None:
        from drillkit.tui.screens.draft import DraftScreen  # noqa: PLC0415 seldom used

        at = self._at
        card = self._offered[at].draft.card if at is not None else None
        if at is None or card is None:
            return

        def take(edited: Draft | None) -> None:
            if edited is not None:
                draft = self._offered[at].draft._replace(card=edited)
                self._change(at, Offered(draft, "take"))
                self._fill()

        self.app.push_screen(DraftScreen(card), take)

    # --- the end ---------------------------------------------------------------------------------

    def action_back(self) -> None:
        from drillkit.tui.screens.debrief_model import ModelScreen  # noqa: PLC0415 the step before

        self.go(ModelScreen(self.sitting))

    @on(OptionList.OptionSelected)
    def action_done(self) -> None:
        if self._settled("Enter"):
            self._leave()

    def action_sprint(self) -> None:
        from drillkit.tui.rounds import offer_sprint  # noqa: PLC0415 it imports the screens

        phase = debrief(self.state).next_step.sprint
        if phase is not None and self._settled("p"):
            self._leave()
            offer_sprint(self.drill, self.state, phase)

    def action_leave(self) -> None:
        if not self._holds_back("Esc"):
            self._leave()

    def ask_to_leave(self) -> bool:
        return self._holds_back("^q")

    def _leave(self) -> None:
        super().action_leave()

    def _holds_back(self, key: str) -> bool:
        """Warn, once, where leaving by `key` would lose what was said to the drafts."""
        if not self.offered or self.state.finished or self._warned == key:
            return False
        self._warned = key
        self._tell(f"Cards are written by Enter alone. {key} again leaves without them.")
        return True

    def _settled(self, key: str) -> bool:
        """Close the debrief, with the cards that were taken; return whether that is done.

        Drafts that nobody looked at are not thrown away at the first `key`.
        """
        if self.state.finished:
            return True
        if not self._made:
            return False
        unseen = sum(not one.answer for one in self._offered)
        if unseen and self._warned != key:
            self._warned = key
            left = f"{counted(unseen, 'card')} not answered"
            self._tell(f"{left}: A takes all; {key} again ends without them.")
            return False
        try:
            self.sitting.settle(self._write_cards())
        except DrillkitError as error:
            # What was taken is still in front: it can be tried again once that is mended.
            self.drill.complain(error)
            return False
        self._export()
        if self._told:
            self.app.notify(line(self._told).plain, title="Cards", markup=False)
        return True

    def _write_cards(self) -> tuple[str, ...]:
        """Write the drafts that were taken; return the items they are reviewed as."""
        from drillkit.authoring.round_cards import add_round_cards  # noqa: PLC0415 only here

        taken = [one.draft for one in self._offered if one.answer == "take"]
        if not taken:
            return ()
        workspace = self.drill.workspace
        folders = workspace.folders
        added = add_round_cards(
            folders.decks,
            folders.problems,
            taken,
            self.drill.library,
            self.drill.collection(),
            workspace.clock,
            workspace.settings,
        )
        self._told = added.told
        return added.items


def _entry(one: Offered) -> Table:
    draft = one.draft
    told = wrapped_cell(draft.miss.ask if draft.card is None else draft.card.ask)
    if draft.known:
        told.append(f"  (known as {draft.known}: asked again soon)", style="dim")
    elif draft.family is not None:
        told.append("  (a numeric problem, other numbers each time)", style="dim")
    elif draft.card is not None:
        answer = draft.card.answer or "; ".join(draft.card.points)
        told.append(f"\n{answer}", style="dim")
    return hanging([(SIGNS[one.answer], told)])


def _verdict(who: str, verdict: Verdict | None) -> Iterable[Content]:
    if verdict is None:
        return
    head = Content.styled(f"{who}: ", "bold")
    yield head + line(verdict.name.upper(), "bold")
    yield shown(verdict.reason, "$text-muted")
