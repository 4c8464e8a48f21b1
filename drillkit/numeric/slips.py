"""Mistakes that any problem can meet: a wrong unit or prefix, a lost factor, a turned fraction.

Ids are stable: gb_gib, bits_bytes, prefix, time_unit, percent, sign, complement, reciprocal,
power_of_ten, factor_two, not_rounded, rounded_wrong_way.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.units import HARD, PREFIX_FACTORS, SECONDS, Dimension, Unit, has
from drillkit.numeric.verdict import Named

if TYPE_CHECKING:
    from collections.abc import Iterator

_SI = ("", "k", "M", "G", "T", "P", "E", "Z", "Y")
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi")
_SMALL = ("", "m", "u", "n")

GB_GIB = Named("gb_gib", "GB and GiB differ: 1 GB is 10⁹ bytes, 1 GiB is 2³⁰ bytes.")
BITS_BYTES = Named("bits_bytes", "Bits and bytes differ by 8: b is a bit, B is a byte.")
PREFIX = Named("prefix", "The prefix is off: each step (k, M, G, T) is a factor of 1,000.")
TIME_UNIT = Named("time_unit", "The unit of time is off: 60 s are 1 min, 3,600 s are 1 h.")
PERCENT = Named("percent", "A share and a percentage differ by 100: 0.25 is 25 %.")
SIGN = Named("sign", "The sign is turned.")
COMPLEMENT = Named("complement", "This is the rest, 1 − x, not the share itself.")
RECIPROCAL = Named("reciprocal", "The fraction is upside down: this is 1/x.")
POWER_OF_TEN = Named("power_of_ten", "A power of ten is lost or added.")
FACTOR_TWO = Named("factor_two", "A factor of 2 is lost or added.")
NOT_ROUNDED = Named("not_rounded", "Things that are counted come whole: round the result.")
ROUNDED_WRONG_WAY = Named("rounded_wrong_way", "The result is rounded the wrong way.")


class Exchange(NamedTuple):
    """A slip that scales: the value times `factor` would be right."""

    named: Named
    factor: Fraction


def exchanges_of_unit(unit: Unit) -> Iterator[Exchange]:
    """What replacing one part of the written unit by a sibling does to the value."""
    for atom, power in unit.parts:
        if atom.kind in {"byte", "bit"}:
            swap = Fraction(8) if atom.kind == "bit" else Fraction(1, 8)
            yield Exchange(BITS_BYTES, swap**power)
        if atom.kind == "percent":
            yield Exchange(PERCENT, Fraction(100) ** power)
        if atom.kind in SECONDS:
            yield from _of_time(atom.kind, atom.factor, power)
        elif atom.kind not in {"percent", "factor"} and not _is_count(atom.dimension):
            yield from _of_prefix(atom.kind, atom.prefix, power)


def _is_count(dimension: Dimension) -> bool:
    return bool(dimension) and all(name not in HARD | {"token", "param"} for name, _ in dimension)


def _of_time(kind: str, factor: Fraction, power: int) -> Iterator[Exchange]:
    for other, seconds in SECONDS.items():
        if other != kind:
            yield Exchange(TIME_UNIT, (seconds / factor) ** power)
    for prefix in _SMALL:
        if PREFIX_FACTORS[prefix] != factor:
            named = PREFIX if kind == "second" else TIME_UNIT
            yield Exchange(named, (PREFIX_FACTORS[prefix] / factor) ** power)


def _of_prefix(kind: str, prefix: str, power: int) -> Iterator[Exchange]:
    system = _BINARY if prefix in _BINARY[1:] else _SI
    order = system.index(prefix) if prefix in system else 0
    systems = (_SI, _BINARY) if kind in {"byte", "bit"} else (_SI,)
    for names in systems:
        for other_order, other in enumerate(names):
            if other == prefix or (names is _BINARY and not other_order):
                continue
            named = GB_GIB if names is not system and other_order == order else PREFIX
            yield Exchange(named, (PREFIX_FACTORS[other] / PREFIX_FACTORS[prefix]) ** power)


SCALE_EXCHANGES = tuple(
    Exchange(PREFIX, Fraction(1000) ** order) for order in (-3, -2, -1, 1, 2, 3)
)
"""What replacing k, M, B or T by another of them does."""


def generic_exchanges(dimension: Dimension, written: tuple[Unit, ...]) -> Iterator[Exchange]:
    """The scaling slips that make sense for a quantity of this dimension.

    `written` are the units typed and asked for: their prefixes say which power of 1024 is meant.
    """
    for order in range(1, 9):
        yield from _both(PREFIX, Fraction(1000) ** order)
    if has(dimension, "data"):
        for atom, _ in (part for unit in written for part in unit.parts):
            if atom.kind in {"byte", "bit"} and atom.prefix:
                system = _BINARY if atom.prefix in _BINARY else _SI
                order = system.index(atom.prefix)
                yield from _both(GB_GIB, Fraction(1024, 1000) ** order)
        yield from _both(BITS_BYTES, Fraction(8))
    if has(dimension, "time"):
        for ratio in (60, 3600, 24, 1440, 86_400):
            yield from _both(TIME_UNIT, Fraction(ratio))
    if not dimension:
        yield from _both(PERCENT, Fraction(100))
    yield Exchange(SIGN, Fraction(-1))
    for order in range(1, 13):
        if order % 3 and (dimension or order != 2):
            yield from _both(POWER_OF_TEN, Fraction(10) ** order)
    yield from _both(FACTOR_TWO, Fraction(2))


def _both(named: Named, factor: Fraction) -> Iterator[Exchange]:
    yield Exchange(named, factor)
    yield Exchange(named, 1 / factor)


def generic_values(truth: Fraction, *, share: bool) -> Iterator[tuple[Named, Fraction]]:
    """The values that a turned or complemented plain number takes."""
    if share and 0 < truth < 1:
        yield COMPLEMENT, 1 - truth
    if truth:
        yield RECIPROCAL, 1 / truth
