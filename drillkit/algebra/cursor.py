"""The place in the tokens of a text, the choices taken and the remarks collected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.algebra.lexer import CLOCK, DEEPEST, END, NAME, NUMBER, SIGN, Token
from drillkit.algebra.outcome import RejectedError, UnreadableError
from drillkit.algebra.vocabulary import Context, Meaning, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drillkit.algebra import units


class Choices:
    """The way through an ambiguous text: `taken` is replayed, what is new takes its first option.

    `sizes` afterwards holds how many options each choice had, so that the next way can be found.
    """

    def __init__(self, taken: Sequence[int] = ()) -> None:
        self.taken = list(taken)
        self.sizes: list[int] = []

    def pick(self, options: int) -> int:
        """The option to take at the next choice, from 0."""
        at = len(self.sizes)
        self.sizes.append(options)
        if at == len(self.taken):
            self.taken.append(0)
        return self.taken[at]

    def next(self) -> list[int] | None:
        """The choices of the next way, or None after the last one."""
        way = self.taken[: len(self.sizes)]
        while way:
            way[-1] += 1
            if way[-1] < self.sizes[len(way) - 1]:
                return way
            way.pop()
        return None


class Cursor:
    """A place in the tokens, and what was noticed on the way there."""

    def __init__(self, tokens: tuple[Token, ...], context: Context, choices: Choices) -> None:
        self.tokens = tokens
        self.context = context
        self.choices = choices
        self.at = 0
        self.depth = 0
        self.steps = 0
        self.sums = 0
        self.binding = 0
        self.meanings: dict[int, Meaning] = {}
        self.used: list[units.Unit] = []
        self.remarks: list[str] = []
        self.penalty = 0
        self.scaled = False

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """The next token, consumed."""
        token = self.tokens[self.at]
        self.steps += 1
        if token.kind != END:
            self.at += 1
        return token

    def peek(self, ahead: int = 1) -> Token:
        """A token further on; END when there is none."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def expect(self, sign: str) -> None:
        """Consume that sign or raise UnreadableError."""
        if self.token.kind != SIGN or self.token.text != sign:
            raise UnreadableError(
                f"{sign} is missing"
                if self.token.kind == END
                else f"{sign} is missing before {self.token.text}",
                hint="check the brackets",
                at=self.token.at,
            )
        self.take()

    def remark(self, text: str) -> None:
        """Keep a remark on the reading, once."""
        if text and text not in self.remarks:
            self.remarks.append(text)

    def nest(self) -> None:
        """Go one level deeper; raises RejectedError past 25."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise RejectedError(
                f"it is nested more than {DEEPEST} deep", hint="simplify it", at=self.token.at
            )

    def left_over(self) -> UnreadableError:
        """The error for a token that does not fit where it stands."""
        token = self.token
        if token.text == "=":
            return UnreadableError(
                "there is an = inside", hint="give one value, or one side only", at=token.at
            )
        if token.text in {"<", ">", "<=", ">=", "==", "!="}:
            return UnreadableError(
                f"{token.text} makes a condition", hint="give one value", at=token.at
            )
        if token.kind in {NUMBER, CLOCK}:
            return UnreadableError(
                f"{token.text} follows without an operation",
                hint="write + - * or /, or a unit after each part of a duration",
                at=token.at,
            )
        if token.kind == NAME:
            return unknown(token.text, self.context, token.at)
        return UnreadableError(
            f"{token.text} does not fit here", hint="check the text", at=token.at
        )
