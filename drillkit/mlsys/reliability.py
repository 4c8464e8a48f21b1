"""Failures and checkpoints: how often a job stops, how often to save, and what both cost.

Any one unit of time serves as long as it is the same throughout; names say seconds. Overhead is
extra time over useful time, so goodput, useful over elapsed, is 1/(1 + overhead). M is the job's
mean time between failures (MTBF), δ the time a save blocks training, R that of a restart and τ the
useful work between saves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drillkit.mlsys.domain import at_least, positive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

# A simulation with more failures than this would not finish, nor would the job.
_MOST_FAILURES = 2e7


def job_mtbf_s(unit_mtbf_s: float, units: float) -> float:
    """Return the MTBF of a job that stops when any of its GPUs (or nodes) fails: M₁/N.

    Raises `ValueError` for a value that is not above zero.
    Source: the minimum of N exponential lifetimes.
    """
    positive(unit_mtbf_s=unit_mtbf_s, units=units)
    return unit_mtbf_s / units


def mtbf_from_count_s(elapsed_s: float, failures: float) -> float:
    """Return the MTBF seen when a job failed so often. Times the GPUs it is the MTBF of one GPU.

    Raises `ValueError` for a value that is not above zero.
    Source: Llama 3 (arXiv:2407.21783), §3.3.4: 419 in 54 days on 16,384 GPUs.
    """
    positive(elapsed_s=elapsed_s, failures=failures)
    return elapsed_s / failures


def expected_failures(elapsed_s: float, mtbf_s: float) -> float:
    """Return how many failures to expect. Raises `ValueError` for a value that is not above zero.

    Source: a Poisson process of rate 1/M.
    """
    positive(elapsed_s=elapsed_s, mtbf_s=mtbf_s)
    return elapsed_s / mtbf_s


def young_interval_s(save_s: float, mtbf_s: float) -> float:
    """Return Young's first-order checkpoint interval, √(2δM), of useful work between saves.

    Raises `ValueError` for a value that is not above zero. Source: Young 1974.
    """
    positive(save_s=save_s, mtbf_s=mtbf_s)
    return math.sqrt(2 * save_s * mtbf_s)


def first_order_overhead(
    interval_s: float, save_s: float, mtbf_s: float, restart_s: float = 0
) -> float:
    """Return the overhead δ/τ + τ/(2M) + R/M, which holds for δ ≪ τ ≪ M.

    Raises `ValueError` for no interval or MTBF or a negative time. Source: Young 1974.
    """
    _check(interval_s, save_s, mtbf_s, restart_s)
    return save_s / interval_s + interval_s / (2 * mtbf_s) + restart_s / mtbf_s


def young_overhead(save_s: float, mtbf_s: float, restart_s: float = 0) -> float:
    """Return the first-order overhead at Young's interval: √(2δ/M) + R/M.

    Raises what `first_order_overhead` raises. Source: Young 1974.
    """
    return first_order_overhead(young_interval_s(save_s, mtbf_s), save_s, mtbf_s, restart_s)


def daly_interval_s(save_s: float, mtbf_s: float) -> float:
    """Return Daly's higher-order interval of useful work between saves.

    √(2δM)·[1 + √(δ/2M)/3 + (δ/2M)/9] − δ for δ < 2M, else M. Raises `ValueError` for a value that
    is not above zero. Source: Daly 2006, eq. 37.
    """
    young_s = young_interval_s(save_s, mtbf_s)
    if save_s >= 2 * mtbf_s:
        return mtbf_s
    ratio = save_s / (2 * mtbf_s)
    return young_s * (1 + math.sqrt(ratio) / 3 + ratio / 9) - save_s


def exact_interval_s(save_s: float, mtbf_s: float) -> float:
    """Return the interval with the least exact overhead, M(1 + W₀(−e^(−1 − δ/M))).

    It is the x = τ/M with 1 − x = e^(−x − δ/M), found by Newton's method; R does not move it.
    Raises `ValueError` for a value that is not above zero. Source: Daly 2006, eq. 20, minimised.
    """
    positive(save_s=save_s, mtbf_s=mtbf_s)
    save = save_s / mtbf_s
    # The function falls ever faster, so Newton's steps come down to its root from x = 1, beyond it.
    x = 1.0
    for _ in range(200):
        step = (-x - math.expm1(-x - save)) / (-1 + math.exp(-x - save))
        x -= step
        if abs(step) <= 1e-15 * x:
            break
    return x * mtbf_s


def exact_overhead(interval_s: float, save_s: float, mtbf_s: float, restart_s: float = 0) -> float:
    """Return the overhead with exponential failures: (M + R)(e^((τ + δ)/M) − 1)/τ − 1.

    Work and saves can fail, restarts do not. Raises `ValueError` for no interval or MTBF, a
    negative time, or an interval so long that the job never ends. Source: Daly 2006, eq. 20.
    """
    _check(interval_s, save_s, mtbf_s, restart_s)
    try:
        growth = math.expm1((interval_s + save_s) / mtbf_s)
    except OverflowError:
        raise ValueError("the interval is so much longer than the MTBF that no save ends") from None
    return (mtbf_s + restart_s) * growth / interval_s - 1


def goodput(overhead: float) -> float:
    """Return the useful fraction of the elapsed time, 1/(1 + overhead).

    Raises `ValueError` for a negative overhead. Source: the definition of overhead used here.
    """
    at_least(0, overhead=overhead)
    return 1 / (1 + overhead)


def checkpoint_bytes(params: float, bytes_per_param: float = 12, ranks: int = 1) -> float:
    """Return what each of `ranks` writes of a sharded checkpoint.

    12 bytes a parameter are the fp32 weights and both Adam moments. Raises `ValueError` for a value
    that is not above zero. Source: ZeRO (arXiv:1910.02054), §3.1, for the optimizer states.
    """
    positive(params=params, bytes_per_param=bytes_per_param)
    at_least(1, ranks=ranks)
    return params * bytes_per_param / ranks


@dataclass(frozen=True)
class SimulatedOverhead:
    """The overhead over simulated runs: its mean, and the standard error of that mean."""

    interval_s: float
    mean: float
    standard_error: float
    runs: int


def simulate_overhead(
    interval_s: float,
    save_s: float,
    mtbf_s: float,
    restart_s: float = 0,
    *,
    work_s: float,
    runs: int,
    rng: Generator,
) -> SimulatedOverhead:
    """Simulate `runs` jobs of `work_s` useful seconds with random failures, and average.

    Each segment (an interval of work and its save; the last may be shorter) is tried until no
    failure falls into it. Failures have no memory, so the number of failed tries of n segments is
    negative binomial and the time lost in each an exponential cut off at the segment's length:
    both are drawn for all runs at once. A failed try also costs `restart_s`. The same `rng` state
    gives the same result.

    Raises `ValueError` for what `exact_overhead` refuses, fewer than 2 runs, or so many expected
    failures (over 2 × 10⁷) that the job would hardly end.
    Source: the renewal model of Daly 2006, §3, simulated.
    """
    import numpy as np  # noqa: PLC0415 - only a simulation needs arrays

    _check(interval_s, save_s, mtbf_s, restart_s)
    positive(work_s=work_s)
    at_least(2, runs=runs)
    whole, rest_s = divmod(work_s, interval_s)
    # What rounding leaves of a whole number of intervals is no segment of its own.
    if rest_s <= 1e-9 * interval_s:
        rest_s = 0.0
    elapsed_s = np.full(runs, work_s + (whole + bool(rest_s)) * save_s)
    for segments, work in ((whole, interval_s), (1, rest_s)):
        if not segments or not work:
            continue
        length = (work + save_s) / mtbf_s
        if runs * segments * (math.exp(min(length, 700.0)) - 1) > _MOST_FAILURES:
            raise ValueError(
                f"an interval of {interval_s:g} with an MTBF of {mtbf_s:g} fails too often to "
                "simulate: choose a shorter one"
            )
        failures = rng.negative_binomial(segments, math.exp(-length), size=runs)
        lost_s = -mtbf_s * np.log1p(rng.random(int(failures.sum())) * math.expm1(-length))
        run_of = np.repeat(np.arange(runs), failures)
        elapsed_s += np.bincount(run_of, weights=lost_s, minlength=runs) + failures * restart_s
    overhead = elapsed_s / work_s - 1
    return SimulatedOverhead(
        interval_s,
        float(overhead.mean()),
        float(overhead.std(ddof=1) / math.sqrt(runs)),
        runs,
    )


def simulate_overheads(
    intervals_s: Sequence[float],
    save_s: float,
    mtbf_s: float,
    restart_s: float = 0,
    *,
    work_s: float,
    runs: int,
    seed: int,
) -> list[SimulatedOverhead]:
    """Simulate several intervals, each with its own stream of random numbers from `seed`.

    An interval's result depends on the seed and on its place alone, so a caller that wants to show
    progress or stop early can simulate them one at a time with `interval_rng`. Raises what
    `simulate_overhead` raises. Source: as there.
    """
    return [
        simulate_overhead(
            interval_s,
            save_s,
            mtbf_s,
            restart_s,
            work_s=work_s,
            runs=runs,
            rng=interval_rng(seed, place),
        )
        for place, interval_s in enumerate(intervals_s)
    ]


def interval_rng(seed: int, place: int) -> Generator:
    """Return the random generator of the interval at a place in a list of them.

    Raises `ValueError` for a negative seed or place.
    """
    import numpy as np  # noqa: PLC0415 - only a simulation needs arrays

    at_least(0, seed=seed, place=place)
    return np.random.default_rng([seed, place])


def _check(interval_s: float, save_s: float, mtbf_s: float, restart_s: float) -> None:
    positive(interval_s=interval_s, mtbf_s=mtbf_s)
    at_least(0, save_s=save_s, restart_s=restart_s)
