"""Values in the sentences of a problem: exact, short, and read back as the same value."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

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
from drillkit.algebra.format import (
    format_count,
    format_number,
    format_quantity,
    singular,
    write_expression,
)
from drillkit.algebra.units import NO_DIMENSION, Unit, hard

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN_FIGURES = 3
ANSWER_FIGURES = 4
MOST_FIGURES = 12
PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
_LETTERS = {"": 1, "k": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


def counted(unit: Unit) -> bool:
    """Whether a unit is a counted noun alone (GPU, param, token): sentences name it themselves."""
    return unit.factor == 1 and unit.dimension != NO_DIMENSION and not hard(unit.dimension)


def shown(value: Fraction, unit: Unit) -> str:
    """A stated value: `80 GB`, `12,288`, `6.74B`, `40 %`, without a counted noun.

    It is exact unless it has more than 12 figures.
    """
    if counted(unit):
        return _exact_count(value)
    return _with_unit(exact_number(value / unit.factor), unit)


def _with_unit(number: str, unit: Unit) -> str:
    if unit.text.startswith("$"):
        sign = "−" if number.startswith("−") else ""
        return f"{sign}${number.removeprefix('−')}{unit.text[1:]}"
    return singular(f"{number} {unit.text}".rstrip())


def _exact_count(value: Fraction) -> str:
    if abs(value) >= 10**6:
        short = format_count(value, SHOWN_FIGURES)
        match = re.fullmatch(r"−?([\d.,]+)([kMBT]?)", short)
        if match and Fraction(match[1].replace(",", "")) * _LETTERS[match[2]] == abs(value):
            return short
    return exact_number(value)


def exact_number(value: Fraction) -> str:
    """All figures of a number, thousands apart: `12,288`, `1.875`, `3 × 10¹²`."""
    if value.denominator == 1 and abs(value) < 10**9:
        return f"{'−' if value < 0 else ''}{abs(value.numerator):,}"
    for figures in range(SHOWN_FIGURES, MOST_FIGURES):
        if rounded(value, figures) == value:
            return format_number(value, figures)
    return format_number(value, MOST_FIGURES)


def rounded(value: Fraction, figures: int) -> Fraction:
    """The value to that many significant figures, halves away from zero."""
    if not value:
        return value
    power = len(str(abs(value.numerator))) - len(str(value.denominator))
    while abs(value) < Fraction(10) ** power:
        power -= 1
    step = Fraction(10) ** (power - figures + 1)
    whole = int(abs(value) / step + Fraction(1, 2)) * step
    return whole if value > 0 else -whole


def answered(value: Fraction, unit: Unit, *, exact: bool, within: Fraction) -> str:
    """An answer in its unit, with the figures that its tolerance needs: `112 GB`, `47 GPUs`."""
    number = value / unit.factor
    figures = ANSWER_FIGURES
    while not exact and figures < MOST_FIGURES and Fraction(10) ** (1 - figures) > within / 4:
        figures += 1
    if exact:
        text = exact_number(number)
    elif counted(unit):
        text = format_count(number, figures)
    else:
        text = format_number(number, figures)
    return _with_unit(text, unit)


def fill(text: str, words: Mapping[str, str]) -> str:
    """Put the values into a sentence; a name in braces without one stays as it is.

    What is counted once comes in the singular: `1 sequence of 2,048 tokens`.
    """
    return singular(PLACEHOLDER.sub(lambda found: words.get(found[1], found[0]), text))


def suited(value: Fraction, unit: Unit, figures: int = ANSWER_FIGURES) -> str:
    """A value of an intermediate step in its unit, to four figures or more."""
    if unit.text.startswith("$"):
        return _with_unit(format_number(value / unit.factor, figures), unit)
    return format_quantity(Quantity(value, unit.dimension, unit), unit, figures)


def number_text(value: Fraction, least: int = ANSWER_FIGURES) -> str:
    """A number in the line of a calculation: `12,288`, `7×10⁹`, `0.4`; `least` figures or all."""
    if value.denominator == 1 and abs(value) < 10**6:
        return exact_number(value)
    for figures in range(1, MOST_FIGURES // 2):
        if rounded(value, figures) == value:
            break
    else:
        figures = least
    size = abs(value)
    if Fraction(1, 1000) <= size < 10**6:
        return format_number(value, max(figures, least))
    power = math.floor(math.log10(float(size))) if size else 0
    mantissa = rounded(value, figures) / Fraction(10) ** power
    if abs(mantissa) >= 10:
        mantissa, power = mantissa / 10, power + 1
    raised = str(power).translate(_SUPERSCRIPT)
    return f"10{raised}" if mantissa == 1 else f"{format_number(mantissa, figures)}×10{raised}"


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def put_in(tree: Expression, texts: Mapping[str, str]) -> str:
    """A formula with numbers in the place of its symbols."""
    return maths(write_expression(_with_numbers(tree, texts, tight=False)))


def written(tree: Expression) -> str:
    """A formula as it is shown: `τ = √(2·δ·M)`."""
    return maths(write_expression(_with_numbers(tree, _GREEK, tight=False)))


def letter(symbol: str) -> str:
    """A symbol as it is shown: Greek ones as letters."""
    return _GREEK.get(symbol, symbol)


def maths(text: str) -> str:
    """A written formula with its whole powers raised and its roots as signs."""
    raised = _POWER.sub(lambda found: found[1].translate(_SUPERSCRIPT), text)
    return raised.replace("sqrt(", "√(")


_POWER = re.compile(r"\^(\d{1,2})(?![\d.])")
_GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "eta": "η",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "psi": "ψ",
    "Psi": "Ψ",
    "omega": "ω",
}
"""Symbols are typed in ASCII; the reader of answers takes these letters for the same names."""


def _with_numbers(tree: Expression, texts: Mapping[str, str], *, tight: bool) -> Expression:
    """Replace symbols; `tight` where a product or a sign would need brackets."""
    match tree:
        case Name(name):
            text = texts.get(name, name)
            bracketed = (tight and "×" in text) or text.startswith("−")
            return Name(f"({text})" if bracketed else text)
        case Number():
            return tree
        case Negative(term):
            return Negative(_with_numbers(term, texts, tight=True))
        case Measured(term, unit):
            return Measured(_with_numbers(term, texts, tight=True), unit)
        case Binary(sign, left, right):
            return Binary(
                sign,
                _with_numbers(left, texts, tight=sign == "^"),
                _with_numbers(right, texts, tight=sign in {"/", "^"}),
            )
        case Call(function, parts):
            inner = tuple(_with_numbers(part, texts, tight=False) for part in parts)
            return Call(function, inner)
