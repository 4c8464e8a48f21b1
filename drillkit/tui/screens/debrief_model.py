"""The third step of the debrief: the model answer beside the board, phase by phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.table import Table
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.errors import DrillkitError
from drillkit.rounds.debrief import debrief
from drillkit.rounds.export import as_written, board_by_phase
from drillkit.rounds.pace import minutes_of
from drillkit.tui.screens.debrief import DEBRIEF_KEYS, DebriefScreen
from drillkit.tui.text import cell, hanging, line, shown, stacked, wrapped_cell
from drillkit.tui.widgets.lists import Choices, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from textual.widget import Widget

    from drillkit.rounds.debrief import CheckRow, CurveballRow, Debrief, LayoutPair, PointMark
    from drillkit.rounds.events import Mark
    from drillkit.rounds.layout import LayoutVerdict
    from drillkit.rounds.sitting import Sitting
    from drillkit.rounds.state import State

MARKS: dict[Mark, str] = {"hit": "✓ hit    ", "partial": "~ partial", "miss": "✗ miss   "}
NOTHING = "(nothing was written here)"


class Leaf(NamedTuple):
    """One page of the model answer: a phase, or a curveball."""

    title: str
    mine: Content
    model: Content
    checks: tuple[CheckRow, ...]
    layout: LayoutPair | None
    points: tuple[PointMark, ...]


class ModelScreen(DebriefScreen):
    """A page for each phase and each curveball; `h`, `p`, `m` mark the point in front."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "mark('hit')", "Hit", id="debrief.hit"),
        Binding("p", "mark('partial')", "Partial", id="debrief.partial"),
        Binding("m", "mark('miss')", "Miss", id="debrief.miss"),
        Binding("n,enter,right", "next", "Next page", key_display="n"),
        Binding("b,left", "back", "Back", key_display="b"),
        Binding("e", "end", "Verdict", id="debrief.end"),
        *DEBRIEF_KEYS,
    ]

    def __init__(self, sitting: Sitting, page: int = 0) -> None:
        super().__init__(sitting)
        self._at = page
        self._leaves = leaves(debrief(self.state), self.state.judged_board)

    def parts(self) -> Iterable[Widget]:
        yield self.status(3, "the model answer")
        yield Static(id="note")
        with Page(id="model-page", can_focus=False):
            with Horizontal(id="side-by-side"):
                with Vertical(classes="half"):
                    yield Static("yours", classes="muted")
                    yield Static(id="mine")
                with Vertical(classes="half"):
                    yield Static("model", classes="muted")
                    yield Static(id="model")
            yield Static(id="checks")
            yield Static(id="layout")
        yield Choices(id="points")

    def on_mount(self) -> None:
        points = self.query_one(Choices)
        points.border_title = "what belongs there, marked by its words until you mark it"
        points.focus()
        self._show()

    @property
    def _leaf(self) -> Leaf:
        return self._leaves[self._at]

    def _show(self) -> None:
        leaf = self._leaf
        place = f"{self._at + 1} of {len(self._leaves)}"
        self.query_one("#note", Static).update(line(f"{place} · {leaf.title}"))
        self.query_one("#mine", Static).update(leaf.mine)
        self.query_one("#model", Static).update(leaf.model)
        checks, layout = self.query_one("#checks", Static), self.query_one("#layout", Static)
        checks.display, layout.display = bool(leaf.checks), leaf.layout is not None
        if leaf.checks:
            checks.update(_check_table(self.state, leaf.checks))
        if leaf.layout is not None:
            layout.update(_layout_text(leaf.layout))
        self._fill()
        self.query_one(Choices).highlighted = 0 if leaf.points else None
        self.query_one("#model-page", Page).scroll_home(animate=False)
        self.refresh_bindings()

    def _fill(self) -> None:
        points = self.query_one(Choices)
        at = points.highlighted
        points.set_options(Option(_point(one)) for one in self._leaf.points)
        points.highlighted = at

    def action_mark(self, mark: Mark) -> None:
        points = self.query_one(Choices)
        at = points.highlighted
        if at is None:
            return
        try:
            self.sitting.mark(self._leaf.points[at].name, mark)
        except DrillkitError as error:
            self.drill.complain(error)
            return
        self._leaves = leaves(debrief(self.state), self.state.judged_board)
        self._fill()
        points.highlighted = min(at + 1, len(self._leaf.points) - 1)

    @on(OptionList.OptionSelected)
    def action_next(self) -> None:
        if self._at + 1 < len(self._leaves):
            self._at += 1
            self._show()
        else:
            self.action_end()

    def action_back(self) -> None:
        from drillkit.tui.screens.debrief_evidence import EvidenceScreen  # noqa: PLC0415 the step before

        if self._at:
            self._at -= 1
            self._show()
        else:
            self.go(EvidenceScreen(self.sitting))

    def action_end(self) -> None:
        from drillkit.tui.screens.debrief_verdict import VerdictScreen  # noqa: PLC0415 the next step

        self.go(VerdictScreen(self.sitting))


# --- pages -------------------------------------------------------------------------------------


def leaves(told: Debrief, board: str) -> tuple[Leaf, ...]:
    """Return the pages: the phases in turn, then the curveballs that came."""
    return (*_phase_leaves(told, board), *(_curveball_leaf(row) for row in told.curveballs))


def _phase_leaves(told: Debrief, board: str) -> Iterator[Leaf]:
    sections = board_by_phase(board)
    layouts = {pair.phase: pair for pair in told.layouts}
    times = {one.planned.phase.id: one for one in told.timeline}
    for model in told.phases:
        name = model.phase.id
        mine = "\n".join(text for section, text in sections if section == name)
        time = times[name]
        took = f"{minutes_of(time.spent_s)} of {minutes_of(time.planned.length_s)}"
        title = f"{model.phase.title}  ({took if time.reached else 'not reached in time'})"
        parts = [shown(mine.strip()) if mine.strip() else Content.styled(NOTHING, "dim")]
        if model.phase.row == "scope" and told.facts:
            parts.append(_unasked(told))
        yield Leaf(
            title,
            stacked(parts),
            stacked(shown(f"· {text}") for text in model.lines),
            tuple(row for row in told.checks if row.phase == name),
            layouts.get(name),
            model.points,
        )


def _unasked(told: Debrief) -> Content:
    missed = [row.fact.name or row.fact.symbol for row in told.facts if not row.asked]
    if not missed:
        return Content("\n✓ You asked for every fact that the plan needs.")
    return line("\n✗ Not asked for in time: " + ", ".join(missed), "$text-warning")


def _curveball_leaf(row: CurveballRow) -> Leaf:
    thrown = row.thrown
    said = {"skipped": "skipped", "late": "no answer in time", "open": "no answer"}
    outcome = said.get(thrown.outcome, "answered")
    if row.latency_s is not None and thrown.outcome == "answered":
        outcome += f" after {minutes_of(row.latency_s)}"
    if thrown.challenged:
        outcome += f"; the doubted number: {thrown.challenged}"
    mine = stacked(
        (
            line(f"“{thrown.said}”", "italic"),
            line(f"{outcome}", "bold"),
            shown(thrown.text.strip()) if thrown.text.strip() else Content.styled(NOTHING, "dim"),
        )
    )
    title = f"Interruption at {minutes_of(thrown.at_s)} in {thrown.phase}"
    return Leaf(title, mine, shown(row.model), (), None, row.points)


def _check_table(state: State, rows: tuple[CheckRow, ...]) -> Table:
    table = Table.grid(padding=(0, 2))
    for _ in range(5):
        table.add_column(overflow="fold")
    table.add_row(*(cell(text, "dim") for text in ("number", "yours", "comes to", "×", "")))
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
        good = row.band in {"exact", "close"}
        band = f"{'✓' if good else '✗'} {row.band or 'no number'}"
        if row.follows:
            band += ", by your own numbers"
        asked = state.filled(row.check.ask)
        table.add_row(
            cell(asked), cell(row.mine), cell(row.expected), cell(ratio), cell(band, "bold")
        )
        for text in row.diagnosis:
            table.add_row(cell(f"  {text}", "italic"))
    return table


def _layout_text(pair: LayoutPair) -> Content:
    parts = [Content.styled("layout", "dim")]
    if pair.laid is None:
        parts.append(Content("yours: none was given in time"))
    else:
        parts += _verdict_lines("yours", pair.laid.fields, pair.laid.verdict)
    parts += _verdict_lines("model", pair.model, pair.model_verdict)
    return stacked(parts)


def _verdict_lines(who: str, fields: dict[str, int], verdict: LayoutVerdict) -> Iterator[Content]:
    told = "  ".join(f"{name}={value}" for name, value in fields.items())
    yield line(f"{who}: {told}", "bold")
    for rule in verdict.rules:
        told = as_written(rule.holds) + (f": {rule.margin}" if rule.margin else "")
        yield line(f"  ✓ {told}" if rule.met else f"  ✗ {rule.says}  {told}")


def _point(point: PointMark) -> Table:
    told = wrapped_cell(point.says)
    if not point.own:
        told.append("  (by its words)", style="dim")
    return hanging([(MARKS[point.mark], told)])
