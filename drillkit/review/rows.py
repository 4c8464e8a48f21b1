"""States and events as rows of the collection's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.review.events import Event, decode
from drillkit.review.state import NEW, Learning, Memory, New, Relearning, Reviewing, State

if TYPE_CHECKING:
    from collections.abc import Sequence

Value = str | int | float | bytes | None
Row = tuple[Value, ...]

EVENT_COLUMNS = "seq, id, batch, device, utc_ms, offset_min, study_day, body"
ITEM_COLUMNS = (
    "item, phase, step, stability, difficulty, days, due_day, due_ms, reps, lapses, first_day,"
    " last_day, suspended, buried_until, flagged, leech, seq"
)
_MARKS = ", ".join("?" * 17)
PUT_ITEM = f"INSERT OR REPLACE INTO items ({ITEM_COLUMNS}) VALUES ({_MARKS})"  # noqa: S608 fixed names


def row_of(state: State) -> Row:
    """Return a state as a row of `items`."""
    memory = state.memory
    step = due_ms = days = due_day = None
    if isinstance(memory, Reviewing):
        days, due_day = memory.days, memory.due_day
    elif isinstance(memory, Learning | Relearning):
        step, due_ms = memory.step, memory.due_ms
    return (
        state.item,
        state.phase,
        step,
        None if isinstance(memory, New) else memory.stability,
        None if isinstance(memory, New) else memory.difficulty,
        days,
        due_day,
        due_ms,
        state.reps,
        state.lapses,
        state.first_day,
        state.last_day,
        state.suspended,
        state.buried_until,
        state.flagged,
        state.leech,
        state.seq,
    )


def state_of(row: Sequence[Value]) -> State:
    """Read a state from a row of `items`."""
    item, phase, step, stability, difficulty, days, due_day, due_ms, *rest = row
    reps, lapses, first_day, last_day, suspended, buried_until, flagged, leech, seq = rest
    memory: Memory = NEW
    if phase == "review":
        memory = Reviewing(stability, difficulty, days, due_day)  # type: ignore[arg-type]
    elif phase == "learning":
        memory = Learning(step, stability, difficulty, due_ms)  # type: ignore[arg-type]
    elif phase == "relearning":
        memory = Relearning(step, stability, difficulty, due_ms)  # type: ignore[arg-type]
    return State(
        item=str(item),
        memory=memory,
        reps=reps,  # type: ignore[arg-type]
        lapses=lapses,  # type: ignore[arg-type]
        first_day=first_day,  # type: ignore[arg-type]
        last_day=last_day,  # type: ignore[arg-type]
        suspended=bool(suspended),
        buried_until=buried_until,  # type: ignore[arg-type]
        flagged=bool(flagged),
        leech=bool(leech),
        seq=seq,  # type: ignore[arg-type]
    )


def event_of(row: Sequence[Value]) -> Event:
    """Read an event from a row of `events`."""
    seq, event_id, batch, device, utc_ms, offset_min, study_day, body = row
    return Event(
        int(seq or 0),
        str(event_id),
        str(batch),
        str(device),
        int(utc_ms or 0),
        int(offset_min or 0),
        int(study_day or 0),
        decode(str(body)),
    )
