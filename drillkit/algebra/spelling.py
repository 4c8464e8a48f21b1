"""From what people type to plain ASCII: an explicit table, never a Unicode normal form.

Superscripts come first, since NFKC would turn 10³ into 103. What the table does not know is named
in the message. The rules of the table, all in one place:

- `× · ∙ ⋅ • ✕ ∗` multiply, `÷ ∕ ⁄` divide, `− – — ‐ ‑ －` are minus, full-width ASCII is ASCII;
- superscripts are exponents, subscripts are digits of a name or of log₂, `½ ¼ ¾ ⅓ ⅔ ⅛` fractions;
- `√ ⌈ ⌉ ⌊ ⌋` are sqrt, ceil and floor; Greek letters are their names (`τ` is tau); `µ` is micro;
- every kind of space is a space, and zero-width characters vanish;
- `≈ ~ about approximately roughly around circa` and `name =` before the answer are dropped, and so
  are one full stop and `approx` after it.
"""

from __future__ import annotations

import re
import unicodedata

from drillkit.algebra.outcome import RejectedError, UnreadableError

LONGEST = 160

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_FROM_SUPERSCRIPT = str.maketrans(_SUPERSCRIPTS, "0123456789+-")
_SUPERSCRIPT_RUN = re.compile(f"[{_SUPERSCRIPTS}]+")

# In the order of the code points from alpha; the empty place is the final sigma.
_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "", "sigma", "tau", "upsilon"),
    *("phi", "chi", "psi", "omega"),
)


def _table() -> dict[int, str]:
    pairs: dict[str, str] = {}
    pairs |= dict.fromkeys("×✕✖⨯·⋅∙•∗⋆", "*")
    pairs |= dict.fromkeys("÷∕⁄", "/")
    pairs |= dict.fromkeys("−‐‑‒–—―﹣", "-")
    pairs |= dict.fromkeys("≈∼≃≅≒˜", "~")
    pairs |= dict.fromkeys("\t\n\r\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006", " ")
    pairs |= dict.fromkeys("\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
    pairs |= dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", "")
    pairs |= dict.fromkeys("’‘ʼ", "'")
    pairs |= {"µ": "u", "√": " sqrt ", "⌈": " ceil(", "⌉": ")", "⌊": " floor(", "⌋": ")"}
    pairs |= {"≤": "<=", "≥": ">=", "≠": "!=", "％": "%", "＄": "$", "ℓ": "l"}
    pairs |= {chr(0x2080 + digit): str(digit) for digit in range(10)}
    pairs |= {chr(0xFF01 + offset): chr(0x21 + offset) for offset in range(94)}
    for offset, name in enumerate(_GREEK):
        if name:
            pairs[chr(0x3B1 + offset)] = f" {name} "
            pairs[chr(0x391 + offset)] = f" {name.capitalize()} "
    return {ord(typed): plain for typed, plain in pairs.items()}


_PLAIN = _table()
_FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}
_FRACTION = re.compile(f"(\\d?) ?([{''.join(_FRACTIONS)}])")
_HEDGE = re.compile(
    r"\s*(?:~+|=(?!=)|(?:about|approximately|approx\.?|roughly|around|circa|ca\.)(?![A-Za-z]))\s*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\s*[A-Za-z_][A-Za-z0-9_]*(?: +[A-Za-z_][A-Za-z0-9_]*){0,7} *\*? *(?:=(?!=)|~)"
)
_TRAILER = re.compile(r"\s*(?:\b(?:approx\.?|approximately|or so)|~)\s*$", re.IGNORECASE)
_FACTOR = re.compile(r"(?:[×✕]|\btimes)\s*$")
_MICRO = re.compile("μ(?=[A-Za-z])")
_JOINED = re.compile(r"\b(micro|mini|per)(?:-| (?=cent))(batch|batches|cent)\b", re.IGNORECASE)


def plain(text: str) -> str:
    """The text in ASCII; raises RejectedError past 160 characters, else UnreadableError."""
    if len(text) > LONGEST:
        raise RejectedError(
            f"the text is longer than {LONGEST} characters", hint="simplify it before typing"
        )
    text = _FACTOR.sub("x", text)
    if text.isascii() and text.isprintable():
        return text
    text = _SUPERSCRIPT_RUN.sub(_exponent, text)
    text = _FRACTION.sub(_fraction, _MICRO.sub("u", text)).translate(_PLAIN)
    for at, character in enumerate(text):
        if not character.isascii() or not character.isprintable():
            raise UnreadableError(_unknown(character), hint="type it in plain letters", at=at)
    return text


def _exponent(run: re.Match[str]) -> str:
    return f"^{run[0].translate(_FROM_SUPERSCRIPT)}"


def _fraction(found: re.Match[str]) -> str:
    whole, typed = found.groups()
    return f"{whole} {_FRACTIONS[typed]}" if whole else f"({_FRACTIONS[typed]})"


def _unknown(character: str) -> str:
    if character == "∞":
        return "infinity is not an answer"
    name = unicodedata.name(character, "a control character").lower()
    shown = f"{character} " if character.isprintable() else ""
    return f"{shown}(U+{ord(character):04X}, {name}) is not a sign that is read here"


def bare_answer(text: str) -> str:
    """An answer without what people write around it: a hedge, `name =`, a final full stop."""
    for pattern in (_HEDGE, _LABEL, _HEDGE, _LABEL, _HEDGE):
        found = pattern.match(text)
        if found and found.end() < len(text):
            text = text[found.end() :]
    text = _TRAILER.sub("", text).strip()
    text = text.removesuffix(".").rstrip()
    return _JOINED.sub(r"\1\2", text)
