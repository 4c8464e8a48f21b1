"""Worked solutions: the unknown isolated by sympy, its steps with the numbers, rows of a table."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from families import FAMILIES, questions, read, shipped

from drillkit.algebra.expression import evaluate, names
from drillkit.algebra.formula import parse_equation, parse_formula
from drillkit.errors import DrillkitError, UsageError
from drillkit.numeric.rows import check_rows, values_of
from drillkit.numeric.sample import draw
from drillkit.numeric.solve import isolate
from drillkit.numeric.wording import written
from drillkit.numeric.worked import solve_problem, solve_variant

ZERO3 = FAMILIES["zero3"]


def value(text: str) -> Fraction:
    return Fraction(text)


# --- isolating -----------------------------------------------------------------------------------

ISOLATED = [
    ("M = 16*P/N", "N", "16·P/M"),
    ("M = 16*P/N", "P", "M·N/16"),
    ("M = 4*P + 12*P/N", "N", "12·P/(M − 4·P)"),
    ("M = 4*P + 12*P/N", "P", "M·N/(4·(N + 3))"),
    ("x = (p-1)/(m+p-1)", "m", "(p − 1)/x + 1 − p"),
    ("tau = sqrt(2*delta*M)", "delta", "τ²/(2·M)"),
    ("H = 6*P*D/(F*mfu)", "mfu", "6·P·D/(H·F)"),
    ("y = exp(a*x)", "x", "ln(y)/a"),
    ("y = log2(x) + a", "x", "2^(y − a)"),
    ("y = a - x", "x", "a − y"),
    ("y = a/x", "x", "a/y"),
    ("S = 2*E*I*N*Q", "E", "S/(2·I·N·Q)"),
    ("gamma = beta*zeta", "zeta", "γ/β"),
]


@pytest.mark.parametrize(("equation", "symbol", "formula"), ISOLATED)
def test_symbol_stands_alone_and_its_formula_fulfils_the_equation(equation, symbol, formula):
    """Also for names that sympy has a meaning of its own for: E, I, N, Q, S, beta, gamma, zeta."""
    tree = parse_equation(equation)
    roots = isolate(tree, symbol)
    random = Random(3)
    assert len(roots) == 1
    symbols = names(tree.left) | names(tree.right) | {"E", "I", "N", "Q"}
    known = {name: Fraction(random.randint(2, 9)) for name in sorted(symbols)}
    known |= {"gamma": Fraction(5), "M": Fraction(999), "x": Fraction(1, 7)}
    known[symbol] = evaluate(roots[0], known)
    left, right = (float(evaluate(side, known)) for side in tree)
    assert math.isclose(left, right, rel_tol=1e-9)
    # Of terms that are equal, sympy may choose another order; the value is what counts.
    assert math.isclose(
        float(evaluate(parse_formula(formula), known)), float(known[symbol]), rel_tol=1e-9
    )


@pytest.mark.parametrize(
    ("equation", "symbol", "formula"),
    [one for one in ISOLATED if one[1] in {"N", "mfu", "delta"}],
)
def test_formula_keeps_the_order_of_its_author(equation, symbol, formula):
    (root,) = isolate(parse_equation(equation), symbol)
    assert written(root) == formula


def test_quadratic_has_two_branches_and_the_one_in_range_is_taken():
    family = read(
        "problems:\n  - {id: x, title: t, given: {a: {from: [6]}, b: {range: [4, 9], step: 1}},"
        ' equations: ["b*b - 9*b + 3*a = 0"], find: {b: {within: exact, ask: "{a}?"}}}'
    )["x"]
    assert len(isolate(parse_equation("b*b - 9*b + 3*a = 0"), "b")) == 2
    variant = draw(family, 1)
    assert variant.truth == 6
    assert solve_variant(variant).value == 6


@pytest.mark.parametrize(
    ("equation", "symbol"),
    [
        ("y = ceil(x)", "x"),
        ("y = min(x, a)", "x"),
        ("x**5 + x = y", "x"),
        ("y = x + ln(x)", "x"),
        ("y = (x + a)**64 + x", "x"),
        ("y = " + "+".join(f"1/(x + {n})" for n in range(7)), "x"),
    ],
)
def test_what_cannot_be_isolated_is_told_at_once(equation, symbol):
    with pytest.raises(DrillkitError, match="cannot be isolated"):
        isolate(parse_equation(equation), symbol)


def test_parts_without_the_unknown_are_never_multiplied_out():
    tree = parse_equation("y = x*(a + b + c + d + e)**64 + x*(f + g + h)**63")
    (root,) = isolate(tree, "x")
    known = {name: Fraction(1) for name in "yabcdefgh"}
    assert evaluate(root, known) == 1 / Fraction(5**64 + 3**63)


# --- steps ---------------------------------------------------------------------------------------


def test_steps_of_a_defined_symbol_are_its_equation_with_the_numbers():
    solution = solve_problem(ZERO3, {"P": value("7e9"), "N": value("64")})
    assert (solution.find, solution.value, solution.text) == ("M", 1_750_000_000, "1.75 GB")
    assert solution.steps == ["M = 16·P/N", "  = 16·7×10⁹/64", "  = 1.75×10⁹ B = 1.75 GB"]


def test_steps_of_a_turned_equation_begin_with_it_and_round_as_asked():
    solution = solve_problem(ZERO3, {"P": value("70e9"), "M": value("24e9")})
    assert (solution.value, solution.text, solution.formula) == (47, "47 GPUs", "16·P/M")
    assert solution.steps == [
        "M = 16·P/N, so",
        "N = 16·P/M",
        "  = 16·7×10¹⁰/(2.4×10¹⁰)",
        "  = 46.67 GPUs, rounded up: 47 GPUs",
    ]


def test_steps_show_the_figures_that_rounding_takes_away():
    """1,772.96 GPUs to four figures would read 1,773, rounded up to 1,773."""
    solution = solve_problem(ZERO3, {"P": value("70e9"), "M": Fraction(112 * 10**12, 177296)})
    assert solution.steps[-1] == "  = 1,772.96 GPUs, rounded up: 1,773 GPUs"


def test_dollars_stand_before_their_number_in_the_steps():
    family = read(
        """\
problems:
  - id: x
    title: t
    given:
      H: {unit: GPU-hours, from: [248450, 1503500]}
      c: {unit: $/GPU-hour, from: [2]}
    equations: ["K = H*c"]
    find: {K: {unit: $, ask: "{H} at {c}?"}}
"""
    )["x"]
    for hours, told in (("248450", "$496,900"), ("1503500", "$3,007,000")):
        solution = solve_problem(family, values_of(family, {"H": hours, "c": "2"}))
        assert solution.steps[-1] == f"  = {told}"
        assert solution.text == told


def test_steps_go_through_what_lies_between():
    given = {"P": "7e9", "D": "1T", "mfu": "40", "F": "989", "N": "512"}
    solution = solve_problem(FAMILIES["hours"], values_of(FAMILIES["hours"], given), "T")
    assert [line.symbol for line in solution.lines] == ["H", "T"]
    assert solution.text == "2.4 days"


def test_value_goes_back_through_what_lies_between():
    given = {"T": "30 days", "D": "1T", "mfu": "40", "F": "989", "N": "512", "P": "7e9"}
    given.pop("mfu")
    solution = solve_problem(FAMILIES["hours"], values_of(FAMILIES["hours"], given), "mfu")
    assert [line.symbol for line in solution.lines] == ["H", "mfu"]
    assert math.isclose(
        float(solution.value), 6 * 7e9 * 1e12 / (989e12 * 512 * 30 * 86_400), rel_tol=1e-9
    )


def test_fit_is_told_as_yes_or_no():
    given = values_of(FAMILIES["fit"], {"P": "13e9", "N": "8", "A": "28", "C": "80 GB"})
    assert solve_problem(FAMILIES["fit"], given).text == "yes, 26 GB to spare"
    given["C"] = value("40e9")
    assert solve_problem(FAMILIES["fit"], given).text == "no, 14 GB too much"


@pytest.mark.parametrize(("name", "find"), questions())
def test_sympy_and_the_exact_arithmetic_of_the_draw_agree(name, find):
    for seed in range(15):
        variant = draw(FAMILIES[name], seed, find)
        solution = solve_variant(variant)
        assert solution.value == variant.question.target
        assert solution.text == variant.answer
        formula = parse_formula(solution.formula)
        worked = {**variant.values, **variant.worked}
        assert math.isclose(float(evaluate(formula, worked)), float(variant.truth), rel_tol=1e-9)


@pytest.mark.parametrize(("name", "family"), shipped().items(), ids=shipped())
def test_shipped_family_is_solved_for_each_question(name, family):
    for find in family.find:
        variant = draw(family, 2, find.symbol)
        assert solve_variant(variant).text == variant.answer


# --- numbers of one's own ------------------------------------------------------------------------


def test_missing_number_is_told():
    with pytest.raises(UsageError, match="does not follow") as caught:
        solve_problem(ZERO3, {"P": value("7e9")}, "M")
    assert caught.value.hint == "give N=…"


def test_symbol_that_is_not_asked_for_is_told():
    with pytest.raises(UsageError, match="does not ask for 'Q'"):
        solve_problem(ZERO3, {}, "Q")
    with pytest.raises(DrillkitError, match="no symbol 'Q'"):
        values_of(ZERO3, {"Q": "1"})


def test_numbers_without_a_solution_end_with_a_reason():
    assert solve_problem(ZERO3, values_of(ZERO3, {"P": "0", "N": "8"}), "M").value == 0
    with pytest.raises(DrillkitError, match="has no value here: there is a division by zero"):
        solve_problem(ZERO3, values_of(ZERO3, {"P": "7e9", "N": "0"}), "M")


def test_negative_result_is_no_solution_unless_it_may_be_one():
    text = (
        "problems:\n  - {id: x, title: t, given: {a: {from: [1]}, b: {from: [2]}},"
        ' equations: [c = a - b], find: {c: {NEGATIVEask: "{a} {b}?"}}}'
    )
    given = {"a": Fraction(1), "b": Fraction(2)}
    with pytest.raises(DrillkitError, match="c comes out as −1: these numbers have no solution"):
        solve_problem(read(text.replace("NEGATIVE", ""))["x"], given)
    assert solve_problem(read(text.replace("NEGATIVE", "negative: yes, "))["x"], given).value == -1


def test_nothing_to_find_is_told():
    given = values_of(ZERO3, {"P": "7e9", "N": "8", "M": "14"})
    with pytest.raises(UsageError, match="every symbol has a value"):
        solve_problem(ZERO3, given)
    assert solve_problem(ZERO3, given, "N").value == 8


def test_values_are_read_with_their_units():
    assert values_of(ZERO3, {"P": "7B", "M": "80GB", "N": "8"}) == {
        "P": 7 * 10**9,
        "M": 80 * 10**9,
        "N": 8,
    }
    assert values_of(ZERO3, {"M": "10"}) == {"M": 10**10}


# --- a table -------------------------------------------------------------------------------------


def row(**changes: object) -> dict[str, object]:
    base = {"problem": "zero3", "given": {"P": "7.5e9", "N": "64"}, "find": "M"}
    return base | {"expect": "1.9 GB", "within": "2%"} | changes


def test_rows_that_come_out_agree():
    rows = [row(), row(problem="problems/zero3", find=""), row(expect="1.875", within="exact")]
    assert check_rows(rows, FAMILIES) == {"rows": 3, "agree": 3, "disagree": []}


@pytest.mark.parametrize(
    ("changes", "got"),
    [
        ({"expect": "2.1 GB"}, "1.875 GB"),
        ({"problem": "nowhere"}, "error: there is no problem 'nowhere'"),
        ({"given": {"Q": "1"}}, "error: zero3 has no symbol 'Q'"),
        ({"given": "P=7"}, "error: a row needs `problem`, `given` and `expect`"),
        ({"expect": ""}, "error: a row needs `problem`, `given` and `expect`"),
        ({"given": {"P": "1"}}, "error: M does not follow from these numbers"),
    ],
)
def test_row_that_does_not_come_out_is_told(changes, got):
    result = check_rows([row(), row(**changes)], FAMILIES)
    assert (result["rows"], result["agree"]) == (2, 1)
    (difference,) = result["disagree"]
    assert (difference["row"], difference["got"]) == (2, got)


def test_rows_that_are_no_rows_are_told():
    assert check_rows(["text", ["list"]], FAMILIES)["agree"] == 0
    with pytest.raises(DrillkitError, match="not a list"):
        check_rows({"a": "b"}, FAMILIES)
