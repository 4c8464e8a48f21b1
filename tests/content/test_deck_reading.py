"""A deck file's keys: which are known, what they hold, who a card is, and what is told."""

from __future__ import annotations

import pytest

from drillkit.content.cards import FIGURES, KINDS
from drillkit.content.deck import free_id, read_deck, slug

HEAD = "deck: d\ntitle: D\ncards:\n"
FIRST = "  - id: first\n    ask: One?\n    answer: one\n"
LAST = "  - id: last\n    ask: Nine?\n    answer: nine\n"


def read(middle: str, head: str = HEAD, file: str = "d.yaml"):
    return read_deck((head + FIRST + middle + LAST).encode(), file)


def told(reading):
    return [(d.line, d.column, d.severity, d.code, d.message, d.hint) for d in reading.diagnostics]


def ids(reading):
    return [card.id for card in reading.deck.cards]


# What stands in the card from line 8 on; line, column, code, message, hint.
REFUSED = [
    (
        "    ask: What?\n    anwser: x\n",
        (9, 5, "unknown-key", "unknown key `anwser`", "did you mean `answer`?"),
    ),
    (
        "    Ask: What?\n    answer: x\n",
        (8, 5, "unknown-key", "unknown key `Ask`", "did you mean `ask`?"),
    ),
    (
        "    ask: What?\n    points: [a, b]\n",
        (
            9,
            5,
            "unknown-key",
            "the key `points` does not belong to the kind recall",
            "add `kind: points`?",
        ),
    ),
    (
        "    ask: What?\n",
        (7, 5, "card", "the key `answer` is missing", "add the answer: `answer: …`"),
    ),
    (
        "    ask: What?\n    answer:\n",
        (9, 5, "card", "the key `answer` is missing", "add the answer: `answer: …`"),
    ),
    (
        "    answer: x\n",
        (7, 5, "card", "the key `ask` is missing", "add the question: `ask: …`"),
    ),
    (
        "    ask: What?\n    answer: [a, b]\n",
        (
            9,
            13,
            "type",
            "`answer` is a list; a text is needed",
            "put a text that holds [ { or : in quotes",
        ),
    ),
    (
        "    ask: What?\n    answer: {a: b}\n",
        (
            9,
            13,
            "type",
            "`answer` is a mapping; a text is needed",
            "put a text that holds [ { or : in quotes",
        ),
    ),
    (
        "    ask: What?\n    answer: x\n    tags: {a: b}\n",
        (
            10,
            11,
            "type",
            "`tags` is a mapping; a list is needed",
            "begin each entry with a dash",
        ),
    ),
    (
        "    ask: What?\n    answer: x\n    symbols: [p, n]\n",
        (10, 14, "type", "`symbols` is no mapping", "write {p: ranks, n: bytes}"),
    ),
    (
        "    kind: aloud\n    ask: What?\n    seconds: two\n    points: [a]\n",
        (
            10,
            14,
            "type",
            "`seconds` is 'two'; a whole number is needed",
            "write digits only: 120",
        ),
    ),
    (
        "    kind: aloud\n    ask: What?\n    seconds: 1e2\n    points: [a]\n",
        (
            10,
            14,
            "type",
            "`seconds` is '1e2'; a whole number is needed",
            "write digits only: 120",
        ),
    ),
    (
        (
            "    kind: choice\n    ask: What?\n    choices:\n      - {text: a, right: maybe}\n"
            "      - {text: b}\n"
        ),
        (11, 26, "type", "`right` is 'maybe'; true or false is needed", "write true or false"),
    ),
    (
        "    kind: choice\n    ask: What?\n    choices:\n      - {right: yes}\n      - {text: b}\n",
        (11, 9, "type", "`choices` has an entry without `text`", "add `text:`"),
    ),
    (
        "    kind: choice\n    ask: What?\n    choices: [a, b]\n",
        (10, 15, "type", "`choices` has an entry without keys", "write it as {text: …}"),
    ),
    (
        "    kind: recal\n    ask: What?\n    answer: x\n",
        (8, 11, "unknown-kind", "unknown kind 'recal'", "did you mean `recall`?"),
    ),
    (
        "    kind: [recall]\n    ask: What?\n    answer: x\n",
        (8, 11, "unknown-kind", "unknown kind ''", "kinds: " + ", ".join(KINDS)),
    ),
]


@pytest.mark.parametrize(("lines", "fault"), REFUSED, ids=[row[1][3][:40] for row in REFUSED])
def test_refused_card_is_told_at_its_place_and_hides_no_other(lines, fault):
    reading = read("  - id: bad\n" + lines)
    line, column, code, message, hint = fault
    assert told(reading) == [(line, column, "error", code, message, hint)]
    assert ids(reading) == ["first", "last"]
    assert reading.diagnostics[0].subject == "card bad"


# Faults that cost no card.
KEPT = [
    (
        "    zebra: x\n",
        (
            10,
            5,
            "unknown-key",
            "unknown key `zebra`",
            (
                "known keys: kind, id, why, source, tags, figure, drill, symbols, after, group, "
                "was, ask, answer"
            ),
        ),
    ),
    ("    sorce: x\n", (10, 5, "unknown-key", "unknown key `sorce`", "did you mean `source`?")),
    (
        "    figure: rnig\n",
        (10, 13, "unknown-figure", "unknown figure 'rnig'", "did you mean `ring`?"),
    ),
    (
        "    figure: torus\n",
        (10, 13, "unknown-figure", "unknown figure 'torus'", "figures: " + ", ".join(FIGURES)),
    ),
]


@pytest.mark.parametrize(("line", "fault"), KEPT)
def test_card_with_a_fault_beside_its_question_is_asked_all_the_same(line, fault):
    reading = read("  - id: odd\n    ask: What?\n    answer: x\n" + line)
    number, column, code, message, hint = fault
    assert told(reading) == [(number, column, "error", code, message, hint)]
    assert ids(reading) == ["first", "odd", "last"]


def test_all_faults_of_a_file_are_told_at_once():
    reading = read("  - id: a\n    ask: What?\n  - id: b\n    answer: x\n  - just text\n")
    assert [(d.line, d.code, d.subject) for d in reading.diagnostics] == [
        (7, "card", "card a"),
        (9, "card", "card b"),
        (11, "shape", ""),
    ]
    assert ids(reading) == ["first", "last"]


def test_unknown_key_inside_a_choice_is_told_with_the_nearest():
    reading = read(
        "  - id: a\n    kind: choice\n    ask: What?\n    choices:\n"
        "      - {text: x, rihgt: true, right: yes}\n      - {text: y}\n"
    )
    assert told(reading) == [
        (11, 19, "error", "unknown-key", "unknown key `rihgt`", "did you mean `right`?")
    ]


HEADS = [
    (
        "deck: d\ntitel: x\ncards:\n",
        "d",
        (2, 1, "unknown-key", "unknown key `titel`", "did you mean `title`?"),
    ),
    (
        "deck: d\nzebra: x\ncards:\n",
        "d",
        (
            2,
            1,
            "unknown-key",
            "unknown key `zebra`",
            "known keys: deck, title, order, tags, cards",
        ),
    ),
    (
        "cards:\n",
        "my-file",
        (1, 1, "missing-key", "the key `deck` is missing", "add `deck: my-file`"),
    ),
    (
        "deck: My Deck!\ncards:\n",
        "my-deck",
        (
            1,
            7,
            "bad-id",
            "the deck id 'My Deck!' is not in lowercase letters, digits and hyphens",
            "write `deck: my-deck`",
        ),
    ),
    (
        "deck: d\norder: soon\ncards:\n",
        "d",
        (2, 8, "type", "`order` is 'soon'; a whole number is needed", "write digits only: 120"),
    ),
    (
        "deck: d\ntitle: [a]\ncards:\n",
        "d",
        (
            2,
            8,
            "type",
            "`title` is a list; a text is needed",
            "put a text that holds [ { or : in quotes",
        ),
    ),
]


@pytest.mark.parametrize(("head", "deck", "fault"), HEADS)
def test_fault_of_the_head_is_told_and_every_card_is_read(head, deck, fault):
    reading = read("", head, "somewhere/My file.yaml")
    line, column, code, message, hint = fault
    assert told(reading) == [(line, column, "error", code, message, hint)]
    assert [card.item for card in reading.deck.cards] == [f"{deck}/first", f"{deck}/last"]


def test_head_gives_title_order_and_tags_and_has_defaults():
    deck = read("", "deck: d\ntitle: The D\norder: 20\ntags: [net, ring]\ncards:\n").deck
    assert (deck.id, deck.title, deck.order, deck.tags) == ("d", "The D", 20, ("net", "ring"))
    bare = read("", "deck: d\ncards:\n").deck
    assert (bare.title, bare.order, bare.tags) == ("d", 500, ())


def test_card_carries_the_decks_tags_before_its_own_each_once():
    reading = read(
        "  - id: a\n    ask: q\n    answer: x\n    tags: [ring, own]\n",
        "deck: d\ntags: [net, ring]\ncards:\n",
    )
    assert [card.tags for card in reading.deck.cards] == [
        ("net", "ring"),
        ("net", "ring", "own"),
        ("net", "ring"),
    ]


def test_one_text_is_a_list_of_one():
    reading = read("  - id: a\n    ask: q\n    answer: x\n    source: A paper\n    tags: t\n")
    assert (reading.deck.cards[1].source, reading.deck.cards[1].tags) == (("A paper",), ("t",))


def test_parents_and_old_ids_are_of_the_same_deck_unless_they_name_another():
    reading = read(
        "  - id: a\n    ask: q\n    answer: x\n    after: first\n    was: [old, other/old]\n"
        "  - id: b\n    ask: r\n    answer: x\n    after: other/thing\n"
    )
    one, two = reading.deck.cards[1:3]
    assert (one.after, one.was, two.after) == ("d/first", ("d/old", "other/old"), "other/thing")


def test_card_knows_its_line_and_its_item():
    reading = read("\n# a remark\n  - {id: a, ask: q, answer: x}\n")
    assert [(card.item, card.line) for card in reading.deck.cards] == [
        ("d/first", 4),
        ("d/a", 9),
        ("d/last", 10),
    ]


# --- ids -----------------------------------------------------------------------------------------


def test_id_that_stands_twice_in_a_file_is_told_with_both_lines_and_both_cards_are_kept():
    reading = read("  - id: first\n    ask: What?\n    answer: x\n")
    assert told(reading) == [
        (
            7,
            9,
            "error",
            "duplicate-id",
            "the id 'first' stands on line 4 and again on line 7",
            "give one of the two cards another id",
        )
    ]
    assert ids(reading) == ["first", "first~2", "last"]


def test_id_in_a_bad_form_is_told_with_a_better_one_and_the_card_is_kept():
    reading = read("  - id: Ring Bytes\n    ask: What?\n    answer: x\n")
    assert told(reading) == [
        (
            7,
            9,
            "error",
            "bad-id",
            "the id 'Ring Bytes' is not in lowercase letters, digits and hyphens",
            "write `id: ring-bytes` and `was: Ring Bytes` if it has history",
        )
    ]
    assert ids(reading) == ["first", "Ring Bytes", "last"]


def test_card_without_an_id_goes_by_its_question():
    reading = read("  - ask: What does one GPU send in a ring all-reduce?\n    answer: x\n")
    assert told(reading) == [
        (
            7,
            5,
            "warning",
            "missing-id",
            (
                "the card has no id; it goes by 'what-does-one-gpu-send-in-a' until its "
                "question is edited"
            ),
            "`drillkit check --fix` writes it down, so that the card keeps its history",
        )
    ]
    assert ids(reading) == ["first", "what-does-one-gpu-send-in-a", "last"]


def test_made_up_ids_never_take_one_that_is_written_further_down():
    """Else the card that says its id would lose its history to the one that does not."""
    reading = read(
        "  - ask: What?\n    answer: x\n  - ask: What\n    answer: y\n"
        "  - id: what\n    ask: Another\n    answer: z\n"
    )
    assert ids(reading) == ["first", "what-2", "what-3", "what", "last"]
    assert {found.code for found in reading.diagnostics} == {"missing-id"}


def test_card_whose_question_has_no_latin_letter_gets_an_id_too():
    reading = read("  - ask: 何ですか\n    answer: 百\n  - ask: ？\n    answer: ！\n")
    assert ids(reading) == ["first", "card", "card-2", "last"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What does É cost?", "what-does-e-cost"),
        ("  a -- b  ", "a-b"),
        ("ZeRO-3", "zero-3"),
        ("???", ""),
    ],
)
def test_slug_is_lowercase_ascii_with_single_hyphens(text, expected):
    assert slug(text) == expected


def test_free_id_counts_on_from_two():
    assert free_id("a", {}) == "a"
    assert free_id("a", {"a": 1, "a-2": 5}) == "a-3"
    assert free_id("a", {"a": 1}, "~") == "a~2"
