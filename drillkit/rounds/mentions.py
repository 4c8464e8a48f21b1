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

HEADING = re.compile(r"^== [\w-]+ ==\s*$", re.MULTILINE)
_SPACED_SIGN = re.compile(r" ?([+×·*/−=]) ?")
ENOUGH_GROUPS = 2
"""So many groups of words that are met make a point, though it names more."""


class Said:
    """What a candidate said, ready to be searched."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.text = _plain("\n".join(HEADING.sub("", text) for text in texts))

    def has(self, group: str) -> bool:
        """Whether one word of a group is said."""
        return any(_pattern(word).search(self.text) for word in group.split("|") if word.strip())

    def mark(self, keys: tuple[str, ...]) -> Mark:
        """Suggest a mark: hit where all groups are met, or two of them; partial where one is."""
        met = sum(self.has(group) for group in keys)
        if keys and (met == len(keys) or met >= ENOUGH_GROUPS):
            return "hit"
        return "partial" if met else "miss"


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
