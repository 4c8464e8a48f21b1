"""The schedule's numbers at default weights and retention 0.9, without fuzz."""

from __future__ import annotations

import pytest
from review_desk import PLAIN, Desk, numbered

from drillkit.review.events import Rated
from drillkit.review.rating import Rating
from drillkit.review.state import Reviewing
from drillkit.settings import Settings

STEPS = Settings(fuzz=False)


def intervals(desk: Desk, ratings: list[int]) -> list[int]:
    desk.learn("d/c0", *map(Rating, ratings))
    memories = [
        event.action.after for event in desk.collection.events() if isinstance(event.action, Rated)
    ]
    return [memory.days if isinstance(memory, Reviewing) else 0 for memory in memories]


@pytest.mark.parametrize(
    ("settings", "ratings", "days"),
    [
        (
            STEPS,
            [3, 3, 3, 3, 3, 3, 1, 1, 3, 3, 3, 3, 3],
            [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21],
        ),
        (PLAIN, [3] * 6, [2, 11, 46, 163, 497, 1346]),
        (PLAIN, [4] * 4, [8, 66, 397, 1875]),
    ],
    ids=["with steps", "good without steps", "easy without steps"],
)
def test_ratings_given_when_due_lead_to_the_published_intervals(make_desk, settings, ratings, days):
    """Source: py-fsrs's test of its default scheduler (first row), FSRS-6 by hand (the others)."""
    desk = make_desk(numbered(1), settings)
    assert intervals(desk, ratings) == days
