"""A Pratt parser for formulas, conditions and answers.

Where an answer has several readings the parser asks `Choices`, and the reader runs it again for
every other choice. How a unit binds is one such choice: tightly to its number, to the product on
its left, or to the whole sum. A formula of an author never asks: a name is a symbol, units do not
occur.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from drillkit.algebra import units
from drillkit.algebra.expression import (
    FUNCTIONS,
    ONE_ARGUMENT,
    Binary,
    Call,
    Expression,
    Measured,
    Name,
    Negative,
    Number,
)
from drillkit.algebra.lexer import CLOCK, DEEPEST, END, NAME, NUMBER, SIGN, Token
from drillkit.algebra.outcome import RejectedError, UnclearError, UnreadableError
from drillkit.algebra.vocabulary import (
    LINKS,
    Context,
    Meaning,
    after_value,
    has_exact_time,
    scale_meaning,
    symbol,
    unit_meanings,
    unknown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

SUM, PRODUCT, MINUS, POWER, SCALE = 40, 50, 60, 80, 90
TIGHT, LOOSE, LOOSEST = 65, 49, 39
PERCENT_BINDS = 70


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


class Parser:
    """One pass over the tokens of an expression."""

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

    # Tokens

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

    # Expressions

    def whole(self) -> Expression:
        """The expression that all tokens make; raises when something is left over."""
        if self.token.kind == END:
            raise UnreadableError("there is nothing to read", hint="type a number and its unit")
        tree = self.expression(0)
        if self.token.kind != END:
            raise self.left_over()
        return tree

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

    def expression(self, floor: int) -> Expression:
        """Everything that binds tighter than `floor`."""
        left = self.operand(floor)
        divided = False
        while True:
            binds = self.binds(floor)
            if binds <= floor:
                return left
            token = self.token
            if binds == PRODUCT and token.text not in {"*", "/", "per", "of", "times"}:
                if divided:
                    raise UnclearError(
                        "a/b(c) can be read in two ways",
                        hint="add brackets: a/(b*c) or (a/b)*c",
                        at=token.at,
                    )
                left = Binary("*", left, self.expression(PRODUCT))
                continue
            divided = binds == PRODUCT and token.text in {"/", "per"}
            left = self.extended(left, binds)

    def extended(self, left: Expression, binds: int) -> Expression:
        """The left side together with the operation that follows it."""
        token = self.token
        if binds in {TIGHT, LOOSE, LOOSEST, PERCENT_BINDS}:
            return self.measured(left)
        if binds == SCALE:
            meaning = self.meanings[self.at]
            self.take()
            self.scaled = True
            return Binary("*", left, Number(meaning.factor))
        self.take()
        if binds == POWER:
            self.nest()
            right = self.expression(POWER - 1)
            self.depth -= 1
            return Binary("^", left, right)
        if token.text == "+":
            self.sums += 1
            return Binary("+", left, self.expression(SUM))
        if token.text == "-":
            self.sums += 1
            return Binary("-", left, self.expression(SUM))
        return Binary("/" if token.text in {"/", "per"} else "*", left, self.expression(PRODUCT))

    def binds(self, floor: int) -> int:
        """How tightly the next token binds to what is on its left; 0 where it does not."""
        token = self.token
        if token.kind == SIGN:
            text = token.text
            if text in "+-":
                return SUM
            if text in "*/(":
                return PRODUCT
            if text == "^":
                return POWER
            if text == "%":
                return self.percent_binds(floor)
            if text == "$" and self.context.answer:
                return self.unit_binds(floor)
            return 0
        if token.kind == NAME:
            return self.name_binds(floor)
        return 0

    def name_binds(self, floor: int) -> int:
        """The same for a word: a link, a function, a symbol, a scale or a unit."""
        text = self.token.text
        if text in LINKS:
            return self.link_binds(text)
        if self.peek().text == "(" and text.lower() in FUNCTIONS:
            return PRODUCT
        meaning = self.meaning()
        if meaning.kind == "symbol":
            return PRODUCT
        if meaning.kind == "scale":
            return SCALE
        if meaning.atom is not None and meaning.atom.kind == "percent":
            return self.percent_binds(floor)
        return self.unit_binds(floor)

    def link_binds(self, text: str) -> int:
        """`per` divides, `times` multiplies, and `of` does so after a percentage."""
        if not self.context.answer:
            return 0
        before = self.tokens[self.at - 1].text
        if text == "per" or (text == "of" and before in {"%", "percent", "pct"}):
            return PRODUCT
        if text == "times":
            return PRODUCT
        return 0

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
        try:
            return after_value(
                token.text,
                self.context,
                compound=self.in_duration() or following.kind == NUMBER,
                unit_follows=unit_follows,
            )
        except UnreadableError as error:
            error.at = token.at
            raise

    def in_duration(self) -> bool:
        """Whether the two tokens before this number are another part of a duration."""
        return self.at >= 2 and has_exact_time(self.tokens[self.at - 2].text)

    # Units

    def unit_binds(self, floor: int) -> int:
        """How tightly units bind in this way through the text."""
        if not self.binding:
            if floor < SUM:
                return TIGHT
            ways = [TIGHT]
            if floor >= PRODUCT:
                ways.append(LOOSE)
            if self.sums:
                ways.append(LOOSEST)
            self.binding = ways[self.choices.pick(len(ways))] if len(ways) > 1 else TIGHT
        # A power and a minus take their unit from outside: 10^22 FLOP, -5 GB.
        return self.binding

    def percent_binds(self, floor: int) -> int:
        """% binds to its number; only at the end of a plain product may it mean all of it."""
        last = self.peek().kind == END
        if not self.context.answer or floor != PRODUCT or not last or self.used or self.sums:
            return PERCENT_BINDS
        if not self.binding:
            self.binding = (PERCENT_BINDS, LOOSE)[self.choices.pick(2)]
        return self.binding

    def measured(self, left: Expression) -> Expression:
        """The left side with the unit that follows, and the rest of a duration after it."""
        unit = self.unit()
        self.used.append(unit)
        tree: Expression = Measured(left, unit)
        plain = isinstance(left, Number)
        while plain and unit.dimension == units.TIME and self.part_follows():
            if self.token.text == "and":
                self.take()
            number = self.take()
            part = self.unit()
            if part.dimension != units.TIME or part.factor >= unit.factor:
                raise UnreadableError(
                    "the parts of a duration do not go down",
                    hint="write hours, then minutes, then seconds",
                    at=number.at,
                )
            self.remark(number.remark)
            tree = Binary("+", tree, Measured(Number(number.value), part))
            unit = part
        return tree

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
            return True
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

    # Operands

    def operand(self, floor: int) -> Expression:
        """What an expression starts with."""
        token = self.token
        if token.kind == NUMBER:
            self.take()
            self.remark(token.remark)
            return Number(token.value)
        if token.kind == CLOCK:
            self.take()
            second = units.of_atom(units.TABLE.exact["s"][0])
            self.used.append(second)
            return Measured(Number(token.value), second)
        if token.kind == NAME:
            return self.named()
        if token.text in {"-", "+"}:
            self.take()
            self.nest()
            term = self.expression(max(MINUS, floor))
            self.depth -= 1
            return Negative(term) if token.text == "-" else term
        if token.text == "(":
            return self.group()
        if token.text == "$" and self.context.answer:
            return self.dollars()
        if token.kind == END:
            raise UnreadableError("the end comes too early", hint="finish the text", at=token.at)
        raise UnreadableError(
            f"{token.text} stands where a number should be", hint="check the text", at=token.at
        )

    def group(self) -> Expression:
        """What stands in brackets."""
        self.take()
        self.nest()
        sums, self.sums = self.sums, 0
        tree = self.expression(0)
        self.sums = sums
        self.depth -= 1
        if self.token.text == ",":
            raise UnclearError("a comma stands in brackets", hint="use a point", at=self.token.at)
        self.expect(")")
        return tree

    def dollars(self) -> Expression:
        """An amount with its sign in front: $187k."""
        self.take()
        self.used.append(units.DOLLAR)
        token = self.take()
        if token.kind != NUMBER:
            raise UnreadableError("$ needs a number", hint="write $187,000", at=token.at)
        self.remark(token.remark)
        amount: Expression = Number(token.value)
        if self.token.kind == NAME and self.token.text not in LINKS:
            scale = scale_meaning(self.token.text, self.context)
            if scale:
                self.take()
                self.remark(scale.remark)
                amount = Binary("*", amount, Number(scale.factor))
        return Measured(amount, units.DOLLAR)

    def named(self) -> Expression:
        """A word where a value starts: a function, a symbol, or a unit after * or /."""
        token = self.token
        text = token.text
        if text.lower() in FUNCTIONS and text not in self.context.known:
            return self.call()
        if text in LINKS:
            raise UnreadableError(
                f"{text} stands where a number should be", hint="check it", at=token.at
            )
        if text in self.context.known or self.context.symbols is None:
            self.take()
            return Name(text)
        found = symbol(text, self.context)
        if found:
            self.take()
            self.remark(found.remark)
            return Name(found.name)
        if not self.context.answer:
            raise unknown(text, self.context, token.at)
        if text == "USD" and self.peek().kind == NUMBER:
            return self.dollars()
        if unit_meanings(text, self.context):
            if self.at == 0 or self.tokens[self.at - 1].text not in {"*", "/", "per", "(", "times"}:
                raise UnreadableError(
                    f"a number is missing before {text}", hint=f"write 1 {text}", at=token.at
                )
            atom = self.taken_atom()
            unit = self.factor(atom)
            self.used.append(unit)
            return Measured(Number(Fraction(1)), unit)
        raise unknown(text, self.context, token.at)

    def call(self) -> Expression:
        """A function with its arguments; √ may stand before a single number or name."""
        token = self.take()
        function = token.text.lower()
        if function != token.text:
            self.remark(f"{token.text} read as {function}")
        if self.token.text != "(":
            if function == "sqrt" and self.token.kind in {NUMBER, NAME}:
                return Call(function, (self.expression(PERCENT_BINDS),))
            raise unknown(token.text, self.context, token.at)
        self.take()
        self.nest()
        sums, self.sums = self.sums, 0
        arguments = [self.expression(0)]
        while self.token.text == ",":
            self.take()
            arguments.append(self.expression(0))
        self.sums = sums
        self.depth -= 1
        self.expect(")")
        if function in ONE_ARGUMENT and len(arguments) > 1:
            raise UnreadableError(
                f"{function} takes one argument", hint="check the commas", at=token.at
            )
        return Call(function, tuple(arguments))
