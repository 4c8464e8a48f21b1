"""The judge's order, what it says, and that its own displays are judged right."""

from __future__ import annotations

from fractions import Fraction

import families
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drillkit.algebra.answer import parse_unit, read_answer
from drillkit.algebra.expression import Quantity
from drillkit.algebra.format import format_quantity
from drillkit.algebra.outcome import UnreadableError
from drillkit.numeric.fit import judge_variant
from drillkit.numeric.judge import Question, Slip, judge, judge_reading, question_of, tolerance
from drillkit.numeric.sample import draw

GB = parse_unit("GB")
STATE = Question(Fraction(112 * 10**9), GB)


def question(truth: str, unit: str, within: str = "1%", **more) -> Question:
    return Question(Fraction(truth), parse_unit(unit), tolerance(within), **more)


def test_the_edge_of_the_tolerance_is_inside():
    asked = question("100", "s", "1%")
    assert judge("99 s", asked).kind == "correct"
    assert judge("101 s", asked).kind == "correct"
    assert judge("101.01 s", asked).kind == "close"


def test_within_ten_percent_is_close_and_beyond_is_wrong():
    asked = question("1000", "s", "1%")
    assert judge("1100 s", asked).kind == "close"
    assert judge("1101 s", asked).kind == "wrong"
    assert judge("900 s", asked).kind == "close"
    assert judge("899 s", asked).kind == "wrong"


def test_all_slips_with_the_same_number_are_named_the_nearest_first():
    slips = (
        Slip("forward", Fraction(50), "forward only"),
        Slip("one_phase", Fraction(50), "one phase only"),
        Slip("other", Fraction(51), "something else"),
    )
    verdict = judge("50 s", question("100", "s", "3%", slips=slips))
    assert verdict.id == "misconception:forward"
    assert [slip.id for slip in verdict.slips] == ["forward", "one_phase"]
    assert verdict.slips[1].says == "one phase only"
    assert judge("51 s", question("100", "s", "3%", slips=slips)).id == "misconception:other"


def test_a_slip_inside_the_tolerance_of_the_truth_never_hides_a_right_answer():
    asked = question("100", "s", "3%", slips=(Slip("limit", Fraction(102)),))
    assert judge("102 s", asked).kind == "correct"


def test_the_authors_slip_comes_before_a_general_one():
    asked = question("100", "s", slips=(Slip("half", Fraction(50)),))
    assert judge("50 s", asked).id == "misconception:half"
    assert judge("50 s", question("100", "s")).id == "misconception:factor_two"


def test_the_right_number_with_a_sibling_of_its_unit_comes_before_the_authors_slip():
    asked = STATE._replace(slips=(Slip("gib", Fraction(112 * 2**30)),))
    assert judge("112 GiB", asked).id == "misconception:gb_gib"


def test_general_slips_can_be_switched_off():
    asked = question("100", "s")._replace(generic=False)
    assert judge("200 s", asked).kind == "wrong"
    assert judge("100 min", asked).kind == "wrong"


@pytest.mark.parametrize(
    ("truth", "unit", "text", "slip"),
    [
        ("100", "s", "-100 s", "sign"),
        ("100", "s", "100 min", "time_unit"),
        ("3600", "h", "60", "time_unit"),
        ("86400", "h", "1", "time_unit"),
        ("100", "s", "100 ms", "prefix"),
        ("100", "s", "1000 s", "power_of_ten"),
        ("0.2", "%", "80%", "complement"),
        ("0.2", "%", "5", "reciprocal"),
        ("0.2", "%", "0.2%", "percent"),
        ("0.2", "", "0.8", "complement"),
        ("300", "FLOP/byte", "0.00333", "reciprocal"),
        ("300", "FLOP/byte", "2400 FLOP/byte", "bits_bytes"),
        ("7e9", "params", "7M", "prefix"),
        ("7e9", "params", "7e6 params", "prefix"),
        ("7e9", "params", "3.5e9 params", "factor_two"),
        ("80e9", "GB", "74.5 GB", "gb_gib"),
        ("80e9", "GB", "85.9 GB", "gb_gib"),
        ("80e6", "MB", "76.3 MB", "gb_gib"),
        ("80e9", "GiB", "80 GiB", "gb_gib"),
        ("80e9", "GB", "10 GB", "bits_bytes"),
        ("80e9", "GB", "640 Gb/s * 1 s * 8", "bits_bytes"),
        ("50e9", "Gb/s", "50 Gb/s", "bits_bytes"),
        ("2e6", "$", "$2k", "prefix"),
        ("3600000", "kWh", "1 MWh", "prefix"),
    ],
)
def test_a_general_slip_is_named(truth, unit, text, slip):
    assert judge(text, question(truth, unit)).id == f"misconception:{slip}"


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("47", "correct_note"),
        ("47 GPUs", "correct"),
        ("46 GPUs", "misconception:rounded_wrong_way"),
        ("46.67 GPUs", "misconception:not_rounded"),
        ("140/3", "misconception:not_rounded"),
        ("48 GPUs", "close"),
        ("47.2 GPUs", "close"),
        ("60 GPUs", "wrong"),
    ],
)
def test_a_result_that_must_come_whole_is_rounded_before_it_is_judged(text, expect):
    asked = question("140/3", "GPUs", "exact", rounding="up")
    assert asked.target == 47
    assert judge(text, asked).id == expect


@pytest.mark.parametrize(("way", "target"), [("up", 4), ("down", 3), ("nearest", 4), ("", None)])
def test_rounding_goes_the_way_that_is_asked(way, target):
    asked = question("7/2", "GPUs", rounding=way)
    assert asked.target == (Fraction(7, 2) if target is None else target)


def test_zero_is_right_only_as_zero_and_keeps_its_unit():
    asked = question("0", "s")
    assert judge("0", asked).kind == "correct"
    assert judge("0 ms", asked).kind == "correct"
    assert judge("0 GB", asked).kind == "wrong_unit"
    assert judge("0 %", asked).kind == "wrong_unit"
    assert judge("1 ns", asked).kind == "wrong"
    assert judge("0 s", question("100", "s")).kind == "wrong"


def test_only_what_was_not_understood_costs_no_attempt():
    free = {text: judge(text, STATE).costs_attempt for text in ("1,5 GB", "what", "9^99 GB")}
    assert free == {"1,5 GB": False, "what": False, "9^99 GB": False}
    paid = {text: judge(text, STATE).costs_attempt for text in ("112 GB", "1 GB", "1 s", "56 GB")}
    assert all(paid.values())


def test_a_verdict_says_what_it_read_and_how_far_off_it_is():
    verdict = judge("116 GB", STATE)
    assert verdict.reading == "read as 116 GB"
    assert verdict.distance == "3.6 % too large"
    assert judge("14 GB", STATE).distance == "8 times too small"
    assert judge("-112 GB", STATE).distance == "of the opposite sign"
    assert judge("112 GB", STATE).distance == "exact"
    assert judge("0 GB", STATE).distance == "zero"
    assert judge("112 GiB", STATE).reading == "read as 112 GiB = 120.3 GB"


def test_right_to_the_two_figures_given_is_right_with_a_remark():
    verdict = judge("110 GB", STATE)
    assert verdict.kind == "correct_note"
    assert verdict.note == "right to the 2 figures given"
    assert judge("100 GB", STATE).kind == "wrong"
    assert judge("110 GB", STATE._replace(within=Fraction(0))).kind == "close"


def test_an_unclear_answer_asks_for_the_unit():
    verdict = judge("112e9", STATE)
    assert verdict.kind == "unclear"
    assert "write the unit" in verdict.note


def test_a_share_and_a_percentage_are_told_apart_by_what_fits():
    small = question("0.0038", "%", "3%")
    assert judge("0.38", small).kind == "correct"
    assert judge("0.0038", small).kind == "correct"
    assert judge("0.38 %", small).kind == "correct"
    large = question("1.5", "%", "3%")
    assert judge("1.5", large).kind == "correct"
    assert judge("150", large).kind == "correct_note"


def test_given_symbols_may_stand_in_an_answer():
    asked = question("1750000000", "GB", values={"P": Fraction(7 * 10**9), "N": Fraction(64)})
    assert judge("16*P/N bytes", asked).kind == "correct"
    assert judge("16P/N B", asked).kind == "correct"
    assert judge("16*P/N", asked).kind == "unclear"
    assert judge("16*P/Q bytes", asked).kind == "invalid"


GIGA = Fraction(10**9)
RING = {"N": Fraction(8), "S": 14 * GIGA, "BW": 50 * GIGA, "P": 7 * GIGA}
CARRIERS = frozenset({"S", "BW"})


@pytest.mark.parametrize(
    ("truth", "unit", "text"),
    [
        ("24.5 GB", "GB", "2*(N-1)/N*S"),
        ("24.5 GB", "GB", "= 2·(N − 1)/N·S"),
        ("24.5 GB", "MB", "2*(N-1)/N*S"),
        ("24.5 GB", "GB", "2*(N-1)/N*S B"),
        ("490 ms", "ms", "2*(N-1)/N*S/BW"),
        ("490 ms", "ms", "2*(N-1)/N*S/BW s"),
        ("14 GB", "GB", "S"),
        ("12.5 %", "%", "1/N"),
    ],
)
def test_a_formula_in_the_given_symbols_has_their_units(truth, unit, text):
    question = question_of(truth, "1%", unit)._replace(values=RING, carriers=CARRIERS)
    verdict = judge(text, question)
    assert verdict.right, verdict
    assert not verdict.note, verdict


def test_a_formula_answers_a_drawn_question_in_any_unit():
    for seed in range(10):
        days = draw(families.FAMILIES["hours"], seed, "T")
        verdict = judge("6*P*D/(F*mfu)/N", days.question)
        assert verdict.kind == "correct"
        assert days.question.read("6*P*D/(F*mfu)/N").message == verdict.reading
        fits = draw(families.FAMILIES["fit"], seed)
        word = "yes" if fits.truth > 0 else "no"
        assert judge_variant(f"{word}, C - 16*P/N - A", fits).kind == "correct"


@pytest.mark.parametrize("text", ["2*(N-1)/N*S/1e9", "2*(N-1)/N*S/10^9"])
def test_who_converts_by_hand_is_right_as_well(text):
    question = question_of("24.5 GB", "1%")._replace(values=RING, carriers=CARRIERS)
    assert judge(text, question).right


@pytest.mark.parametrize(
    ("text", "kind"),
    [("(N-1)/N*S", "wrong"), ("2*S", "wrong"), ("24.5", "correct_note"), ("N*S/8e9", "wrong")],
)
def test_a_wrong_formula_in_the_given_symbols_is_not_right(text, kind):
    question = question_of("24.5 GB", "1%")._replace(values=RING, carriers=CARRIERS, generic=False)
    assert judge(text, question).kind == kind


def test_a_reading_can_be_judged_by_itself():
    reading = read_answer("112 GB", GB)
    assert judge_reading(reading, STATE).kind == "correct"


def test_a_question_can_be_made_of_texts():
    asked = question_of("112 GB", "2%")
    assert (asked.truth, asked.within, asked.unit.text) == (112 * 10**9, Fraction(1, 50), "GB")
    assert judge("0.112 TB", asked).kind == "correct"
    assert judge("14 min 8 s", question_of("14 min 8 s")).kind == "correct"
    assert judge("104.3", question_of("112 GB", unit="GiB")).kind == "correct_note"
    with pytest.raises(UnreadableError):
        question_of("112 GB", unit="s")
    with pytest.raises(UnreadableError):
        question_of("112 GB", within="some")


def test_texts_for_tolerances():
    assert tolerance("2%") == Fraction(1, 50)
    assert tolerance("0.02") == Fraction(1, 50)
    assert tolerance("exact") == 0


FAMILIES = {
    "data": ["B", "kB", "MB", "GB", "TB", "GiB", "MiB", "Gbit"],
    "rate": ["B/s", "GB/s", "TB/s", "Gb/s", "Tbps", "GiB/s"],
    "time": ["s", "ms", "us", "min", "h", "days"],
    "gpu": ["GPU-hours", "GPU-days", "GPU-s"],
    "op": ["FLOP", "TFLOP", "PFLOP"],
    "op rate": ["FLOP/s", "TFLOP/s", "PFLOPS"],
    "share": ["%", ""],
}


@settings(max_examples=300, deadline=None)
@given(
    family=st.sampled_from(sorted(FAMILIES)),
    mantissa=st.integers(1000, 9999),
    power=st.integers(-2, 4),
    data=st.data(),
)
def test_the_answer_as_displayed_in_any_unit_of_its_kind_is_right(family, mantissa, power, data):
    asked_in = parse_unit(data.draw(st.sampled_from(FAMILIES[family])))
    shown_in = parse_unit(data.draw(st.sampled_from(FAMILIES[family])))
    truth = Fraction(mantissa) * Fraction(10) ** power * asked_in.factor / 1000
    shown = format_quantity(Quantity(truth, asked_in.dimension), shown_in)
    verdict = judge(shown, Question(truth, asked_in, Fraction(1, 100)))
    assert verdict.right, (shown, verdict)


@settings(max_examples=200, deadline=None)
@given(st.integers(100, 999), st.sampled_from(["GB", "MB", "TB", "GB/s"]))
def test_bits_for_bytes_and_binary_for_decimal_prefixes_are_always_named(number, unit):
    asked = Question(number * parse_unit(unit).factor, parse_unit(unit))
    bits = unit.replace("B", "bit")
    assert judge(f"{number} {bits}", asked).id == "misconception:bits_bytes"
    binary = unit.replace("B", "iB", 1)
    assert judge(f"{number} {binary}", asked).id == "misconception:gb_gib"
