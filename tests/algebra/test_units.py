"""The closed table of units, with pint as a second opinion where it can be trusted."""

from __future__ import annotations

from fractions import Fraction

import pint
import pytest

from drillkit.algebra.answer import parse_unit
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import TABLE, TIME, Atom, Table, build_table, combine, raised, times


def test_a_spelling_with_two_meanings_stops_the_table():
    table = build_table()
    with pytest.raises(ValueError, match="'GB' is defined twice"):
        table.add(Atom("GB", "gauss", "G", Fraction(1), TIME))


def test_every_spelling_of_the_table_is_read_as_itself():
    for spelling, atoms in TABLE.exact.items():
        unit = parse_unit(spelling)
        assert unit.factor in {atom.factor for atom in atoms}, spelling


def test_only_bytes_and_bits_and_flops_share_a_folded_spelling():
    shared = {
        spelling: {atom.kind for atom in atoms}
        for spelling, atoms in TABLE.folded.items()
        if len(atoms) > 1
    }
    assert all(kinds in ({"byte", "bit"}, {"flop"}) for kinds in shared.values()), shared


def test_an_empty_table_takes_a_new_spelling():
    table = Table()
    table.add(Atom("tick", "tick", "", Fraction(1), TIME))
    assert table.exact["tick"][0].factor == 1


PINT = {
    "GB": "gigabyte",
    "GiB": "gibibyte",
    "MB": "megabyte",
    "TiB": "tebibyte",
    "kB": "kilobyte",
    "Gb": "gigabit",
    "Gbit": "gigabit",
    "TB": "terabyte",
    "PiB": "pebibyte",
    "Mib": "mebibit",
    "min": "minute",
    "h": "hour",
    "days": "day",
    "weeks": "week",
    "year": "year",
    "ms": "millisecond",
    "us": "microsecond",
    "ns": "nanosecond",
    "kWh": "kilowatt_hour",
    "MW": "megawatt",
    "kJ": "kilojoule",
    "GB/s": "gigabyte/second",
    "Gbps": "gigabit/second",
    "TB/min": "terabyte/minute",
    "GiB/h": "gibibyte/hour",
    "%": "percent",
}


BASE = {"data": "byte", "time": "second", "energy": "joule"}


@pytest.fixture(scope="module")
def registry():
    return pint.UnitRegistry(cache_folder=None, non_int_type=Fraction)


@pytest.mark.parametrize(("ours", "theirs"), PINT.items())
def test_pint_agrees_on_the_size_of_a_unit(registry, ours, theirs):
    unit = parse_unit(ours)
    target = "*".join(f"{BASE[name]}**{power}" for name, power in unit.dimension)
    quantity = registry.Quantity(Fraction(1), theirs)
    assert quantity.to(target or "dimensionless").magnitude == unit.factor


@pytest.mark.parametrize(
    ("text", "factor", "dimension"),
    [
        ("GPU-hours", 3600, {"gpu": 1, "time": 1}),
        ("GPU·h", 3600, {"gpu": 1, "time": 1}),
        ("GPU hours", 3600, {"gpu": 1, "time": 1}),
        ("GPUh", 3600, {"gpu": 1, "time": 1}),
        ("FLOP/byte", 1, {"op": 1, "data": -1}),
        ("FLOP per byte", 1, {"op": 1, "data": -1}),
        ("TFLOP/s", 10**12, {"op": 1, "time": -1}),
        ("TFLOPS", 10**12, {"op": 1, "time": -1}),
        ("tokens/s/GPU", 1, {"token": 1, "time": -1, "gpu": -1}),
        ("$/GPU-hour", Fraction(1, 3600), {"usd": 1, "gpu": -1, "time": -1}),
        ("million USD", 10**6, {"usd": 1}),
        ("billion params", 10**9, {"param": 1}),
        ("PFLOPS-days", 10**15 * 86400, {"op": 1}),
        ("bytes per token", 1, {"data": 1, "token": -1}),
        ("GB s⁻¹", 10**9, {"data": 1, "time": -1}),
        ("s²", 1, {"time": 2}),
        ("×", 1, {}),
        ("x", 1, {}),
        ("", 1, {}),
        ("%", Fraction(1, 100), {}),
    ],
)
def test_units_are_combined(text, factor, dimension):
    unit = parse_unit(text)
    assert unit.factor == factor
    assert dict(unit.dimension) == dimension


@pytest.mark.parametrize("text", ["furlong", "GB GB2", "5 GB", "G", "kg", "GB/", "e", "GB^99", "("])
def test_what_is_no_unit_is_an_error(text):
    with pytest.raises(UnreadableError):
        parse_unit(text)


def test_a_noun_takes_its_time_into_the_denominator():
    assert dict(parse_unit("$/GPU-h").dimension) == {"usd": 1, "gpu": -1, "time": -1}
    assert dict(parse_unit("GPU/h").dimension) == {"gpu": 1, "time": -1}


def test_dimensions_cancel():
    assert combine((("data", 1),), (("data", 1),), -1) == ()
    assert combine((), (("time", 1),), -2) == (("time", -2),)
    second = parse_unit("s")
    assert raised(second, -1).text == "s⁻¹"
    assert times(parse_unit("GB"), second, power=-1).text == "GB/s"
