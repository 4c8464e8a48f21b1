"""`check --fix` writes missing ids and touches no other byte."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drillkit.authoring.check import check, with_ids
from drillkit.content.deck import read_deck

HEAD = "deck: d\ncards:\n"

# A card without an id as it may be written, and where its id goes. Q is its question, I its id.
STYLES = [
    ("  - ask: Q\n    answer: a\n", "  - id: I\n    ask: Q\n    answer: a\n"),
    ("  - answer: a\n    ask: Q\n", "  - id: I\n    answer: a\n    ask: Q\n"),
    (
        "  - ask: Q   # why so?\n    answer: a\n",
        "  - id: I\n    ask: Q   # why so?\n    answer: a\n",
    ),
    ("  -   ask: Q\n      answer: a\n", "  -   id: I\n      ask: Q\n      answer: a\n"),
    ("  -\n    ask: Q\n    answer: a\n", "  -\n    id: I\n    ask: Q\n    answer: a\n"),
    (
        "  - # remark\n    ask: Q\n\n    answer: a\n",
        "  - # remark\n    id: I\n    ask: Q\n\n    answer: a\n",
    ),
    ("  - {ask: Q, answer: a}\n", "  - {id: I, ask: Q, answer: a}\n"),
    ("  - {  ask: Q, answer: a  }  \n", "  - {  id: I, ask: Q, answer: a  }  \n"),
    ("  - {\n    ask: Q,\n    answer: a}\n", "  - {id: I,\n    ask: Q,\n    answer: a}\n"),
    ("  - id:\n    ask: Q\n    answer: a\n", "  - id: I\n    ask: Q\n    answer: a\n"),
    (
        "  - ask: Q\n    id: # later\n    answer: a\n",
        "  - ask: Q\n    id: I # later\n    answer: a\n",
    ),
    ('  - ask: Q\n    id: ""\n    answer: a\n', "  - ask: Q\n    id: I\n    answer: a\n"),
    ("  - {ask: Q, id: , answer: a}\n", "  - {ask: Q, id: I , answer: a}\n"),
    (
        '  - {ask: Q, why: "the id: x", id: , answer: a}\n',
        '  - {ask: Q, why: "the id: x", id: I , answer: a}\n',
    ),
    (
        '  - ask: Q\n    answer: "one\u2028two\u2029three\u0085four é 中 🎈"\n',
        '  - id: I\n    ask: Q\n    answer: "one\u2028two\u2029three\u0085four é 中 🎈"\n',
    ),
    (
        "  - ask: >-\n      Q\n    answer: |\n      - ask: not a card\n",
        "  - id: I\n    ask: >-\n      Q\n    answer: |\n      - ask: not a card\n",
    ),
    ("  - id: kept-N\n    ask: Q\n    answer: a\n", "  - id: kept-N\n    ask: Q\n    answer: a\n"),
    ("\n# between\n\n", "\n# between\n\n"),
    ("  - id: broken-N\n    ask: a: b\n", "  - id: broken-N\n    ask: a: b\n"),
]
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def written(style: str, number: int, ends: str) -> str:
    question, name = f"What is thing {number}?", f"what-is-thing-{number}"
    text = style.replace("Q", question).replace("I", name).replace("N", str(number))
    return text.replace("\n", ends)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(STYLES), max_size=8), ENDS, st.booleans(), st.booleans(), st.booleans()
)
def test_ids_are_written_and_no_other_byte_is_touched(styles, ends, bom, final_newline, tail):
    def deck(which: int) -> bytes:
        cards = [written(style[which], number, ends) for number, style in enumerate(styles)]
        text = HEAD.replace("\n", ends) + "".join(cards)
        text += f"title: Below{ends}" if tail else ""
        text = text if final_newline else text.removesuffix(ends)
        return (b"\xef\xbb\xbf" if bom else b"") + text.encode()

    fixed = with_ids(deck(0), "d.yaml")
    assert fixed == deck(1)
    assert with_ids(fixed, "d.yaml") == fixed


@pytest.mark.parametrize(("style", "expected"), STYLES)
def test_each_style_of_card_by_itself(style, expected):
    before = (HEAD + written(style, 1, "\n")).encode()
    assert with_ids(before, "d.yaml").decode() == HEAD + written(expected, 1, "\n")


def test_cards_on_one_line_each_get_their_own():
    raw = b"deck: d\ncards: [{ask: \xc3\xa91, answer: a}, {ask: two, answer: b}, {id: x, ask: c}]"
    assert with_ids(raw, "d.yaml") == (
        b"deck: d\ncards: [{id: e1, ask: \xc3\xa91, answer: a}, {id: two, ask: two, answer: b}, "
        b"{id: x, ask: c}]"
    )


def test_written_ids_are_those_under_which_the_cards_went_before():
    """So that what was studied before the fix keeps its history."""
    text = (
        HEAD
        + "  - {ask: What?, answer: a}\n  - {ask: What, answer: b}\n"
        + ("  - {id: what, ask: Another?, answer: c}\n")
    )
    before = read_deck(text.encode(), "d").deck
    after = read_deck(with_ids(text.encode(), "d"), "d")
    assert [card.item for card in after.deck.cards] == [card.item for card in before.cards]
    assert after.diagnostics == []


def test_latin_1_bytes_elsewhere_stay_as_they_are():
    raw = HEAD.encode() + b"  - ask: one\n    answer: a\n  - id: b\n    ask: caf\xe9\n"
    assert with_ids(raw, "d") == raw.replace(b"ask: one", b"id: one\n    ask: one")


def test_unfinished_merge_stays_as_it_is():
    raw = (
        HEAD + "  - ask: one\n    answer: a\n<<<<<<< a\n  - ask: x\n=======\n>>>>>>> b\n"
    ).encode()
    assert with_ids(raw, "d") == raw.replace(b"ask: one", b"id: one\n    ask: one")


# --- the file ------------------------------------------------------------------------------------

BARE = HEAD + "  - ask: one\n    answer: a\n"
FIXED = HEAD + "  - id: one\n    ask: one\n    answer: a\n"


def test_fixed_file_is_named_and_has_nothing_left_to_tell(tmp_path):
    path = tmp_path / "d.yaml"
    path.write_text(BARE)
    assert [found.code for found in check([path]).diagnostics] == ["missing-id"]
    verdict = check([path], fix=True)
    assert (verdict.fixed, verdict.diagnostics) == ((str(path),), ())
    assert path.read_text() == FIXED
    assert check([path], fix=True).fixed == ()


def test_file_with_nothing_to_fix_is_not_written(tmp_path):
    path = tmp_path / "d.yaml"
    path.write_text(FIXED)
    before = path.stat()
    check([path], fix=True)
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_mode_is_kept(tmp_path, mode):
    path = tmp_path / "d.yaml"
    path.write_text(BARE)
    path.chmod(mode)
    check([path], fix=True)
    assert path.read_text() == FIXED
    assert path.stat().st_mode & 0o7777 == mode


def test_link_stays_a_link_and_its_file_is_fixed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "real.yaml"
    target.write_text(BARE)
    (tmp_path / "decks").mkdir()
    link = tmp_path / "decks" / "d.yaml"
    link.symlink_to(target)
    check([link.parent], fix=True)
    assert link.is_symlink()
    assert target.read_text() == FIXED
    assert [path.name for path in (*target.parent.iterdir(), *link.parent.iterdir())] == [
        "real.yaml",
        "d.yaml",
    ]


def test_full_disk_leaves_the_file_whole_and_the_others_are_fixed(tmp_path, monkeypatch):
    """The file's own id is then still missing, and that it could not be written is told."""
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(BARE.replace("deck: d", f"deck: {name[0]}"))
    replace = Path.replace

    def full(draft, target):
        if Path(target).name == "a.yaml":
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(draft, target)

    monkeypatch.setattr(Path, "replace", full)
    verdict = check([tmp_path], fix=True)
    assert [(Path(d.file).name, d.code) for d in verdict.diagnostics][:2] == [
        ("a.yaml", "not-fixed"),
        ("a.yaml", "missing-id"),
    ]
    assert verdict.diagnostics[0].message == (
        "the missing ids cannot be written: No space left on device"
    )
    assert "id:" not in (tmp_path / "a.yaml").read_text()
    assert "id: one" in (tmp_path / "b.yaml").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


@pytest.mark.parametrize(
    "card", ["  - &a\n    ask: one\n    answer: a\n  - *a\n", "  - &a {ask: one, answer: a}\n"]
)
def test_card_whose_id_cannot_be_written_safely_is_told_and_left(tmp_path, card):
    (tmp_path / "a.yaml").write_text(HEAD + card)
    (tmp_path / "b.yaml").write_text(BARE.replace("deck: d", "deck: b"))
    verdict = check([tmp_path], fix=True)
    found = verdict.diagnostics[0]
    assert (found.code, found.message, found.hint) == (
        "not-fixed",
        "the missing ids cannot be written safely",
        "add them by hand",
    )
    assert (tmp_path / "a.yaml").read_text() == HEAD + card
    assert verdict.fixed == (str(tmp_path / "b.yaml"),)
