"""Numbers and quantities as text, for the whole app.

Three significant digits unless more are known to matter, thousands separated by commas, the prefix
that leaves a number between 1 and 1000, durations in two parts (`14 min 8 s`). What is written here
the reader reads back.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra import units
from drillkit.algebra.expression import (
    Binary,
    Call,
    Expression,
    Measured,
    Name,
    Negative,
    Number,
    Quantity,
)
from drillkit.algebra.units import DATA, TIME, Dimension, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

FIGURES = 3
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_OPS: Dimension = (("op", 1),)
_OP_RATE: Dimension = (("op", 1), ("time", -1))
_POWER: Dimension = (("energy", 1), ("time", -1))
_DATA_RATE: Dimension = (("data", 1), ("time", -1))
_DECIMAL = ("", "k", "M", "G", "T", "P", "E")


def format_number(value: Fraction | float, figures: int = FIGURES, *, padded: bool = False) -> str:
    """A number rounded to that many significant digits: `93,500`, `0.273`, `4.2 × 10²²`.

    Zeros after the point are dropped unless `padded`; whole numbers below a million stay whole.
    """
    exact = Fraction(value)
    if not exact:
        return "0"
    sign = "−" if exact < 0 else ""
    exact = abs(exact)
    power = _power_of_ten(exact)
    if exact.denominator == 1 and exact < 10**6 and not padded:
        return f"{sign}{int(exact):,}"
    digits = _rounded(exact, power, figures)
    if digits == 10**figures:
        digits //= 10
        power += 1
    if power >= 9 or power < -4:
        mantissa = _with_point(digits, figures - 1)
        raised = f"10{str(power).translate(_SUPERSCRIPT)}"
        return f"{sign}{raised}" if mantissa == "1" else f"{sign}{mantissa} × {raised}"
    places = figures - 1 - power
    if places <= 0:
        return f"{sign}{digits * 10**-places:,}"
    return f"{sign}{_with_point(digits, places, padded=padded)}"


def _power_of_ten(value: Fraction) -> int:
    """The exponent of the first significant digit."""
    power = len(str(value.numerator)) - len(str(value.denominator))
    while value < Fraction(10) ** power:
        power -= 1
    return power


def _rounded(value: Fraction, power: int, figures: int) -> int:
    """The significant digits as one whole number, halves rounded up."""
    scaled = value * Fraction(10) ** (figures - 1 - power)
    return int(scaled + Fraction(1, 2))


def _with_point(digits: int, places: int, *, padded: bool = False) -> str:
    whole, part = divmod(digits, 10**places)
    decimals = str(part).zfill(places) if places else ""
    if not padded:
        decimals = decimals.rstrip("0")
    return f"{whole:,}.{decimals}" if decimals else f"{whole:,}"


def format_count(value: Fraction | float, figures: int = FIGURES) -> str:
    """A large count as people say it: `7B`, `1.5T`, `93.5k`; in full below 10,000.

    A whole number up to ten million that a letter would round is written out: `4,194,304`.
    """
    exact = Fraction(value)
    size = abs(exact)
    for limit, letter in ((12, "T"), (9, "B"), (6, "M"), (3, "k")):
        scaled = exact / 10**limit
        if 1 <= abs(scaled) < 1000 and size >= 10_000:
            rounds = (scaled * 10 ** (figures - 1 - _power_of_ten(abs(scaled)))).denominator != 1
            if rounds and exact.denominator == 1 and size <= 10**7:
                return f"{'−' if exact < 0 else ''}{int(size):,}"
            return f"{format_number(scaled, figures)}{letter}"
    return format_number(exact, figures)


def format_duration(seconds: Fraction | float, figures: int = FIGURES) -> str:
    """A duration as people say it: `7.5 ms`, `48.2 s`, `14 min 8 s`, `49.5 h`, `5.8 years`."""
    exact = Fraction(seconds)
    sign = "−" if exact < 0 else ""
    exact = abs(exact)
    if exact < 60:
        for factor, text in ((1, "s"), (10**3, "ms"), (10**6, "µs"), (10**9, "ns")):
            if exact * factor >= 1 or text == "ns" or not exact:
                return f"{sign}{format_number(exact * factor, figures)} {text}"
    if exact >= 365 * 86_400:
        return f"{sign}{format_number(exact / units.SECONDS['year'], figures)} years"
    if exact >= 100 * 3600:
        return f"{sign}{format_number(exact / 86_400, figures)} days"
    if exact >= 86_400:
        return f"{sign}{format_number(exact / 3600, figures)} h"
    for large, small, ratio, large_text, small_text in (
        (3600, 60, 60, "h", "min"),
        (60, 1, 60, "min", "s"),
    ):
        whole = int(exact / small + Fraction(1, 2))
        if exact >= large:
            first, second = divmod(whole, ratio)
            rest = f" {second} {small_text}" if second else ""
            return f"{sign}{first} {large_text}{rest}"
    return f"{sign}{format_number(exact, figures)} s"


def format_typed(number: Fraction, unit: Unit, figures: int) -> str:
    """A number as it was typed, with its unit and all its figures up to 8."""
    figures = max(FIGURES, min(figures, 8))
    return _with_unit(format_number(number, figures), unit)


def singular(text: str) -> str:
    """Return a text with its counts of one in the singular: `1 GPUs` becomes `1 GPU`.

    A hyphenated word may stand between (`1 key-value head`); `N − 1 GPUs` stays as it is.
    """
    return _ONE.sub(lambda found: found[1] + units.PLURALS[found[2]], text)


_ONE = re.compile(
    r"(?<![\w.,-])(?<![−+·×/^-] )(1 (?:[A-Za-z]+-[a-z]+ )?(?:[A-Za-z]+-)*)"
    rf"({'|'.join(units.PLURALS)})(?![\w-])"
)


def _with_unit(number: str, unit: Unit) -> str:
    if not unit.text:
        return number
    if unit.text == "$":
        return f"−${number[1:]}" if number.startswith("−") else f"${number}"
    return singular(f"{number} {unit.text}")


def format_quantity(
    quantity: Quantity,
    unit: Unit | None = None,
    figures: int = FIGURES,
    *,
    padded: bool = False,
) -> str:
    """A quantity in that unit, in its own, or in the one that suits its size."""
    shown = unit or quantity.unit
    if shown is not None and shown.dimension == quantity.dimension:
        number = quantity.value / shown.factor
        if _counts(shown):
            return _with_unit(format_count(number, figures), shown)
        return _with_unit(format_number(number, figures, padded=padded), shown)
    if quantity.dimension == TIME:
        return format_duration(quantity.value, figures)
    return _suited(quantity, figures)


def _counts(unit: Unit) -> bool:
    """Whether a unit is one counted noun, as in `7B params`."""
    dimension = unit.dimension
    return unit.factor == 1 and len(dimension) == 1 and dimension == units.nouns(dimension)


def _suited(quantity: Quantity, figures: int) -> str:
    dimension = quantity.dimension
    endings: Sequence[tuple[Dimension, str]] = (
        (DATA, "B"),
        (_DATA_RATE, "B/s"),
        (_OPS, "FLOP"),
        (_OP_RATE, "FLOP/s"),
        (_POWER, "W"),
    )
    for known, ending in endings:
        if dimension == known:
            number, prefix = _prefixed(quantity.value)
            return f"{format_number(number, figures)} {prefix}{ending}"
    if dimension == (("usd", 1),):
        return _with_unit(format_number(quantity.value, figures), units.DOLLAR)
    if not dimension:
        return format_number(quantity.value, figures)
    if len(dimension) == 1 and dimension == units.nouns(dimension):
        return f"{format_count(quantity.value, figures)} {describe(dimension)}"
    return f"{format_number(quantity.value, figures)} {describe(dimension)}"


def _prefixed(value: Fraction) -> tuple[Fraction, str]:
    """The number with the SI prefix that leaves it between 1 and 1000, where there is one."""
    for order in range(len(_DECIMAL) - 1, 0, -1):
        if abs(value) >= 1000**order:
            if abs(value) >= 1000 ** (order + 1):
                break
            return value / 1000**order, _DECIMAL[order]
    return value, ""


_BASE_TEXT = {
    "data": "B",
    "time": "s",
    "op": "FLOP",
    "usd": "$",
    "energy": "J",
    "gpu": "GPU",
    "nic": "NIC",
}


def describe(dimension: Dimension) -> str:
    """A dimension in base units: `B/s`, `GPU·s`, `FLOP/B`."""
    above = [_power(name, power) for name, power in dimension if power > 0]
    below = [_power(name, -power) for name, power in dimension if power < 0]
    return "/".join(["·".join(above) or "1", *below])


def _power(name: str, power: int) -> str:
    text = _BASE_TEXT.get(name, name)
    return text if power == 1 else f"{text}{str(power).translate(_SUPERSCRIPT)}"


_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_SIGNS = {"+": " + ", "-": " − ", "*": "·", "/": "/"}


def write_expression(tree: Expression) -> str:
    """An expression as text with the fewest brackets: `(p − 1)/(m + p − 1)`."""
    return _written(tree, 0)


def _written(tree: Expression, around: int) -> str:
    match tree:
        case Number(value):
            text = _constant(value)
            return f"({text})" if "/" in text and around >= 2 else text
        case Name(name):
            return name
        case Negative(term):
            text = f"−{_written(term, 3)}"
            return f"({text})" if around >= 1 else text
        case Call(function, arguments):
            return f"{function}({', '.join(_written(part, 0) for part in arguments)})"
        case Measured(term, unit):
            text = f"{_written(term, 3)} {unit.text}"
            return f"({text})" if around >= 2 else text
        case Binary(sign, left, right):
            strength = _STRENGTH[sign]
            if sign == "^":
                text = f"{_written(left, 5)}^{_written(right, 4)}"
            else:
                # a − (b + c), a/(b·c): what stands on the right needs its brackets.
                after = strength + 1 if sign in {"-", "/"} else strength
                text = f"{_written(left, strength)}{_SIGNS[sign]}{_written(right, after)}"
            return f"({text})" if strength < around else text


def _constant(value: Fraction) -> str:
    if value.denominator == 1 and abs(value) < 10**6:
        return str(value)
    if value.denominator < 1000 and value.numerator < 10**6:
        decimal = float(value)
        if Fraction(str(decimal)) == value:
            return str(decimal)
        return f"{value.numerator}/{value.denominator}"
    return format_number(value, 6)
