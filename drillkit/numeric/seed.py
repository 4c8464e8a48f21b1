"""The seeds of variants: the same everywhere, another after every answer."""

from __future__ import annotations

import hashlib

# Nine digits: short enough to be said to somebody else.
SEEDS = 10**9


def review_seed(item: str, times_seen: int) -> int:
    """Return the seed with which `item` is drawn after so many answers: never the same numbers."""
    digest = hashlib.blake2b(f"{item} {times_seen}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % SEEDS
