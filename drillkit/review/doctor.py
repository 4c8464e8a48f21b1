"""The examination of a collection: is the file whole, and is the state what the log says?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drillkit.clock import Moment
from drillkit.review.events import Configured, Event, Rated, Undone, Unknown
from drillkit.review.replay import step
from drillkit.review.rows import EVENT_COLUMNS, PUT_ITEM, event_of, row_of
from drillkit.review.scheduler import schedule
from drillkit.review.state import New, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from drillkit.content.library import Library
    from drillkit.review.collection import Collection

    Progress = Callable[[str, int, int], None]

TOLD_AT_MOST = 5
EVENTS_A_TICK = 5_000
CLOCK_SLACK_MS = 60_000  # network time corrects a clock by less


@dataclass(frozen=True)
class Finding:
    """Something that doctor has to say. Only an `error` means that the collection is not sound."""

    severity: str
    code: str
    text: str


@dataclass(frozen=True)
class Report:
    """What doctor found: how many events and items there are, and what is odd about them."""

    events: int
    items: int
    findings: tuple[Finding, ...] = ()
    repaired: bool = False

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong (any more); warnings and notes do not count."""
        return not any(finding.severity == "error" for finding in self.findings)


@dataclass
class _Examination:
    undone: frozenset[str]
    recompute: bool
    states: dict[str, State] = field(default_factory=dict)
    events: int = 0
    last_seq: int = 0
    last_ms: int | None = None
    configs: dict[str, Configured] = field(default_factory=dict)
    told: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def tell(self, severity: str, code: str, text: str) -> None:
        self.told.setdefault((severity, code), []).append(text)

    def take(self, event: Event) -> None:
        self.events += 1
        if event.seq != self.last_seq + 1:
            self.tell("error", "gap", f"events {self.last_seq + 1} to {event.seq - 1} are missing")
        self.last_seq = event.seq
        self._look_at_clock(event)
        match event.action:
            case Unknown(body=body):
                self.tell("warning", "unknown-event", f"event {event.seq} is kept: {body[:80]}")
            case Configured() as config:
                self.configs[event.id] = config
            case Rated() as rated if self.recompute and event.batch not in self.undone:
                self._recompute(event, rated)
        if event.batch not in self.undone:
            step(self.states, event)

    def _look_at_clock(self, event: Event) -> None:
        if self.last_ms is not None and event.utc_ms < self.last_ms - CLOCK_SLACK_MS:
            back_h = (self.last_ms - event.utc_ms) / 3_600_000
            when = Moment(event.utc_ms, event.offset_min).local.isoformat(" ", "minutes")
            self.tell(
                "warning",
                "clock",
                f"at event {event.seq} ({when}) the clock was {back_h:.1f} h back",
            )
        self.last_ms = event.utc_ms

    def _recompute(self, event: Event, rated: Rated) -> None:
        config = self.configs.get(rated.config)
        if config is None:
            self.tell("warning", "no-config", f"event {event.seq} names unknown parameters")
            return
        before = self.states.get(rated.item) or State(item=rated.item)
        found = schedule(
            config,
            before,
            Moment(event.utc_ms, event.offset_min),
            event.study_day,
            retention=rated.retention,
            max_days=rated.max_days,
        )
        if not _alike(found[rated.rating].memory, rated.after):
            self.tell("note", "other-schedule", f"event {event.seq} ({rated.item})")

    def findings(self) -> list[Finding]:
        found: list[Finding] = []
        for (severity, code), texts in self.told.items():
            found += [Finding(severity, code, text) for text in texts[:TOLD_AT_MOST]]
            if len(texts) > TOLD_AT_MOST:
                more = f"and {len(texts) - TOLD_AT_MOST:,} more like this"
                found.append(Finding(severity, code, more))
        return found


def examine(
    collection: Collection,
    *,
    library: Library | None = None,
    repair: bool = False,
    recompute: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Check the file, replay the log and compare the result with the items.

    `repair` puts the replayed state in the items' place when they differ; the log itself is never
    changed. `recompute` also asks the scheduler again for every interval (slow) and notes where it
    would decide otherwise. `progress` is called with a stage, what is done and the total. Raises
    `DrillkitError` when the file cannot be read at all.
    """
    tick = progress or _silent
    tick("integrity", 0, 1)
    faults = [str(row[0]) for row in collection.select("PRAGMA integrity_check(20)")]
    tick("integrity", 1, 1)
    with collection.transaction("examine the collection", write=repair) as db:
        look = _Examination(collection.undone(), recompute)
        for fault in faults:
            if fault != "ok":
                look.tell("error", "integrity", fault)
        total = int(collection.one("SELECT count(*) FROM events") or 0)
        for row in collection.stream(f"SELECT {EVENT_COLUMNS} FROM events ORDER BY seq"):  # noqa: S608 fixed names
            look.take(event_of(row))
            if look.events % EVENTS_A_TICK == 0:
                tick("replay", look.events, total)
        tick("replay", look.events, total)
        _look_at_undone(collection, look)
        states = {item: state for item, state in look.states.items() if not state.is_blank}
        wrong = _differences(collection, states)
        repaired = bool(wrong) and repair
        if repaired:
            db.execute("DELETE FROM items")
            db.executemany(PUT_ITEM, map(row_of, states.values()))
        for text in wrong:
            look.tell("note" if repaired else "error", "state", text)
    if library is not None:
        for item in states:
            if item not in library.items:
                look.tell("note", "orphan", f"{item} has a history and no card")
    return Report(look.events, len(states), tuple(look.findings()), repaired)


def _differences(collection: Collection, states: dict[str, State]) -> list[str]:
    held = {state.item: state for state in collection.states()}
    wrong = [
        f"{item} is not as the log says" if item in held else f"{item} is missing from the items"
        for item, state in states.items()
        if held.get(item) != state
    ]
    return wrong + [f"{item} is not in the log" for item in held if item not in states]


def _look_at_undone(collection: Collection, look: _Examination) -> None:
    dangling = collection.events(
        "kind = 'undone' AND NOT EXISTS (SELECT 1 FROM events AS t WHERE t.batch = e.other)"
    )
    for event in dangling:
        if isinstance(event.action, Undone):
            look.tell(
                "error",
                "dangling-undo",
                f"event {event.seq} undoes what is not there: {event.action.target}",
            )


def _alike(memory: object, other: object) -> bool:
    if type(memory) is not type(other) or isinstance(memory, New):
        return type(memory) is type(other)
    return all(
        abs(getattr(memory, name) - getattr(other, name)) < 1e-6
        for name in memory.__struct_fields__  # type: ignore[attr-defined]
    )


def _silent(stage: str, done: int, total: int) -> None:
    """Say nothing."""
