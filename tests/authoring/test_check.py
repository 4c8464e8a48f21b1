"""`check`: everything that is wrong or reads badly, at its place, in one run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drillkit.authoring.check import check
from drillkit.authoring.prose import SCREEN_ROWS
from drillkit.errors import UsageError

HEAD = "deck: d\ncards:\n"


@pytest.fixture
def look(tmp_path):
    """Check one deck of the given cards; return its findings as (line, column, code, message)."""

    def check_text(cards: str | bytes, head: str = HEAD):
        path = tmp_path / "d.yaml"
        raw = cards if isinstance(cards, bytes) else cards.encode("utf-8")
        path.write_bytes(head.encode() + raw)
        return [(d.line, d.column, d.code, d.message) for d in check([path]).diagnostics]

    return check_text


def recall(ask: str, answer: str = "x", name: str = "a", more: str = "") -> str:
    return f"  - id: {name}\n    ask: {ask}\n    answer: {answer}\n{more}"


# --- what reads badly ----------------------------------------------------------------------------

STAR = (5, 13, "star", "`*` stands for a multiplication")
DOLLARS = (5, 13, "dollars", "$…$ is shown as it is typed")


@pytest.mark.parametrize(
    "answer", ["16*P bytes", "16 * P bytes", "(p − 1)*n", "2 *(p)", "a**b", "x[i] * 2", "P*N/2"]
)
def test_star_between_factors_is_warned_of(look, answer):
    assert look(recall("q", answer)) == [STAR]


@pytest.mark.parametrize(
    "answer",
    ["in `16*P` bytes", "16 · P", "decks/*.yaml", "'*'", "see note *", "'* a list of points'"],
)
def test_star_elsewhere_is_not(look, answer):
    assert look(recall("q", answer)) == []


@pytest.mark.parametrize("answer", ["$n$ bytes", "so $2(p-1)/p$", "$\\Psi$ and $N$"])
def test_dollars_around_a_formula_are_warned_of(look, answer):
    assert look(recall("q", answer)) == [DOLLARS]


@pytest.mark.parametrize(
    "answer", ["$2 an hour, $3 a night", "as `$n$` in code", "from $1.5 to $4"]
)
def test_money_is_not(look, answer):
    assert look(recall("q", answer)) == []


@pytest.mark.parametrize(
    "sign", "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c"
)
def test_sign_that_turns_the_direction_is_warned_of(look, sign):
    assert look(recall("q", f"a{sign}b")) == [
        (5, 13, "bidi", "a hidden sign that turns the text's direction")
    ]


@pytest.mark.parametrize("sign", ["🎈", "🚀", "⚠", "☀\ufe0f", "🫠"])
def test_emoji_is_warned_of(look, sign):
    assert look(recall("q", f"well done {sign}")) == [
        (5, 13, "emoji", "an emoji: terminals differ in its width")
    ]


@pytest.mark.parametrize("sign", "×−·→≈Ψ≤✓█中é")
def test_signs_of_the_trade_and_other_scripts_are_welcome(look, sign):
    assert look(recall("q", f"a {sign} b")) == []


@pytest.mark.parametrize(
    ("escape", "code"),
    [("\\0", "0000"), ("\\e", "001B"), ("\\x07", "0007"), ("\\u200b", "200B"), ("\\ufeff", "FEFF")],
)
def test_hidden_character_is_warned_of(look, escape, code):
    assert look(recall("q", f'"a{escape}b"')) == [
        (5, 13, "control", f"the hidden character U+{code}")
    ]


def test_answer_longer_than_a_screen_is_warned_of_at_its_card(look):
    answer = "a word " * 200
    (found,) = look(recall("q", answer))
    assert found[:3] == (3, 5, "long-answer")
    assert f"a screen shows {SCREEN_ROWS}" in found[3]


def test_answer_of_a_whole_screen_is_not(look):
    lines = "".join(f"      line {number}\n" for number in range(SCREEN_ROWS))
    assert look(f"  - id: a\n    ask: q\n    answer: |\n{lines}") == []


@pytest.mark.parametrize(
    "keys",
    [
        "ask: q, answer: 2*n",
        "ask: 2*n, answer: x",
        "ask: q, answer: x, why: 2*n",
        "ask: q, answer: x, source: [fine, 2*n]",
        "ask: q, answer: x, symbols: {n: 2*m}",
        "kind: choice, ask: q, choices: [{text: a, right: yes, because: 2*n}, {text: b}]",
        "kind: table, columns: [a, b], rows: [[x, 2*n]]",
        "kind: wording, prompts: [2*n?], answer: x",
        "kind: spot, claim: x, flaw: 2*n",
    ],
)
def test_every_text_of_a_card_is_looked_at(look, keys):
    card = f"  - {{id: a, {keys}}}"
    place = (3, card.index("2*") + 1)
    assert [found[:3] for found in look(card)] == [(*place, "star")]


def test_ids_tags_and_other_names_are_not_prose(look):
    assert look(recall("q", "x", "a", "    tags: ['2*n']\n    group: 2*n\n    was: 2*n\n")) == []


def test_two_cards_with_one_question_are_warned_of_with_the_first_place(tmp_path):
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text("deck: one\ncards:\n" + recall("What is a ring?"))
    second.write_text("deck: two\ncards:\n" + recall("what  is a RING", "y", "b"))
    (found,) = check([tmp_path]).diagnostics
    assert (found.file, found.line, found.column, found.severity, found.code) == (
        str(second),
        4,
        10,
        "warning",
        "same-question",
    )
    assert found.message == f"asks the same as card a ({first}:3)"
    assert (found.subject, found.hint) == ("card b", "remove one, or say what each is about")


def test_cards_that_differ_in_what_they_ask_about_are_not(look):
    cloze = '  - id: {n}\n    kind: cloze\n    text: "{n} has {{{{gap}}}}"\n'
    assert look(cloze.format(n="a") + cloze.format(n="b")) == []
    spot = "  - {{id: {n}, kind: spot, claim: {n}, flaw: no}}\n"
    assert look(spot.format(n="a") + spot.format(n="b")) == []
    table = "  - {{id: {n}, kind: table, columns: [a, b], rows: [[{n}, 1]]}}\n"
    assert look(table.format(n="a") + table.format(n="b")) == []


# --- the whole of it -----------------------------------------------------------------------------


def test_everything_of_every_file_is_told_at_once_in_the_order_of_files_and_lines(tmp_path):
    (tmp_path / "b.yaml").write_text(HEAD + recall("q", "2*n") + "  - id: bad\n    ask: a: b\n")
    (tmp_path / "a.yaml").write_text("")
    (tmp_path / "c.yaml").symlink_to("gone")
    verdict = check([tmp_path])
    assert [(Path(d.file).name, d.line, d.code) for d in verdict.diagnostics] == [
        ("a.yaml", 1, "empty"),
        ("b.yaml", 5, "star"),
        ("b.yaml", 7, "yaml"),
        ("c.yaml", 0, "unreadable"),
    ]
    assert (verdict.files, verdict.cards, verdict.errors, verdict.warnings) == (2, 1, 3, 1)


def test_faults_between_files_are_told_too(tmp_path):
    (tmp_path / "a.yaml").write_text(HEAD + recall("q"))
    (tmp_path / "b.yaml").write_text(HEAD + recall("r") + recall("s", "x", "c", "    after: no\n"))
    assert [(Path(d.file).name, d.code) for d in check([tmp_path]).diagnostics] == [
        ("b.yaml", "duplicate-id"),
        ("b.yaml", "unknown-parent"),
    ]


def test_path_that_does_not_exist_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match="there is no ") as caught:
        check([tmp_path / "gone"])
    assert caught.value.hint == "name a deck file or a folder of decks"


def test_link_that_leads_nowhere_is_content_that_is_wrong(tmp_path):
    (tmp_path / "x.yaml").symlink_to("gone")
    (found,) = check([tmp_path]).diagnostics
    assert (found.code, found.message) == (
        "unreadable",
        "cannot be read: No such file or directory",
    )


def test_file_named_twice_is_looked_at_once(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(HEAD + recall("q"))
    verdict = check([path, tmp_path])
    assert (verdict.files, verdict.cards, verdict.diagnostics) == (1, 1, ())


def test_folder_named_in_two_ways_is_looked_at_once(tmp_path, monkeypatch):
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "a.yaml").write_text(HEAD + recall("q"))
    (tmp_path / "link").symlink_to("decks")
    monkeypatch.chdir(tmp_path)
    paths = [tmp_path / "decks", Path("decks"), Path("link"), Path("decks/../decks/a.yaml")]
    verdict = check(paths)
    assert (verdict.files, verdict.cards, verdict.diagnostics) == (1, 1, ())


def test_single_file_of_any_name_is_checked(tmp_path):
    path = tmp_path / "cards.txt"
    path.write_text(HEAD + recall("q"))
    assert check([path]).cards == 1


def test_pipe_is_told_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "x.yaml")
    assert [found.code for found in check([tmp_path]).diagnostics] == ["not-a-file"]


def test_progress_is_counted_by_file(tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(HEAD + recall("q"))
    told = []
    check([tmp_path], progress=lambda *step: told.append(step))
    assert told == [("reading", 0, 2), ("reading", 1, 2)]


def test_bundled_decks_have_nothing_to_mend():
    verdict = check([Path(__file__).parents[2] / "decks"])
    assert [str(found) for found in verdict.diagnostics] == []
    assert verdict.cards >= 300
