"""The three rows above the board: the clock, the phases, and the plan as a bar."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from textual.content import Content
from textual.widgets import Static

from drillkit.rounds.pace import DEAD_BAND_S, debts, minutes_of, over_s, pace_s, phase_at
from drillkit.tui.text import line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drillkit.rounds.pace import Debt, Planned, Visit
    from drillkit.rounds.state import State

ClockFace = Literal["left", "done", "hidden"]
CLOCK_FACES: tuple[ClockFace, ...] = get_args(ClockFace)
LAST_MINUTES_S = 300
SHORT_NAME = 4
GAP = 2


class Shown(NamedTuple):
    """What the header is drawn from: the state at whole second `elapsed_s`, and how.

    `ghost` are the visits of the best run, `today` says which round of the day this is.
    """

    state: State
    elapsed_s: float
    width: int
    face: ClockFace
    ghost: Sequence[Visit] = ()
    today: int = 1


class RoundHeader(Static):
    """Draws itself anew only where a second changed it."""

    def show(self, shown: Shown) -> None:
        content = Content("\n").join([_title(shown), _phases(shown), _bar(shown)])
        if content != self.content:
            self.update(content, layout=False)


def clock_text(state: State, elapsed_s: float, face: ClockFace) -> str:
    """The time of the round: `27:42 left`, `17:18 done`, or that it is hidden."""
    if state.overtime:
        over = f" +{minutes_of(elapsed_s - state.total_s)}" if face != "hidden" else ""
        return f"OVERTIME{over}"
    if face == "left":
        return f"{minutes_of(max(0.0, state.total_s - elapsed_s))} left"
    return f"{minutes_of(elapsed_s)} done" if face == "done" else "clock hidden"


def _title(shown: Shown) -> Content:
    state, started = shown.state, shown.state.started
    short = state.overtime or state.total_s - shown.elapsed_s <= LAST_MINUTES_S
    right = Content.assemble(
        f"{started.mode.upper()}  {started.level}  #{shown.today} today   ",
        Content.styled(
            clock_text(state, shown.elapsed_s, shown.face),
            "bold $text-warning" if short and shown.face != "hidden" else "bold",
        ),
    )
    return _both_ends(line(started.round.title, "bold"), right, shown.width)


def _both_ends(left: Content, right: Content, width: int) -> Content:
    """Two texts at the two ends of a row; the left one is cut where they do not fit."""
    room = width - right.cell_length - GAP
    if room < 1:
        return right.truncate(width)
    left = left.truncate(room, ellipsis=True)
    return Content.assemble(left, " " * (width - left.cell_length - right.cell_length), right)


# --- the phases --------------------------------------------------------------------------------


def _phases(shown: Shown) -> Content:
    """Return the widest of the ways to write the phases that fits."""
    pace = _pace(shown)
    ways = [
        (_chain(shown, " > "), pace),
        (_chain(shown, " > "), pace[:1]),
        (_chain(shown, ">"), pace[:1]),
        (_chain(shown, ">"), ()),
        (_chain(shown, " > ", near=True), pace[:1]),
    ]
    for chain, said in ways:
        right = Content("  ").join(said)
        if chain.cell_length + right.cell_length + GAP <= shown.width:
            return _both_ends(chain, right, shown.width)
    return _chain(shown, " > ", near=True).truncate(shown.width, ellipsis=True)


def short_name(phase_id: str) -> str:
    """`clar`, `comp`, `mem`, `lay`: enough to tell the phases of a round apart."""
    return phase_id[:SHORT_NAME].rstrip("aeiou-") or phase_id


def _chain(shown: Shown, between: str, *, near: bool = False) -> Content:
    """The phases in turn; `near` leaves out those that are not next to the present one."""
    state = shown.state
    owed = {debt.phase.id: debt.seconds for debt in _debts(shown)}
    parts: list[Content] = []
    for index, planned in enumerate(state.plan):
        if near and abs(index - state.index) > 1:
            continue
        name = line(short_name(planned.phase.id))
        if index == state.index:
            parts.append(_present(shown, planned))
        elif index < state.index:
            parts.append(name.stylize("$text-muted"))
        elif planned.phase.id in owed and shown.face != "hidden":
            pays = f" {minutes_of(-owed[planned.phase.id])}"
            parts.append(Content.assemble(name, (pays, "$text-warning")))
        else:
            parts.append(name)
    return Content.styled(between, "$text-muted").join(parts)


def _present(shown: Shown, planned: Planned) -> Content:
    state = shown.state
    text = planned.phase.id.upper()
    if shown.face == "hidden":
        return line(f"[{text}]", "bold")
    spent = shown.elapsed_s - state.entered_s
    text = f"{text} {minutes_of(spent)}/{minutes_of(planned.length_s)}"
    over = over_s(planned, state.entered_s, shown.elapsed_s)
    if over < 1:
        return line(f"[{text}]", "bold")
    late = Content.styled(f" +{minutes_of(over)}", "bold $text-warning")
    return Content.assemble(line(f"[{text}", "bold"), late, ("]", "bold"))


def _debts(shown: Shown) -> tuple[Debt, ...]:
    state = shown.state
    return () if state.overtime else debts(state.plan, state.index, shown.elapsed_s)


def _pace(shown: Shown) -> tuple[Content, ...]:
    """How the candidate keeps to the plan, and when that lets the last phase begin."""
    state = shown.state
    if shown.face == "hidden" or state.overtime:
        return ()
    ahead = round(pace_s(state.planned, state.entered_s, shown.elapsed_s))
    if abs(ahead) <= DEAD_BAND_S:
        return (Content.styled("on pace", "$text-muted"),)
    told = f"pace {'+' if ahead > 0 else ''}{minutes_of(ahead)}"
    pace = Content.styled(told, "$text-warning" if ahead < 0 else "$text-success")
    last = state.plan[-1]
    if last is state.planned or last.start_s - ahead >= last.end_s:
        return (pace,)
    forecast = line(f"{last.phase.id} at {minutes_of(last.start_s - ahead)}", "$text-muted")
    return (pace, forecast)


# --- the bar -----------------------------------------------------------------------------------


def _bar(shown: Shown) -> Content:
    state, total = shown.state, shown.state.total_s
    right = _ghost_text(shown)
    cells = shown.width - right.cell_length - (GAP if right else 0)
    if cells < len(state.plan) * 2:
        return right

    def cell_of(seconds: float) -> int:
        return min(cells - 1, int(seconds / total * cells))

    now = cell_of(shown.elapsed_s)
    bounds = {cell_of(planned.start_s) for planned in state.plan[1:]}
    ghost = cell_of(_ghost_s(shown)) if shown.ghost else -1
    done = "".join("┿" if at in bounds else "━" for at in range(now))
    to_come = "".join("┼" if at in bounds else "─" for at in range(now + 1, cells))
    bar = Content.assemble((done, "$accent"), ("▶", "bold $accent"), (to_come, "$text-muted"))
    if ghost >= 0 and ghost != now:
        bar = Content.assemble(bar[:ghost], ("◇", "bold"), bar[ghost + 1 :])
    return _both_ends(bar, right, shown.width) if right else bar


def _ghost_text(shown: Shown) -> Content:
    """Where the best run was at this second."""
    if not shown.ghost:
        return Content("")
    phase = phase_at(shown.ghost, shown.elapsed_s)
    return line(f"◇ best run: {phase}", "$text-muted")


def _ghost_s(shown: Shown) -> float:
    """The second of the plan up to which the best run had come at this second."""
    ends = [*(after.entered_s for _, after in pairwise(shown.ghost)), None]
    at = 0.0
    for visit, left_s in zip(shown.ghost, ends, strict=True):
        planned = next((one for one in shown.state.plan if one.phase.id == visit.phase), None)
        if planned is None or visit.entered_s > shown.elapsed_s:
            continue
        until = visit.left_s if left_s is None else left_s
        length = (until - visit.entered_s) if until is not None else planned.length_s
        share = min(1.0, (shown.elapsed_s - visit.entered_s) / length) if length else 1.0
        at = planned.start_s + share * planned.length_s
    return at
