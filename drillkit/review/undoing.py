"""Taking an action back: which one is the last, and whose card it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drillkit.review.collection import STANDS
from drillkit.review.events import UNDOABLE
from drillkit.review.names import claims

if TYPE_CHECKING:
    from drillkit.clock import Moment
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection

_KINDS = ", ".join(f"'{kind}'" for kind in UNDOABLE)


@dataclass(frozen=True)
class TakenBack:
    """The item whose last action was taken back, under its present id."""

    item: str
    notice: str = ""


def take_back(
    collection: Collection, library: Library, own: list[str], now: Moment, day: int
) -> TakenBack | None:
    """Take back the newest of the batches `own`, else the log's newest action; None: nothing left.

    A batch whose item was answered or changed elsewhere since is left as it is, and so told.
    `own` loses what was dealt with, once it is on the disk.
    """
    notice = ""
    with collection.writing(now, day) as writing:
        left = list(own)
        chosen: tuple[str, str] | None = None
        while left and chosen is None:
            batch = left.pop()
            item, stands, superseded = _look_at(collection, batch)
            if stands and superseded:
                notice = f"{item} was answered in another window since; that stays"
            elif stands:
                chosen = batch, item
        chosen = chosen or collection.last_undoable()
        if chosen is not None:
            writing.undo(*chosen)
    own[:] = left
    if chosen is None:
        return None
    return TakenBack(_present_id(collection, library, chosen[1]), notice)


def _look_at(collection: Collection, batch: str) -> tuple[str, bool, bool]:
    """Return the batch's item, whether it still stands, whether the item was changed since."""
    rows = collection.select(
        f"SELECT item, seq, {STANDS} FROM events AS e WHERE batch = ? ORDER BY seq DESC",  # noqa: S608 fixed text
        batch,
    )
    if not rows:
        return "", False, False  # an older collection was restored since
    item, seq, stands = str(rows[0][0]), rows[0][1], bool(rows[0][2])
    later = collection.one(
        "SELECT 1 FROM events AS e WHERE item = ? AND item IS NOT NULL AND seq > ?"  # noqa: S608 fixed text
        f" AND kind IN ({_KINDS}) AND batch != ? AND {STANDS}",
        item,
        seq,
        batch,
    )
    return item, stands, later is not None


def _present_id(collection: Collection, library: Library, item: str) -> str:
    """Follow renames from the id under which an event was written to the one in use."""
    claimed = claims(library)
    seen: set[str] = set()
    while item not in library.items and item not in seen:
        seen.add(item)
        renamed = collection.one(
            "SELECT item FROM events WHERE other = ? AND other IS NOT NULL AND kind = 'renamed'"
            " ORDER BY seq DESC",
            item,
        )
        item = str(renamed) if renamed is not None else claimed.get(item, item)
    return item
