"""Formulas are equal when they agree at 8 points; sympy is the second opinion."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy

from drillkit.algebra.expression import (
    Binary,
    Call,
    Expression,
    Name,
    Negative,
    Number,
    evaluate,
)
from drillkit.algebra.format import write_expression
from drillkit.algebra.formula import parse_formula
from drillkit.numeric.formula_judge import FormulaQuestion, FormulaSlip, judge_formula

RANGES = {"p": (Fraction(2), Fraction(64)), "m": (Fraction(1), Fraction(256))}


def asked(truth: str, *slips: tuple[str, str]) -> FormulaQuestion:
    return FormulaQuestion(
        parse_formula(truth, RANGES),
        RANGES,
        tuple(FormulaSlip(name, parse_formula(text, RANGES)) for name, text in slips),
    )


def to_sympy(tree: Expression) -> sympy.Expr:
    """A sympy object built from our own tree, never from text."""
    match tree:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Name(name):
            return sympy.Symbol(name, positive=True)
        case Negative(term):
            return -to_sympy(term)
        case Binary(sign, left, right):
            one, two = to_sympy(left), to_sympy(right)
            return {
                "+": lambda: one + two,
                "-": lambda: one - two,
                "*": lambda: one * two,
                "/": lambda: one / two,
                "^": lambda: one**two,
            }[sign]()
        case Call("sqrt", (term,)):
            return sympy.sqrt(to_sympy(term))
    raise AssertionError(tree)


def grown(source: random.Random, depth: int) -> Expression:
    """A random formula in p and m."""
    if depth == 0 or source.random() < 0.2:
        return source.choice(
            [Name("p"), Name("m"), Number(Fraction(source.randint(1, 4))), Name("p"), Name("m")]
        )
    sign = source.choice("++--**/")
    return Binary(sign, grown(source, depth - 1), grown(source, depth - 1))


def reshaped(source: random.Random, tree: Expression) -> Expression:
    """The same formula written in another way: terms swapped, differences as sums."""
    if not isinstance(tree, Binary):
        return tree
    left, right = reshaped(source, tree.left), reshaped(source, tree.right)
    if tree.sign in "+*" and source.random() < 0.5:
        return Binary(tree.sign, right, left)
    if tree.sign == "-" and source.random() < 0.5:
        return Binary("+", Negative(right), left)
    if tree.sign == "/" and source.random() < 0.5:
        return Binary("*", left, Binary("^", right, Number(Fraction(-1))))
    return Binary(tree.sign, left, right)


def same_by_sympy(one: Expression, two: Expression) -> bool:
    try:
        return sympy.simplify(to_sympy(one) - to_sympy(two)) == 0
    except (TypeError, ValueError):
        return False


@pytest.mark.parametrize("seed", range(60))
def test_sympy_agrees_on_what_is_equal_and_what_is_not(seed):
    source = random.Random(seed)
    truth = grown(source, 3)
    typed = reshaped(source, truth) if seed % 2 else grown(source, 2)
    question = FormulaQuestion(truth, RANGES, generic=False)
    verdict = judge_formula(write_expression(typed), question)
    if verdict.kind in {"invalid", "rejected"}:
        # Zero everywhere or undefined everywhere: sympy says so as well.
        assert to_sympy(typed).has(sympy.zoo, sympy.nan) or to_sympy(truth).has(sympy.zoo)
        return
    assert verdict.right == same_by_sympy(truth, typed), write_expression(typed)


def test_an_undefined_point_never_counts_as_equal():
    assert judge_formula("1/(p-p)", asked("1/(p-1)")).kind == "invalid"
    assert judge_formula("sqrt(1-p)", asked("p")).kind == "invalid"


def test_a_point_where_only_some_are_defined_is_drawn_again():
    half = asked("sqrt(p-33)")
    assert judge_formula("(p-33)^0.5", half).kind == "correct"
    assert judge_formula("(p-33)", half).kind == "wrong"


def test_a_formula_that_only_looks_equal_is_wrong():
    assert judge_formula("(p-1)/(m+p-1) + 1e-9", asked("(p-1)/(m+p-1)")).kind == "wrong"


def test_slips_of_an_author_come_first_and_all_equal_ones_are_named():
    question = asked("2*p", ("half", "p"), ("one_phase", "2*p/2"))
    verdict = judge_formula("p", question)
    assert [slip.id for slip in verdict.slips] == ["half", "one_phase"]


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("1 - p/(m+p)", "complement"),
        ("(m+p)/p", "reciprocal"),
        ("-p/(m+p)", "sign"),
        ("2p/(m+p)", "factor_two"),
        ("p/(m+p)/2", "factor_two"),
        ("100*p/(m+p)", "percent"),
        ("8*p/(m+p)", "bits_bytes"),
        ("1e9*p/(m+p)", "prefix"),
    ],
)
def test_a_general_slip_in_a_formula_is_named(text, slip):
    assert judge_formula(text, asked("p/(m+p)")).id == f"misconception:{slip}"


def test_a_formula_with_a_unit_has_the_wrong_unit():
    assert judge_formula("p/(m+p) GB", asked("p/(m+p)")).kind == "wrong_unit"


@pytest.mark.parametrize("text", ["p*q", "pm", "lambda: p", "p.m", "p[0]", "S", "beta", "E", "N"])
def test_names_that_are_not_of_the_problem_are_invalid(text):
    assert judge_formula(text, asked("p*m")).kind == "invalid"


def test_sympys_own_names_are_plain_symbols_here():
    names = ["N", "S", "Q", "O", "I", "E", "beta", "gamma", "zeta"]
    ranges = {name: (Fraction(1), Fraction(9)) for name in names}
    question = FormulaQuestion(parse_formula("+".join(names), ranges), ranges)
    assert judge_formula("+".join(reversed(names)), question).kind == "correct"
    assert evaluate(question.truth, dict.fromkeys(names, Fraction(2))) == 18
