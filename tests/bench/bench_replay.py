"""A million events replayed and compared with the state, as `drillkit doctor` does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bench_table import Row, Sizes, timed
from bench_world import write_log

from drillkit.review.collection import Collection
from drillkit.review.doctor import Report, examine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVENTS_AN_ITEM = 20


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure once; nothing where no events are wanted."""
    if not sizes.replayed:
        return
    path = folder / "collection.db"
    items = [f"bench/card-{number}" for number in range(max(1, sizes.replayed // EVENTS_AN_ITEM))]
    write_log(path, items, sizes.replayed)

    def progress(doing: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        bar = "#" * (40 * done // max(1, total))
        sys.stderr.write(f"\r{doing} [{bar:<40}] {done:,} of {total:,}\x1b[K")
        if done >= total:
            sys.stderr.write("\n")

    def replay() -> None:
        report: Report = examine(collection, progress=progress)
        if not report.clean or report.events != sizes.replayed:
            raise RuntimeError(f"{report.events} events: {report.findings}")

    with Collection.open(path) as collection:
        yield Row(f"replay of {sizes.replayed:,} events (doctor)", timed(replay) / 1000, "s")
