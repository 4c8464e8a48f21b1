"""The order in which each pipeline stage works through its passes, schedule by schedule.

A pass is a whole number: with m micro-batches and v model chunks a stage, F of chunk c and
micro-batch j is c·m + j, its B is that minus v·m (so negative), and its W is that plus v·m. B is
the whole backward pass, or only its input gradient where W, the weight gradient, is a pass of its
own. Orders say nothing about time; a stage starts a pass when the one before it is done and its
input has arrived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

ScheduleName = Literal["gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2"]
SCHEDULES: tuple[ScheduleName, ...] = ("gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2")


def stage_orders(
    name: ScheduleName, stages: int, micro_batches: int, chunks: int
) -> list[list[int]]:
    """Return the order of every stage, first stage first; the arguments are already checked."""
    p, m = stages, micro_batches
    if name == "gpipe":
        return [[*range(m), *range(-m, 0)] for _ in range(p)]
    if name == "1f1b":
        return [_alternate(range(m), range(-m, 0), p - 1 - stage) for stage in range(p)]
    if name == "interleaved":
        return _interleaved(p, m, chunks)
    # A stage puts off as many weight gradients as fill its gap at the end: one a stage further down
    # the pipeline under H1. H2 starts twice as many forwards early, and so puts off twice as many.
    # Source: Qi et al. 2023 (arXiv:2401.10241), figures 3 and 4.
    depth = 1 if name == "zb-h1" else 2
    return [_split_backward(m, depth * (p - 1 - stage), depth * stage) for stage in range(p)]


def micro_batch_groups(stages: int, micro_batches: int) -> list[int]:
    """Return the sizes of the groups that an interleaved schedule takes through its chunks in turn.

    Groups of p, as Megatron-LM has them, when p divides m. A ragged m is spread over as many groups
    of at least p as there are, because a smaller group would reach its next chunk before the first
    of its micro-batches is back from the last stage. With m < p there is one group, which waits.
    """
    groups = max(1, micro_batches // stages)
    size, larger = divmod(micro_batches, groups)
    return [size + (group < larger) for group in range(groups)]


def interleaved_warm_up(stages: int, micro_batches: int, chunks: int, stage: int) -> int:
    """Return how many forward passes a stage runs before its first backward, interleaved.

    With one chunk a stage it is that of 1F1B.
    Source: Narayanan et al. 2021 (arXiv:2104.04473), §2.2; Megatron-LM, schedules.py.
    """
    below = stages - 1 - stage
    if chunks == 1:
        return min(micro_batches, below)
    first_group = micro_batch_groups(stages, micro_batches)[0]
    return min(micro_batches * chunks, 2 * below + (chunks - 1) * first_group)


def _interleaved(stages: int, micro_batches: int, chunks: int) -> list[list[int]]:
    forwards: list[int] = []
    backwards: list[int] = []
    first = 0
    for size in micro_batch_groups(stages, micro_batches):
        for chunk in range(chunks):
            start = chunk * micro_batches + first
            forwards.extend(range(start, start + size))
            # Backward passes take the chunks from the last one up.
            mirrored = -(chunk + 1) * micro_batches + first
            backwards.extend(range(mirrored, mirrored + size))
        first += size
    return [
        _alternate(forwards, backwards, interleaved_warm_up(stages, micro_batches, chunks, stage))
        for stage in range(stages)
    ]


def _alternate(forwards: Sequence[int], backwards: Sequence[int], warm_up: int) -> list[int]:
    # `warm_up` forwards, then one forward and one backward in turn, then the backwards that remain.
    total = len(forwards)
    warm = min(warm_up, total)
    steady = total - warm
    order = [0] * (2 * total)
    order[:warm] = forwards[:warm]
    order[warm : warm + 2 * steady : 2] = forwards[warm:]
    order[warm + 1 : warm + 2 * steady : 2] = backwards[:steady]
    order[warm + 2 * steady :] = backwards[steady:]
    return order


def _split_backward(micro_batches: int, warm_up: int, put_off: int) -> list[int]:
    m = micro_batches
    forwards = iter(range(m))
    order = [next(forwards) for _ in range(min(warm_up, m))]
    for micro in range(m):
        order.extend(forward for forward in (next(forwards, None),) if forward is not None)
        order.append(micro - m)
        if micro >= put_off:
            order.append(m + micro - put_off)
    order.extend(range(m + max(0, m - put_off), 2 * m))
    return order
