"""Tables of typed answers with the verdict each must get: `drillkit judge --table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypedDict

from drillkit.algebra.answer import parse_unit
from drillkit.algebra.formula import parse_formula
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import Dimension, Unit
from drillkit.errors import DrillkitError
from drillkit.numeric.formula_judge import FormulaQuestion, FormulaSlip, judge_formula
from drillkit.numeric.judge import Question, Rounding, Slip, judge

if TYPE_CHECKING:
    from drillkit.numeric.verdict import Verdict


class Disagreement(TypedDict):
    """A row whose verdict is another one: rows are counted from 1."""

    row: int
    problem: str
    input: str
    expect: str
    got: str
    reading: str


class TableResult(TypedDict):
    """How many rows there are, how many agree, and those that do not."""

    rows: int
    agree: int
    disagree: list[Disagreement]


def judge_table(table: Mapping[str, object]) -> TableResult:
    """Judge each row of `answers` against its problem; raises DrillkitError for a malformed table.

    `table` holds `problems` (by name: truth, unit, unit_factor, dims, rtol, round, misconceptions,
    params; or truth and symbols for a formula) and `answers` (problem, input, verdict). Scalars may
    be texts or numbers.
    """
    problems = table_questions(table)
    disagree: list[Disagreement] = []
    answers = _sequence(table.get("answers"), "answers")
    for number, answer in enumerate(answers, start=1):
        row = _mapping(answer, f"answer {number}")
        name, text = str(row.get("problem", "")), str(row.get("input", ""))
        if name not in problems:
            raise DrillkitError(f"answer {number} names the problem {name!r}, which is not there")
        verdict = judged(text, problems[name])
        expect = str(row.get("verdict", ""))
        if not agrees(verdict, expect):
            disagree.append(
                Disagreement(
                    row=number,
                    problem=name,
                    input=text,
                    expect=expect,
                    got=verdict.id,
                    reading=verdict.reading,
                )
            )
    return TableResult(rows=len(answers), agree=len(answers) - len(disagree), disagree=disagree)


def judged(text: str, question: Question | FormulaQuestion) -> Verdict:
    """The verdict on a number or on a formula."""
    if isinstance(question, FormulaQuestion):
        return judge_formula(text, question)
    return judge(text, question)


def agrees(verdict: Verdict, expect: str) -> bool:
    """Whether a verdict is the one expected; any of several slips with one number will do."""
    kind, _, slip = expect.partition(":")
    if kind == "misconception" and verdict.kind == "misconception":
        return slip in {named.id for named in verdict.slips}
    return verdict.id == expect


def table_questions(table: Mapping[str, object]) -> dict[str, Question | FormulaQuestion]:
    """The questions of a table by name; raises DrillkitError for a malformed one."""
    problems = _mapping(table.get("problems"), "problems")
    return {
        str(name): _problem(str(name), _mapping(problem, f"problem {name}"))
        for name, problem in problems.items()
    }


def _problem(name: str, problem: Mapping[str, object]) -> Question | FormulaQuestion:
    try:
        if "symbols" in problem:
            return _formula_question(problem)
        return Question(
            truth=_number(problem.get("truth", "0")),
            unit=_unit(problem),
            within=_number(problem.get("rtol", "0.01")),
            slips=tuple(
                Slip(str(one.get("id")), _number(one.get("value")), str(one.get("why", "")))
                for one in _slips(problem)
            ),
            rounding=_rounding(problem),
            values={
                str(symbol): _number(value)
                for symbol, value in _mapping(problem.get("params", {}), "params").items()
            },
        )
    except (ValueError, ZeroDivisionError, UnreadableError) as error:
        raise DrillkitError(
            f"problem {name}: {error}", hint="numbers are texts such as 3/11"
        ) from error


def _rounding(problem: Mapping[str, object]) -> Rounding:
    match str(problem.get("round", "")):
        case "" | "up" | "down" | "nearest" as way:
            return way
        case other:
            raise DrillkitError(f"round is {other!r}", hint="write up, down or nearest")


def _formula_question(problem: Mapping[str, object]) -> FormulaQuestion:
    ranges: dict[str, tuple[Fraction, Fraction]] = {}
    for symbol, bounds in _mapping(problem["symbols"], "symbols").items():
        low, high = _sequence(bounds, f"range of {symbol}")
        ranges[str(symbol)] = (_number(low), _number(high))
    return FormulaQuestion(
        truth=parse_formula(str(problem.get("truth", "")), ranges),
        ranges=ranges,
        slips=tuple(
            FormulaSlip(
                str(one.get("id")),
                parse_formula(str(one.get("value")), ranges),
                str(one.get("why", "")),
            )
            for one in _slips(problem)
        ),
    )


def _slips(problem: Mapping[str, object]) -> list[Mapping[str, object]]:
    found = _sequence(problem.get("misconceptions", ()), "misconceptions")
    return [_mapping(one, "a misconception") for one in found]


def _unit(problem: Mapping[str, object]) -> Unit:
    """The unit by its name; a name that the reader lacks is made of its factor and dimension."""
    text = str(problem.get("unit", ""))
    dims = _mapping(problem.get("dims", {}), "dims")
    dimension: Dimension = tuple(
        sorted((str(name), int(str(power))) for name, power in dims.items())
    )
    factor = _number(problem.get("unit_factor", "1"))
    try:
        known = parse_unit(text)
    except UnreadableError:
        return Unit(text, factor, dimension)
    same = known.factor == factor and known.dimension == dimension
    return known if same or "unit_factor" not in problem else Unit(text, factor, dimension)


def _number(value: object) -> Fraction:
    return Fraction(str(value).strip())


def _mapping(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise DrillkitError(f"{what} is not a mapping", hint="see the form of a table of answers")
    return value


def _sequence(value: object, what: str) -> Sequence[object]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise DrillkitError(f"{what} is not a list", hint="see the form of a table of answers")
    return value
