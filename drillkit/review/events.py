"""The log's events: what happened, in one envelope that says when, where and in which action."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from drillkit.review.rating import Rating  # noqa: TC001 msgspec reads the annotations
from drillkit.review.state import Memory  # noqa: TC001 msgspec reads the annotations

if TYPE_CHECKING:
    from collections.abc import Callable

ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


class Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """Something that happened; each kind is one struct below, told apart by `kind` in its JSON."""

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)


class Rated(Action, frozen=True, tag="rated", kw_only=True):
    """An answer that counts.

    `phase` is the item's memory before, `after` its memory from then on, so that replaying the log
    needs no scheduler and gives the same state with any release of it. `plain_days` is the interval
    before fuzz, `retention` and `max_days` the target and the longest interval in force, `config`
    the id of the `configured` event in force, `sitting` that of the sitting ("" outside one).
    Thinking stops when the answer is revealed, reading when it is rated. `response` is what the
    machine saw: its verdict, a score, what was picked, the text typed.
    """

    item: str
    rating: Rating
    phase: str
    after: Memory
    plain_days: int = 0
    retention: float
    max_days: int
    think_ms: int = 0
    read_ms: int = 0
    config: str = ""
    sitting: str = ""
    response: dict[str, Any] | None = None


class Crammed(Action, frozen=True, tag="crammed", kw_only=True):
    """An answer that leaves the schedule alone."""

    item: str
    rating: Rating
    think_ms: int = 0
    read_ms: int = 0
    sitting: str = ""
    response: dict[str, Any] | None = None


class Undone(Action, frozen=True, tag="undone", kw_only=True):
    """The batch `target` is taken back; `item` is the one it was about."""

    item: str
    target: str


class Suspended(Action, frozen=True, tag="suspended", kw_only=True):
    """The item is not asked until it is unsuspended; `leech`: because it lapses again and again."""

    item: str
    leech: bool = False


class Unsuspended(Action, frozen=True, tag="unsuspended", kw_only=True):
    """The item is asked again."""

    item: str


class Buried(Action, frozen=True, tag="buried", kw_only=True):
    """The item is not asked before the study day `until`."""

    item: str
    until: int


class Unburied(Action, frozen=True, tag="unburied", kw_only=True):
    """The item is asked again today."""

    item: str


class Flagged(Action, frozen=True, tag="flagged", kw_only=True):
    """The item is marked for a later look; `leech`: because it lapses again and again."""

    item: str
    leech: bool = False


class Unflagged(Action, frozen=True, tag="unflagged", kw_only=True):
    """The mark is removed."""

    item: str


class Renamed(Action, frozen=True, tag="renamed", kw_only=True):
    """What is known of `old` belongs to `item` from here on."""

    item: str
    old: str


class Configured(Action, frozen=True, tag="configured", kw_only=True):
    """The scheduler's parameters from here on. Steps are in seconds; no weights: the defaults."""

    weights: tuple[float, ...] = ()
    learning_steps_s: tuple[int, ...] = ()
    relearning_steps_s: tuple[int, ...] = ()
    fuzz: bool = True
    day_starts: int = 4


class SittingStarted(Action, frozen=True, tag="sitting_started", kw_only=True):
    """A sitting over the cards of `deck`, `tag`, `of_kind` ("" is any); its id is the event's."""

    deck: str = ""
    tag: str = ""
    of_kind: str = ""
    cram: bool = False


class SittingFinished(Action, frozen=True, tag="sitting_finished", kw_only=True):
    """Nothing was left to study today in the sitting."""

    sitting: str


class Predicted(Action, frozen=True, tag="predicted", kw_only=True):
    """A guess made before a figure was seen: what was typed, its values and the true ones.

    `question` is the id of the figure's question; values are in base units, one for each part.
    """

    question: str
    text: str
    values: tuple[float, ...]
    truths: tuple[float, ...]


class Unknown(Action, frozen=True, tag="?", kw_only=True):
    """An event of a kind that this drillkit does not know: kept as it is, and told of by doctor."""

    body: str


AnyAction = (
    Rated
    | Crammed
    | Undone
    | Suspended
    | Unsuspended
    | Buried
    | Unburied
    | Flagged
    | Unflagged
    | Renamed
    | Configured
    | SittingStarted
    | SittingFinished
    | Predicted
)
# What one key press does and `undo` takes back; the rest only accompanies it.
UNDOABLE = (
    "rated",
    "crammed",
    "suspended",
    "unsuspended",
    "buried",
    "unburied",
    "flagged",
    "unflagged",
)


class Event(msgspec.Struct, frozen=True):
    """One entry of the log.

    `seq` is its place in this file, `id` its name in any file (128 bits, sortable by time), `batch`
    is shared by the events of one action, `study_day` is a `clock.day_number`.
    """

    seq: int
    id: str
    batch: str
    device: str
    utc_ms: int
    offset_min: int
    study_day: int
    action: AnyAction | Unknown


_encoder = msgspec.json.Encoder()


@cache
def _decoder() -> msgspec.json.Decoder[AnyAction]:
    # Made when it is needed: a start reads no event.
    return msgspec.json.Decoder(AnyAction)


def encode(action: Action) -> str:
    """Return the action as JSON text."""
    return _encoder.encode(action).decode()


def decode(body: str) -> AnyAction | Unknown:
    """Read an action from JSON text; what is not known comes back as `Unknown`."""
    try:
        return _decoder().decode(body)
    except msgspec.DecodeError:
        return Unknown(body=body)


def new_id(utc_ms: int, entropy: Callable[[int], bytes]) -> str:
    """Return 26 letters and digits: 48 bits of time, then 80 random ones; they sort by time."""
    number = (max(0, utc_ms) << 80 | int.from_bytes(entropy(10), "big")) & ((1 << 128) - 1)
    return "".join(ID_LETTERS[(number >> shift) & 31] for shift in range(125, -1, -5))


def plain(response: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a response that can be written as JSON: no lone surrogates, no endless texts."""
    if response is None:
        return None
    return {_plain_text(key): _plain_value(value) for key, value in response.items()}


MAX_RESPONSE_CHARS = 10_000


def _plain_text(text: str) -> str:
    return text[:MAX_RESPONSE_CHARS].encode("utf-8", "replace").decode()


def _plain_value(value: object) -> object:
    match value:
        case str():
            return _plain_text(value)
        case dict():
            return {_plain_text(str(key)): _plain_value(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain_value(inner) for inner in value]
        case float() if not math.isfinite(value):
            return None
        case bool() | int() | float() | None:
            return value
        case _:
            return _plain_text(str(value))
