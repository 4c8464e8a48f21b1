"""Pipeline parallelism: the bubble in closed form, and a simulator that times every pass.

Notation: p stages, m micro-batches, v model chunks a stage; t_F, t_B and t_W are the seconds of one
micro-batch's forward, input-gradient and weight-gradient pass through one stage. Communication
between stages takes no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from drillkit.mlsys.domain import at_least, fraction, positive, round_up
from drillkit.mlsys.orders import SCHEDULES, ScheduleName, interleaved_warm_up, stage_orders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Kind = Literal["F", "B", "W"]


def bubble_fraction(stages: int, micro_batches: int, chunks: int = 1) -> Fraction:
    """Return the idle fraction of the step, (p − 1)/(vm + p − 1), exactly.

    The same for GPipe and 1F1B (v = 1), whatever t_B/t_F. With v > 1 it holds when p divides m; a
    ragged m idles longer. Raises `ValueError` for a number below 1.
    Source: GPipe (arXiv:1811.06965), §2.3; Narayanan et al. 2021 (arXiv:2104.04473), §2.2.
    """
    at_least(1, stages=stages, micro_batches=micro_batches, chunks=chunks)
    return Fraction(stages - 1, chunks * micro_batches + stages - 1)


def bubble_over_ideal(stages: int, micro_batches: int, chunks: int = 1) -> Fraction:
    """Return the bubble over the time of a pipeline that never idles, (p − 1)/(vm), exactly.

    By this definition, not by the fraction of the step, interleaving divides the bubble by v.
    Raises `ValueError` for a number below 1. Source: Narayanan et al. 2021, §2.2.
    """
    at_least(1, stages=stages, micro_batches=micro_batches, chunks=chunks)
    return Fraction(stages - 1, chunks * micro_batches)


def micro_batches_for_bubble(stages: int, largest_fraction: float, chunks: int = 1) -> int:
    """Return the fewest micro-batches with a bubble of at most `largest_fraction` of the step.

    Raises `ValueError` for a number below 1 or a fraction outside 0..1.
    Source: `bubble_fraction`, solved for m.
    """
    at_least(1, stages=stages, chunks=chunks)
    fraction(largest_fraction=largest_fraction)
    needed = (stages - 1) * (1 - largest_fraction) / (largest_fraction * chunks)
    return max(1, round_up(needed))


def pipeline_step_s(
    stages: int, micro_batches: int, forward_s: float, backward_s: float, chunks: int = 1
) -> float:
    """Return the seconds of a GPipe, 1F1B or interleaved step: (m + (p − 1)/v)(t_F + t_B).

    Raises `ValueError` for a number below 1 or a time that is not above zero.
    Source: GPipe, §2.3; Narayanan et al. 2021, §2.2.
    """
    at_least(1, stages=stages, micro_batches=micro_batches, chunks=chunks)
    positive(forward_s=forward_s, backward_s=backward_s)
    return (chunks * micro_batches + stages - 1) * (forward_s + backward_s) / chunks


def zero_bubble_idle_s(
    name: ScheduleName, stages: int, forward_s: float, backward_s: float, weight_s: float
) -> float:
    """Return the idle seconds of a stage within its own span: H1 (p − 1)(t_F + t_B − t_W).

    H2 (p − 1)(t_F + t_B − 2t_W); 1F1B and GPipe (p − 1)(t_F + t_B + t_W). It holds where the passes
    take about equally long and m is at least 2p. Raises `ValueError` for "interleaved" or a time
    that is not above zero. Source: Qi et al. 2023 (arXiv:2401.10241), table 2.
    """
    at_least(1, stages=stages)
    positive(forward_s=forward_s, backward_s=backward_s, weight_s=weight_s)
    filled = {"gpipe": -1, "1f1b": -1, "zb-h1": 1, "zb-h2": 2}
    if name not in filled:
        raise ValueError(f"the table has no row for {name}: simulate it")
    return (stages - 1) * max(0.0, forward_s + backward_s - filled[name] * weight_s)


def held_micro_batches(
    name: ScheduleName,
    stages: int,
    micro_batches: int | None = None,
    *,
    stage: int = 0,
    chunks: int = 1,
) -> Fraction:
    """Return the most micro-batches whose activations a stage (counted from 0) holds at once.

    GPipe m; 1F1B min(m, p − i); interleaved (2(p − 1 − i) + (v − 1)p + 1)/v, on the first stage
    p(1 + (p − 1)/(pv)), in whole micro-batches of a stage's layers; zero-bubble min(m, p) for H1
    and min(m, 2p − 1) for H2, until the weight gradient is done. `micro_batches` of None stands for
    many, which GPipe refuses. Raises `ValueError` also for a stage outside the pipeline.
    Source: Narayanan et al. 2021, §2.2; Korthikanti et al. 2022 (arXiv:2205.05198), §4.2.3; Qi et
    al. 2023, table 2.
    """
    _check(name, stages, micro_batches or 1, chunks)
    if not 0 <= stage < stages:
        raise ValueError(f"stage must lie in 0..{stages - 1}, not {stage}")
    if name == "gpipe":
        if micro_batches is None:
            raise ValueError("GPipe holds every micro-batch: micro_batches must be given")
        return Fraction(micro_batches)
    many = 2 * stages * chunks if micro_batches is None else micro_batches
    if name == "interleaved":
        warm_up = interleaved_warm_up(stages, many, chunks, stage)
        return Fraction(min(many * chunks, warm_up + 1), chunks)
    held = {"1f1b": stages - stage, "zb-h1": stages, "zb-h2": 2 * stages - 1}[name]
    return Fraction(min(many, held))


class Slot(NamedTuple):
    """One pass of one micro-batch through one chunk of a stage; stages and micro-batches from 0."""

    stage: int
    kind: Kind
    chunk: int
    micro: int
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Schedule:
    """A simulated step.

    It stores each stage's order and when every input arrives, from which `slots` replays the times
    of a stage. Durations are per stage and per chunk: `pass_s[stage]` holds (F, B, W), with W 0 and
    B the whole backward pass where the schedule does not split it.
    """

    name: ScheduleName
    stages: int
    micro_batches: int
    chunks: int
    pass_s: tuple[tuple[float, float, float], ...]
    makespan_s: float
    orders: tuple[list[int], ...] = field(repr=False)
    forward_arrivals: tuple[list[float | None], ...] = field(repr=False)
    backward_arrivals: tuple[list[float | None], ...] = field(repr=False)

    def slots(self, stage: int) -> Iterator[Slot]:
        """Yield the passes of a stage in the order in which they run, with start and end."""
        m, all_chunks = self.micro_batches, self.micro_batches * self.chunks
        forward_s, backward_s, weight_s = self.pass_s[stage]
        forwards, backwards = self.forward_arrivals[stage], self.backward_arrivals[stage]
        free: float = 0
        for op in self.orders[stage]:
            kind: Kind
            if op < 0:
                kind, duration, arrival = "B", backward_s, backwards[op]
            elif op < all_chunks:
                kind, duration, arrival = "F", forward_s, forwards[op]
            else:
                kind, duration, arrival = "W", weight_s, 0
            start = free if arrival is None or arrival < free else arrival
            free = start + duration
            chunk, micro = divmod(op % all_chunks, m)
            yield Slot(stage, kind, chunk, micro, start, free)

    def in_flight(self, stage: int) -> list[tuple[float, int]]:
        """Return when the number of held activations changes on a stage, and to what.

        It rises when a forward pass starts and falls when the last pass that needs the activations
        ends: W where there is one, else B. With v chunks each counts for 1/v of a stage's layers.
        """
        last: Kind = "W" if self.pass_s[stage][2] else "B"
        held, changes = 0, [(0.0, 0)]
        for slot in self.slots(stage):
            if slot.kind == "F":
                held += 1
                changes.append((slot.start_s, held))
            if slot.kind == last:
                held -= 1
                changes.append((slot.end_s, held))
        return changes

    def peak_in_flight(self, stage: int) -> int:
        """Return the most activations that a stage holds at once, counted as `in_flight` does."""
        return max(held for _, held in self.in_flight(stage))

    @property
    def peaks(self) -> list[int]:
        """Return `peak_in_flight` of every stage, first stage first."""
        return [self.peak_in_flight(stage) for stage in range(self.stages)]

    def busy_s(self, stage: int) -> float:
        """Return the seconds a stage computes."""
        return self.micro_batches * self.chunks * sum(self.pass_s[stage])

    @property
    def bubble_fraction(self) -> Fraction:
        """Return the idle fraction of the step over all stages, exact for whole-number times."""
        busy = sum(Fraction(self.busy_s(stage)) for stage in range(self.stages))
        return 1 - busy / (self.stages * Fraction(self.makespan_s))

    @property
    def bubble_over_ideal(self) -> Fraction:
        """Return the idle time over the busy time, exact for whole-number times."""
        idle = self.bubble_fraction
        return idle / (1 - idle)

    @property
    def internal_bubble_fraction(self) -> Fraction:
        """Return the idle fraction of the worst stage between its own first start and last end.

        Zero-bubble schedules are rated by it: without a barrier at the end of a step, a stage that
        is done starts its next step. Source: Qi et al. 2023 (arXiv:2401.10241), §5.1.
        """
        idle = []
        for stage in range(self.stages):
            slots = list(self.slots(stage))
            span = Fraction(slots[-1].end_s) - Fraction(slots[0].start_s)
            idle.append(1 - Fraction(self.busy_s(stage)) / span)
        return max(idle)

    def critical_path(self) -> list[Slot]:
        """Return a chain of passes without a gap from time 0 to the end of the step.

        Each starts when the one before it ends, on its own stage or on the stage it waits for, so
        shortening any other pass does not shorten the step.
        """
        lanes = [list(self.slots(stage)) for stage in range(self.stages)]
        place = {slot[:4]: at for lane in lanes for at, slot in enumerate(lane)}
        slot = max((lane[-1] for lane in lanes), key=lambda one: one.end_s)
        path = [slot]
        while slot.start_s > 0:
            at = place[slot[:4]]
            lane = lanes[slot.stage]
            if at and lane[at - 1].end_s == slot.start_s:
                slot = lane[at - 1]
            else:
                sender = self._sender(slot)
                slot = lanes[sender[0]][place[sender]]
            path.append(slot)
        return path[::-1]

    def _sender(self, slot: Slot) -> tuple[int, Kind, int, int]:
        step = 1 if slot.kind == "F" else -1
        position = slot.chunk * self.stages + slot.stage - step
        chunk, stage = divmod(position, self.stages)
        return (stage, slot.kind, chunk, slot.micro)


def simulate(
    name: ScheduleName,
    stages: int,
    micro_batches: int,
    *,
    forward_s: float | Sequence[float] = 1,
    backward_s: float | Sequence[float] = 2,
    weight_s: float | Sequence[float] = 0,
    chunks: int = 1,
) -> Schedule:
    """Time every pass of one step.

    Times are those of one micro-batch through a whole stage, one for all stages or one a stage (an
    uneven pipeline). Zero-bubble schedules run the weight gradient (`weight_s`) as a pass of its
    own; the others run it together with the input gradient (`backward_s`). Whole-number times give
    exact whole-number results when `chunks` divides them.

    Raises `ValueError` for a number below 1, chunks outside an interleaved schedule, a zero-bubble
    schedule without `weight_s`, or as many times as there are not stages. An interleaved m that p
    does not divide runs in groups of unequal size (`orders.micro_batch_groups`).
    Source: the dependencies in Narayanan et al. 2021 (arXiv:2104.04473), §2.2, and Qi et al. 2023.
    """
    _check(name, stages, micro_batches, chunks)
    forwards = _per_stage("forward_s", forward_s, stages)
    backwards = _per_stage("backward_s", backward_s, stages)
    weights = _per_stage("weight_s", weight_s, stages, low=0)
    split = name in ("zb-h1", "zb-h2")
    if split and not all(weights):
        raise ValueError(f"{name} splits the backward pass: weight_s must be above 0")
    pass_s = tuple(
        (
            _of_chunk(forward, chunks),
            _of_chunk(backward if split else backward + weight, chunks),
            weight if split else 0,
        )
        for forward, backward, weight in zip(forwards, backwards, weights, strict=True)
    )
    orders = stage_orders(name, stages, micro_batches, chunks)
    makespan_s, forward_arrivals, backward_arrivals = _run(orders, pass_s, micro_batches, chunks)
    return Schedule(
        name,
        stages,
        micro_batches,
        chunks,
        pass_s,
        makespan_s,
        tuple(orders),
        forward_arrivals,
        backward_arrivals,
    )


Arrivals = tuple[list[float | None], ...]


def _run(
    orders: list[list[int]],
    pass_s: tuple[tuple[float, float, float], ...],
    micro_batches: int,
    chunks: int,
) -> tuple[float, Arrivals, Arrivals]:
    """Let every stage run until it waits for an input, over and over, until all are done.

    Stage i's forward inputs stand at index c·m + j, its backward inputs at that minus v·m, counted
    from the end. The last stage hands a forward pass on to the first stage's next chunk, one m
    further, and the first stage hands a backward pass to the last stage's chunk before; what leaves
    the model falls into m spare places. A stage is serial, so a pass that needs nothing but an
    earlier one of its own stage (B of the last chunk, every W) has its input from the start.
    """
    stages, m, places = len(orders), micro_batches, micro_batches * chunks
    forward: list[list[float | None]] = [[None] * places for _ in range(stages)]
    backward: list[list[float | None]] = [[None] * places for _ in range(stages)]
    forward[0] = [*[0] * m, *[None] * places]
    backward[-1] = [*[None] * places, *[0] * m]
    ends: list[float] = []

    def stage(number: int) -> Iterator[None]:
        forward_in, forward_out = forward[number], forward[(number + 1) % stages]
        backward_in, backward_out = backward[number], backward[number - 1]
        forward_s, backward_s, weight_s = pass_s[number]
        ahead = m if number == stages - 1 else 0
        back = m if number == 0 else 0
        free: float = 0
        # This loop runs once a pass, 131,072 times for p = 64 and m = 1,024: a call of max() in it
        # is felt.
        for op in orders[number]:
            if op < 0:
                arrival = backward_in[op]
                while arrival is None:
                    yield
                    arrival = backward_in[op]
                free = (arrival if arrival > free else free) + backward_s  # noqa: FURB136 - hot
                backward_out[op - back] = free
            elif op < places:
                arrival = forward_in[op]
                while arrival is None:
                    yield
                    arrival = forward_in[op]
                free = (arrival if arrival > free else free) + forward_s  # noqa: FURB136 - hot
                forward_out[op + ahead] = free
            else:
                free += weight_s
        ends.append(free)

    # From the last stage up, so that a gradient climbs the whole pipeline in one sweep.
    running: list[Callable[[], None]] = [
        stage(number).__next__ for number in reversed(range(stages))
    ]
    while running:
        for resume in tuple(running):
            try:
                resume()
            except StopIteration:
                running.remove(resume)
    return max(ends), tuple(forward), tuple(backward)


def _check(name: ScheduleName, stages: int, micro_batches: int, chunks: int) -> None:
    if name not in SCHEDULES:
        raise ValueError(f"schedule must be one of {', '.join(SCHEDULES)}, not {name}")
    at_least(1, stages=stages, micro_batches=micro_batches, chunks=chunks)
    if chunks > 1 and name != "interleaved":
        raise ValueError(f"chunks are for the interleaved schedule; {name} has 1 a stage")


def _per_stage(
    name: str, times: float | Sequence[float], stages: int, low: float | None = None
) -> list[float]:
    each = list(times) if isinstance(times, Sequence) else [times] * stages
    if len(each) != stages:
        raise ValueError(f"{name} has {len(each)} times for {stages} stages")
    for time_s in each:
        if low is None:
            positive(**{name: time_s})
        else:
            at_least(low, **{name: time_s})
    return each


def _of_chunk(time_s: float, chunks: int) -> float:
    # Whole numbers stay whole where they can, and with them the sums stay exact.
    if isinstance(time_s, int) and time_s % chunks == 0:
        return time_s // chunks
    return time_s / chunks
