"""A number of things in words: `1 card`, `1,204 cards`."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural unless it is one."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
