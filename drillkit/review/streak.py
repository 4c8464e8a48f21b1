"""How many study days in a row something was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.review.collection import STANDS

if TYPE_CHECKING:
    from drillkit.review.collection import Collection

# One statement for the whole run of days: years of them would be as many statements at every start.
RUN_OF_DAYS = f"""
    WITH RECURSIVE run (day) AS (
        SELECT ?
        UNION ALL
        SELECT day - 1 FROM run WHERE EXISTS (
            SELECT 1 FROM events AS e
            WHERE study_day = day AND kind IN ('rated', 'crammed') AND {STANDS}
        )
    )
    SELECT count(*) - 1 FROM run
"""  # noqa: S608 fixed text


def streak(collection: Collection, today: int) -> int:
    """Return for how many study days in a row something was answered.

    A day that is not over yet does not break it.
    """
    return _run_until(collection, today) or _run_until(collection, today - 1)


def _run_until(collection: Collection, day: int) -> int:
    return int(collection.one(RUN_OF_DAYS, day) or 0)
