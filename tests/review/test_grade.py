"""What a machine can say of an answer, and which rating it proposes."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.content.cards import Cloze, Option
from drillkit.content.shelf import Shelf
from drillkit.review.grade import (
    Grade,
    grade_choice,
    grade_estimate,
    grade_fill,
    grade_order,
    grade_ticks,
)
from drillkit.review.question import Arrange, Choose, Estimate, Fill, draw
from drillkit.review.rating import Rating
from drillkit.settings import bundled_content

ONE = Choose((Option("a"), Option("b", right=True), Option("c")), several=False)
TWO = Choose((Option("a", right=True), Option("b"), Option("c", right=True)), several=True)


@pytest.mark.parametrize(
    ("verdict", "rating"),
    [("right", Rating.GOOD), ("close", Rating.HARD), ("wrong", Rating.AGAIN)],
)
def test_verdict_proposes_a_rating(verdict, rating):
    assert Grade(verdict, 0.5, "").proposal is rating


# --- choice --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "picked", "verdict", "score", "remark"),
    [
        (ONE, {1}, "right", 1.0, "Right."),
        (ONE, {0}, "wrong", 0.0, "Not right."),
        (ONE, {0, 1}, "wrong", 0.0, "Not right."),
        (ONE, set(), "wrong", 0.0, "Not right."),
        (TWO, {0, 2}, "right", 1.0, "Right."),
        (TWO, {0}, "wrong", 0.5, "Right so far, but 1 more are right."),
        (TWO, {0, 1}, "wrong", 0.0, "Not right."),
        (TWO, {0, 1, 2}, "wrong", 0.5, "Not right."),
        (TWO, [2, 0, 2], "right", 1.0, "Right."),
    ],
)
def test_choice_is_the_right_set_no_more_and_no_less(form, picked, verdict, score, remark):
    assert grade_choice(form, picked) == Grade(verdict, score, remark)


# --- ticks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ticked", "total", "over_s", "verdict", "score", "remark"),
    [
        (4, 4, 0.0, "right", 1.0, "4 of 4 points."),
        (3, 4, 0.0, "close", 0.75, "3 of 4 points."),
        (3, 5, 0.0, "close", 0.6, "3 of 5 points."),
        (1, 4, 0.0, "wrong", 0.25, "1 of 4 points."),
        (0, 1, 0.0, "wrong", 0.0, "0 of 1 points."),
        (4, 4, 0.9, "right", 1.0, "4 of 4 points."),
        (4, 4, 12.0, "close", 1.0, "4 of 4 points, 12 s over time."),
        (1, 4, 12.0, "wrong", 0.25, "1 of 4 points, 12 s over time."),
    ],
)
def test_points_count_by_their_share_and_time_over_costs_the_best(
    ticked, total, over_s, verdict, score, remark
):
    assert grade_ticks(ticked, total, over_s) == Grade(verdict, score, remark)


# --- order ---------------------------------------------------------------------------------------

# Shown as c a d b; right is a b c d.
ARRANGE = Arrange(("c", "a", "d", "b"), (1, 3, 0, 2))


def placed(text: str) -> list[int]:
    return [ARRANGE.shown.index(step) for step in text]


@pytest.mark.parametrize(
    ("order", "verdict", "score", "remark"),
    [
        ("abcd", "right", 1.0, "In order."),
        ("bacd", "close", 5 / 6, "One swap away: 1 and 2 are the wrong way round."),
        ("abdc", "close", 5 / 6, "One swap away: 3 and 4 are the wrong way round."),
        ("cbad", "wrong", 0.5, "3 of 6 pairs are the wrong way round."),
        ("dcba", "wrong", 0.0, "6 of 6 pairs are the wrong way round."),
    ],
)
def test_order_counts_the_pairs_that_are_the_wrong_way_round(order, verdict, score, remark):
    grade = grade_order(ARRANGE, placed(order))
    assert (grade.verdict, grade.remark) == (verdict, remark)
    assert grade.score == pytest.approx(score)


def test_only_one_order_is_right_and_three_are_close():
    verdicts = [grade_order(ARRANGE, order).verdict for order in permutations(range(4))]
    assert (verdicts.count("right"), verdicts.count("close")) == (1, 3)


# --- fill ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "typed"),
    [
        ("all-reduce", "all-reduce"),
        ("all-reduce", "  All Reduce. "),
        ("p − 1", "p-1"),
        ("2n(p − 1)/p", "2n (p-1) / p"),
        ("a·b", "a × b"),
        ("≈ 16", "16"),
        ("don’t", "don't"),
        ("16", "16.0"),
        ("1,024", "1024"),
        ("7e9", "7·10⁹"),
        ("2 GB", "2e9 bytes"),
        ("400 GB/s", "400 gb/s"),
        ("ÉTÉ", "été"),
    ],
)
def test_gap_forgives_case_spaces_signs_and_other_ways_to_write_a_value(wanted, typed):
    assert grade_fill(Fill((wanted,), (wanted,)), typed).verdict == "right"


def test_any_accepted_text_is_right():
    form = Fill(("twelve", "12"), ("twelve",))
    assert [grade_fill(form, typed).verdict for typed in ("twelve", "12")] == ["right", "right"]


@pytest.mark.parametrize(
    ("wanted", "typed", "verdict"),
    [
        ("reduce-scatter", "reduce-scater", "close"),
        ("activations", "activation", "close"),
        ("16", "18", "wrong"),
        ("16 bytes", "18 bytes", "wrong"),
        ("12 bytes", "2 bytes", "wrong"),
        ("all-gather", "all-reduce", "wrong"),
        ("2 GB", "2 GiB", "wrong"),
        ("400 GB/s", "400 Gb/s", "wrong"),
        ("16 GB/s", "16 GiB/s", "wrong"),
        ("2 GB", "2 s", "wrong"),
        ("x", "", "wrong"),
        ("x", "   ", "wrong"),
        ("p", "q", "wrong"),
    ],
)
def test_slip_of_the_fingers_is_close_but_never_in_a_number(wanted, typed, verdict):
    assert grade_fill(Fill((wanted,), (wanted,)), typed).verdict == verdict


@given(st.text(max_size=40), st.text(min_size=1, max_size=40))
def test_any_text_typed_into_a_gap_gets_a_grade(typed, wanted):
    grade = grade_fill(Fill((wanted,), (wanted,)), typed)
    assert grade.verdict in {"right", "close", "wrong"}
    assert 0 <= grade.score <= 1
    assert grade.remark


# --- estimates -----------------------------------------------------------------------------------

BANDWIDTH = Estimate("3.35 TB/s", "5%")


@pytest.mark.parametrize(
    ("typed", "verdict", "score", "says"),
    [
        ("3.35 TB/s", "right", 1.0, "exact"),
        ("3350 GB/s", "right", 1.0, "exact"),
        ("3.4 TB/s", "right", 0.99, "within 5%"),
        ("3.2 TB/s", "right", 0.98, "within 5%"),
        ("3.6 TB/s", "close", 0.97, "7% too high"),
        ("2.5 TB/s", "close", 0.87, "25% too low"),
        ("6 TB/s", "wrong", 0.75, "79% too high"),
        ("1 TB/s", "wrong", 0.47, "3.35 times too low"),
        ("335 GB/s", "wrong", 0.0, "10 times too low"),
        ("3.35e6 TB/s", "wrong", 0.0, "times too high"),
        ("0 TB/s", "wrong", 0.0, "not even the sign or size"),
        ("-3.35 TB/s", "wrong", 0.0, "not even the sign or size"),
    ],
)
def test_estimate_is_scored_by_its_ratio(typed, verdict, score, says):
    grade = grade_estimate(BANDWIDTH, typed)
    assert (grade.verdict, round(grade.score, 2)) == (verdict, pytest.approx(score, abs=0.011))
    assert says in grade.remark


@pytest.mark.parametrize("typed", ["many", "3.35 TB", "3.35 bananas", "1/0", "3 TB/s TB/s ?", "(("])
def test_estimate_that_cannot_be_read_costs_nothing_and_says_why(typed):
    told = grade_estimate(BANDWIDTH, typed)
    assert isinstance(told, str)
    assert told


@pytest.mark.parametrize(
    ("value", "typed"),
    [
        ("16 bytes", "16 B"),
        ("295 FLOP/byte", "295 FLOP/B"),
        ("5.8 years", "5.8 years"),
        ("38 %", "38%"),
        ("38 %", "0.38"),
        ("14 min 8 s", "848 s"),
        ("7e9", "7B"),
    ],
)
def test_estimate_may_be_typed_in_any_unit_of_its_kind(value, typed):
    assert grade_estimate(Estimate(value, "1%"), typed).verdict == "right"


@given(st.text(max_size=40))
def test_any_text_typed_as_an_estimate_gets_a_grade_or_a_sentence(typed):
    assert grade_estimate(BANDWIDTH, typed)


def test_bundled_decks_take_their_own_answers():
    library = Shelf([bundled_content() / "decks"], None).read()
    refused = []
    for item, card in library.items.items():
        for seed in range(8):
            form = draw(card, seed, library.decks[card.deck]).form
            grades = []
            if isinstance(form, Fill):
                grades = [grade_fill(form, text) for text in form.accepted]
            elif isinstance(form, Estimate):
                grades = [grade_estimate(form, form.value)]
            refused += [
                (item, grade)
                for grade in grades
                if isinstance(grade, str) or grade.verdict != "right"
            ]
    assert refused == []


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [("16", "right"), ("16 bytes", "right"), ("16 bytes a", "right"), ("18 bytes", "wrong")],
)
def test_the_words_behind_a_gap_may_be_typed_too(typed, verdict):
    card = Cloze(id="c", text="AdamW keeps {{16}} bytes a parameter, {{12}} of them in fp32")
    forms = [draw(card, seed).form for seed in range(20)]
    form = next(form for form in forms if form.accepted == ("16",))
    assert grade_fill(form, typed).verdict == verdict
