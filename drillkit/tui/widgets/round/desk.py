"""All that a running round shows above the prompt; each part is drawn only where it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from drillkit.rounds.pace import minutes_of
from drillkit.tui.text import line, stacked
from drillkit.tui.widgets.round import panels
from drillkit.tui.widgets.round.asked import numbers_row, stands
from drillkit.tui.widgets.round.board import Board
from drillkit.tui.widgets.round.header import RoundHeader, Shown
from drillkit.tui.widgets.round.panels import Panel

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from drillkit.rounds.sitting import Sitting
    from drillkit.tui.widgets.round.asked import Standing

# So long the write-down list shows by itself when a phase begins.
LIST_S = 10
STEP_S = 10


class Desk(Vertical):
    """The header, the board between its panels, the interviewer's latest word, the numbers.

    `told` is what came of the last command; it stays until the next one.
    """

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(id="desk")
        self._sitting = sitting
        self._list_until_s = 0.0
        self._standing: tuple[Standing, ...] = ()
        self._standing_of: tuple[object, ...] = ()
        self.told = Content("")
        self.board = Board(sitting.state.board)
        self._header = RoundHeader(id="round-header")
        self._said, self._left = Static(id="latest-said"), Static(id="latest-left")
        self._latest = Horizontal(self._said, self._left, id="latest")
        self._told_line, self._row = Static(id="told"), Static(id="numbers-row")
        self._plan, self._know = Panel("plan-panel"), Panel("know-panel")
        self._talk, self._numbers = Panel("talk-panel"), Panel("numbers-panel")

    def compose(self) -> ComposeResult:
        yield self._header
        yield Static("PAUSED", id="paused")
        left = Vertical(self._plan, self._know, id="left-side")
        right = Vertical(self._talk, self._numbers, id="right-side")
        yield Horizontal(left, self.board, right, id="middle")
        yield self._latest
        yield self._told_line
        yield self._row

    def show_list(self) -> None:
        """Show for a while what to write down in the phase that begins."""
        self._list_until_s = self._sitting.elapsed_s + LIST_S

    def show(self, shown: Shown, fault: str) -> None:
        """Draw everything as it is now; `fault` is why the board is not kept."""
        self._header.show(shown)
        if shown.state.paused:
            return
        self._show_latest()
        parts = [line(fault, "bold $text-error")] if fault else []
        parts += [self.told] if self.told else []
        if self._sitting.elapsed_s < self._list_until_s:
            parts.append(line(panels.write_text(shown.state), "$text-accent"))
        _update(self._told_line, stacked(parts), layout=True)
        _update(self._row, numbers_row(self.standing(), shown.width))
        phase = "overtime" if shown.state.overtime else line(shown.state.phase.id).plain
        self.board.entitle(f"board: {phase}", "NOT KEPT" if fault else "")

    def _show_latest(self) -> None:
        state = self._sitting.state
        thrown = state.open_curveball
        self._latest.set_class(thrown is not None, "-open")
        if thrown is None:
            spoken = (one for one in reversed(state.talk) if one.who != "you")
            said = next((panels.talk_line(one) for one in spoken), Content(""))
            _update(self._left, Content(""), layout=True)
        else:
            sign = f"! INTERVIEWER {minutes_of(thrown.at_s)}  "
            said = Content.assemble((sign, "bold $text-warning"), line(thrown.said, "bold"))
            left = f"  {minutes_of(int(self._sitting.answer_left_s))} to answer (F4)"
            _update(self._left, Content.styled(left, "bold $text-warning"), layout=True)
        _update(self._said, said, layout=True)

    def show_panels(self, shown: Shown, typing: str) -> None:
        """Draw the panels that can be seen; `typing` names the number that is asked for."""
        state = shown.state
        if self._plan.display:
            hidden = shown.face == "hidden"
            # The header counts the seconds; two places that do would draw all between them.
            tens_s = shown.elapsed_s // STEP_S * STEP_S
            self._plan.show(panels.plan_lines(state, tens_s, hidden=hidden), still=True)
        if self._know.display:
            self._know.show([*panels.write_lines(state), *panels.fact_lines(state)])
        if self._talk.display:
            self._talk.show(panels.talk_lines(state))
        if self._numbers.display:
            numbers = panels.number_lines(self.standing(), typing)
            self._numbers.show([*numbers, *panels.confidence_lines(state)])

    def scroll_panels(self, pages: int) -> None:
        """Scroll what stands beside the board."""
        for panel in (self._know, self._talk, self._numbers):
            panel.scroll_relative(y=pages * max(1, panel.size.height - 1), animate=False)

    def standing(self) -> tuple[Standing, ...]:
        """The numbers and how they stand, worked out again only when something moved them."""
        state = self._sitting.state
        moved = (
            state.index, len(state.numbers), len(state.layouts), len(state.curveballs),
            state.situation,
        )  # fmt: skip
        if moved != self._standing_of:
            self._standing, self._standing_of = stands(state), moved
        return self._standing


def _update(widget: Static, content: Content, *, layout: bool = False) -> None:
    if content != widget.content:
        widget.update(content, layout=layout)
