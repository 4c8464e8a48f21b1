"""What the reader tells about an answer: outcome, echo, remarks and other readings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from drillkit.algebra.answer import read_answer
from drillkit.algebra.format import write_expression
from drillkit.algebra.units import Unit


@pytest.mark.parametrize(
    ("text", "unit", "message"),
    [
        ("104.3 GiB", "GB", "read as 104.3 GiB = 112.0 GB"),
        ("112 GB", "GB", "read as 112 GB"),
        ("16*7e9 bytes", "GB", "read as 112 GB"),
        ("14m8s", "min", "read as 14.1 min"),
        ("0.236 h", "min", "read as 0.236 h = 14.16 min"),
        ("27.3", "%", "read as 27.3 %"),
        ("0.273", "%", "read as 27.3 %"),
        ("7B", "params", "read as 7B params"),
        ("$187k", "$", "read as $187,000"),
        ("93483.25 GPU-hours", "GPU-hours", "read as 93,483.25 GPU-hours"),
        ("5 bytes", "GB", "read as 5 bytes = 5 × 10⁻⁹ GB"),
    ],
)
def test_the_reading_is_echoed(text, unit, message):
    assert read_answer(text, unit).message == message


@pytest.mark.parametrize(
    ("text", "unit", "remark"),
    [
        ("112 gb", "GB", "gb read as GB"),
        ("112 KB", "GB", "K read as kilo, 1000"),
        ("112 Gb", "GB", "Gb read as bits"),
        ("112,000 MB", "GB", "commas read as thousands separators"),
        ("112 000 MB", "GB", "spaces read as thousands separators"),
        ("14 m", "min", "m read as minutes"),
        ("112", "GB", "no unit given: read in GB"),
        ("27.3", "%", "read in %"),
        ("125 TFLOPs", "TFLOP/s", "TFLOPs read as TFLOP/s, since a rate is asked"),
        ("93483 h", "GPU-hours", "taken in GPU-hours"),
        ("1 1/2 h", "h", "1 1/2 read as 1.5"),
        ("Sqrt(4) s", "s", "Sqrt read as sqrt"),
    ],
)
def test_an_assumption_is_told(text, unit, remark):
    assert remark in read_answer(text, unit).remarks


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("112 GB", "GB"), ("14m8s", "min"), ("3.2 Tbps", "GB/s"), ("0", "s"), ("40%", "%")),
        *(("327680 bytes", "bytes/token"), ("$187k", "$"), ("0.273", "%"), ("1.5x", "")),
    ],
)
def test_a_plain_answer_needs_no_remark(text, unit):
    assert read_answer(text, unit).remarks == ()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("112 G", "G of what: write the unit, such as GB"),
        ("1.5*e*3", "write 1.5e3"),
        ("nan", "write a finite number"),
        ("∞", "infinity is not an answer"),
        ("١ GB", "U+0661"),
        ("112 GB or 84 GB", "give one value"),
        ("(3", ") is missing"),
        ("3)", "a bracket closes that was not opened"),
        ("112 foo", "foo is not a name or a unit"),
        ("sqrt 2 + log(3)", "write ln or log2"),
        ("0,273", "write 0.273 with a point"),
        ("14:08", "write 14 h 08 min or 14 min 08 s"),
        ("1/(2)(3)", "add brackets: a/(b*c) or (a/b)*c"),
        ("110-114 GB", "give one value"),
        ("9**9**9", "an exponent is larger than 64"),
        ("1e999", "1e60"),
        ("1" * 161, "longer than 160 characters"),
        ("1+" * 40 + "1", "more than 60 parts"),
        ("(" * 26 + "1" + ")" * 26, "nested more than 25 deep"),
        ("112 s", "GB is asked for: give the answer in GB"),
        ("", "type a number and its unit"),
        ("ceil(1.2 GB)", "round the plain number"),
        ("1 GB + 1 s", "give every term the same kind of unit"),
    ],
)
def test_a_message_says_what_to_do(text, part):
    assert part in read_answer(text, "GB").message


def test_a_message_names_the_symbols_of_the_problem():
    reading = read_answer("q+1", "", values={"p": Fraction(1), "m": Fraction(2)})
    assert "the names here are m, p" in reading.message
    assert "write m*p" in read_answer("mp", "", values={"p": Fraction(1), "m": Fraction(2)}).message


def test_a_unit_without_a_name_is_called_by_its_base():
    asked = Unit("", Fraction(1), (("time", 1),))
    assert read_answer("14 min", asked).message == "read as 14 min = 840.0 s"
    assert "s is asked for" in read_answer("14 GB", asked).message


def test_a_unit_binds_to_its_number_its_product_or_its_sum():
    assert read_answer("7e9*16/1e9 GB", "GB").quantity.value == 112 * 10**9
    assert read_answer("9600 GB / 24 s", "GB/s").quantity.value == 400 * 10**9
    assert read_answer("80 + 32 GB", "GB").quantity.value == 112 * 10**9
    assert read_answer("(80 + 32) GB", "GB").quantity.value == 112 * 10**9
    assert read_answer("1/2 h", "min").quantity.value == 1800


def test_less_natural_readings_are_kept_aside():
    reading = read_answer("16 * 7B", "GB")
    assert reading.quantity.value == 112
    assert [(other.value, other.bare) for other in reading.others] == [(112 * 10**9, True)]


def test_a_symbol_is_itself_alone_and_perhaps_a_unit_after_a_number():
    values = {"h": Fraction(4096), "s": Fraction(2048), "B": Fraction(8), "d": Fraction(3)}
    assert read_answer("h*s", "", values=values).quantity.value == 4096 * 2048
    assert read_answer("2h", "min", values=values).quantity.value == 7200
    assert read_answer("2h", "", values=values).quantity.value == 8192
    assert read_answer("8 GB/s", "GB/s", values=values).quantity.value == 8 * 10**9
    assert read_answer("2B", "", values=values).outcome == "unclear"


def test_a_plain_number_keeps_its_figures():
    assert read_answer("110 GB", "GB").figures == 2
    assert read_answer("0.110 GB", "GB").figures == 3
    assert read_answer("1.10e2 GB", "GB").figures == 3
    assert read_answer("1.1·10² GB", "GB").figures == 2
    assert read_answer("11*10 GB", "GB").figures == 0


def test_both_sides_of_an_equation_must_come_to_the_same():
    assert read_answer("16*7e9 B = 112 GB", "GB").quantity.value == 112 * 10**9
    assert read_answer("16*7e9 = 112 GB", "GB").ok
    assert read_answer("112 GB = 84 GB", "GB").outcome == "unclear"
    assert read_answer("1=1=1=1=1 GB", "GB").outcome == "rejected"


def test_a_formula_keeps_its_tree():
    reading = read_answer("2(P-1)/p", symbols=("p", "m"))
    assert reading.tree is not None
    assert write_expression(reading.tree) == "2·(p − 1)/p"
    assert reading.remarks == ("P read as p",)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("１１２ ＧＢ", "112 GB"),
        ("10³ GB", "1000 GB"),
        ("10⁻³ GB", "0.001 GB"),
        ("112\u00a0GB", "112 GB"),
        ("112\u202fGB", "112 GB"),
        ("112\u200bGB", "112 GB"),
        ("16 × 7 GB", "112 GB"),
        ("16 · 7 GB", "112 GB"),
        ("224 ÷ 2 GB", "112 GB"),
        ("−112 GB", "-112 GB"),
        ("–112 GB", "-112 GB"),
        ("½ GB", "0.5 GB"),
        ("√12544 GB", "112 GB"),
        ("⌈111.5⌉ GB", "112 GB"),
        ("⌊112.5⌋ GB", "112 GB"),
        ("10^{2} GB", "100 GB"),
        ("log₂(8) GB", "3 GB"),
        ("max(7, 112) GB", "112 GB"),
        ("total state = 112 GB", "112 GB"),
        ("τ* ≈ 112 GB", "112 GB"),
        ("roughly 112 GB.", "112 GB"),
        ("7B params * 16 bytes/param", "112 GB"),
        ("50% of 224 GB", "112 GB"),
        ("5 MB per second * 2 s", "10 MB"),
    ],
)
def test_two_ways_of_typing_one_thing(typed, meant):
    assert read_answer(typed, "GB").quantity.value == read_answer(meant, "GB").quantity.value
    assert read_answer(typed, "GB").ok


def test_superscripts_are_never_digits():
    assert read_answer("10³", "").quantity.value == 1000
