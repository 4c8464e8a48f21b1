"""Units as they stand in an answer: what a word means, and unit expressions such as GPU-hours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.algebra import units
from drillkit.algebra.cursor import Cursor
from drillkit.algebra.lexer import NAME, NUMBER, SIGN, Token
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.vocabulary import (
    LINKS,
    Meaning,
    after_value,
    has_exact_time,
    symbol,
    unit_meanings,
    unknown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class UnitParser(Cursor):
    """Reads the unit that the next tokens make."""

    def meaning(self) -> Meaning:
        """What the word after a value means, chosen once."""
        if self.at not in self.meanings:
            found = self.options()
            chosen = found[self.choices.pick(len(found)) if len(found) > 1 else 0]
            self.meanings[self.at] = chosen
            self.penalty += chosen.penalty
            self.remark(chosen.remark)
        return self.meanings[self.at]

    def options(self) -> Sequence[Meaning]:
        """All meanings of the word after a value."""
        token = self.token
        if not self.context.answer:
            if self.tokens[self.at - 1].kind == NAME:
                raise UnreadableError(
                    f"{token.text} follows a name", hint="write * between them", at=token.at
                )
            found = symbol(token.text, self.context)
            if found is None:
                raise unknown(token.text, self.context, token.at)
            return [found]
        following = self.peek()
        unit_follows = following.text == "$" or (
            following.kind == NAME
            and following.text not in LINKS
            and bool(unit_meanings(following.text, self.context))
        )
        after_symbol = self.at > 0 and self.tokens[self.at - 1].text in self.context.known
        try:
            return after_value(
                token.text,
                self.context,
                after_symbol=after_symbol,
                compound=self.in_duration() or following.kind == NUMBER,
                unit_follows=unit_follows,
            )
        except UnreadableError as error:
            error.at = token.at
            raise

    def in_duration(self) -> bool:
        """Whether the two tokens before this number are another part of a duration."""
        return self.at >= 2 and has_exact_time(self.tokens[self.at - 2].text)

    def part_follows(self) -> bool:
        """Whether another number with a unit follows in a duration."""
        ahead = 1 if self.token.text == "and" else 0
        return self.peek(ahead).kind == NUMBER and self.peek(ahead + 1).kind == NAME

    def unit(self) -> units.Unit:
        """A unit expression: atoms with exponents, joined by · - / per or a space."""
        percent = self.token.text == "%"
        unit = self.factor(self.taken_atom())
        while not percent:
            token, following = self.token, self.peek()
            if token.text in {"/", "per"} and self.starts_unit(following, divided=True):
                self.take()
                unit = units.times(unit, self.factor(self.taken_atom()), power=-1)
            elif token.text == "*" and self.starts_unit(following):
                self.take()
                unit = units.times(unit, self.factor(self.taken_atom()))
            elif token.kind == NAME and self.starts_unit(token):
                unit = units.times(unit, self.factor(self.taken_atom()))
            else:
                break
        return unit

    def starts_unit(self, token: Token, *, divided: bool = False) -> bool:
        """Whether a token can only go on as a unit; `GB/s` is a rate even where s is a symbol."""
        if token.text == "$":
            # After a factor $2 is an amount of its own.
            return self.tokens[self.tokens.index(token) + 1].kind != NUMBER
        if token.kind != NAME or token.text in LINKS:
            return False
        if not divided and token.text in self.context.known:
            return False
        return bool(unit_meanings(token.text, self.context))

    def taken_atom(self) -> units.Atom:
        """The next token as one atom of a unit, consumed."""
        token = self.token
        if token.kind == SIGN and token.text in {"$", "%"}:
            self.take()
            return (units.DOLLAR if token.text == "$" else units.PERCENT).parts[0][0]
        chosen = self.meanings.get(self.at)
        if chosen is None or chosen.atom is None:
            compound = self.in_duration() or self.peek().kind == NUMBER
            found = unit_meanings(token.text, self.context, compound=compound)
            if not found or token.kind != NAME:
                raise unknown(token.text, self.context, token.at)
            chosen = found[self.choices.pick(len(found)) if len(found) > 1 else 0]
            self.meanings[self.at] = chosen
            self.penalty += chosen.penalty
            self.remark(chosen.remark)
        self.take()
        assert chosen.atom is not None  # noqa: S101 - unit meanings have one
        return chosen.atom

    def factor(self, atom: units.Atom) -> units.Unit:
        """An atom with its exponent; a noun takes a unit of time with it (GPU-hours)."""
        unit = units.of_atom(atom)
        if self.token.text == "^":
            unit = units.raised(unit, self.whole_exponent())
        elif units.nouns(atom.dimension) or atom.kind in {"watt", "flop"}:
            hyphen = self.token.text == "-" and self.token.glued and self.peek().glued
            product = self.token.text == "*"
            at = self.at + (1 if hyphen or product else 0)
            token = self.tokens[at]
            free = hyphen or token.text not in self.context.known
            free = free and self.tokens[min(at + 1, len(self.tokens) - 1)].text != "^"
            if token.kind == NAME and free and has_exact_time(token.text):
                self.at = at
                unit = units.times(unit, units.of_atom(self.taken_atom()), sign="-")
        return unit

    def whole_exponent(self) -> int:
        """The exponent after a unit: a whole number from -9 to 9."""
        at = self.take().at
        sign = -1 if self.token.text == "-" else 1
        if self.token.text in {"+", "-"}:
            self.take()
        number = self.take()
        if number.kind != NUMBER or number.value.denominator != 1 or number.value > 9:
            raise UnreadableError(
                "a unit has an exponent that is not a small whole number", hint="check it", at=at
            )
        return sign * int(number.value)
