"""The debrief, step by step: own grades, evidence, model answer, verdict.

Each step is a screen in the place of the one before. What was done is in the journal, so that
leaving in the middle loses nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from drillkit.rounds.evidence import evidence
from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line, shown
from drillkit.tui.widgets.key_line import KeyLine
from drillkit.tui.widgets.lists import Page

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from drillkit.content.round import Row
    from drillkit.rounds.sitting import Sitting
    from drillkit.rounds.state import State
    from drillkit.tui.screens.debrief_verdict import Offered

NO_BOARD = "(nothing is on the board)"

DEBRIEF_KEYS: tuple[Binding, ...] = (
    Binding("v", "board", "Board", id="debrief.board"),
    # The key that is shown is not the list's own, whose place on the key line is the first.
    Binding("ctrl+d", "scroll_page(1)", "Scroll", key_display="PgDn", priority=True),
    Binding("pagedown", "scroll_page(1)", "Scroll", show=False, priority=True),
    Binding("pageup,ctrl+u", "scroll_page(-1)", "Scroll up", show=False, priority=True),
    Binding("escape,q", "leave", "Leave", key_display="Esc"),
)
"""The keys of every step. Each lists them after its own, which say what to do."""


class BoardPanel(VerticalScroll):
    """What was written in time, beside the grades where there is room for it."""

    def __init__(self, text: str) -> None:
        super().__init__(id="board-side", can_focus=False)
        self._text = text

    def compose(self) -> ComposeResult:
        yield Static("board", classes="muted")
        yield Static(shown(self._text.strip() or NO_BOARD))


class BoardScreen(DialogScreen[None]):
    """The whole board to read; overtime, which is not graded, follows what was in time."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Page(classes="dialog board-dialog"):
            yield Static(shown(self._text.strip() or NO_BOARD))
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Page).focus()


class DebriefScreen(DrillScreen[None]):
    """A step of the debrief. `v` reads the board, `n` goes on, Esc leaves: everything is kept."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.offered: dict[str, Offered] = {}
        """What was said to the drafts of cards so far, by the miss they are made of."""
        self.HORIZONTAL_BREAKPOINTS = [(0, "-stacked"), (100, "-beside")]

    @property
    def state(self) -> State:
        return self.sitting.state

    def status(self, step: int, about: str) -> Static:
        """The top line: which round, which step."""
        title = self.state.started.round.title
        return Static(line(f"Debrief {step} of 4 · {about} · {title}"), id="status")

    def go(self, step: DebriefScreen) -> None:
        """Put another step in the place of this one."""
        step.offered = self.offered
        self.app.switch_screen(step)

    def action_board(self) -> None:
        self.app.push_screen(BoardScreen(self.state.board))

    def action_scroll_page(self, by: int) -> None:
        """Scroll the text while the list keeps the other keys."""
        page = self.query_one(Page)
        page.scroll_relative(y=by * max(1, page.size.height - 2), animate=False)

    def action_leave(self) -> None:
        self.sitting.close()
        self.app.pop_screen()


def graded_rows(state: State) -> tuple[Row, ...]:
    """The rows to grade: a sprint leaves out those that nothing was asked for."""
    return tuple(one.row for one in evidence(state).rows)


def first_step(sitting: Sitting, *, again: bool = False) -> DebriefScreen:
    """Return the step that comes next: what was graded is not asked again."""
    from drillkit.tui.screens.debrief_evidence import EvidenceScreen  # noqa: PLC0415 steps import this
    from drillkit.tui.screens.debrief_grades import GradesScreen  # noqa: PLC0415
    from drillkit.tui.screens.debrief_verdict import VerdictScreen  # noqa: PLC0415

    state = sitting.state
    if again:
        return GradesScreen(sitting, again=True)
    if any(row not in state.grades for row in graded_rows(state)):
        return GradesScreen(sitting)
    return VerdictScreen(sitting) if state.finished else EvidenceScreen(sitting)
