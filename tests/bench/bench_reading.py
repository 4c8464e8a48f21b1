"""Reading decks, cold and from the cache, beside PyYAML's C loader on the same text."""

from __future__ import annotations

import gc
import shutil
from typing import TYPE_CHECKING

import yaml
from bench_table import Row, Sizes, in_turn, timed
from bench_world import write_decks

from drillkit.content.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from drillkit.content.library import Library


def rows(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure within this process; no library is kept from one reading to the next."""
    decks, cache = folder / "decks", folder / "cache"
    write_decks(decks, sizes.cards)
    texts = [path.read_text(encoding="utf-8") for path in sorted(decks.glob("*.yaml"))]
    files = len(texts)

    def read(files_read: int) -> Library:
        library = Shelf((decks,), cache).read()
        # A bench that reads something else than it says would be worse than none.
        if (len(library.items), library.files_read) != (sizes.cards, files_read):
            raise RuntimeError(f"{len(library.items)} cards, {library.files_read} files read")
        return library

    def cold() -> float:
        shutil.rmtree(cache, ignore_errors=True)
        gc.collect()
        return timed(lambda: read(files))

    def warm() -> float:
        gc.collect()
        return timed(lambda: read(0))

    def bare() -> float:
        gc.collect()
        return timed(lambda: [yaml.load(text, yaml.CSafeLoader) for text in texts])

    cold()
    ours, again, theirs = in_turn(sizes.readings, cold, warm, bare)
    size = f"{sizes.cards:,} cards"
    yield Row(f"cold read of {size} / PyYAML's C loader", ours, "ms", theirs, 1.5)
    yield Row(f"warm read of {size} / cold", again, "ms", ours, 0.1)
