"""All rounds that were played, the latest first: each can be read, graded and exported again."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.counted import counted
from drillkit.errors import DrillkitError
from drillkit.rounds.pace import minutes_of
from drillkit.rounds.standing import moment_of
from drillkit.tui.screens.rounds import ArchiveScreen, RoundsRead
from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.rounds.archive import Kept
    from drillkit.rounds.state import State


class HistoryScreen(ArchiveScreen):
    """Enter opens a debrief, or a round that was left; `x` writes the export again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", key_display="Enter", priority=True),
        Binding("r", "regrade", "Grade again", id="rounds.regrade"),
        Binding("x", "export", "Export", id="rounds.export"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Kept] = []

    def parts(self) -> Iterable[Widget]:
        yield Static("Past rounds", id="headline")
        yield Static("Reading the journals …", id="note")
        yield Choices(id="results")

    def on_mount(self) -> None:
        self.query_one(Choices).focus()

    @on(RoundsRead)
    def show_read(self, event: RoundsRead) -> None:
        by_start = sorted(event.kept, key=lambda one: one.state.started.at.utc_ms)
        self._kept = by_start[::-1]
        for fault in event.faults:
            self.drill.complain(fault)
        choices = self.query_one(Choices)
        at = choices.highlighted or 0
        choices.set_options(self._option(one, event.verdict(one)) for one in self._kept)
        if self._kept:
            choices.highlighted = min(at, len(self._kept) - 1)
            told = f"{counted(len(self._kept), 'round')}, kept in "
            note = f"{told}{self.drill.workspace.folders.rounds}"
        else:
            note = "Nothing was played yet. Esc, then Enter on a round begins one."
        self.query_one("#note", Static).update(line(note))
        self.refresh_bindings()

    def _option(self, kept: Kept, verdict: str) -> Option:
        state = kept.state
        when = moment_of(state.started.at).local
        head = line(f"{when:%a %d %b %Y %H:%M}  {state.started.round.title}", "bold")
        about = [state.started.mode, state.started.level, standing_of(state, verdict)]
        if state.interrupted:
            about.append("interrupted")
        return Option(head + Content("\n    ") + line(" · ".join(about), "dim"))

    @property
    def _chosen(self) -> Kept | None:
        at = self.query_one(Choices).highlighted if self._kept else None
        return None if at is None else self._kept[at]

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"regrade", "export"}:
            chosen = self._chosen if self.is_mounted else None
            return chosen is not None and chosen.state.finished
        return super().check_action(action, parameters)

    @on(OptionList.OptionSelected)
    def action_open(self) -> None:
        kept = self._chosen
        if kept is None:
            return
        if kept.state.over:
            self.drill.debrief_round(kept)
        else:
            self.drill.return_to_round(kept)

    def action_regrade(self) -> None:
        if self._chosen is not None:
            self.drill.debrief_round(self._chosen, again=True)

    def action_export(self) -> None:
        from drillkit.rounds.export import write_export  # noqa: PLC0415 seldom used

        if self._chosen is None:
            return
        try:
            path = write_export(self._chosen)
        except DrillkitError as error:
            self.drill.complain(error)
            return
        self.notify(line(f"Written: {path}").plain, markup=False, timeout=8)


def standing_of(state: State, verdict: str) -> str:
    """Say what became of a round."""
    if not state.over:
        return f"unfinished, left at {minutes_of(state.elapsed_s)}"
    if not state.finished:
        return "to be graded"
    return verdict or "graded"
