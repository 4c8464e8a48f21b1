"""The four ratings, each with its key and the interval it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from drillkit.review.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Mapping


class RatingBar(Static):
    """One line, of which the machine's proposal is marked by arrows and by weight."""

    def show_ratings(self, intervals: Mapping[Rating, str], proposal: Rating | None) -> None:
        """Show the ratings; `intervals` is empty where the schedule is left alone."""
        pieces = []
        for rating in Rating:
            text = f"{rating.value} {rating.label.capitalize()}"
            if rating in intervals:
                text += f" · {intervals[rating]}"
            proposed = rating == proposal
            marked = f"▸ {text} ◂" if proposed else f"  {text}  "
            pieces.append(Content.styled(marked, "bold reverse") if proposed else Content(marked))
        self.update(Content("").join(pieces))
