"""Text from a file or a keyboard, made safe to show.

A terminal obeys escape bytes, turns its writing direction at hidden signs and can be made to draw
over its neighbours. Every text that drillkit did not write itself passes through here before it
reaches a terminal, on the screens and on the command line alike.
"""

from __future__ import annotations

import re
import unicodedata

MAX_CHARACTERS = 20_000
MAX_MARKS = 3
UNSEEN = "\N{REPLACEMENT CHARACTER}"

_marks = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


def harmless(text: str) -> str:
    """Return `text` with everything but printable characters and line ends made visible or dropped.

    Control bytes become their pictures (␛), hidden and unpaired signs become �, a pile of combining
    marks is cut to three, and a text of more than 20,000 characters is cut short.
    """
    if len(text) > MAX_CHARACTERS:
        text = text[:MAX_CHARACTERS] + " …"
    if text.isascii() and text.isprintable():
        return text
    if not text.isprintable():
        text = "".join(
            sign if sign.isprintable() else _stand_in(sign) for sign in text.replace("\r\n", "\n")
        )
    return _marks.sub(lambda run: run[0][:MAX_MARKS], text)


def _stand_in(sign: str) -> str:
    if sign in "\n\u2028\u2029\x85":
        return "\n"
    if sign == "\t":
        return "    "
    code = ord(sign)
    if code < 0x20:
        return chr(0x2400 + code)
    if unicodedata.category(sign) == "Zs":
        return " "
    # A soft hyphen only says where a word may break.
    return "" if sign == "\xad" else UNSEEN


def one_line(text: str) -> str:
    """Return `text` made harmless, on one line."""
    return " ".join(harmless(text).split())
