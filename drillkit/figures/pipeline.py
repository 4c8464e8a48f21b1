"""Pipeline Gantt: who runs which micro-batch when, the bubble, and what each stage holds."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, cast

from drillkit.algebra.format import format_number
from drillkit.figures.drawing import Cells, Line, Role, Size, Span, line
from drillkit.figures.figure import Figure, Kind, Number, Part, Preset, Question
from drillkit.figures.parameters import Amount, Choice, Values, counting, number, whole
from drillkit.mlsys.orders import SCHEDULES, ScheduleName
from drillkit.mlsys.pipeline import Schedule, Slot, bubble_over_ideal, simulate

NAME_WIDTH = 9
HELD_WIDTH = 11
ROLES: dict[str, Role] = {"F": "forward", "B": "backward", "W": "weight-gradient"}
# What follows a slot's label, so that forward and backward differ without colour.
FILLS = {"F": "-", "B": "=", "W": "~"}
CHUNK_LETTERS = "abcdefgh"
MOST_CHUNKS = len(CHUNK_LETTERS)
TITLES: dict[str, str] = {
    "gpipe": "GPipe",
    "1f1b": "1F1B",
    "interleaved": "interleaved 1F1B",
    "zb-h1": "ZB-H1",
    "zb-h2": "ZB-H2",
}


@dataclass(frozen=True)
class Run:
    """A simulated step with the slots and the held micro-batches of every stage."""

    schedule: Schedule
    slots: tuple[tuple[Slot, ...], ...]
    held: tuple[tuple[tuple[float, int], ...], ...]
    split: tuple[float, float, float]

    @property
    def makespan(self) -> float:
        return float(self.schedule.makespan_s)

    def held_at(self, stage: int, at: float) -> int:
        """Return how many activations a stage holds at a time."""
        changes = self.held[stage]
        return changes[bisect_right(changes, at, key=itemgetter(0)) - 1][1]

    @cached_property
    def peaks(self) -> list[int]:
        """Return the most activations that each stage holds."""
        return [max(count for _, count in changes) for changes in self.held]

    @cached_property
    def bubble(self) -> float:
        """Return the idle fraction of the step."""
        return float(self.schedule.bubble_fraction)

    @cached_property
    def over_ideal(self) -> float:
        """Return the idle time over the busy time."""
        return float(self.schedule.bubble_over_ideal)

    @cached_property
    def internal(self) -> float:
        """Return the idle fraction of the worst stage between its first start and last end."""
        return float(self.schedule.internal_bubble_fraction)

    @cached_property
    def work(self) -> float:
        """Return the time that the busiest stage computes."""
        return max(self.schedule.busy_s(stage) for stage in range(self.schedule.stages))


@lru_cache(maxsize=8)
def run(
    name: ScheduleName, stages: int, micro_batches: int, chunks: int, times: tuple[float, ...]
) -> Run:
    """Simulate a step; `times` are those of F, B and W.

    A zero-bubble schedule without a time for W splits B in halves.
    """
    forward, backward, weight = (_exact(one) for one in times)
    if name in {"zb-h1", "zb-h2"} and not weight:
        backward = weight = _exact(backward / 2)
    schedule = simulate(
        name,
        stages,
        micro_batches,
        forward_s=forward,
        backward_s=backward,
        weight_s=weight,
        chunks=chunks if name == "interleaved" else 1,
    )
    return Run(
        schedule,
        tuple(tuple(schedule.slots(stage)) for stage in range(stages)),
        tuple(tuple(schedule.in_flight(stage)) for stage in range(stages)),
        (forward, backward, weight),
    )


def _exact(value: float) -> float:
    # Whole numbers as such keep the simulator's sums exact.
    return int(value) if value == int(value) else value


def _run_of(values: Values) -> Run:
    return run(
        cast("ScheduleName", values["schedule"]),
        whole(values, "p"),
        whole(values, "m"),
        whole(values, "v"),
        (number(values, "tf"), number(values, "tb"), number(values, "tw")),
    )


def last_step(values: Values) -> float:
    """Return the end of the step, in units of time."""
    return float(math.ceil(_run_of(values).makespan - 1e-9))


def draw(values: Values, size: Size, results: tuple[Any, ...] = ()) -> Figure:
    """Return the part of the Gantt chart around the time `at`, and the whole step's numbers."""
    del results
    done = _run_of(values)
    at = min(number(values, "at"), done.makespan)
    chart = _Chart(done, at, size.columns)
    lines = [chart.ruler(), chart.now()]
    lines += [chart.lane(stage) for stage in range(done.schedule.stages)]
    lines += [line(""), *_legend(done), *chart.elsewhere()]
    return Figure(tuple(lines), _reading(done), _numbers(done, at))


class _Chart:
    """The window of the chart that fits, and how wide a unit of time is in it."""

    def __init__(self, done: Run, at: float, columns: int) -> None:
        self.run = done
        self.at = at
        schedule = done.schedule
        label = 1 + len(str(schedule.micro_batches - 1)) + (schedule.chunks > 1)
        shortest = min(time for one in schedule.pass_s for time in one if time)
        self.columns = max(columns - NAME_WIDTH - HELD_WIDTH, 12)
        # Wide enough for a slot's label; one or two cells wider where the whole step then fits.
        units = done.makespan / shortest
        roomy = (each for each in (label + 2, label + 1) if units * each <= self.columns)
        self.scale = next(roomy, label) / shortest
        visible = self.columns / self.scale
        self.start = 0.0
        if done.makespan > visible + 1e-9:
            self.start = min(max(0.0, at - visible / 3), done.makespan - visible)
            self.start = round(self.start * self.scale) / self.scale
        self.end = min(self.start + visible, done.makespan)

    def column(self, when: float) -> int:
        return round((when - self.start) * self.scale)

    def ruler(self) -> Line:
        cells = Cells(NAME_WIDTH + self.columns + HELD_WIDTH)
        cells.put(0, "time (t)", "muted")
        step = next(one for one in (1, 2, 5, 10, 20, 50, 100, 500) if one * self.scale >= 8)
        first = math.ceil(self.start / step - 1e-9) * step
        for mark in range(first, int(self.end + 1e-9) + 1, step):
            text = str(mark)
            if self.column(mark) + len(text) <= self.columns:
                cells.put(NAME_WIDTH + self.column(mark), text, "muted")
        cells.put(NAME_WIDTH + self.columns, " held most", "muted")
        return cells.line()

    def now(self) -> Line:
        cells = Cells(NAME_WIDTH + self.columns)
        place = min(self.column(self.at), self.columns - 1)
        cells.put(NAME_WIDTH + place, "▼", "mark")
        text = f"t = {format_number(self.at, 4)}"
        left = place + 2 + len(text) > self.columns
        cells.put(NAME_WIDTH + (place - 1 - len(text) if left else place + 2), text, "mark")
        return cells.line()

    def lane(self, stage: int) -> Line:
        schedule = self.run.schedule
        last = min(self.column(self.run.makespan), self.columns)
        cells = Cells(self.columns)
        cells.put(0, "░" * last, "idle")
        for slot in self.run.slots[stage]:
            if slot.end_s <= self.start:
                continue
            if slot.start_s >= self.end:
                break
            left, right = self.column(slot.start_s), self.column(slot.end_s)
            chunk = CHUNK_LETTERS[slot.chunk] if schedule.chunks > 1 else ""
            text = f"{slot.kind}{slot.micro}{chunk}"
            text = text.ljust(right - left, FILLS[slot.kind])[: right - left]
            cells.put(left, text, ROLES[slot.kind])
        held, peak = self.run.held_at(stage, self.at), self.run.peaks[stage]
        return (
            Span(f"{f'stage {stage}':<{NAME_WIDTH}}", "muted"),
            *cells.line(),
            Span(f" {held:>4} {peak:>4}", "strong"),
        )

    def elsewhere(self) -> list[Line]:
        """Say what lies outside the window."""
        left, right = self.start, self.run.makespan - self.end
        if left < 1e-9 and right < 1e-9:
            return []
        shown = f"{format_number(self.start, 4)} to {format_number(self.end, 4)}"
        return [
            line(
                f"shown: t = {shown} of {format_number(self.run.makespan, 4)}; `at` moves along",
                "muted",
            )
        ]


def _legend(done: Run) -> list[Line]:
    spans = [Span("F3- forward of micro-batch 3", "forward"), Span("  ")]
    spans.append(Span("B3= backward", "backward"))
    if done.schedule.pass_s[0][2]:
        spans += [Span("  "), Span("W3~ weight gradient", "weight-gradient")]
    if done.schedule.chunks > 1:
        spans += [Span("  a b … model chunks", "muted")]
    spans += [Span("  "), Span("░ idle", "idle")]
    return [tuple(spans)]


def fraction_text(value: float) -> str:
    """Return a share as a fraction and in percent: `3/7 (42.9 %)`."""
    percent = f"{format_number(100 * value)} %"
    near = Fraction(value).limit_denominator(10_000)
    if near.denominator > 1 and abs(float(near) - value) < 1e-9:
        return f"{near.numerator}/{near.denominator} ({percent})"
    return percent


def _numbers(done: Run, at: float) -> dict[str, Number]:
    schedule = done.schedule
    peaks = done.peaks
    now = [done.held_at(stage, at) for stage in range(schedule.stages)]
    unit = "micro-batch" if schedule.chunks == 1 else "chunk of a micro-batch"
    return {
        "makespan": _units(done.makespan),
        "work": _units(done.work),
        "bubble": Number(done.bubble, "", fraction_text(done.bubble)),
        "bubble_over_ideal": Number(done.over_ideal, "", fraction_text(done.over_ideal)),
        "internal_bubble": Number(done.internal, "", fraction_text(done.internal)),
        "in_flight": Number(peaks, unit, ", ".join(map(str, peaks))),
        "in_flight_now": Number(now, unit, ", ".join(map(str, now))),
        "at": _units(at),
    }


def _units(value: float) -> Number:
    return Number(_exact(value), "t", f"{format_number(value, 4)} t")


def _reading(done: Run) -> str:
    schedule, (_, backward, weight) = done.schedule, done.split
    stages, micro = schedule.stages, schedule.micro_batches
    bubble, over = done.bubble, done.over_ideal
    held = "micro-batches"
    if schedule.chunks > 1:
        held = f"chunks (1/{schedule.chunks} of its layers)"
    first = (
        f"{TITLES[schedule.name]}: the step takes {format_number(done.makespan, 4)} t; the bubble "
        f"is {fraction_text(bubble)} of it, {fraction_text(over)} of the ideal time. Stage 0 holds "
        f"up to {done.peaks[0]} {held}."
    )
    said = [first]
    if schedule.name in {"zb-h1", "zb-h2"}:
        said.append(
            f"Between a stage's first and last pass it idles {fraction_text(done.internal)}; W "
            f"({format_number(weight)} t) fills gaps that B ({format_number(backward)} t) leaves."
        )
        if schedule.name == "zb-h2":
            said.append("The price is memory: up to 2p − 1 in flight, where 1F1B has p.")
    elif schedule.name == "interleaved" and micro % stages:
        regular = float(bubble_over_ideal(stages, micro, schedule.chunks))
        longer = over > regular + 1e-9
        said.append(
            f"p = {stages} does not divide m = {micro}: the groups are of unequal size"
            + (f" and idle longer than (p − 1)/(vm) = {fraction_text(regular)}." if longer else ".")
        )
    elif micro < stages:
        said.append(f"With m = {micro} < p = {stages} most stages wait; aim for m ≥ 4p.")
    return " ".join(said)


KIND = Kind(
    name="pipeline",
    about="The bubble, and what each stage holds",
    parameters=(
        Choice("schedule", "", "gpipe", SCHEDULES),
        Amount("p", "stages", 4, counting(2, 16), 1, 64, "stage", "stages"),
        Amount(
            "m",
            "micro-batches",
            4,
            (*counting(1, 16), 20.0, 24.0, 32.0, 48.0, 64.0),
            1,
            1024,
            "microbatch",
        ),
        Amount("v", "chunks", 2, counting(1, 4), 1, MOST_CHUNKS, "chunk", "chunks"),
        Amount("tf", "forward", 1, counting(1, 4), 0.01, 100, ending="t", whole=False),
        Amount("tb", "backward", 2, counting(1, 6), 0.01, 100, ending="t", whole=False),
        Amount("tw", "weight grad.", 0, counting(0, 4), 0, 100, ending="t", whole=False),
        Amount("at", "time", 0, counting(0, 400), 0, 1e6, ending="t", whole=False),
    ),
    drawer=draw,
    presets=(
        Preset("GPipe, m = 4", ()),
        Preset("1F1B, m = 8", (("schedule", "1f1b"), ("m", "8"))),
        Preset("interleaved, v = 2", (("schedule", "interleaved"), ("m", "8"), ("v", "2"))),
        Preset(
            "ZB-H1, F = B = W",
            (("schedule", "zb-h1"), ("m", "8"), ("tb", "1"), ("tw", "1")),
        ),
        Preset(
            "ZB-H2, F = B = W",
            (("schedule", "zb-h2"), ("m", "8"), ("tb", "1"), ("tw", "1")),
        ),
    ),
    questions=(
        Question(
            "pipeline-bubble",
            "A pipeline of 4 stages runs 4 micro-batches under GPipe, backward twice as long as "
            "forward. Which share of the step is the bubble?",
            (Part("bubble", "bubble", "%", (("p", "4"), ("m", "4"))),),
            "(p − 1)/(m + p − 1) = 3/7, whatever backward over forward is. 3/4 is the bubble "
            "relative to the ideal time.",
        ),
    ),
    steps="at",
    last_step=last_step,
)
