"""The first step of the debrief: one's own grades, before anything else is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.errors import DrillkitError
from drillkit.rounds.evidence import evidence_line
from drillkit.rounds.mentions import HEADING
from drillkit.rounds.rubric import GRADES, RowRubric, rubric
from drillkit.tui.screens.debrief import DEBRIEF_KEYS, BoardPanel, DebriefScreen, graded_rows
from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.screens.round_start import TypedScreen
from drillkit.tui.text import hanging, line, shown, wrapped_cell
from drillkit.tui.widgets.key_line import KeyLine
from drillkit.tui.widgets.lists import Choices, Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.widget import Widget

    from drillkit.content.round import Row
    from drillkit.rounds.events import Graded
    from drillkit.rounds.sitting import Sitting

SHOWN_FROM = 3
"""From this grade on a line of the board has to show it."""

GRADE = Binding.Group("Grade")
TITLE_WIDTH = 34

ALOUD = "Said aloud: nothing on the board shows it"


class GradesScreen(DebriefScreen):
    """Eight rows; 1 to 4 grade the one in front. `again` is the grading of another day."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(one), f"grade({one})", f"Grade {one}", group=GRADE) for one in GRADES),
        Binding("n", "next", "Evidence", id="debrief.next"),
        *DEBRIEF_KEYS,
    ]

    def __init__(self, sitting: Sitting, *, again: bool = False) -> None:
        super().__init__(sitting)
        self._again = again
        played = graded_rows(self.state)
        found = rubric(self.state.started.round, self.state.started.level)
        self._rows: tuple[RowRubric, ...] = tuple(one for one in found if one.row in played)
        # A second grading starts blank each time, blind to the first and to itself.
        self._given: dict[Row, Graded] = {} if again else dict(self.state.grades)

    def parts(self) -> Iterable[Widget]:
        about = "grade yourself again, blind" if self._again else "grade yourself, blind"
        yield self.status(1, about)
        yield Static(id="note")
        with Horizontal(classes="panels"):
            with Vertical(id="grading"):
                yield Choices(id="rows")
                with Page(id="anchors", can_focus=False):
                    yield Static(id="anchor-text")
            yield BoardPanel(self.state.judged_board)

    def on_mount(self) -> None:
        self._fill()
        rows = self.query_one(Choices)
        rows.focus()
        rows.highlighted = self._next_open(0)

    def _fill(self) -> None:
        rows = self.query_one(Choices)
        at = rows.highlighted or 0
        rows.set_options(Option(self._entry(row)) for row in self._rows)
        rows.highlighted = at
        left = len(self._rows) - len(self._given)
        if left:
            note = f"{left} of {len(self._rows)} to grade, before anything is shown."
        else:
            note = "All graded. n shows the evidence; from then on the grades stay."
        self.query_one("#note", Static).update(note)
        self.refresh_bindings()

    def _entry(self, row: RowRubric) -> Content:
        given = self._given.get(row.row)
        grade = str(given.grade) if given else "·"
        weight = f"×{row.weight}" if row.weight > 1 else ""
        pad = " " * (TITLE_WIDTH - len(row.title))
        head = Content.assemble(f"{grade}  ", line(row.title), f"{pad}{weight:<2}  ")
        if given is None or given.grade < SHOWN_FROM:
            return head
        return head + line(given.evidence or "(said aloud)", "dim")

    @on(OptionList.OptionHighlighted)
    def _show_anchors(self) -> None:
        row = self._row
        given = self._given.get(row.row)
        chosen = given.grade if given else 0
        told = hanging(
            (
                f"{'▸' if grade == chosen else ' '}{grade}",
                wrapped_cell(text, "bold" if grade == chosen else ""),
            )
            for grade, text in enumerate(row.anchors, 1)
        )
        self.query_one("#anchor-text", Static).update(told)

    @property
    def _row(self) -> RowRubric:
        return self._rows[self.query_one(Choices).highlighted or 0]

    def _next_open(self, start: int) -> int:
        """The first row from `start` on, then from the top, that has no grade."""
        order = [*range(start, len(self._rows)), *range(start)]
        return next((at for at in order if self._rows[at].row not in self._given), start)

    def action_grade(self, grade: int) -> None:
        row = self._row
        if grade < SHOWN_FROM:
            self._give(row, grade, "")
            return

        def take(evidence: str | None) -> None:
            if evidence is not None:
                self._give(row, grade, evidence)

        self.app.push_screen(
            EvidenceDialog(
                f"{row.title}: {grade}. Which line of your board shows it?",
                self.state.judged_board,
                evidence_line(self.state, row.row),
            ),
            take,
        )

    def _give(self, row: RowRubric, grade: int, evidence: str) -> None:
        try:
            self.sitting.grade(row.row, grade, evidence, again=self._again)
        except DrillkitError as error:
            self.drill.complain(error)
            return
        kept = self.state.regrades if self._again else self.state.grades
        self._given[row.row] = kept[row.row]
        self._fill()
        rows = self.query_one(Choices)
        rows.highlighted = self._next_open(rows.highlighted or 0)
        self._show_anchors()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next":
            return len(self._given) == len(self._rows) or None
        return super().check_action(action, parameters)

    def action_next(self) -> None:
        from drillkit.tui.screens.debrief_evidence import DriftScreen, EvidenceScreen  # noqa: PLC0415 the next step

        try:
            self.sitting.open_model()
        except DrillkitError as error:
            self.drill.complain(error)
            return
        self.go(DriftScreen(self.sitting) if self._again else EvidenceScreen(self.sitting))


class EvidenceDialog(DialogScreen[str]):
    """Asks for the line that shows a grade; the answer is empty where it was said aloud."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take it", key_display="Enter", priority=True),
        Binding("t", "type", "Type one", id="debrief.type"),
    ]

    def __init__(self, ask: str, board: str, suggested: str) -> None:
        super().__init__()
        self._ask = ask
        lines = [text.strip() for text in HEADING.sub("", board).splitlines() if text.strip()]
        if suggested and suggested not in lines:
            lines.insert(0, suggested)
        self._suggested = lines.index(suggested) if suggested else None
        self._lines = [*lines, ""]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(shown(self._ask, "bold"))
            yield Choices(
                *(
                    Option(
                        Content("suggested  " if at == self._suggested else "           ")
                        + line(text or ALOUD)
                    )
                    for at, text in enumerate(self._lines)
                ),
                id="board-lines",
            )
        yield KeyLine()

    def on_mount(self) -> None:
        choices = self.query_one(Choices)
        choices.focus()
        # Without a suggestion the honest answer is the first: what is on the board was not enough.
        last = len(self._lines) - 1
        choices.highlighted = last if self._suggested is None else self._suggested

    @on(OptionList.OptionSelected)
    def action_take(self) -> None:
        at = self.query_one(Choices).highlighted
        if at is not None:
            self.dismiss(self._lines[at])

    def action_type(self) -> None:
        def take(text: str | None) -> None:
            if text:
                self.dismiss(text)

        self.app.push_screen(TypedScreen("What shows it, in your words:"), take)
