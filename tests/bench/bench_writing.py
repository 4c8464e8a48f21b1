"""An event and the state it leads to, on the disk, beside one bare insert with our settings."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from bench_table import Row, Sizes, in_turn, timed
from bench_world import make_home

from drillkit.clock import SystemClock
from drillkit.review.collection import Collection, connect
from drillkit.review.events import Rated, encode
from drillkit.review.rating import Rating
from drillkit.review.state import Reviewing
from drillkit.review.today import study_day
from drillkit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Write to two files of the same folder in turn, each write one synced transaction."""
    home = make_home(folder / "home", sizes.cards, sizes.events)
    now = SystemClock().now()
    day = study_day(now, Settings())
    after = Reviewing(12.5, 5.0, 12, day + 12)
    with (
        Collection.open(home / "collection.db") as collection,
        closing(connect(folder / "bare.db")) as bare,
    ):
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        items = [state.item for state in collection.states()]
        written = 0

        def rated() -> Rated:
            return Rated(
                item=items[written % len(items)],
                rating=Rating.GOOD,
                phase="review",
                after=after,
                plain_days=12,
                retention=0.9,
                max_days=36_500,
                think_ms=4_000,
                read_ms=2_000,
                config="0" * 26,
                sitting="0" * 26,
            )

        def write() -> None:
            nonlocal written
            action = rated()
            written += 1
            with collection.writing(now, day) as writing:
                writing.append(action)

        def insert() -> None:
            bare.execute("INSERT INTO log (body) VALUES (?)", (encode(rated()),))

        ours, theirs = in_turn(sizes.writes, lambda: timed(write), lambda: timed(insert))
    yield Row("event and state, synced / one bare insert", ours, "ms", theirs, 3.0)
