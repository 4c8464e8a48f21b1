"""Numeric problems: drawing, judging, solving, proving; beside pint and sympy on the same texts."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pint
from bench_table import Row, Sizes, in_turn, timed
from sympy.parsing.sympy_parser import parse_expr

from drillkit.algebra.answer import read_answer
from drillkit.algebra.formula import parse_formula
from drillkit.authoring.proofs import prove
from drillkit.content.problem_reading import read_problems
from drillkit.numeric.fit import judge_variant
from drillkit.numeric.sample import draw
from drillkit.numeric.worked import solve_variant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.content.problem import Problem
    from drillkit.content.text import Mapping

NUMERIC = Path(__file__).parents[2] / "problems" / "numeric"


def rows(_folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure on the families that are shipped, within this process."""
    families = list(_families())
    count = len(families) if sizes.ratings >= Sizes.ratings else 1
    seeds = range(max(sizes.ratings // 20, 1))
    drawn = []
    times: list[float] = []
    for problem, _, _ in families[: max(count, 1)]:
        for find in problem.find:
            draw(problem, 0, find.symbol)
            times += [
                timed(lambda p=problem, s=seed, f=find.symbol: draw(p, s, f).ask) for seed in seeds
            ]
            drawn.append(draw(problem, 1, find.symbol))
    yield Row(f"drawing a variant, of {len(drawn)} questions", median(times), "ms", None, 2)
    judged = [timed(lambda v=variant: judge_variant(v.answer, v)) for variant in drawn]
    yield Row("reading and judging a right answer", median(judged), "ms", None, 1)
    solved = [timed(lambda v=variant: solve_variant(v)) for variant in drawn]
    yield Row("solving a variant with sympy loaded", median(solved), "ms")
    yield from _beside_others(sizes)
    proof = timed(lambda: [prove(*family) for family in families[:count]])
    yield Row(f"proving {count} families", proof / 1000, "s", None, 20)


def _families() -> Iterator[tuple[Problem, Mapping, str]]:
    for path in sorted(NUMERIC.glob("*.yaml")):
        for problem, node in read_problems(path.read_bytes(), str(path)).nodes:
            yield problem, node, str(path)


def _beside_others(sizes: Sizes) -> Iterator[Row]:
    registry = pint.UnitRegistry()
    values = ("112 GB", "50 GB/s", "9.35e4 hour", "3.35 TB/s")
    # Not with N or S, which sympy takes for functions of its own.
    formulas = ("(p-1)/(m+p-1)", "16*P/n", "2*(n-1)/n*s/b", "s*b*h*(34 + 5*a*s/h)")
    ours, theirs = in_turn(
        sizes.readings,
        lambda: timed(lambda: [read_answer(text, text.split()[1]) for text in values]),
        lambda: timed(lambda: [registry.Quantity(text) for text in values]),
    )
    yield Row("reading an answer / pint", ours / len(values), "ms", theirs / len(values), 1)
    ours, theirs = in_turn(
        sizes.readings,
        lambda: timed(lambda: [parse_formula(text) for text in formulas]),
        lambda: timed(lambda: [parse_expr(text) for text in formulas]),
    )
    yield Row("parsing a formula / sympy", ours / len(formulas), "ms", theirs / len(formulas), 1)
