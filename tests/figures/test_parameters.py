"""What can be set in a figure: reading, range, steps, and what every figure has in common (F7)."""

from __future__ import annotations

import re

import pytest
from drawn import text
from hypothesis import given, settings
from hypothesis import strategies as st

from drillkit.errors import UsageError
from drillkit.figures.catalogue import FIGURES, figure, parse
from drillkit.figures.drawing import Size, text_of
from drillkit.figures.parameters import Amount, doublings, round_stops

# The contract's table of figures and their parameters.
CONTRACT = {
    "zero": "P N stage L h a s b attention checkpoint tp",
    "ring": "p n step",
    "pipeline": "schedule p m v tf tb tw",
    "roofline": "gpu B D F",
    "checkpoint": "M delta R tau simulate seed",
    "megatron": "t split",
    "collectives": "op p",
}


@pytest.mark.parametrize("name", CONTRACT)
def test_every_figure_has_the_parameters_of_the_contract(name):
    names = {one.name for one in figure(name).parameters}
    assert set(CONTRACT[name].split()) <= names


@pytest.mark.parametrize(
    ("name", "key", "typed", "base"),
    [
        ("zero", "P", "7e9", 7e9),
        ("zero", "P", "7B", 7e9),
        ("zero", "N", "64", 64),
        ("zero", "N", "64 GPUs", 64),
        ("ring", "n", "2 GB", 2e9),
        ("ring", "n", "2e9", 2e9),
        ("ring", "n", "1 GiB", 2**30),
        ("checkpoint", "M", "24", 86_400),
        ("checkpoint", "M", "1 day", 86_400),
        ("checkpoint", "delta", "0.05", 180),
        ("checkpoint", "delta", "30 s", 30),
        ("pipeline", "tb", "1.5", 1.5),
    ],
)
def test_values_are_read_in_the_language_of_answers(name, key, typed, base):
    assert figure(name).read({key: typed})[key] == pytest.approx(base)


@pytest.mark.parametrize(
    ("name", "key", "typed", "said"),
    [
        ("zero", "N", "64 GB", "GPU is asked for"),
        ("zero", "N", "0", "must lie between"),
        ("zero", "N", "2.5", "whole number"),
        ("zero", "stage", "4", "must lie between"),
        ("zero", "attention", "sparse", "cannot be"),
        ("zero", "Q", "1", "no parameter"),
        ("ring", "p", "1", "must lie between"),
        ("pipeline", "schedule", "dualpipe", "cannot be"),
        ("checkpoint", "M", "soon", "M=soon"),
    ],
)
def test_what_cannot_be_set_is_told(name, key, typed, said):
    with pytest.raises(UsageError, match=re.escape(said)):
        figure(name).read({key: typed})


def test_a_card_s_key_names_a_figure_and_its_numbers():
    kind, given_settings = parse("zero P=7e9 N=64 stage=3")
    assert kind.name == "zero"
    assert given_settings == {"P": "7e9", "N": "64", "stage": "3"}
    assert parse("ring n=2 GB p=8")[1] == {"n": "2 GB", "p": "8"}
    assert parse("megatron")[1] == {}
    for wrong in ("", "zerro", "zero 7e9", "zero =3"):
        with pytest.raises(UsageError):
            parse(wrong)[0].read(parse(wrong)[1])


@pytest.mark.parametrize("name", FIGURES)
def test_shown_values_can_be_typed_again(name):
    kind = figure(name)
    values = kind.read({})
    for one in kind.parameters:
        for stop in getattr(one, "stops", getattr(one, "options", ())):
            typed = one.shown(stop).removesuffix(" t")
            again = one.read(typed)
            assert again == stop or again == pytest.approx(stop, rel=0.01)
    assert set(kind.shown(values)) == set(values)


@pytest.mark.parametrize("name", FIGURES)
def test_stops_lie_in_range_and_every_slider_reaches_both_ends(name):
    kind = figure(name)
    for one in kind.parameters:
        if isinstance(one, Amount):
            assert list(one.stops) == sorted(set(one.stops))
            assert one.low <= one.stops[0] <= one.default <= one.stops[-1] <= one.high
            ends = one.stops[0], one.stops[-1]
        else:
            ends = one.options[0], one.options[-1]
        here = one.default
        for _ in range(500):
            here = one.moved(here, -1)
        assert here == ends[0] == one.at_share(0)
        assert one.share(here) == 0
        for _ in range(500):
            here = one.moved(here, 1)
        assert here == ends[1] == one.at_share(1)
        assert one.share(here) == 1


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_figure_can_be_drawn_wherever_its_sliders_stand(name, data):
    kind = figure(name)
    values = {
        one.name: data.draw(
            st.sampled_from(one.stops if isinstance(one, Amount) else one.options), label=one.name
        )
        for one in kind.parameters
    }
    columns = data.draw(st.sampled_from([56, 76, 116]), label="columns")
    drawn = kind.draw(kind.settled(values), Size(columns, 14))
    assert drawn.reading
    assert "nan" not in text_of(drawn.lines)
    assert all(number.text for number in drawn.numbers.values())


@pytest.mark.parametrize("name", FIGURES)
def test_presets_and_questions_can_be_read(name):
    kind = figure(name)
    for preset in kind.presets:
        kind.read(dict(preset.settings))
    for question in kind.questions:
        for part in question.parts:
            assert part.number in kind.draw(kind.read(dict(part.settings))).numbers


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "pipeline"])
def test_every_default_figure_is_usable_on_80_by_24(name):
    """F7: 80 columns, and no more rows than are left beside sliders and reading."""
    rows = text(name, Size(75, 12)).splitlines()
    assert max(map(len, rows)) <= 76
    assert len(rows) <= 16


def test_stops():
    assert doublings(1, 8) == (1, 2, 4, 8)
    assert round_stops(1, 50) == (1, 2, 5, 10, 20, 50)
