"""From plain text to at most 60 tokens.

Numbers are exact fractions. Thousands are read in strict groups of three, all with the same
separator (`1,024`, `112 000 000`, `1_000`, `1'000`) and not after a leading zero; inside a call a
comma separates arguments, and any other comma is unclear. `1 1/2` is one and a half. `14:08` is
unclear, `0:14:08` is hours, minutes and seconds.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from drillkit.algebra.exact import LARGEST_POWER_OF_TEN
from drillkit.algebra.expression import FUNCTIONS, MANY_ARGUMENTS
from drillkit.algebra.outcome import RejectedError, UnclearError, UnreadableError

MOST_TOKENS = 60
DEEPEST = 25

NUMBER, NAME, SIGN, CLOCK, END = "number", "name", "sign", "clock", "end"


class Token(NamedTuple):
    """One token: `glued` when no space stands before it.

    `value` belongs to numbers; `figures` counts the significant digits as written (trailing zeros
    of a whole number do not count), 0 where that has no meaning.
    """

    kind: str
    text: str
    at: int
    glued: bool
    value: Fraction = Fraction(0)
    figures: int = 0
    remark: str = ""


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LETTERS = re.compile(r"[A-Za-z]+")
_GROUPED = re.compile(r"([1-9]\d{0,2}(?:([ ,_'])\d{3})(?:\2\d{3})*)(\.\d+)?(?![\d.]|[,_']\d)")
_PLAIN_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)")
_EXPONENT = re.compile(r"[eE]([+-]?\d+)")
_MIXED = re.compile(r"(\d{1,6}) +(\d{1,3})/(\d{1,3})(?![\d.])")
_CLOCK = re.compile(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?(?![\d:])")
_HEXADECIMAL = re.compile(r"0[xX][0-9A-Fa-f]")
_TIMES_X = re.compile(r"[xX](?= *[\d.(])")
_SIGNS = frozenset(("**", "<=", ">=", "==", "!=", *"+-*/^%$()<>="))
_CLOCK_UNITS = frozenset({"m", "min", "h", "d", "hr", "s", "sec", "day", "days"})
_REMARKS = {
    ",": "commas read as thousands separators",
    " ": "spaces read as thousands separators",
    "_": "underscores read as thousands separators",
    "'": "apostrophes read as thousands separators",
}


class Lexer:
    """Cuts one text; `answer` allows what only candidates write, `known` are the symbols."""

    def __init__(self, text: str, *, answer: bool, known: frozenset[str]) -> None:
        self.text = text
        self.answer = answer
        self.known = known
        self.at = 0
        self.tokens: list[Token] = []
        # One entry per open bracket: the function it belongs to, or "" for a plain one.
        self.brackets: list[str] = []
        self.closers: list[str] = []

    def run(self) -> tuple[Token, ...]:
        """All tokens, the last one being END; raises UnreadableError and its kinds."""
        text = self.text
        end = len(text)
        while True:
            start = self.at
            while self.at < end and text[self.at] == " ":
                self.at += 1
            glued = self.at == start and bool(self.tokens)
            if self.at >= end:
                self.tokens.append(Token(END, "", end, glued))
                return tuple(self.tokens)
            if len(self.tokens) >= MOST_TOKENS:
                raise RejectedError(
                    f"there are more than {MOST_TOKENS} parts", hint="simplify it", at=self.at
                )
            self.tokens.append(self._next(glued=glued))

    def _next(self, *, glued: bool) -> Token:
        character = self.text[self.at]
        if character.isdigit() or (character == "." and self.text[self.at + 1 : self.at + 2]):
            return self._number(glued=glued)
        if character.isalpha() or character == "_":
            return self._name(glued=glued)
        return self._sign(glued=glued)

    def _number(self, *, glued: bool) -> Token:
        text, at = self.text, self.at
        previous = self.tokens[-1] if self.tokens else None
        if previous and previous.kind == NUMBER and glued:
            raise UnreadableError("two numbers stand together", hint="write one number", at=at)
        if text.startswith("0", at) and _HEXADECIMAL.match(text, at):
            raise UnreadableError("hexadecimal is not read here", hint="write it in decimal", at=at)
        special = self._clock(glued=glued) if self.answer and ":" in text else None
        if self.answer and special is None and "/" in text:
            special = self._mixed(glued=glued)
        if special:
            return special
        grouped = _GROUPED.match(text, at)
        if grouped and self._groups(grouped):
            digits = (grouped[1] + (grouped[3] or "")).translate(_UNGROUP)
            remark = _REMARKS[grouped[2]]
            self.at = grouped.end()
        else:
            found = _PLAIN_NUMBER.match(text, at)
            if not found:
                raise UnreadableError("a lone point is not a number", hint="write 0.5", at=at)
            digits, remark = found[1], ""
            self.at = found.end()
        if text[self.at : self.at + 1] == ".":
            raise UnclearError(
                "a number has two points", hint="write thousands without any separator", at=at
            )
        exponent = _EXPONENT.match(text, self.at)
        if exponent:
            self.at = exponent.end()
        value = _value(digits, exponent[1] if exponent else "0", at)
        return Token(NUMBER, text[at : self.at], at, glued, value, _figures(digits), remark)

    def _groups(self, found: re.Match[str]) -> bool:
        """Whether a separator groups thousands here; inside min() and max() a comma may not."""
        if found[2] != ",":
            return self.answer
        function = next((name for name in reversed(self.brackets) if name), "")
        if function not in MANY_ARGUMENTS:
            return True
        if not self.answer:
            return False
        raise UnclearError(
            f"{found[0]} is one number or two arguments",
            hint="write a space after the comma, or no comma in the number",
            at=self.at,
        )

    def _clock(self, *, glued: bool) -> Token | None:
        found = _CLOCK.match(self.text, self.at)
        if not found:
            return None
        hours, minutes, seconds = found.groups()
        if seconds is None:
            raise UnclearError(
                f"{found[0]} is hours and minutes or minutes and seconds",
                hint=f"write {hours} h {minutes} min or {hours} min {minutes} s",
                at=self.at,
            )
        value = Fraction(hours) * 3600 + Fraction(minutes) * 60 + Fraction(seconds)
        token = Token(CLOCK, found[0], self.at, glued, value)
        self.at = found.end()
        return token

    def _mixed(self, *, glued: bool) -> Token | None:
        found = _MIXED.match(self.text, self.at)
        if not found or _GROUPED.match(self.text, self.at):
            return None
        whole, above, below = (int(part) for part in found.groups())
        if above >= below:
            return None
        value = whole + Fraction(above, below)
        remark = f"{found[0]} read as {float(value):g}"
        token = Token(NUMBER, found[0], self.at, glued, value, 0, remark)
        self.at = found.end()
        return token

    def _name(self, *, glued: bool) -> Token:
        text, at = self.text, self.at
        found = _NAME.match(text, at)
        assert found is not None  # noqa: S101 - the caller saw a letter or an underscore
        name = found[0]
        previous = self.tokens[-1].kind if self.tokens else ""
        value_before = previous == NUMBER or (previous == SIGN and self.tokens[-1].text == ")")
        free_x = name[0] in "xX" and not {"x", "X"} & self.known
        if free_x and name in {"x", "X"} and previous == NAME and _TIMES_X.match(text, at):
            value_before = True
        if value_before and free_x:
            # 9.35 x 10^4 is a product; 1.5x keeps its x as a unit.
            if _TIMES_X.match(text, at):
                self.at += 1
                return Token(SIGN, "*", at, glued)
            if name in {"x", "X"}:
                name = "×"
        elif previous == NUMBER and glued and name not in self.known:
            # 14m8s: a unit of time ends where the next number starts.
            letters = _LETTERS.match(name)
            if letters and letters[0] in _CLOCK_UNITS:
                name = letters[0]
        self.at += len(name)
        return Token(NAME, name, at, glued)

    def _sign(self, *, glued: bool) -> Token:
        text, at = self.text, self.at
        sign = text[at : at + 2]
        if sign not in _SIGNS:
            sign = text[at]
            if sign not in _SIGNS:
                return self._other(sign, glued=glued)
        self.at += len(sign)
        if sign == "(":
            self._open(")")
        elif sign == ")":
            self._close(")")
        return Token(SIGN, "^" if sign == "**" else sign, at, glued)

    def _other(self, character: str, *, glued: bool) -> Token:
        at = self.at
        self.at += 1
        if character == ",":
            if self.brackets and self.brackets[-1]:
                return Token(SIGN, ",", at, glued)
            raise UnclearError(
                "a comma is a decimal point or separates thousands",
                hint="write 0.273 with a point, and 1,024 only in groups of three",
                at=at,
            )
        if character == "{" and self.tokens and self.tokens[-1].text == "^":
            self._open("}")
            return Token(SIGN, "(", at, glued)
        if character == "}" and self.closers and self.closers[-1] == "}":
            self._close("}")
            return Token(SIGN, ")", at, glued)
        raise UnreadableError(
            f"{character} is not read here", hint="use numbers, units, + - * / ^ and ( )", at=at
        )

    def _open(self, closer: str) -> None:
        function = ""
        if self.tokens and self.tokens[-1].kind == NAME and closer == ")":
            name = self.tokens[-1].text
            callable_name = name.lower() in FUNCTIONS or (name == "divides" and not self.answer)
            function = name.lower() if callable_name and name not in self.known else ""
        self.brackets.append(function)
        self.closers.append(closer)
        if len(self.brackets) > DEEPEST:
            raise RejectedError(
                f"brackets are nested more than {DEEPEST} deep", hint="simplify it", at=self.at
            )

    def _close(self, closer: str) -> None:
        if not self.closers or self.closers.pop() != closer:
            raise UnreadableError(
                "a bracket closes that was not opened", hint="check the brackets", at=self.at
            )
        self.brackets.pop()


_UNGROUP = str.maketrans("", "", " ,_'")


def _figures(digits: str) -> int:
    shown = digits if "." in digits else digits.rstrip("0")
    return len(shown.replace(".", "").lstrip("0"))


def _value(digits: str, exponent: str, at: int) -> Fraction:
    power = int(exponent) if len(exponent) <= 4 else 10**4
    mantissa = Fraction(digits.rstrip("."))
    if mantissa and abs(power) > LARGEST_POWER_OF_TEN + len(digits):
        raise RejectedError(
            f"a number is outside 1e-{LARGEST_POWER_OF_TEN} to 1e{LARGEST_POWER_OF_TEN}",
            hint="check the exponent",
            at=at,
        )
    if not mantissa or not power:
        return mantissa
    scale = Fraction(10) ** power
    return mantissa * scale
