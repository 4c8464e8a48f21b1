"""The design rounds: what there is to play, what waits, what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.rounds.standing import Standing, day_of, standings, times, week_text
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line, stacked
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from textual.widget import Widget

    from drillkit.content.library import Library
    from drillkit.content.round import Round
    from drillkit.errors import DrillkitError
    from drillkit.rounds.archive import Kept
    from drillkit.rounds.trends import Summary

READING = "Reading what was played …"
HOW_TO_WRITE = "No rounds here. `drillkit new round FILE` writes one to start from."


class RoundsRead(Message):
    """The journals were read; `summaries` are those of the rounds that are over, by journal."""

    def __init__(
        self,
        kept: Sequence[Kept],
        summaries: Mapping[Path, Summary],
        faults: Sequence[DrillkitError],
    ) -> None:
        super().__init__()
        self.kept = kept
        self.summaries = summaries
        self.faults = faults

    def verdict(self, kept: Kept) -> str:
        """What the person made of a round, once it is graded."""
        found = self.summaries.get(kept.path) if kept.state.finished else None
        return (found.verdict or "") if found else ""


class ArchiveScreen(DrillScreen[None]):
    """A screen that shows what was played, and reads it again whenever it comes to the front."""

    def on_screen_resume(self) -> None:
        self.read_archive()

    @work(thread=True, exclusive=True, group="archive")
    def read_archive(self) -> None:
        """Replay the journals off the screen's thread: a year of rounds takes a moment."""
        kept, faults = self.drill.workspace.rounds.read()
        summaries = {one.path: one.summary for one in kept if one.state.over}
        self.post_message(RoundsRead(kept, summaries, faults))


class RoundsScreen(ArchiveScreen):
    """Enter opens a round, `d` the debrief that waits, `h` what was played, `t` the trends."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", key_display="Enter", priority=True),
        Binding("d", "grade", "Debrief", id="rounds.debrief"),
        Binding("h", "history", "Past rounds", id="rounds.history"),
        Binding("t", "trends", "Trends", id="rounds.trends"),
        Binding("escape,q", "app.pop_screen", "Home", key_display="Esc"),
    ]

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._rounds = library.rounds
        self._standing: dict[str, Standing] = {}
        self._archive: RoundsRead | None = None

    def parts(self) -> Iterable[Widget]:
        yield Static("Mock rounds", id="headline")
        yield Static(READING if self._rounds else HOW_TO_WRITE, id="note")
        yield Choices(*self._options(), id="results")

    def on_mount(self) -> None:
        self.query_one(Choices).focus()

    @on(RoundsRead)
    def show_read(self, event: RoundsRead) -> None:
        self._archive = event
        self._standing = standings(event.kept)
        for fault in event.faults:
            self.drill.complain(fault)
        choices = self.query_one(Choices)
        chosen = choices.highlighted
        choices.set_options(self._options())
        if self._rounds:
            following = proposed_round(self._rounds, event.summaries.values())
            if chosen is None:
                # What waits is dearer than what is new.
                waits = (name for name in self._rounds if list(_waits(self._of(name))))
                chosen = list(self._rounds).index(next(waits, following))
            choices.highlighted = chosen
            today = self.drill.workspace.clock.now().local.date()
            parts = [
                line(week_text(event.kept, today)),
                line(f"Proposed next: {self._rounds[following].title}"),
            ]
            self.query_one("#note", Static).update(stacked(parts))
        self.refresh_bindings()

    def _options(self) -> Iterable[Option]:
        return [Option(self._entry(round_), id=name) for name, round_ in self._rounds.items()]

    def _entry(self, round_: Round) -> Content:
        standing = self._of(round_.id)
        about = [*_waits(standing), round_.level, f"{round_.minutes} min", *self._told(standing)]
        return line(round_.title, "bold") + Content("\n    ") + line(" · ".join(about), "dim")

    def _told(self, standing: Standing) -> Iterable[str]:
        ended = standing.ended
        if not ended and standing.unfinished is None:
            yield "not played yet"
        elif ended:
            last = ended[-1]
            verdict = self._archive.verdict(last) if self._archive else ""
            yield f"played {times(len(ended))}, last {day_of(last):%d %b}"
            if verdict:
                yield verdict

    @property
    def _chosen(self) -> str:
        at = self.query_one(Choices).highlighted
        return "" if at is None else list(self._rounds)[at]

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "grade":
            return self.is_mounted and self._ungraded is not None
        if action == "open":
            return bool(self._rounds)
        return super().check_action(action, parameters)

    @property
    def _ungraded(self) -> Kept | None:
        return self._of(self._chosen).ungraded

    def _of(self, name: str) -> Standing:
        return self._standing.get(name, Standing())

    @on(OptionList.OptionSelected)
    def action_open(self) -> None:
        if self._chosen:
            self.drill.start_round(self._chosen)

    def action_grade(self) -> None:
        if self._ungraded is not None:
            self.drill.debrief_round(self._ungraded)

    def action_history(self) -> None:
        from drillkit.tui.screens.round_history import HistoryScreen  # noqa: PLC0415 seldom used

        self.app.push_screen(HistoryScreen())

    def action_trends(self) -> None:
        from drillkit.tui.screens.round_trends import TrendsScreen  # noqa: PLC0415 seldom used

        self.app.push_screen(TrendsScreen())


def _waits(standing: Standing) -> Iterable[str]:
    if standing.unfinished is not None:
        yield "UNFINISHED: Enter"
    if standing.ungraded is not None:
        yield "TO BE GRADED: d"


def proposed_round(rounds: Mapping[str, Round], summaries: Iterable[Summary]) -> str:
    """Return the round to play next: for the weakest row at the level that was played last."""
    from drillkit.rounds.trends import next_round, trends  # noqa: PLC0415 not before something is read

    played = list(summaries)
    last = max(played, key=lambda one: one.when.utc_ms, default=None)
    level = last.level if last else next(iter(rounds.values())).level
    return next_round(trends(played, level), rounds.values())
