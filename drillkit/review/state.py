"""What is remembered of an item: its memory, its flags, its counts."""

from __future__ import annotations

from datetime import date

import msgspec

from drillkit.clock import DAY_MS, day_number

# The exponent of FSRS-6's forgetting curve at the default weights (weight 20, negated).
# Source: FSRS-6, github.com/open-spaced-repetition/awesome-fsrs/wiki/The-Algorithm.
DECAY = -0.1542

EPOCH_DAY = day_number(date(1970, 1, 1))
HOUR_MS, MINUTE_MS = 3_600_000, 60_000


class New(msgspec.Struct, frozen=True, tag="new", tag_field="phase"):
    """Never answered."""


class Learning(msgspec.Struct, frozen=True, tag="learning", tag_field="phase"):
    """On a learning step: comes back at an instant, within minutes or hours.

    `stability` is in days, `difficulty` runs from 1 to 10, `due_ms` is UTC.
    """

    step: int
    stability: float
    difficulty: float
    due_ms: int


class Reviewing(msgspec.Struct, frozen=True, tag="review", tag_field="phase"):
    """Known: comes back on the study day `due_day`, `days` after its last answer."""

    stability: float
    difficulty: float
    days: int
    due_day: int


class Relearning(msgspec.Struct, frozen=True, tag="relearning", tag_field="phase"):
    """Forgotten in review and on a step of relearning."""

    step: int
    stability: float
    difficulty: float
    due_ms: int


Memory = New | Learning | Reviewing | Relearning
PHASES = ("new", "learning", "review", "relearning")
NEW = New()


def phase_of(memory: Memory) -> str:
    """Return the memory's name: new, learning, review or relearning."""
    return str(memory.__struct_config__.tag)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the log says about one item.

    `first_day` and `last_day` are study days (`clock.day_number`), 0 before the first answer. An
    item is buried while the study day is before `buried_until`. `seq` is the place in the log of
    the last event that counts for the item: it tells whether the item changed meanwhile.
    """

    item: str
    memory: Memory = NEW
    reps: int = 0
    lapses: int = 0
    first_day: int = 0
    last_day: int = 0
    suspended: bool = False
    buried_until: int = 0
    flagged: bool = False
    leech: bool = False
    seq: int = 0

    @property
    def phase(self) -> str:
        """The memory's name: new, learning, review or relearning."""
        return phase_of(self.memory)

    @property
    def is_blank(self) -> bool:
        """Whether nothing is known of the item, as if it had never been seen."""
        return self == State(item=self.item, seq=self.seq)

    def hidden_on(self, day: int) -> bool:
        """Tell whether the item is suspended, or buried on the study day `day`."""
        return self.suspended or day < self.buried_until


def forgetting(stability_days: float, elapsed_days: float, decay: float = DECAY) -> float:
    """Return the probability of recall, 0 to 1, `elapsed_days` after the last answer.

    It is 0.9 when `elapsed_days` equals `stability_days`; a negative span counts as none.
    Source: FSRS-6: R = (1 + (0.9^(1/decay) − 1) · t/S)^decay.
    """
    factor = 0.9 ** (1 / decay) - 1
    return float((1 + factor * max(0.0, elapsed_days) / stability_days) ** decay)


def predicted_recall(state: State, day: int, decay: float = DECAY) -> float:
    """Return the probability, 0 to 1, that the item is recalled on the study day `day`.

    A new item has none: 0.
    """
    if isinstance(state.memory, New):
        return 0.0
    return forgetting(state.memory.stability, day - state.last_day, decay)


def decay_of(weights: tuple[float, ...]) -> float:
    """Return the exponent of the forgetting curve for FSRS-6 weights; empty means the defaults."""
    return -weights[20] if weights else DECAY


def day_start_ms(day: int, offset_min: int, day_starts: int) -> int:
    """Return the UTC milliseconds at which the study day `day` begins at a local offset."""
    return (day - EPOCH_DAY) * DAY_MS + day_starts * HOUR_MS - offset_min * MINUTE_MS
