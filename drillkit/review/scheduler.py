"""When an item comes back: FSRS-6, counted in study days, with a fuzz of our own."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from drillkit.clock import day_number
from drillkit.errors import DrillkitError
from drillkit.review.events import Configured
from drillkit.review.rating import Rating
from drillkit.review.state import (
    Learning,
    Memory,
    New,
    Relearning,
    Reviewing,
    State,
    day_start_ms,
)

if TYPE_CHECKING:
    import fsrs

    from drillkit.clock import Moment
    from drillkit.settings import Settings

MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400
MONTH_DAYS, YEAR_DAYS = 30.4375, 365.25

# How far fuzz may move an interval: a day, plus this share of each stretch of it.
# Source: Anki's and py-fsrs's FUZZ_RANGES; (first day, last day, share).
FUZZ_STRETCHES = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, float("inf"), 0.05))
FUZZ_FROM_DAYS = 2.5

# Items that would all be capped to the eve of the interview are spread over this many days.
EVE_SPREAD_DAYS = 7


class Scheduled(msgspec.Struct, frozen=True):
    """What one rating leads to.

    `wait_s` is the time until the item comes back within the day (0 for a review interval),
    `memory` what is known from then on, `plain_days` the interval before fuzz.
    """

    rating: Rating
    memory: Memory
    wait_s: float = 0.0
    plain_days: int = 0

    @property
    def days(self) -> int:
        """The interval in study days; 0 while learning."""
        return self.memory.days if isinstance(self.memory, Reviewing) else 0

    @property
    def text(self) -> str:
        """The interval as it is shown: `10 min`, `2 d`, `1.5 mo`."""
        return interval_text(self.wait_s or self.days * DAY_S)


def interval_text(seconds: float) -> str:
    """Write a span as people say it: `30 s`, `1 min`, `1.5 h`, `2 d`, `1.5 mo`, `2.3 y`."""
    days = seconds / DAY_S
    if days >= YEAR_DAYS:
        return _short(days / YEAR_DAYS, "y")
    if days >= MONTH_DAYS:
        return _short(days / MONTH_DAYS, "mo")
    if days >= 1:
        return _short(days, "d")
    if seconds >= HOUR_S:
        return _short(seconds / HOUR_S, "h")
    if seconds >= MINUTE_S:
        return _short(seconds / MINUTE_S, "min")
    return f"{seconds:.0f} s"


def _short(number: float, unit: str) -> str:
    return f"{number:.1f}".removesuffix(".0") + f" {unit}"


def draw(item: str, reps: int) -> float:
    """Return a number in [0, 1) that is the item's own at this repetition, today and on replay."""
    digest = hashlib.blake2b(f"{item}\0{reps}".encode("utf-8", "surrogatepass"), digest_size=8)
    # Six bytes: a double holds 48 bits exactly, so the result never rounds up to 1.
    return (int.from_bytes(digest.digest()[:6], "big")) / 2**48


def fuzz_reach(days: int) -> int:
    """Return by how many days at most an interval may be moved, either way."""
    if days < FUZZ_FROM_DAYS:
        return 0
    return round(
        1.0 + sum(share * max(0.0, min(days, end) - start) for start, end, share in FUZZ_STRETCHES)
    )


def fuzzed(days: int, luck: float, max_days: int) -> int:
    """Move an interval by `luck` in [0, 1), as often up as down: its mean over `luck` is `days`.

    The reach shrinks near `max_days`, so that the cap makes no bias either.
    """
    days = min(days, max_days)
    reach = min(fuzz_reach(days), max_days - days)
    return days - reach + int(luck * (2 * reach + 1))


def configured_by(settings: Settings) -> Configured:
    """Return the scheduler's parameters as the settings have them."""
    return Configured(
        weights=settings.weights,
        learning_steps_s=settings.learning_steps_s,
        relearning_steps_s=settings.relearning_steps_s,
        fuzz=settings.fuzz,
        day_starts=settings.day_starts,
    )


def longest_days(settings: Settings, day: int, luck: float = 0.0) -> int:
    """Return the longest interval allowed for an answer on the study day `day`, at least 1.

    With an interview ahead, an item comes back on the day before it at the latest. With fuzz,
    `luck` in [0, 1) spreads that over the last week, so that the eve is not one long queue.
    """
    if settings.interview is None or day_number(settings.interview) <= day:
        return settings.max_interval_days
    eve = max(1, day_number(settings.interview) - 1 - day)
    spread = min(EVE_SPREAD_DAYS, eve // 4 + 1) if settings.fuzz else 1
    return min(settings.max_interval_days, max(1, eve - int(luck * spread)))


def schedule(
    config: Configured,
    state: State,
    now: Moment,
    day: int,
    *,
    retention: float,
    max_days: int,
) -> dict[Rating, Scheduled]:
    """Return what each of the four ratings leads to, when given `now` on the study day `day`.

    Review intervals rise strictly from hard to easy, except where `max_days` leaves no room. One
    draw fuzzes all four, so what is shown beforehand is what happens.
    """
    # The clock may have been set back: no span is ever negative.
    day = max(day, state.last_day)
    plain = {rating: _plain(config, state, now, day, rating, retention) for rating in Rating}
    luck = draw(state.item, state.reps)
    days = {
        rating: fuzzed(found.plain_days, luck, max_days) if config.fuzz else found.plain_days
        for rating, found in plain.items()
        if isinstance(found.memory, Reviewing)
    }
    risen = _risen(days, max_days)
    return {
        rating: _in_days(found, risen[rating], day) if rating in risen else found
        for rating, found in plain.items()
    }


def _risen(days: dict[Rating, int], max_days: int) -> dict[Rating, int]:
    # Good, the commonest rating, keeps its interval where it can; its neighbours make room for it.
    risen = {rating: min(interval, max_days) for rating, interval in days.items()}
    steps = [rating for rating in (Rating.HARD, Rating.GOOD, Rating.EASY) if rating in risen]
    if Rating.EASY in risen and Rating.GOOD in risen:
        risen[Rating.EASY] = min(max_days, max(risen[Rating.EASY], risen[Rating.GOOD] + 1))
    for longer, shorter in pairwise(reversed(steps)):
        risen[shorter] = max(1, min(risen[shorter], risen[longer] - 1))
    for shorter, longer in pairwise(steps):
        risen[longer] = min(max_days, max(risen[longer], risen[shorter] + 1))
    if Rating.AGAIN in risen and Rating.HARD in risen:
        risen[Rating.AGAIN] = min(risen[Rating.AGAIN], risen[Rating.HARD])
    return risen


def _in_days(found: Scheduled, days: int, day: int) -> Scheduled:
    if not isinstance(found.memory, Reviewing):
        return found
    memory = msgspec.structs.replace(found.memory, days=days, due_day=day + days)
    return msgspec.structs.replace(found, memory=memory)


# --- the fsrs package ----------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _engine(config: Configured, retention: float) -> fsrs.Scheduler:
    # Imported here: it costs 44 ms, and neither Home nor `drillkit due` needs it.
    import fsrs  # noqa: PLC0415

    # Its own cap is left open: ours is laid on after fuzz.
    options = {
        "desired_retention": retention,
        "learning_steps": tuple(timedelta(seconds=step) for step in config.learning_steps_s),
        "relearning_steps": tuple(timedelta(seconds=step) for step in config.relearning_steps_s),
        "enable_fuzzing": False,
    }
    try:
        if config.weights:
            return fsrs.Scheduler(parameters=config.weights, **options)  # type: ignore[arg-type]
        return fsrs.Scheduler(**options)  # type: ignore[arg-type]
    except ValueError as error:
        raise DrillkitError(
            "the weights cannot be used: " + " ".join(str(error).split()),
            where="review.weights",
            hint="remove the line from settings.toml to get the defaults back",
        ) from None


def check_weights(settings: Settings) -> None:
    """Raise `DrillkitError` when FSRS cannot work with the weights of the settings."""
    if settings.weights:
        _engine(configured_by(settings), settings.retention.default)


def _midnight(day: int) -> datetime:
    # fsrs counts elapsed days between instants; midnights of study days make its day ours.
    return datetime.fromordinal(day).replace(tzinfo=UTC)


def _plain(
    config: Configured, state: State, now: Moment, day: int, rating: Rating, retention: float
) -> Scheduled:
    import fsrs  # noqa: PLC0415 see _engine

    card = _card(state, day)
    moved, _ = _engine(config, retention).review_card(
        card, fsrs.Rating(int(rating)), _midnight(day)
    )
    if moved.stability is None or moved.difficulty is None:  # pragma: no cover
        raise DrillkitError("the scheduler gave no stability")
    wait = moved.due - _midnight(day)
    if moved.state is fsrs.State.Review:
        memory: Memory = Reviewing(moved.stability, moved.difficulty, wait.days, day + wait.days)
        return Scheduled(rating, memory, plain_days=wait.days)
    kind = Learning if moved.state is fsrs.State.Learning else Relearning
    wait_s = wait.total_seconds()
    if wait_s < DAY_S:
        due_ms = now.utc_ms + round(wait_s * 1000)
    else:
        # A step of days ends with a night, not at the minute it began.
        due_ms = day_start_ms(day + int(wait_s // DAY_S), now.offset_min, config.day_starts)
    return Scheduled(
        rating, kind(moved.step or 0, moved.stability, moved.difficulty, due_ms), wait_s
    )


def _card(state: State, day: int) -> fsrs.Card:
    import fsrs  # noqa: PLC0415 see _engine

    memory = state.memory
    # An id is given since the package would wait a millisecond to make one.
    card = fsrs.Card(card_id=0, due=_midnight(day))
    if isinstance(memory, New):
        return card
    card.stability, card.difficulty = memory.stability, memory.difficulty
    card.last_review = _midnight(state.last_day)
    match memory:
        case Reviewing():
            card.state, card.step = fsrs.State.Review, None
        case Learning():
            card.state, card.step = fsrs.State.Learning, memory.step
        case Relearning():
            card.state, card.step = fsrs.State.Relearning, memory.step
    return card
