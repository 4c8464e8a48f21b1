"""Drawing: the same seed gives the same numbers, conditions hold, mistakes can be told apart."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from families import FAMILIES, ROOT, questions, read, shipped

from drillkit.algebra.answer import parse_unit, read_answer
from drillkit.algebra.expression import evaluate, names
from drillkit.algebra.formula import parse_formula
from drillkit.errors import DrillkitError, UsageError
from drillkit.numeric.family import family_of
from drillkit.numeric.fit import judge_variant
from drillkit.numeric.sample import draw
from drillkit.numeric.wording import answered, exact_number, number_text, shown

if TYPE_CHECKING:
    from drillkit.numeric.variant import Variant

QUESTIONS = questions()


def drawn(name: str, find: str, count: int = 60) -> list[Variant]:
    return [draw(FAMILIES[name], seed, find) for seed in range(count)]


# --- seeds ---------------------------------------------------------------------------------------

GOLDEN = {
    ("zero3", "M", 0): "A model of 30B parameters on 64 GPUs: GB a GPU?",
    ("zero3", "N", 1): "A model of 30B parameters, 24 GB a GPU: GPUs?",
    ("bubble", "m", 2): "16 stages idle 42.9 %: micro-batches?",
    ("young", "tau", 3): "15 s, 4 h: interval?",
    ("hours", "T", 4): "7B, 15T, A100 80GB SXM, 40 %, 1,024 GPUs: days?",
}


@pytest.mark.parametrize(("name", "find", "seed"), GOLDEN)
def test_seed_gives_these_numbers_for_ever(name, find, seed):
    assert draw(FAMILIES[name], seed, find).ask == GOLDEN[name, find, seed]


def test_seed_does_not_hang_on_the_process(tmp_path):
    """Python hashes texts differently in each process; a seed does not care."""
    script = (
        "import sys; sys.path.insert(0, 'tests/numeric')\n"
        "from families import FAMILIES\n"
        "from drillkit.numeric.sample import draw\n"
        "print([draw(f, s).ask for f in FAMILIES.values() for s in range(9)])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(told) == 1


def test_other_seeds_give_other_numbers_and_texts_are_seeds_as_well():
    asks = {draw(FAMILIES["hours"], seed, "T").ask for seed in range(40)}
    assert len(asks) > 20
    assert draw(FAMILIES["hours"], "problems/hours 3").ask
    assert draw(FAMILIES["hours"], 7).ask == draw(FAMILIES["hours"], "7").ask


def test_without_a_symbol_the_seed_chooses_what_is_asked():
    assert {draw(FAMILIES["zero3"], seed).find.symbol for seed in range(40)} == {"M", "N", "P"}
    chosen = draw(FAMILIES["zero3"], 5)
    assert draw(FAMILIES["zero3"], 5, chosen.find.symbol).ask == chosen.ask


def test_drawing_needs_no_sympy():
    script = (
        "import sys; sys.path.insert(0, 'tests/numeric')\n"
        "from families import FAMILIES\n"
        "from drillkit.numeric.sample import draw\n"
        "[draw(f, 1, q.symbol).answer for f in FAMILIES.values() for q in f.find]\n"
        "sys.exit('sympy' in sys.modules or 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0


# --- what is drawn -------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "find"), QUESTIONS)
def test_truth_follows_from_what_is_shown(name, find):
    """Each stated value is read back from its text, and the equations give the truth of it."""
    family = family_of(FAMILIES[name])
    for variant in drawn(name, find):
        for one in variant.stated:
            reading = read_answer(one.text, one.unit)
            assert reading.ok
            values = {reading.quantity.value, *(other.value for other in reading.others)}
            assert one.value in values
        known = {**variant.values, **variant.worked, variant.find.symbol: variant.truth}
        for equation in family.equations:
            if names(equation) - known.keys():
                continue
            left, right = (evaluate(side, known) for side in equation)
            assert abs(left - right) <= abs(right) / 10**9


def test_conditions_hold():
    for variant in drawn("zero3", "M"):
        assert 1e9 < variant.truth < 200e9
    for variant in drawn("bubble", "x"):
        assert variant.values["p"] <= variant.values["m"] <= 4 * variant.values["p"]


def test_unknown_is_not_drawn_unless_something_stated_follows_from_it():
    assert {s for v in drawn("zero3", "N") for s in v.values} == {"P", "M"}
    for variant in drawn("bubble", "m"):
        assert set(variant.values) == {"p", "x"}
        # x was worked out of an m, rounded to three figures, and m comes from what is shown.
        assert variant.values["x"] * 1000 == int(variant.values["x"] * 1000)


def test_unknown_stays_near_its_own_range():
    for variant in drawn("zero3", "P"):
        assert 0.65e9 <= variant.truth <= 140e9


def test_preset_fills_its_symbols_and_names_itself():
    names = {variant.presets["gpu"]: variant.values["F"] for variant in drawn("hours", "T")}
    assert names == {"A100 80GB SXM": 312 * 10**12, "H100 SXM": 989 * 10**12}


def test_condition_may_ask_about_anything_that_a_drawn_preset_fills():
    """The memory of the GPU is no part of the answer, yet the model has to fit."""
    text = """\
problems:
  - id: x
    title: t
    given:
      P: {unit: params, from: [7e9, 13e9, 30e9, 70e9]}
      BW: {unit: TB/s}
      C: {unit: GB}
    presets: {gpu: [a100, h200]}
    where: [2*P < C]
    equations: ["T = 2*P/BW"]
    find: {T: {unit: ms, ask: "{P} parameters on {gpu} ({BW})?"}}
"""
    variants = [draw(read(text)["x"], seed) for seed in range(40)]
    assert all(2 * one.values["P"] < one.values["C"] for one in variants)


CHAIN = """\
problems:
  - id: x
    title: t
    given:
      b: {unit: sequences, from: [1, 2, 4]}
      s: {unit: tokens, powers_of_2: [1024, 8192]}
      N: {unit: GPUs, powers_of_2: [8, 64]}
      D: {unit: tokens, from: [1e9, 3e9, 5e9]}
      B: {unit: tokens, powers_of_2: [16384, 1048576]}
    where: [B < 3e6]
    equations: ["B = b*s*N", "n = D/B"]
    find:
      n: {unit: steps, ask: "{D} tokens, {b} sequences of {s} on each of {N} GPUs?"}
      D: {unit: tokens, ask: "{n} steps of {B} tokens?"}
"""


def test_what_the_equations_give_is_not_drawn_beside_them():
    """The batch has values of its own for another question; here it follows from its parts."""
    for seed in range(40):
        variant = draw(read(CHAIN)["x"], seed, "n")
        assert "B" not in variant.values
        values = variant.values
        assert variant.worked["B"] == values["b"] * values["s"] * values["N"]
        assert variant.truth == values["D"] / variant.worked["B"]
        assert variant.worked["B"] < 3_000_000


def test_number_drawn_for_what_is_stated_follows_from_that_afterwards():
    text = """\
problems:
  - id: x
    title: t
    given:
      P: {unit: params, from: [1.3e9, 7e9, 13e9]}
      a: {unit: GB, from: [1.5, 2.5, 4.5]}
      W: {unit: GB}
      M: {unit: GB}
      N: {unit: GPUs, from: [3, 7, 9, 11]}
    equations: ["W = 16*P/N", "M = W + a"]
    find: {N: {unit: GPUs, ask: "{P} with {a} and {M} in all?"}}
"""
    for seed in range(20):
        variant = draw(read(text)["x"], seed)
        given = variant.values
        assert set(given) == {"P", "a", "M"}
        assert variant.truth == 16 * given["P"] / (given["M"] - given["a"])


def test_one_of_a_kind_is_singular_in_question_and_answer():
    text = """\
problems:
  - id: x
    title: t
    given:
      b: {unit: sequences, from: [1]}
      s: {unit: tokens, from: [512, 1024]}
    equations: ["n = 512*b/s"]
    find: {n: {unit: GPUs, round: up, ask: "{b} sequences of {s} tokens?"}}
"""
    variant = draw(read(text)["x"], 1)
    assert variant.ask.startswith("1 sequence of")
    assert variant.answer == "1 GPU"
    assert judge_variant("1 GPUs", variant).right
    assert judge_variant("1 GPU", variant).right


def test_only_what_the_question_states_is_listed():
    """A number that only a mistake or a condition uses is drawn, but not told."""
    text = """\
problems:
  - id: x
    title: t
    given:
      a: {unit: GB, from: [2, 3, 5, 7]}
      n: {unit: GPUs, from: [2, 4, 8]}
      k: {from: [3, 5]}
    where: [k < 9]
    equations: ["M = a/n"]
    find: {M: {unit: GB, ask: "{a} on {n} GPUs?"}}
    slips: [{id: wrong, M: a*k, says: x}]
"""
    variant = draw(read(text)["x"], 1)
    assert "k" in variant.values
    assert [one.symbol for one in variant.stated] == ["a", "n"]
    assert judge_variant("a/n", variant).right
    assert judge_variant("a*k", variant).kind == "invalid", "nobody was told k"
    hours = draw(FAMILIES["hours"], 1, "T")
    assert {"F", "P", "D", "mfu", "N"} == {one.symbol for one in hours.stated}


def test_answers_that_are_rounded_lie_off_the_turn():
    for variant in drawn("zero3", "N"):
        part = variant.truth % 1
        assert part == 0 or Fraction(1, 50) <= part <= Fraction(49, 50)
        assert variant.answer == f"{-(-variant.truth // 1)} GPUs"


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ("from: [2, 4, 6], exclude: [4]", {2, 6}),
        ("powers_of_2: [3, 20]", {4, 8, 16}),
        ("range: [1, 2], step: 0.5", {1, Fraction(3, 2), 2}),
        ("range: [1, 3]", {1, Fraction(6, 5), Fraction(3, 2), 2, Fraction(5, 2), 3}),
        ("range: [1, 3], unit: GPUs", {1, 2, 3}),
        ("range: [8, 30], unit: GPUs, nice: true", {8, 10, 12, 15, 20, 25, 30}),
        ("range: [5, 8], unit: GPUs, log: true", {5, 6, 7, 8}),
        ("from: [1 min, 90], unit: s", {60, 90}),
    ],
)
def test_values_come_from_where_they_are_said_to(given, allowed):
    text = (
        f"problems:\n  - {{id: x, title: t, given: {{a: {{{given}}}}}, equations: [b = 2*a],"
        ' find: {b: {ask: "{a}?"}}}'
    )
    family = read(text)["x"]
    assert {draw(family, seed).values["a"] for seed in range(120)} == allowed


def test_formula_of_a_given_symbol_is_stated_exactly():
    text = (
        "problems:\n  - {id: x, title: t, given: {a: {from: [31, 33]}, h: {formula: 128*a}},"
        ' equations: [b = h + a], find: {b: {within: exact, ask: "{h}, {a}?"}}}'
    )
    variant = draw(read(text)["x"], 1)
    assert variant.values["h"] == 128 * variant.values["a"]
    assert exact_number(variant.values["h"]) in variant.ask


# --- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "find"), QUESTIONS)
def test_displayed_answer_is_right_and_each_mistake_is_known_as_itself(name, find):
    for variant in drawn(name, find, 12):
        verdict = judge_variant(variant.answer, variant)
        assert verdict.right, (variant.ask, variant.answer, verdict)
        for slip in variant.slips:
            text = answered(
                abs(slip.value), variant.asking.unit, exact=False, within=Fraction(1, 1000)
            )
            if variant.limit is not None:
                text = ("yes, " if slip.value > 0 else "no, ") + text
            verdict = judge_variant(text, variant)
            assert slip.id in {named.id for named in verdict.slips}, (variant.ask, text, verdict)


@pytest.mark.parametrize(("name", "find"), QUESTIONS)
def test_mistakes_lie_three_tolerances_from_the_truth(name, find):
    for variant in drawn(name, find):
        scale = abs(variant.limit or variant.truth)
        for slip in variant.slips:
            gap = abs(slip.value - variant.question.target)
            assert gap > 3 * variant.asking.within * scale
            assert gap > 0


def test_wrong_equation_is_worked_out_for_every_question():
    by_find = {"M": "2*P/N", "N": "2*P/M", "P": "M*N/2"}
    for find, formula in by_find.items():
        for variant in drawn("zero3", find, 9):
            (slip,) = (one for one in variant.slips if one.id == "weights-only")
            wrong = evaluate(parse_formula(formula), variant.values)
            expected = -(-wrong // 1) if find == "N" else wrong
            assert abs(slip.value - expected) <= abs(expected) / 10**9


def test_wrong_value_of_a_given_symbol_takes_its_place():
    for variant in drawn("hours", "T", 9):
        slips = {slip.id: slip.value for slip in variant.slips}
        assert abs(slips["sparse"] / variant.truth - Fraction(1, 2)) < 1e-9
        assert abs(slips["peak"] / variant.truth - variant.values["mfu"]) < 1e-9
        # Where it lies too close to another one, it is left out.
        assert abs(slips.get("forward", variant.truth / 3) / variant.truth - Fraction(1, 3)) < 1e-9


def shown_in(variant: Variant, symbol: str) -> str:
    return next(one.text for one in variant.stated if one.symbol == symbol)


def test_mistake_speaks_of_the_numbers_at_hand():
    variant = draw(FAMILIES["zero3"], 1, "N")
    says = {slip.id: slip.says for slip in variant.question.slips}
    assert says["weights-only"] == f"Only the weights of {shown_in(variant, 'P')}."


def small(**parts: str):
    base = {
        "given": "{a: {range: [1, 9], step: 1}}",
        "equations": '["b = 2*a"]',
        "find": '{b: {ask: "{a}?"}}',
    } | parts
    lines = ["problems:", "  - id: x", "    title: t"]
    return read("\n".join([*lines, *(f"    {key}: {value}" for key, value in base.items())]))["x"]


def test_numbers_at_which_a_mistake_looks_right_are_thrown_away():
    """2a and a + 4 are the same at 4, where it is no mistake, and too close from 3 on."""
    family = small(
        find='{b: {within: 10%, ask: "{a}?"}}', slips='[{id: plus, b: a + 4, says: "Plus."}]'
    )
    variants = [draw(family, seed) for seed in range(80)]
    assert {one.values["a"] for one in variants} == {1, 2, 4}
    assert all(bool(one.slips) is (one.values["a"] != 4) for one in variants)


def test_mistakes_that_look_alike_are_told_by_one_name_and_equal_ones_by_both():
    family = small(
        find='{b: {within: 3%, ask: "{a}?"}}',
        slips="[{id: one, b: a, says: x}, {id: near, b: 1.05*a, says: y},"
        " {id: same, b: a, says: z}]",
    )
    variant = draw(family, 1)
    assert [slip.id for slip in variant.slips] == ["one", "same"]
    verdict = judge_variant(str(variant.values["a"]), variant)
    assert [named.id for named in verdict.slips] == ["one", "same"]


# --- yes or no, and by how much ------------------------------------------------------------------


def fits(*, yes: bool) -> Variant:
    return next(one for one in drawn("fit", "room") if (one.truth > 0) is yes)


@pytest.mark.parametrize("yes", [True, False])
def test_fit_is_answered_with_yes_or_no_and_a_number(yes):
    variant = fits(yes=yes)
    room = f"{float(abs(variant.truth)) / 1e9:.4g} GB"
    words = ("yes", "it fits,", "Y,") if yes else ("no", "it does not fit,", "no: it is")
    for word in words:
        assert judge_variant(f"{word} {room}", variant).right
    for ending in ("to spare", "left") if yes else ("too much", "short"):
        assert judge_variant(f"{words[0]}, {room} {ending}.", variant).right


def test_tolerance_of_a_fit_is_one_of_the_limit_and_a_sign_changes_nothing():
    variant = fits(yes=False)
    short, limit = -float(variant.truth) / 1e9, float(variant.limit or 0) / 1e9
    assert judge_variant(f"no, -{short:.4g} GB", variant).right
    assert judge_variant(f"no, {short + 0.029 * limit:.4g} GB", variant).right
    assert not judge_variant(f"no, {short + 0.031 * limit:.4g} GB", variant).right


@pytest.mark.parametrize("yes", [True, False])
def test_other_word_is_wrong_whatever_the_number(yes):
    variant = fits(yes=yes)
    room = f"{float(abs(variant.truth)) / 1e9:.4g} GB"
    verdict = judge_variant(f"{'no' if yes else 'yes'}, {room}", variant)
    assert not verdict.right
    assert verdict.costs_attempt


@pytest.mark.parametrize("text", ["12 GB", "yes", "no.", "", "maybe 12 GB", "x" * 10**5])
def test_half_an_answer_costs_nothing(text):
    assert not judge_variant(text, fits(yes=True)).costs_attempt


HIDDEN = """\
problems:
  - id: x
    title: t
    given:
      back: {unit: ms, from: [100, 200, 300]}
      comm: {unit: ms, from: [150, 250, 60]}
    equations: ["room = back - comm"]
    find: {room: {unit: ms, within: 3%, fit: back, ask: "{comm} under {back}?"}}
    slips: [{id: half, room: back/2 - comm, says: x}]
"""


def hidden(*, yes: bool) -> Variant:
    variants = (draw(read(HIDDEN)["x"], seed) for seed in range(60))
    return next(one for one in variants if (one.truth > 0) is yes)


def test_fit_speaks_in_the_unit_of_its_question():
    assert "yes, 12 ms" in judge_variant("maybe", hidden(yes=True)).reading
    assert judge_variant("no, 3 ms", hidden(yes=True)).note == "the answer is yes"
    assert judge_variant("yes, 3 ms", hidden(yes=False)).note == "the answer is no"
    memory = next(v for v in drawn("fit", "room") if v.truth > 0)
    assert "yes, 12 GB" in judge_variant("maybe", memory).reading
    assert judge_variant("no, 0.3 GB", memory).note in {"it fits", ""}


@pytest.mark.parametrize("yes", [True, False])
def test_sign_alone_is_yes_or_no(yes):
    variant = hidden(yes=yes)
    size = answered(abs(variant.truth), parse_unit("ms"), exact=True, within=Fraction(0))
    for sign in "+" if yes else "-−":
        verdict = judge_variant(f"{sign}{size}", variant)
        assert verdict.kind == "correct"
        assert verdict.reading == f"read as {'yes' if yes else 'no'}, {size}"
    assert judge_variant(f"{'-' if yes else '+'}3 ms", variant).kind == "wrong"


@pytest.mark.parametrize("yes", [True, False])
def test_sign_that_can_mean_either_costs_nothing(yes):
    """+50 ms may be the room that is left, or what there is too much."""
    variant = hidden(yes=yes)
    number = abs(variant.truth) * 1000
    assert judge_variant(f"{'-' if yes else '+'}{number} ms", variant).kind == "unclear"
    assert judge_variant(f"{'+' if yes else '-'}{number}", variant).kind == "unclear"
    assert judge_variant(f"{number} ms", variant).kind == "unclear"


def test_both_answers_occur_and_none_hangs_on_the_limit():
    variants = drawn("fit", "room", 100)
    assert {variant.truth > 0 for variant in variants} == {True, False}
    assert all(abs(one.truth) >= one.values["C"] / 20 for one in variants)


# --- what cannot be drawn ------------------------------------------------------------------------


def test_conditions_that_cannot_be_met_end_with_a_reason():
    with pytest.raises(DrillkitError, match="a > 10"):
        draw(small(where="[a > 10]"), 1)


def test_unknown_question_and_unknown_preset_are_told():
    with pytest.raises(UsageError, match="does not ask for 'Q'"):
        draw(FAMILIES["zero3"], 1, "Q")
    with pytest.raises(DrillkitError, match="no preset 'gpt-9'"):
        draw(small(presets="{model: [gpt-9]}"), 1)


def test_symbol_that_nothing_gives_is_told():
    family = small(given="{a: {}, c: {from: [1]}}")
    with pytest.raises(DrillkitError, match="does not follow"):
        draw(family, 1)


@pytest.mark.parametrize(
    "equation",
    [
        "b = 9**9**9 + a",
        "b = a/(a - a)",
        "b = sqrt(0 - a)",
        "b = ln(a - a)",
        "b = exp(exp(a + 9))",
        "b = a**64**64",
        "min(b, a) = a",
        "b**4 + b = a",
        "ceil(b) = a",
    ],
)
def test_equations_without_a_value_end_with_a_reason(equation):
    with pytest.raises(DrillkitError):
        draw(small(equations=f'["{equation}"]'), 1)


def test_definitions_that_grow_without_end_are_refused():
    """Each of 24 symbols stands for the product of the next one with itself, 2²⁴ in the end."""
    given = ", ".join(f"s{n}: {{}}" for n in range(23)) + ", s23: {from: [1.5]}"
    chain = ", ".join(f'"s{n} = s{n + 1}*s{n + 1}"' for n in range(23))
    family = small(given=f"{{{given}}}", equations=f"[{chain}]", find='{s0: {ask: "{s23}?"}}')
    with pytest.raises(DrillkitError):
        draw(family, 1)


# --- the families that are shipped ---------------------------------------------------------------


@pytest.mark.parametrize(("name", "family"), shipped().items(), ids=shipped())
def test_shipped_family_is_drawn_and_its_answer_is_right(name, family):
    for find in family.find:
        variant = draw(family, 1, find.symbol)
        assert judge_variant(variant.answer, variant).right
        assert "{" not in variant.ask + "".join(variant.hints) + variant.why


# --- values in sentences -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("7e9", "params", "7B"),
        ("6.74e9", "params", "6.74B"),
        ("16384", "GPUs", "16,384"),
        ("1e12", "tokens", "1T"),
        ("80e9", "GB", "80 GB"),
        ("1875e6", "GB", "1.875 GB"),
        ("3.35e12", "TB/s", "3.35 TB/s"),
        ("0.4", "%", "40 %"),
        ("12288", "", "12,288"),
        ("-15", "", "−15"),
        ("2.5", "$", "$2.5"),
    ],
)
def test_stated_values_are_short_and_exact(value, unit, text):
    assert shown(Fraction(value), parse_unit(unit)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("7e9", "7×10⁹"),
        ("1e10", "10¹⁰"),
        ("4096", "4,096"),
        ("0.4", "0.4"),
        ("4.1666666e-4", "4.167×10⁻⁴"),
        ("46.6666666", "46.67"),
        ("6.5099e9", "6.5099×10⁹"),
        ("0", "0"),
    ],
)
def test_numbers_in_a_calculation(value, text):
    assert number_text(Fraction(value)) == text
