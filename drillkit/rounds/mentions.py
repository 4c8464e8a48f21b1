"""Whether a text says something, judged by its words: a suggestion, never a verdict.

A point lists its words in groups, `a|b` for either; a group is met where one of its words begins a
word of the text, in any case: `date` is in "dates", not in "update". A word that ends in a blank
is meant whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drillkit.rounds.events import Mark

HEADING = re.compile(r"^== ([\w-]+) ==[ \t]*$", re.MULTILINE)
_WORD = re.compile(r"\w+")
_STATES = re.compile(r"[\d=<>→≈≤≥]")
_SPACED_SIGN = re.compile(r" ?([+×·*/−=]) ?")
ENOUGH_GROUPS = 2
"""So many groups of words that are met make a point, though it names more."""
ENOUGH_WORDS = 3
"""A text of fewer words says nothing, a figure aside: `Yes, sure.` is no answer."""


class Said:
    """What a candidate said, ready to be searched."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.text = _plain("\n".join(HEADING.sub("", text) for text in texts))

    def has(self, group: str, heard: Said | None = None) -> bool:
        """Whether one word of a group is said, other than those that were `heard` before.

        Where all words of a group were heard, repeating one has to do.
        """
        words = [word for word in group.split("|") if word.strip()]
        if heard is not None:
            words = [word for word in words if not heard.has(word)] or words
        return any(_pattern(word).search(self.text) for word in words)

    def mark(self, keys: tuple[str, ...], heard: Said | None = None) -> Mark:
        """Suggest a mark: hit where all groups are met, or two of them; partial where one is.

        `heard` is what the candidate only repeats when he says it.
        """
        met = sum(self.has(group, heard) for group in keys)
        if keys and (met == len(keys) or met >= ENOUGH_GROUPS):
            return "hit"
        return "partial" if met else "miss"


def sections(board: str) -> dict[str, str]:
    """Part a board by its headings: what is under each, by the id of its phase."""
    parts = HEADING.split(board)
    found: dict[str, str] = {}
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        found[name] = found.get(name, "") + text
    return found


def own_lines(text: str, heard: str) -> str:
    """Return the lines of a text that do more than repeat what was heard.

    Another word will do, or a figure or a sign that states something, such as `=` or `→`.
    """
    known = set(_WORD.findall(heard.casefold()))
    lines = text.splitlines()
    return "\n".join(
        one for one in lines if _STATES.search(one) or set(_WORD.findall(one.casefold())) - known
    )


def says_something(text: str) -> bool:
    """Whether a text is more than a word or two."""
    return len(text.split()) >= ENOUGH_WORDS or any(sign.isdigit() for sign in text)


def _plain(text: str) -> str:
    """Small letters, single blanks, none around signs; a line end is a blank."""
    return _SPACED_SIGN.sub(r"\1", " ".join(text.casefold().split())) + " "


@lru_cache(maxsize=4096)
def _pattern(word: str) -> re.Pattern[str]:
    whole = " " if word.endswith(" ") and word.strip()[-1:].isalnum() else ""
    stem = _plain(word).rstrip()
    before = r"(?<![\w.])" if stem[:1].isalnum() else ""
    after = r"(?!\w)" if whole else ""
    return re.compile(before + re.escape(stem) + after)
