"""A design round that is being played: one clock, one board, one interviewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import TextArea

from drillkit.errors import DrillkitError
from drillkit.rounds.sitting import MOST_BOARD
from drillkit.rounds.standing import moment_of
from drillkit.tui.screens.screen import DrillScreen, TooSmall
from drillkit.tui.text import line
from drillkit.tui.widgets.round.asked import verdict_of_layout, verdict_of_number
from drillkit.tui.widgets.round.choice import Choice, Option
from drillkit.tui.widgets.round.desk import Desk
from drillkit.tui.widgets.round.header import CLOCK_FACES, Shown, clock_text
from drillkit.tui.widgets.round.prompt import Prompt, layout_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from textual import events
    from textual.widget import Widget

    from drillkit.rounds.pace import Visit
    from drillkit.rounds.sitting import Notice, Sitting
    from drillkit.rounds.state import State
    from drillkit.tui.widgets.round.asked import Target
    from drillkit.tui.widgets.round.header import ClockFace

SECOND_S = 1.0
PANELS_COLUMNS = 110
NOT_ASKED = "This was taken as a question. What you plan goes on the board: F2."
HELD_BACK = frozenset({"board", "number", "talk", "list", "next_phase", "commands", "skip"})


class RoundScreen(DrillScreen[None], inherit_bindings=False):
    """Shows a sitting and passes on the keys. What is on the board is kept every second."""

    AUTO_FOCUS = "#board"
    LEAST = (80, 24)
    UNDISTURBED = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "app.help", "Help", key_display="F1"),
        Binding("f2", "board", "Board", key_display="F2"),
        Binding("f3", "number", "Number", key_display="F3"),
        Binding("f4", "talk", "Answer", key_display="F4"),
        Binding("f5", "list", "List", key_display="F5"),
        Binding("f8", "next_phase", "Next", key_display="F8"),
        Binding("f9", "skip", "Skip the question", key_display="F9", show=False),
        Binding("ctrl+t", "clock", "Clock"),
        Binding("ctrl+up", "scroll_panels(-1)", "Scroll beside the board", show=False),
        Binding("ctrl+down", "scroll_panels(1)", "Scroll beside the board", show=False),
        Binding("escape", "commands", "Menu", key_display="Esc"),
    ]

    def __init__(self, sitting: Sitting, ghost: Sequence[Visit] = ()) -> None:
        super().__init__()
        self.sitting = sitting
        self._ghost = ghost
        self._face: ClockFace = "left"
        self._today = 1
        self._fault = ""
        self._handed_over = False
        self._echoed = False
        self._desk, self._prompt, self._choice = Desk(sitting), Prompt(sitting), Choice()
        self._board = self._desk.board

    def parts(self) -> Iterable[Widget]:
        yield self._desk
        yield self._prompt
        yield self._choice

    def on_mount(self) -> None:
        state = self.sitting.state
        self._today = number_today(self.drill.workspace.rounds.folder, state)
        if not state.index and not state.asked:
            # The interviewer begins with what is to be planned.
            known = "" if state.phase.row == "scope" else " The facts are told: F5 shows them."
            self._desk.told = line(f"{state.prompt.strip()}{known}")
        self._desk.show_list()
        self.app.app_suspend_signal.subscribe(self, lambda _: self.keep())
        self.set_interval(SECOND_S, self.tick)
        self._prompt.rest()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.set_class(event.size.width >= PANELS_COLUMNS, "-wide")
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        """Draw what a second or a command may have changed, and nothing else."""
        state, elapsed_s = self.sitting.state, int(self.sitting.elapsed_s)
        if self.has_class("-small"):
            clock = clock_text(state, elapsed_s, self._face)
            needs = "A round needs 80×24: enlarge the window. The time goes on."
            told = f"{needs}\n\n{clock}\n\nCtrl+Q leaves the round; it is kept."
            self.query_one(TooSmall).update(told)
            return
        width = max(1, self.size.width - 2)
        shown = Shown(state, elapsed_s, width, self._face, self._ghost, self._today)
        self._desk.show(shown, self._fault)
        target = self._prompt.target
        self._desk.show_panels(shown, target.key if target is not None else "")

    def _tell(self, told: Content | str) -> None:
        """Say what came of a command, until the next one."""
        self._desk.told = told if isinstance(told, Content) else line(told)
        self._echoed = False
        self._show()

    # --- each second -----------------------------------------------------------------------

    def tick(self) -> None:
        """Keep the board, let a second do its work, and show what it brought."""
        if self._handed_over:
            return
        self.keep()
        try:
            notices = self.sitting.tick()
        except DrillkitError as error:
            self._fault = sentence(error)
            notices = []
        for notice in notices:
            self._heed(notice)
        if not self._handed_over:
            self._show()

    def _heed(self, notice: Notice) -> None:
        match notice.kind:
            case "curveball" | "late":
                if notice.kind == "curveball":
                    self.app.bell()
                self._prompt.refresh_label()
                self._desk.told = Content("") if notice.kind == "curveball" else line(notice.text)
            case "away" if notice.asks:
                self._ask_away(notice)
            case "away":
                self._desk.told = line(notice.text)
            case "reminder":
                self._desk.told = Content("")
            case "time-up":
                self.app.bell()
                self._board.take(self.sitting.state.board)
                self._desk.told = line(notice.text, "bold")
            case "phase":
                self._take_phase()
            case "ended":
                self._debrief()

    def _ask_away(self, notice: Notice) -> None:
        counts = Option("y", "it counts", "settle_away(True)")
        not_ = Option("n", "it does not", "settle_away(False)")
        self._ask(notice.text, [counts, not_], insists=True)

    def action_settle_away(self, counted: bool) -> None:  # noqa: FBT001 an action's argument
        self._do(lambda: self.sitting.settle_away(counted=counted))

    # --- keeping ---------------------------------------------------------------------------

    def keep(self) -> bool:
        """Write the board to the disk; return whether it is kept, and say where it is not."""
        state, text = self.sitting.state, self._board.text
        if state.over or state.paused:
            return True
        if text != state.board:
            try:
                self.sitting.write(text)
            except DrillkitError as error:
                self._fault = sentence(error)
                return False
        full = len(text) > MOST_BOARD
        self._fault = f"The board holds {MOST_BOARD:,} characters, no more is kept." if full else ""
        return not full

    def on_unmount(self) -> None:
        if not self._handed_over:
            self.keep()
            self.sitting.close()

    @on(TextArea.Changed)
    def _typed_on_board(self, event: TextArea.Changed) -> None:
        # The next second keeps it.
        event.stop()

    # --- commands --------------------------------------------------------------------------

    def _do(self, act: Callable[[], object]) -> bool:
        """Do one thing to the sitting; return whether it was done, and show either way."""
        self.keep()
        try:
            act()
        except DrillkitError as error:
            self._tell(line(sentence(error), "$text-warning"))
            return False
        self._tell("")
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 textual's signature
        if action in HELD_BACK and (self._choice.insists or self.has_class("-small")):
            return False
        return self.sitting.state.open_curveball is not None if action == "skip" else True

    def action_board(self) -> None:
        self._prompt.rest()
        self._turn_to("board")
        self._board.focus()

    def _turn_to(self, mode: str) -> None:
        """Show beside the board what belongs to the prompt's mode."""
        for name in ("number", "talk"):
            self.set_class(name == mode, f"-{name}")
        self._desk.told = Content("")
        self.call_after_refresh(self._show)

    def action_number(self, name: str = "") -> None:
        if self._prompt.ask_number(name):
            self._turn_to("number")
        else:
            self._tell("No number is asked for yet: write on the board.")

    def action_talk(self) -> None:
        self._prompt.ask_talk()
        self._turn_to("talk")

    def action_list(self) -> None:
        """Show or hide the plan, what to write down, and the facts."""
        self.toggle_class("-list")
        self.call_after_refresh(self._show)

    def action_scroll_panels(self, pages: int) -> None:
        self._desk.scroll_panels(pages)

    def action_clock(self) -> None:
        at = CLOCK_FACES.index(self._face)
        self._face = CLOCK_FACES[(at + 1) % len(CLOCK_FACES)]
        self._show()

    def action_revise(self) -> None:
        numbers = self.sitting.state.numbers
        self.action_number(numbers[-1].check if numbers else "")

    def action_skip(self) -> None:
        if self._do(self.sitting.skip):
            self._prompt.refresh_label()

    def action_next_phase(self) -> None:
        state = self.sitting.state
        if state.index == len(state.plan) - 1:
            end = Option("y", "end it and grade", "finish")
            self._ask("This is the last phase. End the round?", [end], back="stay")
        elif self._do(self.sitting.next_phase):
            self.action_board()
            self._take_phase()
            self._board.move_cursor(self._board.document.end)

    def _take_phase(self) -> None:
        """Take in the heading of the phase that began, and say what it brings."""
        state = self.sitting.state
        self._board.take(state.board)
        self._desk.told = Content("")
        self._desk.show_list()
        unasked = [
            fact.name or fact.kind or fact.symbol
            for fact, _ in state.facts()
            if state.index == 1 and fact.symbol in state.unasked
        ]
        if unasked:
            self._tell(
                f"You did not ask for: {', '.join(unasked)}. F5 shows them now, Ctrl+↓ scrolls."
            )

    def action_finish(self) -> None:
        if self._do(self.sitting.finish):
            self._debrief()

    def action_pause(self) -> None:
        if self._do(self.sitting.pause):
            self.add_class("-paused")
            leave = Option("q", "leave", "leave_kept")
            self._ask(
                "The clock stands still.", [Option("p", "go on", "go_on"), leave], insists=True
            )

    def action_go_on(self) -> None:
        if self._do(self.sitting.go_on):
            self.remove_class("-paused")
            self.action_board()

    # --- the prompt ------------------------------------------------------------------------

    @on(Prompt.Typed)
    def _typed(self, event: Prompt.Typed) -> None:
        if event.told or self._prompt.field.value or self._echoed:
            self._tell(line(event.told, "$text-muted"))
            self._echoed = bool(event.told)

    @on(Prompt.Given)
    def _given(self, event: Prompt.Given) -> None:
        target, text = event.target, event.text
        if event.mode == "talk":
            self._say(text)
        elif target is None or not text:
            self.action_board()
        elif text.startswith("@"):
            self._assume(text)
        elif target.check is None:
            self._lay_out(target, text)
        elif self._do(lambda: self.sitting.number(target.name, text)):
            state = self.sitting.state
            self._go_on_from(target, verdict_of_number(state, state.numbers[-1]))

    def _lay_out(self, target: Target, text: str) -> None:
        if self._do(lambda: self.sitting.layout(layout_fields(text), target.phase.id)):
            state = self.sitting.state
            self._go_on_from(target, verdict_of_layout(state, state.layouts[-1]))

    def _go_on_from(self, target: Target, verdict: Content) -> None:
        """Ask for the next open number of the same phase, if any, else turn to the board."""
        self._prompt.taken()
        mates = [one for one in self._desk.standing() if one.target.phase.id == target.phase.id]
        following = next((one.target for one in mates if not one.answer), None)
        if following is None:
            self.action_board()
        else:
            self.action_number(following.key)
        self._tell(verdict)

    def _say(self, text: str) -> None:
        """Answer, ask, assume or park, by the first sign."""
        sitting = self.sitting
        waits = sitting.state.open_curveball is not None
        if text.startswith("@"):
            self._assume(text)
        elif text.startswith("!"):
            if self._do(lambda: sitting.note(text[1:].strip())):
                self._prompt.taken()
                self._tell("Parked: F5 shows it.")
        elif text.startswith("?") or (text and not waits):
            before, unknown = len(sitting.state.talk), len(sitting.state.unknown_questions)
            if self._do(lambda: sitting.ask(text.lstrip("?").strip())):
                self._prompt.taken()
                said = [one.text for one in sitting.state.talk[before:] if one.who != "you"]
                # A single reply is the interviewer's latest word, which shows anyway.
                if len(said) > 1 or self.has_class("-wide"):
                    self._tell(" · ".join(said))
                if not text.startswith("?") and len(sitting.state.unknown_questions) > unknown:
                    self._tell(NOT_ASKED)
        elif not waits:
            self.action_board()
        elif self._do(lambda: sitting.answer(text)):
            self._prompt.taken()
            self.action_board()
            self._tell("Answered." if text else "Answered: see the board.")

    def _assume(self, text: str) -> None:
        symbol, _, value = text[1:].partition("=")
        if self._do(lambda: self.sitting.assume(symbol.strip(), value.strip())):
            self._prompt.taken()
            self._tell(f"Assumed: {text[1:]}")

    # --- Escape, and the end ---------------------------------------------------------------

    def _ask(
        self, question: str, options: list[Option], *, back: str = "board", insists: bool = False
    ) -> None:
        self._prompt.display = False
        self._choice.ask(question, options, back=back, insists=insists)

    def action_commands(self) -> None:
        """Offer every command by a letter, for keyboards without F-keys."""
        state = self.sitting.state
        options = [
            Option("n", "next", "next_phase"),
            Option("a", "answer", "talk"),
            Option("f", "number", "number"),
            Option("r", "revise", "revise"),
            Option("w", "list", "list"),
            Option("t", "clock", "clock"),
        ]
        if state.open_curveball is not None:
            options.append(Option("s", "skip", "skip"))
        if state.started.mode == "practice":
            options.append(Option("p", "pause", "pause"))
        self._ask("", [*options, Option("q", "leave", "leave")])

    @on(Choice.Made)
    async def _chosen(self, event: Choice.Made) -> None:
        self._choice.close()
        # The prompt that an action turns to must be there again.
        self._prompt.display = True
        await self.run_action(event.action or "board")
        if not self._choice.display:
            (self._board if self._prompt.mode == "idle" else self._prompt.field).focus()

    @on(Choice.Closed)
    def _choice_closed(self) -> None:
        self._prompt.display = not self._choice.display

    def ask_to_leave(self) -> bool:
        """Ask what is to become of the round; return whether there is anything to ask."""
        if self._handed_over or self.has_class("-small") or self.sitting.state.paused:
            return False
        self._come_forward()
        self.action_leave()
        return True

    def action_leave(self) -> None:
        options = [
            Option("k", "keep it for later", "leave_kept"),
            Option("e", "end it now and grade", "finish"),
        ]
        self._ask("Leave the round?", options, back="stay")

    def action_leave_kept(self) -> None:
        if self.keep():
            self.dismiss()
            return
        options = [
            Option("r", "try again", "leave_kept"),
            Option("l", "leave, the last lines are lost", "dismiss"),
        ]
        self._ask("The board is not kept.", options, back="stay")

    def _come_forward(self) -> None:
        while self.app.screen is not self:
            self.app.pop_screen()

    def _debrief(self) -> None:
        """Hand the sitting over to the debrief."""
        self._handed_over = True
        self._come_forward()
        self.dismiss()
        self.drill.debrief_round(self.sitting)


def sentence(error: DrillkitError) -> str:
    """What is wrong, and what to do."""
    return f"{error.what}. {error.hint}" if error.hint else error.what


def number_today(folder: Path, state: State) -> int:
    """Return which round of its day this is, by the names of the journals."""
    began = moment_of(state.started.at).local
    day, minute = f"{began:%Y-%m-%d}", f"{began:%Y-%m-%d-%H%M}"
    names = [path.stem for path in folder.glob(f"*/{day}-*.jsonl")]
    return max(1, sum(name[: len(minute)] <= minute for name in names))
