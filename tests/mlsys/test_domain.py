"""What every formula refuses, by name, and how a count is rounded."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.mlsys.domain import at_least, fraction, positive, round_up


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan])
def test_positive_refuses_what_is_no_number_above_zero(value):
    with pytest.raises(ValueError, match="second must be"):
        positive(first=1, second=value)


@pytest.mark.parametrize("value", [0.5, -math.inf, math.inf, math.nan])
def test_at_least_refuses_what_is_below_or_no_number(value):
    at_least(1, ranks=1)
    with pytest.raises(ValueError, match="ranks must be"):
        at_least(1, ranks=value)


@pytest.mark.parametrize("value", [0, 1.01, math.nan])
def test_a_fraction_lies_above_0_and_at_most_at_1(value):
    fraction(share=1)
    with pytest.raises(ValueError, match="share must be"):
        fraction(share=value)


@given(count=st.integers(0, 10**6), noise=st.sampled_from([-1e-12, 0, 1e-12]))
def test_rounding_up_drops_floating_point_noise(count, noise):
    assert round_up(count * (1 + noise)) == count
    assert round_up(count + 0.01) == count + 1


def test_rounding_up_refuses_what_has_no_end():
    with pytest.raises(ValueError, match="finite"):
        round_up(math.inf)
