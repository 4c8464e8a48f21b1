"""The second step of the debrief: what the board shows beside one's own grades."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.table import Table
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.rounds.debrief import Debrief, debrief
from drillkit.tui.screens.debrief import DEBRIEF_KEYS, BoardPanel, DebriefScreen
from drillkit.tui.text import cell, hanging, line, wrapped_cell
from drillkit.tui.widgets.lists import Choices, Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.rounds.evidence import RowEvidence, SignalEvidence
    from drillkit.rounds.sitting import Sitting

SHOWN = {"hit": "yes", "partial": "in part", "miss": "not found"}
TITLE_WIDTH = 36


class EvidenceScreen(DebriefScreen):
    """Each row with both grades; what they rest on stands below the one in front."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "next", "Model answer", key_display="n", id="debrief.next"),
        *DEBRIEF_KEYS,
    ]

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._debrief: Debrief = debrief(self.state)

    def parts(self) -> Iterable[Widget]:
        yield self.status(2, "what your board shows")
        yield Static(self._note(), id="note")
        with Horizontal(classes="panels"):
            with Vertical(id="grading"):
                head = f"{'':<{TITLE_WIDTH}}you  board"
                yield Static(head, id="columns-of-rows", classes="muted")
                yield Choices(*self._entries(), id="rows")
                with Page(id="anchors", can_focus=False):
                    yield Static(id="anchor-text")
            yield BoardPanel(self.state.judged_board)

    def _note(self) -> str:
        count = len(self._debrief.differences)
        if not count:
            return "Your grades and the board agree. Words are searched, not understood."
        rows = "1 row differs" if count == 1 else f"{count} rows differ"
        return f"{rows}: ▲ you are higher, ▼ lower. Words are searched, not understood."

    def on_mount(self) -> None:
        rows = self.query_one(Choices)
        rows.focus()
        first = next((d.row.row for d in self._debrief.differences), None)
        order = [one.row for one in self._debrief.evidence.rows]
        rows.highlighted = order.index(first) if first in order else 0

    def _entries(self) -> Iterable[Option]:
        for row in self._debrief.evidence.rows:
            yield Option(self._entry(row))
        for signal in self._debrief.evidence.signals:
            yield Option(_padded(signal.signal.title) + Content(f"      {SHOWN[signal.mark]}"))

    def _entry(self, row: RowEvidence) -> Content:
        title = next(one.title for one in self._debrief.rubric if one.row == row.row)
        own = self._debrief.own.get(row.row)
        grades = Content(f" {own or '·'}    {row.suggested}")
        return _padded(title) + grades + difference_text(own, row.suggested)

    @on(OptionList.OptionHighlighted)
    def _show_lines(self) -> None:
        at = self.query_one(Choices).highlighted or 0
        rows = self._debrief.evidence.rows
        if at < len(rows):
            told = self._row_lines(rows[at])
        else:
            told = _signal_lines(self._debrief.evidence.signals[at - len(rows)])
        self.query_one("#anchor-text", Static).update(
            hanging((mark, wrapped_cell(text, style)) for mark, text, style in told)
        )

    def _row_lines(self, row: RowEvidence) -> Iterable[tuple[str, str, str]]:
        graded = self.state.grades.get(row.row)
        rubric = next(one for one in self._debrief.rubric if one.row == row.row)
        if graded is not None:
            yield f"you {graded.grade}", rubric.anchors[graded.grade - 1], ""
            if graded.evidence:
                yield "", f"“{graded.evidence}”", "italic"
        yield f"board {row.suggested}", f"score {row.score * 100:.0f} % of what was to be done", ""
        for text in row.lines:
            yield "  ·", text, "dim"

    def action_next(self) -> None:
        from drillkit.tui.screens.debrief_model import ModelScreen  # noqa: PLC0415 the next step

        self.go(ModelScreen(self.sitting))

    @on(OptionList.OptionSelected)
    def _enter(self) -> None:
        self.action_next()


def _padded(title: str) -> Content:
    fits = title if len(title) < TITLE_WIDTH else f"{title[: TITLE_WIDTH - 2]}…"
    return line(fits) + Content(" " * (TITLE_WIDTH - len(fits)))


def difference_text(own: int | None, suggested: int) -> Content:
    """Say by how much two grades differ, by a sign and a word."""
    if own is None or own == suggested:
        return Content("") if own is None else Content("    =  agree")
    by = own - suggested
    if by > 0:
        return Content.styled(f"    ▲  you +{by}", "bold $text-warning")
    return Content.styled(f"    ▼  you −{-by}", "bold $text-accent")


def _signal_lines(found: SignalEvidence) -> Iterable[tuple[str, str, str]]:
    yield "", f"{found.signal.title}.", "bold"
    yield "", found.signal.says, ""
    if found.line:
        yield "  ·", f"“{found.line}”", "italic"


class DriftScreen(DebriefScreen):
    """What a second grading on another day says of the first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "next", "Verdict", key_display="n", id="debrief.next"),
        *DEBRIEF_KEYS,
    ]

    def parts(self) -> Iterable[Widget]:
        yield self.status(1, "the second grading")
        yield Static("Your grades of the day, and today's.", id="note")
        with Page():
            yield Static(self._table())
            yield Static(line(self._told()), classes="paragraph")

    def on_mount(self) -> None:
        self.query_one(Page).focus()

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 3))
        table.add_row(*(cell(text, "dim") for text in ("", "first", "again", "drift")))
        for one in debrief(self.state).drift:
            by = one.again - one.first
            sign = "same" if not by else f"▲ +{by}" if by > 0 else f"▼ −{-by}"
            grades = (cell(str(one.first)), cell(str(one.again)))
            table.add_row(cell(one.row.title), *grades, cell(sign, "bold" if by else "dim"))
        return table

    def _told(self) -> str:
        drift = [one.again - one.first for one in debrief(self.state).drift]
        moved = sum(by != 0 for by in drift)
        if not moved:
            return "No row moved: your grading is steady."
        mean = sum(drift) / len(drift)
        signed = f"{mean:+.2f}".replace("-", "−")
        way = "kinder on the day" if mean < 0 else "stricter on the day" if mean else "no bias"
        return f"{moved} of {len(drift)} rows moved, by {signed} in the mean: {way}."

    def action_next(self) -> None:
        from drillkit.tui.screens.debrief_verdict import VerdictScreen  # noqa: PLC0415 the last step

        self.go(VerdictScreen(self.sitting))
