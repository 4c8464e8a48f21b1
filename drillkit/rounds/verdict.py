"""From the grades of the rows to a verdict, always with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from drillkit.counted import counted
from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drillkit.content.round import Row
    from drillkit.rounds.rubric import RowRubric

VerdictName = Literal["no hire", "lean no hire", "lean hire", "hire", "strong hire"]
VERDICTS: tuple[VerdictName, ...] = get_args(VerdictName)

BEGINS: Mapping[VerdictName, float] = {
    "no hire": 1.0,
    "lean no hire": 1.75,
    "lean hire": 2.5,
    "hire": 3.0,
    "strong hire": 3.5,
}
"""The weighted mean of the grades, 1 to 4, from which on a verdict holds."""

LEAST_ROW: Mapping[VerdictName, int] = {"hire": 2, "strong hire": 3}
"""No row may be below this: a mean does not make up for a part that is not there."""


class Verdict(NamedTuple):
    """What an interviewer would write down, the weighted mean behind it, and why."""

    name: VerdictName
    mean: float
    reason: str


def verdict_of(grades: Mapping[Row, int], rows: Sequence[RowRubric]) -> Verdict:
    """Return the verdict on the rows that have a grade; a grade below a floor caps it at no hire.

    Raises `DrillkitError` where no row is graded.
    """
    graded = [(row, grades[row.row]) for row in rows if row.row in grades and row.weight > 0]
    if not graded:
        raise DrillkitError("nothing is graded yet")
    total = sum(row.weight for row, _ in graded)
    mean = sum(row.weight * grade for row, grade in graded) / total
    low = [(row, grade) for row, grade in graded if grade < row.floor]
    told = f"weighted mean {mean:.2f} of 4 over {counted(len(graded), 'row')}"
    if low:
        floors = ", ".join(f"{row.title} {grade} (floor {row.floor})" for row, grade in low)
        return Verdict("no hire", mean, f"below its floor: {floors}; {told}")
    by_mean = [one for one in VERDICTS if mean + 1e-9 >= BEGINS[one]]
    weakest, least = min(graded, key=lambda one: one[1])
    name = [one for one in by_mean if least >= LEAST_ROW.get(one, 1)][-1]
    if name != by_mean[-1]:
        reason = f"{told}, but no more than {name} with a {least} in {weakest.title}"
        return Verdict(name, mean, reason)
    return Verdict(name, mean, f"{told}: {_between(name)}{_pulling(graded, mean)}")


def _between(name: VerdictName) -> str:
    at = VERDICTS.index(name)
    begins = f"{name} begins at {BEGINS[name]:.2f}"
    if at + 1 == len(VERDICTS):
        return begins
    following = VERDICTS[at + 1]
    if not at:
        return f"{following} begins at {BEGINS[following]:.2f}"
    return f"{begins}, {following} at {BEGINS[following]:.2f}"


def _pulling(graded: list[tuple[RowRubric, int]], mean: float) -> str:
    """Name the row that pulls the mean down most."""
    row, grade = max(graded, key=lambda one: one[0].weight * (mean - one[1]))
    if grade >= mean:
        return ""
    return f"; {row.title} {grade} pulls it down most (weight {row.weight})"
