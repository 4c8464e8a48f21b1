"""The kinds of card: what each needs, refuses, asks and answers."""

from __future__ import annotations

import msgspec
import pytest

from drillkit.content.cards import KINDS
from drillkit.content.deck import read_deck

# One good card a kind: its keys in YAML, the question it asks, its answer as lines.
GOOD = {
    "recall": ("ask: q\nanswer: a", "q", ("a",)),
    "cloze": (
        'text: "an {{all-reduce|allreduce}} of {{n}} bytes"',
        "Fill the gap.",
        ("an all-reduce of n bytes",),
    ),
    "choice": (
        (
            "ask: q\nchoices:\n  - {text: a, right: true}\n  - {text: b, because: no}\n"
            "  - {text: c, right: true}"
        ),
        "q",
        ("a", "c"),
    ),
    "points": ("ask: q\npoints: [a, b]", "q", ("a", "b")),
    "order": ("ask: q\nsteps: [a, b]", "q", ("1. a", "2. b")),
    "steps": ("ask: q\nsteps: [a, b]", "q", ("1. a", "2. b")),
    "table": (
        "columns: [stage, bytes]\nrows:\n  - [one, 4]\n  - [two, 2]",
        "Fill the blank cell.",
        ("stage | bytes", "one | 4", "two | 2"),
    ),
    "wording": ("prompts: [p]\nanswer: a", "What do you start with?", ("a",)),
    "aloud": ("ask: q\nseconds: 90\npoints: [a]", "q", ("a",)),
    "number": ("ask: q\nanswer: 3.35 TB/s", "q", ("3.35 TB/s",)),
    "spot": (
        "claim: c\nflaw: f\nright: r",
        "What is wrong here?",
        ("f", "r"),
    ),
}


def read(kind: str, keys: str):
    body = "".join(f"    {line}\n" for line in keys.splitlines())
    text = f"deck: d\ncards:\n  - id: a\n    kind: {kind}\n{body}"
    reading = read_deck(text.encode(), "d.yaml")
    faults = [(d.line, d.message, d.hint) for d in reading.diagnostics]
    return (reading.deck.cards[0] if reading.deck.cards else None), faults


def test_there_is_a_good_card_of_every_kind():
    assert set(GOOD) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read_asked_and_answered(kind):
    keys, question, answer = GOOD[kind]
    card, faults = read(kind, keys)
    assert faults == []
    assert (card.kind, card.question, card.answer_lines()) == (kind, question, answer)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_survives_the_cache_unchanged(kind):
    card, _ = read(kind, GOOD[kind][0])
    packed = msgspec.msgpack.encode(card)
    assert msgspec.msgpack.decode(packed, type=type(card)) == card


@pytest.mark.parametrize("kind", KINDS)
def test_own_question_stands_before_the_kinds_default(kind):
    keys = GOOD[kind][0].replace("ask: q", "ask: mine")
    if "ask:" not in keys:
        keys = "ask: mine\n" + keys
    card, faults = read(kind, keys)
    assert (card.question, faults) == ("mine", [])


ASKING = [kind for kind in KINDS if GOOD[kind][0].startswith("ask")]


@pytest.mark.parametrize("kind", ASKING)
def test_kind_without_a_default_question_needs_one(kind):
    card, faults = read(kind, GOOD[kind][0].removeprefix("ask: q\n"))
    assert card is None
    assert faults == [(3, "the key `ask` is missing", "add the question: `ask: …`")]


FAULTS = [
    ("cloze", "why: x", "the key `text` is missing", 'write `text: "a {{gap}} to fill"`'),
    (
        "cloze",
        "text: no gap",
        "`text` has no gap",
        "mark what to recall with double braces: {{16}}",
    ),
    (
        "cloze",
        'text: "a {{ }} b"',
        "a gap is empty",
        "write the answer between the braces: {{16}}",
    ),
    (
        "cloze",
        'text: "a {{|x}} b"',
        "a gap is empty",
        "write the answer between the braces: {{16}}",
    ),
    (
        "choice",
        "ask: q\nchoices:\n  - {text: a, right: true}",
        "a choice has 2 to 5 answers, this one 1",
        "write `choices:` as a list of {text: …, right: true} and {text: …, because: …}",
    ),
    (
        "choice",
        "ask: q\nchoices:\n  - {text: a, right: true}\n"
        + "\n".join(f"  - {{text: {n}}}" for n in range(5)),
        "a choice has 2 to 5 answers, this one 6",
        "write `choices:` as a list of {text: …, right: true} and {text: …, because: …}",
    ),
    (
        "choice",
        "ask: q\nchoices:\n  - {text: a}\n  - {text: b}",
        "no answer is marked as right",
        "add `right: true` to one",
    ),
    (
        "choice",
        "ask: q\nchoices:\n  - {text: a, right: true}\n  - {text: a}",
        "two answers are the same",
        "change or remove one",
    ),
    (
        "choice",
        "ask: q\nchoices:\n  - {text: a, right: true}\n  - {text: ''}",
        "an answer is empty",
        "fill it in or remove it",
    ),
    (
        "points",
        "ask: q\npoints: []",
        "`points` needs at least 1 entries",
        "write them as a list: [one, two]",
    ),
    (
        "points",
        "ask: q\npoints: [a, '']",
        "an entry of `points` is empty",
        "fill it in or remove it",
    ),
    (
        "order",
        "ask: q\nsteps: [a]",
        "`steps` needs at least 2 entries",
        "write them as a list: [one, two]",
    ),
    ("order", "ask: q\nsteps: [a, a]", "two steps are the same", "change or remove one"),
    (
        "order",
        "ask: q\nsteps: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
        "more than 9 steps to order",
        "join or split: each step has one digit key",
    ),
    (
        "steps",
        "ask: q\nsteps: [a]",
        "`steps` needs at least 2 entries",
        "write them as a list: [one, two]",
    ),
    (
        "table",
        "columns: [a]\nrows: [[x]]",
        "`columns` needs at least 2 entries",
        "write them as a list: [one, two]",
    ),
    (
        "table",
        "columns: [a, b]",
        "the key `rows` is missing",
        "write one list a row: - [name, cell, cell]",
    ),
    (
        "table",
        "columns: [a, b]\nrows: [[x, 1], [y, 1, 2]]",
        "row 2 has 3 cells, `columns` has 2",
        "quote a cell that holds a comma",
    ),
    (
        "table",
        "columns: [a, b]\nrows: [[x, 1]]\nblank: [a]",
        "'a' is no column to blank",
        "use a name from `columns`",
    ),
    (
        "table",
        "columns: [a, b]\nrows: [[x, '']]",
        "there is no cell to blank",
        "fill one in beside the row's name",
    ),
    (
        "wording",
        "answer: a",
        "`prompts` needs at least 1 entries",
        "write them as a list: [one, two]",
    ),
    ("wording", "prompts: [p]", "the key `answer` is missing", "name the class to recognise"),
    (
        "aloud",
        "ask: q\nseconds: 90",
        "`points` needs at least 1 entries",
        "write them as a list: [one, two]",
    ),
    (
        "aloud",
        "ask: q\nseconds: 4\npoints: [a]",
        "`seconds` is 4",
        "choose from 5 to 3600",
    ),
    (
        "number",
        "ask: q",
        "the key `answer` is missing",
        "add a value with its unit: 3.35 TB/s",
    ),
    (
        "spot",
        "flaw: f",
        "the key `claim` is missing",
        "add the wrong statement: `claim: …`",
    ),
    ("spot", "claim: c", "the key `flaw` is missing", "say what is wrong with the claim"),
]


@pytest.mark.parametrize(("kind", "keys", "message", "hint"), FAULTS)
def test_card_that_cannot_be_asked_says_what_it_lacks(kind, keys, message, hint):
    card, faults = read(kind, keys)
    assert card is None
    assert [fault[1:] for fault in faults] == [(message, hint)]


@pytest.mark.parametrize("key", ["answer", "within"])
def test_number_that_cannot_be_read_is_refused(key):
    keys = {"answer": "3.35 TB/s", "within": "5%"} | {key: "a great many"}
    card, faults = read("number", "ask: q\n" + "\n".join(f"{k}: {v}" for k, v in keys.items()))
    assert card is None
    assert len(faults) == 1
    assert faults[0][1].startswith(f"`{key}` is no number with a unit: ")
    assert faults[0][2]


@pytest.mark.parametrize(
    ("written", "right"),
    [("true", True), ("yes", True), ("On", True), ("false", False), ("no", False), ("off", False)],
)
def test_right_is_read_in_every_usual_word(written, right):
    card, _ = read(
        "choice",
        f"ask: q\nchoices:\n  - {{text: a, right: {written}}}\n  - {{text: b, right: true}}",
    )
    assert card.choices[0].right is right


def test_table_blanks_every_cell_but_names_and_empty_ones():
    card, _ = read("table", "columns: [a, b, c]\nrows: [[x, 1, 2], [y, '', 4]]")
    assert card.blankable() == [(0, 1), (0, 2), (1, 2)]


def test_table_blanks_only_the_columns_it_names():
    card, _ = read("table", "columns: [a, b, c]\nrows: [[x, 1, 2], [y, 3, 4]]\nblank: [c]")
    assert card.blankable() == [(0, 2), (1, 2)]
