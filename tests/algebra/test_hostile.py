"""No text harms the reader: no exception, no hang, no growth; and no text is ever run as code."""

from __future__ import annotations

import ast
import tracemalloc
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest
from hostile_texts import ATTACKS, texts

import drillkit
from drillkit.algebra.answer import parse_unit, read_answer, read_value
from drillkit.algebra.formula import parse_condition, parse_equation, parse_formula
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.ways import MOST_STEPS
from drillkit.numeric.formula_judge import FormulaQuestion, judge_formula
from drillkit.numeric.judge import Question, Slip, judge_reading

OUTCOMES = {"value", "unclear", "invalid", "rejected", "wrong_unit"}
VALUES = {"p": Fraction(4), "m": Fraction(8), "s": Fraction(4096), "B": Fraction(32)}
QUESTIONS = [
    Question(Fraction(112 * 10**9), parse_unit("GB"), slips=(Slip("half", Fraction(56 * 10**9)),)),
    Question(Fraction(3, 11), parse_unit("%"), values=VALUES),
    Question(Fraction(848), parse_unit("min"), values=VALUES),
    Question(Fraction(4375000000, 13), parse_unit("GPU-hours")),
    Question(Fraction(400 * 10**9), parse_unit("GB/s"), values=VALUES),
    Question(Fraction(7 * 10**9), parse_unit("params")),
    Question(Fraction(3, 2), values=VALUES),
]
FORMULA = FormulaQuestion(
    parse_formula("(p-1)/(m+p-1)"),
    {"p": (Fraction(2), Fraction(64)), "m": (Fraction(1), Fraction(256))},
)


def attack(text: str, number: int) -> int:
    """Read and judge a text in every way; the steps that reading took."""
    question = QUESTIONS[number % len(QUESTIONS)]
    reading = read_answer(text, question.unit, values=question.values)
    assert reading.outcome in OUTCOMES
    assert 0 < len(reading.message) < 600
    assert judge_reading(reading, question).reading
    if number % 5 == 0:
        assert judge_formula(text, FORMULA).reading
    if number % 7 == 0:
        for read in (read_value, parse_formula, parse_condition, parse_equation):
            with suppress(UnreadableError):
                read(text)
    return reading.steps


def run(count: int, seed: int) -> None:
    for number, text in enumerate(texts(count, seed)):
        assert attack(text, number) <= MOST_STEPS, text


def test_twenty_thousand_hostile_texts_do_no_harm():
    run(20_000, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "quarter", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 3))]
)
def test_a_million_hostile_texts_do_no_harm(quarter):
    run(250_000, seed=10 + quarter)


@pytest.mark.parametrize("text", ATTACKS, ids=lambda text: text[:30].encode("unicode_escape"))
def test_an_attack_is_refused_or_read_in_bounded_steps(text):
    for number in range(len(QUESTIONS) * 5):
        assert attack(text, number) <= MOST_STEPS


def test_memory_does_not_grow():
    run(300, seed=3)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    run(1000, seed=4)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 400_000
    assert peak - before < 8_000_000


FORBIDDEN = {"eval", "exec", "sympify", "parse_expr", "parse_latex", "literal_eval"}


def forbidden_uses(tree: ast.AST) -> list[str]:
    """The calls and imports in a source that would run text as code."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            called = name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")
            if called in FORBIDDEN or (called == "compile" and isinstance(name, ast.Name)):
                found.append(f"{called} on line {node.lineno}")
        if isinstance(node, ast.ImportFrom | ast.Import):
            found += [alias.name for alias in node.names if alias.name in FORBIDDEN]
    return found


def test_no_text_is_run_as_code_anywhere_in_drillkit():
    root = Path(drillkit.__file__).parent
    sources = sorted(root.rglob("*.py"))
    assert len(sources) > 10
    for path in sources:
        uses = forbidden_uses(ast.parse(path.read_text(encoding="utf-8")))
        assert uses == [], f"{path.relative_to(root)}: {uses}"


@pytest.mark.parametrize(
    "source",
    ["eval('1')", "exec(text)", "sympy.sympify(x)", "from sympy import parse_expr", "compile(a)"],
)
def test_the_search_for_such_calls_finds_them(source):
    assert forbidden_uses(ast.parse(source))
