"""Guessing first: P1, P2 and the quick checks."""

from __future__ import annotations

import pytest

from drillkit.errors import UsageError
from drillkit.figures.catalogue import FIGURES, figure
from drillkit.figures.predict import compared, read_guess, truths

QUESTIONS = {
    question.id: (kind, question) for kind in FIGURES.values() for question in kind.questions
}


def test_the_first_prediction_takes_two_numbers_and_has_two_truths():
    """P1."""
    kind, question = QUESTIONS["zero-memory"]
    guess = read_guess(question, "100 / 5")
    assert guess.values == (100e9, 5e9)
    assert [one.text for one in truths(kind, question)] == ["120 GB", "1.875 GB"]
    first, second = compared(kind, question, guess.values)
    assert "you said 100 GB, it is 120 GB: 0.833 ×" in first
    assert "you said 5 GB, it is 1.875 GB: 2.67 ×" in second
    assert "31.4 GB" in question.why
    assert "16.6 GB" in question.why
    assert "120" not in question.ask


def test_the_second_prediction_is_a_ratio():
    """P2."""
    kind, question = QUESTIONS["zero-traffic"]
    guess = read_guess(question, "64x")
    assert guess.values == (64,)
    assert truths(kind, question)[0].value == 1.5
    assert "42.7 × the truth" in compared(kind, question, guess.values)[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ring-bytes", 3.5e9),
        ("pipeline-bubble", 3 / 7),
        ("checkpoint-interval", 5577),
        ("roofline-decode", 0.00339),
    ],
)
def test_the_truth_of_the_quick_checks(name, value):
    kind, question = QUESTIONS[name]
    assert truths(kind, question)[0].value == pytest.approx(value, rel=0.002)


@pytest.mark.parametrize("typed", ["100 GB and 5 GB", "100; 5", "100, 5", "1e11 B / 5e9 B"])
def test_two_numbers_can_be_parted_in_several_ways(typed):
    assert read_guess(QUESTIONS["zero-memory"][1], typed).values == (100e9, 5e9)


@pytest.mark.parametrize("typed", ["", "100", "100 / 5 / 3", "much / little", "100 s / 5 s"])
def test_what_is_no_guess_says_what_to_type(typed):
    with pytest.raises(UsageError):
        read_guess(QUESTIONS["zero-memory"][1], typed)


def test_questions_have_ids_of_their_own():
    every = [question.id for kind in FIGURES.values() for question in kind.questions]
    assert len(every) == len(set(every))
    assert figure("megatron").questions == ()
