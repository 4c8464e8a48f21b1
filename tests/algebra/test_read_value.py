"""Authors' values: a number with its unit, read strictly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from drillkit.algebra.answer import read_value
from drillkit.algebra.outcome import UnclearError, UnreadableError


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("3.35 TB/s", 3350 * 10**9, "TB/s"),
        ("295 FLOP/byte", 295, "FLOP/byte"),
        ("16 bytes", 16, "bytes"),
        ("5.8 years", Fraction(58, 10) * 31_557_600, "years"),
        ("38 %", Fraction(38, 100), "%"),
        ("1.5 ×", Fraction(3, 2), "×"),
        ("1.5x", Fraction(3, 2), "×"),
        ("419", 419, ""),
        ("−15.5", Fraction(-31, 2), ""),
        ("4.2e22 FLOP", 42 * 10**21, "FLOP"),
        ("≈ 49.5 h", Fraction(99, 2) * 3600, "h"),
        ("400 Gb/s", 50 * 10**9, "Gb/s"),
        ("7 billion params", 7 * 10**9, "params"),
        ("2,048 GPUs", 2048, "GPUs"),
        ("2 bytes per parameter", 2, "bytes/parameter"),
        ("$2/GPU-hour", Fraction(2, 3600), "$/GPU-hour"),
        ("$2.5M", 2_500_000, "$"),
        ("50 µs", Fraction(50, 10**6), "us"),
        ("1/3", Fraction(1, 3), ""),
        ("15T tokens", 15 * 10**12, "tokens"),
        ("700 W", 700, "W"),
    ],
)
def test_a_value_is_exact_and_keeps_its_unit(text, value, unit):
    quantity = read_value(text)
    assert quantity.value == value
    assert quantity.unit is not None
    assert quantity.unit.text == unit


def test_a_duration_in_parts_has_no_single_unit():
    quantity = read_value("14 min 8 s")
    assert (quantity.value, quantity.unit) == (848, None)


@pytest.mark.parametrize("text", ["7B", "16 B", "989 TFLOPs", "3 gb", "3/11 %", "0,5", "12:30"])
def test_a_value_with_two_readings_is_refused(text):
    with pytest.raises(UnclearError):
        read_value(text)


@pytest.mark.parametrize(
    "text",
    ["", "many", "5 kg", "1/0", "G", "3 GB or 4 GB", "x", "16*P", "14 m", "93K GPU-h"],
)
def test_what_has_no_value_is_refused(text):
    with pytest.raises(UnreadableError) as caught:
        read_value(text)
    assert caught.value.hint
