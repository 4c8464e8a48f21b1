"""What stands beside the board: the plan, what to write down, facts, the talk, the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from drillkit.harmless import one_line
from drillkit.rounds.pace import debts, minutes_of, over_s
from drillkit.tui.text import line
from drillkit.tui.widgets.round.asked import STYLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from textual.app import ComposeResult

    from drillkit.rounds.records import Said
    from drillkit.rounds.state import State
    from drillkit.tui.widgets.round.asked import Standing

MOST_TALK = 60
NAME = 12
ROOM = 31
MARK = "▸"


class Panel(VerticalScroll, can_focus=False):
    """Text beside the board, drawn only where it changed, scrolled to its mark if it has one."""

    def __init__(self, identity: str) -> None:
        super().__init__(id=identity, classes="panel")
        self._text = Static()

    def compose(self) -> ComposeResult:
        yield self._text

    def show(self, lines: Iterable[Content], *, still: bool = False) -> None:
        """Show the lines; `still` when they are as many as before."""
        content = Content("\n").join(list(lines))
        if content == self._text.content:
            return
        self._text.update(content, layout=not (still and self._text.content))
        at = content.plain.find(MARK)
        if at >= 0:
            row = content.plain.count("\n", 0, at)
            self.call_after_refresh(self.scroll_to, y=row - self.size.height // 2, animate=False)


def heading(text: str) -> Content:
    return Content.styled(text, "bold $accent")


def plan_lines(state: State, elapsed_s: float, *, hidden: bool) -> Iterator[Content]:
    """Each phase with the time planned, taken and over; only planned where the clock is hidden."""
    owed = {} if state.overtime else dict(_owed(state, elapsed_s))
    yield heading("plan")
    for index, planned in enumerate(state.plan):
        name = planned.phase.id
        row = f"{index + 1} {one_line(name)[:NAME]:<{NAME}} {minutes_of(planned.length_s):>5}"
        if hidden or index >= len(state.visits):
            pays = f" pays {minutes_of(owed[name])}" if name in owed and not hidden else ""
            here = " ◂" if index == state.index else ""
            yield Content.assemble(row, (pays + here, "$text-warning"))
            continue
        visit = state.visits[index]
        until = max(elapsed_s, visit.entered_s) if visit.left_s is None else visit.left_s
        over = over_s(planned, visit.entered_s, until)
        said = f" +{minutes_of(over)}" if over >= 1 else ""
        now = index == state.index and not state.over
        mark = " ◂" if now else "" if said else " ok"
        yield Content.assemble(
            (f"{row} {minutes_of(until - visit.entered_s):>5}", "bold" if now else ""),
            (said, "$text-warning"),
            mark,
        )


def _owed(state: State, elapsed_s: float) -> Iterator[tuple[str, float]]:
    for debt in debts(state.plan, state.index, elapsed_s):
        yield debt.phase.id, debt.seconds


def write_lines(state: State) -> Iterator[Content]:
    """What to write down in this phase."""
    if state.phase.write:
        yield heading("write down")
        for text in state.phase.write:
            yield line(f"· {text}")
        yield Content("")


def write_text(state: State) -> str:
    """The same on one line."""
    return "write down: " + ", ".join(state.phase.write) if state.phase.write else ""


def fact_lines(state: State) -> Iterator[Content]:
    """What the candidate knows, as it stands now."""
    facts = state.facts()
    if facts:
        yield heading("facts known")
        for _, text in facts:
            yield line(f"· {text}")
        yield Content("")
    if state.notes:
        yield heading("parked")
        for _, text in state.notes:
            yield line(f"· {text}")
        yield Content("")


def talk_lines(state: State) -> Iterator[Content]:
    """What was said, the latest first, and last what the interviewer began with."""
    yield heading("interviewer")
    for said in reversed(state.talk[-MOST_TALK:]):
        yield talk_line(said)
    yield line(state.prompt)


def talk_line(said: Said) -> Content:
    who = {"you": "you: ", "clock": ""}.get(said.who, "")
    style = "$text-muted" if said.who == "you" else ""
    return Content.assemble(
        (f"{minutes_of(said.at_s)} ", "$text-muted"), line(f"{who}{said.text}", style)
    )


def number_lines(standing: Sequence[Standing], now: str) -> Iterator[Content]:
    """Each number asked for so far with its answer; `now` is the one being typed."""
    yield heading("numbers")
    if not standing:
        yield Content.styled("none asked for yet", "$text-muted")
    for target, answer, word in standing:
        mark = f"{MARK} " if target.key == now else "  "
        if not answer:
            yield Content.assemble(mark, line(target.name), ("  open", "$text-muted"))
            continue
        said = Content.assemble(mark, line(f"{target.name} {answer}"))
        fits = said.cell_length + len(word) + 2 <= ROOM
        yield Content.assemble(
            said, "  " if fits else "\n    ", (word, STYLES.get(word, "$text-muted"))
        )


def confidence_lines(state: State) -> Iterator[Content]:
    """How sure the candidate was of what was given as a range."""
    sure = [one for one in state.numbers if one.typed.confidence is not None]
    if sure:
        yield Content("")
        yield heading("confidence")
        yield line("  ".join(f"{one.check} {one.typed.confidence} %" for one in sure))
