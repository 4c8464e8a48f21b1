"""`drillkit due` as a process, beside one that only imports what it builds on."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from bench_table import Row, Sizes, in_turn, timed
from bench_world import environment, make_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BARE = """
import sqlite3, sys
import msgspec, typer
sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM sqlite_master").fetchall()
"""


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Run both from start to end."""
    home = make_home(folder / "home", sizes.cards, sizes.events)

    def run(*arguments: str) -> float:
        command = [sys.executable, *arguments]
        return timed(
            lambda: subprocess.run(
                command, check=True, env=environment(home), cwd=folder, stdout=subprocess.DEVNULL
            )
        )

    def due() -> float:
        return run("-m", "drillkit", "due")

    due()  # reads the files and writes the cache
    repeats = max(1, sizes.starts * 2)
    ours, theirs = in_turn(repeats, due, lambda: run("-c", BARE, str(home / "collection.db")))
    yield Row(f"drillkit due, {sizes.cards:,} cards / bare imports", ours, "ms", theirs, 2.0)
