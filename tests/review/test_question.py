"""Draws: what a card shows for a seed, and that everything it can show is shown sometime."""

from __future__ import annotations

import pytest

from drillkit.content.cards import (
    Aloud,
    Choice,
    Cloze,
    Deck,
    Number,
    Option,
    Order,
    Points,
    Recall,
    Spot,
    Steps,
    Table,
    Wording,
)
from drillkit.review.question import (
    GAP_SIGN,
    Arrange,
    Choose,
    Estimate,
    Fill,
    Question,
    Reveal,
    Tick,
    Unfold,
    draw,
)

SEEDS = range(300)

CLOZE = Cloze(id="cloze", text="A {{ring | loop}} of {{p}} ranks sends {{2n}}.")
CHOICE = Choice(
    id="choice", ask="q", choices=(Option("a", right=True), Option("b"), Option("c"), Option("d"))
)
ORDER = Order(id="order", ask="q", steps=("one", "two", "three", "four"))
TABLE = Table(
    id="table", columns=("stage", "states", "traffic"), rows=(("1", "4", "2n"), ("3", "16", ""))
)
WORDING = Wording(id="wording", prompts=("idle?", "slow?", "stalls?"), answer="measure")
DECK = Deck(
    "d",
    "D",
    "d.yaml",
    cards=(
        WORDING,
        *(Wording(id=f"w{n}", prompts=("p",), answer=f"class {n}") for n in range(9)),
        Recall(id="r", ask="q", answer="not a class"),
    ),
)
DRAWN_BY_CHANCE = [(CLOZE, None), (CHOICE, None), (ORDER, None), (TABLE, None), (WORDING, DECK)]
CARDS = [card for card, _ in DRAWN_BY_CHANCE]


@pytest.mark.parametrize(
    ("card", "deck"), DRAWN_BY_CHANCE, ids=lambda value: getattr(value, "id", "")
)
def test_draw_is_the_same_for_a_seed_and_another_for_others(card, deck):
    draws = {seed: draw(card, seed, deck) for seed in SEEDS}
    assert all(draw(card, seed, deck) == drawn for seed, drawn in draws.items())
    assert len({repr(drawn) for drawn in draws.values()}) > 1


@pytest.mark.parametrize(
    ("card", "form"),
    [
        (Recall(id="a", ask="q", answer="x"), Reveal(("x",))),
        (Points(id="a", ask="q", points=("x", "y")), Tick(("x", "y"))),
        (Aloud(id="a", ask="q", seconds=90, points=("x",)), Tick(("x",), 90)),
        (Steps(id="a", ask="q", steps=("x", "y")), Unfold(("x", "y"))),
        (Number(id="a", ask="q", answer="3 TB/s", within="2%"), Estimate("3 TB/s", "2%")),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_kinds_without_chance_have_one_draw(card, form):
    assert draw(card, 1) == draw(card, 2) == Question("q", (), form)


def test_spot_shows_the_claim_and_keeps_flaw_and_right_for_the_answer():
    drawn = draw(Spot(id="a", claim="c", flaw="f", right="r"), 1)
    assert drawn == Question("What is wrong here?", ("c",), Reveal(("f", "r")))


# --- cloze and table -----------------------------------------------------------------------------


def test_every_gap_is_blanked_sometime_and_only_one_at_a_time():
    drawn = [draw(CLOZE, seed) for seed in SEEDS]
    assert {question.material[0] for question in drawn} == {
        f"A {GAP_SIGN} of p ranks sends 2n.",
        f"A ring of {GAP_SIGN} ranks sends 2n.",
        f"A ring of p ranks sends {GAP_SIGN}.",
    }
    accepted = {question.form.accepted for question in drawn}
    assert accepted == {("ring", "loop"), ("p",), ("2n",)}


def test_gap_that_is_blanked_is_the_one_that_is_asked():
    for seed in SEEDS:
        question = draw(CLOZE, seed)
        filled = question.material[0].replace(GAP_SIGN, question.form.accepted[0])
        assert filled == "A ring of p ranks sends 2n."


def test_two_gaps_of_the_same_words_are_blanked_one_at_a_time():
    card = Cloze(id="a", text="{{x}} and {{x}}")
    assert {draw(card, seed).material[0] for seed in SEEDS} == {
        f"{GAP_SIGN} and x",
        f"x and {GAP_SIGN}",
    }


def test_every_cell_but_names_and_empty_ones_is_blanked_sometime():
    drawn = [draw(TABLE, seed) for seed in SEEDS]
    assert {question.form.accepted for question in drawn} == {("4",), ("2n",), ("16",)}
    for question in drawn:
        cells = [cell for row in question.table for cell in row]
        assert cells.count(GAP_SIGN) == 1
        assert question.table[0] == TABLE.columns
        assert [row[0] for row in question.table[1:]] == ["1", "3"]


def test_table_answer_names_row_and_column():
    answers = {draw(TABLE, seed).form.full for seed in SEEDS}
    assert answers == {("1: states = 4",), ("1: traffic = 2n",), ("3: states = 16",)}


def test_only_the_columns_that_may_be_are_blanked():
    card = Table(id="a", columns=TABLE.columns, rows=TABLE.rows, blank=("traffic",))
    assert {draw(card, seed).form for seed in SEEDS} == {
        Fill(("2n",), ("1: traffic = 2n",), about="1: traffic")
    }


# --- choice, wording, order ----------------------------------------------------------------------


def test_choices_are_all_shown_in_every_order_sometime():
    orders = {
        tuple(option.text for option in draw(CHOICE, seed).form.options) for seed in range(2000)
    }
    assert len(orders) == 24
    assert all(sorted(order) == ["a", "b", "c", "d"] for order in orders)


def test_right_choices_are_where_they_are_shown():
    for seed in SEEDS:
        form = draw(CHOICE, seed).form
        assert [form.options[index].text for index in form.right] == ["a"]
        assert not form.several


def test_several_right_choices_are_told():
    card = Choice(id="a", ask="q", choices=(Option("a", right=True), Option("b", right=True)))
    form = draw(card, 1).form
    assert (form.several, form.right) == (True, frozenset({0, 1}))


def test_every_prompt_and_every_class_is_shown_sometime():
    drawn = [draw(WORDING, seed, DECK) for seed in SEEDS]
    assert {question.material[0] for question in drawn} == {"“idle?”", "“slow?”", "“stalls?”"}
    offered = {option.text for question in drawn for option in question.form.options}
    assert offered == {"measure", *(f"class {n}" for n in range(9))}


def test_wording_offers_seven_classes_each_once_and_its_own_is_right():
    places = set()
    for seed in SEEDS:
        form = draw(WORDING, seed, DECK).form
        texts = [option.text for option in form.options]
        assert len(texts) == len(set(texts)) == 7
        (right,) = form.right
        assert texts[right] == "measure"
        places.add(right)
    assert places == set(range(7))


def test_classes_of_a_small_deck_are_all_offered():
    deck = Deck("d", "D", "d", cards=(WORDING, Wording(id="o", prompts=("p",), answer="other")))
    for seed in SEEDS:
        texts = {option.text for option in draw(WORDING, seed, deck).form.options}
        assert texts == {"measure", "other"}


@pytest.mark.parametrize("count", [2, 3, 9])
def test_order_is_never_shown_in_the_right_order(count):
    card = Order(id="a", ask="q", steps=tuple(f"step {n}" for n in range(count)))
    shown = {draw(card, seed).form.shown for seed in SEEDS}
    assert card.steps not in shown
    assert all(sorted(steps) == sorted(card.steps) for steps in shown)
    assert len(shown) >= {2: 1, 3: 5, 9: 250}[count]


def test_right_order_leads_back_to_the_steps():
    for seed in SEEDS:
        form = draw(ORDER, seed).form
        assert isinstance(form, Arrange)
        assert tuple(form.shown[index] for index in form.right) == ORDER.steps


def test_every_right_place_is_shown_first_sometime_but_not_only_that():
    firsts = {draw(ORDER, seed).form.shown[0] for seed in SEEDS}
    assert firsts == set(ORDER.steps)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_seed_of_any_size_draws(card):
    for seed in (0, -1, 2**63, 2**200):
        assert draw(card, seed, DECK).form is not None


def test_choose_knows_its_right_indexes():
    form = Choose((Option("a"), Option("b", right=True)), several=False)
    assert form.right == frozenset({1})
