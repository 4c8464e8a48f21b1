"""Worked numbers from elsewhere, checked against the families: `drillkit solve --table`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypedDict

from drillkit.content.problem_rules import read_number
from drillkit.errors import DrillkitError
from drillkit.numeric.family import family_of
from drillkit.numeric.judge import tolerance
from drillkit.numeric.wording import answered
from drillkit.numeric.worked import solve_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.content.problem import Problem

EXACT = Fraction(1, 10**9)


class Difference(TypedDict):
    """A row that comes out otherwise: rows are counted from 1."""

    row: int
    problem: str
    expect: str
    got: str


class RowsResult(TypedDict):
    """How many rows there are, how many agree, and those that do not."""

    rows: int
    agree: int
    disagree: list[Difference]


def check_rows(rows: object, problems: Mapping[str, Problem]) -> RowsResult:
    """Solve each row `{problem, given, find, expect, within, source}` and compare.

    A row that cannot be solved disagrees, with the reason in `got`. Raises `DrillkitError` where
    `rows` is no list.
    """
    if not isinstance(rows, list):
        raise DrillkitError("`rows` is not a list", hint="write - {problem: …, given: {…}, …}")
    disagree: list[Difference] = []
    for number, row in enumerate(rows, 1):
        texts = row if isinstance(row, dict) else {}
        expect, name = str(texts.get("expect", "")), str(texts.get("problem", ""))
        try:
            got = _difference(texts, name, expect, problems)
        except DrillkitError as error:
            got = f"error: {error.what}"
        if got:
            disagree.append(Difference(row=number, problem=name, expect=expect, got=got))
    return RowsResult(rows=len(rows), agree=len(rows) - len(disagree), disagree=disagree)


def _difference(
    row: Mapping[str, object], name: str, expect: str, problems: Mapping[str, Problem]
) -> str:
    """What comes out where it differs, else nothing."""
    problem = problems.get(name.removeprefix("problems/"))
    if problem is None:
        raise DrillkitError(f"there is no problem {name!r}")
    given = row.get("given")
    if not isinstance(given, dict) or not expect:
        raise DrillkitError("a row needs `problem`, `given` and `expect`")
    family = family_of(problem)
    values = values_of(problem, {str(symbol): str(text) for symbol, text in given.items()})
    solution = solve_problem(problem, values, str(row.get("find", "") or ""))
    unit = family.units[solution.find]
    wanted = read_number(expect, unit)
    written = str(row.get("within", "") or problem.asked(solution.find).tolerance)
    within = max(tolerance(written), EXACT)
    if abs(solution.value - wanted) <= within * abs(wanted):
        return ""
    return answered(solution.value, unit, exact=False, within=Fraction(1, 1000))


def values_of(problem: Problem, texts: Mapping[str, str]) -> dict[str, Fraction]:
    """Return `{"P": "7e9", "M": "80 GB"}` in base units, bare numbers in the symbol's own unit.

    Raises `DrillkitError` for an unknown symbol or a value that cannot be read.
    """
    units = family_of(problem).units
    values: dict[str, Fraction] = {}
    for symbol, text in texts.items():
        if symbol not in units:
            known = ", ".join(units)
            raise DrillkitError(f"{problem.id} has no symbol {symbol!r}", hint=f"it has: {known}")
        values[symbol] = read_number(text, units[symbol])
    return values
