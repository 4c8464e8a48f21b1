"""Text from elsewhere, made safe to show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit.harmless import MAX_CHARACTERS, MAX_MARKS, harmless, one_line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        "W[i], [b], [/foo], [link=x]",
        "a\nb",
        "2(p − 1)/p · n ≈ 2Ψ → 中文 é",
        "`{{x}}` \\ %s {0} $HOME",
    ],
)
def test_what_is_harmless_stays_as_it_is(text):
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "␛]8;;http://x␇link␛]8;;␇"),
        ("a\0b\x08c\x7fd", "a␀b␈c�d"),
        ("\x9b31mred", "�31mred"),  # one byte that a terminal may take for ESC [
        ("a\r\nb\rc", "a\nb␍c"),
        ("a\u2028b\u2029c\x85d", "a\nb\nc\nd"),
        ("a\tb", "a    b"),
        ("a\u202eb\u2066c\u200fd", "a�b�c�d"),
        ("a\u200bb\ufeffc\u2060d", "a�b�c�d"),
        ("a\u00a0b\u3000c", "a b c"),
        ("soft\xadware", "software"),
        ("a\ud800b\udcffc", "a�b�c"),
        ("\ue000\U000f0000", "��"),
        ("\U000e0041\U000e007f", "��"),  # tags that nobody sees
        ("e\u0301\u0301\u0301\u0301\u0301!", "e\u0301\u0301\u0301!"),
    ],
)
def test_what_is_not_is_made_visible_or_dropped(text, shown):
    assert harmless(text) == shown


def test_long_text_is_cut_short():
    shown = harmless("x" * 100_000)
    assert shown == "x" * MAX_CHARACTERS + " …"
    assert harmless("x" * MAX_CHARACTERS) == "x" * MAX_CHARACTERS


WILD = st.text(st.characters(codec=None), max_size=80)


@given(WILD)
def test_no_sign_that_a_terminal_obeys_is_left(text):
    shown = harmless(text)
    assert all(sign == "\n" or sign.isprintable() for sign in shown)
    assert not {unicodedata.category(sign) for sign in shown.replace("\n", "")} & {
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Zl",
        "Zp",
    }
    shown.encode("utf-8")


@given(st.text("e\u0301\u20d0\u0336", max_size=60))
def test_no_pile_of_marks_is_left(text):
    assert all(mark * (MAX_MARKS + 1) not in harmless(text) for mark in "\u0301\u20d0\u0336")


@given(WILD)
def test_harmless_text_stays_as_it_is(text):
    assert harmless(harmless(text)) == harmless(text)


@given(WILD)
def test_one_line_is_one_line(text):
    shown = one_line(text)
    assert "\n" not in shown
    assert shown == " ".join(shown.split())
