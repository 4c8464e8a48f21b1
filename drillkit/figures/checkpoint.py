"""The checkpoint interval: what saving costs, what failures cost, and where the sum is least."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from drillkit.algebra.format import format_number
from drillkit.figures.drawing import Line, Size, Span, line, wrapped
from drillkit.figures.figure import Figure, Kind, Number, Part, Preset, Question
from drillkit.figures.parameters import (
    YES_NO,
    Amount,
    Choice,
    Values,
    counting,
    number,
    round_stops,
    time_text,
    whole,
)
from drillkit.figures.plot import Axis, Curve, Dot, plot
from drillkit.mlsys.reliability import (
    SimulatedOverhead,
    exact_overhead,
    first_order_overhead,
    goodput,
    interval_rng,
    simulate_overhead,
    young_interval_s,
    young_overhead,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # Interval, save, MTBF and restart in seconds -> overhead.
    Overhead = Callable[[float, float, float, float], float]

HOUR_S = 3600.0
RUNS = 40
# The lesson simulates 2,000 hours at an MTBF of 24 h: about 83 failures a run.
WORK_MTBFS = 2000 / 24
# Intervals simulated, over the best one; the last is the one that was asked for.
FACTORS = (0.16, 0.32, 0.64, 1.0, 1.6, 2.6, 5.2)
POINTS = 32
NEVER = 1e4
TICKS = (
    *((seconds, f"{seconds} s") for seconds in (1, 2, 5, 10, 20)),
    *((minutes * 60, f"{minutes} min") for minutes in (1, 2, 5, 10, 20)),
    *((hours * 3600, f"{hours} h") for hours in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
)


def intervals(values: Values) -> tuple[float, ...]:
    """Return the intervals that are simulated, in seconds."""
    best = young_interval_s(number(values, "delta"), number(values, "M"))
    return (*(factor * best for factor in FACTORS), number(values, "tau"))


def simulations(values: Values) -> Iterator[SimulatedOverhead | None]:
    """Yield each interval's simulated overhead; None for one that fails too often to simulate."""
    for place, interval_s in enumerate(intervals(values)):
        try:
            yield simulate_overhead(
                interval_s,
                number(values, "delta"),
                number(values, "M"),
                number(values, "R"),
                work_s=WORK_MTBFS * number(values, "M"),
                runs=RUNS,
                rng=interval_rng(whole(values, "seed"), place),
            )
        except ValueError:
            yield None


def draw(values: Values, size: Size, results: tuple[Any, ...] = ()) -> Figure:
    """Return the three first-order curves, the exact one, Young's minimum and simulated dots."""
    save, mtbf, restart = (number(values, name) for name in ("delta", "M", "R"))
    interval = number(values, "tau")
    best, least = young_interval_s(save, mtbf), young_overhead(save, mtbf, restart)
    dots = [one for one in results if one is not None]
    x = Axis(min(best / 8, interval / 1.5), max(best * 8, interval * 1.5), TICKS, log=True)
    y = _percent_axis(least)
    spread = [x.low * (x.high / x.low) ** (at / POINTS) for at in range(POINTS + 1)]

    def curve(overhead: Overhead) -> tuple[tuple[float, float], ...]:
        points = ((at, overhead(at, save, mtbf, restart)) for at in spread)
        return tuple((at, over) for at, over in points if over <= 1.5 * y.high)

    picture = plot(
        x,
        y,
        [
            Curve(curve(lambda at, *_: save / at), "saving", "saving δ/τ", label_first=True),
            Curve(curve(lambda at, *_: at / (2 * mtbf)), "lost", "lost work τ/2M"),
            Curve(curve(first_order_overhead), "total", "sum"),
        ],
        size._replace(rows=max(size.rows - 3, 6)),
        dots=[
            *(Dot(*point, "+", "total") for point in curve(_exact)),
            *(Dot(one.interval_s, one.mean, "◆", "mark") for one in dots),
            Dot(best, least, "●", "strong", f"τ* = {time_text(best)}"),
            Dot(interval, y.low, "▲", "mark", "τ"),
        ],
    )
    first, exact = (
        first_order_overhead(interval, save, mtbf, restart),
        _exact(interval, save, mtbf, restart),
    )
    lines: tuple[Line, ...] = (
        line("extra time over useful work, by the interval τ between saves (logarithmic)", "muted"),
        *picture,
        *wrapped(
            [
                Span(f"▲ at τ = {time_text(interval)}:", "mark"),
                Span(f"saving {percent(save / interval)}", "saving"),
                Span(f"lost work {percent(interval / (2 * mtbf))}", "lost"),
                Span(f"restarts R/M {percent(restart / mtbf)}"),
                Span(f"sum {percent(first)}", "total"),
                Span("+ exact " + _share(exact).text, "total"),
            ],
            size.columns,
            "  ",
        ),
    )
    numbers = {
        "best_interval": Number(best, "s", time_text(best)),
        "best_overhead": _share(least),
        "best_exact_overhead": _share(_exact(best, save, mtbf, restart)),
        "saving_and_lost_work": _share(math.sqrt(2 * save / mtbf)),
        "restarts": _share(restart / mtbf),
        "overhead": _share(first),
        "exact_overhead": _share(exact),
        "goodput": _share(goodput(first)),
    } | _simulated(dots)
    return Figure(lines, _reading(values, best, least, first, exact, dots), numbers)


def _exact(interval: float, save: float, mtbf: float, restart: float) -> float:
    """Return the exact overhead, infinite where the job takes over 10,000 times as long."""
    try:
        overhead = exact_overhead(interval, save, mtbf, restart)
    except ValueError:
        return math.inf
    return overhead if overhead < NEVER else math.inf


def _percent_axis(least: float) -> Axis:
    high = min(max(4 * least, 1e-4), 10.0)
    step = next(
        one * 10.0**power
        for power in range(-6, 3)
        for one in (1, 2, 5)
        if high / (one * 10.0**power) <= 6
    )
    count = int(high / step)
    return Axis(0, high, tuple((at * step, percent(at * step)) for at in range(count + 1)))


def percent(share: float) -> str:
    """Return a share in percent, to three figures."""
    return f"{format_number(100 * share)} %"


def _share(value: float) -> Number:
    if value == math.inf:
        return Number("never ends", "", "never ends")
    return Number(value, "", percent(value))


def _simulated(dots: list[SimulatedOverhead]) -> dict[str, Number]:
    return {
        f"simulated_{place}": Number(
            one.mean,
            "",
            f"τ = {time_text(one.interval_s)}: {percent(one.mean)} ± {percent(one.standard_error)}",
        )
        for place, one in enumerate(dots, 1)
    }


def _reading(
    values: Values,
    best: float,
    least: float,
    first: float,
    exact: float,
    dots: list[SimulatedOverhead],
) -> str:
    save, mtbf = number(values, "delta"), number(values, "M")
    first_said = (
        f"Least overhead {percent(least)} at τ* = √(2δM) = {time_text(best)}: √(2δ/M) = "
        f"{percent(math.sqrt(2 * save / mtbf))} for saves and lost work, R/M = "
        f"{percent(number(values, 'R') / mtbf)} for restarts."
    )
    said = [first_said]
    interval = number(values, "tau")
    if exact == math.inf:
        said.append(f"At τ = {time_text(interval)} no save would ever end.")
    elif exact - first > 0.05 * first:
        said.append(
            f"At τ = {time_text(interval)} the first-order {percent(first)} is too low, exactly "
            f"{percent(exact)}: it leaves out that the work done again and the saves fail as well."
        )
    else:
        said.append(
            f"At τ = {time_text(interval)} it is {percent(first)}, exactly {percent(exact)}."
        )
    if dots:
        said.append(f"◆ {RUNS} simulated runs each, seed {whole(values, 'seed')}.")
    return " ".join(said)


def _duration(name: str, title: str, default_h: float, low_s: float, high_s: float) -> Amount:
    minutes = (1, 2, 3, 5, 10, 20, 30)
    stops = (
        *round_stops(1, 50),
        *(one * 60.0 for one in minutes),
        *(one * HOUR_S for one in (1, 1.55, 2, 3, 4, 6, 8, 12, 16, 24, 36, 48)),
        *(one * 24 * HOUR_S for one in (3, 7, 14, 30, 90, 365)),
    )
    within = tuple(one for one in stops if low_s <= one <= high_s)
    return Amount(name, title, default_h * HOUR_S, within, 1e-3, 1e9, "h", whole=False)


KIND = Kind(
    name="checkpoint",
    about="How often to save, and what failures cost",
    parameters=(
        _duration("tau", "interval", 1.55, 20, 48 * HOUR_S),
        _duration("M", "job MTBF", 24, 600, 365 * 24 * HOUR_S),
        _duration("delta", "save", 0.05, 1, HOUR_S),
        _duration("R", "restart", 0.1, 1, 4 * HOUR_S),
        Choice("simulate", "", "no", ("no", "yes"), YES_NO),
        Amount("seed", "", 0, counting(0, 20), 0, 1e9),
    ),
    drawer=draw,
    presets=(
        Preset("M = 24 h, save 3 min", ()),
        Preset(
            "1,024 GPUs, save 30 s",
            (("M", "49.5 h"), ("delta", "30 s"), ("R", "10 min"), ("tau", "1 h")),
        ),
        Preset(
            "16,384 GPUs, save 30 s",
            (("M", "3.09 h"), ("delta", "30 s"), ("R", "10 min"), ("tau", "20 min")),
        ),
        Preset(
            "16,384 GPUs, asynchronous, 5 s",
            (("M", "3.09 h"), ("delta", "5 s"), ("R", "10 min"), ("tau", "5 min")),
        ),
    ),
    questions=(
        Question(
            "checkpoint-interval",
            "A job fails once a day on average, and a save blocks it for 3 minutes. How much work "
            "should lie between saves?",
            (Part("interval", "best_interval", "h", ()),),
            "√(2δM) = √(2 × 0.05 h × 24 h) = 1.55 h.",
        ),
    ),
    simulate=simulations,
    simulations=len(FACTORS) + 1,
)
