"""A design round that is being played: one clock, one board, one interviewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static, TextArea

from drillkit.errors import DrillkitError
from drillkit.rounds.pace import minutes_of
from drillkit.rounds.sitting import MOST_BOARD
from drillkit.rounds.standing import moment_of
from drillkit.tui.screens.screen import DrillScreen, TooSmall
from drillkit.tui.text import line, stacked
from drillkit.tui.widgets.round import panels
from drillkit.tui.widgets.round.asked import (
    numbers_row,
    stands,
    verdict_of_layout,
    verdict_of_number,
)
from drillkit.tui.widgets.round.board import Board
from drillkit.tui.widgets.round.choice import Choice, Option
from drillkit.tui.widgets.round.header import CLOCK_FACES, RoundHeader, Shown, clock_text
from drillkit.tui.widgets.round.panels import Panel
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
# So long the write-down list shows by itself when a phase begins.
LIST_S = 10
PANELS_COLUMNS = 110


class RoundScreen(DrillScreen[None], inherit_bindings=False):
    """Shows a sitting and passes on the keys. What is on the board is kept every second."""

    AUTO_FOCUS = "#board"
    LEAST = (80, 24)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "app.help", "Help", key_display="F1"),
        Binding("f2", "board", "Board", key_display="F2"),
        Binding("f3", "number", "Number", key_display="F3"),
        Binding("f4", "talk", "Answer", key_display="F4"),
        Binding("f5", "list", "List", key_display="F5"),
        Binding("f8", "next_phase", "Next", key_display="F8"),
        Binding("f9", "skip", "Skip the question", key_display="F9", show=False),
        Binding("ctrl+t", "clock", "Clock"),
        Binding("escape", "commands", "Menu", key_display="Esc"),
    ]

    def __init__(self, sitting: Sitting, ghost: Sequence[Visit] = ()) -> None:
        super().__init__()
        self.sitting = sitting
        self._ghost = ghost
        self._face: ClockFace = "left"
        self._today = 1
        # The interviewer begins with what is to be planned.
        self._told = line(sitting.state.prompt) if not sitting.state.index else Content("")
        self._refused = ""
        self._handed_over = False
        self._standing: tuple[tuple[Target, str, str], ...] = ()
        self._standing_of: tuple[object, ...] = ()
        self._list_until_s = sitting.elapsed_s + LIST_S
        self._header = RoundHeader(id="round-header")
        self._board = Board(sitting.state.board)
        self._said, self._left = Static(id="latest-said"), Static(id="latest-left")
        self._told_line, self._numbers_row = Static(id="told"), Static(id="numbers-row")
        self._prompt, self._choice = Prompt(sitting), Choice()
        self._plan, self._talk = Panel("plan-panel"), Panel("talk-panel")
        self._numbers = Panel("numbers-panel")

    # --- what is shown ---------------------------------------------------------------------

    def parts(self) -> Iterable[Widget]:
        yield self._header
        yield Static("PAUSED", id="paused")
        yield Horizontal(
            self._plan, self._board, Vertical(self._talk, self._numbers, id="side"), id="desk"
        )
        yield Horizontal(self._said, self._left, id="latest")
        yield self._told_line
        yield self._numbers_row
        yield self._prompt
        yield self._choice

    def on_mount(self) -> None:
        self._today = number_today(self.drill.workspace.rounds.folder, self.sitting.state)
        self.app.app_suspend_signal.subscribe(self, lambda _: self.keep())
        self.set_interval(SECOND_S, self.tick)
        self.set_class(self.sitting.state.paused, "-paused")
        self._prompt.rest()
        self._show()
        self._board.focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.set_class(event.size.width >= PANELS_COLUMNS, "-wide")
        self._show()

    @property
    def _elapsed_s(self) -> int:
        return int(self.sitting.elapsed_s)

    def _show(self) -> None:
        """Draw what a second or a command may have changed, and nothing else."""
        state, elapsed_s = self.sitting.state, self._elapsed_s
        width = max(1, self.size.width - 2)
        shown = Shown(state, elapsed_s, width, self._face, self._ghost, self._today)
        if self.has_class("-small"):
            clock = clock_text(state, elapsed_s, self._face)
            needs = "A round needs 80×24: enlarge the window. The time goes on."
            told = f"{needs}\n\n{clock}\n\nCtrl+Q leaves the round; it is kept."
            _update(self.query_one(TooSmall), Content(told))
            return
        self._header.show(shown)
        self._show_latest()
        self._show_told()
        row = numbers_row(self._stands(), width)
        _update(self._numbers_row, row)
        board = self._board
        board.border_title = f"board: {'overtime' if state.overtime else line(state.phase.id)}"
        board.border_subtitle = "NOT KEPT" if self._refused else ""
        self._show_panels()

    def _stands(self) -> tuple[tuple[Target, str, str], ...]:
        """The numbers and how they stand; worked out again only when something moved them."""
        state = self.sitting.state
        moved = (
            state.index, len(state.numbers), len(state.layouts), len(state.curveballs),
            len(state.assumed_at), state.situation,
        )  # fmt: skip
        if moved != self._standing_of:
            self._standing, self._standing_of = stands(state), moved
        return self._standing

    def _show_latest(self) -> None:
        state = self.sitting.state
        thrown = state.open_curveball
        if thrown is not None:
            left_s = int(self.sitting.answer_left_s)
            left = Content.styled(f"  {minutes_of(left_s)} to answer (F4)", "bold $text-warning")
            sign = Content.styled(
                f"! INTERVIEWER {minutes_of(thrown.at_s)}  ", "bold $text-warning"
            )
            said = Content.assemble(sign, line(thrown.said, "bold"))
        else:
            left = Content("")
            said = next(
                (panels.talk_line(one) for one in reversed(state.talk) if one.who != "you"),
                line(state.prompt),
            )
        self.query_one("#latest").set_class(thrown is not None, "-open")
        _update(self._said, said, layout=True)
        _update(self._left, left, layout=True)

    def _show_told(self) -> None:
        state = self.sitting.state
        parts = [self._told] if self._told else []
        if self.sitting.elapsed_s < self._list_until_s:
            parts.append(line(panels.write_text(state), "$text-accent"))
        _update(self._told_line, stacked(parts), layout=True)

    def _tell(self, told: Content | str) -> None:
        """Say what came of a command, until the next one."""
        self._told = told if isinstance(told, Content) else line(told)
        self._show()

    def _show_panels(self) -> None:
        state = self.sitting.state
        wide = self.has_class("-wide")
        if wide or self.has_class("-list"):
            hidden = self._face == "hidden"
            self._plan.show(
                [
                    *panels.plan_lines(state, self._elapsed_s, hidden=hidden),
                    *panels.write_lines(state),
                    *panels.fact_lines(state),
                ]
            )
        mode = self._prompt.mode
        if wide or mode == "talk":
            facts = () if wide else panels.fact_lines(state)
            self._talk.show([*panels.talk_lines(state), *facts])
        if wide or mode == "number":
            target = self._prompt.target
            now = f"{target.phase.id}/{target.name}" if target is not None else ""
            self._numbers.show(
                [*panels.number_lines(self._stands(), now), *panels.confidence_lines(state)]
            )

    # --- each second -----------------------------------------------------------------------

    def tick(self) -> None:
        """Keep the board, let a second do its work, and show what it brought."""
        if self._handed_over:
            return
        self.keep()
        try:
            notices = self.sitting.tick()
        except DrillkitError as error:
            self._complain(error)
            notices = []
        for notice in notices:
            self._heed(notice)
        if not self._handed_over:
            self._show()

    def _heed(self, notice: Notice) -> None:
        match notice.kind:
            case "curveball":
                self.app.bell()
                self._told = Content("")
                self._prompt.refresh_label()
            case "late":
                self._prompt.refresh_label()
                self._told = line(notice.text)
            case "away" if notice.asks:
                self._ask_away(notice)
            case "time-up":
                self.app.bell()
                self._board.take(self.sitting.state.board)
                self._told = line(notice.text, "bold")
            case "phase":
                self._enter_phase()
            case "ended":
                self._debrief()
            case "away":
                self._told = line(notice.text)
            case "reminder":
                self._told = Content("")

    def _ask_away(self, notice: Notice) -> None:
        self._choice.ask(
            notice.text,
            [
                Option("y", "it counts", "settle_away(True)"),
                Option("n", "it does not", "settle_away(False)"),
            ],
            insists=True,
        )

    def action_settle_away(self, counted: bool) -> None:  # noqa: FBT001 an action's argument
        self._do(lambda: self.sitting.settle_away(counted=counted))

    # --- keeping ---------------------------------------------------------------------------

    def keep(self) -> bool:
        """Write the board to the disk; return whether it is kept, and tell once where not."""
        state, text = self.sitting.state, self._board.text
        if state.over or state.paused or text == state.board:
            return True
        try:
            self.sitting.write(text)
        except DrillkitError as error:
            self._complain(error)
            return False
        if len(text) > MOST_BOARD:
            self._refuse(f"The board holds {MOST_BOARD:,} characters: the rest is not kept.")
            return False
        self._refused = ""
        return True

    def _complain(self, error: DrillkitError) -> None:
        self._refuse(f"{error.what}. {error.hint}" if error.hint else error.what)

    def _refuse(self, text: str) -> None:
        if text != self._refused:
            self._refused = text
            self._tell(line(text, "bold $text-error"))

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
        kept = self.keep()
        try:
            act()
        except DrillkitError as error:
            told = f"{error.what}: {error.hint}" if error.hint else error.what
            self._tell(line(told, "$text-warning"))
            return False
        if kept:
            self._told = Content("")
        self._show()
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 textual's signature
        held = self._choice.insists or self.has_class("-small")
        if action == "skip":
            return self.sitting.state.open_curveball is not None and not held
        if action in {"board", "number", "talk", "list", "next_phase", "commands"}:
            return not held
        return True

    def action_board(self) -> None:
        self._turn_to("idle")
        self._prompt.rest()
        self._board.focus()

    def _turn_to(self, mode: str) -> None:
        """Show beside the board what belongs to the prompt's mode."""
        self._choice.close()
        for name in ("number", "talk"):
            self.set_class(name == mode, f"-{name}")
        self._told = Content("")
        self.call_later(self._show)

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
        self._show()

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
            self._ask_end("This was the last phase. End the round?")
            return
        if self._do(self.sitting.next_phase):
            self._enter_phase()

    def _enter_phase(self) -> None:
        state, board = self.sitting.state, self._board
        board.take(state.board)
        board.move_cursor(board.document.end)
        self._list_until_s = self.sitting.elapsed_s + LIST_S
        self.action_board()
        if state.index == 1 and state.unasked:
            names = [
                one.name or one.kind or one.symbol
                for one, _ in state.facts()
                if one.symbol in state.unasked
            ]
            self._tell(f"You did not ask for {', '.join(names)}: told now, F5 shows it.")

    def _ask_end(self, question: str) -> None:
        self._choice.ask(question, [Option("y", "end it and grade", "finish")])

    def action_finish(self) -> None:
        if self._do(self.sitting.finish):
            self._debrief()

    def action_pause(self) -> None:
        if self._do(self.sitting.pause):
            self.add_class("-paused")
            self._choice.ask(
                "The clock stands still.",
                [Option("p", "go on", "go_on"), Option("q", "leave", "leave_kept")],
                insists=True,
            )

    def action_go_on(self) -> None:
        if self._do(self.sitting.go_on):
            self.remove_class("-paused")
            self.action_board()

    # --- the prompt ------------------------------------------------------------------------

    @on(Prompt.Typed)
    def _typed(self, event: Prompt.Typed) -> None:
        if event.told or self._prompt.field.value:
            self._tell(line(event.told, "$text-muted"))

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
        else:
            self._record(target, text)

    def _record(self, target: Target, text: str) -> None:
        if self._do(lambda: self.sitting.number(target.name, text)):
            state = self.sitting.state
            self._after(target, verdict_of_number(state, state.numbers[-1]))

    def _lay_out(self, target: Target, text: str) -> None:
        if self._do(lambda: self.sitting.layout(layout_fields(text), target.phase.id)):
            state = self.sitting.state
            self._after(target, verdict_of_layout(state, state.layouts[-1]))

    def _after(self, target: Target, verdict: Content) -> None:
        """Go on to the next open number of the phase, or to the board."""
        prompt = self._prompt
        prompt.taken()
        more = any(
            not answer and one.phase.id == target.phase.id for one, answer, _ in self._stands()
        )
        if more:
            self.action_number()
        else:
            self.action_board()
        self.call_later(self._tell, verdict)

    def _say(self, text: str) -> None:
        """Answer, ask, assume or park, by the first sign."""
        open_, sitting = self.sitting.state.open_curveball, self.sitting
        said: Content | str = ""
        if text.startswith("!"):
            done, said = self._do(lambda: sitting.note(text[1:].strip())), "parked"
        elif text.startswith("@"):
            self._assume(text)
            return
        elif text.startswith("?") or (text and open_ is None):
            before = len(sitting.state.talk)
            done = self._do(lambda: sitting.ask(text.lstrip("?").strip()))
            replies = [one.text for one in sitting.state.talk[before:] if one.who != "you"]
            said = " · ".join(replies)
        elif open_ is not None:
            done = self._do(lambda: sitting.answer(text))
            said = "answered" if text else "answered: see my board"
        else:
            self.action_board()
            return
        if done:
            self._prompt.taken()
            if open_ is not None and sitting.state.open_curveball is None:
                self.action_board()
            self.call_later(self._tell, said)

    def _assume(self, text: str) -> None:
        symbol, _, value = text[1:].partition("=")
        if self._do(lambda: self.sitting.assume(symbol.strip(), value.strip())):
            self._prompt.taken()
            self.call_later(self._tell, f"assumed: {text[1:]}")

    # --- Escape, and the end ---------------------------------------------------------------

    def action_commands(self) -> None:
        """Offer every command by a letter, for keyboards without F-keys."""
        choice, state = self._choice, self.sitting.state
        if choice.has_focus:
            self.action_board()
            return
        options = [
            Option("n", "next phase", "next_phase"),
            Option("a", "answer or ask", "talk"),
            Option("f", "number", "number"),
            Option("r", "revise", "revise"),
            Option("w", "write-down list", "list"),
            Option("t", "clock", "clock"),
        ]
        if state.open_curveball is not None:
            options.append(Option("s", "skip", "skip"))
        if state.started.mode == "practice":
            options.append(Option("p", "pause", "pause"))
        choice.ask("", [*options, Option("q", "leave", "leave")])

    @on(Choice.Made)
    async def _chosen(self, event: Choice.Made) -> None:
        self._choice.close()
        self._board.focus()
        await self.run_action(event.action or "board")

    def ask_to_leave(self) -> bool:
        """Ask what is to become of the round; return whether there is anything to ask."""
        if self._handed_over or self.has_class("-small") or self.has_class("-paused"):
            return False
        while self.app.screen is not self:
            self.app.pop_screen()
        self.action_leave()
        return True

    def action_leave(self) -> None:
        self._choice.ask(
            "Leave the round?",
            [
                Option("k", "keep it for later", "leave_kept"),
                Option("e", "end it now and grade", "finish"),
                Option("s", "stay", "board"),
            ],
        )

    def action_leave_kept(self) -> None:
        if self.keep():
            self.dismiss()

    def _debrief(self) -> None:
        """Hand the sitting over to the debrief."""
        self._handed_over = True
        while self.app.screen is not self:
            self.app.pop_screen()
        self.dismiss()
        self.drill.debrief_round(self.sitting)


def number_today(folder: Path, state: State) -> int:
    """Return which round of its day this is, by the names of the journals."""
    began = moment_of(state.started.at).local
    day, minute = f"{began:%Y-%m-%d}", f"{began:%Y-%m-%d-%H%M}"
    names = [path.stem for path in folder.glob(f"*/{day}-*.jsonl")]
    return max(1, sum(name[: len(minute)] <= minute for name in names))


def _update(widget: Static, content: Content, *, layout: bool = False) -> None:
    if content != widget.content:
        widget.update(content, layout=layout)
