"""The last step of the debrief: the verdict, the next step, and cards of what was missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from drillkit.errors import DrillkitError
from drillkit.rounds.archive import Kept
from drillkit.rounds.debrief import debrief
from drillkit.rounds.export import write_export
from drillkit.tui.screens.debrief import DebriefScreen
from drillkit.tui.text import line, shown, stacked
from drillkit.tui.widgets.lists import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.rounds.verdict import Verdict


class VerdictScreen(DebriefScreen):
    """The verdict with its reason; the export is written on the way."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "done", "Done", key_display="Enter"),
        Binding("b", "back", "Back", id="debrief.back"),
    ]

    def parts(self) -> Iterable[Widget]:
        yield self.status(4, "the verdict")
        with Page(id="verdict-page"):
            yield Static(self._verdicts())
            yield Static(id="export-note", classes="paragraph")

    def on_mount(self) -> None:
        self.query_one(Page).focus()
        self._export()

    def _verdicts(self) -> Content:
        told = debrief(self.state)
        parts = [*_verdict("You", told.own_verdict), *_verdict("Board", told.suggested_verdict)]
        parts += [Content(""), Content.styled("Next step", "bold"), shown(told.next_step)]
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

    def action_back(self) -> None:
        from drillkit.tui.screens.debrief_model import ModelScreen  # noqa: PLC0415 the step before

        self.go(ModelScreen(self.sitting))

    def action_done(self) -> None:
        try:
            if not self.state.finished:
                self.sitting.settle()
        except DrillkitError as error:
            self.drill.complain(error)
            return
        self._export()
        self.action_leave()


def _verdict(who: str, verdict: Verdict | None) -> Iterable[Content]:
    if verdict is None:
        return
    head = Content.styled(f"{who + ':':<7}", "bold")
    yield head + line(verdict.name.upper(), "bold") + Content(f"  ({verdict.mean:.2f} of 4)")
    yield shown(f"       {verdict.reason}", "$text-muted")
