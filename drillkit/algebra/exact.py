"""Arithmetic on exact fractions that cannot explode: every result has bounded size and range.

A value stays exact while its numerator and denominator fit in `EXACT_BITS`; past that it is rounded
to `KEPT_BITS` significant bits, which is 48 decimal digits and far below any tolerance in use.
"""

from __future__ import annotations

import math
from fractions import Fraction

from drillkit.algebra.outcome import RejectedError, UndefinedError

LARGEST_EXPONENT = 64
LARGEST_POWER_OF_TEN = 60
EXACT_BITS = 400
KEPT_BITS = 160

_HIGHEST = Fraction(10**LARGEST_POWER_OF_TEN)
_LOWEST = 1 / _HIGHEST
# 10**60 lies between 2**199 and 2**200, so a quotient of bit lengths below this is inside for sure.
_SAFE_BITS = 197


def bounded(value: Fraction) -> Fraction:
    """The value itself, rounded when it has grown long; raises RejectedError outside 1e±60."""
    size = value.numerator.bit_length()
    depth = value.denominator.bit_length()
    if size == 0:
        return value
    spread = size - depth
    if not -_SAFE_BITS < spread < _SAFE_BITS and not _LOWEST <= abs(value) <= _HIGHEST:
        raise RejectedError(
            f"a number is outside 1e-{LARGEST_POWER_OF_TEN} to 1e{LARGEST_POWER_OF_TEN}",
            hint="check the exponents",
        )
    if size <= EXACT_BITS and depth <= EXACT_BITS:
        return value
    shift = KEPT_BITS - spread
    if shift <= 0:
        return Fraction(value.numerator // value.denominator)
    return Fraction((value.numerator << shift) // value.denominator, 1 << shift)


def divide(left: Fraction, right: Fraction) -> Fraction:
    """The quotient; raises UndefinedError for a division by zero."""
    if not right:
        raise UndefinedError("there is a division by zero", hint="check the denominator")
    return bounded(left / right)


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """`base` to an exponent of at most 64 either way; raises RejectedError and UndefinedError."""
    if abs(exponent) > LARGEST_EXPONENT:
        raise RejectedError(
            f"an exponent is larger than {LARGEST_EXPONENT}", hint="write large numbers as 1e9"
        )
    if exponent.denominator == 1:
        return _whole_power(base, exponent.numerator)
    if base < 0:
        raise UndefinedError("a negative number has a fractional exponent", hint="check its sign")
    if not base:
        if exponent < 0:
            raise UndefinedError("there is a division by zero", hint="check the exponent")
        return base
    if exponent.denominator == 2:
        return _whole_power(root(base), exponent.numerator)
    return from_log(log(base) * float(exponent))


def _whole_power(base: Fraction, exponent: int) -> Fraction:
    if exponent < 0:
        base = divide(Fraction(1), base)
    result = Fraction(1)
    # From the top bit down, so that no step is further from 1 than the result itself.
    for bit in f"{abs(exponent):b}":
        result = bounded(result * result)
        if bit == "1":
            result = bounded(result * base)
    return result


def root(value: Fraction) -> Fraction:
    """The square root: exact where it is rational, otherwise to 48 digits."""
    if value < 0:
        raise UndefinedError("there is a square root of a negative number", hint="check the signs")
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if above * above == value.numerator and below * below == value.denominator:
        return Fraction(above, below)
    spread = value.numerator.bit_length() - value.denominator.bit_length()
    shift = KEPT_BITS - spread // 2
    scaled = (value.numerator << (2 * shift)) // value.denominator
    return Fraction(math.isqrt(scaled), 1 << shift)


def log(value: Fraction) -> float:
    """The natural logarithm in floating point; raises UndefinedError at zero and below."""
    if value <= 0:
        raise UndefinedError(
            "there is a logarithm of zero or less", hint="check what stands inside"
        )
    return math.log(value.numerator) - math.log(value.denominator)


def log2(value: Fraction) -> Fraction:
    """The logarithm to base 2: exact for powers of two."""
    if value > 0:
        size, depth = value.numerator.bit_length(), value.denominator.bit_length()
        if value == Fraction(1 << (size - 1), 1 << (depth - 1)):
            return Fraction(size - depth)
    return Fraction(log(value) / math.log(2))


def from_log(exponent: float) -> Fraction:
    """e to that power; raises RejectedError outside 1e±60."""
    if abs(exponent) > LARGEST_POWER_OF_TEN * math.log(10) + 1:
        raise RejectedError("a power is outside the range that is read", hint="check the exponents")
    return bounded(Fraction(math.exp(exponent)))
