"""Cards that changed their id: whose history counts for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from drillkit.content.library import Library


def claims(library: Library) -> dict[str, str]:
    """Return old id -> new id for what the cards' `was` says; an old id still in use stays."""
    claimed: dict[str, str] = {}
    for item, former in library.items.was.items():
        for old in former:
            if old not in library.items:
                claimed.setdefault(old, item)
    return claimed


def carried(
    claimed: dict[str, str], present: Container[str], learned: Container[str]
) -> dict[str, str]:
    """Return old id -> new id for every history that now counts for another id.

    `present` are the ids that anything is known of, `learned` those with a memory. A new id with a
    memory of its own keeps that; of several old ids the first one counts.
    """
    names: dict[str, str] = {}
    heirs: set[str] = set()
    for old, item in claimed.items():
        if old in present and item not in heirs and item not in learned:
            names[old] = item
            heirs.add(item)
    return names
