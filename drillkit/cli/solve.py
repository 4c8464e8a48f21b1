"""Numeric problems from the command line: variant, solve, judge."""

from __future__ import annotations

import secrets
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drillkit.cli.console import answer, say
from drillkit.cli.options import Json
from drillkit.errors import UsageError
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from drillkit.algebra.units import Unit
    from drillkit.content.problem import Problem
    from drillkit.numeric.rows import RowsResult
    from drillkit.numeric.table import TableResult
    from drillkit.numeric.variant import Variant
    from drillkit.numeric.verdict import Verdict
    from drillkit.numeric.worked import Solution

Name = Annotated[str, typer.Argument(help="The id of a problem family.")]
FindOption = Annotated[str, typer.Option(help="The symbol that is asked for.")]
TableOption = Annotated[
    Path | None, typer.Option(help="Check every row of this file instead.", dir_okay=False)
]
LARGEST_SEED = 10**9
LARGEST_WHOLE = 2**53


def variant(
    context: typer.Context,
    problem: Name,
    find: FindOption = "",
    seed: Annotated[int | None, typer.Option(help="The same seed, the same numbers.")] = None,
    as_json: Json = False,
) -> None:
    """Draw one variant of a problem, with its answer, steps and named mistakes."""
    from drillkit.numeric.sample import draw  # noqa: PLC0415 a review needs no problems
    from drillkit.numeric.worked import solve_variant  # noqa: PLC0415

    chosen = secrets.randbelow(LARGEST_SEED) if seed is None else seed
    drawn = draw(_family(context.obj, problem), chosen, find)
    solution = solve_variant(drawn)
    if as_json:
        answer(_variant_document(drawn, solution, chosen))
        return
    say(drawn.ask)
    say(f"seed {chosen}, find {drawn.find.symbol}")
    say("")
    _say_solution(solution)
    for slip in drawn.question.slips:
        text = _text(slip.value, drawn)
        say(f"not {text} ({slip.id}): {slip.says}")


def _variant_document(drawn: Variant, solution: Solution, seed: int) -> dict[str, object]:
    return {
        "problem": drawn.problem.id,
        "find": drawn.find.symbol,
        "seed": seed,
        "ask": drawn.ask,
        "given": {
            one.symbol: {"value": _number(one.value), "unit": one.unit.text, "text": one.text}
            for one in drawn.stated
        },
        "presets": dict(drawn.presets),
        "answer": {
            "value": _number(solution.value),
            "unit": solution.unit.text,
            "text": solution.text,
        },
        "within": drawn.find.tolerance,
        "formula": solution.formula,
        "steps": solution.steps,
        "hints": list(drawn.hints),
        "slips": [
            {
                "id": slip.id,
                "value": _number(slip.value),
                "text": _text(slip.value, drawn),
                "says": slip.says,
            }
            for slip in drawn.question.slips
        ],
    }


def solve(
    context: typer.Context,
    problem: Annotated[str, typer.Argument(help="The id of a problem family.")] = "",
    values: Annotated[list[str] | None, typer.Argument(help="sym=value ...")] = None,
    find: FindOption = "",
    table: TableOption = None,
    as_json: Json = False,
) -> int:
    """Solve a problem for numbers of your own: `drillkit solve zero3-memory P=7e9 N=64`."""
    workspace: Workspace = context.obj
    if table is not None:
        from drillkit.content.table import read_table  # noqa: PLC0415 a review needs no tables
        from drillkit.numeric.rows import check_rows  # noqa: PLC0415

        rows = read_table(table, "rows").get("rows", [])
        return _say_table(check_rows(rows, workspace.library().problems), as_json=as_json)
    from drillkit.numeric.rows import values_of  # noqa: PLC0415 a review needs no problems
    from drillkit.numeric.worked import solve_problem  # noqa: PLC0415

    if not problem:
        raise UsageError("no problem is named", hint="drillkit solve zero3-memory P=7e9 N=64")
    family = _family(workspace, problem)
    texts: dict[str, str] = {}
    for pair in values or ():
        symbol, equals, text = pair.partition("=")
        if not equals:
            raise UsageError(f"{pair!r} is no value", hint="write symbol=value: P=7e9 M=80GB")
        texts[symbol.strip()] = text
    solution = solve_problem(family, values_of(family, texts), find)
    if as_json:
        answer(
            {
                "find": solution.find,
                "value": _number(solution.value),
                "unit": solution.unit.text,
                "text": solution.text,
                "formula": solution.formula,
                "steps": solution.steps,
            }
        )
    else:
        _say_solution(solution)
    return 0


def judge(
    text: Annotated[str, typer.Argument(help="An answer, as typed.")] = "",
    truth: Annotated[str, typer.Option(help="The right value with its unit.")] = "",
    within: Annotated[str, typer.Option(help="The relative tolerance, or exact.")] = "1%",
    unit: Annotated[str, typer.Option(help="The unit asked for; else that of the truth.")] = "",
    table: TableOption = None,
    as_json: Json = False,
) -> int:
    """Judge a typed answer against the truth."""
    if table is not None:
        from drillkit.content.table import read_table  # noqa: PLC0415 a review needs no tables
        from drillkit.numeric.table import judge_table  # noqa: PLC0415

        return _say_table(judge_table(read_table(table, "answers")), as_json=as_json)
    from drillkit.numeric.judge import judge as judged  # noqa: PLC0415 a review needs no judge
    from drillkit.numeric.judge import question_of  # noqa: PLC0415

    if not truth:
        raise UsageError("no truth is given", hint='drillkit judge "104.3 GiB" --truth "112 GB"')
    verdict = judged(text, question_of(truth, within, unit))
    if as_json:
        answer(_verdict_document(verdict))
    else:
        say(verdict.id)
        for line in (verdict.reading, verdict.note, *(named.says for named in verdict.slips)):
            if line:
                say(f"  {line}")
    return 0


def _verdict_document(verdict: Verdict) -> dict[str, object]:
    first = verdict.slips[0] if verdict.slips else None
    return {
        "verdict": verdict.id,
        "reading": verdict.reading,
        "note": verdict.note,
        "slip": first.id if first else None,
        "says": first.says if first else "",
        "distance": verdict.distance,
    }


def _say_table(result: RowsResult | TableResult, *, as_json: bool) -> int:
    if as_json:
        answer(result)
    else:
        for one in result["disagree"]:
            say(f"row {one['row']}, {one['problem']}: expected {one['expect']}, got {one['got']}")
        say(f"{result['agree']:,} of {result['rows']:,} rows agree")
    return 1 if result["disagree"] else 0


def _say_solution(solution: Solution) -> None:
    for line in solution.steps:
        say(line)
    say(f"{solution.find}: {solution.text}")


def _family(workspace: Workspace, name: str) -> Problem:
    problems = workspace.library().problems
    problem = problems.get(name.removeprefix("problems/"))
    if problem is None:
        from drillkit.content.schema import nearest  # noqa: PLC0415 only for the hint

        near = nearest(name, problems)
        hint = f"did you mean {near}?" if near else "`drillkit check` lists what cannot be read"
        raise UsageError(f"there is no problem {name!r}", hint=hint)
    return problem


def _text(value: Fraction, drawn: Variant) -> str:
    from drillkit.numeric.wording import answered  # noqa: PLC0415 as above

    unit: Unit = drawn.asking.unit
    exact = drawn.asking.exact and (value / unit.factor).denominator == 1
    return answered(value, unit, exact=exact, within=drawn.asking.within or Fraction(1, 100))


def _number(value: Fraction) -> int | float:
    # Whole numbers past this are no longer exact in every reader of JSON.
    whole = value.denominator == 1 and abs(value) <= LARGEST_WHOLE
    return value.numerator if whole else float(value)
