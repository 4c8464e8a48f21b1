"""Texts that are broken: each fault at its line and column, with a guess, and the rest is read."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drillkit.content.deck import read_deck
from drillkit.content.shelf import Shelf
from drillkit.content.text import MAX_FILE_BYTES, decode, read_tree
from drillkit.content.tree import Mapping, Scalar, Sequence, yaml_lines

HEAD = "deck: d\ntitle: D\ncards:\n"
FIRST = "  - id: first\n    ask: One?\n    answer: one\n"
LAST = "  - id: last\n    ask: Nine?\n    answer: nine\n"

# Name, the lines of the card from line 7 on, and what is told: line, column, message, hint.
BROKEN = [
    (
        "unquoted colon in a question",
        "  - id: bad\n    ask: Note: what is it?\n    answer: x\n",
        (8, 14, "a second colon in an unquoted text", 'put the text in quotes: ask: "…"'),
    ),
    (
        "unquoted colon in an answer",
        "  - id: bad\n    ask: What?\n    answer: the rate: bytes\n",
        (9, 21, "a second colon in an unquoted text", 'put the text in quotes: answer: "…"'),
    ),
    (
        "unquoted colon in a card in braces",
        "  - {id: bad, ask: a: b, answer: c}\n",
        (7, 21, "a second colon in an unquoted text", 'put the text in quotes: "…"'),
    ),
    (
        "a key indented too deep",
        "  - id: bad\n    ask: What?\n      answer: x\n",
        (
            9,
            13,
            "a key is indented deeper than the one above",
            "align the keys of one card, or put a text that holds a colon in quotes",
        ),
    ),
    (
        "a key indented too little",
        "  - id: bad\n    ask: What?\n   answer: x\n",
        (
            9,
            4,
            "the indentation does not fit the lines above",
            "align the keys of one card, and put a text with quotes inside in quotes as a whole",
        ),
    ),
    (
        "a tab before the first key",
        "  - id: bad\n\task: What?\n    answer: x\n",
        (8, 1, "a tab in the indentation", "indent with spaces"),
    ),
    (
        "a tab before the last key",
        "  - id: bad\n    ask: What?\n\tanswer: x\n",
        (9, 1, "a tab in the indentation", "indent with spaces"),
    ),
    (
        "a tab after spaces",
        "  - id: bad\n  \task: What?\n    answer: x\n",
        (8, 3, "a tab in the indentation", "indent with spaces"),
    ),
    (
        "a line without a colon",
        "  - id: bad\n    ask: What?\n    answer\n",
        (
            10,
            1,
            "a line without `key:`",
            "indent a text that goes on, or put it after `key: |`",
        ),
    ),
    (
        "a text that starts with a star",
        "  - id: bad\n    ask: What?\n    answer: *x\n",
        (9, 13, "*x refers to nothing", "quote a text that starts with *"),
    ),
    (
        "a text that starts with a percent sign",
        "  - id: bad\n    ask: What?\n    answer: %x\n",
        (9, 13, "a text cannot start with %", "put the text in quotes"),
    ),
    (
        "a text that starts with a backtick",
        "  - id: bad\n    ask: What?\n    answer: `x`\n",
        (9, 13, "a text cannot start with `", "put the text in quotes"),
    ),
    (
        "a quote that is never closed",
        '  - id: bad\n    ask: What?\n    answer: "x\n',
        (9, 13, "a quote is opened and never closed", "close it, or double a quote inside: ''"),
    ),
    (
        "a text that goes on after its quote",
        '  - id: bad\n    ask: What?\n    answer: "x" and y\n',
        (9, 17, "a text goes on after its closing quote", "put the whole text in single quotes"),
    ),
    (
        "a backslash in double quotes",
        '  - id: bad\n    ask: What?\n    answer: "a \\d"\n',
        (9, 16, "an unknown escape inside double quotes", "use single quotes, or write \\\\"),
    ),
    (
        "an escape without its digits",
        '  - id: bad\n    ask: What?\n    answer: "\\x"\n',
        (9, 16, "an escape inside double quotes lacks digits", "use single quotes, or write \\\\"),
    ),
    (
        "a lone surrogate by its escape",
        '  - id: bad\n    ask: What?\n    answer: "\\ud800"\n',
        (
            9,
            16,
            "an escape inside double quotes is no character",
            "remove it, or use single quotes",
        ),
    ),
    (
        "a bracket that is never closed",
        "  - id: bad\n    ask: What?\n    answer: [x\n",
        (
            9,
            13,
            "a list or mapping in brackets is not closed",
            "quote a text that starts with [ or {",
        ),
    ),
    (
        "a cloze without quotes",
        "  - id: bad\n    kind: cloze\n    text: {{16}} bytes\n",
        (9, 12, "a list or mapping stands where a key belongs", "quote a text with {{ or ["),
    ),
    (
        "a tag that would run a program",
        "  - id: bad\n    ask: What?\n    answer: !!python/object/apply:os.system [echo]\n",
        (
            9,
            13,
            "the tag tag:yaml.org,2002:python/object/apply:os.system is not used here",
            "quote a text that starts with `!`",
        ),
    ),
    (
        "a tag that was meant as text",
        "  - id: bad\n    ask: What?\n    answer: !important\n",
        (9, 13, "the tag !important is not used here", "quote a text that starts with `!`"),
    ),
    (
        "a NUL byte",
        "  - id: bad\n    ask: What?\n    answer: a\0b\n",
        (9, 14, "the character U+0000 is not allowed in YAML", "remove it"),
    ),
    (
        "an escape byte",
        "  - id: bad\n    ask: What?\n    answer: a\x1b[31mb\n",
        (9, 14, "the character U+001B is not allowed in YAML", "remove it"),
    ),
    (
        "nesting beyond the cap",
        "  - id: bad\n    ask: What?\n    answer: " + "[" * 20 + "]" * 20 + "\n",
        (9, 23, "nested more than 12 deep", "quote a text that starts with [ or {"),
    ),
    (
        "nesting beyond what YAML's own reader bears",
        "  - id: bad\n    ask: What?\n    answer: " + "[" * 100_000 + "\n",
        (9, 1011, "nested too deep", "quote a text that starts with [ or {"),
    ),
    (
        "an alias that refers to itself",
        "  - id: bad\n    ask: What?\n    answer: &a [*a]\n",
        (9, 17, "*a refers to nothing", "quote a text that starts with *"),
    ),
    (
        "a second document",
        "---\n",
        (7, 1, "a second document starts here", "remove the line `---`"),
    ),
    (
        "an unfinished merge",
        "<<<<<<< HEAD\n  - id: bad\n=======\n  - id: worse\n>>>>>>> theirs\n",
        (
            7,
            1,
            "a git conflict marker <<<<<<<",
            "finish the merge: keep one side and delete the three marker lines",
        ),
    ),
]


def told(raw: str | bytes, file: str = "d.yaml"):
    reading = read_deck(raw if isinstance(raw, bytes) else raw.encode(), file)
    places = [(d.line, d.column, d.message, d.hint) for d in reading.diagnostics]
    return [card.id for card in reading.deck.cards], places


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(
    ("middle", "fault"), [row[1:] for row in BROKEN], ids=[r[0] for r in BROKEN]
)
def test_broken_card_is_told_at_its_place_and_hides_no_other(middle, fault, ends):
    text = (HEAD + FIRST + middle + LAST).replace("\n", ends)
    assert told(text) == (["first", "last"], [fault])


@pytest.mark.parametrize(
    ("middle", "fault"), [row[1:] for row in BROKEN], ids=[r[0] for r in BROKEN]
)
def test_what_is_told_names_the_card_where_it_has_an_id(middle, fault):
    found = read_deck((HEAD + FIRST + middle + LAST).encode(), "d.yaml").diagnostics[0]
    assert found.severity == "error"
    assert found.subject == ("card bad" if "id: bad" in middle.partition("\n")[0] else "")
    assert str(found).startswith(f"d.yaml:{fault[0]}:{fault[1]}: error: ")
    assert str(found).endswith(f"\n  hint: {fault[3]}")


WHOLE = [
    ("nothing", b"", (1, 1, "the file is empty", "`drillkit new deck` writes one to start from")),
    (
        "blank lines and a comment",
        b"\n\n# later\n",
        (1, 1, "the file is empty", "`drillkit new deck` writes one to start from"),
    ),
    (
        "prose",
        b"Dear diary,\ntoday.\n",
        (
            1,
            1,
            "the file does not start with keys such as `cards:`",
            "`drillkit new deck` writes one to start from",
        ),
    ),
    (
        "prose with a colon",
        b"Dear diary: today\nI was: here: twice\n",
        (2, 12, "a second colon in an unquoted text", 'put the text in quotes: "…"'),
    ),
    (
        "a list",
        b"- id: a\n",
        (
            1,
            1,
            "the file does not start with keys such as `cards:`",
            "`drillkit new deck` writes one to start from",
        ),
    ),
    (
        "a picture",
        b"\x89PNG\r\n\x1a\n\0\0",
        (
            1,
            1,
            "the byte 0x89 is not UTF-8",
            "save the file as UTF-8 (in Latin-1 this byte would be '\\x89')",
        ),
    ),
    ("UTF-16", "deck: d\n".encode("utf-16"), (1, 1, "the file is UTF-16", "save it as UTF-8")),
    ("no cards key", b"deck: d\n", (1, 1, "the key `cards:` is missing", "add `cards:`")),
    (
        "cards without entries",
        b"deck: d\ncards:\n",
        (2, 7, "`cards:` lists nothing", "begin each item with a dash: `- `"),
    ),
    (
        "cards as a mapping",
        b"deck: d\ncards:\n  a: b\n",
        (3, 3, "`cards:` is not a list", "begin each item with a dash: `- `"),
    ),
]


@pytest.mark.parametrize(
    ("raw", "fault"), [row[1:] for row in WHOLE], ids=[row[0] for row in WHOLE]
)
def test_file_that_is_no_deck_is_told_once(raw, fault):
    assert told(raw) == ([], [fault])


def test_latin_1_bytes_cost_only_their_card():
    raw = (HEAD + FIRST).encode() + b"  - id: bad\n    ask: D\xe9j\xe0?\n" + LAST.encode()
    hint = "save the file as UTF-8 (in Latin-1 this byte would be 'é')"
    assert told(raw) == (["first", "last"], [(8, 11, "the byte 0xe9 is not UTF-8", hint)])


def test_byte_order_mark_and_any_line_ends_change_no_card_and_no_place():
    text = HEAD + FIRST + "  - id: bad\n    ask: What?\n" + LAST
    plain = told(text)
    assert plain[0] == ["first", "last"]
    assert told(b"\xef\xbb\xbf" + text.encode()) == plain
    assert told(text.replace("\n", "\r\n")) == plain
    assert told(text.replace("\n", "\r")) == plain


def test_broken_title_keeps_the_decks_id():
    """Cards under another deck id would lose their history until the title is mended."""
    text = "deck: mine\ntitle: Rings: a tour\ntags: [net]\n" + HEAD.splitlines()[2] + "\n" + FIRST
    deck = read_deck(text.encode(), "other.yaml").deck
    assert (deck.id, deck.tags, [card.item for card in deck.cards]) == (
        "mine",
        ("net",),
        ["mine/first"],
    )


def test_keys_below_the_cards_are_read_beside_a_broken_card():
    bad = "  - id: bad\n    ask: a: b\n"
    text = "cards:\n" + FIRST + bad + LAST + "title: Below\ndeck: mine\n"
    deck = read_deck(text.encode(), "other.yaml").deck
    assert (deck.id, deck.title) == ("mine", "Below")
    assert [card.id for card in deck.cards] == ["first", "last"]


@pytest.mark.parametrize("opening", ["cards:", "cards: # below", "cards:   "])
@pytest.mark.parametrize("indent", ["", "  ", "    "])
def test_list_may_be_indented_and_commented(opening, indent):
    cards = FIRST + "  - id: bad\n    ask: a: b\n" + LAST
    dedented = "".join(indent + line[2:] for line in cards.splitlines(keepends=True))
    assert told(f"deck: d\n{opening}\n{dedented}")[0] == ["first", "last"]


def test_merge_inside_a_card_costs_that_card_alone():
    merge = "<<<<<<< HEAD\n    answer: x\n=======\n    answer: y\n>>>>>>> b\n"
    card = "  - id: bad\n    ask: What?\n" + merge
    cards, places = told(HEAD + FIRST + card + LAST)
    assert cards == ["first", "last"]
    assert [place[:3] for place in places] == [
        (9, 1, "a git conflict marker <<<<<<<"),
        (7, 5, "the key `answer` is missing"),
    ]


def test_each_merge_and_each_stray_marker_is_told():
    merge = "<<<<<<< a\n  - id: x\n=======\n>>>>>>> b\n"
    cards, places = told(HEAD + merge + FIRST + merge + LAST + "=======\n>>>>>>> c\n")
    assert cards == ["first", "last"]
    assert [place[:2] for place in places] == [(4, 1), (11, 1), (18, 1)]


def test_signs_like_a_marker_inside_a_text_are_text():
    text = HEAD + '  - id: a\n    ask: |\n      =======\n      <<<<<<< x\n    answer: "======="\n'
    assert told(text) == (["a"], [])


def test_markers_in_great_number_take_no_time_to_speak_of():
    raw = b"deck: d\ncards:\n" + b"<<<<<<< \n" * 200_000 + b">>>>>>> x\n"
    assert told(raw)[0] == []


def test_alias_bomb_is_refused_and_the_other_cards_stay():
    def layer(name, inner):
        return f"&{name} [" + ", ".join([f"*{inner}"] * 10) + "]"

    bomb = (
        "  - id: bad\n    ask: &a [x, x, x, x, x, x, x, x, x, x]\n"
        f"    answer: {layer('b', 'a')}\n    why: {layer('c', 'b')}\n"
        f"    tags: {layer('d', 'c')}\n    source: {layer('e', 'd')}\n"
    )
    cards, places = told(HEAD + FIRST + bomb + LAST)
    assert cards == ["first", "last"]
    assert places == [
        (11, 43, "the aliases stand for more than 10,000 nodes", "write the values out")
    ]


def test_many_small_bombs_share_one_bound():
    """Each card's aliases stay below the cap; all of them together would not."""
    layers = ["&a [x, x, x, x, x, x, x, x, x, x]"]
    layers += [f"&{name} [" + ", ".join([f"*{inner}"] * 10) + "]" for name, inner in ("ba", "cb")]
    card = "  - id: n{n}\n    tags: [{layers}]\n    ask: q\n    answer: a\n"
    many = "".join(card.format(n=n, layers=", ".join(layers)) for n in range(200))
    _, places = told(HEAD + "  - id: bad\n    ask: a: b\n" + many + LAST)
    assert sum("aliases stand for more" in place[2] for place in places) > 150


def test_alias_repeats_a_value_where_it_is_small():
    text = HEAD + "  - id: a\n    ask: &q What?\n    answer: *q\n"
    assert read_deck(text.encode(), "d.yaml").deck.cards[0].answer == "What?"


@pytest.mark.parametrize(
    "typed",
    [
        "no",
        "on",
        "off",
        "12:30",
        "010",
        "1e9",
        "7e9",
        "0x1f",
        "~",
        "null",
        "1_000",
        "2026-12-01",
        "=",
        "<<",
        ".5",
        "Yes",
    ],
)
def test_scalar_stays_what_was_typed(typed):
    card = read_deck((HEAD + f"  - id: a\n    ask: {typed}\n    answer: {typed}\n").encode(), "d")
    assert (card.deck.cards[0].ask, card.deck.cards[0].answer) == (typed, typed)


def test_keys_stay_what_was_typed_too():
    text = (
        HEAD + "  - id: a\n    ask: q\n    answer: a\n    symbols: {no: absent, 1e3: a, 12:30: b}\n"
    )
    assert read_deck(text.encode(), "d").deck.cards[0].symbols == {
        "no": "absent",
        "1e3": "a",
        "12:30": "b",
    }


def test_key_that_stands_twice_is_told_with_the_first_place_and_the_first_counts():
    text = HEAD + FIRST + "    answer: two\n" + LAST
    assert told(text) == (
        ["first", "last"],
        [(7, 5, "the key `answer` stands twice, first on line 6", "remove one of them")],
    )
    assert read_deck(text.encode(), "d").deck.cards[0].answer == "one"


def test_key_that_stands_twice_in_the_head_is_told():
    text = "deck: d\ntitle: A\ntitle: B\ncards:\n" + FIRST
    assert told(text)[1] == [
        (3, 1, "the key `title` stands twice, first on line 2", "remove one of them")
    ]


def test_file_over_the_cap_is_not_read():
    raw = b"x" * (MAX_FILE_BYTES + 1)
    text, found = decode(raw, "d.yaml")
    assert text is None
    assert [(d.line, d.code, d.message, d.hint) for d in found] == [
        (
            0,
            "too-large",
            "the file has 4,194,305 bytes; at most 4,194,304 are read",
            "split it into several files, one topic each",
        )
    ]


def test_tree_knows_the_place_of_every_key_and_value():
    tree = read_tree("a: 1\nlist:\n  - {b: 'x y', c: [p,  q]}\n", "f", "list")
    (entry,) = tree.items
    assert isinstance(entry, Mapping)
    listed = entry.values["c"]
    assert isinstance(listed, Sequence)
    places = {
        node.text: (node.line, node.column)
        for node in (*tree.head.keys.values(), *entry.keys.values(), *listed.items)
        if isinstance(node, Scalar)
    }
    assert places == {
        "a": (1, 1),
        "list": (2, 1),
        "b": (3, 6),
        "c": (3, 16),
        "p": (3, 20),
        "q": (3, 24),
    }


TEXTS = st.text(
    st.sampled_from("abx:-#[]{}&*!|>'\"%@`,? \n\r\t\0\x1b\x85\u2028\ufeffé—🎈\ud800<=>"),
    max_size=60,
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_in_a_deck_gives_cards_or_diagnostics_and_never_an_exception(middle):
    raw = (HEAD + FIRST + "  - id: bad\n    ask: " + middle + "\n" + LAST).encode(
        "utf-8", "replace"
    )
    reading = read_deck(raw, "d.yaml")
    assert reading.deck.cards or reading.diagnostics
    lines = raw.decode().count("\n") + len(middle) + 2
    assert all(0 <= found.line <= lines and found.column >= 0 for found in reading.diagnostics)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_a_reading_and_never_an_exception(raw):
    reading = read_deck(raw, "d.yaml")
    assert reading.diagnostics  # no such bytes happen to be a whole deck


@given(TEXTS)
def test_lines_of_a_text_join_to_the_text_again(text):
    assert "".join(yaml_lines(text)) == text


def test_sparse_file_of_50_mb_is_told_without_being_read_whole():
    with TemporaryDirectory() as folder:
        path = Path(folder) / "huge.yaml"
        with path.open("wb") as file:
            file.truncate(50_000_000)
        (Path(folder) / "small.yaml").write_text(HEAD + FIRST)
        library = Shelf((Path(folder),), None).read()
    (found,) = library.diagnostics
    assert (found.code, found.line) == ("too-large", 0)
    assert list(library.items) == ["d/first"]
