"""Homes to measure in: as many cards as wanted, made of the bundled ones, and a log of reviews."""

from __future__ import annotations

import os
import random
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import drillkit
from drillkit.clock import DAY_MS, SystemClock
from drillkit.review.collection import Collection
from drillkit.review.doctor import examine
from drillkit.review.events import Rated, encode, new_id
from drillkit.review.rating import Rating
from drillkit.review.state import Learning, Memory, Reviewing
from drillkit.review.today import study_day
from drillkit.review.writing import PUT_EVENT
from drillkit.settings import Settings, bundled_content

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(drillkit.__file__).resolve().parent.parent
CARDS_A_DECK = 250
SEEN = 0.9  # the share of the cards that have a history
LONGEST_DAYS = 180
BLOCK = re.compile(r"^  - id: (?P<id>\S+)\n(?:    .*\n|\n)*", re.MULTILINE)
PARENT = re.compile(r"^    (?:after|was): (.*)\n", re.MULTILINE)


def environment(home: Path) -> dict[str, str]:
    """Return the environment in which drillkit lives below `home`."""
    return os.environ | {
        "DRILLKIT_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }


def write_decks(folder: Path, cards: int, kind: str = "") -> list[str]:
    """Write decks of 250 cards, all kinds mixed or one kind only; return the item ids."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = [
        (found["id"], found[0].rstrip("\n") + "\n")
        for path in sorted((bundled_content() / "decks").glob("*.yaml"))
        for found in BLOCK.finditer(path.read_text(encoding="utf-8") + "\n")
        if not kind or _kind(found[0]) == kind
    ]
    an_hour_ago = time.time() - 3600
    items: list[str] = []
    for first in range(0, cards, CARDS_A_DECK):
        deck = f"bench-{first // CARDS_A_DECK:04}"
        names: set[str] = set()
        text = [f"deck: {deck}\ntitle: Bench {first // CARDS_A_DECK}\ncards:\n"]
        for number in range(first, min(cards, first + CARDS_A_DECK)):
            name, block = blocks[number % len(blocks)]
            renamed = f"{name}-{number // len(blocks)}"
            text.append(_renamed(block, renamed, number // len(blocks), names))
            names.add(renamed)
            items.append(f"{deck}/{renamed}")
        path = folder / f"{deck}.yaml"
        path.write_text("\n".join(text), encoding="utf-8")
        # A file that was written just now is not trusted to its time stamp, and read again.
        os.utime(path, (an_hour_ago, an_hour_ago))
    return items


def _kind(block: str) -> str:
    found = re.search(r"^    kind: (\w+)", block, re.MULTILINE)
    return found[1] if found else "recall"


def _renamed(block: str, name: str, copy: int, names: set[str]) -> str:
    def parent(found: re.Match[str]) -> str:
        renamed = f"{found[1].strip()}-{copy}"
        return f"    after: {renamed}\n" if renamed in names else ""

    return PARENT.sub(parent, re.sub(r"^  - id: \S+", f"  - id: {name}", block))


def write_log(path: Path, items: Sequence[str], events: int, seed: int = 1) -> None:
    """Fill the collection at `path` with `events` answers on nine tenths of the items.

    A card is learned in two answers, then reviewed at growing intervals; a few are due today.
    """
    now = SystemClock().now()
    today = study_day(now, Settings())
    luck = random.Random(seed)
    seen = list(items[: max(1, round(len(items) * SEEN))])
    answers = [
        answer
        for number, item in enumerate(seen)
        for answer in _answers(item, _share(events, len(seen), number), today, luck)
    ]
    answers.sort(key=lambda answer: answer[:2])
    collection = Collection.open(path)
    bodies = (
        (
            (event_id := new_id(utc_ms := now.utc_ms + (day - today) * DAY_MS, os.urandom)),
            event_id,
            collection.device,
            utc_ms,
            now.offset_min,
            day,
            encode(rated),
        )
        for day, _, rated in answers
    )
    with collection, collection.transaction("fill the bench's log") as db:
        db.executemany(PUT_EVENT, bodies)
    with Collection.open(path) as collection:
        examine(collection, repair=True)


def _share(total: int, parts: int, number: int) -> int:
    return total * (number + 1) // parts - total * number // parts


def _answers(
    item: str, count: int, today: int, luck: random.Random
) -> Iterator[tuple[int, float, Rated]]:
    """Yield (study day, place in the day, answer), the last one before today."""
    spans = [0] * min(1, count - 1)
    for _ in range(count - 1 - len(spans)):
        longer = round((spans[-1] or 2) * luck.uniform(1.3, 2.2))
        spans.append(min(LONGEST_DAYS, longer))
    last = max(2, round((spans[-1] if spans else 2) * 1.5))
    day = today - luck.randint(1, last + 2) - sum(spans)
    phase = "new"
    for number in range(count):
        day += spans[number - 1] if number else 0
        days = spans[number] if number < len(spans) else last
        stability = max(0.5, days * 1.0)
        after: Memory = Reviewing(stability, 5.0, days, day + days)
        if number == 0 and count > 1:
            after = Learning(1, 2.3, 5.0, 0)
        yield (
            day,
            number + luck.random(),
            Rated(
                item=item,
                rating=Rating.GOOD,
                phase=phase,
                after=after,
                plain_days=days,
                retention=0.9,
                max_days=36_500,
                think_ms=luck.randint(2_000, 30_000),
                read_ms=luck.randint(1_000, 10_000),
                config="0" * 26,
                sitting="0" * 26,
            ),
        )
        phase = "learning" if isinstance(after, Learning) else "review"


def make_home(home: Path, cards: int, events: int, kind: str = "") -> Path:
    """Make a home with decks and a log; return it."""
    items = write_decks(home / "decks", cards, kind)
    write_log(home / "collection.db", items, events)
    return home
