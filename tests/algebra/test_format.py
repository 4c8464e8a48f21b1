"""Numbers and quantities as text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drillkit.algebra.answer import parse_unit, read_answer, read_value
from drillkit.algebra.expression import Quantity
from drillkit.algebra.format import (
    describe,
    format_count,
    format_duration,
    format_number,
    format_quantity,
    singular,
    write_expression,
)
from drillkit.algebra.formula import parse_formula


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (112, "112"),
        (9999, "9,999"),
        (93483, "93,483"),
        (93483.2, "93,500"),
        (128256, "128,256"),
        (0.2727, "0.273"),
        (0.5, "0.5"),
        (1.0, "1"),
        (999.6, "1,000"),
        (0.09996, "0.1"),
        (4.2e22, "4.2 × 10²²"),
        (1e9, "10⁹"),
        (1.5e-9, "1.5 × 10⁻⁹"),
        (0.000123, "0.000123"),
        (0.0000123, "1.23 × 10⁻⁵"),
        (-112.5, "−113"),
        (-0.25, "−0.25"),
        (123456789, "123,000,000"),
        (Fraction(1, 3), "0.333"),
        (2.5, "2.5"),
    ],
)
def test_a_number_has_three_figures_where_they_are_useful(value, text):
    assert format_number(value) == text


def test_zeros_are_kept_where_asked():
    assert format_number(112, 4, padded=True) == "112.0"
    assert format_number(Fraction(1, 2), 3, padded=True) == "0.500"
    assert format_number(93483, 5) == "93,483"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((7e9, "7B"), (1.5e12, "1.5T"), (93_500, "93.5k"), (4096, "4,096"), (6.7e6, "6.7M")),
        *((3, "3"), (16_384, "16,384"), (4_194_304, "4,194,304"), (8_030_261_248, "8.03B")),
        *((-16_384, "−16,384"), (93_483.5, "93.5k")),
    ],
)
def test_a_count_is_said_with_its_letter(value, text):
    assert format_count(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (48.2, "48.2 s"),
        (0.0075, "7.5 ms"),
        (50e-6, "50 µs"),
        (2e-9, "2 ns"),
        (848, "14 min 8 s"),
        (840, "14 min"),
        (4620, "1 h 17 min"),
        (3600, "1 h"),
        (178200, "49.5 h"),
        (86400 * 14, "14 days"),
        (86400, "24 h"),
        (86400 * 5, "5 days"),
        (183034080, "5.8 years"),
        (-90, "−1 min 30 s"),
        (59.99, "60 s"),
        (3599.9, "60 min"),
    ],
)
def test_a_duration_is_said_in_two_parts(seconds, text):
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (112 * 10**9, "B", "112 GB"),
        (400 * 10**9, "B/s", "400 GB/s"),
        (312 * 10**12, "FLOP/s", "312 TFLOP/s"),
        (42 * 10**21, "FLOP", "4.2 × 10²² FLOP"),
        (5, "B", "5 B"),
        (848, "s", "14 min 8 s"),
        (7 * 10**9, "params", "7B param"),
        (64, "GPUs", "64 GPU"),
        (Fraction(3, 11), "", "0.273"),
        (187000, "$", "$187,000"),
        (-187000, "$", "−$187,000"),
        (295, "FLOP/byte", "295 FLOP/B"),
        (700, "W", "700 W"),
    ],
)
def test_a_quantity_without_a_unit_gets_the_one_that_suits(value, unit, text):
    dimension = parse_unit(unit).dimension
    assert format_quantity(Quantity(Fraction(value), dimension)) == text


def test_a_quantity_in_a_unit():
    state = Quantity(Fraction(112 * 10**9), parse_unit("B").dimension)
    assert format_quantity(state, parse_unit("GiB")) == "104 GiB"
    assert format_quantity(state, parse_unit("GiB"), figures=4) == "104.3 GiB"
    assert format_quantity(Quantity(Fraction(27, 100)), parse_unit("%")) == "27 %"
    assert format_quantity(read_value("3.35 TB/s")) == "3.35 TB/s"
    assert format_quantity(state, parse_unit("s")) == "112 GB"


def test_a_dimension_in_base_units():
    assert describe(parse_unit("tokens/s/GPU").dimension) == "token/GPU/s"
    assert describe(parse_unit("s⁻²").dimension) == "1/s²"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(p-1)/(m+p-1)", "(p − 1)/(m + p − 1)"),
        ("a-(b-c)", "a − (b − c)"),
        ("a/(b*c)", "a/(b·c)"),
        ("a/b*c", "a/b·c"),
        ("(a^b)^c", "(a^b)^c"),
        ("a^b^c", "a^b^c"),
        ("2*(-a)", "2·(−a)"),
        ("sqrt(2*delta*M)", "sqrt(2·delta·M)"),
        ("1e22*a", "10²²·a"),
        ("0.5*a", "0.5·a"),
    ],
)
def test_a_formula_is_written_with_the_fewest_brackets(text, written):
    assert write_expression(parse_formula(text)) == written


UNITS = ["GB", "GiB", "GB/s", "Gb/s", "min", "ms", "TFLOP/s", "FLOP", "GPU-hours", "%", "$", "kWh"]


@settings(max_examples=400, deadline=None)
@given(
    mantissa=st.integers(1, 99_999),
    power=st.integers(-8, 8),
    unit=st.sampled_from(UNITS),
    suited=st.booleans(),
)
def test_what_is_written_is_read_back(mantissa, power, unit, suited):
    asked = parse_unit(unit)
    value = mantissa * Fraction(10) ** power * asked.factor
    shown = format_quantity(Quantity(value, asked.dimension), None if suited else asked)
    if suited and unit == "%":
        # Without its unit a share is shown as a plain number, which is read as one below 1 only.
        asked = parse_unit("")
    reading = read_answer(shown, asked)
    assert reading.ok, shown
    assert abs(reading.quantity.value - value) <= abs(value) * Fraction(9, 1000), shown


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 GPUs", "1 GPU"),
        ("47 GPUs", "47 GPUs"),
        ("1 sequences of 2,048 tokens", "1 sequence of 2,048 tokens"),
        ("1 micro-batches", "1 micro-batch"),
        ("1 microbatches", "1 microbatch"),
        ("1 key-value heads of 128", "1 key-value head of 128"),
        ("1 GPU-hours", "1 GPU-hour"),
        ("1 steps/s", "1 step/s"),
        ("b = 1 sequences", "b = 1 sequence"),
        ("1 days", "1 day"),
        ("the other N − 1 GPUs", "the other N − 1 GPUs"),
        ("ZeRO-1 GPUs", "ZeRO-1 GPUs"),
        ("1,001 GPUs, 10.1 layers, 0.1 steps", "1,001 GPUs, 10.1 layers, 0.1 steps"),
        ("1 of them", "1 of them"),
    ],
)
def test_one_of_a_kind_is_singular(text, told):
    assert singular(text) == told


@pytest.mark.parametrize("text", ["1 GPUs", "1 GPU", "47 GPUs", "1 sequence", "1 microbatches"])
def test_both_forms_are_read(text):
    unit = parse_unit(text.split()[1])
    reading = read_answer(text, unit)
    assert reading.outcome == "value"
    assert reading.message.endswith(singular(f"{text.split()[0]} {unit.text}"))
